package api_test

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/testkit"
	"lightbar/internal/wire"
)

// rowsAt are the rows that a list answers.
func rowsAt(t *testing.T, w *testkit.World, path, token string) []map[string]any {
	t.Helper()
	var list struct{ Data []map[string]any }
	if r := w.Get(path, token); r.Status != 200 || json.Unmarshal([]byte(r.Text), &list) != nil {
		t.Fatalf("%d %s", r.Status, r.Text)
	}
	return list.Data
}

func carries(t *testing.T, got, want map[string]any) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if value, said := got[name]; !said || !reflect.DeepEqual(value, want[name]) {
			t.Errorf("%s is %v (%v), want %v", name, value, said, want[name])
		}
	}
}

// Every field of an area, of its type and of its address, each with its own value; and the types.
//
// spec: 1.feat.01 3.area.01 3.area.02 3.area.03 7.area.01 7.area.06
func TestListCarriesEveryFieldOfAnArea(t *testing.T) {
	w := testkit.New(t)
	token := w.SignIn("administrator").AccessToken
	types := rowsAt(t, w, "/api/ez_types", token)
	station := types[slices.IndexFunc(types, func(one map[string]any) bool { return one["db_name"] == "station" })]
	carries(t, station, map[string]any{"db_name": "station", "display_name": "Station", "is_station_view": true, "is_av_type": false})
	for _, name := range []string{"poi", "no_enter", "slow_zone"} {
		if !slices.ContainsFunc(types, func(one map[string]any) bool { return one["db_name"] == name }) {
			t.Errorf("no type %s in %v", name, types)
		}
	}
	unit, err := w.App.RegisterThing(t.Context(), access.System(), app.NewThing{OrganizationID: w.Own.ID, SystemName: "HA7-1", Type: "fire"})
	must(t, err)
	circle := map[string]any{"id": "01910000-0000-7000-8000-00000000a9ea", "organization_id": w.Own.ID, "name": "Station 9", "desc": "Engine 9", "thing_id": unit.ID, "ez_type_id": station["id"], "radius_dist": 120.0,
		"point_geom": map[string]any{"lat": 39.75, "lon": -75.5}, "is_active": false, "address1": "22 W 2nd St", "address2": "Rear", "city": "Wilmington",
		"state": "DE", "postal_code": "19801", "country_code": "US"}
	line := map[string]any{"type": "LineString", "coordinates": []any{[]any{-75.5, 39.7}, []any{-75.4, 39.7}}}
	for _, body := range []map[string]any{circle, {"name": "Walk", "ez_type_id": types[0]["id"], "area_geom": line, "point_geom": map[string]any{"lat": 39.7, "lon": -75.45}}} {
		if r := w.Do(send("POST", "/api/organization/exclusion_zone", token, body)); r.Status != 201 {
			t.Fatalf("%d %s", r.Status, r.Text)
		}
	}
	rows := rowsAt(t, w, "/api/organization/exclusion_zone", token)
	slices.SortFunc(rows, func(a, b map[string]any) int { return len(b["name"].(string)) - len(a["name"].(string)) })
	want := maps.Clone(circle)
	delete(want, "ez_type_id")
	maps.Copy(want, map[string]any{"organization_name": w.Own.Name, "lat": 39.75, "lng": -75.5,
		"area_geom": nil, "ez_type": station})
	carries(t, rows[0], want)
	carries(t, rows[1], map[string]any{"name": "Walk", "area_geom": line, "is_active": true, "radius_dist": 0.0, "thing_id": nil})
}

// Every field of an event as it is sent, each with its own value.
//
// spec: 3.loc.01
func TestListCarriesEveryFieldOfAnEvent(t *testing.T) {
	w := testkit.New(t)
	token := w.SignIn("administrator").AccessToken
	device := &access.Actor{KeyID: "key", KeyScopes: access.AllScopes(), OrganizationID: w.Own.ID, Organizations: map[string]access.Reach{w.Own.ID: access.Full}}
	report := func(active bool) {
		t.Helper()
		w.Clock.Advance(time.Second)
		said := fleet.EventReport{MarkReport: fleet.MarkReport{ID: "CAD-7", At: fleet.InstantOf(w.Clock.Now()), Lat: 39.7, Lng: -75.5,
			HasLat: true, HasLng: true, HasActive: true, Active: active}, HasAlt: true, Alt: 12, HasMessage: true, AlertMessage: "Keep right"}
		r, err := w.App.RecordPoints(t.Context(), device, app.ReportBatch{Events: []fleet.EventReport{said}})
		if err != nil || r.Accepted != 1 {
			t.Fatalf("%+v %v", r, err)
		}
	}
	report(true)
	row := rowsAt(t, w, "/api/locations", token)[0]
	want := map[string]any{"id": row["id"], "external_id": "CAD-7", "is_active": true, "lat": 39.7, "lng": -75.5, "features": nil, "street": "", "roadway_heading": nil,
		"things_active": []any{}, "things_inactive": []any{}, "start_time": "2026-11-21T10:00:01.000Z", "end_time": nil, "alt": 12.0, "alert_message": "Keep right",
		"wzdx_id": "", "is_geo_marker": true}
	carries(t, row, want)
	report(false)
	carries(t, rowsAt(t, w, "/api/locations", token)[0], map[string]any{"is_active": false, "end_time": "2026-11-21T10:00:02.000Z"})
}

