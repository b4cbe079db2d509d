package api_test

import (
	"strings"
	"testing"

	"lightbar/internal/testkit"
)

// A browser reads the columns as they are written: Go's own type would also
// read back bytes that left as base64.
func TestSnapshotColumnsAreArrays(t *testing.T) {
	eachEngine(t, func(t *testing.T, w *testkit.World) {
		registered(t, w, w.Own.ID, "HA7-1", "ha7")
		registered(t, w, w.Own.ID, "HA7-2", "ha7")
		r := w.Get("/api/organization/things/snapshot?org_ids[]="+w.Own.ID, w.SignIn("viewer").AccessToken)
		body := testkit.Decode[struct {
			Data map[string]any `json:"data"`
		}](t, r).Data
		if r.Status != 200 || body["count"] != 2.0 {
			t.Fatalf("%d %s", r.Status, r.Text)
		}
		dictionaries := " types subtypes device_types relation_set orgs streets "
		for name, column := range body {
			if name == "count" || name == "as_of" || strings.Contains(dictionaries, " "+name+" ") {
				continue
			}
			values, ok := column.([]any)
			if !ok || len(values) != 2 {
				t.Errorf("%s: %v", name, column)
			}
		}
	})
}
