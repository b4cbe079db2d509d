package points

import (
	"context"
)

// MergeAt makes generations of the intake this small.
func MergeAt(s *Store, points int) {
	s.intake.mu.Lock()
	defer s.intake.mu.Unlock()
	s.intake.mergeAt = points
}

// BeginMerge makes what came so far the generation that is merged, if none is.
func BeginMerge(s *Store) { s.intake.begin(s.intake.now()) }

// MergeStep merges up to n points, or deletes rows of the intake; false when nothing is left to merge.
func MergeStep(ctx context.Context, s *Store, n int) (bool, error) {
	err := s.Write(ctx, func(tx *Tx) error {
		if err := tx.enter(ctx); err != nil {
			return err
		}
		return tx.merge(ctx, s.Engine(), n)
	})
	s.intake.mu.RLock() // the clock merges as well
	defer s.intake.mu.RUnlock()
	return s.intake.merging != nil, err
}

// MergeAll merges everything that came.
func MergeAll(ctx context.Context, s *Store) error {
	for range 2 { // what was begun before, then the rest
		BeginMerge(s)
		for more := true; more; {
			var err error
			if more, err = MergeStep(ctx, s, mergeSlice); err != nil {
				return err
			}
		}
	}
	return nil
}

// SealAtOnce lets sealing not wait between its slices.
func SealAtOnce(s *Store) { s.sealPace = 0 }

// StopMerging stops the clock's share of merging.
func StopMerging(s *Store) { s.stopMerging() }

// Intake counts the points that are not merged yet, and the rows in which they lie.
func Intake(ctx context.Context, s *Store) (points, rows int, err error) {
	r := s.Store.Reader() // which knows nothing from memory
	found, _, _, err := readIntakeRows(ctx, r)
	if err == nil {
		err = r.QueryRowContext(ctx, `SELECT COUNT(*) FROM point_intake`).Scan(&rows)
	}
	return len(found), rows, err
}
