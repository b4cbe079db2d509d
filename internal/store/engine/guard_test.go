package engine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

func openHereFor(t testing.TB, o Options) *Store {
	t.Helper()
	if o.Path == "" {
		o.Path = filepath.Join(t.TempDir(), "lightbar.db")
	}
	o.Log = slog.New(slog.NewTextHandler(io.Discard, nil))
	s, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

const putRow = `INSERT INTO setting (name, value) VALUES ($1, $2)`

func put(ctx context.Context, s *Store, name string) error {
	return s.Write(ctx, func(tx *Tx) error { _, err := tx.ExecContext(ctx, putRow, name, ""); return err })
}

func setting(ctx context.Context, r Reader, name string) (value string, err error) {
	err = r.QueryRowContext(ctx, `SELECT value FROM setting WHERE name = $1`, name).Scan(&value)
	return value, Classify(err)
}

// SQLite goes on acknowledging into a deleted or replaced journal; we stop.
func TestReplacedFilesStopTheStore(t *testing.T) {
	for _, rest := range []string{"", "-wal"} {
		for _, how := range []string{"removed", "replaced"} {
			t.Run("db"+rest+" "+how, func(t *testing.T) {
				s := openHereFor(t, Options{WatchEvery: 10 * time.Millisecond})
				if err := put(t.Context(), s, "a"); err != nil {
					t.Fatal(err)
				}
				path := s.Path() + rest
				if how == "replaced" {
					if err := os.WriteFile(path+".other", []byte("x"), 0o600); err != nil {
						t.Fatal(err)
					}
					if err := os.Rename(path+".other", path); err != nil {
						t.Fatal(err)
					}
				} else if err := os.Remove(path); err != nil {
					t.Fatal(err)
				}
				select {
				case <-s.Failed():
				case <-time.After(time.Minute):
					t.Fatal("not noticed")
				}
				if err := put(t.Context(), s, "b"); !errors.Is(err, ErrStorage) || !strings.Contains(err.Error(), path) {
					t.Fatalf("a write after that gave %v", err)
				}
			})
		}
	}
}

// The write that finds its files gone says so itself, before any clock does.
func TestNothingIsAcknowledgedIntoAFileThatIsGone(t *testing.T) {
	s := openHereFor(t, Options{WatchEvery: time.Hour})
	if err := os.Rename(s.Path(), s.Path()+".moved"); err != nil {
		t.Fatal(err)
	}
	if err := put(t.Context(), s, "a"); !errors.Is(err, ErrOutcomeUnknown) || !errors.Is(err, ErrStorage) {
		t.Fatalf("got %v", err)
	}
}

func TestBeforeCommitHoldsTheWriter(t *testing.T) {
	calls := 0
	s := openHereFor(t, Options{BeforeCommit: func() { calls++ }})
	if err := put(t.Context(), s, "a"); err != nil {
		t.Fatal(err)
	}
	if err := s.Write(t.Context(), func(*Tx) error { return errors.New("no") }); err == nil || calls != 1 {
		t.Fatalf("%d calls, %v", calls, err)
	}
}

// A page that cannot be read is told for a minute and stops nothing.
func TestAFailedReadIsTold(t *testing.T) {
	now := time.Now()
	s := openHereFor(t, Options{Path: filepath.Join(t.TempDir(), "lightbar.db"), Now: func() time.Time { return now }})
	_ = s.Notice(ErrBusy)
	if s.ReadsFail() {
		t.Fatal("a busy database counts as a failing disk")
	}
	_ = s.Notice(fmt.Errorf("store: %w", ErrStorage))
	if !s.ReadsFail() || s.Cause() != nil || s.Refusing() != nil {
		t.Fatalf("reads fail %v, cause %v, refusing %v", s.ReadsFail(), s.Cause(), s.Refusing())
	}
	if err := put(t.Context(), s, "a"); err != nil {
		t.Fatal(err)
	}
	if now = now.Add(readFailedFor); s.ReadsFail() {
		t.Fatal("still told after a minute")
	}
}

// COMMIT errors: what is known to have failed, and what is not known.
func TestCommitErrors(t *testing.T) {
	lost := errors.New("unexpected EOF")
	for _, c := range []struct {
		name   string
		engine Name
		err    error
		want   error
		never  error
	}{
		{"connection lost", Postgres, lost, ErrOutcomeUnknown, nil},
		{"shutting down", Postgres, &pgconn.PgError{Code: "57P01"}, ErrOutcomeUnknown, nil},
		{"time-out of the commit", Postgres, context.DeadlineExceeded, ErrOutcomeUnknown, nil},
		{"disk full", Postgres, &pgconn.PgError{Code: "53100"}, ErrFull, ErrOutcomeUnknown},
		{"serialization", Postgres, &pgconn.PgError{Code: "40001"}, ErrBusy, ErrOutcomeUnknown},
		{"unique", Postgres, &pgconn.PgError{Code: "23505"}, nil, ErrOutcomeUnknown},
	} {
		got := commitError(c.engine, c.err)
		if c.want != nil && !errors.Is(got, c.want) || c.never != nil && errors.Is(got, c.never) || !errors.Is(got, c.err) {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	for code, want := range map[int]error{13: ErrFull, 778: errWrite, 4874: ErrFull, 1034: ErrStorage, 522: ErrStorage, 11: ErrDamaged, 26: ErrDamaged, 1032: ErrStorage, 5: ErrBusy, 517: ErrBusy, 14: ErrBusy, 3082: ErrBusy, 19: nil} {
		if got := sqliteKind(code); got != want {
			t.Errorf("SQLite %d is %v, want %v", code, got, want)
		}
	}
}

func TestSecondStartInOneProcessKeepsTheLocks(t *testing.T) {
	s := openHereFor(t, Options{})
	if err := s.LockServer(t.Context(), "server"); err != nil {
		t.Fatal(err)
	}
	other := openHereFor(t, Options{Path: s.Path()})
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	if SQLiteHolder(s.Path()) == "" {
		t.Fatal("the lock is gone")
	}
	if err := put(t.Context(), s, "a"); err != nil {
		t.Fatal(err)
	}
}

// A look at the lock needs no right to write, and a process that has ended holds nothing.
func TestALookAtTheLock(t *testing.T) {
	s := openHereFor(t, Options{})
	lock := lockPath(s.Path())
	if err := os.WriteFile(lock, []byte("a server, process 1\n"), 0o600); err != nil { // as a crash leaves it
		t.Fatal(err)
	}
	if who := SQLiteHolder(s.Path()); who != "" {
		t.Errorf("held by %q", who)
	}
	if b, err := os.ReadFile(lock); err != nil || len(b) == 0 {
		t.Errorf("the look wrote into the file (%v)", err)
	}
	if err := s.LockServer(t.Context(), "a server"); err != nil {
		t.Fatal(err)
	}
	if who := SQLiteHolder(s.Path()); !strings.HasPrefix(who, "a server, process ") {
		t.Errorf("held by %q", who)
	}
	elsewhere := filepath.Join(t.TempDir(), "lightbar.db")
	program, err := os.Executable() // a program that runs can be read and not written, also by root
	if err := errors.Join(err, os.Symlink(program, lockPath(elsewhere))); err != nil {
		t.Fatal(err)
	}
	if who := SQLiteHolder(elsewhere); who != "" {
		t.Errorf("what cannot be written is held by %q", who)
	}
}

// What a full disk hinders is not damaged.
func TestAFullDiskIsNoDamage(t *testing.T) {
	var u *Unusable
	if err := damaged("x.db", fmt.Errorf("read: %w", syscall.ENOSPC)); !errors.As(err, &u) || u.Sentence != "The database x.db cannot be opened: the disk is full; make room and try again." {
		t.Error(err)
	}
}

func TestOldSQLiteIsKnown(t *testing.T) {
	for version, old := range map[string]bool{"3.51.2": true, "3.7.0": true, "2.99.99": true, "3.51.3": false, "3.54.1": false, "4.0.0": false} {
		if olderThan(version, oldestSQLite) != old {
			t.Errorf("%s: want %v", version, old)
		}
	}
}
