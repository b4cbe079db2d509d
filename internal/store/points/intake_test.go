package points_test

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
	"lightbar/internal/store/points"
	"lightbar/internal/store/storetest"
)

const intakeFrom = fleet.Instant(1_795_000_000_000)

func insert(ctx context.Context, s *store.Store, reported []fleet.Point) ([]points.Taken, error) {
	taken := make([]points.Taken, len(reported))
	return taken, s.Write(ctx, func(tx *store.Tx) error { return tx.InsertPoints(ctx, s.Engine(), reported, taken) })
}

// ledger is what a store must hold and answer, said in the simplest way.
type ledger struct {
	reported map[[2]int64]fleet.Point // by asset and own instant
	moved    map[report]bool          // stored under their receive instants
}

// report is a point as its device said it; contents differ in the latitude alone.
type report struct {
	no  int64
	at  fleet.Instant
	lat float64
}

func (l ledger) take(p fleet.Point) points.Taken {
	said := report{p.ThingNo, p.At, p.Lat}
	for taken := points.TakenNew; ; taken = points.TakenUnderOwn {
		key := [2]int64{p.ThingNo, int64(p.At)}
		there, ok := l.reported[key]
		switch {
		case !ok:
			l.reported[key], l.moved[said] = p, taken == points.TakenUnderOwn
			return taken
		case taken == points.TakenNew && (there.Lat == p.Lat || l.moved[said]):
			return points.TakenRepeat
		case taken == points.TakenNew:
			p.At = p.ReceivedAt
		default:
			p.At++
		}
	}
}

func (l ledger) of(no int64, from, to fleet.Instant) (reported []fleet.Point) {
	for _, p := range l.reported {
		if p.ThingNo == no && p.At >= from && p.At <= to {
			reported = append(reported, p)
		}
	}
	slices.SortFunc(reported, func(a, b fleet.Point) int { return int(a.At - b.At) })
	return reported
}

// randomPoints are some new ones, some late, some sent again, some with a taken key and other content.
func randomPoints(r *rand.Rand, now fleet.Instant, sent []fleet.Point) (reported []fleet.Point) {
	for range 1 + r.IntN(12) {
		p := fleet.Point{ThingNo: 1 + r.Int64N(6), At: now - fleet.Instant(r.Int64N(200_000)), ReceivedAt: now, Lat: float64(r.IntN(1000)) / 1000, Lng: 1}
		if r.IntN(3) == 0 {
			p.At = now
		}
		if len(sent) > 0 && r.IntN(4) == 0 {
			p = sent[r.IntN(len(sent))]
			p.ReceivedAt = now
		}
		reported = append(reported, p)
	}
	return reported
}

var errOnPurpose = errors.New("on purpose")

// Whatever comes in whatever order, whether it is merged, half merged, at rest, read
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
	points.SealAtOnce(s.Store)
	var sent []fleet.Point
	for range 120 {
		now += fleet.Instant(1 + r.Int64N(20_000))
		reported := randomPoints(r, now, sent)
		switch r.IntN(8) {
		case 0: // not kept
			err := s.Write(ctx, func(tx *store.Tx) error {
				_ = tx.InsertPoints(ctx, s.Engine(), slices.Clone(reported), make([]points.Taken, len(reported)))
				return errOnPurpose
			})
			if !errors.Is(err, errOnPurpose) {
				t.Fatal(err)
			}
			continue
		case 1:
			points.BeginMerge(s.Store)
		case 4: // all rests, and what comes late is added
			if err := points.MergeAll(ctx, s.Store); err != nil {
				t.Fatal(err)
			}
			fallthrough
		case 5:
			if _, err := s.Seal(ctx, now+7_200_000); err != nil {
				t.Fatal(err)
			}
		case 2, 3:
			if _, err := points.MergeStep(ctx, s.Store, 1+r.IntN(30)); err != nil {
				t.Fatal(err)
			}
		}
		sent = append(sent, reported...)
		var want []points.Taken
		for _, p := range reported {
			want = append(want, l.take(p))
		}
		if taken, err := insert(ctx, s, reported); err != nil || !slices.Equal(taken, want) {
			t.Fatalf("%v, want %v (%v)\n%+v", taken, want, err, reported)
		}
		if r.IntN(8) == 0 {
			no := 1 + r.Int64N(6)
			readByAll(t, s, no, intakeFrom+ahead-200_000, now, l.of(no, intakeFrom+ahead-200_000, now))
		}
	}
	if n, err := s.CountPoints(ctx); err != nil || n != before+int64(len(l.reported)) {
		t.Fatalf("%d points, want %d + %d (%v)", n, before, len(l.reported), err)
	}
}

