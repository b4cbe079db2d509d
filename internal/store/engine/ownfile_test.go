package engine_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"lightbar/internal/store"
	"lightbar/internal/store/engine"
	"lightbar/internal/store/storetest"
)

// childOwner tries to become the owner of a database and says what it hears.
func childOwner() {
	ctx := context.Background()
	holder := engine.SQLiteHolder(os.Args[1])
	s, err := store.Open(ctx, store.Options{Path: os.Args[1], Log: quiet()})
	if err == nil {
		err = s.LockServer(ctx, "a server")
		err = errors.Join(err, s.Close())
	}
	fmt.Printf("%s\n%v\n", holder, err)
	os.Exit(0)
}

// owner opens a database as its server.
func owner(t *testing.T, path string, watch time.Duration) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), store.Options{Path: path, WatchEvery: watch, Log: quiet()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	if err := s.LockServer(t.Context(), "a server"); err != nil {
		t.Fatal(err)
	}
	return s
}

// Without its lock file, replaced by another one, or reached by another name,
// a database still has one server, and that one goes on.
func TestALockThatCannotBeRemoved(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("SKIPPED, THE LOCK ON THE DATABASE ITSELF IS NOT TESTED: it is Linux's")
	}
	path := filepath.Join(t.TempDir(), "lightbar.db")
	s := owner(t, path, time.Hour)
	lock := path + ".lock"
	other := filepath.Join(t.TempDir(), "other.db")
	for name, row := range map[string]struct {
		path string
		do   func() error
	}{
		"removed":   {path, func() error { return os.Remove(lock) }},
		"replaced":  {path, func() error { return errors.Join(os.Remove(lock), os.WriteFile(lock, nil, 0o600)) }},
		"hard link": {other, func() error { return os.Link(path, other) }},
	} {
		if err := row.do(); err != nil {
			t.Fatal(err)
		}
		out, err := storetest.Child(t, "owner", nil, row.path).Output()
		if err != nil || !strings.Contains(string(out), "This database is in use (") || strings.HasPrefix(string(out), "\n") {
			t.Errorf("%s: a second server: %v\n%s", name, err, out)
		}
		if err := s.Write(t.Context(), func(tx *store.Tx) error { return set(t.Context(), tx, name, "x") }); err != nil {
			t.Errorf("%s: the first server: %v", name, err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if out, err := storetest.Child(t, "owner", nil, path).Output(); err != nil || string(out) != "\n<nil>\n" {
		t.Errorf("after the first server: %v\n%s", err, out)
	}
}

// The lock file that somebody removed is made again: it says who the owner is.
func TestTheLockFileIsMadeAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lightbar.db")
	owner(t, path, 10*time.Millisecond)
	if err := os.Remove(path + ".lock"); err != nil {
		t.Fatal(err)
	}
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(time.Minute); !strings.HasPrefix(engine.SQLiteHolder(path), "a server, process "); <-tick.C {
		if time.Now().After(end) {
			t.Fatal("it was not")
		}
	}
}

// Looking at the lock beside an open database drops none of SQLite's own locks.
func TestLookingDropsNoLocks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lightbar.db")
	s := owner(t, path, time.Hour)
	var st syscall.Stat_t
	if err := syscall.Stat(path, &st); err != nil {
		t.Fatal(err)
	}
	locks := func() int {
		b, err := os.ReadFile("/proc/locks")
		if err != nil {
			t.Skipf("SKIPPED, LOCKS ARE NOT LOOKED AT: %v", err)
		}
		n := 0
		for line := range strings.Lines(string(b)) {
			if strings.Contains(line, " POSIX ") && strings.Contains(line, ":"+strconv.FormatUint(st.Ino, 10)+" ") {
				n++
			}
		}
		return n
	}
	if locks() == 0 {
		t.Fatal("SQLite holds no lock on the open database, or it is not listed")
	}
	if err := os.Remove(path + ".lock"); err != nil { // which is looked at first
		t.Fatal(err)
	}
	if holder, err := s.Holder(t.Context()); err != nil || holder == "" {
		t.Fatalf("%q %v", holder, err)
	}
	out, err := store.Open(t.Context(), store.Options{Path: path, ReadOnly: true, Log: quiet()})
	if err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	if locks() == 0 {
		t.Error("SQLite's locks were dropped")
	}
}
