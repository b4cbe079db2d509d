package engine_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"lightbar/internal/store"
	"lightbar/internal/store/engine"
	"lightbar/internal/store/pgtest"
	"lightbar/internal/store/storetest"
)

// After a failed fsync nobody knows what the disk holds: the outcome is
// unknown, and nothing is acknowledged any more.
func TestAFailedFsyncStopsAcknowledging(t *testing.T) {
	if out, err := exec.Command("strace", "-e", "trace=none", "true").CombinedOutput(); err != nil {
		t.Skipf("SKIPPED, A FAILING DISK IS NOT TESTED: strace cannot run here (%v %s)", err, out)
	}
	path := t.TempDir() + "/lightbar.db"
	s, err := store.Open(t.Context(), store.Options{Path: path, Log: quiet()})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	cmd := storetest.Child(t, "eio", []string{"strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fsync,fdatasync", "-e", "inject=fsync,fdatasync:error=EIO:when=20+"}, path)
	out, err := cmd.Output()
	if err != nil || !strings.HasSuffix(string(out), "stopped\n") {
		t.Fatalf("%v\n%s", err, out)
	}
	s, err = store.Open(t.Context(), store.Options{Path: path, Log: quiet()})
	if err != nil {
		t.Fatalf("after the fault: %v", err)
	}
	defer s.Close()
	acknowledged := strings.Count(string(out), "row")
	var n int
	if err := s.Reader().QueryRowContext(t.Context(), `SELECT count(*) FROM setting WHERE name LIKE 'row %'`).Scan(&n); err != nil || n < acknowledged || n > acknowledged+1 {
		t.Fatalf("%d rows were acknowledged, %d are there (%v)", acknowledged, n, err)
	}
}

func childEIO() {
	ctx := context.Background()
	s, err := store.Open(ctx, store.Options{Path: os.Args[1], Log: quiet()})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	for i := 0; err == nil && i < 1000; i++ {
		if err = s.Write(ctx, func(tx *store.Tx) error { return set(ctx, tx, "row "+strconv.Itoa(i), "x") }); err == nil {
			fmt.Println("row", i)
		}
	}
	if !errors.Is(err, engine.ErrStorage) || !errors.Is(err, engine.ErrOutcomeUnknown) {
		fmt.Println("the fault was answered with", err)
		os.Exit(1)
	}
	select {
	case <-s.Failed():
	default:
		fmt.Println("Failed is open")
		os.Exit(1)
	}
	if err := s.Write(ctx, func(*store.Tx) error { return nil }); !errors.Is(err, engine.ErrStorage) {
		fmt.Println("the next write gave", err)
		os.Exit(1)
	}
	fmt.Println("stopped")
}

// SQLite says one thing of every write that fails; the disk beside it says
// which. A disk gone read-only refuses writes under its own name, reading goes
// on, and writes do once they can; a fault of the disk stops everything.
func TestAWriteThatFailsIsNamed(t *testing.T) {
	if out, err := exec.Command("strace", "-e", "trace=none", "true").CombinedOutput(); err != nil {
		t.Skipf("SKIPPED, A FAILING DISK IS NOT TESTED: strace cannot run here (%v %s)", err, out)
	}
	// The probe beside the database is the only one that calls write. strace counts for each thread: the child writes
	// on one, so that the probe of each of its failing writes fails, too.
	for _, c := range []struct {
		name, sqlite, probe, want string
	}{
		{"read-only", "pwrite64:error=EROFS:when=30..31", "write:error=EROFS:when=1..3", "read-only\nrefused\nread\nagain\n"},
		{"broken", "pwrite64:error=EIO:when=30+", "write:error=EIO", "storage\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := t.TempDir() + "/lightbar.db"
			s, err := store.Open(t.Context(), store.Options{Path: path, Log: quiet()})
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			cmd := storetest.Child(t, "write", []string{"strace", "-f", "-qq", "-o", "/dev/null", "-P", path, "-P", path + "-wal", "-P", path + ".probe",
				"-e", "trace=pwrite64,write", "-e", "inject=" + c.sqlite, "-e", "inject=" + c.probe}, path)
			if out, err := cmd.Output(); err != nil || string(out) != c.want {
				t.Fatalf("%v\n%s", err, out)
			}
		})
	}
}

