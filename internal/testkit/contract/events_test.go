package contract_test

import (
	"fmt"
	"maps"
	"strings"
	"time"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/testkit"
	"lightbar/internal/wire"
)

// playEvents shows an event from its begin to its end as somebody edits it, and the refusals of edits.
func playEvents(r *recorder, s *stage) {
	admin := s.SignIn("administrator").AccessToken
	id := s.ok("POST", "/api/things", admin, object{"haas_id": "HA7-1", "thing_type_id": "fire", "nickname": "Engine 4"})["id"].(string)
	s.report(object{"type": "point", "asset": "HA7-1", "lat": 39.7447, "lng": -75.5484, "course": 38, "speed": 0, "accuracy": 4, "alerting": true})
	s.Clock.Advance(time.Second)
	s.report(object{"type": "on_scene", "asset": "HA7-1"})
	event := "/api/locations/" + s.ok("GET", "/api/things/"+id, admin, nil)["location"].(object)["id"].(string)
	c := s.dial(admin)
	c.subscribe(s.Own.ID, false, nil)
	c.until(nil, "confirm_subscription")
	edit := func(name, path string, body object, headers ...string) {
		in := testkit.Request{Method: "PUT", Path: path, Token: admin, Body: body}
		if len(headers) > 0 {
			in.Headers = map[string]string{"If-Match": headers[0]}
		}
		r.http(s, name, in)
	}

	r.call(s, "", "GET", event, admin, nil)
	r.call(s, "", "GET", "/api/locations/"+nowhere, admin, nil)
	moved := object{"lat": 39.7449, "lng": -75.5482, "roadway_heading": 215, "organization_id": s.Own.ID}
	edit("", event, moved, `"1"`)
	s.ticks <- time.Time{}
	r.message("location.edited", messageOf(r.t, c.until(nil, `"type":"location"`, "39.7449")))
	edit("", event, object{"roadway_heading": 30}, `"1"`)
	r.call(s, "", "POST", event+"/undo", admin, object{"version": 2})
	r.call(s, "again", "POST", event+"/undo", admin, object{"version": 3})
	r.call(s, "conflict", "POST", event+"/undo", admin, object{"version": 2})
	r.call(s, "events", "GET", "/api/organization/undo", admin, nil)
	r.call(s, "", "POST", "/api/locations/"+nowhere+"/undo", admin, object{"version": 1})
	edit("validation_failed.marker", event, object{"lat": 39.75, "lng": -75.5484})
	edit("validation_failed.heading", event, object{"roadway_heading": 361})
	edit("", "/api/locations/"+nowhere, moved)
	edit("", "/api/locations/"+s.accessedEvent(), object{"roadway_heading": 30})
	s.Clock.Advance(8 * time.Hour)
	s.must(s.App.AgeDue(s.t.Context()))
	s.ticks <- time.Time{}
	r.message("location.ended", messageOf(r.t, c.until(nil, `"type":"location"`, `"is_active":false`)))
	admin = s.SignIn("administrator").AccessToken
	edit("", event, moved)
	r.call(s, "ended", "GET", event, admin, nil)
	playReportedEvents(r, s, c, admin, id)
}

