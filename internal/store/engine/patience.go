package engine

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// CallLimit is how long a call waits for the database: for an answer to each of its statements, and for its turn to write. Then its
// caller must retry. A PostgreSQL that hangs would otherwise hold everybody for as long as it likes.
const CallLimit = 5 * time.Second

type callKey struct{}

// WithinCall marks the work of a call that somebody waits for.
func WithinCall(ctx context.Context) context.Context { return context.WithValue(ctx, callKey{}, true) }

func isCall(ctx context.Context) bool { return ctx.Value(callKey{}) != nil }

// WaitedTooLong is an error when a call has waited for its turn since an instant, and for longer than it may.
func WaitedTooLong(ctx context.Context, since time.Time) error {
	if waited := time.Since(since); isCall(ctx) && waited > CallLimit {
		return fmt.Errorf("%w: its turn to write did not come in %v", ErrBusy, waited.Round(time.Millisecond))
	}
	return nil
}

// patient reports whether a statement of a call has a limit of its own: SQLite is this process, and nothing ends its work earlier.
func (s *Store) patient(ctx context.Context) bool { return s.engine == Postgres && isCall(ctx) }

// limited adds the deadline of a statement. Rows outlive this call, so the timer
// is left to run out: it costs a few bytes for as long.
func (s *Store) limited(ctx context.Context) context.Context {
	limit := readLimit
	if s.patient(ctx) {
		limit = CallLimit
	} else if _, ok := ctx.Deadline(); ok {
		return ctx
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	context.AfterFunc(ctx, cancel)
	return ctx
}

// limitedIn is limited within a transaction, which has a deadline as a whole.
func (s *Store) limitedIn(ctx context.Context) context.Context {
	if s == nil || !s.patient(ctx) {
		return ctx
	}
	return s.limited(ctx)
}

// step ends a transaction, with what its context is canceled by, if a step of it that a call waits for takes too long.
func (s *Store) step(ctx context.Context, end context.CancelFunc) (done func()) {
	if !s.patient(ctx) {
		return func() {}
	}
	timer := time.AfterFunc(CallLimit, end)
	return func() { timer.Stop() }
}

// QueryContext implements Reader.
func (tx *Tx) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	tx.asked.Add(1)
	return tx.Tx.QueryContext(tx.of.limitedIn(ctx), query, args...)
}

// QueryRowContext implements Reader.
func (tx *Tx) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	tx.asked.Add(1)
	return tx.Tx.QueryRowContext(tx.of.limitedIn(ctx), query, args...)
}

// ExecContext runs a statement.
func (tx *Tx) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	return tx.Tx.ExecContext(tx.of.limitedIn(ctx), query, args...)
}

// QueryContext implements Reader.
func (s snapshot) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	return s.Tx.QueryContext(s.of.limitedIn(ctx), query, args...)
}

// QueryRowContext implements Reader.
func (s snapshot) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	return s.Tx.QueryRowContext(s.of.limitedIn(ctx), query, args...)
}
