package engine_test

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"lightbar/internal/store"
	"lightbar/internal/store/engine"
	"lightbar/internal/store/storetest"
)

// sample makes a closed database with some rows in it.
func sample(t *testing.T) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lightbar.db")
	s, err := store.Open(t.Context(), store.Options{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 200 {
		if err := s.Write(t.Context(), func(tx *store.Tx) error {
			return set(t.Context(), tx, strings.Repeat("n", 1+i), strings.Repeat("value ", 40))
		}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func at(b []byte, offset int, with string) []byte {
	out := append([]byte(nil), b...)
	copy(out[offset:], with)
	return out
}

// Twelve ways in which the file is not our complete database: each is refused
// in one sentence and left as it is.
func TestDamagedFilesAreRefusedAndLeftAlone(t *testing.T) {
	whole := sample(t)
	page := int(whole[16])<<8 | int(whole[17])
	pages := len(whole) / page
	foreign := foreignDatabase(t)
	cases := []struct {
		name  string
		file  []byte
		wal   []byte
		words string
	}{
		{"empty", []byte{}, nil, "is empty"},
		{"text", []byte("{\"this\": \"is not a database\"}\n"), nil, "is not a SQLite database"},
		{"short", whole[:60], nil, "is not a SQLite database"},
		{"foreign program", foreign, nil, "of another program"},
		{"truncated to half", whole[:len(whole)/2/page*page], nil, "is damaged"},
		{"truncated within a page", whole[:len(whole)-100], nil, "is damaged"},
		{"magic overwritten", at(whole, 0, "PK\x03\x04"), nil, "is not a SQLite database"},
		{"page size nonsense", at(whole, 16, "\x03\x07"), nil, "is damaged"},
		{"schema page overwritten", at(whole, 100, strings.Repeat("\xff", 64)), nil, "is damaged"},
		{"tree page overwritten", at(whole, (pages-1)*page, strings.Repeat("\xff", 64)), nil, "is damaged"},
		{"page zeroed", at(whole, (pages/2)*page, strings.Repeat("\x00", page)), nil, "is damaged"},
		{"journal overwritten", whole, []byte(strings.Repeat("garbage!", 1000)), "is damaged"},
		{"second half of another file", append(append([]byte(nil), whole[:len(whole)/2/page*page]...), foreignTail(whole, page)...), nil, "is damaged"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "lightbar.db")
			write(t, path, c.file)
			if c.wal != nil {
				write(t, path+"-wal", c.wal)
			}
			before := sum(t, path)
			s, err := store.Open(t.Context(), store.Options{Path: path})
			if err == nil {
				_ = s.Close()
				t.Fatal("it was opened")
			}
			var u *engine.Unusable
			if !errors.As(err, &u) || !strings.Contains(u.Sentence, c.words) || !strings.Contains(u.Sentence, path) {
				t.Fatalf("got %v, want a sentence with %q", err, c.words)
			}
			if strings.Contains(u.Sentence, "\n") || !strings.HasSuffix(u.Sentence, ".") {
				t.Errorf("not one sentence: %q", u.Sentence)
			}
			if sum(t, path) != before {
				t.Error("the file was changed")
			}
		})
	}
}

func foreignTail(whole []byte, page int) []byte {
	out := make([]byte, len(whole)-len(whole)/2/page*page)
	for i := range out {
		out[i] = byte(i * 31)
	}
	return out
}

func foreignDatabase(t *testing.T) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "other.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.Exec("CREATE TABLE moz_places (id INTEGER PRIMARY KEY, url TEXT)")
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func write(t *testing.T, path string, b []byte) {
	t.Helper()
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

func sum(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}

func TestOtherPlacesAreRefused(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "file"), []byte("x"))
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "orphan.db-wal"), []byte("x"))
	for path, words := range map[string]string{
		filepath.Join(dir, "folder"):       "is not a file",
		filepath.Join(dir, "file", "a.db"): "cannot be",
		filepath.Join(dir, "orphan.db"):    "journal",
		"/proc/lightbar.db":                "cannot be",
		"":                                 "No database",
	} {
		var u *engine.Unusable
		if s, err := store.Open(t.Context(), store.Options{Path: path}); !errors.As(err, &u) || !strings.Contains(u.Sentence, words) {
			t.Errorf("%q: got %v (%v), want a sentence with %q", path, err, s, words)
		}
	}
	if s, err := store.Open(t.Context(), store.Options{Path: filepath.Join(dir, "none.db"), ReadOnly: true}); err == nil {
		_ = s.Close()
		t.Error("a missing database was opened for reading")
	}
	if _, err := os.Stat(filepath.Join(dir, "none.db")); err == nil {
		t.Error("reading made a database")
	}
}

