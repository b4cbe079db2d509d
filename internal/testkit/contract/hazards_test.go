package contract_test

import (
	"fmt"
	"maps"
	"net/url"
	"time"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/testkit"
	"lightbar/internal/wire"
)

const hazardsPath = "/api/organization/hazards"

// hazardItem is a report of a hazard, now.
func (s *stage) hazardItem(id string, fields object) object {
	out := object{"type": "hazard", "id": id, "at": s.Clock.Now().Format("2006-01-02T15:04:05.000Z"), "lat": 39.7447, "lng": -75.5484}
	maps.Copy(out, fields)
	return out
}

// hazardIDs are the ids of the hazards of Own, by their senders' names.
func (s *stage) hazardIDs(token string) map[string]string {
	s.t.Helper()
	out := map[string]string{}
	for _, row := range testkit.Decode[struct{ Data []wire.Hazard }](s.t, s.Get(hazardsPath, token)).Data {
		out[row.ExternalID] = hazardsPath + "/" + row.ID
	}
	return out
}

// playHazards shows hazards from their report to the day when they leave the lists, each end, and what is refused.
func playHazards(r *recorder, s *stage) {
	admin, viewer := s.SignIn("administrator").AccessToken, s.SignIn("viewer").AccessToken
	c := s.dial(viewer)
	c.subscribe(s.Own.ID, false, nil)
	c.until(nil, "confirm_subscription")
	told := func(name string, parts ...string) {
		s.ticks <- time.Time{}
		r.message("hazard."+name, messageOf(r.t, c.until(nil, append([]string{`"type":"hazard"`}, parts...)...)))
	}
	around := [][2]float64{{-75.541, 39.738}, {-75.538, 39.738}, {-75.538, 39.740}, {-75.541, 39.740}, {-75.541, 39.738}}
	flooded := object{"type": "FeatureCollection", "features": []object{{"type": "Feature", "properties": object{},
		"geometry": object{"type": "Polygon", "coordinates": [][][2]float64{around}}}}}
	r.call(s, "empty", "GET", hazardsPath, admin, nil)
	r.call(s, "hazards", "POST", "/api/ingest", s.Key, object{"items": []object{
		s.hazardItem("QUEUE-1", object{"hazard_type": "stopped_traffic", "description": "Queue behind a crash, two lanes"}),
		s.hazardItem("FLOOD-1", object{"hazard_type": "flooding", "description": "Water on road", "lat": 39.7391, "lng": -75.5398, "features": flooded}),
		s.hazardItem("DEBRIS-1", object{"hazard_type": "debris", "lat": 39.7520, "lng": -75.5601}),
		s.hazardItem("MOOSE-1", object{"hazard_type": "moose", "lat": 39.7600, "lng": -75.5700,
			"expires_at": s.Clock.Now().Add(3 * time.Hour).Format(time.RFC3339)}),
		s.hazardItem("ZERO", object{"lat": 0, "lng": 0}), s.hazardItem("BELL", object{"description": "Ding\a"})}})
	told("reported", "QUEUE-1")
	r.call(s, "", "GET", hazardsPath, admin, nil)
	ids := s.hazardIDs(admin)
	r.call(s, "", "GET", ids["FLOOD-1"], admin, nil)
	r.call(s, "", "GET", hazardsPath+"/"+nowhere, admin, nil)
	since := s.Clock.Now().Format("2006-01-02T15:04:05.000Z")
	s.Clock.Advance(time.Minute)
	r.call(s, "", "POST", ids["FLOOD-1"]+"/confirm", viewer, nil)
	told("confirmed", "FLOOD-1", "confirmed_by")
	r.call(s, "", "POST", ids["QUEUE-1"]+"/clear", viewer, nil)
	told("cleared", "QUEUE-1", "cleared")
	s.Clock.Advance(time.Minute)
	r.call(s, "again", "POST", ids["QUEUE-1"]+"/clear", admin, nil)
	r.call(s, "", "POST", hazardsPath+"/"+nowhere+"/confirm", viewer, nil)
	r.call(s, "", "POST", hazardsPath+"/"+nowhere+"/clear", viewer, nil)
	s.report(s.hazardItem("DEBRIS-1", object{"is_active": false}))
	told("ended_by_sender", "DEBRIS-1", `"end_reason":"source"`)
	s.Clock.Advance(62 * time.Minute)
	s.must(s.App.AgeDue(s.t.Context()))
	told("expired", "FLOOD-1", "expired")
	r.call(s, "ended", "GET", hazardsPath, admin, nil)
	r.call(s, "undone", "POST", ids["QUEUE-1"]+"/confirm", viewer, nil)
	told("undone", "QUEUE-1", `"is_active":true`)
	s.Clock.Advance(25 * time.Hour)
	s.must(s.App.AgeDue(s.t.Context()))
	s.ticks <- time.Time{}
	admin = s.SignIn("administrator").AccessToken
	r.call(s, "since", "GET", hazardsPath+"?last_updated_timestamp="+url.QueryEscape(since), admin, nil)
	r.call(s, "old", "GET", ids["DEBRIS-1"], admin, nil)
	r.call(s, "", "POST", ids["DEBRIS-1"]+"/confirm", admin, nil)
	playHazardImports(r, s, admin)
	playHazardsByHand(r, s, admin)
	playWithdrawnHazard(r, s, admin)
	playRefusedHazards(r, s, admin)
	playHazardsOfAnother(r, s, admin)
}

