package fleet

import (
	"math"
	"slices"
)

var runMaxGap = limitMs("run", "maxGapMs")

// Run is a maximal set of points with no gap over 5 min while enroute, that
// is alerting and not on scene (decisions: "a run").
type Run struct {
	ID             string
	ThingNo        int64
	OrganizationID string
	StartAt, EndAt Instant
	Points         int64
}

// Said is one report that said whether the asset alerts.
type Said struct {
	At Instant
	On bool
}

// RunPoint is what the run law looks at in a stored point.
type RunPoint struct {
	At   Instant // effective
	Said bool
	On   bool
}

// RunHistory is what decides the runs of one asset in a stretch of time.
type RunHistory struct {
	Points []RunPoint // any order
	Said   []Said     // by signals, any order
	Before bool       // alerting as last said before the stretch
	Stays  []Presence // at incidents; a stay without end lasts
}

// RunsOf computes the runs from history: a point counts when it says that it
// alerts, or says nothing and the last word before it was on, and it lies in
// no stay at an incident. Ids are left empty.
func RunsOf(h RunHistory) []Run {
	words := slices.Clone(h.Said)
	for _, p := range h.Points {
		if p.Said {
			words = append(words, Said{p.At, p.On})
		}
	}
	// At one instant the word "on" stands (an ambiguous off keeps alerting).
	slices.SortFunc(words, func(a, b Said) int {
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
		for w < len(words) && words[w].At <= p.At {
			on = words[w].On
			w++
		}
		alerting := on
		if p.Said {
			alerting = p.On
		}
		if !alerting || staying(h.Stays, p.At) {
			continue
		}
		if n := len(runs); n > 0 && p.At.Sub(runs[n-1].EndAt) <= runMaxGap {
			runs[n-1].EndAt = p.At
			runs[n-1].Points++
			continue
		}
		runs = append(runs, Run{StartAt: p.At, EndAt: p.At, Points: 1})
	}
	return runs
}

// AsksBefore finds the first point that only the last word before the stretch
// tells about: one at no incident that says nothing, before any word. Without
// one, Before decides nothing.
func (h RunHistory) AsksBefore() (first Instant, ok bool) {
	word := Instant(math.MaxInt64)
	for _, s := range h.Said {
		word = min(word, s.At)
	}
	for _, p := range h.Points {
		if p.Said {
			word = min(word, p.At)
		}
	}
	for _, p := range h.Points {
		if p.At < word && !staying(h.Stays, p.At) && (!ok || p.At < first) {
			first, ok = p.At, true
		}
	}
	return first, ok
}

func staying(stays []Presence, at Instant) bool {
	for _, s := range stays {
		if at >= s.StartAt && (s.EndAt == 0 || at <= s.EndAt) {
			return true
		}
	}
	return false
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
