package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"lightbar/catalog"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/store/points"
	"lightbar/internal/wire"
)

var monthsBack = int(catalog.LimitInt("monthly", "backMonths"))

// monthly remembers months about which nothing is known, so that they are not checked every minute. The zero value works.
type monthly struct {
	mu     sync.Mutex // only one caller at a time makes reports
	nobody map[nobody]fleet.Instant
}

type nobody struct {
	organization string
	year, month  int
}

// MakeMonthlyReports makes the reports that are due: for the month that has ended, at 3 o'clock in the organization's time zone,
// and again each day while late reports of devices may change it; and for earlier months that have none. A report that a stopped
// server had not made stays due: which month a report covers does not depend on when it is made. The first version of the last
// month's report is mailed to the people who requested it.
func (a *App) MakeMonthlyReports(ctx context.Context) error {
	a.monthly.mu.Lock()
	defer a.monthly.mu.Unlock()
	if err := a.countFromNow(ctx); err != nil {
		return err
	}
	organizations, err := store.ListOrganizations(ctx, a.Store.Reader())
	if err != nil {
		return err
	}
	var failed error
	for i := range organizations {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		of := &organizations[i]
		if err := errors.Join(a.makeMonthlyReportsOf(ctx, of), a.mailMonthlyReports(ctx, of)); err != nil {
			failed = errors.Join(failed, fmt.Errorf("organization %s: %w", of.ID, err)) // the other organizations do not wait for it
		}
	}
	return failed
}

// countFromNow notes since when refused reports and readers of feeds are counted: before that, a count of zero means nothing.
func (a *App) countFromNow(ctx context.Context) error {
	since, err := store.RefusedSince(ctx, a.Store.Reader())
	if err != nil || since != 0 {
		return err
	}
	return a.Store.Write(ctx, func(tx *store.Tx) error { return tx.CountRefusedSince(ctx, a.now()) })
}

func (a *App) makeMonthlyReportsOf(ctx context.Context, of *fleet.Organization) error {
	made, err := store.MonthlyReportsOf(ctx, a.Store.Reader(), of.ID, 0)
	if err != nil {
		return err
	}
	for i := range monthsBack {
		month := fleet.LastMonth(a.now(), zoneOf(of.Timezone)).Back(i)
		key := nobody{of.ID, month.Year, month.Month}
		last := a.monthly.nobody[key]
		var old *store.MonthlyReport
		for j := range made {
			if made[j].Year == month.Year && made[j].Month == month.Month { // it stays a month in the time zone for which it was made
				old, last = &made[j], made[j].CheckedAt
				month = fleet.MonthIn(month.Year, month.Month, zoneOf(old.TimeZone))
			}
		}
		if month.Year < fleet.MonthlyFirstYear() || !month.IsDue(last, a.now()) {
			continue
		}
		is, err := a.makeMonthlyReport(ctx, of, month, old)
		if err != nil {
			return err
		}
		if !is {
			if a.monthly.nobody == nil {
				a.monthly.nobody = map[nobody]fleet.Instant{}
			}
			a.monthly.nobody[key] = a.now()
		}
	}
	return nil
}

func zoneOf(name string) *time.Location {
	zone, err := time.LoadLocation(name)
	if err != nil || name == "" {
		return time.UTC
	}
	return zone
}

// monthlyMaker makes the report of one month of an organization.
type monthlyMaker struct {
	*App
	of      *fleet.Organization
	month   fleet.Month
	now     fleet.Instant
	since   fleet.Instant // since when refused reports and readers of feeds are counted
	sums    *fleet.MonthlySums
	assets  map[string]*monthlyAsset
	damaged map[points.Block]bool
}

