package app_test

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

var newYork = func() *time.Location {
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		panic(err)
	}
	return zone
}()

func inNewYork(month time.Month, day, hour int) fleet.Instant {
	return fleet.InstantOf(time.Date(2026, month, day, hour, 0, 0, 0, newYork))
}

// monthlyKit is a kit at an hour of New York, with an organization there.
func monthlyKit(t testing.TB, s *store.Store, at fleet.Instant) (*apptest.Kit, fleet.Organization) {
	t.Helper()
	k := apptest.New(t, s)
	k.Pass(at.Sub(k.At()))
	o := k.Organization("Wilmington")
	zone := newYork.String()
	if _, err := k.UpdateOrganization(t.Context(), access.System(), o.ID, wire.OrganizationWrite{Timezone: &zone}); err != nil {
		t.Fatal(err)
	}
	return k, o
}

func moveTo(k *apptest.Kit, at fleet.Instant) { k.Pass(at.Sub(k.At())) }

// monthlies makes what is due and lists what there is of an organization.
func monthlies(t testing.TB, k *apptest.Kit, organizationID string) []wire.MonthlyReport {
	t.Helper()
	if err := k.MakeMonthlyReports(context.Background()); err != nil {
		t.Fatal(err)
	}
	list, err := k.ListMonthlyReports(context.Background(), access.System(), app.MonthlyQuery{OrganizationID: organizationID})
	if err != nil {
		t.Fatal(err)
	}
	return list.Data
}

func november(t testing.TB, k *apptest.Kit, organizationID string) wire.MonthlyReportWhole {
	t.Helper()
	out, err := k.ReadMonthlyReport(context.Background(), access.System(), app.MonthlyMonth{OrganizationID: organizationID, Year: 2026, Month: 11})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func november0(organizationID, of string) app.MonthlyRowsQuery {
	return app.MonthlyRowsQuery{MonthlyMonth: app.MonthlyMonth{OrganizationID: organizationID, Year: 2026, Month: 11}, Of: of, Page: 1, PerPage: 500}
}

// drove is a drive of points each 10 s at 14 m/s, north.
func drove(asset string, from fleet.Instant, steps int, alerting bool) (out []fleet.Report) {
	for i := range steps {
		p := lit(asset, from.Add(time.Duration(i)*10*time.Second), 39.5+float64(i)*140/111_194.9)
		p.Alerting, p.HasSpeed, p.SpeedMS = alerting, true, 14
		out = append(out, p)
	}
	return out
}

// A month is reported at 3 o'clock of its zone and not before; one whose hour nobody saw is made later, of the same month;
// late reports make it anew, until 30 days are over. Its id stays.
// spec: 7.report.01 3.report.01 D.time.04
func TestAMonthIsReportedAtItsHour(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k, o := monthlyKit(t, s, inNewYork(11, 30, 12))
		k.Things(o.ID, "U", 1)
		moveTo(k, inNewYork(12, 1, 1))
		// At 23:55 in New York it is December in Greenwich. The run goes on to 0:05.
		report(t, k, o.ID, drove("U-0", inNewYork(12, 1, 0).Add(-5*time.Minute), 61, true)...)
		moveTo(k, inNewYork(12, 1, 3)-1)
		if rows := monthlies(t, k, o.ID); len(rows) != 0 {
			t.Fatalf("before its hour: %+v", rows)
		}
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		if err := k.MakeMonthlyReports(ended); err == nil {
			t.Error("a server that stops made it")
		}
		moveTo(k, inNewYork(12, 3, 9)) // nobody saw the hour
		rows := monthlies(t, k, o.ID)
		if len(rows) != 1 || rows[0].Year != 2026 || rows[0].Month != 11 || rows[0].Version != 1 || rows[0].TimeZone != "America/New_York" ||
			rows[0].StartAt != inNewYork(11, 1, 0) || rows[0].EndAt != inNewYork(12, 1, 0) || rows[0].FinalAt != inNewYork(12, 31, 3) ||
			rows[0].OrganizationName != "Wilmington" {
			t.Fatalf("%+v", rows)
		}
		of := november(t, k, o.ID).Figures
		if d := of.Driving; d.Runs != 1 || d.RunMs != 600_000 || math.Abs(d.RunDistanceM-8400) > 10 || d.AlertingMs != 300_000 || d.AlertPoints != 30 {
			t.Errorf("%+v", d)
		}
		if last := of.Days[29]; last.Date != "2026-11-30" || last.Runs != 1 || last.DistanceM != of.Driving.RunDistanceM || of.Days[28].Runs != 0 {
			t.Errorf("%+v", of.Days)
		}
		if d := of.Data; d.Points != 30 || d.OfMs != (12*time.Hour).Milliseconds() || d.SilentDays != 0 {
			t.Errorf("%+v", d)
		}
		k.Pass(24 * time.Hour) // the same again
		if again := monthlies(t, k, o.ID); again[0] != rows[0] {
			t.Errorf("%+v instead of %+v", again[0], rows[0])
		}
		report(t, k, o.ID, drove("U-0", inNewYork(11, 30, 15), 31, false)...)
		k.Pass(24 * time.Hour)
		late := monthlies(t, k, o.ID)
		if late[0].FileID != rows[0].FileID || late[0].Version != 2 || late[0].UpdatedAt <= rows[0].UpdatedAt {
			t.Errorf("%+v", late[0])
		}
		if d := november(t, k, o.ID).Figures.Driving; math.Abs(d.OtherDistance-4200) > 5 || d.Runs != 1 {
			t.Errorf("%+v", d)
		}
		moveTo(k, inNewYork(12, 31, 4))
		if final := monthlies(t, k, o.ID); len(final) != 1 || final[0].Version != 2 {
			t.Errorf("%+v", final)
		}
		moveTo(k, inNewYork(12, 31, 5))
		report(t, k, o.ID, drove("U-0", inNewYork(12, 2, 15), 31, true)...)
		moveTo(k, inNewYork(13, 1, 4))
		if both := monthlies(t, k, o.ID); len(both) != 2 || both[0].Month != 12 || both[1].Version != 2 {
			t.Errorf("%+v", both)
		}
	})
}

