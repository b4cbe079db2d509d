package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// MonthlyQuery requests the monthly reports of an organization and of those that it manages.
type MonthlyQuery struct {
	Rows           // OrganizationIDs: only of these; none = of all
	OrganizationID string
	Year, Month    int // 0 = any
}

// MonthlyMonth identifies a month of an organization.
type MonthlyMonth struct {
	OrganizationID string
	Year, Month    int
}

// MonthlyRowsQuery requests a page of the rows behind a monthly report.
type MonthlyRowsQuery struct {
	MonthlyMonth
	Of            string // fleet.MonthlyRowsAssets and so on
	Page, PerPage int
}

func (a *App) monthlyWire(m *fleet.MonthlyReport) wire.MonthlyReport {
	of, _ := a.Live.Organization(m.OrganizationID)
	return wire.MonthlyReport{ID: m.ID, FileID: m.ID, OrganizationID: m.OrganizationID, OrganizationName: of.Name,
		Year: m.Year, Month: m.Month,
		TimeZone: m.TimeZone, StartAt: m.StartAt, EndAt: m.EndAt, MadeAt: m.MadeAt,
		FinalAt: fleet.MonthIn(m.Year, m.Month, zoneOf(m.TimeZone)).FinalAt(), Version: m.Version, UpdatedAt: m.UpdatedAt}
}

// lawOfMonth notes years and months for which there can be no report; 0 means not given.
func lawOfMonth(year, month int, now fleet.Instant) error {
	wrong := map[string]string{}
	if newest := now.Time().Year(); year != 0 && (year < fleet.MonthlyFirstYear() || year > newest) {
		wrong["year"] = fmt.Sprintf("Must be a year from %d to %d", fleet.MonthlyFirstYear(), newest)
	}
	if month < 0 || month > 12 {
		wrong["month"] = "Must be a month from 1 to 12"
	}
	if len(wrong) > 0 {
		return fleet.RefuseFields(wrong)
	}
	return nil
}

// ListMonthlyReports returns the monthly reports of an organization in full reach and of those that it manages: by year and month,
// newest first, then by the name of the organization; and whose reports the caller gets by mail. Requires VIEW_REPORTS. Refusals:
// not_found, validation_failed.
func (a *App) ListMonthlyReports(ctx context.Context, actor *access.Actor, q MonthlyQuery) (out wire.MonthlyReports, err error) {
	if err := actor.Must("VIEW_REPORTS"); err != nil {
		return out, err
	}
	if !readsMonthly(actor, q.OrganizationID) {
		return out, fleet.Refuse("not_found", "orgId", "Organization not found")
	}
	if err := lawOfMonth(q.Year, q.Month, a.now()); err != nil {
		return out, err
	}
	page, perPage := fleet.Page(q.Page, q.PerPage)
	asOf, since := a.Live.AsOfStored(q.Since)
	var rows []wire.MonthlyReport
	err = a.Store.Read(ctx, func(r store.Reader) error {
		organizations, err := a.monthlyOrganizations(ctx, r, actor, q)
		if err != nil {
			return err
		}
		if out.Mail, err = a.monthlyMailOf(ctx, r, actor, organizations); err != nil {
			return err
		}
		for _, id := range organizations {
			found, err := store.MonthlyReportsOf(ctx, r, id, since)
			if err != nil {
				return err
			}
			for i := range found {
				if m := &found[i]; (q.Year == 0 || m.Year == q.Year) && (q.Month == 0 || m.Month == q.Month) {
					rows = append(rows, a.monthlyWire(&m.MonthlyReport))
				}
			}
		}
		return nil
	})
	slices.SortFunc(rows, func(x, y wire.MonthlyReport) int {
		return cmp.Or(y.Year-x.Year, y.Month-x.Month, strings.Compare(strings.ToLower(x.OrganizationName), strings.ToLower(y.OrganizationName)),
			strings.Compare(x.FileID, y.FileID))
	})
	slices.SortFunc(out.Mail, func(x, y wire.MonthlyMail) int {
		return cmp.Or(strings.Compare(strings.ToLower(x.OrganizationName), strings.ToLower(y.OrganizationName)),
			strings.Compare(x.OrganizationID, y.OrganizationID))
	})
	out.Meta = wire.Meta{Page: page, PerPage: perPage, AsOf: asOf, Total: len(rows)}
	first := min(len(rows), (page-1)*perPage)
	out.Data, out.Mail = listed(rows[first:min(len(rows), first+perPage)]), listed(out.Mail)
	return out, err
}

// monthlyOrganizations returns an organization and those that it manages, or the requested ones of these.
func (a *App) monthlyOrganizations(ctx context.Context, r store.Reader, actor *access.Actor, q MonthlyQuery) ([]string, error) {
	all := []string{q.OrganizationID}
	relations, err := store.RelationsOf(ctx, r, q.OrganizationID)
	if err != nil {
		return nil, err
	}
	for _, of := range relations {
		if of.OtherID == q.OrganizationID && of.Kind == fleet.RelationManager && actor.Reach(of.OrganizationID) == access.Full {
			all = append(all, of.OrganizationID)
		}
	}
	if len(q.OrganizationIDs) == 0 {
		return all, nil
	}
	var asked []string
	for _, id := range q.OrganizationIDs {
		if !slices.Contains(all, id) {
			return nil, fleet.Refuse("not_found", "org_ids[]", "Organization not found")
		}
		if !slices.Contains(asked, id) {
			asked = append(asked, id)
		}
	}
	return asked, nil
}

