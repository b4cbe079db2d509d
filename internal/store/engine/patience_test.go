package engine_test

import (
	"context"
	"database/sql"
	"errors"
	"testing"
	"time"

	"lightbar/internal/store"
	"lightbar/internal/store/engine"
	"lightbar/internal/store/storetest"
)

// A call does not wait for a PostgreSQL that hangs: reads, snapshots and writes end after the limit, as busy.
func TestACallDoesNotWaitForAHangingDatabase(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for what hangs")
	}
	s := storetest.Postgres(t)
	const hangs, locked = "SELECT pg_sleep(20)", "SELECT COUNT(*) FROM closure"
	locks := make(chan error, 1)
	ctx, cancel := context.WithCancel(context.Background()) //nolint:usetesting // the subtests run after this function
	began := make(chan struct{})
	go func() {
		locks <- s.Write(ctx, func(tx *store.Tx) error {
			_, err := tx.ExecContext(ctx, "LOCK TABLE closure IN ACCESS EXCLUSIVE MODE")
			close(began)
			<-ctx.Done()
			return err
		})
	}()
	<-began
	one := func(ctx context.Context, r store.Reader, text string) error {
		var out sql.RawBytes
		rows, err := r.QueryContext(ctx, text)
		if err != nil {
			return err
		}
		defer func() { _ = rows.Close() }()
		for rows.Next() {
			_ = rows.Scan(&out)
		}
		return rows.Err()
	}
	for name, do := range map[string]func(ctx context.Context, text string) error{
		"read": func(ctx context.Context, text string) error { return one(ctx, s.Reader(), text) },
		"snapshot": func(ctx context.Context, text string) error {
			return s.Read(ctx, func(r store.Reader) error { return one(ctx, r, text) })
		},
		"write": func(ctx context.Context, text string) error {
			return s.Write(ctx, func(tx *store.Tx) error { return one(ctx, tx, text) })
		},
	} {
		for _, text := range []string{hangs, locked} {
			t.Run(name+" "+text, func(t *testing.T) {
				t.Parallel()
				at := time.Now() // what hangs does so for 20 s, and longer: a busy machine has room
				err := engine.Classify(do(engine.WithinCall(context.Background()), text))
				if took := time.Since(at); took > 3*engine.CallLimit || took < time.Second {
					t.Errorf("it took %v (%v)", took, err)
				}
				if !errors.Is(err, engine.ErrBusy) && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Canceled) {
					t.Errorf("it said %v", err)
				}
			})
		}
	}
	t.Cleanup(func() {
		cancel()
		<-locks
	})
}
