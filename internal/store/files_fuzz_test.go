package store

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"lightbar/internal/fleet"
)

// The audit's head as a broken disk or a stranger may leave it.
func FuzzAuditHead(f *testing.F) {
	f.Add([]byte(`{"no":3,"hash":"ab","at":"2026-11-22T10:00:00Z","mac":"00"}`))
	f.Add([]byte("SQLite format 3\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		path := filepath.Join(t.TempDir(), "audit.head")
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadAuditHead(path); err != nil {
			t.Errorf("a broken head is one without a MAC, not an error: %v", err)
		}
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
