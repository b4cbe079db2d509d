package backup

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"lightbar/internal/durable"
	"lightbar/internal/store/engine"
	"lightbar/internal/store/points"
)

// ReadManifest reads the manifest of a backup's folder.
func ReadManifest(dir string) (Manifest, error) {
	var m Manifest
	b, err := os.ReadFile(filepath.Join(dir, ManifestName))
	if err != nil {
		return m, engine.Unusablef(err, "%s is not a backup: its %s cannot be read (%s).", dir, ManifestName, engine.Reason(err))
	}
	if err := json.Unmarshal(b, &m); err != nil || m.Format != 1 || filepath.Base(m.File) != m.File || m.File == "" {
		return m, engine.Unusablef(err, "%s is not a backup this binary can read: its %s is not understood.", dir, ManifestName)
	}
	for name := range m.More {
		if filepath.Base(name) != name {
			return m, engine.Unusablef(nil, "%s is not a backup this binary can read: it names the file %q.", dir, name)
		}
	}
	return m, nil
}

// upgradeFolder is the folder for the copies made before a migration.
func upgradeFolder(o engine.Options) string {
	path, err := filepath.Abs(o.Path)
	switch {
	case o.BackupDir != "":
		return o.BackupDir
	case o.URL == "" && err == nil:
		return filepath.Join(filepath.Dir(path), "backups")
	default:
		return "backups"
	}
}

// NameNewest names the newest copy of the installation if err suggests restoring a backup.
func NameNewest(o engine.Options, err error) {
	var u *engine.Unusable
	if !errors.As(err, &u) || !u.Restore {
		return
	}
	of := engine.SQLite
	if o.URL != "" {
		of = engine.Postgres
	}
	if dir := newestCopy(upgradeFolder(o), of); dir != "" {
		u.Sentence = strings.TrimSuffix(u.Sentence, ".") + "; the newest one here is " + dir + "."
	}
}

// newestCopy finds the newest complete backup below a folder, "" when there is none.
func newestCopy(root string, of engine.Name) (dir string) {
	found, _ := filepath.Glob(filepath.Join(root, "*", ManifestName))
	var newest time.Time
	for _, file := range found {
		m, err := ReadManifest(filepath.Dir(file))
		if err == nil && m.Engine == of && m.CreatedAt.After(newest) {
			dir, newest = filepath.Dir(file), m.CreatedAt
		}
	}
	return dir
}

// Check verifies a backup where it lies: digests, pages, rows, version.
func Check(ctx context.Context, dir string, progress Progress) (Manifest, error) {
	m, err := ReadManifest(dir)
	if err != nil {
		return m, err
	}
	progress.say("reading", 0, m.Bytes)
	files := map[string]string{m.File: m.SHA256}
	for name, sum := range m.More {
		files[name] = sum
	}
	for name, want := range files {
		have, _, err := digest(filepath.Join(dir, name))
		if err != nil {
			return m, engine.Unusablef(err, "The backup %s is not complete: %s cannot be read (%s).", dir, name, engine.Reason(err))
		}
		if have != want {
			return m, engine.Unusablef(nil, "The backup %s is damaged: %s is not the file that was written.", dir, name)
		}
	}
	if known := engine.SchemaVersion(); m.SchemaVersion > known {
		return m, engine.Unusablef(nil, "The backup %s is at version %d, this binary knows up to %d. Install the newer Lightbar.", dir,
			m.SchemaVersion, known)
	}
	if m.Engine != engine.SQLite {
		return m, nil
	}
	progress.say("checking", 0, 0)
	version, counts, err := engine.Inspect(ctx, filepath.Join(dir, m.File), points.Check)
	if ctx.Err() != nil {
		return m, fmt.Errorf("store: %s was not checked to its end: %w", dir, ctx.Err()) // this means nothing for the backup
	}
	if err != nil {
		return m, engine.Unusablef(err, "The backup %s is damaged: %s", dir, engine.Ending(err))
	}
	if version != m.SchemaVersion || !sameCounts(counts, m.Counts) {
		return m, engine.Unusablef(nil, "The backup %s does not hold what its manifest says.", dir)
	}
	return m, nil
}

