package api

import (
	"net/http"

	"lightbar/internal/app"
	"lightbar/internal/wire"
)

type (
	monthlyListInput struct {
		OrgID ID `path:"orgId" format:"uuid" doc:"an organization in full reach"`
		ChangeFilter
		PageFilter
		OrgIDs OrgIDs `query:"org_ids[],explode" doc:"of these alone: the organization, and those it manages"`
		Year   int    `query:"year" doc:"from 2014; default all"`
		Month  int    `query:"month" doc:"1 to 12; default all"`
	}
	// Month is a month of an organization.
	Month struct {
		OrgID ID  `path:"orgId" format:"uuid" doc:"an organization in full reach"`
		Year  int `path:"year" doc:"from 2014"`
		Month int `path:"month" doc:"1 to 12"`
	}
	monthlyInput     struct{ Month }
	monthlyMailInput struct {
		OrgID ID `path:"orgId" format:"uuid" doc:"an organization in full reach"`
		Body  wire.MonthlyMailChoice
	}
	monthlyRowsInput struct {
		Month
		PageFilter
		Of string `query:"of" required:"true" enum:"assets,incidents,runs,closures"`
	}
)

func (s *server) monthlyRoutes() {
	reports := group{s, "Monthly reports"}
	unwrapped(reports, http.MethodGet, "listMonthlyReports", "/reports/{orgId}/organization_monthly_report_list",
		"The monthly reports of an organization and of those it manages: newest month first, then by the name of the organization. "+
			"With them, of each organization, whether the caller is mailed its reports.",
		(*monthlyListInput).query, s.app.ListMonthlyReports, http.StatusNotFound)
	read(reports, "getMonthlyReport", "/reports/{orgId}/{year}/{month}",
		"All figures of a month, and those of the month before and the year before.", (*monthlyInput).month, s.app.ReadMonthlyReport,
		http.StatusNotFound)
	do(reports, http.MethodPut, "chooseMonthlyMail", "/reports/{orgId}/mail",
		"Say whether the caller is mailed the monthly reports of an organization.", (*monthlyMailInput).choice, s.app.ChooseMonthlyMail,
		http.StatusNotFound)
	unwrapped(reports, http.MethodGet, "listMonthlyReportRows", "/reports/{orgId}/{year}/{month}/rows",
		"The rows behind the figures of a month.", (*monthlyRowsInput).query, s.app.MonthlyReportRows, http.StatusNotFound)
}

func (in *monthlyListInput) query() (q app.MonthlyQuery, err error) {
	q.OrganizationID, q.Year, q.Month, q.Page, q.PerPage = in.OrgID.String(), in.Year, in.Month, in.Page, in.PerPage
	q.OrganizationIDs = texts(in.OrgIDs)
	q.Since, err = in.since()
	return q, err
}

func (m *Month) of() app.MonthlyMonth {
	return app.MonthlyMonth{OrganizationID: m.OrgID.String(), Year: m.Year, Month: m.Month}
}

func (in *monthlyInput) month() (app.MonthlyMonth, error) { return in.of(), nil }

func (in *monthlyMailInput) choice() (app.MonthlyMailEdit, error) {
	return app.MonthlyMailEdit{OrganizationID: in.OrgID.String(), MonthlyMailChoice: in.Body}, nil
}

func (in *monthlyRowsInput) query() (app.MonthlyRowsQuery, error) {
	return app.MonthlyRowsQuery{MonthlyMonth: in.of(), Of: in.Of, Page: in.Page, PerPage: in.PerPage}, nil
}
