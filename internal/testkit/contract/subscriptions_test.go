package contract_test

import (
	"context"
	"encoding/json"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"strings"
	"time"

	"lightbar/internal/testkit"
	"lightbar/internal/wire"
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
		"time_format": "yyyy/MM/dd hh:mm:ss a", "types": object{"Black ice": "ice"}, "columns": object{"id": "Ref", "lat": "Latitude", "lng": "Longitude", "type": "What", "description": "Note", "start": "From", "updated": "Changed"}})
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
	undo := path + "/" + made + "/undo"
	r.call(s, "conflict", "POST", undo, admin, object{"version": 2})
	r.call(s, "", "POST", undo, admin, object{"version": 4})
	r.call(s, "deleted", "POST", undo, admin, object{"version": 5})
	r.call(s, "", "POST", path+"/"+nowhere+"/undo", admin, object{"version": 1})
	r.call(s, "", "DELETE", path+"/"+made, admin, nil)
	r.call(s, "since", "GET", path+"?last_updated_timestamp="+url.QueryEscape(since), admin, nil)
	r.call(s, "forbidden", "POST", path, viewer, state)
	playFetches(r, s, admin)
}

// playFetches lets feeds be fetched: a good one, one that shrinks and one that fails; what they brought stands and belongs to nobody here.
func playFetches(r *recorder, s *stage, admin string) {
	const path = "/api/organization/feed_subscriptions"
	zone := func(id, description string) object {
		return object{"id": id, "type": "Feature", "geometry": object{"type": "LineString", "coordinates": [][2]float64{{-75.55, 39.74}, {-75.54, 39.75}}},
			"properties": object{"start_date": "2026-11-21T02:00:00-05:00", "end_date": "2026-11-22T12:00:00Z", "is_end_date_verified": true,
				"location_method": "unknown", "vehicle_impact": "some-lanes-closed", "core_details": object{"event_type": "work-zone",
					"data_source_id": "s", "road_names": []string{"I-95"}, "direction": "northbound", "description": description}}}
	}
	var zones []object
	answer := http.StatusOK
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(answer)
		_ = json.NewEncoder(w).Encode(object{"type": "FeatureCollection", "features": zones, "feed_info": object{"publisher": "State DOT", "version": "4.2",
			"update_date": "2026-11-21T09:59:00Z", "update_frequency": 60, "data_sources": []object{}}})
	}))
	defer server.Close()
	s.App.Outbound.Lookup = func(context.Context, string) ([]netip.Addr, error) {
		return []netip.Addr{netip.MustParseAddr("93.184.216.34")}, nil
	}
	s.App.Outbound.Dial = func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "tcp", server.Listener.Addr().String())
	}
	made := s.ok("POST", path, admin, object{"name": "State DOT", "format": "wzdx", "url": "http://feeds.example.org/wzdx.geojson"})["id"].(string)
	c := s.dial(admin)
	c.subscribe(s.Own.ID, false, nil)
	c.until(nil, "confirm_subscription")
	fetched := func(name string) {
		s.Clock.Advance(time.Minute)
		s.must(s.App.FetchFeeds(s.t.Context()))
		r.call(s, name, "GET", path+"/"+made, admin, nil)
	}
	zones = []object{zone("DOT-1", "Bridge work"), zone("DOT-2", "Paving"), {"type": "Feature"}}
	playFeedChecks(r, s, admin)
	fetched("good")
	s.ticks <- time.Time{}
	r.message("closure.of_feed", messageOf(r.t, c.until(nil, `"type":"closure"`, "DOT-1")))
	zones = []object{zone("DOT-3", "Milling"), {"type": "Feature"}} // all that stands is missing
	fetched("held")
	accept := path + "/" + made + "/accept"
	r.call(s, "conflict", "POST", accept, admin, object{"missing": 1})
	r.call(s, "validation_failed", "POST", accept, admin, object{"missing": 0})
	r.call(s, "", "POST", path+"/"+nowhere+"/accept", admin, object{"missing": 2})
	zones = []object{zone("DOT-1", "Bridge work"), zone("DOT-2", "Paving")}
	fetched("better")
	r.call(s, "feed_not_held", "POST", accept, admin, object{"missing": 2})
	zones = []object{zone("DOT-3", "Milling"), {"type": "Feature"}}
	fetched("held.again")
	r.call(s, "", "POST", accept, admin, object{"missing": 2})
	answer = http.StatusServiceUnavailable
	fetched("failing")
	r.call(s, "fetched", "GET", path, admin, nil)
	const closures = "/api/organization/closure"
	r.call(s, "of_feed", "GET", closures, admin, nil)
	id := ""
	for _, row := range testkit.Decode[struct{ Data []wire.Closure }](s.t, s.Get(closures, admin)).Data {
		if row.ExternalID == "DOT-1" {
			id = closures + "/" + row.ID
		}
	}
	r.call(s, "not_managed", "PUT", id, admin, object{"description": "Ours"})
	r.call(s, "not_managed", "DELETE", id, admin, nil)
	r.call(s, "not_managed", "POST", id+"/confirm", admin, object{"answer": "finished"})
}

