package fleet

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Where no point asks for the last word before the stretch, it decides nothing;
// where one does, that one counts by it.
func TestTheWordBeforeIsAskedForWhereItDecides(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	asked := 0
	for range 20_000 {
		var h RunHistory
		for range r.IntN(4) {
			h.Points = append(h.Points, RunPoint{At: Instant(r.IntN(6)), HasAlerting: r.IntN(2) > 0, Alerting: r.IntN(2) > 0})
		}
		for range r.IntN(2) {
			h.Signals = append(h.Signals, OnOffReport{At: Instant(r.IntN(6)), On: r.IntN(2) > 0})
		}
		if r.IntN(3) == 0 {
			h.Stays = []Presence{{StartAt: Instant(r.IntN(6)), EndAt: Instant(1 + r.IntN(6))}}
		}
		first, asks := h.DependsOnBefore()
		off := RunsOf(h)
		h.Before = true
		on := RunsOf(h)
		if asks == slices.Equal(off, on) {
			t.Fatalf("asks %v, but runs are %v and %v: %+v", asks, off, on, h)
		}
		if asks {
			asked++
			in := func(runs []Run) bool {
				return slices.ContainsFunc(runs, func(r Run) bool { return r.StartAt <= first && first <= r.EndAt })
			}
			if !in(on) || in(off) && !slices.ContainsFunc(h.Points, func(p RunPoint) bool { return p.HasAlerting && p.Alerting && p.At == first }) {
				t.Fatalf("the first point that asks is %v; runs are %v and %v: %+v", first, off, on, h)
			}
		}
	}
	if asked == 0 {
		t.Error("no point asked")
	}
}