// raw is what a plain reading of points gives: no law of the product is asked.
type raw struct {
	points, alertPoints, alertingMs, coveredMs int64
	runs                                       int
	runM, otherM                               float64
	days                                       [30]float64
}

func haversine(a, b fleet.Report) float64 {
	rad := math.Pi / 180
	h := math.Pow(math.Sin((b.Lat-a.Lat)*rad/2), 2) + math.Cos(a.Lat*rad)*math.Cos(b.Lat*rad)*math.Pow(math.Sin((b.Lng-a.Lng)*rad/2), 2)
	return 2 * 6_371_008.8 * math.Asin(math.Sqrt(h))
}

// recomputed adds up one asset's points.
func (sum *raw) recomputed(points []fleet.Report, start, end fleet.Instant) {
	type run struct{ from, to fleet.Instant }
	var runs []run
	for _, p := range points {
		if p.Alerting {
			if n := len(runs); n > 0 && p.At-runs[n-1].to <= 300_000 {
				runs[n-1].to = p.At
			} else {
				runs = append(runs, run{p.At, p.At})
			}
		}
	}
	in := func(at fleet.Instant) int {
		return slices.IndexFunc(runs, func(r run) bool { return at >= r.from && at <= r.to })
	}
	day := func(at fleet.Instant) *float64 { return &sum.days[at.Time().In(newYork).Day()-1] }
	for _, r := range runs {
		if r.from >= start && r.from < end {
			sum.runs++
		}
	}
	for i, p := range points {
		if p.At >= start && p.At < end {
			sum.points++
			if p.Alerting {
				sum.alertPoints++
			}
		}
		if i == 0 {
			continue
		}
		q := points[i-1]
		if within := int64(min(p.At, end) - max(q.At, start)); within > 0 {
			if p.At-q.At <= 600_000 {
				sum.coveredMs += within
			}
			if q.Alerting && p.At-q.At <= 300_000 {
				sum.alertingMs += within
			}
		}
		if p.At-q.At > 120_000 || max(p.SpeedMS, q.SpeedMS) < 1 {
			continue
		}
		m := haversine(q, p)
		switch x, y := in(q.At), in(p.At); {
		case x >= 0 && x == y && runs[x].from >= start && runs[x].from < end:
			sum.runM += m
			*day(runs[x].from) += m
		case x < 0 && y < 0 && q.At >= start && p.At < end:
			sum.otherM += m
			*day(p.At) += m
		}
	}
}

