package points_test

import (
	"testing"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/engine"
	"lightbar/internal/store/points"
	"lightbar/internal/store/storetest"
)

// Points go from table and blocks, a block when all of it is old; none goes while the intake has one that is as old, and
// those that stay are read as before.
func TestPurgeOfPoints(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		points.SealAtOnce(s.Store)
		points.StopMerging(s.Store)
		const hour = fleet.Instant(3_600_000)
		from := intakeFrom / hour * hour
		var reported []fleet.Point
		for i := range fleet.Instant(40) { // ten hours, a point each quarter
			at := from + i*hour/4
			reported = append(reported, fleet.Point{ThingNo: 1, At: at, ReceivedAt: at})
		}
		if _, err := insert(t.Context(), s, reported); err != nil {
			t.Fatal(err)
		}
		before, now := from+5*hour+hour/2, from+1000*hour
		left := func() int {
			t.Helper()
			found, _, err := points.OfThing(t.Context(), s.Reader(), 1, from, from+11*hour)
			if err != nil {
				t.Fatal(err)
			}
			return len(found)
		}
		purge := func(want engine.Swept, kept int) {
			t.Helper()
			if out, err := s.Purge(t.Context(), before, now); err != nil || out != want || left() != kept {
				t.Errorf("%+v %v, %d are left; want %+v, %d", out, err, left(), want, kept)
			}
		}
		purge(engine.Swept{}, 40) // they wait in the intake
		if err := points.MergeAll(t.Context(), s.Store); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Seal(t.Context(), from+3*hour); err != nil {
			t.Fatal(err)
		}
		purge(engine.Swept{Gone: 3 + 10}, 40-12-10) // three blocks, and the minutes of the table before half past five
		if _, err := s.Seal(t.Context(), from+11*hour); err != nil {
			t.Fatal(err)
		}
		before += hour // half of an hour's block is old: it stays
		purge(engine.Swept{Gone: 1}, 16)
		before += 100 * hour
		if _, err := insert(t.Context(), s, []fleet.Point{{ThingNo: 1, At: reported[39].At, ReceivedAt: now}}); err != nil {
			t.Fatal(err)
		}
		purge(engine.Swept{Gone: 4}, 0)
		// An asset that reports once more begins anew.
		if taken, err := insert(t.Context(), s, reported[:1]); err != nil || taken[0] != points.TakenNew || left() != 1 {
			t.Errorf("%v %v", taken, err)
		}
	})
}
