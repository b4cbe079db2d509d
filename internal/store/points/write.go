package points

import (
	"context"
	"database/sql"
	"slices"

	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
)

// Taken is the result of a report that was sent to the database.
type Taken uint8

// The fates of a report.
const (
	TakenNew       Taken = iota // stored
	TakenRepeat                 // its key and content were there already
	TakenUnderOwn               // its key was there with other content: stored under its receive instant
	takenUndecided              // internal: not looked at yet
)

// insertPoint is the SQLite text of one of the two statements that differ by
// engine (a prepared loop; PostgreSQL uses unnest).
const insertPoint = `INSERT INTO point (` + pointColumns + `) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING`

const insertPointsPG = `INSERT INTO point (` + pointColumns + `)
SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[],
$9::bigint[], $10::bigint[])`

const orNothing = ` ON CONFLICT DO NOTHING`

const getPoint = `SELECT ` + pointColumns + ` FROM point WHERE minute = $1 AND thing_no = $2 AND at = $3`

const getPointsPG = `SELECT p.minute, p.thing_no, p.at, p.received_at, p.lat, p.lng, p.course, p.speed, p.accuracy, p.flags FROM point p
JOIN unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS k(minute, thing_no, at) ON p.minute = k.minute AND p.thing_no = k.thing_no
AND p.at = k.at`

const insertIntake = `INSERT INTO point_intake (no, body) VALUES ($1, $2)`

var hotIntake, hotGetPoint = engine.NewHot(insertIntake), engine.NewHot(getPoint)

// InsertPoints stores points in the order given. taken (as long as points) is filled with the result of each; a point stored under
// its receive instant has its At changed.
func (tx *Tx) InsertPoints(ctx context.Context, on engine.Name, points []fleet.Point, taken []Taken) error {
	if len(points) == 0 {
		return nil
	}
	if err := tx.enter(ctx); err != nil {
		return err
	}
	in := tx.intake
	in.sent = in.sent[:0]
	for i := range points {
		in.sent = append(in.sent, rowOf(&points[i]))
	}
	there, err := tx.tablePoints(ctx, on, in.sent)
	if err != nil {
		return err
	}
	from := len(in.filling.rows)
	for i := range points {
		if taken[i], err = tx.takePoint(ctx, &points[i], in.sent[i], there); err != nil {
			return err
		}
	}
	if fresh := in.filling.rows[from:]; len(fresh) > 0 {
		in.no++
		in.body = appendIntakeBody(in.body[:0], fresh)
		insert := tx.Prepared(ctx, hotIntake)
		if _, err := insert.Exec(ctx, in.no, in.body); err != nil {
			return err
		}
	}
	return tx.mergeBeside(ctx, on, len(points))
}

// tablePoints reads the stored points that are not in the intake and whose keys are sent again. Only late
// reports are looked up: beyond an asset's newest point nothing is stored.
func (tx *Tx) tablePoints(ctx context.Context, on engine.Name, sent []pointRow) (map[key]pointRow, error) {
	there := map[key]pointRow{}
	var late []pointRow
	for i := range sent {
		if !tx.intake.isLater(&sent[i]) {
			late = append(late, sent[i])
		}
	}
	if len(late) == 0 {
		return there, nil
	}
	if err := tx.sealedPoints(ctx, late, there); err != nil {
		return nil, err
	}
	if on == engine.Postgres {
		return there, tx.tablePointsPG(ctx, late, there)
	}
	get := tx.Prepared(ctx, hotGetPoint)
	for i := range late {
		var row pointRow
		switch err := row.scan(get.QueryRow(ctx, late[i][0], late[i][1], late[i][2]).Scan); err {
		case nil:
			there[row.key()] = row
		case sql.ErrNoRows:
		default:
			return nil, err
		}
	}
	return there, nil
}

func (tx *Tx) tablePointsPG(ctx context.Context, keys []pointRow, there map[key]pointRow) error {
	var columns [3][]int64
	for i := range keys {
		for k := range columns {
			columns[k] = append(columns[k], keys[i][k])
		}
	}
	rows, err := tx.QueryContext(ctx, getPointsPG, columns[0], columns[1], columns[2])
	if err != nil {
		return err
	}
	found, err := engine.Collect(rows, scanPointRow)
	for i := range found {
		there[found[i].key()] = found[i]
	}
	return err
}

