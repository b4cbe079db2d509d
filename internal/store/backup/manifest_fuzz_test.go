package backup

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A manifest as a broken disk or a stranger may leave it: a sentence, never a
// panic, and no name leads out of the folder.
func FuzzManifest(f *testing.F) {
	f.Add([]byte(`{"format":1,"file":"lightbar.db","schema_version":4,"more":{"server.key":"00"}}`))
	f.Add([]byte(`{"format":1,"file":"../lightbar.db","more":{"../../etc/passwd":"00"}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, ManifestName), b, 0o600); err != nil {
			t.Fatal(err)
		}
		if m, err := ReadManifest(dir); err == nil {
			for name := range m.More {
				if strings.ContainsRune(name, os.PathSeparator) {
					t.Errorf("the manifest names %q", name)
				}
			}
		}
	})
}
