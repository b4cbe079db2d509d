package points_test

import (
	"math/rand/v2"
	"testing"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/points"
	"lightbar/internal/store/storetest"
)

// Reports come back over many pages, minute by minute and asset by asset, each
// once, and only those received since the instant asked for.
func TestEachReport(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		const assets, each = 2500, 16 // of the table more than a page is read, of the intake some between
		base := fleet.Instant(1_795_000_020_000)
		var reported []fleet.Point
		var signals []fleet.Signal
		for i := range assets * each {
			at := base + fleet.Instant(i%each)*7_000
			p := fleet.Point{ThingNo: int64(i/each + 1), At: at, ReceivedAt: at + fleet.Instant(i%3)*1000}
			if reported = append(reported, p); i%5 == 0 {
				signals = append(signals, fleet.Signal{ThingNo: p.ThingNo, At: at, ReceivedAt: p.ReceivedAt, Kind: fleet.SignalAlert, On: true})
			}
		}
		rand.New(rand.NewPCG(1, 1)).Shuffle(len(reported), func(i, k int) { reported[i], reported[k] = reported[k], reported[i] })
		if _, err := insert(t.Context(), s, reported[:len(reported)*3/4]); err != nil {
			t.Fatal(err)
		}
		if err := points.MergeAll(t.Context(), s.Store); err != nil {
			t.Fatal(err)
		}
		if _, err := insert(t.Context(), s, reported[len(reported)*3/4:]); err != nil {
			t.Fatal(err)
		}
		if err := s.Write(t.Context(), func(tx *store.Tx) error {
			return tx.InsertSignals(t.Context(), signals, make([]points.Taken, len(signals)))
		}); err != nil {
			t.Fatal(err)
		}
		since, received := base+35_000, base+60_000
		minute := func(at fleet.Instant) int64 { return int64(at) / 60_000 }
		wantPoints, wantSignals := 0, 0
		for _, p := range reported {
			if minute(p.At) >= minute(since) && p.ReceivedAt >= received {
				wantPoints++
			}
		}
		for _, g := range signals {
			if minute(g.At) >= minute(since) && g.ReceivedAt >= received {
				wantSignals++
			}
		}
		type key struct{ minute, no int64 }
		var last key
		gotPoints, gotSignals := 0, 0
		if err := points.EachReport(t.Context(), s.Reader(), since, received, func(ps []fleet.Point, gs []fleet.Signal) {
			gotPoints, gotSignals = gotPoints+len(ps), gotSignals+len(gs)
			keys := map[key]bool{}
			for i, p := range ps {
				if keys[key{minute(p.At), p.ThingNo}] = true; i > 0 && p.At <= ps[i-1].At || p.ReceivedAt < received {
					t.Fatalf("%+v after %+v", p, ps[max(i-1, 0)])
				}
			}
			for _, g := range gs {
				if keys[key{minute(g.At), g.ThingNo}] = true; g.ReceivedAt < received {
					t.Fatalf("%+v", g)
				}
			}
			for k := range keys {
				if len(keys) != 1 || k.minute < last.minute || k.minute == last.minute && k.no <= last.no {
					t.Fatalf("%v after %v", keys, last)
				}
				last = k
			}
		}); err != nil {
			t.Fatal(err)
		}
		if gotPoints != wantPoints || gotSignals != wantSignals {
			t.Errorf("%d points and %d signals, want %d and %d", gotPoints, gotSignals, wantPoints, wantSignals)
		}
	})
}
