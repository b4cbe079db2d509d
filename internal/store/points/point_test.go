package points_test

import (
	"context"
	"testing"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/points"
	"lightbar/internal/store/storetest"
)

// A report whose key is taken by another lies under its receive instant, once:
// sent again, as a device does that missed the answer, it is a repeat.
//
// spec: D.wire.12
func TestRepeatOfAPointUnderItsReceiveInstant(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		const at, received = fleet.Instant(1_795_000_000_000), fleet.Instant(1_795_000_500_000)
		point := func(lat float64, receivedAt fleet.Instant) fleet.Point {
			return fleet.Point{ThingNo: 7, At: at, ReceivedAt: receivedAt, Lat: lat, Lng: -75.5, HasAlerting: true, Alerting: true}
		}
		send := func(want points.Taken, reported ...fleet.Point) fleet.Instant {
			t.Helper()
			taken := make([]points.Taken, len(reported))
			if err := s.Write(t.Context(), func(tx *store.Tx) error {
				return tx.InsertPoints(context.Background(), s.Engine(), reported, taken)
			}); err != nil {
				t.Fatal(err)
			}
			last := len(reported) - 1
			if taken[last] != want {
				t.Fatalf("taken %v, want the last to be %v", taken, want)
			}
			return reported[last].At
		}
		send(points.TakenNew, point(39.1, received))
		if own := send(points.TakenUnderOwn, point(39.2, received)); own != received {
			t.Fatalf("stored under %d", own)
		}
		send(points.TakenRepeat, point(39.2, received+1000))      // the answer was lost
		send(points.TakenRepeat, point(39.2, received+50*60_000)) // much later
		send(points.TakenRepeat, point(39.1, received+2000))      // the one that holds the key
		send(points.TakenUnderOwn, point(39.3, received+3000))    // a third content
		send(points.TakenRepeat, point(39.3, received+4000), point(39.3, received+4000))
		send(points.TakenUnderOwn, point(39.4, received+5000), point(39.4, received+5000), point(39.5, received+5000))
		reported, _, err := points.OfThing(t.Context(), s.Reader(), 7, 0+at, received+60_000)
		if err != nil {
			t.Fatal(err)
		}
		if len(reported) != 5 {
			t.Fatalf("%d points are stored: %+v", len(reported), reported)
		}
		for _, p := range reported {
			if !p.HasAlerting || !p.Alerting || p.ClockSkew {
				t.Errorf("its flags came back wrong: %+v", p)
			}
		}
	})
}
