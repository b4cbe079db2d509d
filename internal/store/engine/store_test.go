package engine_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"lightbar/internal/store"
	"lightbar/internal/store/engine"
	"lightbar/internal/store/storetest"
)

// Placeholders mean their number on both engines, whatever their order.
func TestPlaceholdersAreNumbers(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		var a, b int
		if err := s.Reader().QueryRowContext(t.Context(), `SELECT CAST($2 AS BIGINT), CAST($1 AS BIGINT)`, 1, 2).Scan(&a, &b); err != nil {
			t.Fatal(err)
		}
		if a != 2 || b != 1 {
			t.Fatalf("SELECT $2, $1 with (1, 2) gave %d, %d", a, b)
		}
	})
}

func TestMigrationsAreUpAndOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		v, err := s.Version(t.Context())
		if err != nil || v != engine.SchemaVersion() || v == 0 {
			t.Fatalf("version %d, want %d (%v)", v, engine.SchemaVersion(), err)
		}
	})
}

func set(ctx context.Context, tx *store.Tx, name, value string) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO setting (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value`, name, value)
	return err
}

func get(ctx context.Context, r store.Reader, name string) (value string, err error) {
	err = r.QueryRowContext(ctx, `SELECT value FROM setting WHERE name = $1`, name).Scan(&value)
	return value, engine.Classify(err)
}

// Readers cannot write, on either engine: a verb that forgets Write fails in its first test.
func TestReadersCannotWrite(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		rows, err := s.Reader().QueryContext(t.Context(), `INSERT INTO setting (name, value) VALUES ('a', 'b') RETURNING name`)
		if err == nil {
			for rows.Next() {
			}
			err = errors.Join(rows.Err(), rows.Close())
		}
		if err == nil {
			t.Fatal("a reader wrote a row")
		}
		if _, err := get(t.Context(), s.Reader(), "a"); !errors.Is(err, store.ErrNotFound) {
			t.Fatalf("the row is there (%v)", err)
		}
	})
}

// Eight workers read and write the same row: none fails and no step is lost.
func TestEightWorkersLoseNoStep(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) { loseNoStep(t, s) })
}

// The same with two processes' worth of connections: a transaction that began
// by reading cannot be turned into a writing one, so all begin as writers.
func TestTwoWritersOnOneFileLoseNoStep(t *testing.T) {
	s := storetest.SQLite(t)
	other, err := store.Open(t.Context(), store.Options{Path: s.Path()})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	loseNoStep(t, s, other)
}

func loseNoStep(t *testing.T, stores ...*store.Store) {
	t.Helper()
	const workers, steps = 8, 40
	ctx, s := t.Context(), stores[0]
	if err := s.Write(ctx, func(tx *store.Tx) error { return set(ctx, tx, "count", "0") }); err != nil {
		t.Fatal(err)
	}
	add := func(tx *store.Tx) error {
		if s.Engine() == engine.Postgres {
			// The row's lock is taken first; a plain read-then-write would lose steps there.
			if _, err := tx.ExecContext(ctx, `UPDATE setting SET value = value WHERE name = $1`, "count"); err != nil {
				return err
			}
		}
		v, err := get(ctx, tx, "count")
		if err != nil {
			return err
		}
		var n int
		if _, err := fmt.Sscan(v, &n); err != nil {
			return err
		}
		return set(ctx, tx, "count", fmt.Sprint(n+1))
	}
	errs := make(chan error, workers*steps)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for range steps {
				errs <- stores[w%len(stores)].Write(ctx, add)
			}
		})
	}
	wg.Wait()
	close(errs)
	for err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
	if v, err := get(ctx, s.Reader(), "count"); err != nil || v != fmt.Sprint(workers*steps) {
		t.Fatalf("count is %s, want %d (%v)", v, workers*steps, err)
	}
}

func TestAnErrorInWriteKeepsNothing(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx, boom := t.Context(), errors.New("boom")
		err := s.Write(ctx, func(tx *store.Tx) error { return errors.Join(set(ctx, tx, "a", "1"), boom) })
		if !errors.Is(err, boom) {
			t.Fatalf("got %v", err)
		}
		if _, err := get(ctx, s.Reader(), "a"); !errors.Is(err, store.ErrNotFound) {
			t.Fatalf("the row is there (%v)", err)
		}
		func() {
			defer func() { _ = recover() }()
			_ = s.Write(ctx, func(tx *store.Tx) error { _ = set(ctx, tx, "b", "1"); panic("boom") })
		}()
		if err := s.Write(ctx, func(tx *store.Tx) error { return set(ctx, tx, "c", "1") }); err != nil {
			t.Fatalf("after a panic the writer is not free: %v", err)
		}
	})
}

// A caller that goes away before the commit keeps nothing; one that goes away
// during it does not make the outcome unknown.
func TestCanceledWrites(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx, cancel := context.WithCancel(t.Context())
		err := s.Write(ctx, func(tx *store.Tx) error { defer cancel(); return set(ctx, tx, "a", "1") })
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("got %v", err)
		}
		if _, err := get(t.Context(), s.Reader(), "a"); !errors.Is(err, store.ErrNotFound) {
			t.Fatalf("the row is there (%v)", err)
		}
		if err := s.Write(ctx, func(*store.Tx) error { return nil }); !errors.Is(err, context.Canceled) {
			t.Fatalf("a canceled caller may still write: %v", err)
		}
	})
}

func TestReadSeesOneSnapshot(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		write := func(v string) {
			if err := s.Write(ctx, func(tx *store.Tx) error { return set(ctx, tx, "a", v) }); err != nil {
				t.Fatal(err)
			}
		}
		write("1")
		err := s.Read(ctx, func(r store.Reader) error {
			first, err := get(ctx, r, "a")
			if err != nil {
				return err
			}
			write("2")
			second, err := get(ctx, r, "a")
			if first != "1" || second != "1" {
				t.Errorf("one snapshot saw %s, then %s", first, second)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

// Text sorts by bytes on both engines, so that lists have one order.
func TestTextSortsByBytes(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ctx := t.Context()
		err := s.Write(ctx, func(tx *store.Tx) error {
			return errors.Join(set(ctx, tx, "b", ""), set(ctx, tx, "B", ""), set(ctx, tx, "a", ""), set(ctx, tx, "é", ""), set(ctx, tx, "_", ""))
		})
		if err != nil {
			t.Fatal(err)
		}
		rows, err := s.Reader().QueryContext(ctx, `SELECT name FROM setting ORDER BY name`)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		got := ""
		for rows.Next() {
			var n string
			if err := rows.Scan(&n); err != nil {
				t.Fatal(err)
			}
			got += n
		}
		if got != "B_abé" {
			t.Fatalf("order is %s, want B_abé", got)
		}
	})
}

// One server owns a database; a second is told who does.
func TestOneServerOwnsTheDatabase(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) {
		s := storetest.SQLite(t)
		second, err := store.Open(t.Context(), store.Options{Path: s.Path()})
		if err != nil {
			t.Fatal(err)
		}
		lockTwice(t, s, second)
	})
	t.Run("postgres", func(t *testing.T) {
		url := storetest.PostgresURL(t)
		s, err := store.Open(t.Context(), store.Options{URL: url})
		if err != nil {
			t.Fatal(err)
		}
		second, err := store.Open(t.Context(), store.Options{URL: url})
		if err != nil {
			t.Fatal(err)
		}
		lockTwice(t, s, second)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	})
}

func lockTwice(t *testing.T, s, second *store.Store) {
	t.Helper()
	ctx := t.Context()
	if err := s.LockServer(ctx, "server"); err != nil {
		t.Fatal(err)
	}
	first := s.Fencing()
	began := time.Now()
	var locked *engine.LockedError
	if err := second.LockServer(ctx, "server"); !errors.As(err, &locked) || locked.Holder == "" {
		t.Fatalf("a second server got %v", err)
	}
	if d := time.Since(began); d > 5*time.Second {
		t.Errorf("the refusal took %v", d)
	}
	if holder, err := second.Holder(ctx); err != nil || holder == "" {
		t.Fatalf("holder %q, %v", holder, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := second.LockServer(ctx, "server"); err != nil {
		t.Fatalf("after the first gave it back: %v", err)
	}
	if second.Fencing() <= first {
		t.Fatalf("fencing did not grow: %d, then %d", first, second.Fencing())
	}
	if err := second.Close(); err != nil {
		t.Fatal(err)
	}
}
