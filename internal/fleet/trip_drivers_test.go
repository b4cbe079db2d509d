package fleet_test

import (
	"testing"

	"lightbar/internal/fleet"
)

// An alert counts in the run in which it began, and in no other; where that tells nothing of a run, it is not measured.
func TestDriversOfARun(t *testing.T) {
	const (
		minute    = fleet.Instant(60_000)
		hour      = 60 * minute
		midnight  = 20_000 * 24 * hour
		from, to  = midnight - 10*minute, midnight + 10*minute // of the run
		unknown   = -1
		dayBefore = from - 24*hour
	)
	told := []fleet.Instant{midnight}
	type alerts = []fleet.ShownAlert
	for name, c := range map[string]struct {
		since  fleet.Instant
		alerts alerts
		hours  []fleet.Instant
		want   int64
	}{
		"nobody told of any":                    {hours: nil, want: unknown},
		"told of none, in its second hour":      {hours: told, want: 0},
		"told of none, in its first hour":       {hours: []fleet.Instant{midnight - hour}, want: 0},
		"told before and after":                 {hours: []fleet.Instant{midnight - 2*hour, midnight + hour}, want: unknown},
		"began in it, two of them":              {alerts: alerts{{from, from + minute, 3}, {to, 0, 4}}, hours: told, want: 7},
		"began in it, the hour is forgotten":    {alerts: alerts{{from + minute, 0, 3}}, want: 3},
		"began after it":                        {alerts: alerts{{to + 1, 0, 3}}, hours: told, want: 0},
		"told before the first position":        {alerts: alerts{{from - 5*minute, from, 3}}, hours: told, want: 3},
		"just before, and not over yet":         {alerts: alerts{{from - minute, 0, 3}}, hours: told, want: 3},
		"just before, and over":                 {alerts: alerts{{from - 5*minute, from - 1, 3}}, hours: told, want: 0},
		"of an earlier run, over in it":         {alerts: alerts{{from - 5*minute - 1, from, 3}}, hours: told, want: unknown},
		"of an earlier run, over before":        {alerts: alerts{{from - hour, from - 1, 3}}, hours: told, want: 0},
		"of an earlier run, end not known":      {alerts: alerts{{from - hour, 0, 3}}, hours: told, want: unknown},
		"the next one tells that it was over":   {alerts: alerts{{from - 2*hour, 0, 3}, {from - hour, from - 1, 3}}, hours: told, want: 0},
		"the one just before tells it, too":     {alerts: alerts{{from - 2*hour, 0, 3}, {from - minute, from - 1, 3}}, hours: told, want: 0},
		"of an earlier run, and one of its own": {alerts: alerts{{from - hour, from, 3}, {from, 0, 4}}, hours: told, want: 4},
		"of more than a day ago":                {alerts: alerts{{dayBefore - 1, 0, 3}}, hours: told, want: 0},
		"of a day ago":                          {alerts: alerts{{dayBefore, 0, 3}}, hours: told, want: unknown},
		"what was told is deleted by now":       {since: from + 1, alerts: alerts{{to, 0, 4}}, hours: told, want: unknown},
	} {
		h := fleet.DriverImpressions{Since: c.since, Alerts: c.alerts, Hours: c.hours}
		got := h.DriversOfRun(&fleet.Trip{StartAt: from, EndAt: to})
		if c.want == unknown && got != nil || c.want != unknown && (got == nil || *got != c.want) {
			t.Errorf("%s: %v, want %d", name, got, c.want)
		}
	}
	runs := []fleet.Trip{{StartAt: from, EndAt: to}, {StartAt: from - hour, EndAt: from - 30*minute}}
	if s := fleet.DriversReach(runs, 0); s != (fleet.Stretch{Start: from - 25*hour, End: to + 24*hour}) {
		t.Errorf("looked for in %v", s)
	}
	if s := fleet.DriversReach(runs, from); s.Start != dayBefore {
		t.Errorf("looked for since %v", s.Start)
	}
}
