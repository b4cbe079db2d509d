package points

import (
	"context"
	"database/sql"

	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
)

const signalColumns = `minute, thing_no, kind, at, received_at, is_on, pattern`

const insertSignal = `INSERT INTO signal (` + signalColumns + `) VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`

var hotSignal = engine.NewHot(insertSignal)

const getSignal = `SELECT is_on, pattern FROM signal WHERE minute = $1 AND thing_no = $2 AND kind = $3 AND at = $4`

// InsertSignals stores reports of devices that are not positions, by the rules of InsertPoints.
func (tx *Tx) InsertSignals(ctx context.Context, signals []fleet.Signal, taken []Taken) error {
	if len(signals) == 0 {
		return nil
	}
	insert := tx.Prepared(ctx, hotSignal)
	for i := range signals {
		g := &signals[i]
		taken[i] = TakenNew
		for {
			res, err := insert.Exec(ctx, minuteOf(g.At), g.ThingNo, int64(g.Kind), int64(g.At), int64(g.ReceivedAt), g.On, g.Pattern)
			if err != nil {
				return err
			}
			if n, err := res.RowsAffected(); err != nil {
				return err
			} else if n == 1 {
				break
			}
			var on bool
			var pattern string
			if err := tx.QueryRowContext(ctx, getSignal, minuteOf(g.At), g.ThingNo, int64(g.Kind), int64(g.At)).Scan(&on, &pattern); err != nil {
				return err
			}
			if on == g.On && pattern == g.Pattern {
				taken[i] = TakenRepeat
				break
			}
			if taken[i] == TakenNew {
				taken[i], g.At = TakenUnderOwn, g.ReceivedAt
			} else {
				g.At++
			}
		}
	}
	return nil
}

func scanSignal(rows *sql.Rows) (g fleet.Signal, err error) {
	var minute, kind int64
	err = rows.Scan(&minute, &g.ThingNo, &kind, &g.At, &g.ReceivedAt, &g.On, &g.Pattern)
	g.Kind = fleet.SignalKind(kind)
	return g, err
}

const alertSignalsOfThing = `WITH RECURSIVE m(minute) AS (
  SELECT CAST($1 AS BIGINT) UNION ALL SELECT minute + 1 FROM m WHERE minute < $2)
SELECT g.minute, g.thing_no, g.kind, g.at, g.received_at, g.is_on, g.pattern
FROM m CROSS JOIN signal g WHERE g.minute = m.minute AND g.thing_no = $3 AND g.kind = 1 ORDER BY g.at`

var hotAlertSignals = engine.NewHot(alertSignalsOfThing)

const signalsOfThing = `WITH RECURSIVE m(minute) AS (
  SELECT CAST($1 AS BIGINT) UNION ALL SELECT minute + 1 FROM m WHERE minute < $2)
SELECT g.minute, g.thing_no, g.kind, g.at, g.received_at, g.is_on, g.pattern
FROM m CROSS JOIN signal g WHERE g.minute = m.minute AND g.thing_no = $3 ORDER BY g.at, g.kind`

// firstSignal is the first minute with a signal of any asset: days before there were any need not be looked through.
const firstSignal = `SELECT COALESCE(MIN(minute), -1) FROM signal WHERE minute >= $1 AND minute < $2`

// SignalsOfThing reads all of one asset's reports besides positions with an own instant from, to (both included), oldest first.
func SignalsOfThing(ctx context.Context, r engine.Reader, thingNo int64, from, to fleet.Instant) ([]fleet.Signal, error) {
	first, any, err := firstOf(ctx, r, firstSignal, minuteOf(from), minuteOf(to))
	if err != nil || !any {
		return nil, err
	}
	return engine.List(ctx, r, scanSignal, signalsOfThing, first, minuteOf(to), thingNo)
}

// AlertSignalsOfThing reads one asset's alert messages with an own instant from, to (both included), oldest first.
func AlertSignalsOfThing(ctx context.Context, r engine.Reader, thingNo int64, from, to fleet.Instant) ([]fleet.Signal, error) {
	return engine.ListHot(ctx, r, hotAlertSignals, scanSignal, minuteOf(from), minuteOf(to), thingNo)
}