// takePoint decides about a point and adds it to the intake. If its key is in
// use, the point is a repeat or, with other content, is stored under its
// receive instant (the next free millisecond). there has the table's points
// with the keys sent.
func (tx *Tx) takePoint(ctx context.Context, p *fleet.Point, row pointRow, there map[key]pointRow) (Taken, error) {
	in := tx.intake
	other, ok, err := tx.pointAt(ctx, &row, there, false)
	if err != nil {
		return takenUndecided, err
	}
	if !ok {
		in.add(&row)
		return TakenNew, nil
	}
	said := row.content()
	if other.content() == said {
		return TakenRepeat, nil
	}
	moved, err := tx.movedOf(ctx, row[1], p.ReceivedAt)
	if err != nil {
		return takenUndecided, err
	}
	if _, known := moved[said]; known {
		return TakenRepeat, nil
	}
	from := int64(p.ReceivedAt)
	at := from
	// otherwise a device with a frozen clock makes every report probe all earlier slots (quadratic)
	if s, ok := in.taken[row[1]]; ok && s.from <= from && from <= s.to {
		from, at = s.from, s.to+1
	}
	for ok := true; ok; at++ {
		p.At, p.ClockSkew = fleet.Instant(at), false
		row = rowOf(p)
		if _, ok, err = tx.pointAt(ctx, &row, there, true); err != nil {
			return takenUndecided, err
		}
	}
	in.taken[row[1]] = span{from, int64(p.At)}
	row[9] |= said[2] << flagBits
	moved[said] = struct{}{}
	in.add(&row)
	return TakenUnderOwn, nil
}

// pointAt finds the stored point with a key; if ask is set and there does not have it, the table is queried.
func (tx *Tx) pointAt(ctx context.Context, r *pointRow, there map[key]pointRow, ask bool) (pointRow, bool, error) {
	if tx.intake.isLater(r) {
		return pointRow{}, false, nil
	}
	if found, ok := tx.intake.find(r.key()); ok {
		return found, true, nil
	}
	found, ok := there[r.key()]
	if ok || !ask {
		return found, ok, nil
	}
	err := found.scan(tx.QueryRowContext(ctx, getPoint, r[0], r[1], r[2]).Scan)
	if err == sql.ErrNoRows {
		rests := map[key]pointRow{}
		err = tx.sealedPoints(ctx, []pointRow{*r}, rests)
		found, ok = rests[r.key()]
		return found, ok, err
	}
	return found, err == nil, err
}

// underOwn finds an asset's points that lie under a receive instant; one seek for each minute, the newest first.
const underOwn = `WITH RECURSIVE m(minute) AS (
  SELECT CAST($1 AS BIGINT) UNION ALL SELECT minute - 1 FROM m WHERE minute > $2)
SELECT p.minute, p.thing_no, p.at, p.received_at, p.lat, p.lng, p.course, p.speed, p.accuracy, p.flags
FROM m CROSS JOIN point p WHERE p.minute = m.minute AND p.thing_no = $3 AND p.flags >= 256 LIMIT $4`

const (
	// underOwnMinutes is how long after it was received such a report is still
	// known: far longer than a device that missed the answer waits.
	underOwnMinutes = 60
	// underOwnMost bounds what is remembered of one asset: a frozen clock puts
	// every report under its receive instant.
	underOwnMost = 10_000
)

// movedOf is the content of an asset's reports that are stored under their
// receive instants; read once in a transaction.
func (tx *Tx) movedOf(ctx context.Context, thingNo int64, received fleet.Instant) (map[pointRow]struct{}, error) {
	in := tx.intake
	if moved, ok := in.moved[thingNo]; ok {
		return moved, nil
	}
	to := minuteOf(received) + 1
	rows, err := tx.QueryContext(ctx, underOwn, to, to-underOwnMinutes, thingNo, underOwnMost)
	if err != nil {
		return nil, err
	}
	found, err := engine.Collect(rows, scanPointRow)
	if err != nil {
		return nil, err
	}
	if slotOf(to-underOwnMinutes) <= in.sealed { // the clock was set back
		rests, _, err := sealedOf(ctx, tx, thingNo, to-underOwnMinutes, to)
		if err != nil {
			return nil, err
		}
		found = append(found, slices.DeleteFunc(rests, func(r pointRow) bool { return r[9]>>flagBits == 0 })...)
	}
	moved := map[pointRow]struct{}{}
	for i := range found {
		moved[found[i].content()] = struct{}{}
	}
	for _, g := range in.generations() {
		g.each(thingNo, func(_ int, r *pointRow) {
			if r[9]>>flagBits != 0 {
				moved[r.content()] = struct{}{}
			}
		})
	}
	in.moved[thingNo] = moved
	return moved, nil
}