// readByAll reads an asset's points in every way there is.
func readByAll(t *testing.T, s *store.Store, no int64, from, to fleet.Instant, want []fleet.Point) {
	t.Helper()
	check := func(who string) func(r store.Reader) error {
		return func(r store.Reader) error {
			got, _, err := points.OfThing(t.Context(), r, no, from, to)
			same := slices.EqualFunc(got, want, func(a, b fleet.Point) bool { return a.At == b.At && a.Lat == b.Lat })
			if err != nil || !same {
				return fmt.Errorf("%s reads %d points, want %d (%w)", who, len(got), len(want), err)
			}
			return readTogether(t, s, r, who, points.Stretch{ThingNo: no, From: from, To: to})
		}
	}
	err := errors.Join(check("the pool")(s.Reader()), s.Read(t.Context(), check("a snapshot")),
		s.Write(t.Context(), func(tx *store.Tx) error { return check("a transaction")(tx) }))
	if err != nil {
		t.Fatal(err)
	}
}

// readTogether compares what is read of many stretches with what is read of each.
func readTogether(t *testing.T, s *store.Store, r store.Reader, who string, one points.Stretch) error {
	t.Helper()
	before, later := one, one
	before.ThingNo, before.From = one.ThingNo+1, one.From-60_000
	later.From, later.To = one.From+1, one.To+3*60_000
	asked := []points.Stretch{one, before, {ThingNo: 1 << 40, From: one.From, To: one.To}, later}
	got, said := make([][]fleet.Point, len(asked)), make([][]fleet.Signal, len(asked))
	err := points.EachOf(t.Context(), r, s.Engine(), asked, func(i int, p *fleet.Point) { got[i] = append(got[i], *p) },
		func(i int, g *fleet.Signal) { said[i] = append(said[i], *g) })
	if err != nil {
		return err
	}
	for i, a := range asked {
		want, _, err := points.OfThing(t.Context(), r, a.ThingNo, a.From, a.To)
		words, err2 := points.AlertSignalsOfThing(t.Context(), r, a.ThingNo, a.From, a.To)
		if err != nil || err2 != nil || !slices.Equal(got[i], want) || !slices.Equal(said[i], words) {
			return fmt.Errorf("%s reads %d points and %d words of stretch %d together, alone %d and %d (%w)", who, len(got[i]), len(said[i]), i,
				len(want), len(words), errors.Join(err, err2))
		}
	}
	return nil
}

// A point is read by its own transaction at once, by others when that has ended well.
func TestIntakeIsSeenAfterTheCommit(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		reported := func(r store.Reader) int {
			found, _, err := points.OfThing(ctx, r, 1, intakeFrom, intakeFrom+1000)
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
				if err := tx.InsertPoints(ctx, s.Engine(), p, make([]points.Taken, 1)); err != nil {
					return err
				}
				if own, others := reported(tx), reported(s.Reader()); own != 2 || others != 1 {
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
			if n := reported(s.Reader()); n != want {
				t.Errorf("%d points are there, want %d", n, want)
			}
		}
	})
}

// What is owed is merged beside commits, and leaves the intake then.
func TestIntakeIsMergedBesideCommits(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		points.StopMerging(s.Store)
		reported := make([]fleet.Point, 800)
		for n := range 6 {
			for i := range reported {
				at := intakeFrom + fleet.Instant(n*len(reported)+i)
				reported[i] = fleet.Point{ThingNo: int64(i % 50), At: at, ReceivedAt: at}
			}
			if _, err := insert(t.Context(), s, reported); err != nil {
				t.Fatal(err)
			}
			if n == 1 {
				points.BeginMerge(s.Store)
			}
		}
		if waiting, rows, err := points.Intake(t.Context(), s.Store); err != nil || waiting != 4*len(reported) || rows != 4 || s.Unmerged() != waiting {
			t.Fatalf("%d points wait in %d rows (%v)", waiting, rows, err)
		}
		if n, err := s.CountPoints(t.Context()); err != nil || n != int64(6*len(reported)) {
			t.Fatalf("%d points (%v)", n, err)
		}
	})
}

