package fleet_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"lightbar/internal/fleet"
)

// A closure of a feed with a schedule is active in its times, between its start
// and its end, and at no other instant; NextChange is when that changes.
func TestAClosureIsActiveWithinItsSchedule(t *testing.T) {
	monday := fleet.InstantOf(time.Date(2026, 11, 23, 5, 0, 0, 0, time.UTC)) // 00:00 at -05:00
	const minute = fleet.Instant(60_000)
	rapid.Check(t, func(t *rapid.T) {
		var times []fleet.WeekTime
		for range rapid.IntRange(1, 6).Draw(t, "times") {
			from := rapid.IntRange(0, fleet.WeekMinutes-1).Draw(t, "from")
			times = append(times, fleet.WeekTime{From: from, To: from + rapid.IntRange(1, 2000).Draw(t, "long")})
		}
		isIn := func(at, from, to fleet.Instant) bool {
			if at < from || to != 0 && at >= to {
				return false
			}
			of := int(((at-monday)/minute)%fleet.WeekMinutes+fleet.WeekMinutes) % fleet.WeekMinutes
			for _, w := range times {
				if w.From <= of && of < w.To || of+fleet.WeekMinutes < w.To {
					return true
				}
			}
			return false
		}
		weekly, ok := fleet.NewSchedule(times, "-05:00")
		if !ok {
			t.Fatal("refused")
		}
		c := fleet.Closure{Kind: "feed", StartAt: monday + fleet.Instant(rapid.IntRange(0, 20_000).Draw(t, "start"))*minute, Weekly: weekly}
		if end := rapid.IntRange(0, 30_000).Draw(t, "length"); end > 0 {
			c.EndAt = c.StartAt + fleet.Instant(end)*minute
		}
		at := monday + fleet.Instant(rapid.IntRange(-3000, 60_000).Draw(t, "now"))*minute
		for range 5 {
			c.VerifiedAt = at
			is := c.SpanAt(at)
			if is.IsActive != isIn(at, c.StartAt, c.EndAt) {
				t.Fatalf("%s: active is %v; %+v of %+v", at, is.IsActive, is, c)
			}
			next := c.NextChange(at)
			if next == 0 {
				break
			}
			for before := at; before < min(next, at+2000*minute); before += minute {
				if isIn(before, c.StartAt, c.EndAt) != is.IsActive {
					t.Fatalf("it changes at %s already, not at %s", before, next)
				}
			}
			at = next
		}
	})
}

// What leaves nothing out is no schedule, and times that touch are one: also over midnight, and over the week's end.
func TestTimesThatTouchAreOne(t *testing.T) {
	day := func(d, from, to int) fleet.WeekTime {
		return fleet.WeekTime{From: d*fleet.DayMinutes + from*60, To: d*fleet.DayMinutes + to*60}
	}
	var always, nights []fleet.WeekTime
	for d := range 7 {
		always = append(always, day(d, 0, 24))
		nights = append(nights, day(d, 21, 24), day(d, 0, 5))
	}
	if s, ok := fleet.NewSchedule(always, "UTC"); s != nil || !ok {
		t.Errorf("all week: %+v, %v", s, ok)
	}
	s, ok := fleet.NewSchedule(nights, "America/New_York")
	if !ok || len(s.Times) != 7 || s.Times[6] != day(6, 21, 29) || s.Times[0] != day(0, 21, 29) {
		t.Errorf("nights: %+v, %v", s, ok)
	}
	for _, zone := range []string{"", "Nowhere/Town", "-5"} {
		if s, ok := fleet.NewSchedule(nights, zone); ok {
			t.Errorf("%q: %+v", zone, s)
		}
	}
}

// Silence cuts a schedule as it cuts any closure of a feed, and what its feed no longer lists is over.
func TestSilenceAndTheEndOfAFeedEndASchedule(t *testing.T) {
	at := func(hour int) fleet.Instant {
		return fleet.InstantOf(time.Date(2026, 11, 23, hour, 0, 0, 0, time.UTC))
	}
	s, _ := fleet.NewSchedule([]fleet.WeekTime{{From: 6 * 60, To: 18 * 60}, {From: 30 * 60, To: 42 * 60}}, "UTC")
	c := fleet.Closure{Kind: "feed", StartAt: at(0), Weekly: s, VerifiedAt: at(5)}
	if is := c.SpanAt(at(7)); !is.IsActive || is.From != at(6) || is.To != at(18) || is.Guessed {
		t.Errorf("heard two hours ago: %+v", is)
	}
	if is := c.SpanAt(at(13)); is.IsActive || is.EndedAt != at(13) || is.Reason != "silent" || is.From > at(13) {
		t.Errorf("silent for 8 hours: %+v", is)
	}
	if next := c.NextChange(at(7)); next != at(13) {
		t.Errorf("it changes at %s", next)
	}
	c.Gone(at(8))
	if is := c.SpanAt(at(9)); is.IsActive || is.EndedAt != at(8) || is.Reason != "gone" || is.Last.From != at(6) || !c.IsPast(at(10)) {
		t.Errorf("gone: %+v", is)
	}
}
