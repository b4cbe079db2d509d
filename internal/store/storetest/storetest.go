// Package storetest gives a test a database of each engine: the conformance
// suite of the store runs the same rows on SQLite and PostgreSQL.
package storetest

import (
	"context"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"lightbar/internal/store"
	"lightbar/internal/store/pgtest"
)

// EnginesEnv says on which engine Each runs: "sqlite", "postgres", or, unset, both.
// make test watches SQLite with the race detector and runs PostgreSQL without it.
const EnginesEnv = "LIGHTBAR_TEST_ENGINES"

// OnPostgresEnv lists what another pass runs on PostgreSQL, as "./package TestName" on a line.
const OnPostgresEnv = "LIGHTBAR_TESTS_ON_POSTGRES"

var whole bool

// Whole lets Each run on both engines in every pass: for a package whose own code differs by engine.
// A package says it in an init function of its tests.
func Whole() { whole = true }

// Each runs fn as a subtest on SQLite and on PostgreSQL, each time with a new,
// migrated database. Without PostgreSQL that half is skipped, loudly, or fails
// when LIGHTBAR_REQUIRE_POSTGRES=1.
func Each(t *testing.T, fn func(t *testing.T, s *store.Store)) {
	t.Helper()
	engines := os.Getenv(EnginesEnv)
	if whole {
		engines = ""
	}
	switch engines {
	case "", "sqlite", "postgres":
	default:
		t.Fatalf("%s is %q: want sqlite, postgres, or nothing", EnginesEnv, engines)
	}
	if list, ok := os.LookupEnv(OnPostgresEnv); ok && engines == "sqlite" {
		dir, err := os.Getwd()
		if err != nil {
			t.Fatal(err)
		}
		if name, _, _ := strings.Cut(t.Name(), "/"); !listed(list, dir, name) {
			t.Errorf("no pass of make test runs %s on PostgreSQL: scripts/passes.sh does not see that it calls Each", name)
		}
	}
	if engines != "postgres" {
		t.Run("sqlite", func(t *testing.T) { fn(t, SQLite(t)) })
	}
	if engines != "sqlite" {
		t.Run("postgres", func(t *testing.T) { fn(t, Postgres(t)) })
	}
}

// listed reports whether a line "./package TestName" names the test of the package in this folder.
func listed(list, dir, test string) bool {
	for line := range strings.Lines(list) {
		pkg, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		if name == test && strings.HasSuffix(dir, strings.TrimPrefix(pkg, ".")) {
			return true
		}
	}
	return false
}

// SQLite opens a new database in the test's folder.
func SQLite(t testing.TB) *store.Store {
	t.Helper()
	return open(t, store.Options{Path: SQLitePath(t)})
}

// SQLitePath is a new, migrated database in the test's folder. It is made once
// for the whole binary and copied: migrating is the larger part of a small
// test's time, above all with the race detector.
func SQLitePath(t testing.TB) string {
	t.Helper()
	file, err := migrated()
	path := filepath.Join(t.TempDir(), "lightbar.db")
	if err == nil {
		err = os.WriteFile(path, file, 0o600)
	}
	if err != nil {
		t.Fatalf("a new database: %v", err)
	}
	return path
}

// migrated is a migrated database as bytes.
var migrated = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "lightbar")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path := filepath.Join(dir, "lightbar.db")
	s, err := store.Open(context.Background(), store.Options{Path: path, Log: quiet()})
	if err == nil {
		err = s.Close()
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

// Postgres opens a new database on the throw-away server.
func Postgres(t testing.TB) *store.Store {
	t.Helper()
	return open(t, store.Options{URL: PostgresURL(t)})
}

// PostgresURL is the address of a new, migrated database.
func PostgresURL(t testing.TB) string {
	t.Helper()
	return pgtest.URL(t, "lightbar_template", func(url string) error {
		s, err := store.Open(context.Background(), store.Options{URL: url, Log: quiet()})
		if err != nil {
			return err
		}
		return s.Close()
	})
}

func open(t testing.TB, o store.Options) *store.Store {
	t.Helper()
	o.Log = quiet()
	if o.Rest == nil {
		o.Rest = func(context.Context, time.Duration) {} // nobody writes beside a test's sweep
	}
	s, err := store.Open(t.Context(), o)
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return s
}

func quiet() *slog.Logger { return slog.New(slog.NewTextHandler(io.Discard, nil)) }
