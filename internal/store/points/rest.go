package points

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"lightbar/internal/fleet"
)

// PutAtRest stores points of hours that ended long ago where the points of such
// hours lie: in blocks, as if they had come then and had been sealed since
// (Seal). before is the instant up to which hours rest; a point of a later hour
// is an error, as the intake may hold others of that hour. Of points of one asset and instant the first counts, and
// what is stored already before that.
func (tx *Tx) PutAtRest(ctx context.Context, points []fleet.Point, before fleet.Instant) error {
	if len(points) == 0 {
		return nil
	}
	rows, end := make([]pointRow, len(points)), slotOf(minuteOf(before))
	for i := range points {
		rows[i] = rowOf(&points[i])
		if slotOf(rows[i][0]) >= end {
			return fmt.Errorf("points: a point of %s would rest too soon", points[i].At)
		}
	}
	slices.SortStableFunc(rows, func(a, b pointRow) int {
		return cmp.Or(cmp.Compare(slotOf(a[0]), slotOf(b[0])), cmp.Compare(a[1], b[1]), cmp.Compare(a[2], b[2]))
	})
	rows = slices.CompactFunc(rows, func(a, b pointRow) bool { return a.key() == b.key() })
	if err := tx.enter(ctx); err != nil {
		return err
	}
	tx.intake.rest(slotOf(rows[len(rows)-1][0]))
	for len(rows) > 0 {
		of := Block{ThingNo: rows[0][1], Slot: slotOf(rows[0][0])}
		n := slices.IndexFunc(rows, func(r pointRow) bool { return r[1] != of.ThingNo || slotOf(r[0]) != of.Slot })
		if n < 0 {
			n = len(rows)
		}
		tx.intake.knows(&rows[n-1])
		if err := tx.addToBlocks(ctx, of, rows[:n]); err != nil {
			return err
		}
		rows = rows[n:]
	}
	return nil
}

// knows notes the instant of a stored point that the intake never held: a late report of it is a repeat.
func (in *intake) knows(r *pointRow) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.newest[r[1]] = max(in.newest[r[1]], r[2])
}
