package contract_test

import (
	"net/url"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/testkit"
	"lightbar/internal/wire"
)

// playConsumers shows who reads the feeds of a closure, before and after the first fetch.
func playConsumers(r *recorder, s *stage, admin, closure string) {
	_, secret, err := s.App.CreateKey(s.t.Context(), access.System(), wire.KeyCreate{OrganizationID: wire.ID(s.Own.ID), Description: "Waze",
		Scopes: []string{"feeds"}})
	s.must(err)
	feeds := "/api/organizations/" + s.Own.ID + "/feeds"
	r.call(s, "not_fetched", "GET", closure, admin, nil)
	r.call(s, "", "GET", feeds, admin, nil)
	if fetched := s.Do(testkit.Request{Path: "/feeds/" + s.Own.ID + "/cifs.json", Token: secret}); fetched.Status != 200 {
		s.t.Errorf("the feed: %d %s", fetched.Status, fetched.Text)
	}
	s.must(s.App.FlushFeedLedger(s.t.Context()))
	r.call(s, "fetched", "GET", closure, admin, nil)
	r.call(s, "fetched", "GET", feeds, admin, nil)
	r.call(s, "", "GET", "/api/organizations/"+nowhere+"/feeds", admin, nil)
}

// playClosures makes closures of each mode, activates and ends one, and shows what is refused.
func playClosures(r *recorder, s *stage) {
	const path = "/api/organization/closure"
	admin := s.SignIn("administrator").AccessToken
	publishes := true
	_, err := s.App.UpdateOrganization(s.t.Context(), access.System(), s.Own.ID, wire.OrganizationWrite{IsWZDxOrg: &publishes})
	s.must(err)
	in := func(d time.Duration) string { return s.Clock.Now().Add(d).Format("2006-01-02T15:04:05.000Z") }
	line := []fleet.LatLng{{Lat: 39.7391, Lng: -75.5398}, {Lat: 39.7447, Lng: -75.5484}}
	edit := func(name, id string, body object, headers ...string) {
		request := testkit.Request{Method: "PUT", Path: path + "/" + id, Token: admin, Body: body}
		if len(headers) > 0 {
			request.Headers = map[string]string{"If-Match": headers[0]}
		}
		r.http(s, name, request)
	}
	c := s.dial(admin)
	c.subscribe(s.Own.ID, false, nil)
	c.until(nil, "confirm_subscription")

	r.call(s, "empty", "GET", path, admin, nil)
	paving := object{"uuid": "01900000-0000-7000-8000-00000000c001", "closure_type": "manual", "is_dashboard_managed": true, "is_in_service": true,
		"description": "Paving", "alert_message": "Right lane closed ahead", "direction": "N", "impacted_lanes": []int{3, 2}, "total_lanes": 3,
		"geocoded_route": line, "calculated_route": append(line[:1:1], fleet.LatLng{Lat: 39.7420, Lng: -75.5440}, line[1]), "user_route": line,
		"street_start": "Exit 5", "street_end": "Exit 7", "road_name": "I-95", "is_active": true, "start_time": nil, "end_time": in(8 * time.Hour),
		"is_wzdx_compliant": true, "external_id": "DE-95-001", "location_method": "channel-device-method", "vehicle_impact": "some-lanes-closed",
		"group_id": "I-95 spring"}
	made := testkit.Decode[object](r.t, r.call(s, "", "POST", path, admin, paving))["data"].(object)["id"].(string)
	s.ticks <- time.Time{}
	r.message("closure", messageOf(r.t, c.until(nil, `"type":"closure"`, "Paving")))
	r.call(s, "again", "POST", path, admin, paving)
	paving["description"] = "Milling"
	r.call(s, "conflict", "POST", path, admin, paving)
	r.call(s, "scheduled", "POST", path, admin, object{"description": "Bridge inspection", "direction": "S", "user_route": line,
		"is_active": false, "start_time": in(24 * time.Hour), "end_time": in(30 * time.Hour), "is_wzdx_compliant": true, "external_id": "DE-95-002",
		"location_method": "unknown", "vehicle_impact": "flagging"})
	later := testkit.Decode[object](r.t, r.call(s, "inactive", "POST", path, admin, object{"description": "Sewer", "direction": "E", "user_route": line,
		"is_in_service": false, "closure_type": "manual"}))["data"].(object)["id"].(string)
	r.call(s, "validation_failed", "POST", path, admin, object{"description": " ", "direction": "NE", "impacted_lanes": []int{0}, "is_active": true,
		"is_wzdx_compliant": true, "vehicle_impact": "some"})
	r.call(s, "validation_failed.unique", "POST", path, admin, object{"description": "Copy", "direction": "N", "user_route": line, "external_id": "DE-95-001"})
	r.call(s, "organization_not_found", "POST", path, admin, object{"description": "X", "user_route": line, "organization_id": nowhere})
	r.call(s, "", "GET", path, admin, nil)
	since := in(0)
	s.Clock.Advance(time.Second)
	r.call(s, "", "GET", path+"/"+made, admin, nil)
	r.call(s, "", "GET", path+"/"+nowhere, admin, nil)
	playConsumers(r, s, admin, path+"/"+made)
	edit("activate", later, object{"uuid": later, "is_active": true, "end_time": in(24 * time.Hour)})
	edit("deactivate", later, object{"uuid": later, "is_active": false, "end_time": nil})
	edit("validation_failed.end", later, object{"uuid": later, "is_active": true, "end_time": nil})
	edit("", made, object{"description": "Milling"}, `"1"`)
	edit("", made, object{"description": "Sweeping"}, `"1"`)
	edit("", nowhere, object{"description": "X"})
	r.call(s, "", "DELETE", path+"/"+made, admin, nil)
	s.ticks <- time.Time{}
	r.message("closure.deleted", messageOf(r.t, c.until(nil, `"type":"closure"`, `"is_deleted":true`)))
	r.call(s, "", "DELETE", path+"/"+made, admin, nil)
	r.call(s, "since", "GET", path+"?last_updated_timestamp="+url.QueryEscape(since), admin, nil)
	undo := func(name, id string, version int) {
		r.call(s, name, "POST", path+"/"+id+"/undo", admin, object{"version": version})
	}
	r.call(s, "closures", "GET", "/api/organization/undo", admin, nil)
	undo("", made, 3)
	undo("conflict", made, 3)
	undo("deleted", made, 4)
	undo("", nowhere, 1)
	r.call(s, "forbidden", "POST", path, s.SignIn("viewer").AccessToken, paving)
	playNights(r, s, admin, line)
	playQuestions(r, s, line)
	s.playBoard(r, path, line)
}

