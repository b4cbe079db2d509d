package fleet_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"lightbar/internal/fleet"
)

// keeper does for one asset what the live picture does: it keeps reports,
// advances the state, and computes runs again when the state asks for history.
type keeper struct {
	state   fleet.State
	points  []fleet.Point
	signals []fleet.Signal
	runs    []fleet.Run
	ids     int
	around  fleet.Surroundings
}

func (k *keeper) newID() string {
	k.ids++
	return fmt.Sprint(k.ids)
}

func (k *keeper) take(p *fleet.Point, g *fleet.Signal) {
	var o fleet.Outcome
	if p != nil {
		k.points = append(k.points, *p)
		o = fleet.AdvancePoint(&k.state, p, k.around)
	} else {
		k.signals = append(k.signals, *g)
		o = fleet.AdvanceSignal(&k.state, g)
	}
	if o.NewRun {
		k.state.RunID = k.newID()
		k.runs = append(k.runs, fleet.Run{ID: k.state.RunID})
	}
	if k.state.RunID != "" {
		i := slices.IndexFunc(k.runs, func(r fleet.Run) bool { return r.ID == k.state.RunID })
		k.runs[i] = fleet.Run{ID: k.state.RunID, StartAt: k.state.RunStartAt, EndAt: k.state.RunLastAt, Points: k.state.RunPointsCount}
	}
	if o.RunsTo != 0 {
		k.recompute(o.RunsFrom, o.RunsTo)
	}
	if o.Lights {
		k.state.LightsAt, _ = fleet.LightsOf(k.history(), 0)
	}
}

// history are all reports that were kept.
func (k *keeper) history() (h fleet.RunHistory) {
	for i := range k.points {
		h.Points = append(h.Points, fleet.RunPoint{At: k.points[i].EffectiveAt(), HasAlerting: k.points[i].HasAlerting, Alerting: k.points[i].Alerting})
	}
	for i := range k.signals {
		if g := &k.signals[i]; g.HasAlerting() {
			h.Signals = append(h.Signals, fleet.OnOffReport{At: g.EffectiveAt(), On: g.On})
		}
	}
	return h
}

func (k *keeper) recompute(from, to fleet.Instant) {
	from, to = fleet.RunReach(from, to)
	var earlier, others []fleet.Run
	for _, r := range k.runs {
		if r.StartAt <= to && r.EndAt >= from {
			earlier = append(earlier, r)
		} else {
			others = append(others, r)
		}
	}
	for _, r := range earlier {
		from, to = min(from, r.StartAt), max(to, r.EndAt)
	}
	var h fleet.RunHistory
	var before fleet.Instant
	word := func(at fleet.Instant, on bool) {
		if at < from && (at > before || at == before && on) {
			before, h.Before = at, on
		}
	}
	for i := range k.points {
		p := &k.points[i]
		at := p.EffectiveAt()
		if at >= from && at <= to {
			h.Points = append(h.Points, fleet.RunPoint{At: at, HasAlerting: p.HasAlerting, Alerting: p.Alerting})
		} else if p.HasAlerting {
			word(at, p.Alerting)
		}
	}
	for i := range k.signals {
		g := &k.signals[i]
		if at := g.EffectiveAt(); g.HasAlerting() && at >= from && at <= to {
			h.Signals = append(h.Signals, fleet.OnOffReport{At: at, On: g.On})
		} else if g.HasAlerting() {
			word(at, g.On)
		}
	}
	now := fleet.RunsOf(h)
	fleet.KeepRunIDs(earlier, now, k.newID)
	k.runs = append(others, now...)
	slices.SortFunc(k.runs, func(a, b fleet.Run) int { return int(a.StartAt - b.StartAt) })
	s := &k.state
	s.RunID, s.RunStartAt, s.RunLastAt, s.RunPointsCount, s.PrevRunEndAt = "", 0, 0, 0, 0
	if n := len(k.runs); n > 0 {
		last := k.runs[n-1]
		s.RunID, s.RunStartAt, s.RunLastAt, s.RunPointsCount = last.ID, last.StartAt, last.EndAt, last.Points
		if n > 1 {
			s.PrevRunEndAt = k.runs[n-2].EndAt
		}
	}
}

