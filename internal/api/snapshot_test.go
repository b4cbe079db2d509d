package api_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"lightbar/internal/testkit"
)

// A browser reads the columns as they are written: Go's own type would also
// read back bytes that left as base64.
func TestSnapshotColumnsAreArrays(t *testing.T) {
	eachEngine(t, func(t *testing.T, w *testkit.World) {
		registered(t, w, w.Own.ID, "HA7-1", "ha7")
		registered(t, w, w.Own.ID, "HA7-2", "ha7")
		token := w.SignIn("viewer").AccessToken
		ask := func(since string) map[string]any {
			t.Helper()
			r := w.Get("/api/organization/things/snapshot?org_ids[]="+w.Own.ID+"&last_updated_timestamp="+url.QueryEscape(since), token)
			if r.Status != 200 {
				t.Fatalf("%d %s", r.Status, r.Text)
			}
			return testkit.Decode[struct {
				Data map[string]any `json:"data"`
			}](t, r).Data
		}
		whole := ask("")
		check := func(body map[string]any, count float64, full bool, rows int) {
			t.Helper()
			if body["count"] != count || body["total"] != 2.0 || body["full"] != full || body["is_large"] != false {
				t.Errorf("%v", body)
			}
			for name, column := range body {
				if strings.Contains(" count total full is_large as_of types subtypes device_types relation_set integration_set orgs streets ", " "+name+" ") {
					continue
				}
				values, ok := column.([]any)
				if want := rows; !ok || name == "gone" && len(values) != 0 || name != "gone" && len(values) != want {
					t.Errorf("%s: %v", name, column)
				}
			}
		}
		check(whole, 2, true, 2)
		w.Clock.Advance(time.Second)
		check(ask(ask("")["as_of"].(string)), 0, false, 0)
		if r := w.Get("/api/organization/things/snapshot?last_updated_timestamp=yesterday", token); r.Status != 422 || !strings.Contains(r.Text, "last_updated_timestamp") {
			t.Errorf("%d %s", r.Status, r.Text)
		}
	})
}
