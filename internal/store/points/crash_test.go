package points_test

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"testing"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/points"
	"lightbar/internal/store/storetest"
)

// What this package writes for each engine is watched on each.
func init() { storetest.Whole() }

func TestMain(m *testing.M) {
	if os.Getenv(storetest.ChildEnv) == "points" {
		childPoints()
	}
	os.Exit(m.Run())
}

// childPoints stores points and says how many after each commit; they are merged and sealed all the while.
func childPoints() {
	ctx := context.Background()
	s, err := store.Open(ctx, store.Options{Path: os.Args[1]})
	if err == nil {
		points.MergeAt(s.Store, 1000)
		go func() {
			for {
				if _, err := s.Seal(ctx, intakeFrom+7_200_000); err != nil {
					fmt.Fprintln(os.Stderr, err)
					os.Exit(1)
				}
			}
		}()
	}
	for n, _ := strconv.Atoi(os.Args[2]); err == nil; fmt.Println(n) {
		reported := make([]fleet.Point, 40)
		for i := range reported {
			at := intakeFrom + fleet.Instant(n+i)
			reported[i] = fleet.Point{ThingNo: 1, At: at, ReceivedAt: at}
		}
		_, err = insert(ctx, s, reported)
		n += len(reported)
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// Wherever between intake, table and block a crash falls, each acknowledged point is there once.
// spec: D.wire.12
func TestKillNineBetweenIntakeTableAndBlock(t *testing.T) {
	path := storetest.SQLitePath(t)
	acknowledged := 0
	cycles := 8
	if testing.Short() {
		cycles = 2
	}
	for cycle := range cycles {
		acknowledged = storetest.Killed(t, storetest.Child(t, "points", nil, path, strconv.Itoa(acknowledged)), 60+cycle*29)
		s, err := store.Open(t.Context(), store.Options{Path: path})
		if err != nil {
			t.Fatalf("after kill -9: %v", err)
		}
		reported, _, err := points.OfThing(t.Context(), s.Reader(), 1, intakeFrom, intakeFrom+10_000_000)
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range reported {
			if p.At != intakeFrom+fleet.Instant(i) {
				t.Fatalf("point %d is of +%d", i, p.At-intakeFrom)
			}
		}
		if n, err := s.CountPoints(t.Context()); err != nil || n != int64(len(reported)) {
			t.Fatalf("%d points are counted, %d are there (%v)", n, len(reported), err)
		}
		if len(reported) < acknowledged {
			t.Fatalf("%d points were acknowledged, %d are there", acknowledged, len(reported))
		}
		acknowledged = len(reported)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
