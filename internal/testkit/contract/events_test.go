package contract_test

import (
	"time"

	"lightbar/internal/access"
	"lightbar/internal/people"
	"lightbar/internal/testkit"
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
}

// accessedEvent is an event of the organization that Own may only read.
func (s *stage) accessedEvent() string {
	s.t.Helper()
	id := s.ok("POST", "/api/things", s.SignIn("super").AccessToken, object{"haas_id": "THEIRS", "thing_type_id": "tow", "organization_id": s.Accessed.ID})["id"].(string)
	_, key, err := s.App.CreateKey(s.t.Context(), access.System(), people.NewKey{OrganizationID: s.Accessed.ID, Description: "gateway"})
	s.must(err)
	at := s.Clock.Now().Format("2006-01-02T15:04:05.000Z")
	s.ok("POST", "/api/ingest", key, object{"items": []object{
		{"type": "point", "asset": "THEIRS", "at": at, "lat": 39.6, "lng": -75.6, "accuracy": 4}, {"type": "on_scene", "asset": "THEIRS", "at": at}}})
	_, state, _, _ := s.App.Live.Thing(id)
	return state.LocationID
}
