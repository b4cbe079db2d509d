package api_test

import (
	"fmt"
	"net/url"
	"slices"
	"testing"
	"time"

	"lightbar/internal/testkit"
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
