package api_test

import (
	"strings"
	"testing"

	"lightbar/catalog"
	"lightbar/internal/testkit"
	"lightbar/internal/wire"
)

func roleID(t *testing.T, name string) string {
	t.Helper()
	r, ok := catalog.RoleByName(name)
	if !ok {
		t.Fatalf("no role %s", name)
	}
	return r.ID
}

// spec: 7.user.08 7.user.05 7.user.09 8.user.01 D.wire.01
func TestUsersOverHTTP(t *testing.T) {
	w := testkit.New(t)
	token := w.SignIn("administrator").AccessToken
	body := map[string]any{"firstname": "Ada", "lastname": "Cole", "email": "ada@demo.example", "role_id": roleID(t, "operator")}
	r := w.Do(testkit.Request{Method: "POST", Path: "/api/users/", Token: token, Body: body}) // as the requirements write it
	made := testkit.Decode[wire.One[wire.Member]](t, r).Data
	if r.Status != 201 || made.Email != "ada@demo.example" || r.Header.Get("ETag") == "" || !strings.Contains(r.Text, `"last_sign_in_at":null`) {
		t.Fatalf("%d %v %s", r.Status, r.Header, r.Text)
	}
	wants(t, w.Do(testkit.Request{Method: "POST", Path: "/api/users", Token: token, Body: body}), 422, "email_in_use", "Email is already in use. Please try another one.")
	list := testkit.Decode[wire.List[wire.Member]](t, w.Get("/api/organization/users?per_page=3&page=1", token))
	if list.Meta.Total != 7 || len(list.Data) != 3 || list.Data[1].Email != "ada@demo.example" {
		t.Errorf("%+v", list)
	}
	r = w.Get("/api/users/"+strings.ToUpper(made.ID)+"/", token)
	if r.Status != 200 || testkit.Decode[wire.One[wire.Member]](t, r).Data.ID != made.ID {
		t.Errorf("%d %s", r.Status, r.Text)
	}
	etag := r.Header.Get("ETag")
	put := func(body any, ifMatch string) testkit.Response {
		return w.Do(testkit.Request{Method: "PUT", Path: "/api/users/" + made.ID, Token: token, Body: body, Headers: map[string]string{"If-Match": ifMatch}})
	}
	r = put(map[string]any{"firstname": "Ada", "lastname": "Cole", "phonenumber": "+1 302 555 0142", "address1": "1 Main St", "address2": "", "city": "Elsmere",
		"state": "de", "postal_code": "19805", "country_code": "US"}, etag)
	if m := testkit.Decode[wire.One[wire.Member]](t, r).Data; r.Status != 200 || m.State != "DE" || m.Phone != "+1 302 555 0142" || !strings.Contains(r.Text, `"phone":`) {
		t.Errorf("%d %s", r.Status, r.Text)
	}
	wants(t, put(map[string]any{"firstname": "Eve"}, etag), 409, "conflict", "")
	if r = put(map[string]any{"firstname": "Eve"}, etag); !strings.Contains(r.Text, `"changed_by":"You"`) || !strings.Contains(r.Text, `"changed_at":"20`) {
		t.Errorf("who was faster: %s", r.Text)
	}
	r = put(map[string]any{"firstname": "Ada", "lastname": "Cole", "role_id": strings.ToUpper(roleID(t, "viewer"))}, "")
	if m := testkit.Decode[wire.One[wire.Member]](t, r).Data; r.Status != 200 || m.RoleID != roleID(t, "viewer") {
		t.Errorf("%d %s", r.Status, r.Text)
	}
	if r = w.Do(testkit.Request{Method: "POST", Path: "/api/users/" + made.ID + "/invitation", Token: token}); r.Status != 200 || !testkit.Decode[wire.One[wire.Member]](t, r).Data.InvitationOpen {
		t.Errorf("%d %s", r.Status, r.Text)
	}
	if r = w.Do(testkit.Request{Method: "DELETE", Path: "/api/users/" + made.ID, Token: token}); r.Status != 200 && r.Status != 204 {
		t.Errorf("%d %s", r.Status, r.Text)
	}
	wants(t, w.Do(testkit.Request{Method: "DELETE", Path: "/api/users/" + made.ID, Token: token}), 404, "not_found", "")
	wants(t, w.Get("/api/users/"+made.ID, token), 404, "not_found", "")
	if r = w.Get("/api/roles/", w.SignIn("viewer").AccessToken); r.Status != 200 || len(testkit.Decode[wire.List[wire.Role]](t, r).Data) != 4 {
		t.Errorf("%d %s", r.Status, r.Text)
	}
	if r = w.Get("/api/organization/assignable", token); r.Status != 200 || len(testkit.Decode[wire.List[wire.AssignableOrganization]](t, r).Data) != 2 {
		t.Errorf("%d %s", r.Status, r.Text)
	}
}

