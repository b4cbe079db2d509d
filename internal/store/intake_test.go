package store_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
)

const intakeFrom = fleet.Instant(1_795_000_000_000)

func insert(ctx context.Context, s *store.Store, points []fleet.Point) ([]store.Taken, error) {
	taken := make([]store.Taken, len(points))
	return taken, s.Write(ctx, func(tx *store.Tx) error { return tx.InsertPoints(ctx, s.Engine(), points, taken) })
}

// ledger is what a store must hold and answer, said in the simplest way.
type ledger struct {
	points map[[2]int64]fleet.Point // by asset and own instant
	moved  map[report]bool          // stored under their receive instants
}

// report is a point as its device said it; contents differ in the latitude alone.
type report struct {
	no  int64
	at  fleet.Instant
	lat float64
}

func (l ledger) take(p fleet.Point) store.Taken {
	said := report{p.ThingNo, p.At, p.Lat}
	for taken := store.TakenNew; ; taken = store.TakenUnderOwn {
		key := [2]int64{p.ThingNo, int64(p.At)}
		there, ok := l.points[key]
		switch {
		case !ok:
			l.points[key], l.moved[said] = p, taken == store.TakenUnderOwn
			return taken
		case taken == store.TakenNew && (there.Lat == p.Lat || l.moved[said]):
			return store.TakenRepeat
		case taken == store.TakenNew:
			p.At = p.ReceivedAt
		default:
			p.At++
		}
	}
}

func (l ledger) of(no int64, from, to fleet.Instant) (points []fleet.Point) {
	for _, p := range l.points {
		if p.ThingNo == no && p.At >= from && p.At <= to {
			points = append(points, p)
		}
	}
	slices.SortFunc(points, func(a, b fleet.Point) int { return int(a.At - b.At) })
	return points
}

// randomPoints are some new ones, some late, some sent again, some with a taken key and other content.
func randomPoints(r *rand.Rand, now fleet.Instant, sent []fleet.Point) (points []fleet.Point) {
	for range 1 + r.IntN(12) {
		p := fleet.Point{ThingNo: 1 + r.Int64N(6), At: now - fleet.Instant(r.Int64N(200_000)), ReceivedAt: now, Lat: float64(r.IntN(1000)) / 1000, Lng: 1}
		if r.IntN(3) == 0 {
			p.At = now
		}
		if len(sent) > 0 && r.IntN(4) == 0 {
			p = sent[r.IntN(len(sent))]
			p.ReceivedAt = now
		}
		points = append(points, p)
	}
	return points
}

var errOnPurpose = errors.New("on purpose")

// Whatever comes in whatever order, whether it is merged, half merged, read
// again after a start or after a transaction that was not kept: each report is
// answered as if all points lay in one table, and everybody reads the same.
//
// spec: D.wire.12
func TestIntakeIsAsOneTable(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		for seed := range uint64(4) {
			intakeAsOneTable(t, s, rand.New(rand.NewPCG(seed, 1)), fleet.Instant(seed)*10_000_000)
		}
	})
}

