package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lightbar/internal/store"
	"lightbar/internal/store/engine"
)

// lbStopped runs a command line that is told to stop before it begins.
func lbStopped(t *testing.T, args ...string) (code int, stderr string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var out, errOut bytes.Buffer
	return run(ctx, args, &out, &errOut), errOut.String()
}

// Two backups of one second have one name: the later one is refused and leaves the first alone.
func TestBackupsOfOneSecondLeaveEachOtherAlone(t *testing.T) {
	to, data := t.TempDir(), t.TempDir()
	lbOK(t, "organization", "create", "Town", "--data", data)
	var good []string
	for range 6 { // at least two of them fall into one second
		code, out, errOut := lb(t, "backup", "--data", data, "--to", to)
		if code == exitPlace && strings.Contains(errOut, "is there already") {
			break
		}
		dir, _, _ := strings.Cut(out, "\n")
		if code != exitOK {
			t.Fatalf("exit %d, %s", code, errOut)
		}
		good = append(good, dir)
	}
	for _, dir := range good {
		lbOK(t, "restore", "--check", dir)
	}
	if found, err := os.ReadDir(to); err != nil || len(found) != len(good) {
		t.Errorf("%d folders, want %d (%v)", len(found), len(good), err)
	}
}

// A stop during a check says nothing of the file, and is no failure of serve.
func TestAStopIsNoDamage(t *testing.T) {
	data, backups := t.TempDir(), t.TempDir()
	lbOK(t, "organization", "create", "Town", "--data", data)
	dir, _, _ := strings.Cut(lbOK(t, "backup", "--data", data, "--to", backups), "\n")
	for _, data := range []string{data, filepath.Join(t.TempDir(), "new")} {
		code, errOut := lbStopped(t, "serve", "--data", data, "--listen", "localhost:0")
		if code != exitOK || !strings.Contains(errOut, "stopped before serving") || strings.Contains(errOut, "lightbar: ") {
			t.Errorf("serve: exit %d, %s", code, errOut)
		}
	}
	for _, args := range [][]string{
		{"restore", "--check", dir},
		{"restore", dir, "--data", filepath.Join(t.TempDir(), "restored")},
		{"backup", "--data", data, "--to", backups},
	} {
		if code, errOut := lbStopped(t, args...); code != exitFailed || !strings.HasSuffix(errOut, "lightbar: Interrupted.\n") {
			t.Errorf("%s: exit %d, %s", args[0], code, errOut)
		}
	}
}

// One row of the intake that cannot be read: every command names the file and what to do.
func TestAnUnreadableIntakeIsSaidByAll(t *testing.T) {
	data, backups := t.TempDir(), t.TempDir()
	lbOK(t, "organization", "create", "Town", "--data", data)
	path := filepath.Join(data, "lightbar.db")
	s, err := store.Open(t.Context(), store.Options{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	err = s.Write(t.Context(), func(tx *store.Tx) error {
		_, err := tx.ExecContext(t.Context(), `INSERT INTO point_intake (no, body) VALUES (1, x'02')`)
		return err
	})
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"serve", "--data", data, "--listen", "localhost:0"},
		{"organization", "create", "Other town", "--data", data},
		{"backup", "--data", data, "--to", backups},
	} {
		code, _, errOut := lb(t, args...)
		if code != exitPlace || !strings.Contains(errOut, path+" is damaged (a row of point_intake") || !strings.Contains(errOut, "lightbar restore") {
			t.Errorf("%s: exit %d, %s", args[0], code, errOut)
		}
	}
	if code, out, _ := lb(t, "doctor", "--data", data, "--listen", "localhost:0"); code != 2 || !strings.Contains(out, "failure  database") {
		t.Errorf("doctor: exit %d\n%s", code, out)
	}
}

// The doctor says how the database grows.
func TestTheDoctorSaysWhenTheDiskIsFull(t *testing.T) {
	data := t.TempDir()
	lbOK(t, "organization", "create", "Town", "--data", data)
	_, out, _ := lb(t, "doctor", "--data", data, "--listen", "localhost:0")
	if !strings.Contains(out, "storage       the database has ") || !strings.Contains(out, " more a day (audit ") || !strings.Contains(out, "the disk ") {
		t.Errorf("the doctor says\n%s", out)
	}
}

// The doctor counts the points that rest, and names what cannot be read.
func TestADamagedBlockIsSaid(t *testing.T) {
	data := t.TempDir()
	lbOK(t, "organization", "create", "Town", "--data", data)
	if _, out, _ := lb(t, "doctor", "--data", data, "--listen", "localhost:0"); !strings.Contains(out, "ok       points        0 in their table, 0 at rest in 0 blocks (0 MB)") {
		t.Errorf("the doctor says\n%s", out)
	}
	s, err := store.Open(t.Context(), store.Options{Path: filepath.Join(data, "lightbar.db")})
	if err != nil {
		t.Fatal(err)
	}
	err = s.Write(t.Context(), func(tx *store.Tx) error {
		_, err := tx.ExecContext(t.Context(), `INSERT INTO point_block (thing_no, slot, first_at, last_at, n, said, body) VALUES (7, 493000, 0, 0, 1, TRUE, x'02')`)
		return err
	})
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	want := "failure  points        damaged are 1 of 1 block, the first: asset 7, hour of 2026-03-29T16:00:00"
	if code, out, _ := lb(t, "doctor", "--data", data, "--listen", "localhost:0"); code != 2 || !strings.Contains(out, want) {
		t.Errorf("doctor: exit %d\n%s", code, out)
	}
}

// A verb that meets a full disk says so, and that it is the surroundings.
func TestAFullDiskIsASurrounding(t *testing.T) {
	var out bytes.Buffer
	if code := say(&out, fmt.Errorf("store: commit: %w", engine.ErrFull)); code != exitPlace || !strings.Contains(out.String(), "make room") {
		t.Errorf("exit %d, %s", code, out.String())
	}
}
