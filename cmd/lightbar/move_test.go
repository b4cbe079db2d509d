package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lightbar/internal/store/engine"
	"lightbar/internal/store/pgtest"
)

// A county's installation goes to PostgreSQL and back: refused while it runs, the same people and assets on the other side,
// an audit that holds, and no start on what was left behind.
func TestMoveToPostgresAndBack(t *testing.T) {
	commandsAlone(t)
	url := pgtest.URL(t, "", nil)
	data := filepath.Join(t.TempDir(), "data")
	lbOK(t, "organization", "create", "Town of Elsmere", "--data", data)
	lbOK(t, "user", "create", "chief@example.org", "--first-name", "Ada", "--last-name", "Cole", "--role", "administrator", "--data", data)
	lbOK(t, "asset", "create", "--organization", "Town of Elsmere", "--system-name", "E-1", "--data", data)
	s := start(t, data)
	refused := func(code int, words string, args ...string) {
		t.Helper()
		got, out, err := lb(t, append(args, "--data", data)...)
		if got != code || !strings.Contains(err, words) || out != "" {
			t.Errorf("%v: exit %d, want %d with %q\n%s%s", args, got, code, words, out, err)
		}
	}
	refused(exitPlace, "This database is in use (a server, process ", "move", "--to", "postgres", "--database", url)
	refused(exitUsage, "needs --database", "move", "--to", "postgres")
	refused(exitUsage, "--to must be one of", "move", "--to", "oracle", "--database", url)
	if code := s.end(t); code != exitOK {
		t.Fatal(s.err.String())
	}

	if err := engine.BeginMove(t.Context(), engine.Options{URL: url}); err != nil { // and nothing else: the process was killed
		t.Fatal(err)
	}
	refused(exitPlace, "A move into the database ", "serve", "--listen", "localhost:0", "--database", url)
	out := lbOK(t, "move", "--to", "postgres", "--data", data, "--database", url)
	for _, words := range []string{"  app_user  ", "  audit_seal  ", "both databases hold the same", "Start the server with --database"} {
		if !strings.Contains(out, words) {
			t.Errorf("the move does not say %q:\n%s", words, out)
		}
	}
	aside, err := filepath.Glob(filepath.Join(data, "lightbar.db.moved-*"))
	if err != nil || len(aside) != 1 {
		t.Fatal(aside, err)
	}
	// Killed after its rows were there and before both sides were compared: the next one begins anew.
	if err := os.Rename(aside[0], filepath.Join(data, "lightbar.db")); err != nil {
		t.Fatal(err)
	}
	if err := engine.BeginMove(t.Context(), engine.Options{URL: url}); err != nil {
		t.Fatal(err)
	}
	lbOK(t, "move", "--to", "postgres", "--data", data, "--database", url)
	if aside, err = filepath.Glob(filepath.Join(data, "lightbar.db.moved-*")); err != nil || len(aside) != 1 {
		t.Fatal(aside, err)
	}
	refused(exitPlace, "There is a key", "serve", "--listen", "localhost:0")
	refused(exitPlace, "There is no database at", "move", "--to", "postgres", "--database", url)

	s = start(t, data, "--database", url)
	refused(exitPlace, "owns this database in PostgreSQL (a server, process ", "move", "--to", "sqlite", "--database", url)
	lbOK(t, "asset", "create", "--organization", "Town of Elsmere", "--system-name", "E-2", "--data", data, "--database", url)
	lbOK(t, "audit", "verify", "--data", data, "--database", url)
	if code := s.end(t); code != exitOK {
		t.Fatal(s.err.String())
	}
	stranger, err := os.ReadFile(aside[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(data, "lightbar.db"), stranger, 0o600); err != nil {
		t.Fatal(err)
	}
	refused(exitPlace, "is not empty: ", "move", "--to", "postgres", "--database", url)
	refused(exitPlace, "There is a database ", "move", "--to", "sqlite", "--database", url)
	if err := os.Remove(filepath.Join(data, "lightbar.db")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(data, "lightbar.db.moving"), []byte("left of one that was killed"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out := lbOK(t, "move", "--to", "sqlite", "--data", data, "--database", url); !strings.Contains(out, "without --database") {
		t.Error(out)
	}
	if left, _ := filepath.Glob(filepath.Join(data, "lightbar.db.moving*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	s = start(t, data)
	lbOK(t, "audit", "verify", "--data", data)
	for _, name := range []string{"E-1", "E-2"} { // both are known: a second of either is refused
		refused(exitFailed, "", "asset", "create", "--organization", "Town of Elsmere", "--system-name", name)
	}
	if code := s.end(t); code != exitOK {
		t.Fatal(s.err.String())
	}
}
