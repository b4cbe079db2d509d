package fleet_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"lightbar/internal/fleet"
)

func zoneOf(t *testing.T, name string) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

// anyDrive is some days of one asset: it drives, stands, falls silent, alerts, is heard without positions.
func anyDrive(r *rand.Rand, from, to fleet.Instant) (h fleet.TripHistory) {
	h.Stretch = fleet.Stretch{Start: from, End: to}
	h.Before = r.IntN(2) == 0
	lat, lng, alerting := 39.7, -75.5, h.Before
	for at := from; at < to; {
		speed, every, mute := []float64{0, 0, 0.4, 3, 14}[r.IntN(5)], time.Duration(1+r.IntN(100))*time.Second, r.IntN(3) == 0
		if r.IntN(3) == 0 {
			alerting = !alerting
		}
		for range r.IntN(60) {
			lat, lng = lat+speed*every.Seconds()/metersOfLng, lng+r.NormFloat64()*3/metersOfLng
			p := fleet.Point{At: at, ReceivedAt: at + 300, Lat: lat, Lng: lng, HasSpeed: !mute}
			if !mute {
				p.SpeedMS = speed
			}
			if r.IntN(4) > 0 {
				p.HasAlerting, p.Alerting = true, alerting
			}
			if at < to {
				h.Points = append(h.Points, p)
			}
			if r.IntN(5) == 0 && at < to {
				h.Signals = append(h.Signals, fleet.OnOffReport{At: at, On: alerting})
			}
			if r.IntN(5) == 0 && at+1 < to {
				h.Heartbeats = append(h.Heartbeats, at+1)
			}
			at = at.Add(every * time.Duration(r.IntN(3)))
		}
		at = at.Add(time.Duration(r.IntN(900)) * time.Second)
	}
	slices.SortStableFunc(h.Points, func(p, q fleet.Point) int { return int(p.At - q.At) })
	slices.SortStableFunc(h.Signals, func(x, y fleet.OnOffReport) int { return int(x.At - y.At) })
	slices.Sort(h.Heartbeats)
	h.Runs = runsIn(h)
	return h
}

func runsIn(h fleet.TripHistory) []fleet.Run {
	of := fleet.RunHistory{Signals: h.Signals, Before: h.Before}
	for _, p := range h.Points {
		of.Points = append(of.Points, fleet.RunPoint{At: p.At, HasAlerting: p.HasAlerting, Alerting: p.Alerting})
	}
	runs := fleet.RunsOf(of)
	for i := range runs {
		runs[i].ID = strconv.Itoa(i)
	}
	return runs
}

// walkIn walks through a history in pieces of random size.
func walkIn(r *rand.Rand, h *fleet.TripHistory, part fleet.Stretch, days []fleet.Stretch, before bool) fleet.MonthlyDrive {
	var runs []fleet.Run
	for _, run := range h.Runs {
		if run.StartAt < part.End && run.EndAt >= part.Start {
			runs = append(runs, run)
		}
	}
	w := fleet.NewMonthlyWalk(part, part, days, runs, fleet.OnOffReport{At: part.Start, On: before})
	for at := part.Start; at < w.Ends(); {
		to := min(at.Add(time.Duration(1+r.IntN(7200))*time.Second), w.Ends())
		in := func(x fleet.Instant) bool { return x >= at && x < to }
		var points []fleet.Point
		var said []fleet.OnOffReport
		var heard []fleet.Instant
		for _, p := range h.Points {
			if in(p.EffectiveAt()) {
				points = append(points, p)
			}
		}
		for _, s := range h.Signals {
			if in(s.At) {
				said = append(said, s)
			}
		}
		for _, x := range h.Heartbeats {
			if in(x) {
				heard = append(heard, x)
			}
		}
		w.Take(points, said, heard)
		at = to
	}
	w.Take(nil, nil, []fleet.Instant{w.Ends()}) // as the law of trips takes the end
	return w.Finish()
}

