package store

import (
	"context"
	"database/sql"
	"errors"
	"sync/atomic"
)

// The statements that nearly every transaction of ingest runs, and those that
// an import runs thousands of times. Compiling one each time would cost more
// than running it.
const (
	hotIntake = iota
	hotGetPoint
	hotPoint
	hotPoints
	hotSignal
	hotState
	hotRun
	hotThing
	hotImported
	hotAudit
	hotCount
)

var hotTexts = [hotCount]string{hotIntake: insertIntake, hotGetPoint: getPoint, hotPoint: insertPoint, hotPoints: insertPoints,
	hotSignal: insertSignal, hotState: upsertState, hotRun: upsertRun, hotThing: insertThing.text,
	hotImported: updateImported.text, hotAudit: insertAudit.text}

// hotStatements are prepared once on SQLite's one writing connection. On
// PostgreSQL they stay empty: its pool keeps prepared statements by itself.
type hotStatements [hotCount]atomic.Pointer[sql.Stmt]

func (h *hotStatements) prepare(ctx context.Context, db *sql.DB) error {
	for i, text := range hotTexts {
		s, err := db.PrepareContext(ctx, text)
		if err != nil {
			return err
		}
		h[i].Store(s)
	}
	return nil
}

func (h *hotStatements) close() (err error) {
	for i := range h {
		if s := h[i].Swap(nil); s != nil {
			err = errors.Join(err, s.Close())
		}
	}
	return err
}

// statement is a hot statement within a transaction.
type statement struct {
	tx   *Tx
	made *sql.Stmt // nil on PostgreSQL: preparing it for each transaction would cost three round trips instead of one
	text string
}

// prepared is a hot statement for this transaction, whose end closes it.
func (tx *Tx) prepared(ctx context.Context, which int) statement {
	if s := tx.hot[which].Load(); s != nil && tx.made[which] == nil {
		tx.made[which] = tx.StmtContext(ctx, s)
	}
	return statement{tx, tx.made[which], hotTexts[which]}
}

// run is a hot statement by itself.
func (tx *Tx) run(ctx context.Context, which int, args ...any) (sql.Result, error) {
	return tx.prepared(ctx, which).exec(ctx, args...)
}

func (s statement) exec(ctx context.Context, args ...any) (sql.Result, error) {
	if s.made == nil {
		return s.tx.ExecContext(ctx, s.text, args...)
	}
	return s.made.ExecContext(ctx, args...)
}

func (s statement) queryRow(ctx context.Context, args ...any) *sql.Row {
	if s.made == nil {
		return s.tx.QueryRowContext(ctx, s.text, args...)
	}
	return s.made.QueryRowContext(ctx, args...)
}
