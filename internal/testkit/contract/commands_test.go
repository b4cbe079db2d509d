package contract_test

import (
	"net/url"
	"runtime"
	"strings"
	"time"

	"lightbar/internal/testkit"
)

// playCommands asks a device for test alerts and other lights, fetches and acknowledges as the device does, and follows
// each command on the stream to its end.
//
// spec: 6.thing.02 6.thing.03 7.thing.07 7.thing.08 7.thing.09 8.asset.12
func playCommands(r *recorder, s *stage) {
	admin := s.SignIn("administrator").AccessToken
	make := func(name, kind, device string) string {
		return s.ok("POST", "/api/things", admin, object{"haas_id": name, "nickname": "The " + name, "thing_type_id": kind, "device_type": device})["id"].(string)
	}
	engine, app, tow := make("ENGINE-4", "fire", "ha7"), make("APP-4", "fire", "api"), make("TOW-4", "tow", "ha5")
	things := "/api/things/"
	r2r, light, history := things+engine+"/r2r", things+engine+"/light_intensity", things+engine+"/commands"
	press := func(name, key string) object {
		r.t.Helper()
		answer := r.http(s, name, testkit.Request{Method: "PUT", Path: r2r, Token: admin, Headers: map[string]string{"Idempotency-Key": key}})
		data, _ := testkit.Decode[object](r.t, answer)["data"].(object)
		return data
	}
	r.call(s, "empty", "GET", history, admin, nil)
	press("asset_status_invalid", "press-0") // offline
	s.report(object{"type": "heartbeat", "asset": "ENGINE-4"}, object{"type": "heartbeat", "asset": "APP-4"}, object{"type": "heartbeat", "asset": "TOW-4"})
	c := s.dial(admin)
	c.subscribe(s.Own.ID, false, nil)
	c.until(nil, "confirm_subscription")
	told := func(name string, texts ...string) {
		r.t.Helper()
		s.ticks <- time.Time{}
		r.message(name, messageOf(r.t, c.until(nil, append(texts, `"type":"command"`)...)))
	}
	inTestMode := func(name, is string) {
		r.t.Helper()
		r.message(name, messageOf(r.t, c.until(nil, `"type":"thing"`, `"test_mode":`+is)))
	}
	poll, word := "/api/ingest/commands?asset=ENGINE-4", func(id string) string { return "/api/ingest/commands/" + id }
	fetch := func(name string) string {
		r.t.Helper()
		found := testkit.Decode[struct{ Data []object }](r.t, r.call(s, name, "GET", poll, s.Key, nil))
		if len(found.Data) == 0 {
			return ""
		}
		return found.Data[0]["id"].(string)
	}
	said := func(status, message string) object {
		return object{"at": instantOf(s.Clock.Now()), "status": status, "message": message}
	}

	// On: the device sends its test alert.
	fetch("empty")
	press("on", "press-1")
	s.ticks <- time.Time{}
	inTestMode("thing.test_mode_on", "true")
	r.message("command.accepted", messageOf(r.t, c.until(nil, `"type":"command"`, `"status":"accepted"`)))
	press("again", "press-1")
	s.Clock.Advance(time.Second)
	id := fetch("")
	told("command.sent", `"status":"sent"`)
	s.Clock.Advance(time.Second)
	r.call(s, "", "POST", word(id), s.Key, said("delivered", ""))
	told("command.delivered", `"status":"delivered"`)
	r.call(s, "duplicate", "POST", word(id), s.Key, said("delivered", ""))

	// Off, and the device says nothing: it expires.
	press("off", "press-2")
	s.ticks <- time.Time{}
	inTestMode("thing.test_mode_off", "false")
	s.Clock.Advance(2 * time.Second)
	id = fetch("again")
	s.Clock.Advance(time.Minute)
	s.must(s.App.RunCommands(s.t.Context()))
	told("command.expired", `"status":"expired"`)
	r.call(s, "late", "POST", word(id), s.Key, said("delivered", ""))

	// On, and the device fails: test mode goes back.
	press("on.failing", "press-3")
	answer := r.call(s, "commands", "POST", "/api/ingest", s.Key, object{"items": []object{{"type": "heartbeat", "asset": "ENGINE-4", "at": instantOf(s.Clock.Now())}}})
	id = testkit.Decode[struct{ Data struct{ Commands []object } }](r.t, answer).Data.Commands[0]["id"].(string)
	r.call(s, "failed", "POST", word(id), s.Key, said("failed", "indicator not connected"))
	told("command.failed", `"status":"failed"`)
	r.call(s, "test_mode_back", "GET", things+engine, admin, nil)

	// The lights.
	r.call(s, "", "PUT", light, admin, object{"light_intensity": "high"})
	told("command.light", `"light_intensity"`)
	r.call(s, "validation_failed", "PUT", light, admin, object{"light_intensity": "blinding"})
	r.call(s, "", "GET", history, admin, nil)
	r.call(s, "page", "GET", history+"?page=2&per_page=1", admin, nil)
	playConfigCommands(r, s, c, engine)

	// Refusals, in the order in which a screen says them.
	r.call(s, "", "PUT", things+app+"/r2r", admin, nil)
	r.call(s, "", "PUT", things+tow+"/r2r", admin, nil)
	r.call(s, "", "PUT", things+app+"/light_intensity", admin, object{"light_intensity": "low"})
	viewer, operator := s.SignIn("viewer").AccessToken, s.SignIn("operator").AccessToken
	r.call(s, "", "PUT", r2r, viewer, nil)
	r.call(s, "", "PUT", light, operator, object{"light_intensity": "low"})
	r.call(s, "", "PUT", things+nowhere+"/r2r", admin, nil)
	r.call(s, "", "PUT", things+nowhere+"/light_intensity", admin, object{"light_intensity": "low"})
	r.call(s, "", "GET", things+nowhere+"/commands", admin, nil)
	r.call(s, "", "POST", word(nowhere), s.Key, said("delivered", ""))
	r.call(s, "validation_failed", "POST", word(id), s.Key, object{"status": "done"})
	r.call(s, "", "POST", word(id), s.Key, "{")
	r.call(s, "", "GET", "/api/ingest/commands?asset="+url.QueryEscape(strings.Repeat("X", 3)), s.Key, nil)
	r.call(s, "validation_failed", "GET", poll+"&wait=31", s.Key, nil)
	r.call(s, "", "GET", poll, "lb_key_x", nil)
}

