package contract_test

import (
	"net/url"
	"strings"
	"time"

	"lightbar/internal/testkit"
)

// playSubscriptions subscribes to feeds of others, edits, pauses and ends them.
func playSubscriptions(r *recorder, s *stage) {
	const path = "/api/organization/feed_subscriptions"
	admin, viewer := s.SignIn("administrator").AccessToken, s.SignIn("viewer").AccessToken
	state := object{"id": "01900000-0000-7000-8000-00000000f001", "name": "State DOT", "format": "wzdx",
		"url": "https://reader:word@feeds.example.org/wzdx.geojson?key=secret&area=north"}
	r.call(s, "empty", "GET", path, admin, nil)
	made := testkit.Decode[object](r.t, r.call(s, "", "POST", path, admin, state))["data"].(object)["id"].(string)
	r.call(s, "again", "POST", path, admin, state)
	state["url"] = "https://feeds.example.org/other"
	r.call(s, "conflict", "POST", path, admin, state)
	r.call(s, "csv", "POST", path, admin, object{"name": "County roads", "format": "csv", "url": "https://county.example.org/roads.csv", "timezone": "America/New_York",
		"time_format": "yyyy/MM/dd hh:mm:ss a", "types": object{"Black ice": "ice"}, "columns": object{"id": "Ref", "lat": "Latitude", "lng": "Longitude", "type": "What"}})
	r.call(s, "", "POST", path, admin, object{"name": strings.Repeat("x", 101), "format": "rss", "url": "ftp://feeds.example.org/", "timezone": "Mars/Olympus",
		"time_format": "soon", "types": object{"Moose": "moose"}})
	r.call(s, "validation_failed.missing", "POST", path, admin, object{})
	r.call(s, "organization_not_found", "POST", path, admin, object{"organization_id": nowhere, "name": "X", "format": "wzdx", "url": "https://feeds.example.org/"})
	r.call(s, "not_found", "GET", path+"?org_ids[]="+s.Foreign.ID, admin, nil)
	r.call(s, "waiting", "GET", path, viewer, nil)
	since := s.Clock.Now().Format("2006-01-02T15:04:05.000Z")
	s.Clock.Advance(time.Second)
	r.call(s, "", "GET", path+"/"+made, admin, nil)
	r.call(s, "", "GET", path+"/"+nowhere, admin, nil)
	r.call(s, "", "PUT", path+"/"+made, admin, object{"name": "State DOT work zones", "url": "https://***@feeds.example.org/wzdx.geojson?key=***&area=***"})
	r.call(s, "", "PUT", path+"/"+made, admin, object{"url": "https://***@feeds.example.org/cwz.geojson?key=***"})
	r.http(s, "", testkit.Request{Method: "PUT", Path: path + "/" + made, Token: admin, Body: object{"name": "X"}, Headers: map[string]string{"If-Match": `"1"`}})
	r.call(s, "", "PUT", path+"/"+nowhere, admin, object{"name": "X"})
	r.call(s, "", "POST", path+"/"+made+"/fetch", admin, nil)
	r.call(s, "", "POST", path+"/"+nowhere+"/fetch", admin, nil)
	r.call(s, "paused", "PUT", path+"/"+made, admin, object{"is_active": false})
	r.call(s, "validation_failed.paused", "POST", path+"/"+made+"/fetch", admin, nil)
	r.call(s, "", "DELETE", path+"/"+made, admin, nil)
	r.call(s, "", "DELETE", path+"/"+made, admin, nil)
	r.call(s, "since", "GET", path+"?last_updated_timestamp="+url.QueryEscape(since), admin, nil)
	r.call(s, "forbidden", "POST", path, viewer, state)
}
