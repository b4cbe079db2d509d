package mail

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"lightbar/internal/durable"
)

// Folder writes each message as an .eml file that its owner alone can read
// (mode 0600). The file appears as a whole or not at all; sending a message
// again replaces it. The log names the file, never what it says.
type Folder struct {
	Dir  string
	From From
	Log  *slog.Logger
}

var fileName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,120}$`)

// Send implements Sender.
func (f *Folder) Send(_ context.Context, m Message) error {
	name := m.At.UTC().Format("20060102T150405Z") + "-" + m.Kind + "-" + m.ID
	if !fileName.MatchString(name) {
		return &Refused{Reason: "the message has no usable id"}
	}
	body, err := m.bytes(f.From)
	if err != nil {
		return &Refused{Reason: err.Error()}
	}
	path := filepath.Join(f.Dir, name+".eml")
	err = durable.MakeFolder(f.Dir)
	if err == nil {
		err = durable.Write(path, body)
	}
	if err != nil {
		return fmt.Errorf("mail: %w", err)
	}
	f.Log.Info("mail written", "file", path, "kind", m.Kind)
	return nil
}

// fileParts are when a message was made, and its kind.
var fileParts = regexp.MustCompile(`^(\d{8}T\d{6}Z)-([a-z_]+)-[A-Za-z0-9-]+\.eml$`)

// Forget removes the messages of a kind that were made before an instant.
func (f *Folder) Forget(kind string, before time.Time) error {
	entries, err := os.ReadDir(f.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		parts := fileParts.FindStringSubmatch(e.Name())
		if parts == nil || parts[2] != kind {
			continue
		}
		at, wrong := time.Parse("20060102T150405Z", parts[1])
		if wrong == nil && at.Before(before.Truncate(time.Second)) {
			err = errors.Join(err, os.Remove(filepath.Join(f.Dir, e.Name())))
		}
	}
	return err
}
