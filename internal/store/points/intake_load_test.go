package points

import (
	"io"
	"log/slog"
	"testing"
	"time"

	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
)

func openHereFor(t *testing.T, o engine.Options) *Store {
	t.Helper()
	o.Log = slog.New(slog.NewTextHandler(io.Discard, nil))
	s, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

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
	s := openHereFor(t, engine.Options{Path: path})
	take(s, ahead)
	for _, step := range []func(*testing.T, *Store){func(*testing.T, *Store) {}, mergeEverything} { // where it lies: in the intake, in the table
		step(t, s)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		s = openHereFor(t, engine.Options{Path: path})
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

// A server whose own clock is far behind looks at no more than a few of the points that lie ahead of it, and knows repeats.
func TestAStartWithTheServersClockSetBack(t *testing.T) {
	now := fleet.InstantOf(time.Now())
	path := t.TempDir() + "/lightbar.db"
	s := openHereFor(t, engine.Options{Path: path})
	if err := s.Write(t.Context(), func(tx *Tx) error {
		_, err := tx.ExecContext(t.Context(), `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < $1)
INSERT INTO point (minute, thing_no, at, received_at, lat, lng, course, speed, accuracy, flags)
SELECT ($2 + i) / 60000, 1, $2 + i, $2 + i, 0, 0, -1, -1, -1, 0 FROM n`, aheadMost, int64(now))
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = openHereFor(t, engine.Options{Path: path, Now: func() time.Time { return time.Unix(1000, 0) }})
	taken := make([]Taken, 2)
	points := []fleet.Point{{ThingNo: 1, At: now.Add(5 * time.Millisecond), ReceivedAt: 1_000_000}, {ThingNo: 2, At: 1_000_000, ReceivedAt: 1_000_000}}
	if err := s.Write(t.Context(), func(tx *Tx) error { return tx.InsertPoints(t.Context(), s.Engine(), points, taken) }); err != nil {
		t.Fatal(err)
	}
	if taken[0] != TakenRepeat || taken[1] != TakenNew {
		t.Errorf("taken as %v", taken)
	}
	s.intake.mu.RLock()
	defer s.intake.mu.RUnlock()
	if len(s.intake.newest) > 1 || fleet.Instant(s.intake.floor) < now {
		t.Errorf("%d assets are remembered one by one, below %v everything is asked for", len(s.intake.newest), fleet.Instant(s.intake.floor))
	}
}

func mergeEverything(t *testing.T, s *Store) {
	t.Helper()
	if err := MergeAll(t.Context(), s); err != nil {
		t.Fatal(err)
	}
}
