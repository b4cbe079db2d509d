package points

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"slices"
	"time"

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

// The last words: one asset's reports that said whether it alerts, newest first; kind 1 is an alert message.
const lastWordPoint = `WITH RECURSIVE m(minute) AS (
  SELECT CAST($1 AS BIGINT) UNION ALL SELECT minute + 1 FROM m WHERE minute < $2)
SELECT p.at, p.flags FROM m JOIN point p ON p.minute = m.minute AND p.thing_no = $3 WHERE p.at < $4 AND p.flags % 2 = 1
ORDER BY p.at DESC LIMIT 1`

const lastWordSignal = `WITH RECURSIVE m(minute) AS (
  SELECT CAST($1 AS BIGINT) UNION ALL SELECT minute + 1 FROM m WHERE minute < $2)
SELECT g.at, g.is_on FROM m JOIN signal g ON g.minute = m.minute AND g.thing_no = $3 WHERE g.at < $4 AND g.kind = 1 ORDER BY g.at DESC
LIMIT 1`

// AlertingBefore tells what an asset last said about alerting before an
// instant, as far back as ingest takes reports; false when it never did.
func AlertingBefore(ctx context.Context, r engine.Reader, thingNo int64, before fleet.Instant) (bool, error) {
	in, err := intakePoints(ctx, r, thingNo)
	if err != nil {
		return false, err
	}
	to := before
	for _, back := range []time.Duration{time.Hour, 24 * time.Hour, fleet.MaxReportAge()} {
		from := before.Add(-back)
		pointAt, flags, signalAt, on := int64(0), int64(0), int64(0), false
		err := r.QueryRowContext(ctx, lastWordPoint, minuteOf(from), minuteOf(to), thingNo, int64(before)).Scan(&pointAt, &flags)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return false, err
		}
		for i := range in {
			if p := &in[i]; p[0] >= minuteOf(from) && p[2] < int64(before) && p[2] > pointAt && p[9]&flagAlertingSaid != 0 {
				pointAt, flags = p[2], p[9]
			}
		}
		err = r.QueryRowContext(ctx, lastWordSignal, minuteOf(from), minuteOf(to), thingNo, int64(before)).Scan(&signalAt, &on)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return false, err
		}
		switch {
		case pointAt == 0 && signalAt == 0:
			to = from
			continue
		case signalAt > pointAt:
			return on, nil
		case signalAt == pointAt:
			return on || flags&flagAlerting != 0, nil
		}
		return flags&flagAlerting != 0, nil
	}
	return false, nil
}

// CountPoints counts all stored points, on one snapshot: what is merged meanwhile counts once.
func (s *Store) CountPoints(ctx context.Context) (n int64, err error) {
	err = s.Read(ctx, func(r engine.Reader) error {
		return EachReport(ctx, r, math.MinInt64, math.MinInt64, func(points []fleet.Point, _ []fleet.Signal) { n += int64(len(points)) })
	})
	return n, err
}
