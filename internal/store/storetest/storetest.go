// Package storetest gives a test a database of each engine: the conformance
// suite of the store runs the same rows on SQLite and PostgreSQL.
package storetest

import (
	"context"
	"io"
	"log/slog"
	"path/filepath"
	"testing"

	"lightbar/internal/store"
	"lightbar/internal/store/pgtest"
)

// Each runs fn as a subtest on SQLite and on PostgreSQL, each time with a new,
// migrated database. Without PostgreSQL that half is skipped, loudly, or fails
// when LIGHTBAR_REQUIRE_POSTGRES=1.
func Each(t *testing.T, fn func(t *testing.T, s *store.Store)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { fn(t, SQLite(t)) })
	t.Run("postgres", func(t *testing.T) { fn(t, Postgres(t)) })
}

// SQLite opens a new database in the test's folder.
func SQLite(t testing.TB) *store.Store {
	t.Helper()
	return open(t, store.Options{Path: filepath.Join(t.TempDir(), "lightbar.db")})
}

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
