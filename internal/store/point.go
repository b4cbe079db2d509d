package store

import (
	"context"
	"database/sql"
	"math"

	"lightbar/internal/fleet"
)

// Taken says what became of a report that was sent to the database.
type Taken uint8

// The fates of a report.
const (
	TakenNew       Taken = iota // stored
	TakenRepeat                 // its key and content were there already
	TakenUnderOwn               // its key was there with other content: stored under its receive instant
	takenUndecided              // internal: not looked at yet
)

const pointColumns = `minute, thing_no, at, received_at, lat, lng, course, speed, accuracy, flags`

// insertPoint is the SQLite text of one of the two statements that differ by
// engine (a prepared loop; PostgreSQL uses unnest).
const insertPoint = `INSERT INTO point (` + pointColumns + `) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING`

const insertPointsPG = `INSERT INTO point (` + pointColumns + `)
SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[], $10::bigint[])
ON CONFLICT DO NOTHING`

const getPoint = `SELECT ` + pointColumns + ` FROM point WHERE minute = $1 AND thing_no = $2 AND at = $3`

// minePG tells which of the sent keys this very transaction has stored.
const minePG = `SELECT p.thing_no, p.at FROM point p
JOIN unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS k(minute, thing_no, at) ON p.minute = k.minute AND p.thing_no = k.thing_no AND p.at = k.at
WHERE p.xmin = pg_current_xact_id()::xid`

// The flags of a stored point. Above them lies, in a point that had to be
// stored under its receive instant, the instant that the device said: by it a
// repeat of the same report is known.
const (
	flagAlertingSaid = 1 << iota
	flagAlerting
	flagClockSkew

	flagBits = 8
	flagMask = 1<<flagBits - 1
)

// pointRow is a point as it lies in the table.
type pointRow [10]int64

func minuteOf(at fleet.Instant) int64 {
	m := int64(at) / 60000
	if at < 0 && int64(at)%60000 != 0 {
		m--
	}
	return m
}

func scaled(has bool, v, by float64) int64 {
	if !has {
		return -1
	}
	return int64(math.Round(v * by))
}

func rowOf(p *fleet.Point) pointRow {
	var flags int64
	if p.HasAlerting {
		flags |= flagAlertingSaid
		if p.Alerting {
			flags |= flagAlerting
		}
	}
	if p.ClockSkew {
		flags |= flagClockSkew
	}
	return pointRow{
		minuteOf(p.At), p.ThingNo, int64(p.At), int64(p.ReceivedAt), int64(fleet.ToFixed(p.Lat)), int64(fleet.ToFixed(p.Lng)),
		scaled(p.HasCourse, p.CourseDeg, 10), scaled(p.HasSpeed, p.SpeedMS, 100), scaled(p.HasAccuracy, p.AccuracyM, 10), flags,
	}
}

func (r *pointRow) point() fleet.Point {
	p := fleet.Point{
		ThingNo: r[1], At: fleet.Instant(r[2]), ReceivedAt: fleet.Instant(r[3]),
		Lat: fleet.FromFixed(int32(r[4])), Lng: fleet.FromFixed(int32(r[5])),
		HasAlerting: r[9]&flagAlertingSaid != 0, Alerting: r[9]&flagAlerting != 0, ClockSkew: r[9]&flagClockSkew != 0,
	}
	if r[6] >= 0 {
		p.HasCourse, p.CourseDeg = true, float64(r[6])/10
	}
	if r[7] >= 0 {
		p.HasSpeed, p.SpeedMS = true, float64(r[7])/100
	}
	if r[8] >= 0 {
		p.HasAccuracy, p.AccuracyM = true, float64(r[8])/10
	}
	return p
}

func (r *pointRow) scan(scan func(...any) error) error {
	return scan(&r[0], &r[1], &r[2], &r[3], &r[4], &r[5], &r[6], &r[7], &r[8], &r[9])
}

// same compares content: all but the receive instant and what follows from it.
func (r *pointRow) same(o *pointRow) bool {
	x, y := *r, *o
	x[3], y[3] = 0, 0
	x[9] &= flagMask &^ flagClockSkew
	y[9] &= flagMask &^ flagClockSkew
	return x == y
}

// repeats tells whether this row, stored under a receive instant, is the report o.
func (r *pointRow) repeats(o *pointRow) bool {
	x := *r
	x[0], x[2] = o[0], o[2]
	return x.same(o)
}