// playReportedEvents shows events that a sender reports: with each kind of shape, to the end, and what is refused.
func playReportedEvents(r *recorder, s *stage, c *client, admin, asset string) {
	item := func(id string, fields object) object {
		out := object{"type": "event", "id": id, "at": s.Clock.Now().Format("2006-01-02T15:04:05.000Z"), "lat": 39.7391, "lng": -75.5398}
		maps.Copy(out, fields)
		return out
	}
	shape := func(kind string, coordinates any, properties object) object {
		return object{"type": "FeatureCollection", "features": []object{{"type": "Feature", "properties": properties,
			"geometry": object{"type": kind, "coordinates": coordinates}}}}
	}
	type positions = [][2]float64
	around := positions{{-75.541, 39.738}, {-75.538, 39.738}, {-75.538, 39.740}, {-75.541, 39.740}, {-75.541, 39.738}}
	r.call(s, "events", "POST", "/api/ingest", s.Key, object{"items": []object{
		item("FLOOD-1", object{"features": shape("Polygon", []positions{around}, object{}), "alert_message": "Water on road", "alt": 24}),
		item("PARADE-1", object{"features": shape("LineString", around[:3], object{}), "lat": 39.7451, "lng": -75.5466}),
		item("FIRE-1", object{"features": shape("Point", around[0], object{"radius_dist": 120}), "lat": 39.7520, "lng": -75.5601}),
		item("CAD-1", object{"lat": 39.7600, "lng": -75.5700, "expires_at": s.Clock.Now().Add(time.Hour).Format(time.RFC3339)}),
		item("", nil), item("X", object{"features": object{}})}})
	r.call(s, "events", "GET", "/api/locations/active", admin, nil)
	r.call(s, "search", "GET", "/api/locations?search=flood", admin, nil)
	r.call(s, "validation_failed.search", "GET", "/api/locations?search="+strings.Repeat("x", 101), admin, nil)
	s.ticks <- time.Time{}
	r.message("location.reported", messageOf(r.t, c.until(nil, `"type":"location"`, "FLOOD-1")))
	events := testkit.Decode[struct{ Data []struct{ ID string } }](s.t, s.Do(testkit.Request{Path: "/api/locations/active", Token: admin}))
	r.call(s, "", "PUT", "/api/locations/"+events.Data[0].ID, admin, object{"roadway_heading": 30})
	s.Clock.Advance(time.Minute)
	s.report(object{"type": "event", "id": "FLOOD-1", "is_active": false})
	s.ticks <- time.Time{}
	r.message("location.reported_end", messageOf(r.t, c.until(nil, `"type":"location"`, "FLOOD-1", `"is_active":false`)))
	r.call(s, "events_refused", "POST", "/api/ingest", s.Key, object{"items": []object{
		item("BELL\a", nil), item("CAD-2", object{"alert_message": "Water\aon road"}), item("CAD-3", object{"alt": 99999}),
		item("CAD-4", object{"expires_at": s.Clock.Now().Add(8 * 24 * time.Hour).Format(time.RFC3339)})}})
	_, tracker, err := s.App.CreateKey(s.t.Context(), access.System(), wire.KeyCreate{OrganizationID: wire.ID(s.Own.ID), ThingID: wire.ID(asset), Description: "tracker"})
	s.must(err)
	r.call(s, "events_by_tracker", "POST", "/api/ingest", tracker, object{"items": []object{item("CAD-5", nil)}})
	var many []object
	for i := range int(catalog.LimitInt("event", "active")) - 4 { // four are active: an altitude that can't be true is left out
		many = append(many, item(fmt.Sprint("MANY-", i), nil))
	}
	s.report(many...)
	r.call(s, "events_full", "POST", "/api/ingest", s.Key, object{"items": []object{item("MORE", nil)}})
}

// accessedEvent is an event of the organization that Own may only read.
func (s *stage) accessedEvent() string {
	s.t.Helper()
	id := s.ok("POST", "/api/things", s.SignIn("super").AccessToken, object{"haas_id": "THEIRS", "thing_type_id": "tow", "organization_id": s.Accessed.ID})["id"].(string)
	_, key, err := s.App.CreateKey(s.t.Context(), access.System(), wire.KeyCreate{OrganizationID: wire.ID(s.Accessed.ID), Description: "gateway"})
	s.must(err)
	at := s.Clock.Now().Format("2006-01-02T15:04:05.000Z")
	s.ok("POST", "/api/ingest", key, object{"items": []object{
		{"type": "point", "asset": "THEIRS", "at": at, "lat": 39.6, "lng": -75.6, "accuracy": 4}, {"type": "on_scene", "asset": "THEIRS", "at": at}}})
	_, state, _, _ := s.App.Live.Thing(id)
	return state.LocationID
}
