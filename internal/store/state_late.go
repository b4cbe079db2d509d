package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"time"

	"lightbar/internal/store/engine"
	"lightbar/internal/store/points"
)

// The journal of late reports. A start reads the reports of the last seconds again by their own instants, so it would miss older
// ones, and it cannot see in which order reports came. So a commit notes those in a row of state_late, all its assets' in one,
// until the states of these are written; the row of a state has the number up to which it contains them (late). That is some 25
// bytes a report, where the row of its state is hundreds, on a page of its own.

const insertLate = `INSERT INTO state_late (no, body) VALUES ($1, $2)`

var hotLate = engine.NewHot(insertLate)

// PutLate notes the late reports of a commit under a number not used before.
func (tx *Tx) PutLate(ctx context.Context, no int64, body []byte) error {
	insert := tx.Prepared(ctx, hotLate)
	_, err := insert.Exec(ctx, no, body)
	return err
}

// DropLate deletes the late reports before a number: states that have them are written.
func (tx *Tx) DropLate(ctx context.Context, before int64) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM state_late WHERE no < $1`, before)
	return err
}

// LastLate is the newest number that the journal has given.
func LastLate(ctx context.Context, r Reader) (no int64, err error) {
	const last = `SELECT MAX(v) FROM (SELECT COALESCE(MAX(no), 0) AS v FROM state_late UNION ALL SELECT COALESCE(MAX(late), 0) FROM thing_state) AS numbers`
	return no, r.QueryRowContext(ctx, last).Scan(&no)
}

// EachLate visits the late reports in the order in which they came, with the numbers of their rows. A row that cannot be read stops
// nothing: unreadable is called.
func EachLate(ctx context.Context, r Reader, visit func(no int64, l *points.Late), unreadable func(error)) error {
	rows, err := r.QueryContext(ctx, `SELECT no, body FROM state_late ORDER BY no`)
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
		if err := points.EachLate(body, func(l *points.Late) { visit(no, l) }); err != nil {
			unreadable(fmt.Errorf("%w: number %d", err, no))
		}
	}
	return rows.Err()
}

// replayMarginName is the setting that holds how far before its receive instant
// a report that is not in the journal may lie.
const replayMarginName = "live.replay_margin_ms"

// firstMargin is the margin of versions without the setting.
const firstMargin = time.Minute

// ReplayMargin reads the margin with which the stored states were written.
func ReplayMargin(ctx context.Context, r Reader) (time.Duration, error) {
	text, err := Setting(ctx, r, replayMarginName)
	if errors.Is(err, ErrNotFound) {
		return firstMargin, nil
	}
	if err != nil {
		return 0, err
	}
	ms, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("the setting %s cannot be read: %.40q is no number", replayMarginName, text)
	}
	return time.Duration(ms) * time.Millisecond, nil
}

// PutReplayMargin records the margin with which states are written from now on.
func (tx *Tx) PutReplayMargin(ctx context.Context, margin time.Duration) error {
	return tx.PutSetting(ctx, replayMarginName, strconv.FormatInt(margin.Milliseconds(), 10))
}
