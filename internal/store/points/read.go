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
FROM m CROSS JOIN point p WHERE p.minute = m.minute AND p.thing_no = $3 ORDER BY p.at`

var hotOfThing = engine.NewHot(pointsOfThing)

// OfThing reads one asset's points with an own instant from, to (both included),
// oldest first: those that are not merged, of the table, and of blocks. Blocks
// that cannot be read are left out and named.
func OfThing(ctx context.Context, r engine.Reader, thingNo int64, from, to fleet.Instant) (out []fleet.Point, damaged []Block, err error) {
	rows, damaged, err := new(Reading).read(ctx, r, thingNo, from, to)
	if err != nil {
		return nil, nil, err
	}
	out = make([]fleet.Point, len(rows))
	for i := range rows {
		out[i] = rows[i].point()
	}
	return out, damaged, nil
}

// Reading reads points as OfThing does, one period after the other into the same memory: readers of millions of points then make no
// garbage that reports would have to wait for. The zero value is ready; one goroutine uses it at a time.
type Reading struct {
	rows, others []pointRow // others than those at rest
	scratch
}

// Each visits the points. They are the reading's own: visit must not keep them.
func (x *Reading) Each(ctx context.Context, r engine.Reader, thingNo int64, from, to fleet.Instant, visit func(*fleet.Point) error) (
	damaged []Block, err error) {
	rows, damaged, err := x.read(ctx, r, thingNo, from, to)
	var p fleet.Point
	for i := 0; i < len(rows) && err == nil; i++ {
		p = rows[i].point()
		err = visit(&p)
	}
	return damaged, err
}

func (x *Reading) read(ctx context.Context, r engine.Reader, thingNo int64, from, to fleet.Instant) ([]pointRow, []Block, error) {
	// In the order in which a point moves on: one that moves meanwhile is found twice, never missed.
	x.others = x.others[:0]
	if err := eachInIntake(ctx, r, thingNo, from, to, func(r *pointRow) { x.others = append(x.others, *r) }); err != nil {
		return nil, nil, err
	}
	first, any, err := tableFrom(ctx, r, minuteOf(from), minuteOf(to))
	if err != nil {
		return nil, nil, err
	}
	var found []pointRow
	if any {
		if found, err = engine.ListHot(ctx, r, hotOfThing, scanPointRow, first, minuteOf(to), thingNo); err != nil {
			return nil, nil, err
		}
	}
	rests, damaged, err := x.sealedOf(ctx, r, x.rows[:0], thingNo, minuteOf(from), minuteOf(to))
	if err != nil {
		return nil, nil, err
	}
	x.rows = withIntake(rests, append(x.others, found...))
	return slices.DeleteFunc(x.rows, func(r pointRow) bool { return r[2] < int64(from) || r[2] > int64(to) }), damaged, nil
}

// withIntake adds other points to those of the table, in its order; points of one key are one.
func withIntake(table, others []pointRow) []pointRow {
	if len(others) == 0 {
		return table
	}
	all := append(table, others...)
	slices.SortFunc(all, func(a, b pointRow) int { return inTableOrder(&a, &b) })
	return slices.CompactFunc(all, func(a, b pointRow) bool { return a.key() == b.key() })
}

// One asset's reports that contained whether it alerts, newest first; kind 1 is an alert message.
const lastAlertingPoint = `WITH RECURSIVE m(minute) AS (
  SELECT CAST($1 AS BIGINT) UNION ALL SELECT minute + 1 FROM m WHERE minute < $2)
SELECT p.at, p.flags FROM m CROSS JOIN point p WHERE p.minute = m.minute AND p.thing_no = $3 AND p.at < $4 AND p.flags % 2 = 1
ORDER BY p.at DESC LIMIT 1`

const lastAlertSignal = `WITH RECURSIVE m(minute) AS (
  SELECT CAST($1 AS BIGINT) UNION ALL SELECT minute + 1 FROM m WHERE minute < $2)
