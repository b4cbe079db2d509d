package api_test

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/testkit"
)

// profileOf is GET /profile as a client reads it.
func profileOf(t *testing.T, w *testkit.World, role string) (user, organization map[string]any, accessed []any) {
	t.Helper()
	r := w.Get("/api/profile", w.SignIn(role).AccessToken)
	var body struct {
		Data struct {
			User, Organization    map[string]any
			AccessedOrganizations []any `json:"accessed_organizations"`
		}
	}
	if err := json.Unmarshal([]byte(r.Text), &body); err != nil || r.Status != 200 {
		t.Fatalf("%d %s", r.Status, r.Text)
	}
	return body.Data.User, body.Data.Organization, body.Data.AccessedOrganizations
}

func sameFields(t *testing.T, of string, got, want map[string]any) {
	t.Helper()
	for name := range maps.Keys(want) {
		if value, there := got[name]; !there || !reflect.DeepEqual(value, want[name]) {
			t.Errorf("%s.%s is %#v (%v), want %#v", of, name, value, there, want[name])
		}
	}
}

// harbor is an organization and a user of it with something in every field.
func harbor(t *testing.T, w *testkit.World) (fleet.Organization, fleet.User) {
	t.Helper()
	o, err := w.App.CreateOrganization(t.Context(), access.System(), fleet.Organization{Name: "Town of Elsmere", Email: "desk@elsmere.example", Address1: "11 Poplar Ave",
		Address2: "Floor 2", City: "Elsmere", State: "DE", PostalCode: "19805", CountryCode: "US", HasPosition: true, Lat: 39.7392, Lng: -75.598, Timezone: "America/Chicago",
		TypeName: catalog.AllEnums().OrganizationTypes[7].Name, ACS: true, InfiniteTimeout: true, WZDx: true, ContactName: "Ada Cole", Phone: "302-555-0100", CellPhone: "302-555-0101",
		BillingID: "LB-7", VehicleIconActive: "fire", VehicleIconDefault: "waste"})
	must(t, err)
	must(t, w.App.RelateOrganizations(t.Context(), access.System(), o.ID, w.Managed.ID, "manager"))
	must(t, w.App.RelateOrganizations(t.Context(), access.System(), o.ID, w.Own.ID, "accessor"))
	w.Users["chief"] = w.AddUser("chief@elsmere.example", o.ID, "administrator")
	r := w.Do(send("PUT", "/api/users/"+w.Users["chief"].ID, w.SignIn("chief").AccessToken, map[string]any{"firstname": "Ada", "lastname": "Cole", "phonenumber": "302-555-0102",
		"address1": "1 Main St", "address2": "Rear", "city": "Newark", "state": "de", "postal_code": "19711-0001", "country_code": "US"}))
	if r.Status != 200 {
		t.Fatalf("%d %s", r.Status, r.Text)
	}
	for name, kind := range map[string]string{"E-1": "fire", "W-1": "waste"} {
		_, err := w.App.RegisterThing(t.Context(), access.System(), app.NewThing{OrganizationID: o.ID, SystemName: name, Type: kind})
		must(t, err)
	}
	return o, w.Users["chief"]
}

// Every field of a user, with its own value.
//
// spec: 3.user.01 3.user.02
func TestProfileCarriesEveryFieldOfAUser(t *testing.T) {
	w := testkit.New(t)
	o, u := harbor(t, w)
	w.Clock.Advance(time.Hour)
	got, _, _ := profileOf(t, w, "chief")
	permissions := slices.Clone(strings.Fields("thing:read user:manage organization:manage billing:read integration_configuration:manage"))
	for _, p := range permissions {
		if !slices.Contains(got["permissions"].([]any), any(p)) {
			t.Errorf("no %s among the permissions", p)
		}
	}
	sameFields(t, "user", got, map[string]any{"id": u.ID, "email": "chief@elsmere.example", "firstname": "Ada", "lastname": "Cole", "phone": "302-555-0102", "address1": "1 Main St",
		"address2": "Rear", "city": "Newark", "state": "DE", "postal_code": "19711-0001", "country_code": "US", "role_id": u.RoleID, "organization_id": o.ID,
		"user_org": map[string]any{"id": o.ID, "name": "Town of Elsmere", "type": o.TypeName}, "acs": true, "has_api_keys": true, "is_ha_direct_enabled": false,
		"has_awareness_mode_access": true, "sign_in_count": 2.0, "last_sign_in_at": "2026-11-21T11:00:00.000Z"})
	w.Users["foreign"] = w.AddUser("viewer@foreign.example", w.Foreign.ID, "viewer")
	viewer, _, _ := profileOf(t, w, "foreign")
	sameFields(t, "viewer", viewer, map[string]any{"acs": false, "has_api_keys": false, "has_awareness_mode_access": false, "sign_in_count": 1.0,
		"user_org": map[string]any{"id": w.Foreign.ID, "name": "Foreign Fleet", "type": w.Foreign.TypeName}})
}

