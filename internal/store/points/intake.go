package points

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
)

// Points are written twice. A commit appends its points, in order of arrival,
// as one row of point_intake; later they are merged, many at a time, into their
// table in its order (intake_merge.go). If each were inserted there at once,
// nearly every point would make its commit rewrite a page of its own: with 100
// 000 assets a hundred times the bytes.
//
// intake is the memory of what is not merged yet. It recognizes repeated
// reports, and readers of points add it to the rows of the table. The database
// holds the truth: at a start, and after a failed transaction, all of it is
// read again.
type intake struct {
	turn sync.Mutex // a transaction that inserts or merges holds it until it ends; only the holder changes the fields below
	mu   sync.RWMutex

	known   bool // memory matches the database
	filling *generation
	merging *generation // nil = none
	idle    *generation // its memory is used again
	newest  map[int64]int64
	floor   int64                           // no point in the table, and none that rests, has a later own instant
	sealed  int64                           // no point rests in a later slot
	no      int64                           // the newest row of point_intake
	taken   map[int64]span                  // by asset: instants that are known to be in use
	moved   map[int64]map[pointRow]struct{} // by asset: points stored under their receive instant, as read in this transaction
	sent    []pointRow                      // the transaction's points as rows, and …
	body    []byte                          // … as a body

	now      func() time.Time
	full     chan struct{} // the filling generation has mergeAt points
	mergeAt  int
	stop     context.CancelFunc
	finished chan struct{}
}

// span is instants without a gap, both included.
type span struct{ from, to int64 }

// generation is points in the order in which they came, found by asset.
type generation struct {
	rows  []pointRow
	at    map[key]int32   // where a key lies
	prev  []int32         // beside rows: the point of the same asset that came before, -1 = none
	last  map[int64]int32 // the newest point of an asset
	first int64           // the oldest own instant of any point
	ended int             // the first so many rows are committed; the rest are visible only to their own transaction
	from  int64           // its rows of point_intake are those after from …
	upTo  int64           // … up to upTo
	since time.Time       // when the first one came
	again bool            // read from the intake: some may be in the table already

	sorted bool    // order is made: it can be merged
	order  []int32 // rows as the table sorts them
	merged int     // the first so many of order are in the table
	owed   int     // points that should be merged beside the next commits
	seen   int     // merged when the clock last looked
}

func newGeneration(from int64) *generation {
	return &generation{at: map[key]int32{}, last: map[int64]int32{}, first: math.MaxInt64, from: from, upTo: from}
}

func (g *generation) add(r *pointRow) {
	before, ok := g.last[r[1]]
	if !ok {
		before = -1
	}
	g.last[r[1]], g.at[r.key()] = int32(len(g.rows)), int32(len(g.rows))
	g.rows, g.prev, g.first = append(g.rows, *r), append(g.prev, before), min(g.first, r[2])
}

// each visits an asset's points, the newest to come first.
func (g *generation) each(thingNo int64, visit func(i int, r *pointRow)) {
	i, ok := g.last[thingNo]
	for ok && i >= 0 {
		visit(int(i), &g.rows[i])
		i = g.prev[i]
	}
}

func (in *intake) generations() []*generation {
	if in.merging == nil {
		return []*generation{in.filling}
	}
	return []*generation{in.filling, in.merging}
}

const (
	latestMinute = `SELECT COALESCE(MAX(minute), -1) FROM point`
	newestAfter  = `SELECT thing_no, MAX(at), COUNT(*) FROM (SELECT thing_no, at FROM point WHERE minute > $1 LIMIT $2) AS p GROUP BY thing_no`
	listIntake   = `SELECT no, body FROM point_intake ORDER BY no`
)

// readIntakeRows reads all points of the intake as the database has them, and the numbers of its first and last row.
func readIntakeRows(ctx context.Context, r engine.Reader) (points []pointRow, first, last int64, err error) {
	err = eachIntakeRow(ctx, r, func(no int64, body []byte) (err error) {
		if first == 0 {
			first = no
		}
		last = no
		points, err = readIntakeBody(points, body)
		return err
	})
	if errors.Is(err, errIntakeBody) {
		err = engine.Unusablef(err, "The database is damaged (%v); restore a backup with lightbar restore.", err)
	}
	return points, first, last, err
}

const intakeTable = "point_intake" // of schema 4 and later

// Check is an engine.Check: it reads all rows of the intake and discards them. A page check does not find an invalid body, and no
// server can start with one.
func Check(ctx context.Context, r engine.Reader, tables []string) error {
	if !slices.Contains(tables, intakeTable) {
		return nil
	}
	var points []pointRow
	return eachIntakeRow(ctx, r, func(_ int64, body []byte) (err error) {
		points, err = readIntakeBody(points[:0], body)
		return err
	})
}

// eachIntakeRow visits the rows of the intake in order of arrival; body is
// valid until visit returns. An error of visit is wrapped with the row's
// number.
func eachIntakeRow(ctx context.Context, r engine.Reader, visit func(no int64, body []byte) error) error {
	rows, err := r.QueryContext(ctx, listIntake)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var no int64
		var body sql.RawBytes
		if err := rows.Scan(&no, &body); err != nil {
			return err
		}
		if err := visit(no, body); err != nil {
			return fmt.Errorf("%w: number %d", err, no)
		}
	}
	return rows.Err()
}

