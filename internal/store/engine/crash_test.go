package engine_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"lightbar/internal/store"
	"lightbar/internal/store/engine"
	"lightbar/internal/store/storetest"
)

func TestMain(m *testing.M) {
	switch os.Getenv(storetest.ChildEnv) {
	case "":
		os.Exit(m.Run())
	case "owner":
		childOwner()
	case "writer":
		childWriter()
	case "lease":
		childLease()
	case "full":
		childFull()
	case "full start":
		if err := fullStart(os.Args[1]); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	case "eio":
		childEIO()
	case "write":
		childWrite()
	}
}

// childLease owns a database in PostgreSQL until it is killed.
func childLease() {
	s, err := store.Open(context.Background(), store.Options{URL: os.Args[1]})
	if err == nil {
		err = s.LockServer(context.Background(), "server")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(1)
	select {}
}

// childWriter writes numbered rows and says each number after its commit.
func childWriter() {
	ctx := context.Background()
	s, err := store.Open(ctx, store.Options{Path: os.Args[1]})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	from, _ := strconv.Atoi(os.Args[2])
	for i := from; ; i++ {
		if err := s.Write(ctx, func(tx *store.Tx) error { return set(ctx, tx, "row "+strconv.Itoa(i), "x") }); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(i)
	}
}

// A killed writer loses nothing it acknowledged, its lock is free at once and
// the file opens and checks.
// spec: D.wire.12
func TestKillNineLosesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lightbar.db")
	last := -1
	for cycle := range 5 {
		last = storetest.Killed(t, storetest.Child(t, "writer", nil, path, strconv.Itoa(last+1)), 50+cycle*17)
		s, err := store.Open(t.Context(), store.Options{Path: path})
		if err != nil {
			t.Fatalf("after kill -9: %v", err)
		}
		var n int
		if err := s.Reader().QueryRowContext(t.Context(), `SELECT count(*) FROM setting WHERE name LIKE 'row %'`).Scan(&n); err != nil {
			t.Fatal(err)
		}
		if n < last+1 {
			t.Fatalf("%d rows were acknowledged, %d are there", last+1, n)
		}
		last = n - 1
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// On a full disk writes are refused in words, reading goes on, and writes go
// on by themselves once there is space.
func TestFullDiskRefusesAndRecovers(t *testing.T) {
	if out, err := exec.Command("unshare", "-Urm", "true").CombinedOutput(); err != nil {
		t.Skipf("SKIPPED, A FULL DISK IS NOT TESTED: unshare -Urm is not allowed here (%v %s)", err, out)
	}
	dir := t.TempDir()
	cmd := storetest.Child(t, "full", []string{"unshare", "-Urm", "sh", "-c", `mount -t tmpfs -o size=32m none "$1" && exec "$0" "$1"`}, dir)
	out, err := cmd.Output()
	if err != nil || !strings.HasSuffix(string(out), "recovered\n") {
		t.Fatalf("%v\n%s", err, out)
	}
}

// After a crash with a large journal, a server starts though the disk was filled beside the reserve, with all rows.
func TestAFullDiskAndALargeJournalStart(t *testing.T) {
	if out, err := exec.Command("unshare", "-Urm", "true").CombinedOutput(); err != nil {
		t.Skipf("SKIPPED, A FULL DISK IS NOT TESTED: unshare -Urm is not allowed here (%v %s)", err, out)
	}
	cmd := storetest.Child(t, "full start", []string{"unshare", "-Urm", "sh", "-c",
		`mount -t tmpfs -o size=120m none "$1" && "$0" "$1" && "$0" "$1"`}, t.TempDir())
	out, err := cmd.Output()
	if err != nil || !strings.HasSuffix(string(out), "filled\nstarted\n") {
		t.Fatalf("%v\n%s", err, out)
	}
}

// fullStart runs twice on a disk: it fills it and ends without closing anything, then starts on it.
func fullStart(dir string) error {
	const rows = 1500
	ctx := context.Background()
	path, other := dir+"/lightbar.db", dir+"/other"
	_, err := os.Stat(other)
	again := err == nil
	s, err := store.Open(ctx, store.Options{Path: path, BallastBytes: 8 << 20, WatchEvery: 20 * time.Millisecond})
	if err != nil {
		return err
	}
	if again {
		fmt.Println("started")
		return errors.Join(count(ctx, s, rows), s.Close())
	}
	return s.Read(ctx, func(r store.Reader) error { // whose snapshot keeps the journal from being begun anew
		var n int
		if err := r.QueryRowContext(ctx, `SELECT count(*) FROM setting`).Scan(&n); err != nil {
			return err
		}
		for i := range rows {
			err := s.Write(ctx, func(tx *store.Tx) error { return set(ctx, tx, "row "+strconv.Itoa(i), strings.Repeat("x", 20000)) })
			if err != nil {
				return err
			}
		}
		for end := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
			wal, err := os.Stat(path + "-wal")
			if err != nil {
				return err
			}
			if st, err := os.Stat(path + ".ballast"); err == nil && st.Size() >= wal.Size() {
				break
			}
			if time.Now().After(end) {
				return fmt.Errorf("the reserve does not follow a journal of %d bytes", wal.Size())
			}
		}
		f, err := os.Create(other)
		for block := make([]byte, 64<<10); err == nil; {
			_, err = f.Write(block)
		}
		fmt.Println("filled")
		os.Exit(0)
		return err
	})
}

func childFull() {
	if err := fullDisk(os.Args[1]); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("recovered")
}

func fullDisk(dir string) error {
	ctx := context.Background()
	s, err := store.Open(ctx, store.Options{Path: dir + "/lightbar.db", BallastBytes: 8 << 20, WatchEvery: 20 * time.Millisecond})
	if err != nil {
		return err
	}
	acknowledged := 0
	write := func(ctx context.Context) error {
		err := s.Write(ctx, func(tx *store.Tx) error {
			return set(ctx, tx, "row "+strconv.Itoa(acknowledged), strings.Repeat("x", 20000))
		})
		if err == nil {
			acknowledged++
		}
		return err
	}
	if err := os.WriteFile(dir+"/other", make([]byte, 12<<20), 0o600); err != nil {
		return err
	}
	for err == nil && acknowledged < 10000 {
		err = write(ctx)
	}
	if !errors.Is(err, engine.ErrFull) || !errors.Is(s.Refusing(), engine.ErrFull) {
		return fmt.Errorf("the refusal after %d rows is %w, refusing %v", acknowledged, err, s.Refusing())
	}
	if err := write(ctx); !errors.Is(err, engine.ErrFull) {
		return fmt.Errorf("the next write gave %w", err)
	}
	if err := count(ctx, s, acknowledged); err != nil {
		return err
	}
	if err := write(engine.WithReserve(ctx)); err != nil {
		return fmt.Errorf("a write from the reserve: %w", err)
	}
	if err := os.Remove(dir + "/other"); err != nil {
		return err
	}
	for end := time.Now().Add(time.Minute); s.Refusing() != nil; {
		if time.Now().After(end) {
			return errors.New("no recovery within 10 s")
		}
		if err := write(ctx); err != nil && !errors.Is(err, engine.ErrFull) {
			return err
		}
	}
	if err := write(ctx); err != nil {
		return fmt.Errorf("after the recovery: %w", err)
	}
	if _, err := os.Stat(dir + "/lightbar.db.ballast"); err != nil {
		return fmt.Errorf("the reserve was not made again: %w", err)
	}
	return errors.Join(count(ctx, s, acknowledged), s.Close())
}

func count(ctx context.Context, s *store.Store, want int) error {
	var n int
	if err := s.Reader().QueryRowContext(ctx, `SELECT count(*) FROM setting WHERE name LIKE 'row %'`).Scan(&n); err != nil {
		return err
	}
	if n != want {
		return fmt.Errorf("%d rows were acknowledged, %d are there", want, n)
	}
	return nil
}
