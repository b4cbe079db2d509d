package store_test

import (
	"testing"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
)

// A point that lies in the table against all expectation costs a transaction at most, and is there once.
func TestMergingBearsAPointThatIsThere(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		store.StopMerging(s)
		var points []fleet.Point
		for i := range fleet.Instant(30) {
			points = append(points, fleet.Point{ThingNo: 1, At: intakeFrom + i, ReceivedAt: intakeFrom + i})
		}
		if _, err := insert(t.Context(), s, points); err != nil {
			t.Fatal(err)
		}
		err := s.Write(t.Context(), func(tx *store.Tx) error {
			_, err := tx.ExecContext(t.Context(), `INSERT INTO point (minute, thing_no, at, received_at, lat, lng, course, speed, accuracy, flags)
				VALUES ($1, 1, $2, $2, 0, 0, -1, -1, -1, 0)`, int64(intakeFrom)/60000, int64(intakeFrom)+7)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := store.MergeAll(t.Context(), s); err != nil {
			t.Log("the first time:", err)
			if err := store.MergeAll(t.Context(), s); err != nil {
				t.Fatal(err)
			}
		}
		if left, _, err := store.Intake(t.Context(), s); err != nil || left != 0 {
			t.Errorf("%d are not merged: %v", left, err)
		}
		readByAll(t, s, 1, intakeFrom, intakeFrom+1000, points)
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