// makeMonthlyReport makes a report, or makes it again. false: nothing is known about the month, and there is no report.
func (a *App) makeMonthlyReport(ctx context.Context, of *fleet.Organization, month fleet.Month, old *store.MonthlyReport) (bool, error) {
	m := &monthlyMaker{App: a, of: of, month: month, now: a.now(), sums: fleet.NewMonthlySums(month),
		assets: map[string]*monthlyAsset{}, damaged: map[points.Block]bool{}}
	var err error
	if m.since, err = store.RefusedSince(ctx, a.Store.Reader()); err != nil {
		return false, err
	}
	for _, add := range []func(context.Context) error{m.drives, m.incidents, m.closures, m.stations, m.feeds} {
		if err := add(ctx); err != nil {
			return false, err
		}
	}
	m.sums.Damaged = len(m.damaged)
	// A month of silent assets is a fact; a month before any data is not.
	if old == nil && m.sums.IsEmpty() && (len(m.sums.Assets) == 0 || m.now >= month.FinalAt()) {
		return false, nil
	}
	last := fleet.LastMonth(m.now, month.Zone)
	next := store.MonthlyReport{CheckedAt: m.now, ToMail: month.Year == last.Year && month.Month == last.Month,
		MonthlyReport: fleet.MonthlyReport{ID: a.NewID(), OrganizationID: of.ID, Year: month.Year, Month: month.Month,
			TimeZone: month.Zone.String(), StartAt: month.Start, EndAt: month.End, Figures: m.sums.Figures()}}
	rows, err := m.rows()
	if err != nil {
		return false, err
	}
	if next.State, err = stateOf(&next.Figures, rows); err != nil {
		return false, err
	}
	return true, a.saveMonthlyReport(ctx, &next, rows)
}

// rows are the rows behind the figures, each as JSON.
func (m *monthlyMaker) rows() (map[string][]json.RawMessage, error) {
	out := map[string][]json.RawMessage{}
	return out, errors.Join(
		encodeRows(out, fleet.MonthlyRowsAssets, m.sums.Assets), encodeRows(out, fleet.MonthlyRowsIncidents, m.sums.Incidents),
		encodeRows(out, fleet.MonthlyRowsRuns, m.sums.Runs), encodeRows(out, fleet.MonthlyRowsClosures, m.sums.Closures))
}

func encodeRows[Row any](out map[string][]json.RawMessage, kind string, rows []Row) error {
	for i := range rows {
		text, err := json.Marshal(&rows[i])
		if err != nil {
			return err
		}
		out[kind] = append(out[kind], text)
	}
	return nil
}

// monthlyKinds are the kinds of rows, in the order in which they are hashed.
var monthlyKinds = []string{fleet.MonthlyRowsAssets, fleet.MonthlyRowsIncidents, fleet.MonthlyRowsRuns, fleet.MonthlyRowsClosures}

// stateOf is a hash of the whole content of a report.
func stateOf(figures *fleet.MonthlyFigures, rows map[string][]json.RawMessage) (string, error) {
	sum := sha256.New()
	if err := json.NewEncoder(sum).Encode(figures); err != nil {
		return "", err
	}
	for _, kind := range monthlyKinds {
		for _, row := range rows[kind] {
			sum.Write(row)
			sum.Write([]byte{'\n'})
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// saveMonthlyReport writes a report and publishes it; if its content is unchanged, the stored one stays.
func (a *App) saveMonthlyReport(ctx context.Context, next *store.MonthlyReport, rows map[string][]json.RawMessage) error {
	old, err := store.MonthlyReportOf(ctx, a.Store.Reader(), next.OrganizationID, next.Year, next.Month)
	switch {
	case err != nil && !errors.Is(err, store.ErrNotFound):
		return err
	case err == nil && old.State == next.State:
		old.CheckedAt = next.CheckedAt
		return a.Store.Write(ctx, func(tx *store.Tx) error { return tx.SaveMonthlyReport(ctx, &old, nil) })
	case err == nil:
		next.ID, next.Version, next.ToMail = old.ID, old.Version, old.ToMail
	}
	next.Version++
	next.MadeAt = next.CheckedAt
	return a.Change(ctx, func(c *live.Change, tx *store.Tx) error {
		next.UpdatedAt = a.StampOf(c)
		if err := tx.SaveMonthlyReport(ctx, next, rows); err != nil {
			return err
		}
		if c != nil {
			row := wire.EncodeRow(fleet.MessageReport, a.monthlyWire(&next.MonthlyReport))
			tell(c, fleet.MessageReport, next.ID, []string{next.OrganizationID}, row)
		}
		return nil
	})
}