// The clock merges a full generation where no commit comes beside which it could be done.
func TestIntakeIsMergedByTheClock(t *testing.T) {
	s := storetest.SQLite(t)
	points.MergeAt(s.Store, 1)
	if _, err := insert(t.Context(), s, []fleet.Point{{ThingNo: 1, At: intakeFrom, ReceivedAt: intakeFrom}}); err != nil {
		t.Fatal(err)
	}
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(time.Minute); ; <-tick.C {
		if waiting, _, err := points.Intake(t.Context(), s.Store); err != nil || waiting == 0 {
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
	points.StopMerging(s.Store)
	at, want := intakeFrom, 0
	for _, size := range []int{1001, 1, 1000, 1, 1, 999} {
		var reported []fleet.Point
		for range size {
			at++
			reported = append(reported, fleet.Point{ThingNo: 1, At: at, ReceivedAt: at})
		}
		if _, err := insert(t.Context(), s, reported); err != nil {
			t.Fatal(err)
		}
		if err := points.MergeAll(t.Context(), s.Store); err != nil {
			t.Fatal(err)
		}
		want += size
		if n, err := s.CountPoints(t.Context()); err != nil || n != int64(want) {
			t.Fatalf("%d points, want %d (%v)", n, want, err)
		}
		if waiting, rows, err := points.Intake(t.Context(), s.Store); err != nil || waiting+rows != 0 {
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
		send := func(p fleet.Point, want points.Taken, at fleet.Instant) {
			t.Helper()
			reported := []fleet.Point{p}
			taken, err := insert(t.Context(), s, reported)
			if err != nil || taken[0] != want || reported[0].At != intakeFrom+at {
				t.Fatalf("taken as %v at +%d, want %v at +%d (%v)", taken, reported[0].At-intakeFrom, want, at, err)
			}
			if err := points.MergeAll(t.Context(), s.Store); err != nil {
				t.Fatal(err)
			}
		}
		send(point(100, 100, 1), points.TakenNew, 100)
		send(point(500, 500, 2), points.TakenNew, 500)
		send(point(100, 500, 3), points.TakenUnderOwn, 501)
		send(point(200, 600, 4), points.TakenNew, 200)
		send(point(200, 700, 3), points.TakenUnderOwn, 700)
		if taken, err := insert(t.Context(), s, []fleet.Point{point(100, 800, 3), point(200, 800, 3), point(200, 801, 5), point(100, 802, 5), point(100, 803, 5)}); err != nil ||
			!slices.Equal(taken, []points.Taken{points.TakenRepeat, points.TakenRepeat, points.TakenUnderOwn, points.TakenUnderOwn, points.TakenRepeat}) {
			t.Fatalf("taken as %v (%v)", taken, err)
		}
	})
}

// A clock that stands still makes every report go under its receive instant:
// each finds the next free one without trying all before it, and is known when it comes again.
func TestAClockThatStandsStill(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		const rounds, each = 12, 1000
		round := func(n int) (reported []fleet.Point) {
			for i := range each {
				reported = append(reported, fleet.Point{ThingNo: 1, At: intakeFrom, ReceivedAt: intakeFrom + 5000 + fleet.Instant(n)*50, Lat: float64(n*each+i) / 1e5})
			}
			return reported
		}
		for n := range rounds {
			reported := round(n)
			taken, err := insert(t.Context(), s, reported)
			if err != nil {
				t.Fatal(err)
			}
			for i, k := range taken {
				at, want := intakeFrom+4999+fleet.Instant(n*each+i), points.TakenUnderOwn
				if n+i == 0 {
					at, want = intakeFrom, points.TakenNew
				}
				if k != want || reported[i].At != at {
					t.Fatalf("round %d: report %d is taken as %d at +%d", n, i, k, reported[i].At-intakeFrom)
				}
			}
			if n == rounds/2 {
				if err := points.MergeAll(t.Context(), s.Store); err != nil {
					t.Fatal(err)
				}
			}
		}
		for _, n := range []int{rounds / 2, rounds - 1} {
			if taken, err := insert(t.Context(), s, round(n)); err != nil || slices.ContainsFunc(taken, func(k points.Taken) bool { return k != points.TakenRepeat }) {
				t.Fatalf("round %d again: %v (%v)", n, taken, err)
			}
		}
	})
}

// A start finds what a crash left: points in the intake, some of them merged already.
func TestIntakeIsReadAgainAfterAStart(t *testing.T) {
	path := storetest.SQLitePath(t)
	var reported []fleet.Point
	for i := range 3000 {
		reported = append(reported, fleet.Point{ThingNo: int64(i%7 + 1), At: intakeFrom + fleet.Instant(i), ReceivedAt: intakeFrom + fleet.Instant(i)})
	}
	for start := range 3 {
		s, err := store.Open(t.Context(), store.Options{Path: path})
		if err != nil {
			t.Fatal(err)
		}
		taken, err := insert(t.Context(), s, slices.Clone(reported[:1000*(start+1)]))
		if err != nil {
			t.Fatal(err)
		}
		for i, k := range taken {
			if want := i < 1000*start; want != (k == points.TakenRepeat) {
				t.Fatalf("start %d: point %d is taken as %d", start, i, k)
			}
		}
		if n, err := s.CountPoints(t.Context()); err != nil || n != int64(1000*(start+1)) {
			t.Fatalf("start %d: %d points (%v)", start, n, err)
		}
		points.BeginMerge(s.Store)
		if _, err := points.MergeStep(t.Context(), s.Store, 700); err != nil {
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
	if _, err := insert(t.Context(), s, slices.Clone(reported[:10])); err != nil { // repeats alone
		t.Fatal(err)
	}
	if err := points.MergeAll(t.Context(), s.Store); err != nil {
		t.Fatal(err)
	}
	if waiting, rows, err := points.Intake(t.Context(), s.Store); err != nil || waiting+rows != 0 {
		t.Errorf("%d points wait in %d rows (%v)", waiting, rows, err)
	}
	if n, err := s.CountPoints(t.Context()); err != nil || n != int64(len(reported)) {
		t.Errorf("%d points (%v)", n, err)
	}
}
