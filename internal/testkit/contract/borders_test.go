package contract_test

import (
	"errors"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"lightbar/catalog"
	"lightbar/internal/api"
	"lightbar/internal/budget"
	"lightbar/internal/bus"
	"lightbar/internal/cable"
	"lightbar/internal/store"
	"lightbar/internal/testkit"
)

func playStream(r *recorder, s *stage) {
	admin := s.SignIn("administrator").AccessToken
	ids := s.fleet(admin)
	admin = s.SignIn("administrator").AccessToken
	c := s.dial(admin)
	r.message("welcome", c.until(nil, "welcome"))
	r.message("sent.subscribe", c.subscribe(s.Own.ID, false, nil))
	r.message("confirm_subscription", c.until(nil, "confirm_subscription"))
	c.subscribe(s.Foreign.ID, false, nil)
	r.message("reject_subscription", c.until(nil, "reject_subscription"))
	told := func(name string, texts ...string) {
		r.t.Helper()
		s.ticks <- time.Time{}
		r.message(name, messageOf(r.t, c.until(nil, texts...)))
	}
	s.report(object{"type": "heartbeat", "asset": "STANDBY"})
	told("heartbeat.standby", `"heartbeat"`, ids["STANDBY"])
	s.report(object{"type": "point", "asset": "MOVING", "lat": 39.71, "lng": -75.51, "course": 38, "speed": 15.25, "accuracy": 4})
	told("point.moving", `"point"`, ids["MOVING"])
	s.report(object{"type": "point", "asset": "ALERTING", "lat": 39.72, "lng": -75.52, "alerting": true})
	told("point.alerting", `"point"`, ids["ALERTING"])
	s.report(object{"type": "point", "asset": "ONSCENE", "lat": 39.7447, "lng": -75.5484, "accuracy": 4, "speed": 0, "alerting": true})
	told("point.arriving", `"point"`, ids["ONSCENE"])
	s.Clock.Advance(time.Second)
	s.report(object{"type": "on_scene", "asset": "ONSCENE"})
	s.ticks <- time.Time{}
	r.message("heartbeat.onscene", messageOf(r.t, c.until(nil, `"heartbeat"`, ids["ONSCENE"])))
	r.message("location.begun", messageOf(r.t, c.until(nil, `"type":"location"`)))
	s.ok("PUT", "/api/things/"+ids["MOVING"], admin, edited(object{"nickname": "Engine 4"}))
	told("thing.edited", `"type":"thing"`, "Engine 4")
	s.ok("PUT", "/api/things/"+ids["OUT"], admin, edited(object{"in_service": true}))
	told("thing.in_service", `"type":"thing"`, ids["OUT"])
	id := s.ok("POST", "/api/things", admin, object{"haas_id": "NEW", "thing_type_id": "fire"})["id"].(string)
	s.ticks <- time.Time{}
	frame := c.until(nil, `"admin"`, id)
	r.message("message", frame)
	r.message("admin.added", messageOf(r.t, frame))
	s.ok("DELETE", "/api/things/"+id, admin, nil)
	told("admin.removed", `"removed"`, id)
	area := "/api/organization/exclusion_zone/" + s.ok("POST", "/api/organization/exclusion_zone", admin, object{"name": "Station 9",
		"ez_type_id": "01900000-0000-7000-8000-500000000002", "point_geom": object{"lat": 39.7447, "lon": -75.5484}})["id"].(string)
	told("area.made", `"type":"area"`, "Station 9")
	s.Do(testkit.Request{Method: "DELETE", Path: area, Token: admin})
	told("area.deleted", `"type":"area"`, `"is_deleted":true`)

	// Who manages an asset of ours sees its incident, and then not any more.
	other := s.dial(admin)
	other.subscribe(s.Managed.ID, true, nil)
	other.until(nil, "confirm_subscription")
	super := s.SignIn("super").AccessToken
	relate := func(kind string) {
		s.ok("PUT", "/api/things/"+ids["ONSCENE"]+"/associations", super, object{"organization_relationships": []object{{"organization_uuid": s.Managed.ID, "relationship_type": kind}}})
		s.ticks <- time.Time{}
	}
	relate("manager")
	r.message("batch", other.until(nil, `"added"`))
	relate("delete")
	r.message("batch.gone", other.until(nil, `"removed"`))

	late := s.dial(admin)
	r.message("sent.resume", late.subscribe(s.Own.ID, true, &cable.History{Epoch: s.bus.Epoch(), Offset: 2}))
	r.message("batch.replay", late.until(nil, `"messages"`))
	r.message("confirm_history", late.until(nil, "confirm_history"))
	named := s.dial(admin)
	r.message("sent.resume_by_stream", named.subscribe(s.Own.ID, true, &cable.History{Streams: map[string]cable.StreamPosition{
		"events/" + s.Own.ID: {Epoch: s.bus.Epoch(), Offset: 2}}}))
	named.until(nil, "confirm_history")
	late.subscribe(s.Own.ID, false, &cable.History{Epoch: "another"})
	r.message("reject_history", late.until(nil, "reject_history"))
	r.message("sent.unsubscribe", late.send(cable.Command{Command: "unsubscribe", Identifier: identifier(s.Own.ID)}))
	r.message("ping", late.until(nil, `"ping"`))
	s.must(late.conn.WriteMessage(1, []byte("what?")))
	r.message("disconnect.invalid_request", late.until(nil, "invalid_request"))
	viewer := s.SignIn("viewer").AccessToken
	ending := s.dial(viewer)
	ending.until(nil, "welcome")
	person := s.ok("GET", "/api/profile", viewer, nil)["user"].(map[string]any)
	s.ok("PUT", "/api/users/"+person["id"].(string), admin, object{"firstname": "Vera"})
	r.message("profile_changed", ending.until(nil, "profile_changed"))
	s.Do(testkit.Request{Method: "POST", Path: "/api/revoke_token", Body: object{"token": viewer}})
	r.message("disconnect.unauthorized", ending.until(nil, "disconnect"))

	// A server that has not heard from the publisher knows no position.
	deaf := cable.New(s.App, &bus.Bus{}, cable.Options{Now: s.App.Now})
	server := httptest.NewServer(deaf)
	defer server.Close()
	unheard := s.dialAt(server.URL, admin)
	unheard.subscribe(s.Own.ID, false, &cable.History{Epoch: "another"})
	r.message("confirm_subscription.unheard", unheard.until(nil, "confirm_subscription"))
	r.message("reject_history.unheard", unheard.until(nil, "reject_history"))
	s.must(deaf.Drain(s.t.Context()))
	r.message("disconnect.server_restart", afterPattern.ReplaceAll(unheard.until(nil, "server_restart"), []byte(`"after":1000`)))
}

