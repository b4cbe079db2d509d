package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lightbar/internal/app"
	"lightbar/internal/record"
	"lightbar/internal/store"
	"lightbar/internal/store/engine"
	"lightbar/internal/store/pgtest"
)

// names are the files of a folder.
func names(t *testing.T, dir string) (out []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

// refused starts a server and a first command of an operator: both must say the
// words in one sentence, end with 3 and leave the folder as it is.
func refused(t *testing.T, data, words string, more ...string) {
	t.Helper()
	before := names(t, data)
	for _, command := range []string{"serve --listen localhost:0", "organization create Other"} {
		code, out, text := lb(t, append(append(strings.Fields(command), "--data", data), more...)...)
		if code != exitPlace || !strings.Contains(text, words) || strings.Count(text, "\n") != 1 || out != "" {
			t.Errorf("%s: exit %d, want one sentence with %q\n%s%s", command, code, words, out, text)
		}
	}
	if after := names(t, data); !slices.Equal(before, after) {
		t.Errorf("before %v, after %v", before, after)
	}
}

// A restore that was killed is said to be one; a new one takes its place.
func TestARestoreThatWasCutOff(t *testing.T) {
	commandsAlone(t)
	data, to, target := withChief(t), t.TempDir(), filepath.Join(t.TempDir(), "data")
	dir, _, _ := strings.Cut(lbOK(t, "backup", "--data", data, "--to", to), "\n")
	half := read(t, filepath.Join(dir, "lightbar.db"))
	for _, withKey := range []bool{false, true} { // the key comes last but one
		if err := os.MkdirAll(target, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(target, "lightbar.db.restoring"), half[:len(half)-5000], 0o600); err != nil {
			t.Fatal(err)
		}
		if withKey {
			if err := os.WriteFile(filepath.Join(target, keyFile), read(t, filepath.Join(data, keyFile)), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		refused(t, target, "A restore into "+filepath.Join(target, "lightbar.db")+" was cut off (lightbar.db.restoring is left of it); run lightbar restore again")
		lbOK(t, "restore", dir, "--data", target)
		if !missing(filepath.Join(target, "lightbar.db.restoring")) {
			t.Error("the rest of the first restore is still there")
		}
		s := start(t, target)
		if strings.Contains(s.out.String(), "/setup#") {
			t.Error("the restored installation is a new one")
		}
		if code := s.end(t); code != exitOK {
			t.Errorf("exit %d\n%s", code, s.err.String())
		}
		if err := os.RemoveAll(target); err != nil {
			t.Fatal(err)
		}
	}
}

// Where a key is there was a database: another is not made in silence.
func TestAKeyWithoutItsDatabase(t *testing.T) {
	commandsAlone(t)
	data := withChief(t)
	if err := os.Rename(filepath.Join(data, "lightbar.db"), filepath.Join(data, "moved.db")); err != nil {
		t.Fatal(err)
	}
	refused(t, data, "There is a key "+filepath.Join(data, keyFile)+" but no database "+filepath.Join(data, "lightbar.db")+"; put the database back or restore")
	if err := os.Rename(filepath.Join(data, keyFile), filepath.Join(data, "old.key")); err != nil {
		t.Fatal(err)
	}
	lbOK(t, "organization", "create", "Anew", "--data", data)
}

// A database is not opened without its key nor with another's, of this version
// or of one that did not note it; a new key is made by the command that says so, and by it alone.
func TestADatabaseWithoutItsKey(t *testing.T) {
	commandsAlone(t)
	for name, unmark := range map[string]bool{"marked": false, "of an earlier version": true} {
		t.Run(name, func(t *testing.T) {
			data := withChief(t)
			sealAudit(t, data, store.Options{Path: filepath.Join(data, "lightbar.db")})
			if unmark {
				change(t, data, `DELETE FROM setting WHERE name = 'server_key.fingerprint'`)
			}
			keyFileIsChecked(t, data, filepath.Join(data, "lightbar.db"))
		})
	}
}

func TestAPostgresDatabaseWithoutItsKey(t *testing.T) {
	commandsAlone(t)
	url, data := pgtest.URL(t, "", nil), filepath.Join(t.TempDir(), "data")
	lbOK(t, "organization", "create", "Town", "--data", data, "--database", url)
	empty := pgtest.URL(t, "", nil)
	refused(t, data, "There is a key "+filepath.Join(data, keyFile)+" but no database "+engine.HiddenURL(empty), "--database", empty)
	sealAudit(t, data, store.Options{URL: url})
	keyFileIsChecked(t, data, engine.HiddenURL(url), "--database", url)
}

func keyFileIsChecked(t *testing.T, data, database string, more ...string) {
	t.Helper()
	key := filepath.Join(data, keyFile)
	own := read(t, key)
	put := func(b string) {
		t.Helper()
		if err := os.WriteFile(key, []byte(b), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	command := func(words ...string) []string { return append(append(words, "--data", data), more...) }
	if code, _, text := lb(t, command("server-key", "new")...); code != exitPlace || !strings.Contains(text, "move it away first") {
		t.Errorf("a new key over a good one: exit %d\n%s", code, text)
	}
	put(strings.Repeat("ab", 32))
	refused(t, data, "The key "+key+" is of another installation than the database "+database+"; move it away and put the key of a backup there", more...)
	put("")
	refused(t, data, "The key "+key+" has 0 bytes and is not 64 hexadecimal digits", more...)
	if err := os.Remove(key); err != nil {
		t.Fatal(err)
	}
	refused(t, data, "The database "+database+" has a key, and "+key+" is missing; put the key of a backup there", more...)
	put(string(own))
	lbOK(t, command("organization", "create", "Second")...)
	if err := os.Remove(key); err != nil {
		t.Fatal(err)
	}
	lbOK(t, command("server-key", "new")...)
	if fresh := read(t, key); string(fresh) == string(own) || len(fresh) != 65 {
		t.Errorf("the new key is %q", fresh)
	}
	lbOK(t, command("audit", "head")...) // which is of the new key
	code, out, _ := lb(t, command("audit", "verify")...)
	if code != exitUnchecked || !strings.Contains(out, "not checkable") || !strings.Contains(out, "The chain holds as far as it can be checked") {
		t.Errorf("the audit after a new key: exit %d\n%s", code, out)
	}
	lbOK(t, command("organization", "create", "Third")...)
	put(string(own))
	refused(t, data, "is of another installation", more...)
}

// sealAudit does what a server does every ten seconds.
func sealAudit(t *testing.T, data string, database store.Options) {
	t.Helper()
	key, err := serverKey(data)
	if err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(t.Context(), database)
	if err != nil {
		t.Fatal(err)
	}
	err = app.New(app.Options{
		Base: record.Base{Store: s, ServerKey: key, Now: time.Now, NewID: app.NewID, Log: slog.New(slog.DiscardHandler)},
	}).Audit.Seal(t.Context())
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
}

// change runs SQL on a database that nobody has open.
func change(t *testing.T, data string, statements ...string) {
	t.Helper()
	s, err := store.Open(t.Context(), store.Options{Path: filepath.Join(data, "lightbar.db")})
	if err != nil {
		t.Fatal(err)
	}
	err = s.Write(t.Context(), func(tx *store.Tx) error {
		for _, text := range statements {
			if _, err := tx.ExecContext(context.Background(), text); err != nil {
				return err
			}
		}
		return nil
	})
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
}