// Every field of a closure as it is written and as its board reports, each with its own value.
//
// spec: 3.clos.04 3.clos.05 3.clos.01
func TestListCarriesEveryFieldOfAClosure(t *testing.T) {
	w := testkit.New(t)
	token, yes := w.SignIn("administrator").AccessToken, true
	_, err := w.App.UpdateOrganization(t.Context(), access.System(), w.Own.ID, wire.OrganizationWrite{IsWZDxOrg: &yes})
	must(t, err)
	board, err := w.App.RegisterThing(t.Context(), access.System(), app.NewThing{OrganizationID: w.Own.ID, SystemName: "B-1", Nickname: "Board 1",
		ExternalID: "b-1", VIN: "1FTFW1ET5DFC10312", Plate: "DE 4711", Registry: "R-9", Type: "arrow_board", DeviceType: "ha5"})
	must(t, err)
	line := []any{map[string]any{"lat": 39.7, "lng": -75.5}, map[string]any{"lat": 39.71, "lng": -75.5}}
	said := map[string]any{"closure_type": "automated", "description": "Paving", "alert_message": "Keep left", "direction": "N",
		"impacted_lanes": []any{1.0, 2.0}, "total_lanes": 3.0, "user_route": line, "geocoded_route": line, "calculated_route": line, "street_start": "1st St",
		"street_end": "9th St", "road_name": "Market St", "is_wzdx_compliant": true, "external_id": "WZ-1", "location_method": "channel-device-method",
		"vehicle_impact": "some-lanes-closed", "group_id": "Project 7", "is_in_service": true}
	made := w.Do(send("POST", "/api/organization/closure", token, with(said, "thing_id", board.ID)))
	if made.Status != 201 {
		t.Fatalf("%d %s", made.Status, made.Text)
	}
	device := &access.Actor{KeyID: "key", KeyScopes: access.AllScopes(), OrganizationID: w.Own.ID, Organizations: map[string]access.Reach{w.Own.ID: access.Full}}
	w.Clock.Advance(time.Second)
	on := fleet.Report{Asset: "b-1", At: fleet.InstantOf(w.Clock.Now()), Kind: fleet.ReportClosure, HasAlerting: true, Alerting: true}
	if r, err := w.App.RecordPoints(t.Context(), device, app.ReportBatch{Reports: []fleet.Report{on}}); err != nil || r.Accepted != 1 {
		t.Fatalf("%+v %v", r, err)
	}
	thing := map[string]any{"id": board.ID, "nickname": "Board 1", "haas_id": "B-1", "heartbeat_datetime": "2026-11-21T10:00:01.000Z", "registry_number": "R-9",
		"vin_number": "1FTFW1ET5DFC10312", "license_plate_number": "DE 4711"}
	want := with(said, "thing", thing)
	maps.Copy(want, map[string]any{"things_associated": []any{thing}, "status": "active", "is_active": true, "is_dashboard_managed": true,
		"start_time": "2026-11-21T10:00:01.000Z", "end_time": "2026-11-21T11:00:01.000Z", "last_start_time": "2026-11-21T10:00:01.000Z",
		"end_is_estimated": true})
	row := rowsAt(t, w, "/api/organization/closure", token)[0]
	carries(t, row, want)
	carries(t, row["organization"].(map[string]any), map[string]any{"id": w.Own.ID, "name": w.Own.Name, "type": "fleet"})
}

// with is a body with one field more.
func with(body map[string]any, name string, value any) map[string]any {
	out := maps.Clone(body)
	out[name] = value
	return out
}
