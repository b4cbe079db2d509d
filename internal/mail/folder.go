package mail

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
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
	if err := writeWhole(f.Dir, path, body); err != nil {
		return fmt.Errorf("mail: %w", err)
	}
	f.Log.Info("mail written", "file", path, "kind", m.Kind)
	return nil
}

func writeWhole(dir, path string, body []byte) (err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	t, err := os.CreateTemp(dir, ".new-*") // mode 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(t.Name()))
		}
	}()
	if _, err = t.Write(body); err == nil {
		err = t.Sync()
	}
	if err = errors.Join(err, t.Close()); err != nil {
		return err
	}
	if err = os.Rename(t.Name(), path); err != nil {
		return err
	}
	return syncDir(dir)
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
