package contract_test

import (
	"context"
	"time"

	"lightbar/internal/testkit"
)

// playReports lets a month end, and reads its report: the list, the figures, the rows, the file.
//
// spec: 7.report.01 7.report.02 7.report.03 5.report.01 3.report.01
func playReports(r *recorder, s *stage) {
	reports := "/api/reports/" + s.Own.ID
	const links = "/api/reports/organization_monthly_report_pdf_link?filename="
	admin := s.SignIn("administrator").AccessToken
	s.ok("POST", "/api/things", admin, object{"haas_id": "E-4", "nickname": "Engine 4", "thing_type_id": "fire"})
	r.call(s, "empty", "GET", reports+"/organization_monthly_report_list", admin, nil)
	for i := range 40 {
		s.Clock.Advance(20 * time.Second)
		s.report(object{"type": "point", "asset": "E-4", "at": instantOf(s.Clock.Now()), "lat": 39.7447 + float64(i)/500, "lng": -75.5484,
			"speed": 11, "accuracy": 4, "alerting": i < 30})
	}
	must(r.t, s.App.MakeMonthlyReports(context.Background())) // the month has not ended
	r.call(s, "not_found", "GET", reports+"/2026/11", admin, nil)
	s.Clock.Advance(time.Date(2026, 12, 2, 12, 0, 0, 0, time.UTC).Sub(s.Clock.Now()))
	admin = s.SignIn("administrator").AccessToken
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
	r.call(s, "", "GET", reports+"/2026/11", admin, nil)
	r.call(s, "validation_failed", "GET", reports+"/2026/13", admin, nil)
	for _, of := range []string{"assets", "incidents", "runs", "closures"} {
		r.call(s, of, "GET", reports+"/2026/11/rows?of="+of, admin, nil)
	}
	r.call(s, "validation_failed", "GET", reports+"/2026/11/rows?of=points", admin, nil)
	r.call(s, "not_found", "GET", reports+"/2026/10/rows?of=assets", admin, nil)
	r.call(s, "report", "GET", links+id, admin, nil)
	r.call(s, "forbidden", "GET", reports+"/organization_monthly_report_list", s.SignIn("operator").AccessToken, nil)
}
