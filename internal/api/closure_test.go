package api_test

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/testkit"
	"lightbar/internal/wire"
)

// A closure is listed with what it was made with and what follows from that;
// the list is narrowed by organization and to what has changed.
//
// spec: 3.clos.01 3.clos.02 7.closure.01
func TestWhatAClosureIsListedWith(t *testing.T) {
	eachEngine(t, func(t *testing.T, w *testkit.World) {
		token := w.SignIn("administrator").AccessToken
		const path, id = "/api/organization/closure", "01910000-0000-7000-8000-00000000c105"
		r := w.Do(testkit.Request{Method: "POST", Path: path, Token: token, Body: map[string]any{"uuid": id, "closure_type": "manual",
			"is_active": false, "is_in_service": true, "description": "Paving", "alert_message": "Left lane closed", "direction": "N",
			"impacted_lanes": []int{1, 2}, "total_lanes": 3, "street_start": "5th St", "street_end": "9th St", "start_time": "2199-01-01T10:00:00.000Z",
			"end_time": "2199-01-01T12:00:00.000Z", "user_route": []map[string]float64{{"lat": 39.7, "lng": -75.5}, {"lat": 39.71, "lng": -75.5}}}})
		if r.Status != 201 {
			t.Fatalf("%d %s", r.Status, r.Text)
		}
		type list struct {
			Data []map[string]any `json:"data"`
			Meta struct {
				AsOf string `json:"as_of"`
			} `json:"meta"`
		}
		ask := func(query url.Values) list {
			t.Helper()
			r := w.Get(path+"?"+query.Encode(), token)
			if r.Status != 200 {
				t.Fatalf("%v: %d %s", query, r.Status, r.Text)
			}
			return testkit.Decode[list](t, r)
		}
		all := ask(nil)
		if len(all.Data) != 1 {
			t.Fatalf("%+v", all)
		}
		row := all.Data[0]
		for field, want := range map[string]any{"id": id, "closure_type": "manual", "status": "standby", "is_active": false, "is_in_service": true,
			"description": "Paving", "alert_message": "Left lane closed", "direction": "N", "impacted_lanes": []any{1.0, 2.0}, "street_start": "5th St",
			"street_end": "9th St", "start_time": "2199-01-01T10:00:00.000Z", "end_time": "2199-01-01T12:00:00.000Z", "last_start_time": nil} {
			if got, ok := row[field]; !ok || fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s is %v (%v), want %v", field, got, ok, want)
			}
		}
		r = w.Do(testkit.Request{Method: "POST", Path: path, Token: token, Body: map[string]any{"organization_id": w.Managed.ID, "closure_type": "manual",
			"is_active": false, "is_in_service": true, "description": "Theirs", "direction": "N",
			"user_route": []map[string]float64{{"lat": 39.7, "lng": -75.5}, {"lat": 39.71, "lng": -75.5}}}})
		if r.Status != 201 {
			t.Fatalf("%d %s", r.Status, r.Text)
		}
		for want, of := range map[string][]string{"[Paving]": {w.Own.ID}, "[Theirs]": {w.Managed.ID}, "[Paving Theirs]": {w.Own.ID, w.Managed.ID}} {
			found := []string{}
			for _, row := range ask(url.Values{"org_ids[]": of}).Data {
				found = append(found, fmt.Sprint(row["description"]))
			}
			if slices.Sort(found); fmt.Sprint(found) != want {
				t.Errorf("%v have %v, want %s", of, found, want)
			}
		}
		if r := w.Get(path+"?"+url.Values{"org_ids[]": {"01910000-0000-7000-8000-0000000000ff"}}.Encode(), token); r.Status != 404 {
			t.Errorf("another organization: %d %s", r.Status, r.Text)
		}
		w.Clock.Advance(time.Minute)
		later := ask(nil)
		w.Clock.Advance(time.Minute)
		if rows := ask(url.Values{"last_updated_timestamp": {later.Meta.AsOf}}).Data; len(rows) != 0 {
			t.Errorf("changed since: %v", rows)
		}
		if rows := ask(url.Values{"last_updated_timestamp": {"2020-01-01T00:00:00.000Z"}}).Data; len(rows) != 1 {
			t.Errorf("changed since 2020: %v", rows)
		}
	})
}

