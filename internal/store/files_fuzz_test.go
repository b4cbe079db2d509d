package store

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lightbar/internal/fleet"
)

// The files beside a database, and its own first bytes, as a broken disk or a
// stranger may leave them: a sentence, never a panic, and no name leads out of the folder.
func FuzzFilesBeside(f *testing.F) {
	f.Add([]byte(`{"format":1,"file":"lightbar.db","schema_version":4,"more":{"server.key":"00"}}`))
	f.Add([]byte(`{"format":1,"file":"../lightbar.db","more":{"../../etc/passwd":"00"}}`))
	f.Add([]byte(`{"no":3,"hash":"ab","at":"2026-11-22T10:00:00Z","mac":"00"}`))
	f.Add([]byte("SQLite format 3\x00"))
	f.Add(append([]byte("SQLite format 3\x00\x10\x00\x02\x02\x00\x40\x20\x20"), make([]byte, 200)...))
	f.Add([]byte{0x37, 0x7f, 0x06, 0x82, 0, 0, 0, 0, 0, 0, 0x10, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		dir := t.TempDir()
		for _, name := range []string{ManifestName, AuditHeadName, "lightbar.db", "lightbar.db-wal"} {
			if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if m, err := ReadManifest(dir); err == nil {
			for name := range m.More {
				if strings.ContainsRune(name, os.PathSeparator) {
					t.Errorf("the manifest names %q", name)
				}
			}
		}
		if _, err := ReadAuditHead(filepath.Join(dir, AuditHeadName)); err != nil {
			t.Errorf("a broken head is one without a MAC, not an error: %v", err)
		}
		_ = checkHeader(filepath.Join(dir, "lightbar.db"))
	})
}

// A saved state that can be read says the same when it is written again.
func FuzzSavedState(f *testing.F) {
	f.Add(`{}`)
	f.Add(`{"Lat":39.7,"Lng":-75.5,"At":1763800000000}`)
	f.Add(`{"At":9223372036854775807}`)
	f.Fuzz(func(t *testing.T, doc string) {
		var s, again fleet.State
		if json.Unmarshal([]byte(doc), &s) != nil {
			return
		}
		b, err := json.Marshal(&s)
		if err != nil {
			t.Fatalf("read and cannot be written: %v", err)
		}
		if err := json.Unmarshal(b, &again); err != nil {
			t.Fatalf("%s: %v", b, err)
		}
		if c, err := json.Marshal(&again); err != nil || string(c) != string(b) {
			t.Errorf("%s became %s (%v)", b, c, err)
		}
	})
}
