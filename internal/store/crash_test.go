package store_test

import (
	"bufio"
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

	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
)

// childEnv makes this test binary play the part of another process.
const childEnv = "LIGHTBAR_STORE_CHILD"

func TestMain(m *testing.M) {
	switch os.Getenv(childEnv) {
	case "":
		os.Exit(m.Run())
	case "owner":
		childOwner()
	case "writer":
		childWriter()
	case "lease":
		childLease()
	case "points":
		childPoints()
	case "full":
		childFull()
	case "eio":
		childEIO()
	case "write":
		childWrite()
	}
}

func child(t *testing.T, part string, wrap []string, args ...string) *exec.Cmd {
	t.Helper()
	me, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	argv := append(append(wrap, me), args...)
	cmd := exec.CommandContext(t.Context(), argv[0], argv[1:]...)
	cmd.Env = append(os.Environ(), childEnv+"="+part)
	cmd.Stderr = os.Stderr
	return cmd
}

// killed runs a child that prints a number a line and kills it after some of them; the last number that it said.
func killed(t *testing.T, cmd *exec.Cmd, after int) (last int) {
	t.Helper()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for n := 0; lines.Scan(); n++ {
		if last, err = strconv.Atoi(lines.Text()); err != nil {
			t.Fatal(err)
		}
		if n == after {
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	_ = cmd.Wait()
	return last
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
		last = killed(t, child(t, "writer", nil, path, strconv.Itoa(last+1)), 50+cycle*17)
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

// childPoints stores points and says how many after each commit; they are merged all the while.
func childPoints() {
	ctx := context.Background()
	s, err := store.Open(ctx, store.Options{Path: os.Args[1]})
	if err == nil {
		store.MergeAt(s, 1000)
	}
	for n, _ := strconv.Atoi(os.Args[2]); err == nil; fmt.Println(n) {
		points := make([]fleet.Point, 40)
		for i := range points {
			at := intakeFrom + fleet.Instant(n+i)
			points[i] = fleet.Point{ThingNo: 1, At: at, ReceivedAt: at}
		}
		_, err = insert(ctx, s, points)
		n += len(points)
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// Wherever between intake and table a crash falls, each acknowledged point is there once.
// spec: D.wire.12
func TestKillNineBetweenIntakeAndTable(t *testing.T) {
	path := storetest.SQLitePath(t)
	acknowledged := 0
	for cycle := range 8 {
		acknowledged = killed(t, child(t, "points", nil, path, strconv.Itoa(acknowledged)), 60+cycle*29)
		s, err := store.Open(t.Context(), store.Options{Path: path})
		if err != nil {
			t.Fatalf("after kill -9: %v", err)
		}
		points, err := store.PointsOfThing(t.Context(), s.Reader(), 1, intakeFrom, intakeFrom+10_000_000)
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range points {
			if p.At != intakeFrom+fleet.Instant(i) {
				t.Fatalf("point %d is of +%d", i, p.At-intakeFrom)
			}
		}
		if len(points) < acknowledged {
			t.Fatalf("%d points were acknowledged, %d are there", acknowledged, len(points))
		}
		acknowledged = len(points)
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
	cmd := child(t, "full", []string{"unshare", "-Urm", "sh", "-c", `mount -t tmpfs -o size=32m none "$1" && exec "$0" "$1"`}, dir)
	out, err := cmd.Output()
	if err != nil || !strings.HasSuffix(string(out), "recovered\n") {
		t.Fatalf("%v\n%s", err, out)
	}
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
	if !errors.Is(err, store.ErrFull) || !errors.Is(s.Refusing(), store.ErrFull) {
		return fmt.Errorf("the refusal after %d rows is %w, refusing %v", acknowledged, err, s.Refusing())
	}
	if err := write(ctx); !errors.Is(err, store.ErrFull) {
		return fmt.Errorf("the next write gave %w", err)
	}
	if err := count(ctx, s, acknowledged); err != nil {
		return err
	}
	if err := write(store.WithReserve(ctx)); err != nil {
		return fmt.Errorf("a write from the reserve: %w", err)
	}
	if err := os.Remove(dir + "/other"); err != nil {
		return err
	}
	for end := time.Now().Add(time.Minute); s.Refusing() != nil; {
		if time.Now().After(end) {
			return errors.New("no recovery within 10 s")
		}
		if err := write(ctx); err != nil && !errors.Is(err, store.ErrFull) {
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