// load reads the intake again; the caller has the turn.
func (in *intake) load(ctx context.Context, r engine.Reader, now time.Time) error {
	var latest int64
	if err := r.QueryRowContext(ctx, latestMinute).Scan(&latest); err != nil {
		return err
	}
	// One device whose clock is a day ahead must not force lookups in the table
	// for every report of that day.
	ahead := map[int64]int64{}
	if today := minuteOf(fleet.InstantOf(now)); latest > today {
		some, all, err := newestOfThings(ctx, r, today)
		if err != nil {
			return err
		}
		if all {
			latest, ahead = today, some
		}
	}
	var sealed int64
	if err := r.QueryRowContext(ctx, lastSlot).Scan(&sealed); err != nil {
		return err
	}
	rows, first, last, err := readIntakeRows(ctx, r)
	if err != nil {
		return err
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	in.filling, in.merging, in.newest, in.taken = newGeneration(max(first-1, 0)), nil, ahead, map[int64]span{}
	in.sealed, in.floor = sealed, max((latest+1)*60_000, (sealed+1)*slotMinutes*60_000)-1
	in.no, in.known = last, true
	in.filling.since, in.filling.again = now, len(rows) > 0
	for i := range rows {
		in.put(&rows[i])
	}
	in.settle()
	return nil
}

// aheadMost bounds the points ahead of the clock that a start examines. If
// there are more, the cause is not devices' clocks: the server's own clock was
// set back, perhaps by years.
const aheadMost = 100_000

// newestOfThings is the newest own instant of the assets with points in the
// table after a minute; not all when there are too many.
func newestOfThings(ctx context.Context, r engine.Reader, minute int64) (newest map[int64]int64, all bool, err error) {
	rows, err := r.QueryContext(ctx, newestAfter, minute, aheadMost)
	if err != nil {
		return nil, false, err
	}
	newest = map[int64]int64{}
	seen := int64(0)
	_, err = engine.Collect(rows, func(rows *sql.Rows) (_ struct{}, err error) {
		var no, at, points int64
		err = rows.Scan(&no, &at, &points)
		newest[no] = at
		seen += points
		return struct{}{}, err
	})
	return newest, seen < aheadMost, err
}

// add takes a point in; other readers do not see it before its transaction has ended.
func (in *intake) add(r *pointRow) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if len(in.filling.rows) == 0 {
		in.filling.since = in.now()
	}
	in.put(r)
}

func (in *intake) put(r *pointRow) {
	in.filling.add(r)
	in.newest[r[1]] = max(in.newest[r[1]], r[2])
}

// rest records that points of a slot are being packed, before others can see it.
func (in *intake) rest(slot int64) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.sealed = max(in.sealed, slot)
}

// settle records that the transaction of all points has succeeded.
func (in *intake) settle() { in.filling.ended, in.filling.upTo = len(in.filling.rows), in.no }

// isLater reports that an asset has no stored point with this own instant or a later one, so that the point cannot be a repeat.
func (in *intake) isLater(r *pointRow) bool { return r[2] > max(in.newest[r[1]], in.floor) }

// find is the point with a key.
func (in *intake) find(k key) (found pointRow, ok bool) {
	for _, g := range in.generations() {
		if i, ok := g.at[k]; ok {
			return g.rows[i], true
		}
	}
	return found, false
}

// intakePoints is what a reader adds to the rows of the table: the points of one asset, or of all if thingNo is 0, with an own
// instant from, to (both included). Call it before reading the table: points merged in between are then found twice (equal keys are
// the same point), but never missed.
func intakePoints(ctx context.Context, r engine.Reader, thingNo int64, from, to fleet.Instant) (points []pointRow, err error) {
	err = eachInIntake(ctx, r, thingNo, from, to, func(r *pointRow) { points = append(points, *r) })
	return points, err
}

// eachInIntake visits the points that intakePoints returns.
func eachInIntake(ctx context.Context, r engine.Reader, thingNo int64, from, to fleet.Instant, visit func(*pointRow)) error {
	take := func(r *pointRow) {
		if (thingNo == 0 || r[1] == thingNo) && r[2] >= int64(from) && r[2] <= int64(to) {
			visit(r)
		}
	}
	if m, ok := r.(remembers); ok { // a snapshot may be older than what is in memory
		in, ended := m.seen()
		in.mu.RLock()
		defer in.mu.RUnlock()
		if in.known {
			for _, g := range in.generations() {
				n := len(g.rows)
				if ended {
					n = g.ended
				}
				switch {
				case g.first > int64(to): // reports wait for this lock
				case thingNo == 0:
					for i := range g.rows[:n] {
						take(&g.rows[i])
					}
				default:
					g.each(thingNo, func(i int, r *pointRow) {
						if i < n {
							take(r)
						}
					})
				}
			}
			return nil
		}
	}
	all, _, _, err := readIntakeRows(ctx, r)
	for i := range all {
		take(&all[i])
	}
	return err
}
