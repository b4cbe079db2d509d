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

// NameNewest names the newest copy of the installation where err says that a backup is the way out.
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
		return m, fmt.Errorf("store: %s was not checked to its end: %w", dir, ctx.Err()) // that says nothing of the backup
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

// Restore checks the backup in dir and puts it where target says: a path where
// no database is (SQLite), or an empty database (PostgreSQL). Nothing may run
// on the target meanwhile; a database that is already there is never replaced.
func Restore(ctx context.Context, dir string, target engine.Options, progress Progress) (Manifest, error) {
	m, err := Check(ctx, dir, progress)
	if err != nil {
		return m, err
	}
	if target.URL != "" {
		if m.Engine != engine.Postgres {
			return m, engine.Unusablef(nil, "The backup %s is of SQLite; restore it without --database.", dir)
		}
		if err := restoreExtras(dir, m, target.Extras); err != nil {
			return m, err
		}
		return m, restorePostgres(ctx, filepath.Join(dir, m.File), target, progress)
	}
	if m.Engine != engine.SQLite {
		return m, engine.Unusablef(nil, "The backup %s is of PostgreSQL; name an empty database by --database.", dir)
	}
	return m, restoreSQLite(ctx, dir, target, m, progress)
}

// restoreExtras puts what lies beside the copy into its places. That comes before the
// database: a restore that is cut off leaves nothing that starts without its key.
func restoreExtras(dir string, m Manifest, places []string) error {
	for _, place := range places {
		want, ok := m.More[filepath.Base(place)]
		if !ok && filepath.Base(place) == AuditHeadName && engine.Exists(place) {
			return engine.Unusablef(nil, "%s is already there and the backup has none; move it away first.", place)
		}
		if !ok {
			continue
		}
		if engine.Exists(place) {
			if have, _, err := digest(place); err != nil || have != want {
				return engine.Unusablef(err, "%s is already there and not that of the backup; move it away first.", place)
			}
			continue // of an earlier try that was cut off
		}
		b, err := os.ReadFile(filepath.Join(dir, filepath.Base(place)))
		if err == nil {
			err = engine.MakeFolder(filepath.Dir(place))
		}
		if err == nil {
			err = durable.Create(place, b)
		}
		if err != nil {
			return engine.Unusablef(err, "The file %s cannot be restored: %s", place, engine.Ending(err))
		}
	}
	return nil
}

func restoreSQLite(ctx context.Context, dir string, o engine.Options, m Manifest, progress Progress) error {
	from, target := filepath.Join(dir, m.File), o.Path
	if err := engine.MakeFolder(filepath.Dir(target)); err != nil {
		return err
	}
	release, err := engine.LockPath(target, "restore")
	if err != nil {
		return err
	}
	defer func() { _ = release() }()
	// A stale journal beside a restored file would be played into it.
	for _, rest := range []string{"", "-wal", "-shm", "-journal"} {
		if engine.Exists(target + rest) {
			return engine.Unusablef(nil, "%s is already there; move the old database and its -wal and -shm files away first.", target+rest)
		}
	}
	if err := enoughSpace(filepath.Dir(target), m.Bytes); err != nil {
		return err
	}
	fresh := engine.RestoringPath(target)
	if err := copyFile(ctx, from, fresh, m.Bytes, progress); err != nil {
		_ = os.Remove(fresh)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return engine.Unusablef(err, "The backup could not be copied to %s: %s", target, engine.Ending(err))
	}
	if sum, _, err := digest(fresh); err != nil || sum != m.SHA256 {
		_ = os.Remove(fresh)
		return engine.Unusablef(err, "The copy at %s differs from the backup; the disk may be failing.", target)
	}
	if err := restoreExtras(dir, m, o.Extras); err != nil {
		_ = os.Remove(fresh)
		return err
	}
	return durable.Rename(fresh, target)
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