// end is the part of the outcome that must not depend on the order: all but
// run ids and what incidents need.
func (k *keeper) end(now fleet.Instant) string {
	s := k.state
	s.RunID, s.DwellAt, s.DwellLat, s.DwellLng, s.DwellPoints = "", 0, 0, 0, 0
	fleet.Settle(&s, k.around, now)
	runs := slices.Clone(k.runs)
	slices.SortFunc(runs, func(a, b fleet.Run) int { return int(a.StartAt - b.StartAt) })
	for i := range runs {
		runs[i].ID = ""
	}
	return fmt.Sprintf("%+v %+v", s, runs)
}

type report struct {
	p *fleet.Point
	g *fleet.Signal
}

const base = fleet.Instant(1_795_000_000_000)

// drawReports makes reports of one asset at distinct instants: it drives
// between three places (one of them a station), says something about its
// lights or not, and its clock may run ahead.
func drawReports(t *rapid.T) []report {
	places := [][2]float64{{39.70, -75.50}, {39.7004, -75.50}, {39.75, -75.55}}
	n := rapid.IntRange(1, 14).Draw(t, "n")
	steps := rapid.SliceOfNDistinct(rapid.IntRange(0, 60), n, n, rapid.ID[int]).Draw(t, "steps")
	var out []report
	for _, step := range steps {
		at := base + fleet.Instant(step)*55_000
		received := base + 61*55_000
		if rapid.IntRange(0, 9).Draw(t, "skew") == 0 {
			received = at - 30_000
		}
		kind := rapid.IntRange(0, 7).Draw(t, "kind")
		if kind > 4 {
			out = append(out, report{g: &fleet.Signal{Kind: fleet.SignalKind(kind - 5), At: at, ReceivedAt: received, On: rapid.Bool().Draw(t, "on")}})
			continue
		}
		place := rapid.SampledFrom(places).Draw(t, "place")
		p := &fleet.Point{At: at, ReceivedAt: received, Lat: place[0] + float64(step)*1e-5, Lng: place[1]}
		if acc := rapid.SampledFrom([]float64{-1, 10, 50, 150}).Draw(t, "accuracy"); acc >= 0 {
			p.HasAccuracy, p.AccuracyM = true, acc
		}
		if said := rapid.IntRange(0, 3).Draw(t, "said"); said > 0 {
			p.HasAlerting, p.Alerting = true, said > 1
		}
		out = append(out, report{p: p})
	}
	return out
}

var station = stationsAround(fleet.Area{ID: "s", IsStation: true, HasCenter: true, Lat: 39.70, Lng: -75.50, RadiusM: 60})

// stationsAround looks through all stations, one by one.
func stationsAround(areas ...fleet.Area) fleet.Surroundings {
	return fleet.Surroundings{
		Station: func(lat, lng float64) (id string) {
			for _, a := range areas {
				if (id == "" || a.ID < id) && a.Contains(lat, lng) {
					id = a.ID
				}
			}
			return id
		},
		Near: func(lat, lng, withinM float64) bool {
			return slices.ContainsFunc(areas, func(a fleet.Area) bool { return a.DistanceFromM(lat, lng) <= withinM })
		},
	}
}

// Marker, status, history and runs end up the same for any order of the same
// points (requirements D.ingest).
//
// spec: D.ingest.08 D.value.08
func TestAnyOrderGivesTheSameState(t *testing.T) {
	rounds := 100 // of rapid's 100 cases each
	if testing.Short() {
		rounds = 1
	}
	for range rounds {
		rapid.Check(t, sameInAnyOrder)
	}
}

func sameInAnyOrder(t *rapid.T) {
	reports := drawReports(t)
	shuffled := rapid.Permutation(reports).Draw(t, "order")
	slices.SortStableFunc(reports, func(a, b report) int { return int(effective(a) - effective(b)) })
	ends := [2]string{}
	for i, list := range [][]report{reports, shuffled} {
		k := keeper{around: station}
		for _, r := range list {
			k.take(r.p, r.g)
		}
		ends[i] = k.end(base + 70*55_000)
	}
	if ends[0] != ends[1] {
		t.Fatalf("in order:\n%s\nshuffled:\n%s", ends[0], ends[1])
	}
}

func effective(r report) fleet.Instant {
	if r.p != nil {
		return r.p.EffectiveAt()
	}
	return r.g.EffectiveAt()
}

// A late point never moves the marker back.
func TestMarkerNeverGoesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := keeper{around: station}
		var at fleet.Instant
		for _, r := range drawReports(t) {
			k.take(r.p, r.g)
			if k.state.At < at {
				t.Fatalf("the marker went from %v back to %v", at, k.state.At)
			}
			at = k.state.At
		}
	})
}
