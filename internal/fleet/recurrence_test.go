package fleet_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"lightbar/internal/fleet"
)

// zonesOfTest have each kind of change: an hour, half an hour, none, at midnight, and on the other half of the Earth.
var zonesOfTest = []string{"America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "America/Phoenix", "Asia/Beirut", "America/Santiago"}

// minutesOf is the slow model: it reads a zone's clocks minute by minute. A
// pattern's closure begins at the first minute that shows its time; where a day
// has none, as long after the hour before the change as the clocks say.
func minutesOf(t *testing.T, r *fleet.Recurrence, from, to time.Time) map[int64]bool {
	t.Helper()
	zone, err := time.LoadLocation(r.Timezone)
	if err != nil {
		t.Fatal(err)
	}
	begins, on := map[string]int64{}, map[int64]bool{}
	shown, isFirst := 0, true // minutes of the day that the clocks showed a minute ago
	for at := from.AddDate(0, 0, -3); at.Before(to); at = at.Add(time.Minute) {
		local := at.In(zone)
		now, jumps := local.Hour()*60+local.Minute(), 1
		if !isFirst && now > shown+1 { // the clocks go forward: minutes are skipped
			jumps = now - shown
		}
		for skipped := jumps - 1; skipped >= 0; skipped-- {
			minute := now - skipped
			date := local.Format("2006-01-02")
			if _, known := begins[date]; !known && fmt.Sprintf("%02d:%02d", minute/60, minute%60) == r.Start {
				begins[date] = at.Unix() / 60
				if skipped > 0 { // by the clock before the change
					begins[date] += int64(jumps - 1 - skipped)
				}
			}
		}
		shown, isFirst = now, false
		if now == 24*60-1 {
			shown = -1
		}
	}
	for date, begin := range begins {
		day, _ := time.Parse("2006-01-02", date)
		weekday := int(day.Weekday())
		if weekday == 0 {
			weekday = 7
		}
		if date < r.From || date > r.Until || !slices.Contains(r.Days, weekday) || slices.Contains(r.Except, date) {
			continue
		}
		for n := range int64(r.Minutes) {
			on[begin+n] = true
		}
	}
	return on
}

// Each minute about a change of the clocks, against a model that reads the clocks minute by minute.
func TestClosuresComeAgainByTheClock(t *testing.T) {
	changes := map[string][]string{
		"America/New_York": {"2026-03-08", "2026-11-01"}, "Europe/Berlin": {"2026-03-29", "2026-10-25"},
		"Australia/Lord_Howe": {"2026-04-05", "2026-10-04"}, "America/Phoenix": {"2026-03-08"},
		"Asia/Beirut": {"2026-03-29", "2026-10-25"}, "America/Santiago": {"2026-04-05", "2026-09-06"},
	}
	rapid.Check(t, func(p *rapid.T) {
		zone := rapid.SampledFrom(zonesOfTest).Draw(p, "zone")
		change, _ := time.Parse("2006-01-02", rapid.SampledFrom(changes[zone]).Draw(p, "change"))
		day := func(n int) string { return change.AddDate(0, 0, n).Format("2006-01-02") }
		r := &fleet.Recurrence{Days: rapid.SliceOfNDistinct(rapid.IntRange(1, 7), 1, 7, func(n int) int { return n }).Draw(p, "days"),
			Start:   fmt.Sprintf("%02d:%02d", rapid.SampledFrom([]int{0, 1, 2, 3, 21, 23}).Draw(p, "hour"), rapid.IntRange(0, 59).Draw(p, "minute")),
			Minutes: rapid.SampledFrom([]int{1, 30, 90, 480, 1440}).Draw(p, "minutes"), From: day(rapid.IntRange(-9, 0).Draw(p, "from")),
			Until: day(rapid.IntRange(0, 9).Draw(p, "until")), Timezone: zone}
		if rapid.Bool().Draw(p, "except") {
			r.Except = []string{day(rapid.IntRange(-1, 1).Draw(p, "on"))}
		}
		wrong := map[string]string{}
		if r.Check(wrong); len(wrong) > 0 {
			p.Fatal(wrong)
		}
		since := fleet.InstantOf(change.AddDate(0, 0, -20))
		c := fleet.Closure{Recurrence: r, RecursSince: since}
		from, to := change.Add(-30*time.Hour), change.Add(54*time.Hour)
		on := minutesOf(t, r, from, to)
		for at := from; at.Before(to); at = at.Add(time.Minute) {
			now := fleet.InstantOf(at)
			is := c.SpanAt(now)
			if is.IsActive != on[at.Unix()/60] {
				p.Fatalf("at %v it is active: %v (%+v)", at, is.IsActive, r)
			}
			if is.IsActive != (is.From <= now && now < is.To) || is.IsActive && is.EndedAt != 0 || is.EndedAt > now {
				p.Fatalf("at %v it stands %+v", at, is)
			}
			if at.Minute()%7 != 0 {
				continue
			}
			if next := c.NextChange(now); is.From > now && next > is.From || is.IsActive && (next == 0 || next > is.To) {
				p.Fatalf("at %v the next change is at %v of %+v", at, next, is)
			}
		}
	})
}

// The times that a form says in advance are those in which the closure then stands: the web runs the same file.
func TestNightsVectors(t *testing.T) {
	type row struct {
		Name    string
		Pattern fleet.Recurrence
		Now     time.Time
		Next    [][2]string
	}
	for _, c := range vectors[cases[row]](t, "nights.json").Cases {
		x, wrong, at, got := fleet.Closure{}, map[string]string{}, fleet.InstantOf(c.Now), [][2]string{}
		if c.Pattern.Check(wrong); len(wrong) > 0 {
			t.Fatal(c.Name, wrong)
		}
		x.Recur(wrong, &c.Pattern, at)
		for is := x.SpanAt(at); len(got) < 3 && is.To > at; is = x.SpanAt(at) {
			got, at = append(got, [2]string{is.From.String(), is.To.String()}), is.To
		}
		if !slices.Equal(got, c.Next) {
			t.Errorf("%s: %v and not %v", c.Name, got, c.Next)
		}
	}
}

// The wall clocks of two nights: a start that is skipped, and one that comes twice.
func TestStartsThatAreSkippedOrComeTwice(t *testing.T) {
	for day, want := range map[string]string{
		"2026-03-08": "2026-03-08T07:30:00.000Z", // 02:30 is skipped: 02:30 by the winter clock
		"2026-11-01": "2026-11-01T05:30:00.000Z", // 01:30 comes twice: the first
	} {
		r := fleet.Recurrence{Days: []int{7}, Start: map[string]string{"2026-03-08": "02:30", "2026-11-01": "01:30"}[day], Minutes: 60, From: day,
			Until: day, Timezone: "America/New_York"}
		c := fleet.Closure{}
		wrong, before := map[string]string{}, fleet.InstantOf(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
		if c.Recur(wrong, &r, before); len(wrong) > 0 {
			t.Fatal(wrong)
		}
		if is := c.SpanAt(before); is.From.String() != want || is.To.Sub(is.From) != time.Hour {
			t.Errorf("%s: %s to %s", day, is.From, is.To)
		}
	}
}

func TestLawOfPatterns(t *testing.T) {
	good := func() fleet.Recurrence {
		return fleet.Recurrence{Days: []int{1, 2}, Start: "21:00", Minutes: 480, From: "2026-11-21", Until: "2027-11-21", Except: []string{"2026-12-24"},
			Timezone: "America/New_York"}
	}
	for field, change := range map[string][]func(r *fleet.Recurrence){
		"": {func(r *fleet.Recurrence) {}, func(r *fleet.Recurrence) { r.Minutes, r.Days, r.Except = 1440, []int{7, 1}, nil }},
		"days": {func(r *fleet.Recurrence) { r.Days = nil }, func(r *fleet.Recurrence) { r.Days = []int{0} },
			func(r *fleet.Recurrence) { r.Days = []int{8} }, func(r *fleet.Recurrence) { r.Days = []int{3, 1, 3} }},
		"start": {func(r *fleet.Recurrence) { r.Start = "9:00" }, func(r *fleet.Recurrence) { r.Start = "24:00" },
			func(r *fleet.Recurrence) { r.Start = "" }},
		"minutes": {func(r *fleet.Recurrence) { r.Minutes = 0 }, func(r *fleet.Recurrence) { r.Minutes = 1441 }},
		"from":    {func(r *fleet.Recurrence) { r.From = "2026-02-30" }, func(r *fleet.Recurrence) { r.From = "0001-01-01" }},
		"until":   {func(r *fleet.Recurrence) { r.Until = "2026-11-20" }, func(r *fleet.Recurrence) { r.Until = "2027-11-22" }},
		"except": {func(r *fleet.Recurrence) { r.Except = []string{"tomorrow"} }, func(r *fleet.Recurrence) { r.Except = make([]string, 367) },
			func(r *fleet.Recurrence) { r.Except = []string{"2026-12-24", "2026-12-24"} }},
		"timezone": {func(r *fleet.Recurrence) { r.Timezone = "" }, func(r *fleet.Recurrence) { r.Timezone = "Local" },
			func(r *fleet.Recurrence) { r.Timezone = "Mars/Olympus" }, func(r *fleet.Recurrence) { r.Timezone = "../etc/passwd" }},
	} {
		for i, do := range change {
			r, wrong := good(), map[string]string{}
			do(&r)
			r.Check(wrong)
			if field == "" && len(wrong) > 0 || field != "" && (len(wrong) != 1 || wrong["recurrence."+field] == "") {
				t.Errorf("%s %d: %v", field, i, wrong)
			}
		}
	}
}