// The sentence names both versions, and neither engine's schema is touched.
func TestNewerSchemaIsRefused(t *testing.T) {
	const bump = `INSERT INTO goose_db_version (version_id, is_applied) VALUES ($1, $2)`
	newer := func(t *testing.T, s *store.Store, o store.Options) {
		t.Helper()
		if err := s.Write(t.Context(), func(tx *store.Tx) error {
			_, err := tx.ExecContext(t.Context(), bump, 9012, true)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		var before string
		if o.Path != "" {
			before = sum(t, o.Path)
		}
		again, err := store.Open(t.Context(), o)
		if err == nil {
			_ = again.Close()
			t.Fatal("a newer schema was opened")
		}
		var u *engine.Unusable
		if !errors.As(err, &u) || !strings.HasPrefix(u.Sentence, "Database is at version 9012, this binary knows up to ") {
			t.Fatalf("got %v", err)
		}
		if o.Path != "" && sum(t, o.Path) != before {
			t.Error("the file was changed")
		}
	}
	t.Run("sqlite", func(t *testing.T) {
		o := store.Options{Path: filepath.Join(t.TempDir(), "lightbar.db")}
		s, err := store.Open(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		newer(t, s, o)
	})
	t.Run("postgres", func(t *testing.T) {
		o := store.Options{URL: storetest.PostgresURL(t)}
		s, err := store.Open(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		newer(t, s, o)
	})
}

func TestForeignPostgresIsRefused(t *testing.T) {
	url := emptyPostgres(t)
	runSQL(t, url, "CREATE TABLE somebody_elses (id INT)")
	var u *engine.Unusable
	if s, err := store.Open(t.Context(), store.Options{URL: url}); !errors.As(err, &u) || !strings.Contains(u.Sentence, "another program") {
		t.Fatalf("got %v, %v", s, err)
	}
	if _, err := store.Open(context.Background(), store.Options{URL: "postgres://nobody:secret@127.0.0.1:1/none"}); !errors.As(err, &u) || strings.Contains(u.Sentence, "secret") {
		t.Fatalf("got %v", err)
	}
}

// What an extension brings is nobody's table, as on hosted servers.
func TestADatabaseWithAnExtensionIsEmpty(t *testing.T) {
	url := emptyPostgres(t)
	runSQL(t, url, "CREATE EXTENSION pg_buffercache") // brings a view
	if err := engine.RequireEmpty(t.Context(), url); err != nil {
		t.Error(err)
	}
	s, err := store.Open(t.Context(), store.Options{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// A check that had no time to end says nothing of the file.
func TestACheckWithoutTimeFindsNoDamage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lightbar.db")
	write(t, path, sample(t))
	ctx, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	s, err := store.Open(ctx, store.Options{Path: path, ReadOnly: true})
	if err == nil {
		_ = s.Close()
	}
	var u *engine.Unusable
	if !errors.Is(err, context.DeadlineExceeded) || errors.As(err, &u) {
		t.Errorf("got %v", err)
	}
}

// A journal that cannot be read where it lies, as after a crash on what is now
// a read-only file system, is not somebody else's lock.
func TestAJournalInAFolderThatCannotBeWritten(t *testing.T) {
	path, data := filepath.Join(t.TempDir(), "lightbar.db"), filepath.Join(t.TempDir(), "lightbar.db")
	s, err := store.Open(t.Context(), store.Options{Path: data})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Write(t.Context(), func(tx *store.Tx) error { return set(t.Context(), tx, "a", "b") }); err != nil {
		t.Fatal(err)
	}
	for _, rest := range []string{"", "-wal"} { // as a crash leaves them
		b, err := os.ReadFile(data + rest)
		if err != nil {
			t.Fatal(err)
		}
		write(t, path+rest, b)
	}
	if err := os.Symlink("/none/at all", path+"-shm"); err != nil { // stands for a folder without the right, as the test may run as root
		t.Fatal(err)
	}
	var u *engine.Unusable
	again, err := store.Open(t.Context(), store.Options{Path: path, ReadOnly: true})
	if err == nil {
		_ = again.Close()
	}
	if !errors.As(err, &u) || !strings.Contains(u.Sentence, "-shm") || strings.Contains(u.Sentence, "locked") {
		t.Errorf("got %v", err)
	}
}

// Damage that a read or a write meets while the store is open: nothing is
// acknowledged any more, and the words are those of a damaged file.
func TestDamageWhileServing(t *testing.T) {
	for _, meet := range []string{"read", "write"} {
		t.Run(meet, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "lightbar.db")
			write(t, path, sample(t))
			s, err := store.Open(t.Context(), store.Options{Path: path, Log: quiet()})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			spoilPages(t, path)
			if meet == "read" {
				err = s.Read(t.Context(), func(r store.Reader) error {
					_, err := store.Settings(t.Context(), r, "")
					return err
				})
			} else {
				err = s.Write(t.Context(), func(tx *store.Tx) error { return set(t.Context(), tx, "nn", "x") })
			}
			if !errors.Is(err, engine.ErrDamaged) || !errors.Is(err, engine.ErrStorage) {
				t.Fatalf("got %v", err)
			}
			select {
			case <-s.Failed():
			default:
				t.Fatal("the store goes on")
			}
			if err := s.Write(t.Context(), func(*store.Tx) error { return nil }); !errors.Is(err, engine.ErrStorage) {
				t.Errorf("the next write gave %v", err)
			}
			u := s.Damage(s.Cause())
			if u == nil || !strings.HasPrefix(u.Sentence, "The database "+path+" is damaged and nothing more is acknowledged (") || strings.Contains(u.Sentence, "store:") {
				t.Errorf("got %v", u)
			}
		})
	}
}

// spoilPages overwrites all pages but the first of a file that is open. One
// descriptor more would drop SQLite's locks when it closes: another process does it.
func spoilPages(t *testing.T, path string) {
	t.Helper()
	out, err := exec.Command("sh", "-c", `n=$(($(stat -c %s "$1")/4096)); tr '\0' '\245' </dev/zero | dd of="$1" bs=4096 seek=1 count=$((n-1)) conv=notrunc iflag=fullblock`, "sh", path).CombinedOutput()
	if err != nil {
		t.Fatalf("%v %s", err, out)
	}
}
