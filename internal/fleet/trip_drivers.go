package fleet

import (
	"slices"
	"time"
)

// alertLongest is how long after its beginning an alert is looked for.
const alertLongest = 24 * time.Hour

// ShownAlert is an alert of an asset that drivers were shown.
type ShownAlert struct {
	BeganAt Instant // the lights went on
	EndedAt Instant // 0 = not known, or not over
	Drivers int64   // each once
}

// DriverImpressions is what apps reported about an asset's alerts.
type DriverImpressions struct {
	Since  Instant      // of runs that began before it is not known
	Alerts []ShownAlert // oldest first
	Hours  []Instant    // that began then, and in which some app reported anything to the organization
}

// DriversReach is where the alerts lie that decide about runs in a period.
func DriversReach(runs []Trip, since Instant) Stretch {
	var s Stretch
	for i := range runs {
		if i == 0 || runs[i].StartAt < s.Start {
			s.Start = runs[i].StartAt
		}
		s.End = max(s.End, runs[i].EndAt)
	}
	return Stretch{max(s.Start, since).Add(-alertLongest), s.End.Add(alertLongest)}
}

// DriversOfRun counts the drivers who were shown alerts of a run, each once for an alert. An alert belongs to the run in which it
// began, or to the one that began within 5 minutes, if it lasted: lights may be reported before the first position. Runs are
// further apart, so that no alert is counted twice. nil = not measured: no app reported any, or all that lit the run is the alert
// of an earlier one.
func (h *DriverImpressions) DriversOfRun(r *Trip) *int64 {
	if r.StartAt < h.Since {
		return nil
	}
	var drivers int64
	isTold, isEarlier := false, false
	for _, a := range h.Alerts {
		if a.BeganAt > r.EndAt {
			break
		}
		lasts := a.BeganAt >= r.StartAt || a.EndedAt == 0 || a.EndedAt >= r.StartAt
		switch {
		case r.StartAt.Sub(a.BeganAt) > alertLongest:
		case r.StartAt.Sub(a.BeganAt) > runMaxGap:
			isEarlier = lasts // if the end of an alert is not known, the next one shows that it was over
		case lasts:
			isTold, drivers = true, drivers+a.Drivers
		default:
			isEarlier = false
		}
	}
	switch {
	case isTold:
		return &drivers
	case isEarlier || !slices.ContainsFunc(h.Hours, func(at Instant) bool { return at <= r.EndAt && r.StartAt < at.Add(time.Hour) }):
		return nil
	}
	return &drivers
}
