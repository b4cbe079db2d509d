package api_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/testkit"
	"lightbar/internal/wire"
)

// Every field of an asset, each with its own value: enroute, and then on scene.
//
// spec: 3.thing.01 3.thing.02 3.thing.03 3.thing.04 3.thing.05 3.thing.06 3.thing.07 3.thing.08 3.thing.09 3.loc.03 3.loc.04
func TestListCarriesEveryFieldOfAnAsset(t *testing.T) {
	w := testkit.New(t)
	token, yes := w.SignIn("administrator").AccessToken, true
	_, err := w.App.UpdateOrganization(t.Context(), access.System(), w.Own.ID, wire.OrganizationWrite{IsWZDxOrg: &yes})
	must(t, err)
	made, err := w.App.RegisterThing(t.Context(), access.System(), app.NewThing{OrganizationID: w.Own.ID, SystemName: "HA7-00418", ExternalID: "X-418", Nickname: "Ladder 1",
		VIN: "4S7AT2E97JC083112", Plate: "FD 4418", Registry: "L1", Type: "fire", Subtype: "fire-ladder", DeviceType: "ha7",
		Relations: []fleet.Relation{{OrganizationID: w.Managed.ID, Kind: "manager"}, {OrganizationID: w.Accessed.ID, Kind: "accessor"}}})
	must(t, err)
	if r := w.Do(send("PUT", "/api/things/"+made.ID, token, map[string]any{"in_service": true, "is_publicly_alerting": true,
		"external_identifiers": []any{map[string]any{"identifier_id": "G9F021", "system_name": "geotab"}}})); r.Status != 200 {
		t.Fatalf("%d %s", r.Status, r.Text)
	}
	device := &access.Actor{KeyID: "key", KeyScopes: access.AllScopes(), OrganizationID: w.Own.ID, Organizations: map[string]access.Reach{w.Own.ID: access.Full}}
	report := func(after time.Duration, lng float64) {
		t.Helper()
		w.Clock.Advance(after)
		r, err := w.App.RecordPoints(t.Context(), device, app.ReportBatch{Reports: []fleet.Report{{Kind: fleet.ReportPoint, Asset: "HA7-00418", At: fleet.InstantOf(w.Clock.Now()),
			Lat: 39.7447, Lng: lng, HasLat: true, HasLng: true, HasCourse: true, CourseDeg: 38, HasSpeed: true, SpeedMS: 15.2, HasAccuracy: true, AccuracyM: 4, HasAlerting: true, Alerting: true}}})
		if err != nil || r.Accepted != 1 {
			t.Fatalf("%+v %v", r, err)
		}
	}
	row := func() map[string]any {
		t.Helper()
		var list struct{ Data []map[string]any }
		r := w.Get("/api/organization/things", token)
		if err := json.Unmarshal([]byte(r.Text), &list); err != nil || len(list.Data) != 1 {
			t.Fatalf("%d %s", r.Status, r.Text)
		}
		return list.Data[0]
	}
	report(time.Second, -75.56)
	report(time.Minute, -75.5484)
	got := row()
	run, _ := got["run_id"].(string)
	if run == "" {
		t.Error("no run")
	}
	want := map[string]any{"id": made.ID, "external_id": "X-418", "haas_id": "HA7-00418", "nickname": "Ladder 1", "vin_number": "4S7AT2E97JC083112", "license_plate_number": "FD 4418",
		"registry_number": "L1", "external_identifiers": []any{map[string]any{"identifier_id": "G9F021", "system_name": "geotab", "is_deleted": false}}, "is_integration_org": true,
		"thing_type_id": made.ThingTypeID, "thing_subtype_id": made.ThingSubtypeID, "device_type": "ha7", "is_responder": true,
		"lat": 39.7447, "lng": -75.5484, "course": 38.0, "speed": 15.2, "accuracy": 4.0, "street": "",
		"status": "active", "enroute": true, "is_active": true, "in_service": true, "heartbeat_datetime": "2026-11-21T10:01:01.000Z", "at": "2026-11-21T10:01:01.000Z",
		"received_at": "2026-11-21T10:01:01.000Z", "stale_at": "2026-11-21T10:01:31.000Z", "run_start_time": "2026-11-21T10:00:01.000Z", "run_points_count": 2.0,
		"location": nil, "station_id": "", "closures": []any{}, "is_publicly_alerting": true, "is_allowed_for_closures": false, "is_allowed_for_test_mode": true, "test_mode": false,
		"features": map[string]any{"r2r": true}, "feed_subscriptions": []any{"alerts"}, "organization": map[string]any{"id": w.Own.ID, "name": "Harbor County", "type": w.Own.TypeName},
		"organization_relationships": []any{map[string]any{"organization_uuid": w.Managed.ID, "organization_name": "Managed Towing", "relationship_type": "manager"},
			map[string]any{"organization_uuid": w.Accessed.ID, "organization_name": "Accessed Waste", "relationship_type": "accessor"}}}
	sameFields(t, "enroute", got, want)
	for range 2 {
		report(30*time.Second, -75.5484)
	}
	got = row()
	at, _ := got["location"].(map[string]any)
	if id, _ := at["id"].(string); len(id) != 36 || at["start_time"] != "2026-11-21T10:01:01.000Z" {
		t.Errorf("on scene at %v", got["location"])
	}
	sameFields(t, "on scene", got, map[string]any{"status": "active_location", "enroute": false, "is_active": true, "run_id": run, "run_points_count": 2.0})
	var events struct {
		Data []struct {
			Active   []map[string]any `json:"things_active"`
			Inactive []map[string]any `json:"things_inactive"`
		}
	}
	stay := map[string]any{"id": made.ID, "external_id": "X-418", "haas_id": "HA7-00418", "nickname": "Ladder 1", "vin_number": "4S7AT2E97JC083112", "license_plate_number": "FD 4418",
		"registry_number": "L1", "runtime": 60.0, "start_time": "2026-11-21T10:01:01.000Z", "end_time": nil}
	must(t, json.Unmarshal([]byte(w.Get("/api/locations", token).Text), &events))
	if len(events.Data) != 1 || len(events.Data[0].Active) != 1 || len(events.Data[0].Inactive) != 0 {
		t.Fatalf("events %+v", events)
	}
	sameFields(t, "at the event", events.Data[0].Active[0], stay)
	report(30*time.Second, -75.53)
	must(t, json.Unmarshal([]byte(w.Get("/api/locations", token).Text), &events))
	if len(events.Data) != 1 || len(events.Data[0].Active) != 0 || len(events.Data[0].Inactive) != 1 {
		t.Fatalf("events %+v", events)
	}
	stay["runtime"], stay["end_time"] = 90.0, "2026-11-21T10:02:31.000Z"
	sameFields(t, "gone from the event", events.Data[0].Inactive[0], stay)
	sameFields(t, "gone on", row(), map[string]any{"status": "active", "enroute": true, "location": nil, "incident_end_time": "2026-11-21T10:02:31.000Z"})
}