// playBorders are the refusals that any call may get, whatever it asks for.
func playBorders(r *recorder, s *stage) {
	admin := s.SignIn("administrator").AccessToken
	r.call(s, "", "GET", "/api/nothing", admin, nil)
	r.call(s, "method_not_allowed", "PATCH", "/api/profile", admin, nil)
	r.call(s, "invalid_request", "PUT", "/api/organization", admin, "{")
	r.call(s, "too_large", "PUT", "/api/organization", admin, `{"name": "`+strings.Repeat("x", 2<<20)+`"}`)
	r.http(s, "unsupported_media_type", testkit.Request{Method: "PUT", Path: "/api/organization", Token: admin, Body: "name=x",
		Headers: map[string]string{"Content-Type": "application/x-www-form-urlencoded"}})
	r.http(s, "cross_origin", testkit.Request{Method: "PUT", Path: "/api/organization", Token: admin, Body: object{}, Headers: map[string]string{"Origin": "https://evil.example"}})
	for range 1000 {
		if answer := s.Do(testkit.Request{Method: "POST", Path: "/api/verify_token", Body: object{"access_token": "x"}}); answer.Status == 429 {
			r.keepAnswer("rate_limited", "POST", "/api/verify_token", answer)
			break
		}
	}
	proxy := s.beside(api.Options{TrustedProxies: []netip.Prefix{netip.MustParsePrefix("192.0.2.1/32")}, Hosts: []string{"fleet.example"},
		Ready: func() error { return errors.New("The picture is being loaded.") }})
	there := func(name, path, peer, host string) {
		r.t.Helper()
		in := testkit.Request{Method: "GET", Path: path, Token: admin, Headers: map[string]string{"Host": host, "peer": peer}}
		r.keepAnswer(name, in.Method, path, s.at(proxy, in))
	}
	there("host_not_allowed", "/api/nothing", "192.0.2.1:5", "evil.example")
	there("proxy_only", "/api/nothing", "198.51.100.9:5", "fleet.example")
	there("not_ready", "/readyz", "192.0.2.1:5", "fleet.example")
	var holds []*budget.Hold
	for i := range 4 {
		holds = append(holds, s.budget.Open("192.0.2."+strconv.Itoa(i)))
		holds[i].SetHolder(strconv.Itoa(i))
		s.must(holds[i].Take(16 << 20))
	}
	r.call(s, "busy", "PUT", "/api/organization", admin, object{"name": strings.Repeat("x", 8<<10)})
	r.call(s, "busy", "POST", "/api/ingest", s.Key, object{"items": []object{}, "x": strings.Repeat("x", 8<<10)})
	for _, h := range holds {
		h.Close()
	}
	s.must(s.App.Store.Write(s.t.Context(), func(tx *store.Tx) error {
		_, err := tx.ExecContext(s.t.Context(), `ALTER TABLE passkey RENAME TO lost`)
		return err
	}))
	r.call(s, "internal", "GET", "/api/session/second_factor", admin, nil)
	s.t.Cleanup(func() { s.must(catalog.SetLimits(nil)) })
	s.must(catalog.SetLimits(map[string]float64{"assets.perOrganization": 1, "area.perOrganization": 1}))
	station := object{"name": "Station 10", "ez_type_id": "01900000-0000-7000-8000-500000000002", "point_geom": object{"lat": 40.1, "lon": -75.5}}
	s.ok("POST", "/api/organization/exclusion_zone", admin, station)
	r.call(s, "row_limit", "POST", "/api/organization/exclusion_zone", admin, station)
	s.ok("POST", "/api/things", admin, object{"haas_id": "LAST", "thing_type_id": "fire"})
	r.call(s, "asset_limit", "POST", "/api/things", admin, object{"haas_id": "MORE", "thing_type_id": "fire"})
	r.call(s, "asset_limit", "POST", "/api/ingest/assets", s.Key, object{"things": []object{{"haas_id": "MORE"}}})
}