// A walk in pieces says of a month what the law of trips says of the whole.
func TestAWalkIsWhatTripsAre(t *testing.T) {
	zone := zoneOf(t, "America/New_York")
	month := fleet.MonthIn(2026, 11, zone)
	days := month.Days()[:3]
	part := fleet.Stretch{Start: days[0].Start, End: days[2].End}
	moved, ran := 0, 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		h := anyDrive(r, part.Start, part.End)
		got, want := walkIn(r, &h, part, days, h.Before), fleet.TripsOf(h)
		if len(got.Runs) != len(want.Runs) || got.Points != int64(len(h.Points)) {
			t.Fatalf("%d: %d runs instead of %d", seed, len(got.Runs), len(want.Runs))
		}
		byDay := int64(0)
		for i, run := range got.Runs {
			ran++
			if run.DM != int64(math.Round(want.Runs[i].DistanceM*10)) || run.AlertingMs != want.Runs[i].LightsOn.Milliseconds() {
				t.Fatalf("%d: %+v instead of %v %v", seed, run, want.Runs[i].DistanceM, want.Runs[i].LightsOn)
			}
		}
		other, lights := 0.0, int64(0)
		for _, trip := range want.Other {
			other += trip.DistanceM
			moved++
		}
		for _, s := range want.Lights {
			lights += int64(s.End - s.Start)
		}
		near(t, "other", float64(got.OtherDM)/10, other, 0.1*float64(len(want.Other)+3))
		if got.AlertingMs != lights {
			t.Fatalf("%d: lights %d instead of %d", seed, got.AlertingMs, lights)
		}
		lit := int64(0)
		for _, day := range got.Days {
			byDay, lit = byDay+day.DM, lit+day.AlertingMs
		}
		for _, run := range got.Runs {
			byDay -= run.DM
		}
		if byDay != got.OtherDM || lit != got.AlertingMs {
			t.Fatalf("%d: days say %d and %d", seed, byDay, lit)
		}
	}
	if moved < 50 || ran < 50 {
		t.Errorf("too few: %d movements, %d runs", moved, ran)
	}
}

// A run over the border of two parts is whole in the one where it starts, and in the other not at all.
func TestARunOverTheBorderCountsOnce(t *testing.T) {
	month := fleet.MonthIn(2026, 11, time.UTC)
	border, crossed := month.Days()[1].End, 0
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 2))
		h := anyDrive(r, month.Start, month.Days()[3].End)
		whole := fleet.TripsOf(h)
		first := walkIn(r, &h, fleet.Stretch{Start: month.Start, End: border}, month.Days()[:2], h.Before)
		then := walkIn(r, &h, fleet.Stretch{Start: border, End: month.Days()[3].End}, month.Days()[2:4], false)
		if len(first.Runs)+len(then.Runs) != len(h.Runs) {
			t.Fatalf("%d and %d runs of %d", len(first.Runs), len(then.Runs), len(h.Runs))
		}
		for i, run := range h.Runs {
			if run.StartAt < border && run.EndAt >= border {
				crossed++
				got := first.Runs[len(first.Runs)-1]
				if got.ID != run.ID || got.DM != int64(math.Round(whole.Runs[i].DistanceM*10)) {
					t.Fatalf("%+v instead of %v", got, whole.Runs[i].DistanceM)
				}
			}
		}
	}
	if crossed < 5 {
		t.Errorf("%d runs cross", crossed)
	}
}

