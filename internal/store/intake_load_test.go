package store

import (
	"testing"
	"time"

	"lightbar/internal/fleet"
)

// A clock that is a day ahead is remembered for its own asset; those of the
// others are not held to be late for a day after a start.
func TestAStartBearsAClockThatIsAhead(t *testing.T) {
	now := fleet.InstantOf(time.Now())
	path := t.TempDir() + "/lightbar.db"
	take := func(s *Store, p fleet.Point) Taken {
		t.Helper()
		taken := make([]Taken, 1)
		if err := s.Write(t.Context(), func(tx *Tx) error { return tx.InsertPoints(t.Context(), s.Engine(), []fleet.Point{p}, taken) }); err != nil {
			t.Fatal(err)
		}
		return taken[0]
	}
	ahead := fleet.Point{ThingNo: 1, At: now.Add(23 * time.Hour), ReceivedAt: now, Lat: 39.5}
	s := openHereFor(t, Options{Path: path})
	take(s, ahead)
	for _, step := range []func(*testing.T, *Store){func(*testing.T, *Store) {}, mergeEverything} { // where it lies: in the intake, in the table
		step(t, s)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		s = openHereFor(t, Options{Path: path})
		if taken := take(s, ahead); taken != TakenRepeat {
			t.Errorf("it is taken again as %d", taken)
		}
		s.intake.mu.RLock()
		floor := fleet.Instant(s.intake.floor)
		s.intake.mu.RUnlock()
		if floor > now.Add(time.Hour) {
			t.Errorf("reports until %s are held to be late", floor)
		}
	}
	other := ahead
	other.Lat = 39.6
	if taken := take(s, other); taken != TakenUnderOwn {
		t.Errorf("other content is taken as %d", taken)
	}
}

func mergeEverything(t *testing.T, s *Store) {
	t.Helper()
	if err := MergeAll(t.Context(), s); err != nil {
		t.Fatal(err)
	}
}