// The calls that requirements 7 names are served at that path by that method, with a slash at the end and without; hazards are ours.
//
// spec: 7.base.03 1.feat.04
func TestPathsOfTheRequirements(t *testing.T) {
	w := testkit.New(t)
	var document struct {
		Paths map[string]map[string]json.RawMessage
	}
	must(t, json.Unmarshal([]byte(w.Get("/api/openapi.json", "").Text), &document))
	for _, call := range strings.Split(strings.TrimSpace(`
POST /user_token
POST /verify_token
POST /forgot_password
PUT /reset_password
POST /unlock_account
POST /revoke_token
GET /profile
GET /roles
GET /organization/assignable
GET /organization/users
PUT /users/{id}
POST /users
DELETE /users/{id}
PUT /organization
PUT /organization/{id}
DELETE /organization/{id}
GET /thing_types
GET /thing_subtypes
GET /organization/things
GET /organization/things_count
PUT /things/{id}
PUT /things/{thingId}/associations
PUT /things/{id}/r2r
PUT /things/{thingId}/light_intensity
GET /things/coverage
GET /things/{thingId}/trips
GET /locations
GET /locations/active
PUT /locations/{id}
GET /organization/closure
POST /organization/closure
PUT /organization/closure/{id}
DELETE /organization/closure/{id}
GET /ez_types
GET /organization/exclusion_zone
POST /organization/exclusion_zone
PUT /organization/exclusion_zone/{id}
DELETE /organization/exclusion_zone/{id}
GET /organization/alerting_zones
GET /organization/hazards
GET /reports/{orgId}/organization_monthly_report_list
GET /reports/organization_monthly_report_pdf_link
GET /organization/export
POST /organization/export
DELETE /organization/export/{id}
GET /version`), "\n") {
		method, path, _ := strings.Cut(call, " ")
		if operations := document.Paths["/api"+path]; operations[strings.ToLower(method)] == nil {
			if operations = document.Paths[path]; operations[strings.ToLower(method)] == nil {
				t.Errorf("%s is not served", call)
			}
		}
		for _, slash := range []string{"", "/"} {
			real := "/api" + strings.NewReplacer("{id}", someID, "{thingId}", someID, "{orgId}", someID).Replace(path) + slash
			if r := w.Do(testkit.Request{Method: method, Path: real}); r.Status == 405 || r.Status == 404 && strings.Contains(r.Text, "the requested URL was not found") {
				t.Errorf("%s %s: %d %s", method, real, r.Status, r.Text)
			}
		}
	}
}
