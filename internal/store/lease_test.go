package store

import (
	"errors"
	"io"
	"log/slog"
	"testing"
	"time"

	"lightbar/internal/store/pgtest"
)

func onPostgres(t *testing.T, url string, lease time.Duration) *Store {
	t.Helper()
	s, err := Open(t.Context(), Options{URL: url, lease: lease, Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// A server that another one replaced acknowledges nothing any more.
func TestAReplacedServerIsFencedOff(t *testing.T) {
	s := onPostgres(t, pgtest.URL(t, "", nil), time.Hour)
	if err := s.LockServer(t.Context(), "server"); err != nil {
		t.Fatal(err)
	}
	if err := put(t.Context(), s, "before"); err != nil {
		t.Fatal(err)
	}
	const usurp = `UPDATE server_lock SET fencing = fencing + 1, holder = 'other'`
	if _, err := s.pg.Exec(t.Context(), usurp); err != nil {
		t.Fatal(err)
	}
	if err := put(t.Context(), s, "after"); !errors.Is(err, ErrLockLost) {
		t.Fatalf("got %v", err)
	}
	select {
	case <-s.Failed():
	default:
		t.Fatal("the server was not told")
	}
	var n int
	if err := s.pg.QueryRow(t.Context(), `SELECT count(*) FROM setting WHERE name = 'after'`).Scan(&n); err != nil || n != 0 {
		t.Fatalf("%d rows, %v", n, err)
	}
}

// A server that vanished without giving the lock back is waited for, a lease
// long; the renewing of a living one is noticed before.
func TestALeaseRunsOutWithoutItsServer(t *testing.T) {
	const lease = 800 * time.Millisecond
	url := pgtest.URL(t, "", nil)
	s := onPostgres(t, url, lease)
	if err := s.LockServer(t.Context(), "server"); err != nil {
		t.Fatal(err)
	}
	next := onPostgres(t, url, lease)
	var locked *LockedError
	if err := next.LockServer(t.Context(), "server"); !errors.As(err, &locked) {
		t.Fatalf("beside a living server: %v", err)
	}
	s.lock.stop() // as if the process had died: nobody renews, nobody gives back
	<-s.lock.done
	began := time.Now()
	if err := next.LockServer(t.Context(), "server"); err != nil {
		t.Fatalf("after the lease: %v", err)
	}
	if d := time.Since(began); d < lease {
		t.Errorf("taken over after %v, before the lease ran out", d)
	}
	if err := put(t.Context(), s, "late"); !errors.Is(err, ErrBusy) && !errors.Is(err, ErrLockLost) {
		t.Fatalf("the old server wrote: %v", err)
	}
	if next.Fencing() != 2 {
		t.Errorf("fencing %d", next.Fencing())
	}
}

// A lease that cannot be renewed stops writes by itself, and they go on when it can.
func TestAnUnrenewedLeaseStopsWrites(t *testing.T) {
	s := onPostgres(t, pgtest.URL(t, "", nil), time.Hour)
	if err := s.LockServer(t.Context(), "server"); err != nil {
		t.Fatal(err)
	}
	s.lock.until.Store(1)
	if err := put(t.Context(), s, "a"); !errors.Is(err, ErrBusy) {
		t.Fatalf("got %v", err)
	}
	s.renewLease(t.Context())
	if err := put(t.Context(), s, "a"); err != nil {
		t.Fatalf("after renewing: %v", err)
	}
}
