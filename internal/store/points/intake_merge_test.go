package points_test

import (
	"testing"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/points"
	"lightbar/internal/store/storetest"
)

// A point that lies in the table against all expectation costs a transaction at most, and is there once.
func TestMergingBearsAPointThatIsThere(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		points.StopMerging(s.Store)
		var reported []fleet.Point
		for i := range fleet.Instant(30) {
			reported = append(reported, fleet.Point{ThingNo: 1, At: intakeFrom + i, ReceivedAt: intakeFrom + i})
		}
		if _, err := insert(t.Context(), s, reported); err != nil {
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
		if err := points.MergeAll(t.Context(), s.Store); err != nil {
			t.Log("the first time:", err)
			if err := points.MergeAll(t.Context(), s.Store); err != nil {
				t.Fatal(err)
			}
		}
		if left, _, err := points.Intake(t.Context(), s.Store); err != nil || left != 0 {
			t.Errorf("%d are not merged: %v", left, err)
		}
		readByAll(t, s, 1, intakeFrom, intakeFrom+1000, reported)
	})
}
