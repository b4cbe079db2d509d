package app_test

import (
	"testing"
	"time"

	"lightbar/internal/store"
	"lightbar/internal/store/points"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
)

// Hours that ended more than six hours ago rest, but none that a start might still replay.
func TestPointsRestAfterHours(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		for ago := range 10 { // a point an hour
			at := int64(k.At().Add(-time.Duration(ago) * time.Hour))
			if err := s.Write(t.Context(), func(tx *store.Tx) error {
				_, err := tx.ExecContext(t.Context(), `INSERT INTO point (minute, thing_no, at, received_at, lat, lng, course, speed, accuracy, flags)
VALUES ($1, 1, $2, $2, 397000000, -755000000, -1, -1, -1, 0)`, at/60_000, at)
				return err
			}); err != nil {
				t.Fatal(err)
			}
		}
		sealed := func() int64 {
			if err := k.SealPoints(t.Context()); err != nil {
				t.Fatal(err)
			}
			kept, err := points.CountStored(t.Context(), s.Reader())
			if err != nil || kept.Table+kept.Sealed != 10 {
				t.Fatalf("%+v %v", kept, err)
			}
			return kept.Sealed
		}
		for _, c := range []struct{ hours, sealed int64 }{{9, 0}, {7, 1}, {0, 3}} {
			saved := k.At().Add(-time.Duration(c.hours) * time.Hour)
			if err := s.Write(t.Context(), func(tx *store.Tx) error { return tx.PutSavedTo(t.Context(), saved) }); err != nil {
				t.Fatal(err)
			}
			if n := sealed(); n != c.sealed {
				t.Errorf("states are %d h old: %d points rest, want %d", c.hours, n, c.sealed)
			}
		}
	})
}
