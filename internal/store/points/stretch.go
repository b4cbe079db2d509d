package points

import (
	"context"
	"database/sql"
	"math"

	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
)

// Stretch is a period of one asset; both instants are included.
type Stretch struct {
	ThingNo  int64
	From, To fleet.Instant
}

// Stretches are many, as PostgreSQL takes them: a row of unnest each, whose number tells which.
type Stretches struct{ I, Nos, Froms, Tos []int64 }

// Add adds one.
func (s *Stretches) Add(i int, thingNo, from, to int64) {
	s.I, s.Nos, s.Froms, s.Tos = append(s.I, int64(i)), append(s.Nos, thingNo), append(s.Froms, from), append(s.Tos, to)
}

// What pointsOfThing and alertSignalsOfThing read, of many assets in one question: a row of unnest for each minute, whose number
// PostgreSQL knows. Of generate_series it would expect a thousand rows an asset.
const (
	pointsOfThingsPG = `SELECT k.i, p.minute, p.thing_no, p.at, p.received_at, p.lat, p.lng, p.course, p.speed, p.accuracy, p.flags
FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS k(i, thing_no, minute)
JOIN point p ON p.minute = k.minute AND p.thing_no = k.thing_no`
	alertSignalsOfThingsPG = `SELECT k.i, g.minute, g.thing_no, g.kind, g.at, g.received_at, g.is_on, g.pattern
FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS k(i, thing_no, minute)
JOIN signal g ON g.minute = k.minute AND g.thing_no = k.thing_no AND g.kind = 1 ORDER BY g.at`
)

// minutesPG bounds the minutes of one question.
const minutesPG = 5000

// minutes are those of many stretches, as columns.
type minutes struct{ i, thingNo, minute []int64 }

func (m *minutes) add(i int, thingNo, from, to int64) {
	for minute := from; minute <= to; minute++ {
		m.i, m.thingNo, m.minute = append(m.i, int64(i)), append(m.thingNo, thingNo), append(m.minute, minute)
	}
}

// ask reads the rows of all minutes.
func (m *minutes) ask(ctx context.Context, r engine.Reader, query string, scan func(*sql.Rows) (struct{}, error)) error {
	for from := 0; from < len(m.i); from += minutesPG {
		to := min(from+minutesPG, len(m.i))
		if _, err := engine.List(ctx, r, scan, query, m.i[from:to], m.thingNo[from:to], m.minute[from:to]); err != nil {
			return err
		}
	}
	return nil
}

// EachOf reads what OfThing and AlertSignalsOfThing read, for many assets: on PostgreSQL in one query each. i is the stretch to which a
// report belongs; visit must not keep its arguments. Points of a stretch come oldest first.
func EachOf(ctx context.Context, r engine.Reader, on engine.Name, asked []Stretch, point func(i int, p *fleet.Point),
	said func(i int, g *fleet.Signal)) error {
	if on == engine.Postgres && len(asked) > 1 {
		if err := eachPointPG(ctx, r, asked, point); err != nil {
			return err
		}
		return eachSaidPG(ctx, r, asked, said)
	}
	var x Reading
	for i, s := range asked {
		// Points of a damaged block are missing: the readable ones decide.
		_, err := x.Each(ctx, r, s.ThingNo, s.From, s.To, func(p *fleet.Point) error {
			point(i, p)
			return nil
		})
		if err != nil {
			return err
		}
		signals, err := AlertSignalsOfThing(ctx, r, s.ThingNo, s.From, s.To)
		if err != nil {
			return err
		}
		for j := range signals {
			said(i, &signals[j])
		}
	}
	return nil
}

func eachPointPG(ctx context.Context, r engine.Reader, asked []Stretch, visit func(i int, p *fleet.Point)) error {
	others := make([][]pointRow, len(asked)) // than those at rest
	first, last := int64(math.MaxInt64), int64(math.MinInt64)
	for i, s := range asked { // in the order in which a point moves on, as Reading.read does
		err := eachInIntake(ctx, r, s.ThingNo, s.From, s.To, func(row *pointRow) { others[i] = append(others[i], *row) })
		if err != nil {
			return err
		}
		first, last = min(first, minuteOf(s.From)), max(last, minuteOf(s.To))
	}
	first, filled, err := tableFrom(ctx, r, first, last)
	if err != nil {
		return err
	}
	var in minutes
	for i, s := range asked {
		if filled {
			in.add(i, s.ThingNo, max(first, minuteOf(s.From)), minuteOf(s.To))
		}
	}
	err = in.ask(ctx, r, pointsOfThingsPG, func(rows *sql.Rows) (_ struct{}, err error) {
		var i int
		var row pointRow
		err = row.scan(func(into ...any) error { return rows.Scan(append([]any{&i}, into...)...) })
		others[i] = append(others[i], row)
		return struct{}{}, err
	})
	if err != nil {
		return err
	}
	var x Reading
	for i, s := range asked {
		rests, _, err := x.sealedOf(ctx, r, x.rows[:0], s.ThingNo, minuteOf(s.From), minuteOf(s.To))
		if err != nil {
			return err
		}
		x.rows = withIntake(rests, others[i])
		for j := range x.rows {
			if row := &x.rows[j]; row[2] >= int64(s.From) && row[2] <= int64(s.To) {
				p := row.point()
				visit(i, &p)
			}
		}
	}
	return nil
}

func eachSaidPG(ctx context.Context, r engine.Reader, asked []Stretch, visit func(i int, g *fleet.Signal)) error {
	var in minutes
	for i, s := range asked {
		in.add(i, s.ThingNo, minuteOf(s.From), minuteOf(s.To))
	}
	return in.ask(ctx, r, alertSignalsOfThingsPG, func(rows *sql.Rows) (_ struct{}, err error) {
		var i int
		var minute int64
		var g fleet.Signal
		err = rows.Scan(&i, &minute, &g.ThingNo, &g.Kind, &g.At, &g.ReceivedAt, &g.On, &g.Pattern)
		if err == nil {
			visit(i, &g)
		}
		return struct{}{}, err
	})
}