// Fields that do not belong where they are sent are refused by name, and nothing changes.
func TestNoMassAssignment(t *testing.T) {
	w := testkit.New(t)
	token := w.SignIn("administrator").AccessToken
	user, organization := "/api/users/"+w.Users["operator"].ID, "/api/organization/"+w.Own.ID
	before := w.Get(user, token).Text + w.Get(organization, token).Text
	for _, row := range []struct{ method, path, field, value string }{
		{"PUT", user, "is_deleted", "true"}, {"PUT", user, "version", "9"}, {"PUT", user, "id", `"x"`}, {"PUT", user, "email", `"eve@demo.example"`},
		{"PUT", user, "permissions", `["haas:manage"]`}, {"PUT", user, "password", `"x"`}, {"PUT", user, "password_hash", `"x"`}, {"PUT", user, "break_glass", "true"},
		{"PUT", user, "sign_in_count", "9"}, {"PUT", user, "phone", `"1"`}, {"PUT", user, "has_api_keys", "true"}, {"PUT", user, "Firstname", `"x"`},
		{"POST", "/api/users", "password", `"x"`}, {"POST", "/api/users", "suspended", "false"}, {"POST", "/api/users", "id", `"x"`}, {"POST", "/api/users", "break_glass", "true"},
		{"PUT", organization, "id", `"x"`}, {"PUT", organization, "version", "9"}, {"PUT", organization, "is_deleted", "true"}, {"PUT", organization, "billing_id", `"x"`},
		{"PUT", organization, "organization_managers", "[]"}, {"PUT", organization, "organization_type", `{"acs":true}`}, {"PUT", organization, "responders_type", `"all"`},
		{"PUT", organization, "acs", "true"}, {"PUT", organization, "is_large_org", "false"}, {"PUT", "/api/organization", "is_wzdx_org", "true"},
		{"PUT", "/api/organization", "show_infinite_timeout_option", "true"}, {"PUT", "/api/organizations/" + w.Own.ID + "/relations", "version", "1"},
		{"POST", "/api/keys", "user_id", `"x"`}, {"POST", "/api/keys", "token", `"x"`}, {"POST", "/api/keys", "hash", `"x"`},
	} {
		required := ""
		switch {
		case row.path == "/api/users":
			required = `"firstname":"A","lastname":"B","email":"x@demo.example","role_id":"` + roleID(t, "viewer") + `",`
		case row.path == "/api/keys":
			required = `"description":"x","scope":"ingest",`
		case strings.HasSuffix(row.path, "relations"):
			required = `"organization_id":"` + w.Foreign.ID + `","relationship_type":"manager",`
		}
		r := w.Do(testkit.Request{Method: row.method, Path: row.path, Token: token, Body: "{" + required + `"` + row.field + `":` + row.value + "}"})
		if f := testkit.Decode[wire.Failure](t, r); r.Status != 422 || f.Error != "validation_failed" || f.Fields[row.field] == "" {
			t.Errorf("%s %s %s: %d %s", row.method, row.path, row.field, r.Status, r.Text)
		}
	}
	if after := w.Get(user, token).Text + w.Get(organization, token).Text; after != before {
		t.Errorf("something changed:\n%s\n%s", before, after)
	}
}

// What is wrong in shape is answered as such, and text that looks like code is text.
func TestBadInputOfPeople(t *testing.T) {
	w := testkit.New(t)
	token := w.SignIn("administrator").AccessToken
	user := "/api/users/" + w.Users["operator"].ID
	for _, row := range []struct {
		name, method, path, body string
		status                   int
		field                    string
	}{
		{"a number as name", "PUT", user, `{"firstname": 7}`, 422, "firstname"},
		{"text as flag", "PUT", user, `{"suspended": "yes"}`, 422, "suspended"},
		{"a name twice", "PUT", user, `{"firstname": "a", "firstname": "b"}`, 400, ""},
		{"a list", "PUT", user, `[]`, 422, ""},
		{"nothing", "POST", "/api/users", ``, 400, ""},
		{"half of it", "POST", "/api/users", `{"firstname":"A"}`, 422, "email"},
		{"10 000 characters", "PUT", user, `{"firstname": "` + strings.Repeat("x", 10_000) + `"}`, 422, "firstname"},
		{"an empty name", "PUT", user, `{"lastname": ""}`, 422, "lastname"},
		{"a line break", "PUT", user, `{"firstname": "a\r\nBcc: b"}`, 422, "firstname"},
		{"not an id", "GET", "/api/users/1%20OR%201=1", "", 422, "id"},
		{"a fraction of milliseconds", "PUT", "/api/organization", `{"lock_screen_ms": 60000.5}`, 422, "lock_screen_ms"},
		{"a time that is none", "POST", "/api/keys", `{"description":"x","scope":"ingest","expires_at":"tomorrow"}`, 422, "expires_at"},
	} {
		var body any
		if row.method != "GET" {
			body = row.body
		}
		r := w.Do(testkit.Request{Method: row.method, Path: row.path, Token: token, Body: body})
		if f := testkit.Decode[wire.Failure](t, r); r.Status != row.status || (row.field != "" && f.Fields[row.field] == "") || leaks.MatchString(r.Text) {
			t.Errorf("%s: %d %s", row.name, r.Status, r.Text)
		}
	}
	script := `<script>alert(1)</script>`
	r := w.Do(testkit.Request{Method: "PUT", Path: user, Token: token, Body: map[string]string{"firstname": script}})
	if r.Status != 200 || testkit.Decode[wire.One[wire.Member]](t, r).Data.FirstName != script || r.Header.Get("Content-Type") != "application/json" {
		t.Errorf("%d %v %s", r.Status, r.Header, r.Text)
	}
}
