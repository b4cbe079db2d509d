package contract_test

import (
	"context"
	"encoding/json"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/testkit"
	"lightbar/internal/wire"
)

// playReports lets two months end, and reads their reports: the list, the figures, the rows, the file.
//
// spec: 7.report.01 7.report.02 7.report.03 5.report.01 3.report.01
func playReports(r *recorder, s *stage) {
	reports := "/api/reports/" + s.Own.ID
	const links = "/api/reports/organization_monthly_report_pdf_link?filename="
	admin := s.SignIn("administrator").AccessToken
	r.call(s, "empty", "GET", reports+"/organization_monthly_report_list", admin, nil)
	r.call(s, "", "PUT", reports+"/mail", admin, object{"mail": true})
	r.call(s, "not_found", "PUT", "/api/reports/"+s.Foreign.ID+"/mail", admin, object{"mail": true})
	r.call(s, "validation_failed", "PUT", reports+"/mail", admin, object{"mail": "monthly"})
	must(r.t, s.App.MakeMonthlyReports(context.Background())) // the month has not ended
	r.call(s, "not_found", "GET", reports+"/2026/11", admin, nil)
	for _, name := range []string{"E-4", "E-5"} {
		s.ok("POST", "/api/things", admin, object{"haas_id": name, "nickname": "Engine " + name[2:], "thing_type_id": "fire"})
	}
	publishes := true
	_, err := s.App.UpdateOrganization(s.t.Context(), access.System(), s.Own.ID, wire.OrganizationWrite{IsWZDxOrg: &publishes})
	s.must(err)
	monthOf(s, admin)
	admin = upTo(s, time.Date(2026, 11, 30, 23, 40, 0, 0, time.UTC))
	stay(s)
	admin = upTo(s, time.Date(2026, 12, 2, 12, 0, 0, 0, time.UTC))
	c := s.dial(admin)
	c.subscribe(s.Own.ID, false, nil)
	c.until(nil, "confirm_subscription")
	must(r.t, s.App.MakeMonthlyReports(context.Background()))
	s.ticks <- time.Time{}
	r.message("report.made", messageOf(r.t, c.until(nil, `"type":"report"`)))
	list := r.call(s, "", "GET", reports+"/organization_monthly_report_list", admin, nil)
	id := testkit.Decode[object](r.t, list)["data"].([]any)[0].(object)["file_id"].(string)
	r.call(s, "month", "GET", reports+"/organization_monthly_report_list?year=2026&month=11", admin, nil)
	r.call(s, "validation_failed", "GET", reports+"/organization_monthly_report_list?year=2013&month=13", admin, nil)
	r.call(s, "not_found", "GET", "/api/reports/"+s.Foreign.ID+"/organization_monthly_report_list", admin, nil)
	r.call(s, "first", "GET", reports+"/2026/11", admin, nil)
	r.call(s, "validation_failed", "GET", reports+"/2026/13", admin, nil)
	for _, of := range []string{"assets", "incidents", "runs", "closures"} {
		r.call(s, of, "GET", reports+"/2026/11/rows?of="+of, admin, nil)
	}
	r.call(s, "validation_failed", "GET", reports+"/2026/11/rows?of=points", admin, nil)
	r.call(s, "not_found", "GET", reports+"/2026/10/rows?of=assets", admin, nil)
	r.call(s, "report", "GET", links+id, admin, nil)
	r.call(s, "forbidden", "GET", reports+"/organization_monthly_report_list", s.SignIn("operator").AccessToken, nil)
	admin = upTo(s, time.Date(2027, 1, 2, 12, 0, 0, 0, time.UTC))
	must(r.t, s.App.MakeMonthlyReports(context.Background()))
	r.call(s, "", "GET", reports+"/2026/12", admin, nil)
	r.call(s, "counted", "GET", reports+"/2026/12/rows?of=assets", admin, nil)
	s.must(s.App.Store.Write(s.t.Context(), func(tx *store.Tx) error { // a year ago
		at := fleet.MonthIn(2025, 12, time.UTC)
		return tx.SaveMonthlyReport(s.t.Context(), &store.MonthlyReport{MonthlyReport: fleet.MonthlyReport{ID: s.App.NewID(), OrganizationID: s.Own.ID,
			Year: 2025, Month: 12, TimeZone: "UTC", StartAt: at.Start, EndAt: at.End, Version: 1, Figures: fleet.NewMonthlySums(at).Figures()}},
			map[string][]json.RawMessage{})
	}))
	r.call(s, "year", "GET", reports+"/2026/12", admin, nil)
}

// upTo lets time pass and signs the administrator in again.
func upTo(s *stage, at time.Time) (admin string) {
	s.Clock.Advance(at.Sub(s.Clock.Now()))
	return s.SignIn("administrator").AccessToken
}

// monthOf lets a month have something of everything.
func monthOf(s *stage, admin string) {
	point := func(asset string, lat float64, alerting bool) {
		s.Clock.Advance(20 * time.Second)
		s.report(object{"type": "point", "asset": asset, "lat": lat, "lng": -75.5484, "speed": 11, "accuracy": 4, "alerting": alerting})
	}
	for i := range 40 {
		point("E-4", 39.7447+float64(i)/500, i < 30)
	}
	for range 6 { // it arrives, and stands
		point("E-4", 39.9, true)
	}
	point("E-4", 39.95, false)
	types := map[string]any{}
	for _, t := range testkit.Decode[object](s.t, s.Do(testkit.Request{Path: "/api/ez_types", Token: admin}))["data"].([]any) {
		types[t.(object)["db_name"].(string)] = t.(object)["id"]
	}
	s.ok("POST", "/api/organization/exclusion_zone", admin, object{"name": "Station 4", "ez_type_id": types["station"], "point_geom": object{"lat": 40.1, "lon": -75.5484}})
	for range 3 {
		point("E-4", 40.1, false)
	}
	line := []object{{"lat": 39.7447, "lng": -75.5484}, {"lat": 39.75, "lng": -75.5484}}
	in := func(d time.Duration) string { return instantOf(s.Clock.Now().Add(d)) }
	for _, until := range []time.Duration{2 * time.Hour, 24 * 20 * time.Hour} {
		s.ok("POST", "/api/organization/closure", admin, object{"description": "Paving", "direction": "N", "user_route": line, "is_active": true,
			"end_time": in(until)})
	}
	_, secret, err := s.App.CreateKey(s.t.Context(), access.System(), wire.KeyCreate{OrganizationID: wire.ID(s.Own.ID), Description: "Waze",
		Scopes: []string{"feeds"}})
	s.must(err)
	if fetched := s.Do(testkit.Request{Path: "/feeds/" + s.Own.ID + "/cifs.json", Token: secret}); fetched.Status != 200 {
		s.t.Fatalf("%d %s", fetched.Status, fetched.Text)
	}
	s.must(s.App.FlushFeedLedger(context.Background()))
	s.shown()
}

// stay lets an asset say that it is on scene and stay there: it has driven with no lights on, and does not leave.
func stay(s *stage) {
	s.report(object{"type": "point", "asset": "E-5", "lat": 39.8, "lng": -75.4, "speed": 0, "accuracy": 4, "alerting": false})
	s.Clock.Advance(20 * time.Second)
	s.report(object{"type": "on_scene", "asset": "E-5"})
}
