package live_test

import (
	"fmt"
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

// driven is a fleet that drove unlit and then switched its lights on by a
// message, with some states written long ago and some just now.
func driven(t *testing.T, s *store.Store, n int) (*apptest.Kit, []string) {
	t.Helper()
	k := apptest.New(t, s)
	o := k.Organization("A")
	var ids []string
	for _, th := range k.Things(o.ID, "U", n) {
		ids = append(ids, th.ID)
	}
	for second := range 60 {
		k.Pass(time.Second)
		var list []fleet.Report
		for i := range n {
			name := fmt.Sprintf("U-%d", i)
			if second == 30+i%25 {
				list = append(list, fleet.Report{Kind: fleet.ReportAlert, Asset: name, At: k.At(), HasAlerting: true, Alerting: true})
			}
			list = append(list, point(name, k.At(), 39.7+float64(i)/100+float64(second)/1000))
		}
		if _, err := k.RecordPoints(t.Context(), k.Device(o.ID), app.ReportBatch{Reports: list}); err != nil {
			t.Fatal(err)
		}
		if second == 44 {
			if err := k.FlushStates(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	return k, ids
}

// What a start asks the database does not grow with the assets that alert, nor
// with the time they have reported for: their states say what they hold.
func TestAStartAsksNothingForEachAsset(t *testing.T) {
	for engine, open := range map[string]func(testing.TB) *store.Store{"sqlite": storetest.SQLite, "postgres": storetest.Postgres} {
		t.Run(engine, func(t *testing.T) {
			asked := map[int]int64{}
			for _, n := range []int{4, 48} {
				s := open(t)
				k, ids := driven(t, s, n)
				before := statesOf(t, k, ids)
				first := s.Queries()
				k.Open(s, live.Options{})
				asked[n] = s.Queries() - first
				if diff := cmp.Diff(before, statesOf(t, k, ids), sameState); diff != "" {
					t.Errorf("%d assets, before - and after a start +:\n%s", n, diff)
				}
			}
			if asked[4] != asked[48] {
				t.Errorf("a start asks %d queries for 4 assets and %d for 48", asked[4], asked[48])
			}
		})
	}
}

// States that an earlier version wrote do not say which reports they hold. A
// start after a crash still gives them as they were.
func TestAStartWithStatesOfAnEarlierVersion(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		const n = 48
		k, ids := driven(t, s, n)
		before := statesOf(t, k, ids)
		forget(t, s)
		first := s.Queries()
		k.Open(s, live.Options{})
		// Its run, its incident, and since when its lights are on: each reads the history of an asset by itself.
		if asked := s.Queries() - first; asked > 12*n {
			t.Errorf("a start asks %d queries for %d assets", asked, n)
		}
		if diff := cmp.Diff(before, statesOf(t, k, ids), sameState, notKept); diff != "" {
			t.Errorf("before - and after a start +:\n%s", diff)
		}
	})
}

// A report that comes into a commit after one received later, or in the same
// millisecond, is in the picture after a crash: its state is written with it.
func TestCrashWithReportsReceivedOutOfOrder(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		o := k.Organization("A")
		for i, back := range []time.Duration{0, 10 * time.Second} {
			name := fmt.Sprint("U", i)
			ids := []string{k.Things(o.ID, name, 1)[0].ID}
			k.Pass(time.Minute)
			for j, ago := range []time.Duration{30 * time.Second, 25 * time.Second} {
				r := point(name+"-0", k.At().Add(-ago), 39.7+float64(j)/100)
				r.HasAlerting, r.Alerting = true, true
				if j > 0 {
					k.Pass(-back)
				}
				if _, err := k.RecordPoints(t.Context(), k.Device(o.ID), app.ReportBatch{Reports: []fleet.Report{r}}); err != nil {
					t.Fatal(err)
				}
				if j == 0 {
					if err := k.FlushStates(t.Context()); err != nil {
						t.Fatal(err)
					}
				}
			}
			before := statesOf(t, k, ids)
			k.Open(s, live.Options{})
			after := statesOf(t, k, ids)
			if diff := cmp.Diff(before, after, sameState); diff != "" || after[0].RunPointsCount != 2 {
				t.Errorf("the clock went back %v; before - and after a crash +:\n%s", back, diff)
			}
		}
	})
}

// notKept leaves out what states of earlier versions do not say.
var notKept = cmpopts.IgnoreFields(fleet.State{}, "TakenAt", "FirstOnAt")

// forget takes from the saved states what earlier versions did not write.
func forget(t *testing.T, s *store.Store) {
	t.Helper()
	var states []*store.SavedState
	if err := store.EachState(t.Context(), s.Reader(), func(st *store.SavedState) {
		c := *st
		c.State.TakenAt, c.State.FirstOnAt = 0, 0
		states = append(states, &c)
	}, nil); err != nil {
		t.Fatal(err)
	}
	if err := s.Write(t.Context(), func(tx *store.Tx) error {
		for _, st := range states {
			if err := tx.SaveStates(t.Context(), s.Engine(), []*fleet.State{&st.State}, st.At, st.Late); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// Assets that have never reported need no saved state: what a start makes of
// them is what they were. 100 000 of them are registered in seconds, and their
// rows would keep reports waiting for minutes.
func TestAssetsThatNeverReportedHaveNoSavedState(t *testing.T) {
	s := storetest.SQLite(t)
	k := apptest.New(t, s)
	o := k.Organization("A")
	things := k.Things(o.ID, "U", 3)
	k.Pass(time.Minute)
	_, err := k.RecordPoints(t.Context(), k.Device(o.ID), app.ReportBatch{Reports: []fleet.Report{point("U-1", k.At(), 39)}})
	must(t, err)
	must(t, k.Live.Flush(t.Context()))
	var saved []int64
	must(t, store.EachState(t.Context(), s.Reader(), func(s *store.SavedState) { saved = append(saved, s.State.No) }, func(int64, error) {}))
	if len(saved) != 1 {
		t.Errorf("states of %v are saved", saved)
	}
	silent := []string{things[0].ID, things[2].ID}
	before := statesOf(t, k, silent)
	k.Pass(time.Hour)
	k.Open(s, live.Options{})
	if diff := cmp.Diff(before, statesOf(t, k, silent), cmpopts.IgnoreFields(fleet.State{}, "ChangedAt"), cmpopts.EquateComparable(fleet.Trail{})); diff != "" {
		t.Error(diff)
	}
}
