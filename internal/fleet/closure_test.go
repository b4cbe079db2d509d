package fleet_test

import (
	"testing"
	"time"

	"lightbar/internal/fleet"
)

// spec: 4.form.01 4.form.02 4.form.04 4.form.05 5.closure.06
func TestTimesOfClosures(t *testing.T) {
	now := fleet.InstantOf(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
	hour := func(n int) fleet.Instant { return now.Add(time.Duration(n) * time.Hour) }
	began := fleet.Closure{StartAt: hour(-2), EndAt: hour(1)}
	for name, c := range map[string]struct {
		from       fleet.Closure
		say        fleet.ClosureTimes
		start, end fleet.Instant
		wrong      map[string]string
	}{
		"from now": {say: fleet.ClosureTimes{Active: true, EndAt: hour(4)}, start: now, end: hour(4)},
		"a start of the form is not asked when it is active": {say: fleet.ClosureTimes{Active: true, StartAt: hour(-9), EndAt: hour(4)},
			start: now, end: hour(4)},
		"a later end does not begin it anew": {from: began, say: fleet.ClosureTimes{Active: true, EndAt: hour(4)}, start: hour(-2), end: hour(4)},
		"active needs an end":                {say: fleet.ClosureTimes{Active: true}, wrong: map[string]string{"end_time": "End date required"}},
		"active for three months": {say: fleet.ClosureTimes{Active: true, EndAt: fleet.InstantOf(time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC))},
			start: now, end: fleet.InstantOf(time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC))},
		"active for longer": {say: fleet.ClosureTimes{Active: true, EndAt: fleet.InstantOf(time.Date(2026, 6, 1, 12, 0, 1, 0, time.UTC))},
			wrong: map[string]string{"end_time": "End date must be within 3 months"}},
		"active until then": {say: fleet.ClosureTimes{Active: true, EndAt: now}, wrong: map[string]string{"end_time": "End time must be after Start time"}},
		"scheduled":         {say: fleet.ClosureTimes{StartAt: hour(2), EndAt: hour(4)}, start: hour(2), end: hour(4)},
		"scheduled in the past is active": {say: fleet.ClosureTimes{StartAt: hour(-1), EndAt: hour(4)},
			start: hour(-1), end: hour(4)},
		"scheduled wholly in the past": {say: fleet.ClosureTimes{StartAt: hour(-4), EndAt: hour(-1)},
			wrong: map[string]string{"end_time": "End time must be in the future"}},
		"scheduled backward":       {say: fleet.ClosureTimes{StartAt: hour(4), EndAt: hour(2)}, wrong: map[string]string{"end_time": "End time must be after Start time"}},
		"scheduled without start":  {say: fleet.ClosureTimes{EndAt: hour(2)}, wrong: map[string]string{"start_time": "Start date required"}},
		"scheduled without an end": {say: fleet.ClosureTimes{StartAt: hour(2)}, wrong: map[string]string{"end_time": "End date required"}},
		"inactive":                 {from: began},
	} {
		wrong, got := map[string]string{}, c.from
		got.Schedule(wrong, c.say, now)
		if len(wrong) != len(c.wrong) {
			t.Errorf("%s: %v and not %v", name, wrong, c.wrong)
		}
		for field, sentence := range c.wrong {
			if wrong[field] != sentence {
				t.Errorf("%s: %s is %q", name, field, wrong[field])
			}
		}
		if len(c.wrong) > 0 {
			if got.StartAt != c.from.StartAt || got.EndAt != c.from.EndAt {
				t.Errorf("%s: a refused closure has changed", name)
			}
		} else if got.StartAt != c.start || got.EndAt != c.end {
			t.Errorf("%s: from %v to %v", name, got.StartAt, got.EndAt)
		} else if is, should := got.IsActiveAt(now), c.end != 0 && c.start <= now; is != should {
			t.Errorf("%s: active: %v", name, is)
		}
		if c.from.StartAt != 0 && got.LastStartedAt(now) != began.StartAt {
			t.Errorf("%s: it last began at %v", name, got.LastStartedAt(now))
		}
	}
}

