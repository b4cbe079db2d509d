package api_test

import (
	"encoding/json"
	"regexp"
	"testing"

	"lightbar/internal/testkit"
	"lightbar/internal/wire"
)

// spec: D.wire.02
func TestThingsCountIsOneNumber(t *testing.T) {
	w := testkit.New(t)
	r := w.Get("/api/organization/things_count", w.SignIn("viewer").AccessToken)
	if r.Status != 200 || !regexp.MustCompile(`^\{"data":\{"count":\d+\}\}\s*$`).MatchString(r.Text) {
		t.Errorf("%d %s", r.Status, r.Text)
	}
}

// spec: D.value.09
func TestAssignableRolesByOrder(t *testing.T) {
	w := testkit.New(t)
	var labels []string
	for _, role := range testkit.Decode[wire.List[wire.Role]](t, w.Get("/api/roles", w.SignIn("administrator").AccessToken)).Data {
		labels = append(labels, role.Label)
	}
	if got, _ := json.Marshal(labels); string(got) != `["Viewer","Operator","Manager","Administrator"]` {
		t.Errorf("roles: %s", got)
	}
}