func intakeAsOneTable(t *testing.T, s *store.Store, r *rand.Rand, ahead fleet.Instant) {
	ctx := t.Context()
	l, now := ledger{map[[2]int64]fleet.Point{}, map[report]bool{}}, intakeFrom+ahead
	before, err := s.CountPoints(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var sent []fleet.Point
	for range 120 {
		now += fleet.Instant(1 + r.Int64N(20_000))
		points := randomPoints(r, now, sent)
		switch r.IntN(8) {
		case 0: // not kept
			err := s.Write(ctx, func(tx *store.Tx) error {
				_ = tx.InsertPoints(ctx, s.Engine(), slices.Clone(points), make([]store.Taken, len(points)))
				return errOnPurpose
			})
			if !errors.Is(err, errOnPurpose) {
				t.Fatal(err)
			}
			continue
		case 1:
			store.BeginMerge(s)
		case 2, 3:
			if _, err := store.MergeStep(ctx, s, 1+r.IntN(30)); err != nil {
				t.Fatal(err)
			}
		}
		sent = append(sent, points...)
		var want []store.Taken
		for _, p := range points {
			want = append(want, l.take(p))
		}
		if taken, err := insert(ctx, s, points); err != nil || !slices.Equal(taken, want) {
			t.Fatalf("%v, want %v (%v)\n%+v", taken, want, err, points)
		}
		if r.IntN(8) == 0 {
			no := 1 + r.Int64N(6)
			readByAll(t, s, no, intakeFrom+ahead-200_000, now, l.of(no, intakeFrom+ahead-200_000, now))
		}
	}
	if n, err := s.CountPoints(ctx); err != nil || n != before+int64(len(l.points)) {
		t.Fatalf("%d points, want %d + %d (%v)", n, before, len(l.points), err)
	}
}

// readByAll reads an asset's points in every way there is.
func readByAll(t *testing.T, s *store.Store, no int64, from, to fleet.Instant, want []fleet.Point) {
	t.Helper()
	check := func(who string) func(r store.Reader) error {
		return func(r store.Reader) error {
			got, err := store.PointsOfThing(t.Context(), r, no, from, to)
			same := slices.EqualFunc(got, want, func(a, b fleet.Point) bool { return a.At == b.At && a.Lat == b.Lat })
			if err != nil || !same {
				return fmt.Errorf("%s reads %d points, want %d (%w)", who, len(got), len(want), err)
			}
			return nil
		}
	}
	err := errors.Join(check("the pool")(s.Reader()), s.Read(t.Context(), check("a snapshot")),
		s.Write(t.Context(), func(tx *store.Tx) error { return check("a transaction")(tx) }))
	if err != nil {
		t.Fatal(err)
	}
}

// A point is read by its own transaction at once, by others when that has ended well.
func TestIntakeIsSeenAfterTheCommit(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		points := func(r store.Reader) int {
			found, err := store.PointsOfThing(ctx, r, 1, intakeFrom, intakeFrom+1000)
			if err != nil {
				t.Fatal(err)
			}
			return len(found)
		}
		if _, err := insert(ctx, s, []fleet.Point{{ThingNo: 1, At: intakeFrom, ReceivedAt: intakeFrom}}); err != nil {
			t.Fatal(err)
		}
		for kept, want := range []int{1, 2} {
			err := s.Write(ctx, func(tx *store.Tx) error {
				p := []fleet.Point{{ThingNo: 1, At: intakeFrom + 1, ReceivedAt: intakeFrom + 1}}
				if err := tx.InsertPoints(ctx, s.Engine(), p, make([]store.Taken, 1)); err != nil {
					return err
				}
				if own, others := points(tx), points(s.Reader()); own != 2 || others != 1 {
					t.Errorf("its own transaction reads %d points, others %d", own, others)
				}
				if kept == 0 {
					return errOnPurpose
				}
				return nil
			})
			if kept == 1 && err != nil {
				t.Fatal(err)
			}
			if n := points(s.Reader()); n != want {
				t.Errorf("%d points are there, want %d", n, want)
			}
		}
	})
}

// What is owed is merged beside commits, and leaves the intake then.
func TestIntakeIsMergedBesideCommits(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		store.StopMerging(s)
		points := make([]fleet.Point, 800)
		for n := range 6 {
			for i := range points {
				at := intakeFrom + fleet.Instant(n*len(points)+i)
				points[i] = fleet.Point{ThingNo: int64(i % 50), At: at, ReceivedAt: at}
			}
			if _, err := insert(t.Context(), s, points); err != nil {
				t.Fatal(err)
			}
			if n == 1 {
				store.BeginMerge(s)
			}
		}
		if waiting, rows, err := store.Intake(t.Context(), s); err != nil || waiting != 4*len(points) || rows != 4 || s.Unmerged() != waiting {
			t.Fatalf("%d points wait in %d rows (%v)", waiting, rows, err)
		}
		if n, err := s.CountPoints(t.Context()); err != nil || n != int64(6*len(points)) {
			t.Fatalf("%d points (%v)", n, err)
		}
	})
}

// The clock merges a full generation where no commit comes beside which it could be done.
func TestIntakeIsMergedByTheClock(t *testing.T) {
	s := storetest.SQLite(t)
	store.MergeAt(s, 1)
	if _, err := insert(t.Context(), s, []fleet.Point{{ThingNo: 1, At: intakeFrom, ReceivedAt: intakeFrom}}); err != nil {
		t.Fatal(err)
	}
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(time.Minute); ; <-tick.C {
		if waiting, _, err := store.Intake(t.Context(), s); err != nil || waiting == 0 {
			if n, other := s.CountPoints(t.Context()); err != nil || other != nil || n != 1 {
				t.Fatalf("%d points (%v, %v)", n, err, other)
			}
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("the point waits for a minute")
		}
	}
}