// When it ended: by hand, by the clock, and not while it is active or to come.
func TestWhenAClosureEnded(t *testing.T) {
	at := func(n int) fleet.Instant { return fleet.Instant(1_700_000_000_000).Add(time.Duration(n) * time.Hour) }
	c := fleet.Closure{}
	say := func(now fleet.Instant, times fleet.ClosureTimes, want fleet.Instant) {
		t.Helper()
		wrong := map[string]string{}
		if c.Schedule(wrong, times, now); len(wrong) > 0 || c.LastEndedAt(now) != want {
			t.Errorf("it ended at %v, %v", c.LastEndedAt(now), wrong)
		}
	}
	say(at(0), fleet.ClosureTimes{}, 0)
	say(at(1), fleet.ClosureTimes{Active: true, EndAt: at(5)}, 0)
	if c.LastEndedAt(at(6)) != at(5) {
		t.Errorf("by the clock: %v", c.LastEndedAt(at(6)))
	}
	say(at(2), fleet.ClosureTimes{}, at(2))
	say(at(3), fleet.ClosureTimes{}, at(2))
	say(at(4), fleet.ClosureTimes{StartAt: at(6), EndAt: at(8)}, 0)
	say(at(5), fleet.ClosureTimes{}, 0) // called off: it never stood
	say(at(5), fleet.ClosureTimes{Active: true, EndAt: at(6)}, 0)
	say(at(7), fleet.ClosureTimes{}, at(6))
}

// No clock job and no flag: the end is the end.
func TestAClosureEndsByTheClock(t *testing.T) {
	c := fleet.Closure{StartAt: 1000, EndAt: 2000}
	for at, want := range map[fleet.Instant]bool{999: false, 1000: true, 1999: true, 2000: false, 1 << 50: false} {
		if c.IsActiveAt(at) != want {
			t.Errorf("at %d it is active: %v", at, !want)
		}
	}
	if new(fleet.Closure).IsActiveAt(5) {
		t.Error("a closure without times is active")
	}
}

// spec: 5.closure.05 5.closure.07 5.closure.09 5.closure.11
func TestLawOfClosures(t *testing.T) {
	line := []fleet.LatLng{{Lat: 39.7, Lng: -75.5}, {Lat: 39.71, Lng: -75.5}}
	good := fleet.Closure{Description: "Paving", UserRoute: line}
	lanes := func(total int, impacted ...int) fleet.Closure {
		c := good
		c.TotalLanes, c.ImpactedLanes = total, impacted
		return c
	}
	published := good
	published.IsPublished, published.Direction = true, "N"
	for name, c := range map[string]struct {
		closure fleet.Closure
		feeds   bool
		wrong   []string
	}{
		"good": {closure: good}, "nothing": {wrong: []string{"description", "user_route"}},
		"one point":         {closure: fleet.Closure{Description: "Paving", UserRoute: line[:1]}, wrong: []string{"user_route"}},
		"one point twice":   {closure: fleet.Closure{Description: "Paving", UserRoute: []fleet.LatLng{line[0], line[0]}}, wrong: []string{"user_route"}},
		"around the world":  {closure: fleet.Closure{Description: "Paving", UserRoute: []fleet.LatLng{{Lng: 179}, {Lng: -179}}}, wrong: []string{"user_route"}},
		"lanes":             {closure: lanes(3, 3, 1)},
		"lanes, not known":  {closure: lanes(0, 9, 1)},
		"lane 0":            {closure: lanes(0, 0), wrong: []string{"impacted_lanes"}},
		"lane 10":           {closure: lanes(0, 10), wrong: []string{"impacted_lanes"}},
		"lane twice":        {closure: lanes(3, 2, 1, 2), wrong: []string{"impacted_lanes"}},
		"lane beyond":       {closure: lanes(3, 4), wrong: []string{"impacted_lanes"}},
		"ten lanes":         {closure: lanes(10), wrong: []string{"total_lanes"}},
		"a feed's":          {closure: good, feeds: true, wrong: []string{"direction"}},
		"published":         {closure: published, feeds: true, wrong: []string{"external_id", "location_method", "vehicle_impact"}},
		"published by none": {closure: published, wrong: []string{"is_wzdx_compliant", "external_id", "location_method", "vehicle_impact"}},
	} {
		wrong := map[string]string{}
		c.closure.Check(wrong, c.feeds)
		if len(wrong) != len(c.wrong) {
			t.Errorf("%s: %v", name, wrong)
		}
		for _, field := range c.wrong {
			if wrong[field] == "" {
				t.Errorf("%s: nothing wrong with %s", name, field)
			}
		}
	}
}
