package durable_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"lightbar/internal/durable"
)

func TestWhatIsWritten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	if err := errors.Join(durable.MakeFolder(dir), durable.MakeFolder(dir)); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "key")
	if err := durable.Create(path, []byte("one")); err != nil {
		t.Fatal(err)
	}
	if err := durable.Create(path, []byte("two")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a second file of one name: %v", err)
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != "one" {
		t.Errorf("got %q %v", b, err)
	}
	if err := durable.Write(path, []byte("three")); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != "three" {
		t.Errorf("got %q %v", b, err)
	}
	if st, err := os.Stat(path); err != nil || st.Mode() != 0o600 {
		t.Errorf("got %v %v", st.Mode(), err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("left %v %v", left, err)
	}
	if err := durable.MakeFolder(filepath.Join(path, "c")); err == nil {
		t.Error("a folder was made in a file")
	}
}
