package store_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/points"
	"lightbar/internal/store/storetest"
)

// Of many assets the same is read as of each, and what is removed is gone.
func TestRunsOfManyAssetsAreReadTogether(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		var runs []fleet.Run
		for no := range int64(3) {
			for i := range int64(4) {
				runs = append(runs, fleet.Run{ID: fmt.Sprint(no, i), ThingNo: no, OrganizationID: "o", Points: 1,
					StartAt: fleet.Instant(100*i + no), EndAt: fleet.Instant(100*i + no + 50)})
			}
		}
		change(t, s, func(tx *store.Tx) error { return tx.SaveRuns(t.Context(), s.Engine(), runs, 50) })
		check := func(runs []fleet.Run) {
			t.Helper()
			asked := []points.Stretch{{ThingNo: 2, From: 152, To: 302}, {ThingNo: 9, From: 0, To: 900}, {ThingNo: 0, From: 151, To: 400}, {ThingNo: 2, To: 2}}
			got, err := store.RunsOf(t.Context(), s.Reader(), s.Engine(), asked)
			if err != nil {
				t.Fatal(err)
			}
			nos := []int64{2, 9, 0, 1}
			last, err := store.LastRuns(t.Context(), s.Reader(), s.Engine(), nos, 2)
			if err != nil {
				t.Fatal(err)
			}
			for i, a := range asked {
				want := slices.DeleteFunc(slices.Clone(runs), func(r fleet.Run) bool { return r.ThingNo != a.ThingNo || r.StartAt > a.To || r.EndAt < a.From })
				if !slices.Equal(got[i], want) {
					t.Errorf("%+v: %+v, want %+v", a, got[i], want)
				}
				want = slices.DeleteFunc(slices.Clone(runs), func(r fleet.Run) bool { return r.ThingNo != nos[i] })
				slices.Reverse(want)
				if want = want[:min(2, len(want))]; !slices.Equal(last[i], want) {
					t.Errorf("the last of %d: %+v, want %+v", nos[i], last[i], want)
				}
			}
		}
		check(runs)
		gone := []string{runs[3].ID, runs[9].ID, "none"}
		change(t, s, func(tx *store.Tx) error {
			return errors.Join(tx.DeleteRuns(t.Context(), s.Engine(), nil), tx.DeleteRuns(t.Context(), s.Engine(), gone))
		})
		check(slices.DeleteFunc(runs, func(r fleet.Run) bool { return slices.Contains(gone, r.ID) }))
	})
}

// Runs are written together; of two with the same id the last one counts.
func TestRunsAreWrittenTogether(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		runs := []fleet.Run{
			{ID: "a", ThingNo: 1, OrganizationID: "o", StartAt: 10, EndAt: 20, Points: 2},
			{ID: "b", ThingNo: 1, OrganizationID: "o", StartAt: 30, EndAt: 40, Points: 3},
			{ID: "a", ThingNo: 1, OrganizationID: "o", StartAt: 5, EndAt: 25, Points: 4},
		}
		save := func(runs []fleet.Run) {
			t.Helper()
			if err := s.Write(t.Context(), func(tx *store.Tx) error { return tx.SaveRuns(t.Context(), s.Engine(), runs, 50) }); err != nil {
				t.Fatal(err)
			}
		}
		save(runs)
		save(nil)
		longer := runs[1]
		longer.EndAt, longer.Points = 60, 9
		save([]fleet.Run{longer})
		got, err := store.RunsBetween(t.Context(), s.Reader(), 1, 0, 100)
		if err != nil || len(got) != 2 || got[0] != runs[2] || got[1] != longer {
			t.Errorf("%+v, %v", got, err)
		}
	})
}