// playFeedChecks checks feeds: good ones and broken ones that are sent, one at an address, and what is no feed.
func playFeedChecks(r *recorder, s *stage, admin string) {
	const path = "/api/feeds/check"
	at := func(iso string) string { return s.Clock.Now().Format("2006-01-02") + iso }
	incident := func(id, street, polyline, end string) object {
		return object{"incident": object{"id": id, "type": "ROAD_CLOSED", "street": street, "polyline": polyline, "starttime": at("T06:00:00+00:00"),
			"endtime": end, "description": "Bridge closed"}}
	}
	check := func(name string, incidents ...object) {
		text, err := json.Marshal(object{"incidents": incidents})
		s.must(err)
		r.call(s, name, "POST", path, admin, object{"content": string(text)})
	}
	good, line := incident("DE-95-1", "I-95", "39.740000 -75.550000 39.741000 -75.540000", at("T23:00:00+00:00")), "39.740000 -75.550000 39.741000 -75.540000"
	check("good", good)
	var many []object
	for range 12 {
		many = append(many, incident("DE-95-1", " ", line, at("T05:00:00+00:00")))
	}
	check("broken", append(many, good)...)
	r.call(s, "address", "POST", path, admin, object{"url": "http://feeds.example.org/wzdx.geojson"})
	playFeedTroubles(r, s, admin)
	r.call(s, "", "POST", path, admin, object{"url": "ftp://feeds.example.org/"})
	r.call(s, "feed_html", "POST", path, admin, object{"content": "<!doctype html><p>Sign in"})
	r.call(s, "feed_unknown", "POST", path, admin, object{"content": `{"name": "Harbor County"}`})
	r.call(s, "validation_failed.nothing", "POST", path, admin, object{})
	r.call(s, "forbidden", "POST", path, s.SignIn("viewer").AccessToken, object{"content": "{}"})
}

// playFeedTroubles checks feeds at addresses of which each has another trouble.
func playFeedTroubles(r *recorder, s *stage, admin string) {
	handler := http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		switch q.URL.Path {
		case "/redirects":
			http.Redirect(w, q, "/redirects", http.StatusFound)
		case "/status":
			w.WriteHeader(http.StatusServiceUnavailable)
		case "/gzip":
			_, _ = w.Write([]byte{0x1f, 0x8b, 8, 0, 1})
		case "/large":
			w.Header().Set("Content-Length", "1000000000")
		}
	})
	plain, secure := httptest.NewServer(handler), httptest.NewUnstartedServer(handler)
	secure.Config.ErrorLog = log.New(io.Discard, "", 0) // it complains of who trusts it not
	secure.StartTLS()
	defer plain.Close()
	defer secure.Close()
	outbound := s.App.Outbound
	defer func() { s.App.Outbound = outbound }()
	s.App.Outbound.Lookup = func(_ context.Context, host string) ([]netip.Addr, error) {
		switch host {
		case "gone.example.org":
			return nil, io.EOF
		case "private.example.org":
			return []netip.Addr{netip.MustParseAddr("10.0.0.1")}, nil
		}
		return []netip.Addr{netip.MustParseAddr("93.184.216.34")}, nil
	}
	s.App.Outbound.Dial = func(ctx context.Context, _, address string) (net.Conn, error) {
		server := plain
		switch {
		case strings.HasSuffix(address, ":81"):
			return nil, os.ErrDeadlineExceeded
		case strings.HasSuffix(address, ":443"):
			server = secure
		}
		return (&net.Dialer{}).DialContext(ctx, "tcp", server.Listener.Addr().String())
	}
	for _, address := range []string{"http://private.example.org/", "http://gone.example.org/", "https://feeds.example.org/", "http://feeds.example.org:81/",
		"http://feeds.example.org/redirects", "http://feeds.example.org/status", "http://feeds.example.org/empty", "http://feeds.example.org/gzip",
		"http://feeds.example.org/large"} {
		r.call(s, "", "POST", "/api/feeds/check", admin, object{"url": address})
	}
}
