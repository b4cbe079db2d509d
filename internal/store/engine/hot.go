package engine

import (
	"context"
	"database/sql"
	"errors"
	"sync/atomic"
)

// Hot is a statement that nearly every transaction of ingest runs, or that an
// import runs thousands of times. Compiling it each time would cost more than
// running it.
type Hot int

var hotTexts []string

// NewHot names such a statement: at start, before any database is opened.
func NewHot(text string) Hot {
	hotTexts = append(hotTexts, text)
	return Hot(len(hotTexts) - 1)
}

// hotStatements are prepared once on SQLite's one writing connection. On PostgreSQL they stay empty: its pool caches prepared
// statements by itself.
type hotStatements []atomic.Pointer[sql.Stmt]

func (h hotStatements) prepare(ctx context.Context, db *sql.DB) error {
	for i := range h {
		s, err := db.PrepareContext(ctx, hotTexts[i])
		if err != nil {
			return err
		}
		h[i].Store(s)
	}
	return nil
}

func (h hotStatements) close() (err error) {
	for i := range h {
		if s := h[i].Swap(nil); s != nil {
			err = errors.Join(err, s.Close())
		}
	}
	return err
}

// Statement is a hot statement within a transaction.
type Statement struct {
	tx   *Tx
	made *sql.Stmt // nil on PostgreSQL: preparing it for each transaction would cost three round trips instead of one
	text string
}

// Prepared is a hot statement for this transaction, whose end closes it.
func (tx *Tx) Prepared(ctx context.Context, which Hot) Statement {
	if tx.made == nil {
		tx.made = make([]*sql.Stmt, len(tx.hot))
	}
	if s := tx.hot[which].Load(); s != nil && tx.made[which] == nil {
		tx.made[which] = tx.StmtContext(ctx, s)
	}
	return Statement{tx, tx.made[which], hotTexts[which]}
}

// Run is a hot statement by itself.
func (tx *Tx) Run(ctx context.Context, which Hot, args ...any) (sql.Result, error) {
	return tx.Prepared(ctx, which).Exec(ctx, args...)
}

// ListHot reads all rows of a hot statement: by the one that is prepared where the reader is a transaction.
func ListHot[T any](ctx context.Context, r Reader, which Hot, scan func(*sql.Rows) (T, error), args ...any) ([]T, error) {
	tx, ok := r.(interface {
		Prepared(ctx context.Context, which Hot) Statement
	})
	if !ok {
		return List(ctx, r, scan, hotTexts[which], args...)
	}
	rows, err := tx.Prepared(ctx, which).Query(ctx, args...)
	if err != nil {
		return nil, err
	}
	return Collect(rows, scan)
}

// Exec runs it.
func (s Statement) Exec(ctx context.Context, args ...any) (sql.Result, error) {
	if s.made == nil {
		return s.tx.ExecContext(ctx, s.text, args...)
	}
	return s.made.ExecContext(ctx, args...)
}

// Query runs the statement and returns its rows.
func (s Statement) Query(ctx context.Context, args ...any) (*sql.Rows, error) {
	if s.made == nil {
		return s.tx.QueryContext(ctx, s.text, args...)
	}
	s.tx.asked.Add(1)
	return s.made.QueryContext(ctx, args...)
}

// QueryRow runs the statement and returns its one row.
func (s Statement) QueryRow(ctx context.Context, args ...any) *sql.Row {
	if s.made == nil {
		return s.tx.QueryRowContext(ctx, s.text, args...)
	}
	s.tx.asked.Add(1)
	return s.made.QueryRowContext(ctx, args...)
}
