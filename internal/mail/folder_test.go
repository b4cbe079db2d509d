package mail

import (
	"errors"
	"log/slog"
	"mime"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func decodeHeader(text string) (string, error) { return new(mime.WordDecoder).DecodeHeader(text) }

func TestFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "outbox")
	var log strings.Builder
	f := &Folder{Dir: dir, From: From{Name: "County Map", Address: "map@fleet.example"}, Log: slog.New(slog.NewTextHandler(&log, nil))}
	for range 2 { // the second time replaces the first: the same message
		if err := f.Send(t.Context(), testMessage()); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Fatalf("%v %v", entries, err)
	}
	name := entries[0].Name()
	if name != "20261121T104207Z-reset-019aa5c0-0000-7000-8000-00000000000a.eml" {
		t.Errorf("named %s", name)
	}
	body, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil || !strings.Contains(string(body), "https://fleet.example/welcome/reset/x") {
		t.Errorf("%v\n%s", err, body)
	}
	checkHeaders(t, body)
	for path, mode := range map[string]os.FileMode{dir: 0o700, filepath.Join(dir, name): 0o600} {
		if st, err := os.Stat(path); err != nil || st.Mode().Perm() != mode {
			t.Errorf("%s: %v %v", path, st.Mode(), err)
		}
	}
	if !strings.Contains(log.String(), name) || strings.Contains(log.String(), "welcome") || strings.Contains(log.String(), "ada@") {
		t.Errorf("log: %s", log.String())
	}
}

func TestAFolderThatCannotBeWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "outbox")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	f := &Folder{Dir: file, From: From{Address: "map@fleet.example"}, Log: slog.New(slog.DiscardHandler)}
	var refused *Refused
	if err := f.Send(t.Context(), testMessage()); err == nil || errors.As(err, &refused) {
		t.Errorf("a disk that fails may work again: %v", err)
	}
	m := testMessage()
	m.ID = "../x"
	if err := f.Send(t.Context(), m); !errors.As(err, &refused) {
		t.Errorf("%v", err)
	}
}

func TestParseFrom(t *testing.T) {
	if f, err := ParseFrom("County Map <map@fleet.example>"); err != nil || f != (From{"County Map", "map@fleet.example"}) {
		t.Errorf("%+v %v", f, err)
	}
	for _, text := range []string{"", "County Map", "a@b.example, c@d.example", "a@b.example\r\nBcc: x@y.example"} {
		if _, err := ParseFrom(text); err == nil {
			t.Errorf("%q is a sender", text)
		}
	}
}

// What is forgotten is what was made before, of one kind; other files are none of ours.
func TestAFolderForgetsByKindAndTime(t *testing.T) {
	dir := t.TempDir()
	f := &Folder{Dir: dir, From: From{Address: "map@fleet.example"}, Log: slog.New(slog.DiscardHandler)}
	m := testMessage()
	for _, kind := range []string{"reset", "password_changed", "invitation"} {
		m.Kind = kind
		if err := f.Send(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"notes.eml", "20200101T000000Z-reset-x.txt", "20209999T000000Z-reset-x.eml"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	count := func() int {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		return len(entries)
	}
	for _, row := range []struct {
		kind   string
		before time.Time
		left   int
	}{{"reset", m.At, 6}, {"changed", m.At.Add(time.Hour), 6}, {"reset", m.At.Add(time.Second), 5}, {"invitation", m.At.Add(time.Second), 4}} {
		if err := f.Forget(row.kind, row.before); err != nil || count() != row.left {
			t.Errorf("%s before %s: %d left, want %d (%v)", row.kind, row.before, count(), row.left, err)
		}
	}
	if err := (&Folder{Dir: filepath.Join(dir, "none")}).Forget("reset", m.At); err != nil {
		t.Error(err)
	}
}
