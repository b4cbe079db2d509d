package store_test

import (
	"testing"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
)

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
