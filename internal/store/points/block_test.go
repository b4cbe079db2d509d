package points_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/points"
	"lightbar/internal/store/storetest"
)

const (
	hour = fleet.Instant(3_600_000)
	// hourFrom begins an hour.
	hourFrom = intakeFrom - intakeFrom%hour
)

// driven are n points of an asset, so many milliseconds apart.
func driven(no int64, from fleet.Instant, every, n int) (reported []fleet.Point) {
	for i := range n {
		at := from + fleet.Instant(i*every)
		reported = append(reported, fleet.Point{ThingNo: no, At: at, ReceivedAt: at + 300, Lat: fleet.FromFixed(int32(390_000_000 + i)), Lng: -75, HasAlerting: true, Alerting: i%2 == 0})
	}
	return reported
}

// rest inserts points and seals all that ended before.
func rest(t *testing.T, s *store.Store, reported []fleet.Point, before fleet.Instant) int {
	t.Helper()
	points.SealAtOnce(s.Store)
	if _, err := insert(t.Context(), s, slices.Clone(reported)); err != nil {
		t.Fatal(err)
	}
	if err := points.MergeAll(t.Context(), s.Store); err != nil {
		t.Fatal(err)
	}
	n, err := s.Seal(t.Context(), before)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// lies counts the points of the table, the blocks, and the points in them.
func lies(t *testing.T, s *store.Store) (n [3]int64) {
	t.Helper()
	for i, text := range []string{`SELECT COUNT(*) FROM point`, `SELECT COUNT(*) FROM point_block`, `SELECT CAST(COALESCE(SUM(n), 0) AS BIGINT) FROM point_block`} {
		if err := s.Reader().QueryRowContext(t.Context(), text).Scan(&n[i]); err != nil {
			t.Fatal(err)
		}
	}
	return n
}

func TestHoursThatEndedRest(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		all := append(driven(1, hourFrom, 10_000, 900), driven(2, hourFrom+hour/2, 1000, 3600)...)
		all = append(all, driven(5000, hourFrom, 10_000, 10)...) // far from the others' numbers
		if n := rest(t, s, all, hourFrom+2*hour+1); n != 720+3600+10 {
			t.Errorf("%d points were sealed", n)
		}
		if got, want := lies(t, s), [3]int64{180, 5, 720 + 3600 + 10}; got != want {
			t.Errorf("table, blocks, points in blocks: %v, want %v", got, want)
		}
		readByAll(t, s, 1, hourFrom, hourFrom+3*hour, all[:900])
		readByAll(t, s, 2, hourFrom+hour-1000, hourFrom+hour+2000, all[900+1799:900+1803])
		if n, err := s.CountPoints(t.Context()); err != nil || n != int64(len(all)) {
			t.Errorf("%d points (%v)", n, err)
		}
		if n, err := s.Seal(t.Context(), hourFrom+2*hour+1); err != nil || n != 0 {
			t.Errorf("sealed again: %d (%v)", n, err)
		}
		before := hourFrom + 3*hour/2 + 500 // an odd one was the last to say something
		if on, err := points.AlertingBefore(t.Context(), s.Reader(), 1, before); err != nil || !on {
			t.Errorf("what it said last was that it alerts: %v (%v)", on, err)
		}
	})
}

// The last word is found in whatever block it lies; one that cannot be read says nothing.
func TestTheLastWordRests(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		spoke, silent := driven(1, hourFrom, 600_000, 24), driven(2, hourFrom, 600_000, 24)
		for i := range spoke { // in the first hour on, in the second off, then nothing
			spoke[i].HasAlerting, spoke[i].Alerting, silent[i].HasAlerting, silent[i].Alerting = i < 12, i < 6, false, false
		}
		rest(t, s, append(spoke, silent...), hourFrom+3*hour)
		last := func(no int64, before fleet.Instant, want bool) {
			t.Helper()
			if on, err := points.AlertingBefore(t.Context(), s.Reader(), no, before); err != nil || on != want {
				t.Errorf("asset %d before +%d min: %v (%v)", no, (before-hourFrom)/60_000, on, err)
			}
		}
		last(1, hourFrom, false)
		last(1, hourFrom+hour/2, true)
		last(1, hourFrom+hour, true)
		last(1, hourFrom+hour+1, false)
		last(1, hourFrom+4*hour, false)
		last(2, hourFrom+4*hour, false)
		if err := s.Write(t.Context(), func(tx *store.Tx) error {
			_, err := tx.ExecContext(t.Context(), `UPDATE point_block SET body = $1 WHERE thing_no = 1 AND first_at = $2`, []byte("{}"), int64(hourFrom+hour))
			return err
		}); err != nil {
			t.Fatal(err)
		}
		last(1, hourFrom+4*hour, true)
	})
}

