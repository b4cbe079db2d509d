package points

import (
	"context"
	"math"
	"slices"

	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
)

// pointsOfThing seeks once for each minute: the key begins with it.
const pointsOfThing = `WITH RECURSIVE m(minute) AS (
  SELECT CAST($1 AS BIGINT) UNION ALL SELECT minute + 1 FROM m WHERE minute < $2)
SELECT p.minute, p.thing_no, p.at, p.received_at, p.lat, p.lng, p.course, p.speed, p.accuracy, p.flags
FROM m JOIN point p ON p.minute = m.minute AND p.thing_no = $3 ORDER BY p.at`

// OfThing reads one asset's points with an own instant from, to (both included), oldest first.
func OfThing(ctx context.Context, r engine.Reader, thingNo int64, from, to fleet.Instant) ([]fleet.Point, error) {
	in, err := intakePoints(ctx, r, thingNo)
	if err != nil {
		return nil, err
	}
	rows, err := r.QueryContext(ctx, pointsOfThing, minuteOf(from), minuteOf(to), thingNo)
	if err != nil {
		return nil, err
	}
	found, err := engine.Collect(rows, scanPointRow)
	if err != nil {
		return nil, err
	}
	var out []fleet.Point
	for _, row := range withIntake(found, in) {
		if at := fleet.Instant(row[2]); at >= from && at <= to {
			out = append(out, row.point())
		}
	}
	return out, nil
}

// withIntake adds points of the intake to those of the table, in its order; points of one key are one.
func withIntake(table, intake []pointRow) []pointRow {
	if len(intake) == 0 {
		return table
	}
	all := append(table, intake...)
	slices.SortFunc(all, func(a, b pointRow) int { return inTableOrder(&a, &b) })
	return slices.CompactFunc(all, func(a, b pointRow) bool { return a.key() == b.key() })
}

// CountPoints counts all stored points, on one snapshot: what is merged meanwhile counts once.
func (s *Store) CountPoints(ctx context.Context) (n int64, err error) {
	err = s.Read(ctx, func(r engine.Reader) error {
		return EachReport(ctx, r, math.MinInt64, math.MinInt64, func(points []fleet.Point, _ []fleet.Signal) { n += int64(len(points)) })
	})
	return n, err
}
