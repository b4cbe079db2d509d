package live_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
)

const crashAssets = 40

// reports makes what a fleet says in one second: most of it in order, some of
// it late by less or more than a start looks back, some by a clock that is ahead.
func reports(r *rand.Rand, now fleet.Instant, second int) (out []fleet.Report) {
	for asset := range crashAssets {
		if r.IntN(3) > 0 {
			continue
		}
		at := now
		switch r.IntN(12) {
		case 0:
			at -= fleet.Instant(r.IntN(50_000)) // late, found again by its own instant
		case 1:
			at -= fleet.Instant(61_000 + r.IntN(600_000)) // older than a start looks back
		}
		if asset == 7 {
			at = now + 3_600_000 // its clock is an hour ahead
		}
		p := fleet.Report{Kind: fleet.ReportPoint, Asset: fmt.Sprintf("U-%d", asset), At: at, HasLat: true, HasLng: true,
			Lat: 39 + float64(asset)/100 + float64(second)*float64(asset%3)*1e-4, Lng: -75.5, HasAccuracy: asset%2 == 0}
		if p.HasAccuracy {
			p.AccuracyM = 5
		}
		if asset%4 > 0 {
			p.HasAlerting, p.Alerting = true, (second/20+asset)%3 > 0
		}
		switch r.IntN(10) {
		case 0:
			p.Kind = fleet.ReportHeartbeat
		case 1:
			p.Kind, p.HasAlerting, p.Alerting = fleet.ReportAlert, true, r.IntN(2) > 0
		case 2:
			p.Kind, p.HasAlerting, p.Alerting = fleet.ReportClosure, true, r.IntN(2) > 0
		}
		out = append(out, p)
	}
	return out
}

func statesOf(t *testing.T, k *apptest.Kit, ids []string) (out []fleet.State) {
	t.Helper()
	if err := k.AgeDue(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		_, s, _, ok := k.Live.Thing(id)
		if !ok {
			t.Fatalf("%s has gone", id)
		}
		out = append(out, s)
	}
	return out
}

// sameState leaves out what a start may say anew: ids of runs and incidents
// (compared by their times), stamps of lists, and since when a status holds.
var sameState = cmp.Options{
	cmp.Comparer(func(a, b fleet.Trail) bool { return a == b }),
	cmpopts.IgnoreFields(fleet.State{}, "RunID", "ChangedAt", "StatusAt"),
}

// A start after a crash gives the states as they were, wherever between two
// writings of states it falls; nothing has been written at the end. It does so with
// states of an earlier version too.
//
// spec: D.wire.12
func TestCrashBetweenStatesChangesNothing(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		for seed := range uint64(4) {
			o := k.Organization(fmt.Sprint("A", seed))
			var ids []string
			for _, th := range k.Things(o.ID, "U", crashAssets) {
				ids = append(ids, th.ID)
			}
			r := rand.New(rand.NewPCG(seed, 1))
			for second := range 120 {
				k.Pass(time.Second)
				if _, err := k.RecordPoints(t.Context(), k.Device(o.ID), app.ReportBatch{Reports: reports(r, k.At(), second)}); err != nil {
					t.Fatal(err)
				}
				if r.IntN(4) == 0 {
					if err := k.FlushStates(t.Context()); err != nil {
						t.Fatal(err)
					}
				}
				if r.IntN(12) > 0 {
					continue
				}
				before, same := statesOf(t, k, ids), sameState
				if seed%2 > 0 {
					forget(t, s)
					same = append(same, notKept)
				}
				k.Open(s, live.Options{})
				if diff := cmp.Diff(before, statesOf(t, k, ids), same); diff != "" {
					t.Fatalf("seed %d, second %d, before - and after a crash +:\n%s", seed, second, diff)
				}
			}
		}
	})
}

// A report that was received before the instant up to which states are written
// (it waited long, or the clock was set back) survives a crash too.
func TestCrashAfterTheClockWasSetBack(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		o := k.Organization("A")
		things := k.Things(o.ID, "U", 2)
		send := func(asset string) {
			t.Helper()
			if _, err := k.RecordPoints(t.Context(), k.Device(o.ID), app.ReportBatch{Reports: []fleet.Report{point(asset, k.At(), 39.7)}}); err != nil {
				t.Fatal(err)
			}
		}
		send("U-0")
		k.Pass(10 * time.Second)
		if err := k.FlushStates(t.Context()); err != nil {
			t.Fatal(err)
		}
		k.Pass(-2 * time.Hour)
		send("U-1")
		at := k.At()
		k.Open(s, live.Options{})
		if _, state, _, _ := k.Live.Thing(things[1].ID); state.At != at {
			t.Errorf("the report of %v is lost, the picture shows %v", at, state.At)
		}
	})
}

// States are written beside the reports at an even pace: no commit carries many, and none waits for long.
func TestStatesAreWrittenAtAnEvenPace(t *testing.T) {
	const assets, batch = 4000, 200
	k := apptest.New(t, storetest.SQLite(t))
	o := k.Organization("A")
	k.Things(o.ID, "U", assets)
	written := map[fleet.Instant]int{} // states by the commit that wrote them last
	first := k.At()
	for i := range 900 { // 72 s of a commit every 80 ms: each asset reports every 1.6 s
		k.Pass(80 * time.Millisecond)
		var list []fleet.Report
		for j := range batch {
			list = append(list, point(fmt.Sprintf("U-%d", (i*batch+j)%assets), k.At(), 39.7))
		}
		if _, err := k.RecordPoints(t.Context(), k.Device(o.ID), app.ReportBatch{Reports: list}); err != nil {
			t.Fatal(err)
		}
		if i%12 == 0 {
			if err := k.FlushStates(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := store.EachState(t.Context(), k.Store.Reader(), func(s *store.SavedState) { written[s.At]++ }, nil); err != nil {
		t.Fatal(err)
	}
	states := 0
	for at, n := range written {
		if states += n; at > first && n > 64 {
			t.Errorf("the commit after %v wrote %d states", at.Sub(first), n)
		}
		if old := k.At().Sub(at); old > 31*time.Second {
			t.Errorf("%d states were last written %v ago", n, old)
		}
	}
	to, err := store.SavedTo(context.Background(), k.Store.Reader())
	if behind := k.At().Sub(to); err != nil || behind > 35*time.Second || states != assets {
		t.Errorf("%d states; the database holds all reports until %v ago (%v)", states, behind, err)
	}
}