// playNights makes a closure that comes again, checks another against it, and answers the question whether it still stands.
func playNights(r *recorder, s *stage, admin string, line []fleet.LatLng) {
	const path = "/api/organization/closure"
	nights := object{"days": []int{1, 2, 3, 4, 5, 6, 7}, "start": "04:30", "minutes": 480, "from": "2026-11-20", "until": "2027-02-20",
		"except": []string{"2026-12-24"}, "timezone": "America/New_York"}
	work := object{"description": "Night work", "direction": "N", "user_route": line, "recurrence": nights, "is_wzdx_compliant": true,
		"external_id": "DE-95-009", "location_method": "unknown", "vehicle_impact": "flagging"}
	made := testkit.Decode[object](r.t, r.call(s, "nights", "POST", path, admin, work))["data"].(object)["id"].(string)
	work["external_id"] = "DE-95-010"
	r.call(s, "", "POST", path+"/check", admin, work)
	work["road_name"], work["alert_message"], work["total_lanes"], work["impacted_lanes"] = "I-95", "Lanes closed at night", 2, []int{1}
	r.call(s, "ready", "POST", path+"/check", admin, work)
	r.call(s, "nothing", "POST", path+"/check", admin, object{"description": "Elsewhere", "direction": "N",
		"user_route": []fleet.LatLng{{Lat: 38.9, Lng: -75.5}, {Lat: 38.91, Lng: -75.5}}})
	work["recurrence"] = object{"days": []int{8}, "start": "9", "minutes": 0, "from": "", "until": "", "except": []string{"x"}, "timezone": "Mars"}
	r.call(s, "validation_failed", "POST", path+"/check", admin, work)
	r.call(s, "validation_failed.nights", "PUT", path+"/"+made, admin, object{"recurrence": object{"days": "all"}})
	s.Clock.Advance(4 * time.Hour)
	s.must(s.App.RunClosures(s.t.Context()))
	admin = s.SignIn("administrator").AccessToken
	r.call(s, "asked", "GET", path+"/"+made, admin, nil)
	s.Clock.Advance(40 * time.Minute)
	admin = s.SignIn("administrator").AccessToken
	r.call(s, "unanswered", "GET", path+"/"+made, admin, nil)
	r.call(s, "", "POST", path+"/"+made+"/confirm", admin, object{"answer": "still"})
	r.call(s, "moved", "POST", path+"/"+made+"/confirm", admin, object{"answer": "moved"})
	r.call(s, "validation_failed", "POST", path+"/"+made+"/confirm", admin, object{"answer": "perhaps"})
	r.call(s, "", "POST", path+"/"+nowhere+"/confirm", admin, object{"answer": "moved"})
	r.call(s, "no_more", "PUT", path+"/"+made, admin, object{"recurrence": nil, "responsible_user_id": ""})
}

