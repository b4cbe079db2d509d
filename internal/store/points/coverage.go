package points

import (
	"cmp"
	"context"
	"database/sql"
	"slices"

	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
)

// Hour is how many points of one asset have own instants in an hour, and the first and the last one.
type Hour struct {
	Slot        int64 // hours since 1970, UTC
	First, Last fleet.Instant
	Points      int64
}

const (
	blockCounts = `SELECT slot, first_at, last_at, n FROM point_block WHERE thing_no = $1 AND slot >= $2 AND slot <= $3`
	tableCounts = `WITH RECURSIVE m(minute) AS (
  SELECT CAST($1 AS BIGINT) UNION ALL SELECT minute + 1 FROM m WHERE minute < $2)
SELECT p.minute, MIN(p.at), MAX(p.at), COUNT(*) FROM m CROSS JOIN point p WHERE p.minute = m.minute AND p.thing_no = $3 GROUP BY p.minute`
)

// HoursOfThing counts one asset's points by the hour, oldest first, without
// reading them. One that moves from place to place meanwhile may count twice.
func HoursOfThing(ctx context.Context, r engine.Reader, thingNo int64, from, to fleet.Instant) ([]Hour, error) {
	var found []Hour
	err := eachInIntake(ctx, r, thingNo, from, to, func(r *pointRow) {
		slot, at := slotOf(r[0]), fleet.Instant(r[2])
		if n := len(found) - 1; n < 0 || found[n].Slot != slot { // most come in order
			found = append(found, Hour{slot, at, at, 0})
		}
		h := &found[len(found)-1]
		h.First, h.Last, h.Points = min(h.First, at), max(h.Last, at), h.Points+1
	})
	if err != nil {
		return nil, err
	}
	scan := func(rows *sql.Rows) (h Hour, err error) { return h, rows.Scan(&h.Slot, &h.First, &h.Last, &h.Points) }
	first, any, err := tableFrom(ctx, r, minuteOf(from), minuteOf(to))
	if err != nil {
		return nil, err
	}
	if any {
		table, err := engine.List(ctx, r, scan, tableCounts, first, minuteOf(to), thingNo)
		if err != nil {
			return nil, err
		}
		for _, h := range table {
			h.Slot = slotOf(h.Slot) // a minute so far
			found = append(found, h)
		}
	}
	blocks, err := engine.List(ctx, r, scan, blockCounts, thingNo, slotOf(minuteOf(from)), slotOf(minuteOf(to)))
	return sumHours(append(found, blocks...)), err
}

// tableFrom is the first minute from … to with a point of any asset in the table, which holds the last hours and what waits
// to be packed: reading an old day then need not look for each of its minutes.
func tableFrom(ctx context.Context, r engine.Reader, from, to int64) (first int64, any bool, err error) {
	return firstOf(ctx, r, firstMinute, from, to)
}

func firstOf(ctx context.Context, r engine.Reader, text string, from, to int64) (first int64, any bool, err error) {
	err = r.QueryRowContext(ctx, text, from, to+1).Scan(&first)
	return first, err == nil && first >= 0, err
}

func sumHours(parts []Hour) (out []Hour) {
	slices.SortFunc(parts, func(a, b Hour) int { return cmp.Compare(a.Slot, b.Slot) })
	for _, p := range parts {
		if n := len(out); n == 0 || out[n-1].Slot != p.Slot {
			out = append(out, p)
			continue
		}
		h := &out[len(out)-1]
		h.First, h.Last, h.Points = min(h.First, p.First), max(h.Last, p.Last), h.Points+p.Points
	}
	return out
}