func sameCounts(a, b map[string]int64) bool {
	if len(a) != len(b) {
		return false
	}
	for k, v := range a {
		if b[k] != v {
			return false
		}
	}
	return true
}

// Restore checks the backup in dir and puts it at target: a path where no database is (SQLite), or an empty database (PostgreSQL).
// Nothing may run on the target in the meantime; an existing database is never replaced. Files in the way are moved into a new
// folder beside them, named aside, and back if the restore fails; without a name the restore is refused.
func Restore(ctx context.Context, dir string, target engine.Options, aside string, progress Progress) (Manifest, error) {
	m, err := Check(ctx, dir, progress)
	if err != nil {
		return m, err
	}
	if target.URL != "" && m.Engine != engine.Postgres {
		return m, engine.Unusablef(nil, "The backup %s is of SQLite; restore it without --database.", dir)
	}
	if target.URL == "" && m.Engine != engine.SQLite {
		return m, engine.Unusablef(nil, "The backup %s is of PostgreSQL; name an empty database by --database.", dir)
	}
	if target.URL == "" {
		return m, restoreSQLite(ctx, dir, target, m, aside, progress)
	}
	moved, err := clearWay(m, target, aside)
	if err != nil {
		return m, err
	}
	made, err := restoreExtras(dir, m, target.Extras)
	if err == nil {
		err = restorePostgres(ctx, filepath.Join(dir, m.File), target, progress)
	}
	if err != nil && aside != "" {
		err = errors.Join(err, moved.back(made))
	}
	return m, err
}

// restoreExtras puts the files beside the copy into their places, and returns what it made. That comes before the database: an
// interrupted restore leaves nothing that starts without its key.
func restoreExtras(dir string, m Manifest, places []string) (made []string, err error) {
	for _, place := range places {
		if _, ok := m.More[filepath.Base(place)]; !ok || engine.Exists(place) {
			continue // one that is there is of an earlier try that was cut off: others are in the way
		}
		b, err := os.ReadFile(filepath.Join(dir, filepath.Base(place)))
		if err == nil {
			err = engine.MakeFolder(filepath.Dir(place))
		}
		if err == nil {
			err = durable.Create(place, b)
		}
		if err != nil {
			return made, engine.Unusablef(err, "The file %s cannot be restored: %s", place, engine.Ending(err))
		}
		made = append(made, place)
	}
	return made, nil
}

func restoreSQLite(ctx context.Context, dir string, o engine.Options, m Manifest, aside string, progress Progress) error {
	from, target := filepath.Join(dir, m.File), o.Path
	if err := engine.MakeFolder(filepath.Dir(target)); err != nil {
		return err
	}
	release, err := engine.LockPath(target, "restore")
	if err != nil {
		return err
	}
	defer func() { _ = release() }()
	if files := inTheWay(m, o); aside == "" && len(files) > 0 {
		return alreadyThere(files)
	}
	if err := enoughSpace(filepath.Dir(target), m.Bytes); err != nil {
		return err
	}
	fresh := engine.RestoringPath(target)
	defer func() { _ = os.Remove(fresh) }() // last: while it is there, no server starts on what is half moved
	if err := copyFile(ctx, from, fresh, m.Bytes, progress); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return engine.Unusablef(err, "The backup could not be copied to %s: %s", target, engine.Ending(err))
	}
	if sum, _, err := digest(fresh); err != nil || sum != m.SHA256 {
		return engine.Unusablef(err, "The copy at %s differs from the backup; the disk may be failing.", target)
	}
	moved, err := clearWay(m, o, aside)
	if err != nil {
		return err
	}
	made, err := restoreExtras(dir, m, o.Extras)
	if err == nil {
		err = durable.Rename(fresh, target)
	}
	if err != nil && aside != "" {
		err = errors.Join(err, moved.back(made))
	}
	return err
}

func copyFile(ctx context.Context, from, to string, total int64, progress Progress) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	var done int64
	last := time.Now()
	for err == nil && ctx.Err() == nil {
		var n int64
		n, err = io.CopyN(out, in, 4<<20)
		if done += n; time.Since(last) > 500*time.Millisecond {
			progress.say("copying", done, total)
			last = time.Now()
		}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return errors.Join(err, ctx.Err(), out.Sync(), out.Close())
}