// playQuestions asks about closures by mail, and answers by the links.
func playQuestions(r *recorder, s *stage, line []fleet.LatLng) {
	const path, question = "/api/organization/closure", "/api/closure_question"
	b := &box{}
	s.App.Post = b
	admin := s.SignIn("administrator").AccessToken
	r.call(s, "", "GET", "/api/user/mails", admin, nil)
	r.call(s, "", "PUT", "/api/user/mails", admin, object{"own_closures": true, "other_closures": true})
	r.call(s, "forbidden", "PUT", "/api/user/mails", s.SignIn("viewer").AccessToken, object{"own_closures": true, "other_closures": true})
	ask := func(description string) (id, token string) {
		s.t.Helper()
		id = s.ok("POST", path, s.SignIn("administrator").AccessToken, object{"description": description, "direction": "N", "user_route": line, "road_name": "I-95",
			"street_start": "Exit 5", "street_end": "Exit 7", "is_active": true, "end_time": s.Clock.Now().Add(48 * time.Hour)})["id"].(string)
		s.Clock.Advance(4 * time.Hour)
		s.must(s.App.RunClosures(s.t.Context()))
		return id, s.letter(b)
	}
	look := func(name, token string) { r.call(s, name, "POST", question, "", object{"token": token}) }
	answer := func(name, token, answer string) {
		r.call(s, name, "POST", question+"/answer", "", object{"token": token, "answer": answer})
	}
	_, token := ask("Paving")
	look("", token)
	answer("", token, "perhaps")
	answer("still", token, "still")
	s.Clock.Advance(time.Minute)
	answer("again", token, "finished")
	_, token = ask("Milling")
	answer("finished", token, "finished")
	id, token := ask("Grinding")
	manager := s.SignIn("manager").AccessToken
	s.ok("POST", path+"/"+id+"/confirm", manager, object{"answer": "still"})
	answer("late", token, "finished")
	id, token = ask("Sweeping")
	s.Clock.Advance(90 * time.Minute)
	look("unanswered", token)
	s.Do(testkit.Request{Method: "DELETE", Path: path + "/" + id, Token: s.SignIn("administrator").AccessToken})
	look("deleted", token)
	look("", "lb_clq_x")
	answer("", "lb_clq_x", "still")
	role := s.Users["administrator"].RoleID
	s.set("app_user", s.Users["administrator"].ID, "role_id", s.Users["viewer"].RoleID)
	look("", token)
	answer("", token, "still")
	s.set("app_user", s.Users["administrator"].ID, "role_id", role)
}

// playBoard lets an arrow board drive a closure: on, and silent for nine hours.
func (s *stage) playBoard(r *recorder, path string, line []fleet.LatLng) {
	admin := s.SignIn("administrator").AccessToken
	c := s.dial(admin)
	c.subscribe(s.Own.ID, false, nil)
	c.until(nil, "confirm_subscription")
	board, err := s.App.RegisterThing(s.t.Context(), access.System(), app.NewThing{OrganizationID: s.Own.ID, SystemName: "HA5-00777", Type: "arrow_board", DeviceType: "ha5"})
	s.must(err)
	driven := testkit.Decode[object](r.t, r.call(s, "automated", "POST", path, admin, object{"closure_type": "automated", "thing_id": board.ID,
		"description": "Mobile patching", "direction": "N", "user_route": line}))["data"].(object)["id"].(string)
	r.call(s, "thing_not_found", "POST", path, admin, object{"closure_type": "automated", "thing_id": nowhere, "description": "X", "direction": "N", "user_route": line})
	device := &access.Actor{KeyID: "key", KeyScopes: access.AllScopes(), OrganizationID: s.Own.ID}
	turn := func(on bool, asset string) {
		_, err := s.App.RecordPoints(s.t.Context(), device, app.ReportBatch{Reports: []fleet.Report{{Kind: fleet.ReportClosure, Asset: "HA5-00777",
			At: fleet.InstantOf(s.Clock.Now()), HasAlerting: true, Alerting: on, Pattern: "right-arrow-flashing"}}})
		s.must(err)
		s.ticks <- time.Time{}
		said := messageOf(r.t, c.until(nil, `"live"`, board.ID))
		if asset != "" {
			r.message(asset, said)
		}
	}
	turn(true, "heartbeat.board_on")
	r.message("closure.automated", messageOf(r.t, c.until(nil, `"type":"closure"`, driven, `"is_active":true`)))
	s.Clock.Advance(time.Minute)
	turn(false, "heartbeat.board_off")
	s.Clock.Advance(time.Minute)
	turn(true, "")
	s.Clock.Advance(9 * time.Hour)
	silent, err := s.App.Closures.Read(s.t.Context(), access.System(), driven)
	s.must(err)
	if silent.IsActive || silent.EndReason != "silent" {
		s.t.Errorf("after 9 hours of silence %+v", silent)
	}
}