SELECT g.at, g.is_on FROM m CROSS JOIN signal g WHERE g.minute = m.minute AND g.thing_no = $3 AND g.at < $4 AND g.kind = 1
ORDER BY g.at DESC LIMIT 1`

// AlertingBefore returns an asset's last report about alerting before an instant, as far back as ingest accepts reports; false when
// there is none.
func AlertingBefore(ctx context.Context, r engine.Reader, thingNo int64, before fleet.Instant) (bool, error) {
	l := lastAlerting{r: r, thingNo: thingNo, before: before}
	if err := l.begin(ctx); err != nil {
		return false, err
	}
	to := before
	for _, back := range []time.Duration{time.Hour, 24 * time.Hour, fleet.MaxReportAge()} {
		from := before.Add(-back)
		pointAt, flags, err := l.point(ctx, minuteOf(from), minuteOf(to))
		if err != nil {
			return false, err
		}
		signalAt, on, err := l.signal(ctx, minuteOf(from), minuteOf(to))
		if err != nil {
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

// lastAlerting finds an asset's last report about alerting before an instant.
type lastAlerting struct {
	r       engine.Reader
	thingNo int64
	before  fleet.Instant
	waiting []pointRow // of its points, those in the intake
	// The first minutes that have anything of any asset: most silent assets have been silent since before those.
	points, signals int64
}

func (l *lastAlerting) begin(ctx context.Context) (err error) {
	if l.waiting, err = intakePoints(ctx, l.r, l.thingNo, math.MinInt64, math.MaxInt64); err != nil {
		return err
	}
	from, to := minuteOf(l.before.Add(-fleet.MaxReportAge())), minuteOf(l.before)
	for text, first := range map[string]*int64{firstMinute: &l.points, firstSignal: &l.signals} {
		var any bool
		if *first, any, err = firstOf(ctx, l.r, text, from, to); err != nil {
			return err
		}
		if !any {
			*first = math.MaxInt64
		}
	}
	return nil
}

// point is the last one in some minutes that contained whether it alerts, with its flags; 0 = none did.
func (l *lastAlerting) point(ctx context.Context, from, to int64) (at, flags int64, err error) {
	if start := max(from, l.points); start <= to {
		err := l.r.QueryRowContext(ctx, lastAlertingPoint, start, to, l.thingNo, int64(l.before)).Scan(&at, &flags)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return 0, 0, err
		}
	}
	for i := range l.waiting {
		if p := &l.waiting[i]; p[0] >= from && p[2] < int64(l.before) && p[2] > at && p[9]&flagHasAlerting != 0 {
			at, flags = p[2], p[9]
		}
	}
	if later, said, err := lastPackedAlerting(ctx, l.r, l.thingNo, from, int64(l.before), at); err != nil || later != 0 {
		return later, said, err
	}
	return at, flags, nil
}

// signal is the last alert message in some minutes, 0 = none.
func (l *lastAlerting) signal(ctx context.Context, from, to int64) (at int64, on bool, err error) {
	start := max(from, l.signals)
	if start > to {
		return 0, false, nil
	}
	err = l.r.QueryRowContext(ctx, lastAlertSignal, start, to, l.thingNo, int64(l.before)).Scan(&at, &on)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return at, on, err
}

// StoredCounts is where stored points are.
type StoredCounts struct {
	Table  int64 // in the table, at most CountLimit
	Sealed int64 // in blocks
	Blocks int64
	Bytes  int64 // of the blocks
}

// CountLimit is where counting the points of the table ends.
const CountLimit = 10_000_000

const (
	countTable  = `SELECT COUNT(*) FROM (SELECT 1 FROM point LIMIT $1) AS p`
	countBlocks = `SELECT CAST(COALESCE(SUM(n), 0) AS BIGINT), COUNT(*), CAST(COALESCE(SUM(LENGTH(body)), 0) AS BIGINT) FROM point_block`
	blocksAfter = `SELECT ` + blockFields + ` FROM point_block WHERE (thing_no, slot, first_at) > ($1, $2, $3)
ORDER BY thing_no, slot, first_at LIMIT 100`
)

// CountStored counts the stored points by where they lie, but for the intake.
func CountStored(ctx context.Context, r engine.Reader) (k StoredCounts, err error) {
	if err := r.QueryRowContext(ctx, countTable, CountLimit).Scan(&k.Table); err != nil {
		return k, err
	}
	return k, r.QueryRowContext(ctx, countBlocks).Scan(&k.Sealed, &k.Blocks, &k.Bytes)
}

// DamagedBlocks reads all blocks and names those that cannot be read.
func DamagedBlocks(ctx context.Context, r engine.Reader) (damaged []Block, err error) {
	var rows []pointRow
	after := blockRow{Block: Block{math.MinInt64, 0}}
	for {
		page, err := engine.List(ctx, r, scanBlock, blocksAfter, after.ThingNo, after.Slot, after.first)
		if err != nil || len(page) == 0 {
			return damaged, err
		}
		for _, b := range page {
			if rows, err = readBlock(rows[:0], b.body, b.ThingNo, b.Slot); err != nil || int64(len(rows)) != b.n {
				damaged = append(damaged, b.Block)
			}
		}
		after = page[len(page)-1]
	}
}

const countSealed = `SELECT CAST(COALESCE(SUM(n), 0) AS BIGINT) FROM point_block`

// CountPoints counts all stored points, on one snapshot: points that move in the meantime count once.
func (s *Store) CountPoints(ctx context.Context) (n int64, err error) {
	err = s.Read(ctx, func(r engine.Reader) error {
		if err := r.QueryRowContext(ctx, countSealed).Scan(&n); err != nil {
			return err
		}
		return EachReport(ctx, r, math.MinInt64, math.MinInt64, func(points []fleet.Point, _ []fleet.Signal) { n += int64(len(points)) })
	})
	return n, err
}
