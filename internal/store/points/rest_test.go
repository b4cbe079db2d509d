package points_test

import (
	"slices"
	"testing"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/points"
	"lightbar/internal/store/storetest"
)

func putAtRest(t *testing.T, s *store.Store, reported []fleet.Point, before fleet.Instant) error {
	t.Helper()
	return s.Write(t.Context(), func(tx *store.Tx) error { return tx.PutAtRest(t.Context(), reported, before) })
}

// bodies are the blocks as they lie, in order.
func bodies(t *testing.T, s *store.Store) (out []string) {
	t.Helper()
	rows, err := s.Reader().QueryContext(t.Context(), `SELECT body FROM point_block ORDER BY thing_no, slot, first_at`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var body []byte
		if err := rows.Scan(&body); err != nil {
			t.Fatal(err)
		}
		out = append(out, string(body))
	}
	return out
}

// Points that are put at rest lie as those that came and were sealed since, and a repeat of one is known.
func TestPointsPutAtRest(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		of := func(n int64) []fleet.Point {
			return append(driven(n, hourFrom, 10_000, 720), driven(n+1, hourFrom+hour/2, 5000, 500)...)
		}
		rest(t, s, of(1), hourFrom+2*hour)
		sealed := bodies(t, s)
		if err := s.Write(t.Context(), func(tx *store.Tx) error {
			_, err := tx.ExecContext(t.Context(), `DELETE FROM point_block`)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		if err := putAtRest(t, s, of(1), hourFrom+2*hour); err != nil {
			t.Fatal(err)
		}
		if got := bodies(t, s); !slices.Equal(got, sealed) || len(got) < 3 {
			t.Errorf("%d blocks, want the same %d", len(got), len(sealed))
		}
		readByAll(t, s, 1, hourFrom, hourFrom+3*hour, of(1)[:720])
		// Of assets that the intake never heard of.
		if err := putAtRest(t, s, of(7), hourFrom+2*hour); err != nil {
			t.Fatal(err)
		}
		taken, err := insert(t.Context(), s, slices.Clone(of(7)[700:721]))
		if err != nil || slices.ContainsFunc(taken, func(of points.Taken) bool { return of != points.TakenRepeat }) {
			t.Errorf("sent again: %v (%v)", taken, err)
		}
		if err := putAtRest(t, s, of(7), hourFrom+2*hour); err != nil {
			t.Fatal(err)
		}
		if n, err := s.CountPoints(t.Context()); err != nil || n != 2*1220 {
			t.Errorf("%d points (%v)", n, err)
		}
	})
}

// A point of an hour that does not rest yet is not put there, and nothing of the others is.
func TestPointsThatWouldRestTooSoon(t *testing.T) {
	s := storetest.SQLite(t)
	if err := putAtRest(t, s, driven(1, hourFrom, 10_000, 361), hourFrom+2*hour-1); err == nil {
		t.Error("a point of the last hour rests")
	}
	if n, err := s.CountPoints(t.Context()); err != nil || n != 0 {
		t.Errorf("%d points (%v)", n, err)
	}
	if err := putAtRest(t, s, driven(1, hourFrom, 10_000, 360), hourFrom+2*hour-1); err != nil {
		t.Error(err)
	}
}

// Before the first report of all there is nothing to look through; that report itself is found, however long ago it was said.
func TestTheFirstWordOfAllIsFound(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		at := hourFrom + 30_000
		first := driven(1, at, 1000, 1)
		first[0].HasAlerting, first[0].Alerting = true, true
		rest(t, s, first, hourFrom) // merged into the table, and not sealed
		said := []fleet.Signal{{ThingNo: 2, Kind: fleet.SignalAlert, At: at, ReceivedAt: at, On: true}}
		if err := s.Write(t.Context(), func(tx *store.Tx) error {
			return tx.InsertSignals(t.Context(), said, make([]points.Taken, 1))
		}); err != nil {
			t.Fatal(err)
		}
		for _, later := range []fleet.Instant{0, 1, 10 * 60_000, 5 * hour, 72 * hour} {
			for no := int64(1); no <= 3; no++ {
				want := later > 0 && no < 3
				if on, err := points.AlertingBefore(t.Context(), s.Reader(), no, at+later); err != nil || on != want {
					t.Errorf("asset %d, %d s later: %v (%v)", no, later/1000, on, err)
				}
			}
		}
		if got, err := points.SignalsOfThing(t.Context(), s.Reader(), 2, hourFrom-hour, hourFrom+hour); err != nil || len(got) != 1 {
			t.Errorf("%+v (%v)", got, err)
		}
	})
}
