package fleet_test

import (
	"testing"
	"time"

	"lightbar/internal/fleet"
)

// What a device says of its configuration, and since when it has an older one than it should.
func TestConfigState(t *testing.T) {
	const noon = fleet.Instant(1_795_000_000_000)
	at := func(minutes int) fleet.Instant { return noon + fleet.Instant(minutes)*60_000 }
	set := func(version int64, minutes int) func(*fleet.ConfigState) {
		return func(c *fleet.ConfigState) { c.Set(version, at(minutes)) }
	}
	claim := func(version int64, minutes int, changes bool) func(*fleet.ConfigState) {
		return func(c *fleet.ConfigState) {
			if got := c.Claim(version, at(minutes), at(1000)); got != changes {
				t.Errorf("claims %d at %d: row changes %v", version, minutes, got)
			}
		}
	}
	for name, c := range map[string]struct {
		steps     []func(*fleet.ConfigState)
		since     fleet.Instant // 0 = not outdated
		applied   int64
		isCurrent bool
	}{
		"never configured, and claims":        {steps: []func(*fleet.ConfigState){claim(0, 1, false), claim(3, 2, false)}},
		"never said":                          {steps: []func(*fleet.ConfigState){set(1, 0), set(2, 5)}},
		"has it":                              {[]func(*fleet.ConfigState){set(1, 0), claim(1, 2, true), claim(1, 3, false)}, 0, 1, true},
		"says first that it has none":         {[]func(*fleet.ConfigState){set(1, 0), claim(0, 9, true)}, at(0), 0, false},
		"a new version":                       {[]func(*fleet.ConfigState){set(1, 0), claim(1, 2, true), set(2, 10)}, at(10), 1, false},
		"two new versions":                    {[]func(*fleet.ConfigState){set(1, 0), claim(1, 2, true), set(2, 10), set(3, 20)}, at(10), 1, false},
		"the one before the newest":           {[]func(*fleet.ConfigState){set(1, 0), claim(1, 2, true), set(2, 10), set(3, 20), claim(2, 30, true)}, at(20), 2, false},
		"the newest":                          {[]func(*fleet.ConfigState){set(1, 0), claim(1, 2, true), set(2, 10), claim(2, 11, true)}, 0, 2, true},
		"loses what it had":                   {[]func(*fleet.ConfigState){set(1, 0), claim(1, 2, true), claim(0, 50, true)}, at(50), 0, false},
		"a version that never was":            {[]func(*fleet.ConfigState){set(7, 0), claim(99, 1, false), claim(-1, 2, false)}, 0, 0, false},
		"late words":                          {[]func(*fleet.ConfigState){set(3, 0), claim(3, 20, true), claim(2, 10, false)}, 0, 3, true},
		"a late word between two of one kind": {[]func(*fleet.ConfigState){set(3, 0), claim(3, 20, true), claim(3, 30, false), claim(2, 25, false)}, 0, 3, true},
		"a clock that is ahead":               {[]func(*fleet.ConfigState){set(3, 0), claim(2, 5000, true), claim(3, 999, false), claim(3, 1000, true)}, 0, 3, true},
	} {
		var s fleet.State
		for _, step := range c.steps {
			step(&s.Config)
		}
		since, is := fleet.ConfigOutdated(&s)
		if since != c.since || is != (c.since != 0) || s.Config.AppliedVersion != c.applied || s.Config.IsCurrent() != c.isCurrent {
			t.Errorf("%s: %+v", name, s.Config)
		}
	}
}

// A device is told when it is heard, at a pace that falls to once a day, until it says that it has the version.
func TestConfigIsDue(t *testing.T) {
	var c fleet.ConfigState
	now := fleet.Instant(1_795_000_000_000)
	if c.IsDue(now) {
		t.Error("without a configuration")
	}
	c.Set(1, now)
	if !c.IsDue(now) {
		t.Error("not told of a new one")
	}
	told := 0
	for end := now.Add(30 * 24 * time.Hour); now < end; now = now.Add(10 * time.Second) {
		if c.IsDue(now) {
			c.Hand(now)
			told++
		}
	}
	if told != 40 { // eleven in the first day
		t.Errorf("told %d times in 30 days", told)
	}
	c.Claim(1, now, now)
	if now = now.Add(48 * time.Hour); c.IsDue(now) {
		t.Error("told of what it has")
	}
	c.Claim(0, now, now)
	if !c.IsDue(now) {
		t.Error("not told after it lost it")
	}
	c.Hand(now)
	if c.IsDue(now.Add(59*time.Second)) || !c.IsDue(now.Add(time.Minute)) {
		t.Error("the first wait is a minute")
	}
}

// An asset that was cut is silent from then on until its next report, whatever instant that has.
func TestCut(t *testing.T) {
	const at = fleet.Instant(1_795_000_000_000)
	point := fleet.Point{At: at, ReceivedAt: at, Lat: 39.7, Lng: -75.5, HasAlerting: true, Alerting: true}
	heard := func() (s fleet.State) {
		fleet.AdvancePoint(&s, &point, fleet.Surroundings{})
		return s
	}
	s := heard()
	if c := fleet.Cut(&s, at+2000); c != fleet.ChangeCut || fleet.StaleAt(&s) != at+2000 || !fleet.IsStale(&s, at+2000) {
		t.Errorf("%v %+v", c, s)
	}
	if since, is := fleet.SilentAt(&s, at+3000); since != at+2000 || !is {
		t.Errorf("silent since %v %v", since, is)
	}
	if c := fleet.Cut(&s, at+9000); c != 0 || s.CutAt != at+2000 {
		t.Error("cut twice")
	}
	late := fleet.Signal{Kind: fleet.SignalHeartbeat, At: at - 60_000, ReceivedAt: at + 5000}
	if fleet.AdvanceSignal(&s, &late); s.CutAt != 0 || fleet.StaleAt(&s) != at+30_000 || fleet.IsStale(&s, at+6000) {
		t.Errorf("heard again: %+v", s)
	}
	// The end of a connection of which is learned after a later report, over another way.
	if s = heard(); fleet.Cut(&s, at-1) != 0 {
		t.Error("cut before its last report")
	}
	if s = heard(); fleet.Cut(&s, at) != fleet.ChangeCut {
		t.Error("its report and its end came together, and it is not silent")
	}
	// What was stale by its age stays so since then.
	if s = heard(); fleet.Cut(&s, at+40_000) != fleet.ChangeCut || fleet.StaleAt(&s) != at+30_000 {
		t.Errorf("%+v", s)
	}
	if s = (fleet.State{}); fleet.Cut(&s, at) != 0 {
		t.Error("never heard, and cut")
	}
}