// playHazardImports shows files: a preview, an import with a row for each reason, and what is refused as a whole.
func playHazardImports(r *recorder, s *stage, admin string) {
	const path = hazardsPath + "/import"
	at := s.Clock.Now().Format("2006-01-02 15:04")
	file := object{"format": "csv", "name": "road-closures.csv", "timezone": "UTC", "time_format": "yyyy-MM-dd HH:mm", "types": object{"Black ice": "ice"},
		"columns": object{"id": "Ref", "lat": "Latitude", "lng": "Longitude", "type": "What", "description": "Note", "updated": "Changed"},
		"content": "Ref,Latitude,Longitude,What,Note,Changed\nR-1,39.75,-75.55,Black ice,On the bridge," + at + "\nR-2,39.76,-75.56,fog,,\n" +
			"R-1,39.75,-75.55,ice,,\n,39.75,-75.55,ice,,\nR-3,,,ice,,\nR-4,95,-75.55,ice,,\nR-5,0,0,ice,,\nR-6,39.75,-75.55,ice,,soon\n" +
			"R-7,39.75,-75.55,ice,,2026-11-20 08:00\nR-8,north,-75.55,ice,,\n"}
	file["preview"] = true
	r.call(s, "preview", "POST", path, admin, file)
	delete(file, "preview")
	r.call(s, "", "POST", path, admin, file)
	guessed := object{"format": "csv", "name": "county.csv", "preview": true, "guess": true,
		"content": "Event ID;Lat;Lon;Kind;Where\n1;39,74;-75,55;Pothole;Bridge\n2;39,74;-75,56;Crash;Ramp\n"}
	r.call(s, "guess", "POST", path, admin, guessed)
	guessed["content"] = "number,what,where\n1,Pothole,Bridge\n"
	r.call(s, "guess_incomplete", "POST", path, admin, guessed)
	guessed["content"] = "%PDF-1.7\n"
	r.call(s, "validation_failed.guess", "POST", path, admin, guessed)
	features := `{"type":"FeatureCollection","features":[{"type":"Feature","id":"G-1","geometry":{"type":"LineString","coordinates":[[-75.5,39.7],[-75.6,39.7]]}}]}`
	r.call(s, "geojson", "POST", path, admin, object{"format": "geojson", "name": "roads.geojson", "content": features})
	r.call(s, "validation_failed.column", "POST", path, admin, object{"format": "csv", "name": "roads.csv", "content": "Ref,Latitude\n"})
	r.call(s, "validation_failed.content", "POST", path, admin, object{"format": "geojson", "name": "roads.geojson", "content": "<xml/>"})
	r.call(s, "forbidden", "POST", path, s.SignIn("viewer").AccessToken, file)
	r.call(s, "imported", "GET", hazardsPath, admin, nil)
	playHazardImportUndo(r, s, admin)
}

// playHazardImportUndo imports a file, confirms one of its hazards, and takes the import back: once.
func playHazardImportUndo(r *recorder, s *stage, admin string) {
	const path = hazardsPath + "/import"
	done := s.ok("POST", path, admin, object{"format": "csv", "name": "detours.csv", "content": "id,lat,lng\nU-1,39.77,-75.55\nU-2,39.77,-75.56\n"})
	id, _ := done["import_id"].(string)
	r.call(s, "imported_hazards", "GET", "/api/organization/undo", admin, nil)
	s.ok("POST", s.hazardIDs(admin)["U-2"]+"/confirm", admin, nil)
	undo := func(name, id string) { r.call(s, name, "POST", path+"/"+id+"/undo", admin, nil) }
	undo("", id)
	undo("import_undone", id)
	undo("", nowhere)
	s.ok("POST", s.hazardIDs(admin)["U-2"]+"/clear", admin, nil)
}

// playWithdrawnHazard lets a unit drive through stopped traffic.
func playWithdrawnHazard(r *recorder, s *stage, admin string) {
	s.ok("POST", "/api/things", admin, object{"haas_id": "HA7-4", "thing_type_id": "fire", "nickname": "Engine 4"})
	c := s.dial(s.SignIn("viewer").AccessToken) // a day has passed: the session of the socket before has ended
	c.subscribe(s.Own.ID, false, nil)
	c.until(nil, "confirm_subscription")
	s.report(s.hazardItem("QUEUE-2", object{"hazard_type": "stopped_traffic", "description": "Queue at the bridge"}))
	for i := range 2 {
		s.Clock.Advance(time.Second)
		s.report(object{"type": "point", "asset": "HA7-4", "lat": 39.7447 + float64(i)/10_000, "lng": -75.5484, "speed": 21.5, "accuracy": 4})
	}
	s.ticks <- time.Time{}
	r.message("hazard.withdrawn", messageOf(r.t, c.until(nil, `"type":"hazard"`, `"withdrawn"`)))
	r.call(s, "withdrawn", "GET", s.hazardIDs(admin)["QUEUE-2"], admin, nil)
}