func childWrite() {
	runtime.LockOSThread()
	ctx := context.Background()
	s, err := store.Open(ctx, store.Options{Path: os.Args[1], Log: quiet(), WatchEvery: 200 * time.Millisecond})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	rows := 0
	write := func() error {
		err := s.Write(ctx, func(tx *store.Tx) error { return set(ctx, tx, "row "+strconv.Itoa(rows), "x") })
		if err == nil {
			rows++
		}
		return err
	}
	for err == nil && rows < 1000 {
		err = write()
	}
	if errors.Is(err, engine.ErrStorage) && s.Cause() != nil {
		fmt.Println("storage")
		return
	}
	if !errors.Is(err, engine.ErrReadOnly) || errors.Is(err, engine.ErrFull) || s.Cause() != nil {
		fmt.Println("the fault was answered with", err, s.Cause())
		os.Exit(1)
	}
	fmt.Println("read-only")
	if err := write(); errors.Is(err, engine.ErrReadOnly) {
		fmt.Println("refused")
	}
	if err := count(ctx, s, rows); err == nil {
		fmt.Println("read")
	}
	for end := time.Now().Add(time.Minute); write() != nil; {
		if time.Now().After(end) {
			fmt.Println("never again")
			os.Exit(1)
		}
	}
	fmt.Println("again")
}

func quiet() *slog.Logger { return slog.New(slog.NewTextHandler(io.Discard, nil)) }

// PostgreSQL crashes under load: what was acknowledged is there, what failed
// says busy or unknown, and writes go on by themselves.
// spec: D.wire.13
func TestPostgresCrashLosesNothing(t *testing.T) {
	s := storetest.Postgres(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var acknowledged atomic.Int64
	attempts, done := map[int]error{}, make(chan struct{})
	stop := make(chan struct{})
	go func() {
		defer close(done)
		for i := 0; ; i++ {
			err := s.Write(ctx, func(tx *store.Tx) error { return set(ctx, tx, "row "+strconv.Itoa(i), "x") })
			attempts[i] = err
			again := time.Duration(0)
			if err == nil {
				acknowledged.Add(1)
			} else {
				again = 5 * time.Millisecond // as any client would: not as fast as it can
			}
			select {
			case <-stop:
				return
			case <-time.After(again):
			}
		}
	}()
	until := func(n int64) {
		t.Helper()
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		for acknowledged.Load() < n {
			select {
			case <-ctx.Done():
				t.Fatalf("only %d rows were acknowledged", acknowledged.Load())
			case <-tick.C:
			}
		}
	}
	for range 3 {
		until(acknowledged.Load() + 50)
		pgtest.Restart(t)
	}
	until(acknowledged.Load() + 50)
	close(stop)
	<-done
	unknown := 0
	for i, err := range attempts {
		_, there := get(ctx, s.Reader(), "row "+strconv.Itoa(i))
		switch {
		case err == nil && there != nil:
			t.Errorf("row %d was acknowledged and is gone: %v", i, there)
		case errors.Is(err, engine.ErrOutcomeUnknown):
			unknown++
		case err != nil && !errors.Is(err, engine.ErrBusy):
			t.Errorf("row %d: not said to be busy or unknown: %v", i, err)
		case errors.Is(err, engine.ErrBusy) && there == nil:
			t.Errorf("row %d was said not to be kept and is there", i)
		}
	}
	t.Logf("%d acknowledged, %d unknown of %d", acknowledged.Load(), unknown, len(attempts))
}
