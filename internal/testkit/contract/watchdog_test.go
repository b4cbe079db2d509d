package contract_test

import (
	"time"

	"lightbar/internal/testkit/providertest"
)

// playWatchdog lets the watchdog find what the reports of three assets say: on trial, told and mailed, held in the quiet
// hours, and over.
func playWatchdog(r *recorder, s *stage) {
	const settings, found = "/api/organization/watchdog", "/api/organization/findings"
	admin, viewer := s.SignIn("administrator").AccessToken, s.SignIn("viewer").AccessToken
	for _, name := range []string{"ENGINE-9", "LADDER-9", "TENDER-9"} {
		s.ok("POST", "/api/things", admin, object{"haas_id": name, "nickname": "The " + name, "thing_type_id": "fire"})
	}
	s.ok("POST", "/api/organization/exclusion_zone", admin, object{"name": "Station 9", "ez_type_id": "01900000-0000-7000-8000-500000000002",
		"point_geom": object{"lat": 39.75, "lon": -75.55}})
	r.call(s, "", "GET", settings, admin, nil)
	r.call(s, "not_found", "GET", settings+"?organization_id="+s.Accessed.ID, admin, nil)
	r.call(s, "empty", "GET", found, admin, nil)

	at := func(asset string, lat, lng float64, on bool) object {
		return object{"type": "point", "asset": asset, "lat": lat, "lng": lng, "accuracy": 4, "speed": 0, "alerting": on}
	}
	scene := func(on bool) object { return at("ENGINE-9", 39.7447, -75.5484, on) }
	parked := func(asset string, on bool) object { return at(asset, 39.75, -75.55, on) }
	c := s.dial(admin)
	c.subscribe(s.Own.ID, false, nil)
	c.until(nil, "confirm_subscription")
	told := func(name string, texts ...string) {
		r.t.Helper()
		s.ticks <- time.Time{}
		r.message(name, messageOf(r.t, c.until(nil, append(texts, `"type":"finding"`)...)))
	}
	// watch lets the clock go on and the watchdog look.
	watch := func(after time.Duration, items ...object) {
		r.t.Helper()
		s.Clock.Advance(after)
		s.report(items...)
		s.must(s.App.Watch(s.t.Context()))
	}

	// On trial: an engine is on scene with its lights off.
	watch(0, scene(false), object{"type": "on_scene", "asset": "ENGINE-9"})
	watch(time.Minute, scene(false))
	told("finding.trial", `"not_alerting_at_incident"`)
	r.call(s, "trial", "GET", found, viewer, nil)

	// Told: a rule is turned on, someone asked for mail, and a ladder stands in its station with its lights on.
	r.call(s, "", "PUT", settings+"/mail", admin, object{"mail": true})
	rules := []object{{"rule": "alerting_at_station", "mode": "on"}, {"rule": "old_configuration", "mode": "off"}}
	r.call(s, "", "PUT", settings, admin, object{"rules": rules, "version": 1})
	r.call(s, "conflict", "PUT", settings, admin, object{"quiet_from": "21:00", "quiet_to": "06:00", "version": 1})
	r.call(s, "forbidden", "PUT", settings, viewer, object{"rules": rules})
	r.call(s, "validation_failed", "PUT", settings, admin, object{"quiet_from": "25:00", "rules": []object{{"rule": "x", "mode": "loud"}}})
	watch(0, scene(false), parked("LADDER-9", true))
	watch(time.Minute, scene(true), parked("LADDER-9", true))
	told("finding.mailed", `"alerting_at_station"`)

	// Over: the engine's lights are on. Held: the quiet hours begin before a tender is found.
	r.call(s, "quiet", "PUT", settings, admin, object{"quiet_from": "00:00", "quiet_to": "23:59", "version": 2})
	watch(30*time.Second, scene(true), parked("LADDER-9", true), parked("TENDER-9", true))
	told("finding.ended", `"not_alerting_at_incident"`)
	watch(time.Minute, scene(true), parked("LADDER-9", true), parked("TENDER-9", true))
	told("finding.held", `"held":true`)
	r.call(s, "", "GET", found, admin, nil)
	r.call(s, "open", "GET", found+"?state=open&rule=alerting_at_station", admin, nil)
	r.call(s, "ended", "GET", found+"?state=ended", admin, nil)
	r.call(s, "page", "GET", found+"?page=2&per_page=1", admin, nil)
	r.call(s, "validation_failed", "GET", found+"?rule=x", admin, nil)
	r.call(s, "not_found", "GET", found+"?org_ids[]="+nowhere, admin, nil)
	r.call(s, "found", "GET", settings, admin, nil)

	// About no asset: a provider refuses the account.
	g := providertest.NewGeotab(s.t)
	g.SetNow(s.Clock.Now)
	s.App.Outbound = *g.Outbound()
	is := g.Account()
	s.ok("POST", integrationsPath, admin, object{"provider": "geotab", "name": "County fleet", "server": is.Server, "database": is.Database,
		"user": is.User, "secret": "not " + is.Secret})
	s.must(s.App.PollIntegrations(s.t.Context()))
	for range 2 {
		watch(time.Minute, object{"type": "alert", "asset": "ENGINE-9", "on": true})
	}
	r.call(s, "account", "GET", found+"?rule=provider_silent", admin, nil)

	// About nothing but the asset: its lights are on, and it has not said for minutes where it is.
	for range 2 {
		watch(time.Minute, object{"type": "alert", "asset": "ENGINE-9", "on": true})
	}
	r.call(s, "about_nothing", "GET", found+"?rule=lights_without_position", admin, nil)
}
