package fleet

import (
	"math"
	"slices"

	"lightbar/catalog"
)

var runMaxGap = catalog.LimitMs("run", "maxGapMs")

// Run is a maximal set of points with no gap over 5 min while enroute, that
// is alerting and not on scene.
type Run struct {
	ID             string
	ThingNo        int64
	OrganizationID string
	StartAt, EndAt Instant
	Points         int64
	DwellPoints    int64 // of Points, those after RunHistory.DwellAt (RunsOf)
}

// OnOffReport is one report that contained whether the asset alerts, or whether its board is on.
type OnOffReport struct {
	At Instant
	On bool
}

// RunPoint is the part of a stored point that the run law uses.
type RunPoint struct {
	At          Instant // effective
	HasAlerting bool
	Alerting    bool
}

// RunHistory is what decides the runs of one asset in a period.
type RunHistory struct {
	Points  []RunPoint    // any order
	Signals []OnOffReport // by signals, any order
	Before  bool          // alerting as last reported before the period
	Stays   []Presence    // at incidents; a stay without end lasts
	// DwellAt is since when it has been stopped where an incident may open, 0 = nowhere.
	DwellAt Instant
}

// RunsOf computes the runs from history: a point counts when it reports that it alerts, or reports nothing and the last report
// before it was on, and it lies in no stay at an incident. A run ends with the arrival: the point of that instant still counts, but
// begins no run. Ids are left empty.
func RunsOf(h RunHistory) []Run {
	reports := slices.Clone(h.Signals)
	for _, p := range h.Points {
		if p.HasAlerting {
			reports = append(reports, OnOffReport{p.At, p.Alerting})
		}
	}
	// At one instant "on" counts (an ambiguous off keeps alerting).
	slices.SortFunc(reports, func(a, b OnOffReport) int {
		if a.At != b.At {
			return int(a.At - b.At)
		}
		if a.On == b.On {
			return 0
		}
		if b.On {
			return -1
		}
		return 1
	})
	points := slices.Clone(h.Points)
	slices.SortFunc(points, func(a, b RunPoint) int { return int(a.At - b.At) })
	var runs []Run
	on, w := h.Before, 0
	for _, p := range points {
		for w < len(reports) && reports[w].At <= p.At {
			on = reports[w].On
			w++
		}
		alerting := on
		if p.HasAlerting {
			alerting = p.Alerting
		}
		if !alerting || staying(h.Stays, p.At) {
			continue
		}
		if n := len(runs); n == 0 || p.At.Sub(runs[n-1].EndAt) > runMaxGap {
			if arriving(h.Stays, p.At) {
				continue
			}
			runs = append(runs, Run{StartAt: p.At})
		}
		r := &runs[len(runs)-1]
		r.EndAt = p.At
		r.Points++
		if h.DwellAt != 0 && p.At > h.DwellAt {
			r.DwellPoints++
		}
	}
	return runs
}

// DependsOnBefore finds the first point that depends on the last report before the period: one at no incident without a value, before
// any report with one. Without such a point, Before decides nothing.
func (h RunHistory) DependsOnBefore() (first Instant, ok bool) {
	earliest := Instant(math.MaxInt64)
	for _, s := range h.Signals {
		earliest = min(earliest, s.At)
	}
	for _, p := range h.Points {
		if p.HasAlerting {
			earliest = min(earliest, p.At)
		}
	}
	for _, p := range h.Points {
		// A point of an arrival begins no run: one that counts follows another point.
		if p.At < earliest && !staying(h.Stays, p.At) && !arriving(h.Stays, p.At) && (!ok || p.At < first) {
			first, ok = p.At, true
		}
	}
	return first, ok
}

// staying reports whether an instant lies in a stay, after its arrival.
func staying(stays []Presence, at Instant) bool {
	return slices.ContainsFunc(stays, func(s Presence) bool { return at > s.StartAt && (s.EndAt == 0 || at <= s.EndAt) })
}

func arriving(stays []Presence, at Instant) bool {
	return slices.ContainsFunc(stays, func(s Presence) bool { return at == s.StartAt })
}

// PresentRun is the run that the asset is on, or that brought it to its current incident; false without one. A newest run that is
// over is not: the next point could not continue it. Nor is one with an earlier stay in it, once on scene: it is unknown to which
// of the two it led. Of the points since it stopped where an incident may open, only the first counts, as the others belong to the
// stay if one does.
func PresentRun(s *State) (Run, bool) {
	until := s.HeartbeatAt
	if s.LocationID != "" {
		until = s.ArrivedAt
	}
	r := Run{ID: s.RunID, ThingNo: s.No, StartAt: s.RunStartAt, EndAt: s.RunLastAt, Points: max(s.RunPointsCount-s.DwellPoints, 1)}
	switch {
	case r.ID == "" || until.Sub(r.EndAt) > runMaxGap:
		return Run{}, false
	case s.LocationID == "":
		return r, s.Alerting
	}
	return r, r.StartAt < until && r.EndAt <= until && s.LeftAt <= r.StartAt
}

// RunGoesOn is the run that the asset is on: its next point may still continue it.
func RunGoesOn(s *State, now Instant) (Run, bool) {
	r, ok := PresentRun(s)
	return r, ok && s.LocationID == "" && now.Sub(r.EndAt) <= runMaxGap
}

// RunReach is the stretch around [from, to] in which points may join a run.
func RunReach(from, to Instant) (Instant, Instant) {
	return from - Instant(runMaxGap.Milliseconds()), to + Instant(runMaxGap.Milliseconds())
}

// KeepRunIDs gives recomputed runs the ids of the earlier runs they continue:
// each takes the oldest overlapping one that is not taken yet. It returns the
// earlier runs that no longer exist. newID names the others.
func KeepRunIDs(earlier, now []Run, newID func() string) (gone []Run) {
	taken := make([]bool, len(earlier))
	for i := range now {
		for j := range earlier {
			if !taken[j] && earlier[j].StartAt <= now[i].EndAt && now[i].StartAt <= earlier[j].EndAt {
				now[i].ID, taken[j] = earlier[j].ID, true
				break
			}
		}
		if now[i].ID == "" {
			now[i].ID = newID()
		}
	}
	for j := range earlier {
		if !taken[j] {
			gone = append(gone, earlier[j])
		}
	}
	return gone
}
