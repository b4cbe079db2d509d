package contract_test

import (
	"context"
	"time"

	"lightbar/internal/testkit"
)

// playExports asks for exports, follows one on the stream until its file is there, cancels one and deletes one.
//
// spec: 4.export.01 7.export.01 7.export.02 7.export.03 7.export.04 7.export.05 7.report.04
func playExports(r *recorder, s *stage) {
	const path, links = "/api/organization/export", "/api/reports/organization_monthly_report_pdf_link?is_downloadable=true&filename="
	admin := s.SignIn("administrator").AccessToken
	asset := s.ok("POST", "/api/things", admin, object{"haas_id": "E-4", "nickname": "Engine 4", "thing_type_id": "fire"})["id"].(string)
	from := s.Clock.Now()
	for range 3 {
		s.Clock.Advance(20 * time.Second)
		s.report(object{"type": "point", "asset": "E-4", "at": instantOf(s.Clock.Now()), "lat": 39.7447, "lng": -75.5484, "speed": 11, "alerting": true})
	}
	s.Clock.Advance(time.Minute)
	asked := func(kind string, with object) object {
		body := object{"export_type": kind, "title": kind + " Exports 21-Nov-2026", "export_start_time": instantOf(from), "export_end_time": instantOf(s.Clock.Now())}
		for name, value := range with {
			body[name] = value
		}
		return body
	}
	r.call(s, "empty", "GET", path, admin, nil)
	points := asked("point", object{"id": "01900000-0000-7000-8000-00000000e001", "thing_uuids": []string{asset}, "formats": []string{"csv", "geojson"}})
	r.call(s, "", "POST", path+"/estimate", admin, points)
	r.call(s, "asset", "POST", path+"/estimate", admin, asked("asset", nil))
	r.call(s, "", "POST", path+"/estimate", admin, asked("point", nil))
	id := testkit.Decode[object](r.t, r.call(s, "", "POST", path, admin, points))["data"].(object)["id"].(string)
	r.call(s, "again", "POST", path, admin, points)
	points["title"] = "Another"
	r.call(s, "conflict", "POST", path, admin, points)
	r.call(s, "incident", "POST", path, admin, asked("incident", object{"include_no_thing_il": true, "use_utc": true}))
	r.call(s, "closure", "POST", path, admin, asked("closure", object{"closures_to_include": []string{"manual", "automated"}}))
	canceled := testkit.Decode[object](r.t, r.call(s, "asset", "POST", path, admin, asked("asset", nil)))["data"].(object)["id"].(string)
	r.call(s, "", "POST", path, admin, object{"export_type": "point", "title": " ", "formats": []string{"pdf"}})
	r.call(s, "validation_failed.range", "POST", path, admin, asked("closure", object{"export_start_time": instantOf(from.AddDate(0, 0, -32))}))
	r.call(s, "organization_not_found", "POST", path, admin, asked("asset", object{"organization_id": nowhere}))
	r.call(s, "not_found", "GET", path+"?org_ids[]="+s.Foreign.ID, admin, nil)
	r.call(s, "", "POST", path+"/"+canceled+"/cancel", admin, nil)
	r.call(s, "conflict", "POST", path+"/"+canceled+"/cancel", admin, nil)
	r.call(s, "", "POST", path+"/"+nowhere+"/cancel", admin, nil)
	c := s.dial(admin)
	c.subscribe(s.Own.ID, false, nil)
	c.until(nil, "confirm_subscription")
	must(r.t, s.App.MakeExports(context.Background()))
	s.ticks <- time.Time{}
	r.message("export.completed", messageOf(r.t, c.until(nil, `"type":"export"`, id)))
	r.call(s, "", "GET", path, admin, nil)
	r.call(s, "", "GET", path+"/"+id, admin, nil)
	r.call(s, "", "GET", path+"/"+nowhere, admin, nil)
	r.call(s, "", "GET", links+id+".csv", admin, nil)
	r.call(s, "", "GET", links+nowhere+".csv", admin, nil)
	r.call(s, "forbidden", "GET", path, s.SignIn("operator").AccessToken, nil)
	r.call(s, "forbidden", "POST", path, s.SignIn("operator").AccessToken, asked("asset", nil))
	r.call(s, "", "DELETE", path+"/"+id, s.SignIn("manager").AccessToken, nil)
	r.call(s, "", "DELETE", path+"/"+id, admin, nil)
	r.call(s, "", "DELETE", path+"/"+id, admin, nil)
	s.ticks <- time.Time{}
	r.message("export.deleted", messageOf(r.t, c.until(nil, `"type":"export"`, `"is_deleted":true`)))
}