// playRefusedHazards shows what a sender may not do.
func playRefusedHazards(r *recorder, s *stage, admin string) {
	asset := s.ok("POST", "/api/things", admin, object{"haas_id": "TRACKED", "thing_type_id": "fire"})["id"].(string)
	_, tracker, err := s.App.CreateKey(s.t.Context(), access.System(), wire.KeyCreate{OrganizationID: wire.ID(s.Own.ID), ThingID: wire.ID(asset), Description: "tracker"})
	s.must(err)
	r.call(s, "hazards_by_tracker", "POST", "/api/ingest", tracker, object{"items": []object{s.hazardItem("H", nil)}})
	var many []object
	for i := range int(catalog.LimitInt("hazard", "active")) - 2 { // two were imported
		many = append(many, s.hazardItem(fmt.Sprint("MANY-", i), nil))
	}
	s.report(many...)
	r.call(s, "hazards_full", "POST", "/api/ingest", s.Key, object{"items": []object{s.hazardItem("MORE", nil)}})
}

// playHazardsOfAnother shows hazards of an organization that one may only read: not who did what there.
func playHazardsOfAnother(r *recorder, s *stage, admin string) {
	_, key, err := s.App.CreateKey(s.t.Context(), access.System(), wire.KeyCreate{OrganizationID: wire.ID(s.Accessed.ID), Description: "County traffic center"})
	s.must(err)
	s.ok("POST", "/api/ingest", key, object{"items": []object{s.hazardItem("ICE-1", object{"hazard_type": "ice"})}})
	s.Clock.Advance(time.Minute)
	s.ok("POST", "/api/ingest", key, object{"items": []object{s.hazardItem("ICE-1", object{"is_active": false})}})
	r.call(s, "accessed", "GET", hazardsPath+"?org_ids[]="+s.Accessed.ID, admin, nil)
}

// playHazardsByHand shows a hazard that somebody reports by hand, edits, and takes back, and what is refused.
func playHazardsByHand(r *recorder, s *stage, admin string) {
	viewer := s.SignIn("viewer").AccessToken
	c := s.dial(admin)
	c.subscribe(s.Own.ID, false, nil)
	c.until(nil, "confirm_subscription")
	told := func(name string, parts ...string) {
		s.ticks <- time.Time{}
		r.message("hazard."+name, messageOf(r.t, c.until(nil, append([]string{`"type":"hazard"`}, parts...)...)))
	}
	const id = "01900000-0000-7000-8000-00000000ba5d"
	write := object{"uuid": id, "type": "debris", "lat": 39.7391, "lng": -75.5398, "description": "Ladder in the left lane"}
	r.call(s, "", "POST", hazardsPath, admin, write)
	told("by_hand", "Ladder in the left lane")
	r.call(s, "again", "POST", hazardsPath, admin, write)
	r.call(s, "conflict", "POST", hazardsPath, admin, object{"uuid": id, "type": "ice", "lat": 39.7391, "lng": -75.5398})
	r.call(s, "forbidden", "POST", hazardsPath, viewer, write)
	r.call(s, "validation_failed", "POST", hazardsPath, admin, object{"type": "moose", "lat": 91, "expires_at": s.Clock.Now().Add(-time.Hour).Format(time.RFC3339)})
	r.call(s, "", "PUT", hazardsPath+"/"+id, admin, object{"type": "road_damage", "expires_at": s.Clock.Now().Add(5 * 24 * time.Hour).Format(time.RFC3339)})
	r.http(s, "conflict", testkit.Request{Method: "PUT", Path: hazardsPath + "/" + id, Token: admin, Body: object{"type": "ice"}, Headers: map[string]string{"If-Match": `"1"`}})
	s.ok("POST", hazardsPath+"/"+id+"/clear", admin, nil)
	r.call(s, "hazard_ended", "PUT", hazardsPath+"/"+id, admin, object{"type": "ice"})
	r.call(s, "", "DELETE", hazardsPath+"/"+id, admin, nil)
	told("taken_back", id, `"is_deleted":true`)
	r.call(s, "not_found", "DELETE", hazardsPath+"/"+id, admin, nil)
	s.report(s.hazardItem("SENT-1", object{"hazard_type": "fog"}))
	sent := s.hazardIDs(admin)["SENT-1"]
	r.call(s, "hazard_of_sender", "PUT", sent, admin, object{"type": "ice"})
	r.call(s, "hazard_of_sender", "DELETE", sent, admin, nil)
	s.report(s.hazardItem("SENT-1", object{"is_active": false}))
}