func refuseMonthly() error { return fleet.Refuse("not_found", "", "Report not found") }

// seenMonthly reads the report of a month, without its figures, of an organization in full reach.
func (a *App) seenMonthly(ctx context.Context, r store.Reader, actor *access.Actor, q MonthlyMonth) (store.MonthlyReport, error) {
	if !readsMonthly(actor, q.OrganizationID) {
		return store.MonthlyReport{}, refuseMonthly()
	}
	if err := lawOfMonth(cmp.Or(q.Year, -1), cmp.Or(q.Month, -1), a.now()); err != nil {
		return store.MonthlyReport{}, err
	}
	m, err := store.MonthlyReportOf(ctx, r, q.OrganizationID, q.Year, q.Month)
	if errors.Is(err, store.ErrNotFound) {
		err = refuseMonthly()
	}
	return m, err
}

// ReadMonthlyReport returns the report of a month with all of its figures, and those of the month before and of the same month of
// the year before. Requires VIEW_REPORTS and full reach. Refusals: not_found, validation_failed.
func (a *App) ReadMonthlyReport(ctx context.Context, actor *access.Actor, q MonthlyMonth) (out wire.MonthlyReportWhole, err error) {
	if err := actor.Must("VIEW_REPORTS"); err != nil {
		return out, err
	}
	err = a.Store.Read(ctx, func(r store.Reader) error {
		m, err := a.seenMonthly(ctx, r, actor, q)
		if err != nil {
			return err
		}
		if out, err = a.wholeMonthly(ctx, r, &m.MonthlyReport); err != nil || actor.UserID == "" {
			return err
		}
		asked, err := store.MonthlyMailOf(ctx, r, actor.UserID, m.OrganizationID)
		out.Mail = asked.Wanted
		return err
	})
	return out, err
}

// wholeMonthly reads the figures of a report and of those that it is compared with.
func (a *App) wholeMonthly(ctx context.Context, r store.Reader, m *fleet.MonthlyReport) (out wire.MonthlyReportWhole, err error) {
	out.MonthlyReport = a.monthlyWire(m)
	if out.Figures, err = store.MonthlyFigures(ctx, r, m.ID); err != nil {
		return out, err
	}
	month := fleet.MonthIn(m.Year, m.Month, zoneOf(m.TimeZone))
	if out.PreviousMonth, err = figuresOf(ctx, r, m.OrganizationID, month.Back(1)); err != nil {
		return out, err
	}
	out.PreviousYear, err = figuresOf(ctx, r, m.OrganizationID, month.Back(12))
	return out, err
}

// figuresOf reads the figures of an organization's month, nil = there is no report.
func figuresOf(ctx context.Context, r store.Reader, organizationID string, month fleet.Month) (*fleet.MonthlyFigures, error) {
	m, err := store.MonthlyReportOf(ctx, r, organizationID, month.Year, month.Month)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	figures, err := store.MonthlyFigures(ctx, r, m.ID)
	return &figures, err
}

// MonthlyReportRows returns a page of the rows behind the report of a month. Requires VIEW_REPORTS and full reach. Refusals:
// not_found, validation_failed.
func (a *App) MonthlyReportRows(ctx context.Context, actor *access.Actor, q MonthlyRowsQuery) (out wire.MonthlyRows, err error) {
	if err := actor.Must("VIEW_REPORTS"); err != nil {
		return out, err
	}
	page, perPage := fleet.Page(q.Page, q.PerPage)
	defer func() {
		out.Assets, out.Incidents, out.Runs, out.Closures = listed(out.Assets), listed(out.Incidents), listed(out.Runs), listed(out.Closures)
	}()
	err = a.Store.Read(ctx, func(r store.Reader) error {
		m, err := a.seenMonthly(ctx, r, actor, q.MonthlyMonth)
		if err != nil {
			return err
		}
		out.Meta = wire.Meta{Page: page, PerPage: perPage, AsOf: m.UpdatedAt}
		skip := (page - 1) * perPage
		switch q.Of {
		case fleet.MonthlyRowsAssets:
			out.Assets, out.Meta.Total, err = store.MonthlyRows[fleet.MonthlyAssetRow](ctx, r, m.ID, q.Of, skip, perPage)
		case fleet.MonthlyRowsIncidents:
			out.Incidents, out.Meta.Total, err = store.MonthlyRows[fleet.MonthlyIncidentRow](ctx, r, m.ID, q.Of, skip, perPage)
		case fleet.MonthlyRowsRuns:
			out.Runs, out.Meta.Total, err = store.MonthlyRows[fleet.MonthlyRunRow](ctx, r, m.ID, q.Of, skip, perPage)
		case fleet.MonthlyRowsClosures:
			out.Closures, out.Meta.Total, err = store.MonthlyRows[fleet.MonthlyClosureRow](ctx, r, m.ID, q.Of, skip, perPage)
		default:
			return fleet.Refuse("validation_failed", "of", "Must be assets, incidents, runs or closures")
		}
		return err
	})
	return out, err
}
