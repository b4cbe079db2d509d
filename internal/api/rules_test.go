package api_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/testkit"
	"lightbar/internal/wire"
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

// What must be said is no blank, and every text is kept without the blanks around it; ids that only they tell apart are one.
//
// spec: 5.general.01
func TestTextsAreTrimmed(t *testing.T) {
	w := testkit.New(t)
	token := w.SignIn("administrator").AccessToken
	_, err := w.App.UpdateOrganization(t.Context(), access.System(), w.Own.ID, wire.OrganizationWrite{IsWZDxOrg: new(true)})
	must(t, err)
	line := []any{map[string]any{"lat": 39.7, "lng": -75.5}, map[string]any{"lat": 39.71, "lng": -75.5}}
	point := map[string]any{"type": "FeatureCollection", "features": []any{map[string]any{"type": "Feature", "properties": map[string]any{"radius_dist": 90},
		"geometry": map[string]any{"type": "Point", "coordinates": []any{-75.5, 39.7}}}}}
	kind := rowsAt(t, w, "/api/ez_types", token)[0]["id"]
	for _, c := range []struct {
		path, needed string // fields that must be said, with a space between
		body         map[string]any
		others       []string
	}{
		{"/api/organization/closure", "description", map[string]any{"description": "Paving", "direction": "N", "user_route": line, "alert_message": "Keep left",
			"street_start": "5th St", "street_end": "9th St", "road_name": "Market St", "external_id": "WZ-1", "group_id": "Project 7"},
			[]string{"alert_message", "street_start", "street_end", "road_name", "external_id", "group_id"}},
		{"/api/organization/exclusion_zone", "name", map[string]any{"name": "Depot", "ez_type_id": kind, "desc": "Salt",
			"point_geom": map[string]any{"lat": 39.7, "lon": -75.5}}, []string{"desc"}},
		{"/api/organization/alerting_zones", "description", map[string]any{"description": "School", "alerting_zone_type_name": "school", "features": point,
			"alert_message": "Slow"}, []string{"alert_message"}},
		{"/api/users", "firstname lastname", map[string]any{"firstname": "Eva", "lastname": "Cole", "email": "eva@fire.example", "role_id": w.Users["viewer"].RoleID},
			[]string{"email"}},
		{"/api/things", "haas_id", map[string]any{"haas_id": "HA7-77", "thing_type_id": fireType, "nickname": "Engine 77", "license_plate_number": "FD 77"},
			[]string{"nickname", "license_plate_number"}},
		{"/api/keys", "description", map[string]any{"description": "Gateway", "scope": "ingest", "organization_id": w.Own.ID}, nil},
	} {
		needed := strings.Fields(c.needed)
		for _, field := range needed {
			for _, blank := range []string{"", "  ", "\t\n", "\u00a0", "\u3000"} {
				if f := wants(t, w.Do(send("POST", c.path, token, with(c.body, field, blank))), 422, "validation_failed", ""); f.Fields[field] != "Required" {
					t.Errorf("%s: %s %q: %+v", c.path, field, blank, f.Fields)
				}
			}
			if r := w.Do(send("POST", c.path, token, with(c.body, field, "\u200b"))); r.Status != 422 {
				t.Errorf("%s: %s that cannot be seen: %d", c.path, field, r.Status)
			}
		}
		padded, want := map[string]any{}, map[string]any{}
		for field, value := range c.body {
			if padded[field] = value; slices.Contains(append(needed, c.others...), field) {
				padded[field], want[field] = fmt.Sprintf(" %s\t", value), value
			}
		}
		r := w.Do(send("POST", c.path, token, padded))
		if r.Status != 201 {
			t.Errorf("%s: %d %s", c.path, r.Status, r.Text)
			continue
		}
		sameFields(t, c.path, testkit.Decode[struct{ Data map[string]any }](t, r).Data, want)
		if taken, is := want["external_id"]; is {
			if r := w.Do(send("POST", c.path, token, with(c.body, "external_id", fmt.Sprint(taken, " ")))); r.Status != 422 {
				t.Errorf("an id that is in use, but for a blank: %d", r.Status)
			}
		}
	}
}
