package store

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"lightbar/internal/durable"
)

// partialEnding marks the folder of a backup that is not complete. Its maker
// holds a lock on it: one without was left by a backup that was killed.
const partialEnding = ".partial"

// BackupInto makes a backup with the files of Options.Extras in a new folder
// root/name, which has that name once it is complete. What killed backups left
// in root is removed first. without names files that are left out on purpose,
// which the manifest says; missing are those that were not there.
func (s *Store) BackupInto(ctx context.Context, root, name string, without []string, progress Progress) (dir string, m Manifest,
	missing []string, err error) {
	dir = filepath.Join(root, name)
	held, err := partialFolder(root, dir)
	if err != nil {
		return dir, m, nil, err
	}
	partial := dir + partialEnding
	defer func() { _ = held.Close() }()
	// Read before the copy is made: it must hold the audit's head that lies beside it, and may be newer.
	extras, missing, err := s.readExtras(without)
	if err == nil {
		m, err = s.Backup(ctx, partial, progress)
	}
	for _, name := range slices.Sorted(maps.Keys(extras)) {
		if err == nil {
			err = addToBackup(partial, name, extras[name])
		}
	}
	if err == nil && len(without) > 0 {
		if m, err = ReadManifest(partial); err == nil {
			m.Without = without
			err = writeManifest(partial, m)
		}
	}
	if err == nil {
		err = durable.Rename(partial, dir)
	}
	if err != nil {
		_ = os.RemoveAll(partial) // ours: made above
	}
	return dir, m, missing, err
}

// partialFolder makes the folder in which a backup is made, and locks it.
func partialFolder(root, dir string) (*os.File, error) {
	if err := durable.MakeFolder(root); err != nil {
		return nil, unusable(err, "The folder %s cannot be made: %s.", root, reason(err))
	}
	gate, err := os.Open(root)
	if err != nil {
		return nil, unusable(err, "The folder %s cannot be read: %s.", root, reason(err))
	}
	defer func() { _ = gate.Close() }()
	if err := unix.Flock(int(gate.Fd()), unix.LOCK_EX); err != nil && !errors.Is(err, unix.ENOTSUP) {
		return nil, unusable(err, "The folder %s cannot be locked: %s.", root, reason(err))
	}
	removePartial(root)
	err = os.Mkdir(dir+partialEnding, 0o700)
	if err == nil && exists(dir) {
		err = errors.Join(fs.ErrExist, os.Remove(dir+partialEnding))
	}
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil, unusable(err, "The folder %s is there already: another backup began in the same second; try again.", dir)
	case err != nil:
		return nil, unusable(err, "The folder %s cannot be made: %s.", dir, reason(err))
	}
	held, err := os.Open(dir + partialEnding)
	if err == nil {
		_ = unix.Flock(int(held.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	}
	return held, err
}

func removePartial(root string) {
	entries, _ := os.ReadDir(root)
	for _, e := range entries {
		if !e.IsDir() || !strings.HasSuffix(e.Name(), partialEnding) ||
			!strings.HasPrefix(e.Name(), "lightbar-") && !strings.HasPrefix(e.Name(), "before-version-") {
			continue
		}
		path := filepath.Join(root, e.Name())
		f, err := os.Open(path)
		if err != nil {
			continue
		}
		if unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil {
			_ = os.RemoveAll(path)
		}
		_ = f.Close()
	}
}

// readExtras reads the files of Options.Extras, by their names; those that are
// not there it answers too. The audit's head comes with the first seal.
func (s *Store) readExtras(without []string) (extras map[string][]byte, missing []string, err error) {
	extras = map[string][]byte{}
	for _, file := range s.opts.Extras {
		name := filepath.Base(file)
		if slices.Contains(without, name) {
			continue
		}
		b, err := os.ReadFile(file)
		switch {
		case err == nil:
			extras[name] = b
		case !errors.Is(err, fs.ErrNotExist):
			return nil, nil, err
		case name != AuditHeadName:
			missing = append(missing, file)
		}
	}
	return extras, missing, nil
}
