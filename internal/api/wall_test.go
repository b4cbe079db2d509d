package api_test

import (
	"regexp"
	"strings"
	"testing"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/testkit"
)

// ids of requests and instants differ between two answers that say the same.
var passing = regexp.MustCompile(`"(request_id|as_of)":"[^"]*"`)

func same(a, b testkit.Response) bool {
	return a.Status == b.Status && passing.ReplaceAllString(a.Text, "") == passing.ReplaceAllString(b.Text, "")
}

// An id of one organization sent by another, in every position, is answered
// exactly like an id that does not exist: existence is never revealed.
// Reads answer 404, updates 422 (decisions.md, "Errors").
//
// spec: 8.area.01
func TestTenantWall(t *testing.T) {
	eachEngine(t, func(t *testing.T, w *testkit.World) {
		owned, err := w.App.RegisterThing(t.Context(), access.System(), app.NewThing{OrganizationID: w.Own.ID, SystemName: "HA7-1", Type: "fire"})
		must(t, err)
		foreign, err := w.App.RegisterThing(t.Context(), access.System(), app.NewThing{OrganizationID: w.Foreign.ID, SystemName: "HA7-1", Type: "fire"})
		must(t, err)
		accessed, err := w.App.RegisterThing(t.Context(), access.System(), app.NewThing{OrganizationID: w.Accessed.ID, SystemName: "HA7-1", Type: "fire"})
		must(t, err)
		outsider, administrator := w.SignIn("outsider").AccessToken, w.SignIn("administrator").AccessToken
		do := func(token, method, path string, body any) testkit.Response {
			return w.Do(testkit.Request{Method: method, Path: path, Token: token, Body: body})
		}
		for _, path := range []string{"/api/organization/things", "/api/organization/things_count", "/api/organization/things/snapshot", "/api/locations",
			"/api/locations/active", "/api/organization/exclusion_zone", "/api/organization/alerting_zones", "/api/organization/hazards", "/api/organization/closure"} {
			hidden := do(outsider, "GET", path+"?org_ids[]="+w.Own.ID, nil)
			wants(t, hidden, 404, "not_found", "Organization not found")
			if nothing := do(outsider, "GET", path+"?org_ids[]="+someID, nil); !same(hidden, nothing) {
				t.Errorf("%s tells the two apart:\n%s\n%s", path, hidden.Text, nothing.Text)
			}
			mixed := do(outsider, "GET", path+"?org_ids[]="+w.Foreign.ID+"&org_ids[]="+w.Own.ID, nil)
			wants(t, mixed, 404, "not_found", "")
			if r := do(outsider, "GET", path, nil); r.Status != 200 || strings.Contains(r.Text, owned.ID) || strings.Contains(r.Text, w.Own.ID) {
				t.Errorf("%s without a filter: %d %s", path, r.Status, r.Text)
			}
			if r := do(administrator, "GET", path+"?org_ids[]="+w.Own.ID+"&org_ids[]="+w.Managed.ID+"&org_ids[]="+w.Accessed.ID, nil); r.Status != 200 {
				t.Errorf("%s in reach: %d %s", path, r.Status, r.Text)
			}
		}
		relate := map[string]any{"organization_relationships": []map[string]string{{"organization_uuid": w.Managed.ID, "relationship_type": "manager"}}}
		for _, row := range []struct {
			method, suffix string
			body           any
			status         int
		}{{"GET", "", nil, 404}, {"PUT", "", map[string]any{"nickname": "x", "in_service": true, "is_publicly_alerting": true}, 422}, {"PUT", "/associations", relate, 422}} {
			hidden := do(outsider, row.method, "/api/things/"+owned.ID+row.suffix, row.body)
			f := wants(t, hidden, row.status, map[int]string{404: "not_found", 422: "thing_not_found"}[row.status], "")
			if !strings.Contains(f.Message, "found") {
				t.Errorf("%s%s: the message lacks \"found\": %s", row.method, row.suffix, f.Message)
			}
			if nothing := do(outsider, row.method, "/api/things/"+someID+row.suffix, row.body); !same(hidden, nothing) {
				t.Errorf("%s%s tells the two apart:\n%s\n%s", row.method, row.suffix, hidden.Text, nothing.Text)
			}
			if r := do(outsider, row.method, "/api/things/"+foreign.ID+row.suffix, row.body); row.suffix == "" && r.Status != 200 {
				t.Errorf("%s of the own asset: %d %s", row.method, r.Status, r.Text)
			}
		}
		// Accessed organizations are for reading only.
		if r := do(administrator, "GET", "/api/things/"+accessed.ID, nil); r.Status != 200 {
			t.Errorf("reading an accessed asset: %d %s", r.Status, r.Text)
		}
		wants(t, do(administrator, "PUT", "/api/things/"+accessed.ID, map[string]any{"nickname": "x", "in_service": true, "is_publicly_alerting": true}), 422, "thing_not_found", "")
	})
}

// spec: 7.thing.01
func TestTypesAndSubtypes(t *testing.T) {
	w := testkit.New(t)
	token := w.SignIn("viewer").AccessToken
	types, subtypes := w.Get("/api/thing_types", token), w.Get("/api/thing_subtypes", token)
	for _, r := range []testkit.Response{types, subtypes} {
		rows := testkit.Decode[struct {
			Data []struct {
				DisplayName string `json:"display_name"`
			} `json:"data"`
			Meta struct{ Page, Total int } `json:"meta"`
		}](t, r)
		if len(rows.Data) == 0 || rows.Meta.Total != len(rows.Data) || rows.Meta.Page != 1 || rows.Data[len(rows.Data)-1].DisplayName != "Other" {
			t.Errorf("rows %+v", rows)
		}
	}
}

// spec: 7.thing.05 D.wire.01 D.wire.06
func TestEditConflict(t *testing.T) {
	w := testkit.New(t)
	thing, err := w.App.RegisterThing(t.Context(), access.System(), app.NewThing{OrganizationID: w.Own.ID, SystemName: "HA7-1", Type: "fire"})
	must(t, err)
	token := w.SignIn("operator").AccessToken
	read := w.Get("/api/things/"+thing.ID+"/", token)
	etag := read.Header.Get("Etag")
	if etag != `"1"` {
		t.Fatalf("ETag %q: %s", etag, read.Text)
	}
	put := func(match, nickname string) testkit.Response {
		return w.Do(testkit.Request{Method: "PUT", Path: "/api/things/" + thing.ID, Token: token, Headers: map[string]string{"If-Match": match},
			Body: map[string]any{"id": thing.ID, "nickname": nickname, "in_service": true, "is_publicly_alerting": true}})
	}
	if r := put(etag, "Engine 4"); r.Status != 200 || r.Header.Get("Etag") != `"2"` {
		t.Fatalf("edit: %d %s %s", r.Status, r.Header.Get("Etag"), r.Text)
	}
	f := wants(t, put(etag, "Engine 5"), 409, "conflict", "")
	if current, ok := f.Current.(map[string]any); !ok || current["nickname"] != "Engine 4" {
		t.Errorf("the present state is missing: %+v", f.Current)
	}
	for _, match := range []string{"x", `"0"`, `"-1"`} {
		wants(t, put(match, "x"), 422, "validation_failed", "")
	}
	if r := put("", "Engine 6"); r.Status != 200 {
		t.Errorf("without If-Match: %d %s", r.Status, r.Text)
	}
}