// The four flags of each resource say what the role may do with it.
//
// spec: 3.user.03
func TestProfileCarriesTheAccessToEachResource(t *testing.T) {
	w := testkit.New(t)
	all, none := "create read update delete", ""
	for role, want := range map[string]map[string]string{
		"viewer": {"thing": "read", "incident": "read", "exclusion": "read", "closure": "read", "zone": "read", "trip": none, "hazard": "read", "report": none, "export": none,
			"user": none, "organization": none, "billing": none},
		"operator": {"thing": "read update", "incident": "read update", "exclusion": "read", "closure": "create read update", "zone": "read", "trip": "read", "hazard": "read",
			"report": none, "export": none, "user": none, "organization": none, "billing": none},
		"manager": {"thing": "read update", "incident": "read update", "exclusion": all, "closure": all, "zone": "read", "trip": "read", "hazard": "read", "report": all,
			"export": "create read delete", "user": "read", "organization": none, "billing": none},
		"administrator": {"thing": all, "incident": "read update", "exclusion": all, "closure": all, "zone": all, "trip": "read", "hazard": "read", "report": all,
			"export": "create read delete", "user": all, "organization": all, "billing": "read"},
	} {
		user, _, _ := profileOf(t, w, role)
		access := user["access"].(map[string]any)
		if len(access) != len(want) {
			t.Errorf("%s: %d resources", role, len(access))
		}
		for resource, may := range want {
			flags := map[string]any{}
			for flag, action := range map[string]string{"canCreate": "create", "canRead": "read", "canUpdate": "update", "canDelete": "delete"} {
				flags[flag] = slices.Contains(strings.Fields(may), action)
			}
			if !reflect.DeepEqual(access[resource], any(flags)) {
				t.Errorf("%s, %s: %v, want %v", role, resource, access[resource], flags)
			}
		}
	}
}

// Every field of an organization, with its own value.
//
// spec: 3.org.01 3.org.02 3.org.03
func TestProfileCarriesEveryFieldOfAnOrganization(t *testing.T) {
	w := testkit.New(t)
	o, _ := harbor(t, w)
	_, got, _ := profileOf(t, w, "chief")
	kind := catalog.AllEnums().OrganizationTypes[7]
	want := map[string]any{"id": o.ID, "name": "Town of Elsmere", "email": "desk@elsmere.example", "address1": "11 Poplar Ave", "address2": "Floor 2", "city": "Elsmere", "state": "DE",
		"lat": 39.7392, "lng": -75.598, "timezone": "America/Chicago", "postal_code": "19805", "country_code": "US", "contact_name": "Ada Cole", "phone_number": "302-555-0100",
		"cell_phone_number": "302-555-0101", "billing_id": "LB-7", "organization_type": map[string]any{"id": kind.ID, "name": kind.Name, "acs": true},
		"show_infinite_timeout_option": true, "is_wzdx_org": true, "is_large_org": false, "responders_type": "some", "vehicle_icon_active": "fire", "vehicle_icon_default": "waste",
		"organization_managers":  []any{map[string]any{"id": w.Managed.ID, "name": "Managed Towing"}},
		"organization_accessors": []any{map[string]any{"id": w.Own.ID, "name": "Harbor County"}}}
	sameFields(t, "organization", got, want)
	r := w.Do(send("PUT", "/api/organization/"+o.ID, w.SignIn("super").AccessToken, map[string]any{"is_large_org": true, "acs": false, "show_infinite_timeout_option": false, "is_wzdx_org": false}))
	if r.Status != 200 {
		t.Fatalf("%d %s", r.Status, r.Text)
	}
	want["is_large_org"], want["show_infinite_timeout_option"], want["is_wzdx_org"] = true, false, false
	want["organization_type"] = map[string]any{"id": kind.ID, "name": kind.Name, "acs": false}
	_, got, _ = profileOf(t, w, "chief")
	sameFields(t, "organization", got, want)
}

// Who pays is for those who see the billing, in their own organization and those
// they manage; the installation alone says it.
func TestBillingIDByRoleAndRelation(t *testing.T) {
	w := testkit.New(t)
	super, administrator := w.SignIn("super").AccessToken, w.SignIn("administrator").AccessToken
	for id, text := range map[string]string{w.Own.ID: "LB-1", w.Managed.ID: "LB-2", w.Accessed.ID: "LB-3"} {
		body := map[string]any{"billing_id": text}
		if r := w.Do(send("PUT", "/api/organization/"+id, super, body)); r.Status != 200 || !strings.Contains(r.Text, `"billing_id":"`+text+`"`) {
			t.Errorf("said by the installation: %d %s", r.Status, r.Text)
		}
	}
	if r := w.Do(send("PUT", "/api/organization/"+w.Own.ID, administrator, map[string]any{"billing_id": "LB-9"})); r.Status != 422 || !strings.Contains(r.Text, `"billing_id":`) {
		t.Errorf("said by an administrator: %d %s", r.Status, r.Text)
	}
	if r := w.Do(send("PUT", "/api/organization/"+w.Own.ID, super, map[string]any{"billing_id": strings.Repeat("x", 101)})); r.Status != 422 || !strings.Contains(r.Text, `"billing_id":`) {
		t.Errorf("101 characters: %d %s", r.Status, r.Text)
	}
	for role, want := range map[string][]string{"administrator": {"LB-1", "LB-2"}, "super": {"LB-1", "LB-2", "LB-3"}, "manager": nil, "operator": nil, "viewer": nil, "engineer": nil} {
		token := w.SignIn(role).AccessToken
		paths := []string{"/api/profile"}
		if role == "administrator" || role == "super" {
			paths = append(paths, "/api/organizations")
		}
		for _, path := range paths {
			text := w.Get(path, token).Text
			for _, id := range []string{"LB-1", "LB-2", "LB-3"} {
				if got := strings.Contains(text, `"`+id+`"`); got != slices.Contains(want, id) {
					t.Errorf("%s reads %s of %s: %v", role, id, path, got)
				}
			}
		}
	}
}
