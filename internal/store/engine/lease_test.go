package engine

import (
	"errors"
	"io"
	"log/slog"
	"math"
	"os"
	"os/exec"
	"strings"
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

// A paused server, whose session goes on, is waited for, a lease long; the
// renewing of a living one is noticed before.
func TestALeaseRunsOutWithoutItsServer(t *testing.T) {
	const lease = 800 * time.Millisecond
	url := pgtest.URL(t, "", nil)
	s := onPostgres(t, url, lease)
	if err := s.LockServer(t.Context(), "server"); err != nil {
		t.Fatal(err)
	}
	next := onPostgres(t, url, lease)
	var locked *LockedError
	if err := next.LockServer(t.Context(), "server"); !errors.As(err, &locked) || !strings.Contains(err.Error(), "PostgreSQL") {
		t.Fatalf("beside a living server: %v", err)
	}
	s.lock.stop() // nobody renews, nobody gives back
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

// What a paused server had begun to write is never stored after another one has taken over, although it still holds its lease to be good.
func TestAPausedWriteIsGivenUp(t *testing.T) {
	const lease = 800 * time.Millisecond
	url := pgtest.URL(t, "", nil)
	paused, resume := make(chan struct{}), make(chan struct{})
	s := onPostgres(t, url, lease)
	if err := s.LockServer(t.Context(), "server"); err != nil {
		t.Fatal(err)
	}
	s.lock.stop()
	<-s.lock.done
	s.lock.until.Store(math.MaxInt64) // its clock stands with it
	wrote := make(chan error)
	go func() {
		wrote <- s.Write(t.Context(), func(tx *Tx) error {
			close(paused)
			<-resume
			_, err := tx.ExecContext(t.Context(), putRow, "late", "1")
			return err
		})
	}()
	<-paused
	next := onPostgres(t, url, lease)
	if err := next.LockServer(t.Context(), "server"); err != nil {
		t.Fatal(err)
	}
	close(resume)
	if err := <-wrote; err == nil {
		t.Error("the write of the paused server was acknowledged")
	}
	if _, err := setting(t.Context(), next.Reader(), "late"); !errors.Is(err, ErrNotFound) {
		t.Errorf("the write of the paused server is stored: %v", err)
	}
}

// killer kills a process when something is said.
type killer struct{ *exec.Cmd }

func (k killer) Write(p []byte) (int, error) { return len(p), k.Process.Kill() }

// A server that was killed is not waited for on its machine.
func TestADeadProcessIsNotWaitedFor(t *testing.T) {
	url := pgtest.URL(t, "", nil)
	next := onPostgres(t, url, 24*time.Hour) // more than the test may take
	me, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), me, url)
	cmd.Env, cmd.Stderr = append(os.Environ(), "LIGHTBAR_STORE_CHILD=lease"), os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	// It is killed when the next one says that it waits. Nobody waits for the child: it stays a zombie until the end.
	next.log = slog.New(slog.NewTextHandler(killer{cmd}, nil))
	if err := next.LockServer(t.Context(), "server"); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
}

// A server on another machine, or in another container of this one, is not
// seen to end: when its connection has, it is waited for a moment.
func TestAnEndedSessionOfAnotherMachineIsWaitedForAMoment(t *testing.T) {
	const lease = 800 * time.Millisecond
	url := pgtest.URL(t, "", nil)
	s := onPostgres(t, url, lease)
	if err := s.LockServer(t.Context(), "server"); err != nil {
		t.Fatal(err)
	}
	s.lock.stop()
	<-s.lock.done
	endConn(s.lock.session)
	if _, err := s.pg.Exec(t.Context(), `UPDATE server_lock SET process = 'another pid:[1] 1 1'`); err != nil {
		t.Fatal(err)
	}
	next := onPostgres(t, url, lease)
	began := time.Now()
	if err := next.LockServer(t.Context(), "server"); err != nil {
		t.Fatal(err)
	}
	if d := time.Since(began); d < next.renewEvery() {
		t.Errorf("taken over after %v, before a living server would have renewed", d)
	}
	if err := put(t.Context(), s, "late"); !errors.Is(err, ErrBusy) && !errors.Is(err, ErrLockLost) {
		t.Fatalf("the old server wrote: %v", err)
	}
}

// A living server whose sessions were all cut, as when PostgreSQL starts again, stays the owner.
func TestALivingServerOutlivesItsSession(t *testing.T) {
	url := pgtest.URL(t, "", nil)
	const lease = 4 * time.Second
	s := onPostgres(t, url, lease)
	if err := s.LockServer(t.Context(), "server"); err != nil {
		t.Fatal(err)
	}
	next := onPostgres(t, url, lease)
	if _, err := next.pg.Exec(t.Context(), `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'`); err != nil {
		t.Fatal(err)
	}
	var locked *LockedError
	if err := next.LockServer(t.Context(), "server"); !errors.As(err, &locked) {
		t.Fatalf("got %v", err)
	}
	if err := put(t.Context(), s, "still"); err != nil {
		t.Error(err)
	}
}

func TestProcessesAreSeenToEnd(t *testing.T) {
	me := thisProcess()
	if me == "" {
		t.Skip("this system does not tell")
	}
	f := strings.Fields(me)
	for _, c := range []struct {
		name string
		gone bool
	}{
		{me, false}, {"", false}, {"x", false},
		{strings.Join([]string{f[0], f[1], f[2], "1"}, " "), true}, // its number is another's now
		{strings.Join([]string{f[0], f[1], "999999999", f[3]}, " "), true},
		{strings.Join([]string{"another-boot", f[1], "999999999", f[3]}, " "), false},
		{strings.Join([]string{f[0], "pid:[1]", "999999999", f[3]}, " "), false}, // a container with the same host name
		{strings.Join([]string{f[0], f[1], "-1", f[3]}, " "), false},
	} {
		if got := processGone(c.name); got != c.gone {
			t.Errorf("%q: gone %v", c.name, got)
		}
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
