package contract_test

import (
	"net/url"
	"time"

	"lightbar/catalog"
)

// playChanges shows what became of an asset, an event and areas since an instant.
func playChanges(r *recorder, s *stage) {
	const path = "/api/organization/changes"
	admin, viewer := s.SignIn("administrator").AccessToken, s.SignIn("viewer").AccessToken
	instant := func(at time.Time) string { return url.QueryEscape(at.Format("2006-01-02T15:04:05.000Z")) }
	since := instant(s.Clock.Now())
	r.call(s, "empty", "GET", path+"?since="+instant(s.Clock.Now().Add(-time.Hour)), s.SignIn("outsider").AccessToken, nil)
	s.Clock.Advance(time.Second)
	s.ok("POST", "/api/things", admin, object{"haas_id": "HA7-1", "thing_type_id": "fire", "nickname": "Engine 4"})
	made := s.ok("POST", "/api/organization/exclusion_zone", admin, object{"name": "Fuel depot", "ez_type_id": catalog.AllEnums().AreaTypes[0].ID,
		"point_geom": object{"lat": 39.75, "lon": -75.56}})["id"].(string)
	s.Clock.Advance(time.Second)
	at := s.Clock.Now().Format("2006-01-02T15:04:05.000Z")
	s.report(object{"type": "heartbeat", "asset": "HA7-1", "at": at}, object{"type": "event", "id": "CAD-7", "at": at, "lat": 39.7391, "lng": -75.5398})
	r.call(s, "", "GET", path+"?since="+since, admin, nil)
	r.call(s, "viewer", "GET", path+"?since="+since, viewer, nil)
	later := instant(s.Clock.Now().Add(time.Millisecond))
	s.Clock.Advance(11 * time.Minute)
	s.ok("PUT", "/api/organization/exclusion_zone/"+made, admin, object{"desc": "Ask the yard"})
	s.report(object{"type": "event", "id": "CAD-7", "is_active": false})
	r.call(s, "later", "GET", path+"?since="+later, admin, nil)
	r.call(s, "", "GET", path, admin, nil)
	r.call(s, "validation_failed.future", "GET", path+"?since="+instant(s.Clock.Now().Add(time.Hour)), admin, nil)
	r.call(s, "validation_failed.long", "GET", path+"?since="+instant(s.Clock.Now().Add(-8*24*time.Hour)), admin, nil)
	r.call(s, "not_found", "GET", path+"?since="+since+"&org_ids[]="+s.Foreign.ID, admin, nil)
}