// Generations of every size are merged to the last point, those of one row too.
func TestIntakeIsMergedWhole(t *testing.T) {
	s := storetest.SQLite(t)
	store.StopMerging(s)
	at, want := intakeFrom, 0
	for _, size := range []int{1001, 1, 1000, 1, 1, 999} {
		var points []fleet.Point
		for range size {
			at++
			points = append(points, fleet.Point{ThingNo: 1, At: at, ReceivedAt: at})
		}
		if _, err := insert(t.Context(), s, points); err != nil {
			t.Fatal(err)
		}
		if err := store.MergeAll(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		want += size
		if n, err := s.CountPoints(t.Context()); err != nil || n != int64(want) {
			t.Fatalf("%d points, want %d (%v)", n, want, err)
		}
		if waiting, rows, err := store.Intake(t.Context(), s); err != nil || waiting+rows != 0 {
			t.Fatalf("%d points wait in %d rows (%v)", waiting, rows, err)
		}
	}
}

// A taken receive instant is passed over wherever the point lies that holds it,
// and one report is not held to be another's repeat.
func TestTakenKeysAreFoundInTheTable(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		point := func(at, received fleet.Instant, lat float64) fleet.Point {
			return fleet.Point{ThingNo: 1, At: intakeFrom + at, ReceivedAt: intakeFrom + received, Lat: lat}
		}
		send := func(p fleet.Point, want store.Taken, at fleet.Instant) {
			t.Helper()
			points := []fleet.Point{p}
			taken, err := insert(t.Context(), s, points)
			if err != nil || taken[0] != want || points[0].At != intakeFrom+at {
				t.Fatalf("taken as %v at +%d, want %v at +%d (%v)", taken, points[0].At-intakeFrom, want, at, err)
			}
			if err := store.MergeAll(t.Context(), s); err != nil {
				t.Fatal(err)
			}
		}
		send(point(100, 100, 1), store.TakenNew, 100)
		send(point(500, 500, 2), store.TakenNew, 500)
		send(point(100, 500, 3), store.TakenUnderOwn, 501)
		send(point(200, 600, 4), store.TakenNew, 200)
		send(point(200, 700, 3), store.TakenUnderOwn, 700)
		if taken, err := insert(t.Context(), s, []fleet.Point{point(100, 800, 3), point(200, 800, 3), point(200, 801, 5), point(100, 802, 5), point(100, 803, 5)}); err != nil ||
			!slices.Equal(taken, []store.Taken{store.TakenRepeat, store.TakenRepeat, store.TakenUnderOwn, store.TakenUnderOwn, store.TakenRepeat}) {
			t.Fatalf("taken as %v (%v)", taken, err)
		}
	})
}

// A clock that stands still makes every report go under its receive instant:
// each finds the next free one without trying all before it, and is known when it comes again.
func TestAClockThatStandsStill(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		const rounds, each = 12, 1000
		round := func(n int) (points []fleet.Point) {
			for i := range each {
				points = append(points, fleet.Point{ThingNo: 1, At: intakeFrom, ReceivedAt: intakeFrom + 5000 + fleet.Instant(n)*50, Lat: float64(n*each+i) / 1e5})
			}
			return points
		}
		for n := range rounds {
			points := round(n)
			taken, err := insert(t.Context(), s, points)
			if err != nil {
				t.Fatal(err)
			}
			for i, k := range taken {
				at, want := intakeFrom+4999+fleet.Instant(n*each+i), store.TakenUnderOwn
				if n+i == 0 {
					at, want = intakeFrom, store.TakenNew
				}
				if k != want || points[i].At != at {
					t.Fatalf("round %d: report %d is taken as %d at +%d", n, i, k, points[i].At-intakeFrom)
				}
			}
			if n == rounds/2 {
				if err := store.MergeAll(t.Context(), s); err != nil {
					t.Fatal(err)
				}
			}
		}
		for _, n := range []int{rounds / 2, rounds - 1} {
			if taken, err := insert(t.Context(), s, round(n)); err != nil || slices.ContainsFunc(taken, func(k store.Taken) bool { return k != store.TakenRepeat }) {
				t.Fatalf("round %d again: %v (%v)", n, taken, err)
			}
		}
	})
}

// A start finds what a crash left: points in the intake, some of them merged already.
func TestIntakeIsReadAgainAfterAStart(t *testing.T) {
	path := storetest.SQLitePath(t)
	var points []fleet.Point
	for i := range 3000 {
		points = append(points, fleet.Point{ThingNo: int64(i%7 + 1), At: intakeFrom + fleet.Instant(i), ReceivedAt: intakeFrom + fleet.Instant(i)})
	}
	for start := range 3 {
		s, err := store.Open(t.Context(), store.Options{Path: path})
		if err != nil {
			t.Fatal(err)
		}
		taken, err := insert(t.Context(), s, slices.Clone(points[:1000*(start+1)]))
		if err != nil {
			t.Fatal(err)
		}
		for i, k := range taken {
			if want := i < 1000*start; want != (k == store.TakenRepeat) {
				t.Fatalf("start %d: point %d is taken as %d", start, i, k)
			}
		}
		if n, err := s.CountPoints(t.Context()); err != nil || n != int64(1000*(start+1)) {
			t.Fatalf("start %d: %d points (%v)", start, n, err)
		}
		store.BeginMerge(s)
		if _, err := store.MergeStep(t.Context(), s, 700); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	s, err := store.Open(t.Context(), store.Options{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if _, err := insert(t.Context(), s, slices.Clone(points[:10])); err != nil { // repeats alone
		t.Fatal(err)
	}
	if err := store.MergeAll(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if waiting, rows, err := store.Intake(t.Context(), s); err != nil || waiting+rows != 0 {
		t.Errorf("%d points wait in %d rows (%v)", waiting, rows, err)
	}
	if n, err := s.CountPoints(t.Context()); err != nil || n != int64(len(points)) {
		t.Errorf("%d points (%v)", n, err)
	}
}