// What comes for an hour that rests is answered as before, though a start has forgotten it, and its block is made again.
// spec: D.wire.12
func TestALatePointOfAnHourThatRests(t *testing.T) {
	path := storetest.SQLitePath(t)
	open := func() *store.Store {
		s, err := store.Open(t.Context(), store.Options{Path: path})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := open()
	all := driven(1, hourFrom, 10_000, 360)
	rest(t, s, all, hourFrom+hour)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open()
	defer func() { _ = s.Close() }()
	late, other := all[7], all[8]
	late.At += 5000
	other.Lat, other.ReceivedAt = 41, hourFrom+5*hour
	sent := []fleet.Point{all[6], late, other, other}
	taken, err := insert(t.Context(), s, sent)
	want := []points.Taken{points.TakenRepeat, points.TakenNew, points.TakenUnderOwn, points.TakenRepeat}
	if err != nil || !slices.Equal(taken, want) {
		t.Fatalf("%v, want %v (%v)", taken, want, err)
	}
	stored := slices.Insert(slices.Clone(all), 8, late)
	readByAll(t, s, 1, hourFrom, hourFrom+hour, stored)
	rest(t, s, nil, hourFrom+hour)
	if got, want := lies(t, s), [3]int64{1, 1, 361}; got != want {
		t.Errorf("table, blocks, points in blocks: %v, want %v", got, want)
	}
	readByAll(t, s, 1, hourFrom, hourFrom+hour, stored)

	// The clock was set back: what is sent again rests under its receive instant.
	rest(t, s, nil, hourFrom+6*hour)
	other.ReceivedAt += 60_000
	if taken, err := insert(t.Context(), s, []fleet.Point{other}); err != nil || taken[0] != points.TakenRepeat {
		t.Errorf("%v (%v)", taken, err)
	}
}

// A device with a point each millisecond fills more than a block; what comes late is put into the one that it belongs to.
func TestAnHourOfManyBlocks(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		all := driven(1, hourFrom, 1, 140_000)
		late := all[70_000]
		all = slices.Delete(all, 70_000, 70_001)
		rest(t, s, all, hourFrom+hour)
		rest(t, s, []fleet.Point{late}, hourFrom+hour)
		all = slices.Insert(all, 70_000, late)
		if got := lies(t, s); got[0] != 0 || got[1] < 3 || got[1] > 4 || got[2] != 140_000 {
			t.Errorf("table, blocks, points in blocks: %v", got)
		}
		readByAll(t, s, 1, hourFrom, hourFrom+hour, all)
	})
}

// What is damaged is named; all else is readable, and goes on to rest.
func TestADamagedBlockCostsOnlyItself(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		one, two := driven(1, hourFrom, 10_000, 720), driven(2, hourFrom, 10_000, 360)
		rest(t, s, append(slices.Clone(one), two...), hourFrom+2*hour)
		if err := s.Write(t.Context(), func(tx *store.Tx) error {
			_, err := tx.ExecContext(t.Context(), `UPDATE point_block SET body = $1 WHERE thing_no = 1 AND first_at = $2`, []byte("{}"), int64(hourFrom))
			return err
		}); err != nil {
			t.Fatal(err)
		}
		got, damaged, err := points.OfThing(t.Context(), s.Reader(), 1, hourFrom, hourFrom+2*hour)
		if err != nil || len(got) != 360 || got[0].At != hourFrom+hour || !slices.Equal(damaged, []points.Block{{ThingNo: 1, Slot: int64(hourFrom / hour)}}) {
			t.Errorf("%d points, damaged %v (%v)", len(got), damaged, err)
		}
		late, other := one[0], two[0]
		late.At, other.At = late.At+1, other.At+1
		if _, err := insert(t.Context(), s, []fleet.Point{late, other}); err != nil {
			t.Fatal(err)
		}
		if err := points.MergeAll(t.Context(), s.Store); err != nil {
			t.Fatal(err)
		}
		n, err := s.Seal(t.Context(), hourFrom+2*hour)
		if want := fmt.Sprintf("asset 1, hour of %s", hourFrom); n != 1 || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d points were sealed, and %v", n, err)
		}
		if of := points.DamagedOf(err); !slices.Equal(of, damaged) {
			t.Errorf("it names %v", of)
		}
		if got := lies(t, s); got != [3]int64{1, 3, 1081} {
			t.Errorf("table, blocks, points in blocks: %v", got)
		}
	})
}

// One hour of assets that report each second: points a second that go to rest, and bytes a point then and before.
func BenchmarkSeal(b *testing.B) {
	for _, c := range []struct {
		name string
		open func(testing.TB) *store.Store
	}{{"sqlite", storetest.SQLite}, {"postgres", storetest.Postgres}} {
		b.Run(c.name, func(b *testing.B) {
			s, n, at := c.open(b), 0, hourFrom
			points.SealAtOnce(s.Store)
			for b.Loop() {
				b.StopTimer()
				for no := range int64(20) {
					if _, err := insert(b.Context(), s, driven(no+1, at, 1000, 3600)); err != nil {
						b.Fatal(err)
					}
				}
				if err := points.MergeAll(b.Context(), s.Store); err != nil {
					b.Fatal(err)
				}
				at += hour
				b.StartTimer()
				sealed, err := s.Seal(b.Context(), at)
				if err != nil {
					b.Fatal(err)
				}
				n += sealed
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "points/s")
		})
	}
}