// A report of three assets' month says what a plain reading of their points says.
func TestAMonthIsRecomputed(t *testing.T) {
	k, o := monthlyKit(t, storetest.SQLite(t), inNewYork(10, 28, 0))
	k.Things(o.ID, "U", 3)
	r := rand.New(rand.NewPCG(7, 7))
	all := map[string][]fleet.Report{}
	lat := 39.5
	for at := inNewYork(10, 29, 0); at < inNewYork(12, 2, 0); at = k.At() {
		k.Pass(24 * time.Hour)
		for _, asset := range []string{"U-0", "U-1", "U-2"} {
			var batch []fleet.Report
			from := at.Add(time.Duration(r.IntN(3600)) * time.Second)
			if n := len(all[asset]); n > 0 {
				from = max(from, all[asset][n-1].At.Add(15*time.Minute))
			}
			for from < k.At().Add(-2*time.Hour) {
				drive := drove(asset, from, 20+r.IntN(200), r.IntN(2) == 0)
				if r.IntN(4) == 0 { // over midnight
					drive = drove(asset, k.At().Add(-time.Duration(r.IntN(1200))*time.Second), 200, true)
				}
				for i := range drive {
					lat += 140 / 111_194.9
					drive[i].Lat = 30 + math.Mod(lat, 20)
					if i > 0 && i%37 == 0 && r.IntN(2) == 0 { // a gap that nobody knows of: it drove 5 km
						lat += 5000 / 111_194.9
						for j := i; j < len(drive); j++ {
							drive[j].At = drive[j].At.Add(4 * time.Minute)
						}
						drive[i].Lat = 30 + math.Mod(lat, 20)
					}
				}
				batch = append(batch, drive...)
				from = drive[len(drive)-1].At.Add(15*time.Minute + time.Duration(r.IntN(20_000))*time.Second)
			}
			all[asset] = append(all[asset], batch...)
		}
		k.Pass(time.Hour) // what was driven over midnight is past
		for _, asset := range []string{"U-0", "U-1", "U-2"} {
			for len(all[asset]) > 0 {
				break
			}
			report(t, k, o.ID, newest(all[asset], at)...)
		}
		k.Pass(-time.Hour)
	}
	moveTo(k, inNewYork(12, 5, 0))
	if err := k.FlushStates(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := k.SealPoints(t.Context()); err != nil {
		t.Fatal(err)
	}
	rows := monthlies(t, k, o.ID)
	if len(rows) != 2 {
		t.Fatalf("%+v", rows)
	}
	var want raw
	for _, points := range all {
		want.recomputed(points, inNewYork(11, 1, 0), inNewYork(12, 1, 0))
	}
	got := november(t, k, o.ID).Figures
	if want.runs < 50 || want.points < 10_000 {
		t.Fatalf("too little: %+v", want)
	}
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1+want/1000 {
			t.Errorf("%s: %v instead of %v", what, got, want)
		}
	}
	near("runs", float64(got.Driving.Runs), float64(want.runs))
	if got.Driving.Runs != want.runs || got.Data.Points != want.points || got.Driving.AlertPoints != want.alertPoints ||
		got.Driving.AlertingMs != want.alertingMs || got.Data.CoveredMs != want.coveredMs {
		t.Errorf("%+v %+v instead of %+v", got.Driving, got.Data, want)
	}
	near("run distance", got.Driving.RunDistanceM, want.runM)
	near("other distance", got.Driving.OtherDistance, want.otherM)
	for i, day := range got.Days {
		near(day.Date, day.DistanceM, want.days[i])
	}
	if got.Data.OfMs != 3*int64(inNewYork(12, 1, 0)-inNewYork(11, 1, 0)) || len(got.Days) != 30 { // with an hour more, by the clocks
		t.Errorf("%+v", got.Data)
	}
	listed, err := k.MonthlyReportRows(t.Context(), access.System(), november0(o.ID, "runs"))
	if err != nil || listed.Meta.Total != want.runs {
		t.Errorf("%d rows, %v", listed.Meta.Total, err)
	}
}

// newest are those of points that were made at or after an instant.
func newest(points []fleet.Report, since fleet.Instant) []fleet.Report {
	i := slices.IndexFunc(points, func(p fleet.Report) bool { return p.At >= since })
	if i < 0 {
		return nil
	}
	return points[i:]
}

// The file of a report is a PDF, for five minutes, the same bytes each time; each link is in the audit.
// spec: 7.report.03
func TestAReportIsAFile(t *testing.T) {
	k, o := monthlyKit(t, storetest.SQLite(t), inNewYork(10, 31, 12))
	k.Things(o.ID, "U", 1)
	moveTo(k, inNewYork(11, 25, 12))
	report(t, k, o.ID, drove("U-0", k.At().Add(-time.Hour), 61, true)...)
	moveTo(k, inNewYork(12, 1, 3))
	row := monthlies(t, k, o.ID)[0]
	manager := k.User(o.ID, "manager")
	first := downloaded(t, k, manager, row.FileID)
	k.Pass(time.Hour)
	monthlies(t, k, o.ID)
	if again := downloaded(t, k, manager, row.FileID); !bytes.Equal(first, again) || !bytes.HasPrefix(first, []byte("%PDF-")) {
		t.Errorf("%d and %d bytes", len(first), len(again))
	}
	link, err := k.FileLink(t.Context(), manager, row.FileID)
	if err != nil {
		t.Fatal(err)
	}
	f, err := k.OpenFile(t.Context(), strings.TrimPrefix(link.FileURL, "/files/"))
	if err != nil || f.Name != "monthly-report_2026-11_Wilmington.pdf" {
		t.Errorf("%+v %v", f, err)
	}
	k.Pass(5*time.Minute + time.Millisecond)
	if _, err := k.OpenFile(t.Context(), strings.TrimPrefix(link.FileURL, "/files/")); !strings.HasPrefix(refusal(err), "not_found") {
		t.Error(err)
	}
	for _, who := range []*access.Actor{k.User(o.ID, "operator"), k.User(k.Organization("Foreign").ID, "manager")} {
		if _, err := k.FileLink(t.Context(), who, row.FileID); refusal(err) == "<nil>" {
			t.Error("a stranger has it")
		}
	}
	rows, err := store.ListAudit(t.Context(), k.Store.Reader(), o.ID, 0, 1000)
	if err != nil || !slices.ContainsFunc(rows, func(a fleet.AuditRow) bool {
		return a.Verb == "read" && a.Noun == "monthly_report" && a.NounID == row.FileID && a.ActorUserID == manager.UserID
	}) {
		t.Errorf("no row of the audit: %v", err)
	}
}
