package engine

import (
	"os"
	"path/filepath"
	"testing"
)

// A database's own first bytes, and its journal's, as a broken disk or a
// stranger may leave them: a sentence, never a panic.
func FuzzHeader(f *testing.F) {
	f.Add([]byte("SQLite format 3\x00"))
	f.Add(append([]byte("SQLite format 3\x00\x10\x00\x02\x02\x00\x40\x20\x20"), make([]byte, 200)...))
	f.Add([]byte{0x37, 0x7f, 0x06, 0x82, 0, 0, 0, 0, 0, 0, 0x10, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		path := filepath.Join(t.TempDir(), "lightbar.db")
		for _, name := range []string{path, path + "-wal"} {
			if err := os.WriteFile(name, b, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		_ = checkHeader(path)
	})
}
