package contract_test

import (
	"net/url"
	"strings"
	"time"

	"lightbar/internal/testkit"
)

// playZones makes a zone of each shape, edits, lets assets alert in one, and deletes.
//
// spec: 3.zone.01 7.zone.01 8.zone.01
func playZones(r *recorder, s *stage) {
	const path = "/api/organization/alerting_zones"
	admin := s.SignIn("administrator").AccessToken
	feature := func(kind string, coordinates any, properties object) object {
		return object{"type": "Feature", "properties": properties, "geometry": object{"type": kind, "coordinates": coordinates}}
	}
	shapes := func(features ...object) object { return object{"type": "FeatureCollection", "features": features} }
	type positions = [][2]float64
	block := []positions{{{-75.5500, 39.7440}, {-75.5470, 39.7440}, {-75.5470, 39.7455}, {-75.5500, 39.7455}, {-75.5500, 39.7440}}}
	school := object{"id": "01900000-0000-7000-8000-00000000b001", "external_id": "SCHOOL-7", "alerting_zone_type_name": "school", "alert_message": "School zone",
		"description": "Warner Elementary", "features": shapes(feature("Polygon", block, object{}))}
	r.call(s, "empty", "GET", path, admin, nil)
	made := testkit.Decode[object](r.t, r.call(s, "", "POST", path, admin, school))["data"].(object)["id"].(string)
	r.call(s, "again", "POST", path, admin, school)
	school["description"] = "Another school"
	r.call(s, "conflict", "POST", path, admin, school)
	r.call(s, "line", "POST", path, admin, object{"alerting_zone_type_name": "work", "description": "Paving, N King St", "default_expiry": 900,
		"features": shapes(feature("LineString", positions{{-75.5466, 39.7451}, {-75.5452, 39.7482}, {-75.5440, 39.7509}}, object{}))})
	r.call(s, "circles", "POST", path, admin, object{"alerting_zone_type_name": "event", "alert_message": "Farmers market", "description": "Rodney Square",
		"features": shapes(feature("Point", [2]float64{-75.5466, 39.7459}, object{"radius_dist": 120}), feature("Point", [2]float64{-75.5480, 39.7470}, object{"radius_dist": 60}))})
	r.call(s, "", "POST", path, admin, object{"alerting_zone_type_name": "beach", "description": " ", "alert_message": strings.Repeat("x", 41),
		"external_id": strings.Repeat("x", 101), "default_expiry": 59, "features": shapes(feature("Point", [2]float64{-75.5, 39.7}, object{}))})
	r.call(s, "validation_failed.missing", "POST", path, admin, object{})
	crossed := []positions{{{-75.55, 39.74}, {-75.54, 39.745}, {-75.54, 39.74}, {-75.55, 39.745}, {-75.55, 39.74}}}
	r.call(s, "validation_failed.crossed", "PUT", path+"/"+made, admin, object{"features": shapes(feature("Polygon", crossed, object{}))})
	r.call(s, "organization_not_found", "POST", path, admin, object{"organization_id": nowhere, "alerting_zone_type_name": "school", "description": "X",
		"features": shapes(feature("Polygon", block, object{}))})
	r.call(s, "not_found", "GET", path+"?org_ids[]="+s.Foreign.ID, admin, nil)
	r.call(s, "", "GET", path, admin, nil)
	since := s.Clock.Now().Format("2006-01-02T15:04:05.000Z")
	s.Clock.Advance(time.Second)
	r.call(s, "", "GET", path+"/"+made, admin, nil)
	r.call(s, "", "GET", path+"/"+nowhere, admin, nil)
	c := s.dial(admin)
	c.subscribe(s.Own.ID, false, nil)
	c.until(nil, "confirm_subscription")
	told := func(name string, texts ...string) {
		r.t.Helper()
		s.ticks <- time.Time{}
		r.message(name, messageOf(r.t, c.until(nil, append(texts, `"type":"zone"`)...)))
	}
	r.call(s, "", "PUT", path+"/"+made, admin, object{"description": "Warner Elementary School", "default_expiry": 120})
	told("zone.edited", "Warner Elementary School")
	r.http(s, "", testkit.Request{Method: "PUT", Path: path + "/" + made, Token: admin, Body: object{"description": "X"}, Headers: map[string]string{"If-Match": `"1"`}})
	r.call(s, "", "PUT", path+"/"+nowhere, admin, object{"description": "X"})
	for _, asset := range [][2]string{{"HA7-1", "Engine 4"}, {"HA7-2", "Ladder 2"}} { // in this order: their ids are recorded
		s.ok("POST", "/api/things", admin, object{"haas_id": asset[0], "thing_type_id": "fire", "nickname": asset[1]})
	}
	inside := func(asset string, lat float64) {
		s.report(object{"type": "point", "asset": asset, "lat": lat, "lng": -75.5484, "course": 38, "speed": 4, "accuracy": 4, "alerting": true})
	}
	inside("HA7-1", 39.7447)
	told("zone.active", `"is_active":true`, "Engine 4")
	s.Clock.Advance(time.Second)
	inside("HA7-2", 39.7449)
	told("zone.joined", "Engine 4", "Ladder 2")
	r.call(s, "active", "GET", path, admin, nil)
	s.Clock.Advance(time.Second)
	inside("HA7-1", 39.76)
	told("zone.left", "Ladder 2")
	inside("HA7-2", 39.76)
	told("zone.expiring", `"active_things":[]`, `"is_active":true`)
	r.call(s, "expiring", "GET", path+"/"+made, admin, nil)
	s.Clock.Advance(2 * time.Minute)
	s.must(s.App.AgeDue(s.t.Context()))
	told("zone.standby", `"is_active":false`)
	r.call(s, "", "DELETE", path+"/"+made, admin, nil)
	told("zone.deleted", `"is_deleted":true`)
	r.call(s, "", "DELETE", path+"/"+made, admin, nil)
	r.call(s, "zones", "GET", "/api/organization/undo", admin, nil)
	r.call(s, "", "POST", path+"/"+made+"/undo", admin, object{"version": 3})
	told("zone.restored", `"version":4`)
	r.call(s, "deleted", "POST", path+"/"+made+"/undo", admin, object{"version": 4})
	r.call(s, "", "POST", path+"/"+nowhere+"/undo", admin, object{"version": 1})
	r.call(s, "since", "GET", path+"?last_updated_timestamp="+url.QueryEscape(since), admin, nil)
	r.call(s, "forbidden", "POST", path, s.SignIn("viewer").AccessToken, school)
}
