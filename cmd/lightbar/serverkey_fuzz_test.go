package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A key file of any content is a key of 32 bytes, or a sentence that does not repeat it.
func FuzzServerKey(f *testing.F) {
	f.Add([]byte(""))
	f.Add([]byte(strings.Repeat("0f", 32) + "\n"))
	f.Add([]byte(strings.Repeat("0F", 31)))
	f.Fuzz(func(t *testing.T, b []byte) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, keyFile), b, 0o600); err != nil {
			t.Fatal(err)
		}
		key, err := serverKey(dir)
		if (err == nil) != (len(key) == 32) {
			t.Fatalf("%d bytes, %v", len(key), err)
		}
		if text := strings.TrimSpace(string(b)); err != nil && len(text) > 16 && !strings.Contains(dir, text) && strings.Contains(err.Error(), text) {
			t.Errorf("the sentence repeats what is in the file: %v", err)
		}
	})
}
