package main

import (
	"path/filepath"
	"strings"
	"testing"

	"lightbar/internal/store/pgtest"
)

// The same life on PostgreSQL: a second server and verbs from elsewhere are refused, verbs of the folder reach the server.
func TestLifeOnPostgres(t *testing.T) {
	commandsAlone(t)
	url := pgtest.URL(t, "", nil)
	data := filepath.Join(t.TempDir(), "data")
	s := start(t, data, "--database", url)
	code, _, errOut := lb(t, "serve", "--data", filepath.Join(t.TempDir(), "other"), "--listen", "localhost:0", "--database", url)
	if code != exitPlace || !strings.Contains(errOut, "This database is in use (a server, process ") {
		t.Fatalf("a second server: exit %d, %s", code, errOut)
	}
	code, _, errOut = lb(t, "organization", "create", "Town", "--data", filepath.Join(t.TempDir(), "other"), "--database", url)
	if code != exitPlace || !strings.Contains(errOut, "run the command with the --data folder of that server") {
		t.Fatalf("a verb from elsewhere: exit %d, %s", code, errOut)
	}
	lbOK(t, "organization", "create", "Town", "--data", data, "--database", url)
	backups := t.TempDir()
	lbOK(t, "backup", "--data", data, "--database", url, "--to", backups)
	if code := s.end(t); code != exitOK {
		t.Fatalf("exit %d\n%s", code, s.err.String())
	}
	dirs, err := filepath.Glob(filepath.Join(backups, "*"))
	if err != nil || len(dirs) != 1 {
		t.Fatal(dirs, err)
	}
	fresh, elsewhere := pgtest.URL(t, "", nil), filepath.Join(t.TempDir(), "data")
	lbOK(t, "restore", dirs[0], "--data", elsewhere, "--database", fresh)
	if code, _, errOut := lb(t, "restore", dirs[0], "--data", filepath.Join(t.TempDir(), "x"), "--database", fresh); code != exitPlace || !strings.Contains(errOut, "is not empty") {
		t.Fatalf("a restore over tables: exit %d, %s", code, errOut)
	}
	again := start(t, elsewhere, "--database", fresh)
	if out := lbOK(t, "user", "create", "a@b.example", "--first-name", "A", "--last-name", "B", "--organization", "Town", "--data", elsewhere, "--database", fresh); !strings.Contains(out, "password: ") {
		t.Errorf("got %s", out)
	}
	if code, out, _ := lb(t, "doctor", "--data", elsewhere, "--database", fresh, "--listen", "localhost:0"); code == 2 || !strings.Contains(out, "PostgreSQL ") {
		t.Errorf("doctor: exit %d\n%s", code, out)
	}
	// A healthy server has its port, whichever engine: that is no fault, and nobody is told to stop it.
	code, out, _ := lb(t, "doctor", "--data", elsewhere, "--database", fresh, "--listen", again.info.Listen)
	if code == 2 || !strings.Contains(out, "ok       port") || !strings.Contains(out, "a server runs on this data folder") {
		t.Errorf("doctor beside its server: exit %d\n%s", code, out)
	}
	code, out, _ = lb(t, "doctor", "--data", filepath.Join(t.TempDir(), "typo"), "--database", fresh, "--listen", again.info.Listen)
	if code == 2 || !strings.Contains(out, "warning  port") || strings.Contains(out, "another program") {
		t.Errorf("doctor with another folder: exit %d\n%s", code, out)
	}
	if code := again.end(t); code != exitOK {
		t.Fatalf("exit %d\n%s", code, again.err.String())
	}
}
