package api_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/testkit"
)

// spec: 5.general.03 5.general.04 5.general.05
func TestGeneralRulesNameTheField(t *testing.T) {
	w := testkit.New(t)
	admin := w.SignIn("administrator").AccessToken
	organization, user, key := "/api/organization/"+w.Own.ID, "/api/users/"+w.Users["viewer"].ID, "/api/keys"
	newKey := func(field, value string) map[string]any {
		return map[string]any{"description": "k", "scope": "ingest", "organization_id": w.Own.ID, field: value}
	}
	for _, c := range []struct {
		name, method, path string
		body               map[string]any
		field              string // empty = accepted
	}{
		{"no email", "PUT", organization, map[string]any{"email": ""}, ""},
		{"an email", "PUT", organization, map[string]any{"email": "desk@harbor.example"}, ""},
		{"an email with a space", "PUT", organization, map[string]any{"email": "a b@c.d"}, "email"},
		{"an email without a host", "PUT", organization, map[string]any{"email": "a@"}, "email"},
		{"a role that is no id", "PUT", user, map[string]any{"role_id": "abc"}, "role_id"},
		{"an asset that is no id", "POST", key, map[string]any{"description": "k", "scope": "thing", "organization_id": w.Own.ID, "thing_id": "abc"}, "thing_id"},
		{"an organization that is no id", "POST", key, newKey("organization_id", "abc"), "organization_id"},
		{"no asset", "POST", key, newKey("thing_id", ""), ""},
		{"an instant with its offset", "POST", key, newKey("expires_at", "2026-12-01T10:00:00+02:00"), ""},
		{"an instant without offset", "POST", key, newKey("expires_at", "2026-12-01T10:00:00"), "expires_at"},
		{"a date alone", "POST", key, newKey("expires_at", "2026-12-01"), "expires_at"},
		{"no instant", "POST", key, newKey("expires_at", ""), ""},
	} {
		r := w.Do(send(c.method, c.path, admin, c.body))
		if c.field == "" {
			if r.Status >= 300 {
				t.Errorf("%s: %d %s", c.name, r.Status, r.Text)
			}
			continue
		}
		if r.Status != 422 || !strings.Contains(r.Text, `"`+c.field+`"`) {
			t.Errorf("%s: %d %s", c.name, r.Status, r.Text)
		}
	}
}

// spec: D.wire.09
func TestIDsAndInstantsOnTheWire(t *testing.T) {
	w := testkit.New(t)
	admin := w.SignIn("administrator").AccessToken
	_, err := w.App.RegisterThing(t.Context(), access.System(), app.NewThing{OrganizationID: w.Own.ID, SystemName: "E-1", Type: "fire"})
	must(t, err)
	v7 := regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)
	ids, instants := 0, 0
	var look func(path string, v any)
	look = func(path string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, inner := range v {
				look(path+"."+k, inner)
			}
		case []any:
			for _, inner := range v {
				look(path, inner)
			}
		case string:
			name := path[strings.LastIndex(path, ".")+1:]
			switch {
			case v == "" || name == "haas_id" || name == "external_id" || name == "request_id" || name == "billing_id":
			case name == "id" || strings.HasSuffix(name, "_id"):
				if ids++; !v7.MatchString(v) {
					t.Errorf("%s: %q", path, v)
				}
			case name == "at" || strings.HasSuffix(name, "_at") || strings.HasSuffix(name, "_date") || strings.HasSuffix(name, "_datetime") || name == "as_of":
				if _, err := time.Parse(time.RFC3339, v); err != nil || !strings.HasSuffix(v, "Z") {
					t.Errorf("%s: %q", path, v)
				}
				instants++
			}
		case float64:
			if name := path[strings.LastIndex(path, ".")+1:]; strings.HasSuffix(name, "_at") || strings.HasSuffix(name, "_datetime") {
				t.Errorf("%s is a number: %v", path, v)
			}
		}
	}
	for _, path := range []string{"/profile", "/organization/things", "/organizations", "/organization/users", "/keys", "/sessions", "/audit", "/roles",
		"/organization/" + w.Own.ID, "/users/" + w.Users["viewer"].ID, "/session/second_factor"} {
		r := w.Get("/api"+path, admin)
		var body any
		if err := json.Unmarshal([]byte(r.Text), &body); err != nil || r.Status != 200 {
			t.Fatalf("%s: %d %s", path, r.Status, r.Text)
		}
		look(path, body)
	}
	if ids < 50 || instants < 20 {
		t.Errorf("only %d ids and %d instants seen", ids, instants)
	}
	pair := w.SignIn("viewer")
	if text := fmt.Sprint(pair.CreatedAt, pair.ExpiresIn); text != fmt.Sprint(testkit.Start.Unix(), 4*3600) {
		t.Errorf("numbers of a token pair: %s", text)
	}
}