// Every field of the write shape is taken, and the quick update changes nothing but whether it stands, and until when.
//
// spec: 7.closure.04 7.closure.06 8.closure.01 8.closure.02 8.closure.03 8.location.01
func TestAClosureIsWrittenWholeAndSwitched(t *testing.T) {
	w := testkit.New(t)
	token, yes := w.SignIn("administrator").AccessToken, true
	_, err := w.App.UpdateOrganization(t.Context(), access.System(), w.Own.ID, wire.OrganizationWrite{IsWZDxOrg: &yes})
	must(t, err)
	const path, id, other = "/api/organization/closure", "01910000-0000-7000-8000-00000000c106", "01910000-0000-7000-8000-00000000c107"
	line := []any{map[string]any{"lat": 39.7, "lng": -75.5}, map[string]any{"lat": 39.71, "lng": -75.5}}
	said := map[string]any{"uuid": id, "is_dashboard_managed": true, "is_in_service": true, "closure_type": "manual", "thing_id": "",
		"description": "Paving", "alert_message": "Keep left", "direction": "N", "impacted_lanes": []any{1.0}, "geocoded_route": line,
		"calculated_route": line, "user_route": line, "street_start": "5th St", "street_end": "9th St", "is_active": false, "start_time": "",
		"end_time": "", "is_wzdx_compliant": true, "external_id": "WZ-106", "location_method": "sign-method", "vehicle_impact": "all-lanes-closed",
		"group_id": "Project 7"}
	if r := w.Do(send("POST", path, token, said)); r.Status != 201 {
		t.Fatalf("%d %s", r.Status, r.Text)
	}
	before := rowsAt(t, w, path, token)[0]
	want := maps.Clone(said)
	for _, name := range []string{"uuid", "thing_id", "start_time", "end_time"} {
		delete(want, name)
	}
	carries(t, before, want)
	carries(t, before, map[string]any{"id": id, "start_time": nil, "end_time": nil})
	moves := []string{"is_active", "status", "start_time", "end_time", "last_start_time", "verified_at", "verified_by", "updated_at", "version",
		"ended_at", "end_reason", "publish_problems", "responsible_user_id"}
	for _, quick := range []map[string]any{{"uuid": id, "is_active": true, "end_time": "2026-11-22T10:00:00.000Z"}, {"uuid": id, "is_active": false, "end_time": nil}} {
		w.Clock.Advance(time.Minute)
		if r := w.Do(send("PUT", path+"/"+id, token, quick)); r.Status != 200 {
			t.Fatalf("%v: %d %s", quick, r.Status, r.Text)
		}
		after := rowsAt(t, w, path, token)[0]
		carries(t, after, map[string]any{"is_active": quick["is_active"], "end_time": quick["end_time"]})
		for name, value := range before {
			if !slices.Contains(moves, name) {
				carries(t, after, map[string]any{name: value})
			}
		}
	}
	wants(t, w.Do(send("PUT", path+"/"+other, token, map[string]any{"description": "Milling"})), 404, "not_found", "Closure not found")
	if f := wants(t, w.Do(send("POST", path, token, with(said, "uuid", other))), 422, "validation_failed", ""); !strings.Contains(f.Message, "unique") {
		t.Errorf("an id that is in use: %q", f.Message)
	}
	for _, list := range []string{path, "/api/locations", "/api/locations/active"} {
		wants(t, w.Get(list+"?"+url.Values{"org_ids[]": {other}}.Encode(), token), 404, "not_found", "Organization not found")
	}
}