// playConfigCommands configures a device, which says what it has, and is cut off.
func playConfigCommands(r *recorder, s *stage, c *client, engine string) {
	admin, poll := s.SignIn("administrator").AccessToken, "/api/ingest/commands?asset=ENGINE-4"
	configure := func(seconds int) {
		s.ok("PUT", "/api/things/"+engine+"/device_config", admin, object{"model": "HA7-N", "platform": "esp32", "file_name": "ha7.bin",
			"heartbeat_interval": seconds, "warning_light_pin": 4, "indicator_pin": 5, "location_type": "gps"})
	}
	configure(60)
	s.ticks <- time.Time{}
	r.message("command.config", messageOf(r.t, c.until(nil, `"type":"command"`, `"type":"config"`)))
	found := testkit.Decode[struct{ Data []object }](r.t, r.call(s, "config", "GET", poll, s.Key, nil)).Data
	word := "/api/ingest/commands/" + found[len(found)-1]["id"].(string)
	r.call(s, "validation_failed.config", "POST", word, s.Key, object{"at": instantOf(s.Clock.Now()), "status": "delivered", "config_version": 99})
	r.call(s, "config", "POST", word, s.Key, object{"at": instantOf(s.Clock.Now()), "status": "delivered", "config_version": 1})
	s.Clock.Advance(time.Minute)
	configure(30)
	r.call(s, "config_unsent", "GET", "/api/things/"+engine, admin, nil)
	s.ok("GET", poll, s.Key, nil)
	r.call(s, "config", "POST", "/api/ingest", s.Key, object{"items": []object{{"type": "heartbeat", "asset": "ENGINE-4",
		"at": instantOf(s.Clock.Now()), "config_version": 99}}})
	s.App.NoteCut(engine)
	for s.App.CutStats().Assets == 0 { // nothing tells of it but the count
		runtime.Gosched()
	}
	s.ticks <- time.Time{}
	r.message("heartbeat.cut", messageOf(r.t, c.until(nil, `"type":"heartbeat"`, `"cut_at"`)))
	r.call(s, "cut", "GET", "/api/things/"+engine, admin, nil)
}