// A month is its zone's, also with a change of clocks and where the clocks skip the first midnight.
// spec: 5.report.01
func TestAMonthIsItsZones(t *testing.T) {
	for _, x := range []struct {
		zone              string
		year, month       int
		start, end, due   string
		days, longestHour int
	}{
		{"America/New_York", 2026, 11, "2026-11-01T04:00:00.000Z", "2026-12-01T05:00:00.000Z", "2026-12-01T08:00:00.000Z", 30, 25},
		{"America/New_York", 2026, 3, "2026-03-01T05:00:00.000Z", "2026-04-01T04:00:00.000Z", "2026-04-01T07:00:00.000Z", 31, 24},
		{"Asia/Kathmandu", 2026, 12, "2026-11-30T18:15:00.000Z", "2026-12-31T18:15:00.000Z", "2026-12-31T21:15:00.000Z", 31, 24},
		// The clocks of October 1 2017 skipped midnight.
		{"America/Asuncion", 2017, 10, "2017-10-01T04:00:00.000Z", "2017-11-01T03:00:00.000Z", "2017-11-01T06:00:00.000Z", 31, 24},
		{"America/Asuncion", 2017, 9, "2017-09-01T04:00:00.000Z", "2017-10-01T04:00:00.000Z", "2017-10-01T06:00:00.000Z", 30, 24},
	} {
		m := fleet.MonthIn(x.year, x.month, zoneOf(t, x.zone))
		longest, at := time.Duration(0), m.Start
		for _, day := range m.Days() {
			if day.Start != at {
				t.Errorf("%s: a day begins %s", x.zone, day.Start)
			}
			longest, at = max(longest, day.End.Sub(day.Start)), day.End
		}
		if m.Start.String() != x.start || m.End.String() != x.end || m.DueAt().String() != x.due || len(m.Days()) != x.days || at != m.End ||
			longest != time.Duration(x.longestHour)*time.Hour {
			t.Errorf("%s: %s to %s, due %s, %d days, %s", x.zone, m.Start, m.End, m.DueAt(), len(m.Days()), longest)
		}
		if now := m.DueAt(); m.IsDue(0, m.End) || m.IsDue(0, now-1) || !m.IsDue(0, now) || m.IsDue(now, now+1) || m.IsDue(now, now.Add(23*time.Hour-time.Minute)) ||
			!m.IsDue(now, now.Add(25*time.Hour)) || !m.IsDue(now, m.FinalAt()) || m.IsDue(m.FinalAt(), m.FinalAt().Add(1000*time.Hour)) ||
			!m.IsDue(m.FinalAt()-1, m.FinalAt().Add(1000*time.Hour)) {
			t.Errorf("%s: due at other hours", x.zone)
		}
	}
	january := fleet.LastMonth(fleet.InstantOf(time.Date(2027, 1, 1, 4, 59, 0, 0, time.UTC)), zoneOf(t, "America/New_York"))
	if january.Year != 2026 || january.Month != 11 || january.Back(11).Year != 2025 || january.Back(11).Month != 12 {
		t.Errorf("%+v", january)
	}
}

// Figures do not depend on the order in which their parts come; lengths are spread by nearest rank.
func TestSumsHaveNoOrder(t *testing.T) {
	month := fleet.MonthIn(2026, 11, time.UTC)
	add := func(order []int) fleet.MonthlyFigures {
		s := fleet.NewMonthlySums(month)
		for _, i := range order {
			ms := int64(i * 1000)
			run := fleet.MonthlyRun{Run: fleet.Run{ID: strconv.Itoa(i), StartAt: month.Start + fleet.Instant(i), EndAt: month.Start + 1000}, DM: int64(i)}
			days := make([]fleet.MonthlyDriveDay, 30)
			days[i%30].DM = int64(3 * i)
			s.AddAsset(fleet.MonthlyAsset{ThingID: strconv.Itoa(i), Name: "A", Type: strconv.Itoa(i % 3), InService: i%2 == 0},
				[]fleet.MonthlyDrive{{Runs: []fleet.MonthlyRun{run}, OtherDM: int64(2 * i), Days: days}})
			s.AddIncident(fleet.MonthlyIncidentRow{LocationID: strconv.Itoa(i), StartAt: month.Start,
				Stays: []fleet.MonthlyStay{{ToSceneMs: &ms}}})
		}
		return s.Figures()
	}
	order := rand.Perm(101)
	for i := range order {
		order[i]++
	}
	got, sorted := add(order), add(slices.Sorted(slices.Values(order)))
	if got.Driving != sorted.Driving || !slices.Equal(got.Days, sorted.Days) || !slices.Equal(got.Assets.ByType, sorted.Assets.ByType) {
		t.Errorf("%+v instead of %+v", got, sorted)
	}
	if s := got.Incidents.ToScene; s.Count != 101 || *s.MedianMs != 51_000 || *s.P90Ms != 91_000 || *s.LongestMs != 101_000 {
		t.Errorf("%d %d %d %d", s.Count, *s.MedianMs, *s.P90Ms, *s.LongestMs)
	}
	if s := got.Incidents.OnScene; s.Count != 0 || s.MedianMs != nil || got.Driving.RunDistanceM != 515.1 || got.Driving.OtherDistance != 1030.2 {
		t.Errorf("%+v %+v", s, got.Driving)
	}
}
