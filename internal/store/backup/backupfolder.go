package backup

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
	"lightbar/internal/store/engine"
)

// partialEnding marks the folder of a backup that is not complete. Its maker
// holds a lock on it: one without was left by a backup that was killed.
const partialEnding = ".partial"

// Into makes a backup with the files of Options.Extras in a new folder root/name, which has that name once it is complete. What
// killed backups left in root is removed first. without names files that are left out on purpose, as the manifest records; missing
// are those that did not exist.
func Into(ctx context.Context, s *engine.Store, root, name string, without []string, progress Progress) (dir string, m Manifest,
	missing []string, err error) {
	dir = filepath.Join(root, name)
	held, err := partialFolder(root, dir)
	if err != nil {
		return dir, m, nil, err
	}
	partial := dir + partialEnding
	defer func() { _ = held.Close() }()
	// Read before the copy is made: it must hold the audit's head that lies beside it, and may be newer.
	extras, missing, err := readExtras(s.Options().Extras, without)
	if err == nil {
		m, err = Copy(ctx, s, partial, progress)
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

// BeforeUpgrade makes the copy that comes before a migration.
func BeforeUpgrade(ctx context.Context, s *engine.Store, name string) (dir string, err error) {
	dir, _, missing, err := Into(ctx, s, upgradeFolder(s.Options()), name, nil, nil)
	for _, file := range missing {
		s.Options().Log.Warn("the copy lacks a file that is not there", "folder", dir, "file", file)
	}
	return dir, err
}

// partialFolder makes the folder in which a backup is made, and locks it.
func partialFolder(root, dir string) (*os.File, error) {
	if err := durable.MakeFolder(root); err != nil {
		return nil, engine.Unusablef(err, "The folder %s cannot be made: %s.", root, engine.Reason(err))
	}
	gate, err := os.Open(root)
	if err != nil {
		return nil, engine.Unusablef(err, "The folder %s cannot be read: %s.", root, engine.Reason(err))
	}
	defer func() { _ = gate.Close() }()
	if err := unix.Flock(int(gate.Fd()), unix.LOCK_EX); err != nil && !errors.Is(err, unix.ENOTSUP) {
		return nil, engine.Unusablef(err, "The folder %s cannot be locked: %s.", root, engine.Reason(err))
	}
	removePartial(root)
	err = os.Mkdir(dir+partialEnding, 0o700)
	if err == nil && engine.Exists(dir) {
		err = errors.Join(fs.ErrExist, os.Remove(dir+partialEnding))
	}
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil, engine.Unusablef(err, "The folder %s is there already: another backup began in the same second; try again.", dir)
	case err != nil:
		return nil, engine.Unusablef(err, "The folder %s cannot be made: %s.", dir, engine.Reason(err))
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

// readExtras reads the files of Options.Extras, by their names, and also returns those that do not exist. The audit's head comes
// with the first seal.
func readExtras(files, without []string) (extras map[string][]byte, missing []string, err error) {
	extras = map[string][]byte{}
	for _, file := range files {
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
