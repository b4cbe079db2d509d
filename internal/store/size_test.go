package store_test

import (
	"os"
	"testing"
	"time"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/engine"
	"lightbar/internal/store/storetest"
)

// What kinds take is guessed near enough, and what they grow by follows from the rows of the last week.
func TestSizesAreNearEnough(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		const rows = 20_000
		first := purgeNow.Add(-100 * 24 * time.Hour)
		put(t, s, "audit", cells{"id": idAt(first, 0), "at": int64(first)})
		fine(t, s.Write(t.Context(), func(tx *store.Tx) error {
			for i := range rows { // 200 a day
				at := first.Add(time.Duration(i) * (100 * 24 * time.Hour / rows))
				if _, err := tx.ExecContext(t.Context(), `INSERT INTO run (id, thing_no, organization_id, start_at, end_at, points_count, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7)`, idAt(at, i), i%50, "01900000-0000-7000-8000-000000000001", int64(at), int64(at), 100, int64(at)); err != nil {
					return err
				}
				if _, err := tx.ExecContext(t.Context(), `INSERT INTO point_block (thing_no, slot, first_at, last_at, n, said, body)
VALUES ($1, $2, $3, $4, $5, $6, $7)`, i%50, int64(at)/3_600_000, int64(at), int64(at)+1000, 60, false, make([]byte, 400)); err != nil {
					return err
				}
			}
			return nil
		}))
		if s.Engine() == engine.Postgres {
			fine(t, s.Write(t.Context(), func(tx *store.Tx) error {
				_, err := tx.ExecContext(t.Context(), "ANALYZE")
				return err
			}))
		}
		sizes, err := s.Sizes(t.Context(), s.Reader(), purgeNow)
		fine(t, err)
		for _, kind := range []string{fleet.DataRuns, fleet.DataPoints} {
			size := sizes[kind]
			if size.Rows != rows || size.PerDay*100 < size.Bytes*9/10 || size.PerDay*100 > size.Bytes*11/10 || size.Oldest < first || size.Oldest > first.Add(time.Hour) {
				t.Errorf("%s: %+v", kind, size)
			}
		}
		if s.Engine() == engine.SQLite {
			fine(t, s.Close())
			file, err := os.Stat(s.Path())
			fine(t, err)
			if told := sizes[fleet.DataRuns].Bytes + sizes[fleet.DataPoints].Bytes; told < file.Size()*7/10 || told > file.Size()*13/10 {
				t.Errorf("%d bytes are told, the file has %d", told, file.Size())
			} else {
				t.Logf("%d bytes are told, the file has %d", told, file.Size())
			}
		}
	})
}

// A sweep tells of rows of every kind.
func TestOldestOfOrganizations(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		purgeWorld(t, s, nil)
		put(t, s, "area", cells{"id": "a", "organization_id": "A"})
		for _, sweep := range store.Sweeps() {
			switch sweep.Table {
			case "point", "refusal_count", "thing_gone", "known_device":
				continue
			}
			row := rowOf(sweep)(1, "A", 1, purgeOld)
			put(t, s, sweep.Table, row)
		}
		put(t, s, "export", cells{"id": "x", "organization_id": "A", "completed_at": int64(purgeOld)})
		put(t, s, "audit", cells{"id": "x", "organization_id": "A", "at": int64(purgeOld)})
		for organization, want := range map[string]bool{"A": true, "B": false} {
			oldest, err := store.OldestOfOrganization(t.Context(), s.Reader(), organization)
			fine(t, err)
			for _, kind := range fleet.DataKinds() {
				at := oldest[kind.Name]
				if there := at >= purgeOld && at <= purgeOld+1000; there != (want && kind.IsOfOrganization) {
					t.Errorf("%s of %s: %d", kind.Name, organization, at)
				}
			}
		}
	})
}

// Of an organization of which rows of one noun alone were deleted, the oldest is told.
func TestOldestDeletedOfEachNoun(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		for _, sweep := range store.Sweeps() {
			if sweep.Key[0] != "deleted_at" || sweep.Table == "hazard" { // which is a kind of its own
				continue
			}
			organization := "of " + sweep.Table
			put(t, s, "organization", cells{"id": organization})
			put(t, s, sweep.Table, leaverRow(1, organization, 0, purgeOld))
			oldest, err := store.OldestOfOrganization(t.Context(), s.Reader(), organization)
			if fine(t, err); oldest[fleet.DataDeleted] != purgeOld {
				t.Errorf("%s: %v", sweep.Table, oldest)
			}
		}
	})
}