// InsertPoints stores points in the order given. taken (as long as points) is
// filled with what became of each; a point stored under its receive instant
// has its At changed.
func (tx *Tx) InsertPoints(ctx context.Context, engine Engine, points []fleet.Point, taken []Taken) error {
	if len(points) == 0 {
		return nil
	}
	if engine == Postgres {
		return tx.insertPointsPG(ctx, points, taken)
	}
	insert, err := tx.prepared(ctx, hotPoint)
	if err != nil {
		return err
	}
	defer func() { _ = insert.Close() }()
	args := make([]any, len(pointRow{}))
	for i := range points {
		row := rowOf(&points[i])
		for k, v := range row {
			args[k] = v
		}
		res, err := insert.ExecContext(ctx, args...)
		if err != nil {
			return err
		}
		taken[i] = TakenNew
		if n, err := res.RowsAffected(); err != nil {
			return err
		} else if n == 0 {
			if taken[i], err = tx.settlePoint(ctx, &points[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// insertPointsPG sends the points as columns in one round trip, and looks
// closer only when some were there already.
func (tx *Tx) insertPointsPG(ctx context.Context, points []fleet.Point, taken []Taken) error {
	var columns [len(pointRow{})][]int64
	for k := range columns {
		columns[k] = make([]int64, len(points))
	}
	for i := range points {
		for k, v := range rowOf(&points[i]) {
			columns[k][i] = v
		}
		taken[i] = TakenNew
	}
	args := make([]any, len(columns))
	for k := range columns {
		args[k] = columns[k]
	}
	res, err := tx.ExecContext(ctx, insertPointsPG, args...)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == int64(len(points)) {
		return err
	}
	mine, err := tx.minePG(ctx, columns[0], columns[1], columns[2])
	if err != nil {
		return err
	}
	for i := range points {
		key := [2]int64{points[i].ThingNo, int64(points[i].At)}
		if mine[key] {
			delete(mine, key) // the first of equal keys was stored, the next ones were not
			continue
		}
		if taken[i], err = tx.settlePoint(ctx, &points[i]); err != nil {
			return err
		}
	}
	return nil
}

func (tx *Tx) minePG(ctx context.Context, minutes, nos, ats []int64) (map[[2]int64]bool, error) {
	rows, err := tx.QueryContext(ctx, minePG, minutes, nos, ats)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	mine := map[[2]int64]bool{}
	for rows.Next() {
		var key [2]int64
		if err := rows.Scan(&key[0], &key[1]); err != nil {
			return nil, err
		}
		mine[key] = true
	}
	return mine, rows.Err()
}

// underOwn finds a report that was stored under its receive instant, by the
// instant that the device said; one seek for each minute.
const underOwn = `WITH RECURSIVE m(minute) AS (
  SELECT CAST($1 AS BIGINT) UNION ALL SELECT minute + 1 FROM m WHERE minute < $2)
SELECT p.minute, p.thing_no, p.at, p.received_at, p.lat, p.lng, p.course, p.speed, p.accuracy, p.flags
FROM m JOIN point p ON p.minute = m.minute AND p.thing_no = $3 WHERE p.flags / 256 = $4`

// underOwnMinutes is how long after it was received such a report is still
// known: far longer than a device that missed the answer waits.
const underOwnMinutes = 60

// storedUnderOwn tells whether this very report lies under an earlier receive instant.
func (tx *Tx) storedUnderOwn(ctx context.Context, p *fleet.Point, row *pointRow) (bool, error) {
	to := minuteOf(p.ReceivedAt) + 1
	rows, err := tx.QueryContext(ctx, underOwn, to-underOwnMinutes, to, row[1], row[2])
	if err != nil {
		return false, err
	}
	there, err := collect(rows, func(rows *sql.Rows) (r pointRow, err error) { return r, r.scan(rows.Scan) })
	for i := range there {
		if there[i].repeats(row) {
			return true, err
		}
	}
	return false, err
}

// settlePoint decides about a point whose key is taken: a repeat, or other
// content, which goes under its receive instant (the next free millisecond).
func (tx *Tx) settlePoint(ctx context.Context, p *fleet.Point) (Taken, error) {
	row := rowOf(p)
	said := row[2] << flagBits
	for attempt := 0; ; attempt++ {
		var there pointRow
		err := there.scan(tx.QueryRowContext(ctx, getPoint, row[0], row[1], row[2]).Scan)
		if err == nil {
			if there.same(&row) {
				return TakenRepeat, nil
			}
		} else if err != sql.ErrNoRows {
			return takenUndecided, err
		}
		if attempt == 0 {
			if known, err := tx.storedUnderOwn(ctx, p, &row); err != nil || known {
				return TakenRepeat, err
			}
			p.At = p.ReceivedAt
		} else {
			p.At++
		}
		p.ClockSkew = false
		row = rowOf(p)
		row[9] |= said
		res, err := tx.ExecContext(ctx, insertPoint, row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7], row[8], row[9])
		if err != nil {
			return takenUndecided, err
		}
		if n, err := res.RowsAffected(); err != nil {
			return takenUndecided, err
		} else if n == 1 {
			return TakenUnderOwn, nil
		}
	}
}

// pointsOfThing seeks once for each minute: the key begins with it.
const pointsOfThing = `WITH RECURSIVE m(minute) AS (
  SELECT CAST($1 AS BIGINT) UNION ALL SELECT minute + 1 FROM m WHERE minute < $2)
SELECT p.minute, p.thing_no, p.at, p.received_at, p.lat, p.lng, p.course, p.speed, p.accuracy, p.flags
FROM m JOIN point p ON p.minute = m.minute AND p.thing_no = $3 ORDER BY p.at`

// PointsOfThing reads one asset's points with an own instant from, to (both included), oldest first.
func PointsOfThing(ctx context.Context, r Reader, thingNo int64, from, to fleet.Instant) ([]fleet.Point, error) {
	rows, err := r.QueryContext(ctx, pointsOfThing, minuteOf(from), minuteOf(to), thingNo)
	if err != nil {
		return nil, err
	}
	points, err := collect(rows, scanPoint)
	out := points[:0]
	for _, p := range points {
		if p.At >= from && p.At <= to {
			out = append(out, p)
		}
	}
	return out, err
}

func scanPoint(rows *sql.Rows) (fleet.Point, error) {
	var row pointRow
	err := row.scan(rows.Scan)
	return row.point(), err
}

const countPoints = `SELECT COUNT(*) FROM point`

// CountPoints counts all stored points.
func CountPoints(ctx context.Context, r Reader) (n int64, err error) {
	err = r.QueryRowContext(ctx, countPoints).Scan(&n)
	return n, err
}
