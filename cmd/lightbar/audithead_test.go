package main

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lightbar/internal/store/backup"
)

// installed makes an installation with a sealed chain of two batches.
func installed(t *testing.T) (data string) {
	t.Helper()
	data = filepath.Join(t.TempDir(), "data")
	for _, name := range []string{"Fire", "Police"} {
		lbOK(t, "organization", "create", name, "--data", data)
		if s := start(t, data); s.end(t) != 0 {
			t.Fatalf("the server did not stop well\n%s", s.err.String())
		}
	}
	return data
}

// behindTheServer runs statements on a database that no server has open.
func behindTheServer(t *testing.T, data string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(data, "lightbar.db"))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range statements {
		if _, err := db.ExecContext(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

func copyTo(t *testing.T, from, to string) {
	t.Helper()
	b, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, b, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A backup holds the head as it was before the copy; the restored installation goes on from there.
func TestABackupCarriesTheHeadOfTheAudit(t *testing.T) {
	commandsAlone(t)
	data := installed(t)
	out := lbOK(t, "backup", "--data", data, "--to", t.TempDir())
	made := strings.SplitN(out, "\n", 2)[0]
	if s := start(t, data); s.end(t) != 0 { // the original goes on
		t.Fatal(s.err.String())
	}
	restored := filepath.Join(t.TempDir(), "restored")
	lbOK(t, "restore", made, "--data", restored)
	if _, err := os.Stat(filepath.Join(restored, backup.AuditHeadName)); err != nil {
		t.Fatal(err)
	}
	for range 2 { // as restored, and after a server ran on it
		if out := lbOK(t, "audit", "verify", "--data", restored); !strings.Contains(out, "Compared with the head kept beside the database: seal ") || !strings.Contains(out, "The chain holds.") {
			t.Error(out)
		}
		lbOK(t, "organization", "create", "More", "--data", restored)
		s := start(t, restored)
		if out := lbOK(t, "audit", "verify", "--data", restored); !strings.Contains(out, "The chain holds.") {
			t.Error(out)
		}
		if s.end(t) != 0 || strings.Contains(s.err.String(), "head_was_kept=false") {
			t.Error(s.err.String())
		}
	}
	if out := lbOK(t, "audit", "head", "--data", restored); !strings.Contains(out, "head ") {
		t.Error(out)
	}
	empty := t.TempDir()
	copyTo(t, filepath.Join(data, backup.AuditHeadName), filepath.Join(empty, backup.AuditHeadName))
	if code, _, err := lb(t, "restore", made, "--data", empty); code != exitPlace || !strings.Contains(err, "already there") {
		t.Errorf("a head that is there was replaced: %d %s", code, err)
	}
}

// The chain begun anew, or an old copy put in the place of the database: the
// server serves on, seals nothing, and the commands name what was done.
func TestAnAttackOnTheAuditIsNamedAndStopsNoServer(t *testing.T) {
	for name, c := range map[string]struct {
		attack func(t *testing.T, data, old string)
		says   string
	}{
		"the chain begun anew": {func(t *testing.T, data, _ string) {
			behindTheServer(t, data, `UPDATE audit SET network = '10.9.9.9', seal_no = 0, mac = ''`, `DELETE FROM audit_seal`)
		}, "chain rewritten"},
		"an old copy": {func(t *testing.T, data, old string) { copyTo(t, old, filepath.Join(data, "lightbar.db")) }, "end cut off"},
	} {
		t.Run(name, func(t *testing.T) {
			data := installed(t)
			old := filepath.Join(t.TempDir(), "old.db")
			copyTo(t, filepath.Join(data, "lightbar.db"), old)
			lbOK(t, "organization", "create", "Later", "--data", data)
			if s := start(t, data); s.end(t) != 0 {
				t.Fatal(s.err.String())
			}
			c.attack(t, data, old)
			s := start(t, data, "--admin-listen", "localhost:0")
			code, out, _ := lb(t, "audit", "verify", "--data", data)
			if code != exitFailed || !strings.Contains(out, "The chain does not hold: "+c.says+".") {
				t.Errorf("exit %d\n%s", code, out)
			}
			if status, text := fetch(t, s.info.URL+"/readyz"); status != 200 {
				t.Errorf("not ready: %d %s", status, text)
			}
			if _, text := fetch(t, s.info.Admin+"/metrics"); !strings.Contains(text, "lightbar_audit_broken 1") {
				t.Error("the metric does not tell of it")
			}
			if _, out, _ := lb(t, "doctor", "--data", data); !strings.Contains(out, "failure  audit         "+c.says) {
				t.Errorf("the doctor says\n%s", out)
			}
			if s.end(t) != 0 || !strings.Contains(s.err.String(), `found="`+c.says+`"`) {
				t.Errorf("the log says\n%s", s.err.String())
			}
			if code, out, _ = lb(t, "audit", "verify", "--data", data); code != exitFailed || !strings.Contains(out, c.says) {
				t.Errorf("after the stop: exit %d\n%s", code, out)
			}
		})
	}
}
