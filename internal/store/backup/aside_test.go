package backup_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lightbar/internal/store"
	"lightbar/internal/store/backup"
	"lightbar/internal/store/pgtest"
)

// fill writes files.
func fill(t *testing.T, files map[string]string) {
	t.Helper()
	for path, text := range files {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// A restore names all that is in its way at once, moves it aside if asked to, and back if it fails.
func TestARestoreInPlace(t *testing.T) {
	source := t.TempDir()
	key := filepath.Join(source, "server.key")
	fill(t, map[string]string{key: "key"})
	s, err := store.Open(t.Context(), store.Options{Path: filepath.Join(source, "lightbar.db"), Extras: []string{key}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	dir, _, _, err := backup.Into(t.Context(), s.Database(), t.TempDir(), "copy", nil, nil)
	if err != nil {
		t.Fatal(err)
	}

	data := t.TempDir()
	at := func(name string) string { return filepath.Join(data, name) }
	old := map[string]string{at("lightbar.db"): "db", at("lightbar.db-wal"): "wal", at("lightbar.db-shm"): "shm", at("server.key"): "another",
		at("audit.head"): "head"}
	fill(t, old)
	stays := func(when string) {
		t.Helper()
		for path, want := range old {
			if b, err := os.ReadFile(path); err != nil || string(b) != want {
				t.Errorf("%s: %s holds %q, %v", when, path, b, err)
			}
		}
		for _, name := range []string{"aside-1", "lightbar.db.restoring"} {
			if _, err := os.Stat(at(name)); err == nil {
				t.Errorf("%s: %s is left", when, name)
			}
		}
	}
	target := store.Options{Path: at("lightbar.db"), Extras: []string{at("server.key"), at("audit.head")}}
	_, err = backup.Restore(t.Context(), dir, target, "", nil)
	for path := range old {
		if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "--aside") {
			t.Errorf("does not name %s: %v", path, err)
		}
	}
	stays("without aside")

	fill(t, map[string]string{at("file"): "no folder"})
	blocked := target
	blocked.Extras = append(blocked.Extras, filepath.Join(at("file"), "server.key"))
	if _, err := backup.Restore(t.Context(), dir, blocked, "aside-1", nil); err == nil {
		t.Fatal("restored, although a file had no place")
	}
	stays("after a failure")

	if _, err := backup.Restore(t.Context(), dir, target, "aside-1", nil); err != nil {
		t.Fatal(err)
	}
	for path, want := range old {
		now := filepath.Join(data, "aside-1", filepath.Base(path))
		if b, err := os.ReadFile(now); err != nil || string(b) != want {
			t.Errorf("%s holds %q, %v", now, b, err)
		}
	}
	for _, name := range []string{"lightbar.db-wal", "lightbar.db-shm", "audit.head"} {
		if _, err := os.Stat(at(name)); err == nil {
			t.Errorf("%s is still there", name)
		}
	}
	if b, err := os.ReadFile(at("server.key")); err != nil || string(b) != "key" {
		t.Errorf("the key is %q, %v", b, err)
	}
	again, err := store.Open(t.Context(), target)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
}

// With PostgreSQL only what lies beside the copy is in the way: the database must be empty, and one that isn't is never touched.
func TestARestoreInPlaceOnPostgres(t *testing.T) {
	key, url := filepath.Join(t.TempDir(), "server.key"), pgtest.URL(t, "", nil)
	fill(t, map[string]string{key: "key"})
	s, err := store.Open(t.Context(), store.Options{URL: url, Extras: []string{key}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	put := func(value string) {
		t.Helper()
		if err := s.Write(t.Context(), func(tx *store.Tx) error { return tx.PutSetting(t.Context(), "is", value) }); err != nil {
			t.Fatal(err)
		}
	}
	put("of the backup")
	dir, _, _, err := backup.Into(t.Context(), s.Database(), t.TempDir(), "copy", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	put("of now")

	data := t.TempDir()
	at := func(name string) string { return filepath.Join(data, name) }
	holds := func(when string, want map[string]string) {
		t.Helper()
		for _, name := range []string{"server.key", "audit.head", "aside-1/server.key", "aside-1/audit.head"} {
			if b, err := os.ReadFile(at(name)); string(b) != want[name] || (err == nil) != (want[name] != "") {
				t.Errorf("%s: %s holds %q, want %q", when, name, b, want[name])
			}
		}
	}
	old := map[string]string{"server.key": "another", "audit.head": "head"}
	fill(t, map[string]string{at("server.key"): "another", at("audit.head"): "head"})
	target := store.Options{URL: url, Extras: []string{at("server.key"), at("audit.head")}}
	_, err = backup.Restore(t.Context(), dir, target, "", nil)
	for name := range old {
		if err == nil || !strings.Contains(err.Error(), at(name)) || !strings.Contains(err.Error(), "--aside") {
			t.Errorf("does not name %s: %v", name, err)
		}
	}
	holds("without aside", old)

	if _, err := backup.Restore(t.Context(), dir, target, "aside-1", nil); err == nil || !strings.Contains(err.Error(), "is not empty") {
		t.Fatalf("over a database: %v", err)
	}
	holds("after a failure", old)
	if _, err := os.Stat(at("aside-1")); err == nil {
		t.Error("after a failure: the folder is left")
	}
	if is := settingIn(t, s); is != "of now" {
		t.Errorf("the database that was in the way says %q", is)
	}

	target.URL = pgtest.URL(t, "", nil)
	if _, err := backup.Restore(t.Context(), dir, target, "aside-1", nil); err != nil {
		t.Fatal(err)
	}
	holds("restored", map[string]string{"server.key": "key", "aside-1/server.key": "another", "aside-1/audit.head": "head"})
	again, err := store.Open(t.Context(), target)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if is := settingIn(t, again); is != "of the backup" {
		t.Errorf("the restored database says %q", is)
	}
}

func settingIn(t *testing.T, s *store.Store) string {
	t.Helper()
	set, err := store.Settings(t.Context(), s.Reader(), "is")
	if err != nil {
		t.Fatal(err)
	}
	return set["is"]
}
