package points

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
)

const signalColumns = `minute, thing_no, kind, at, received_at, is_on, pattern`

const insertSignal = `INSERT INTO signal (` + signalColumns + `) VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING`

var hotSignal = engine.NewHot(insertSignal)

const getSignal = `SELECT is_on, pattern FROM signal WHERE minute = $1 AND thing_no = $2 AND kind = $3 AND at = $4`

// InsertSignals stores what devices say that is not a position, by the rules of InsertPoints.
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

const saidOfThing = `WITH RECURSIVE m(minute) AS (
  SELECT CAST($1 AS BIGINT) UNION ALL SELECT minute + 1 FROM m WHERE minute < $2)
SELECT g.minute, g.thing_no, g.kind, g.at, g.received_at, g.is_on, g.pattern
FROM m JOIN signal g ON g.minute = m.minute AND g.thing_no = $3 AND g.kind = 1 ORDER BY g.at`

// SaidOfThing reads one asset's alert messages with an own instant from, to (both included), oldest first.
func SaidOfThing(ctx context.Context, r engine.Reader, thingNo int64, from, to fleet.Instant) ([]fleet.Signal, error) {
	return engine.List(ctx, r, scanSignal, saidOfThing, minuteOf(from), minuteOf(to), thingNo)
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
