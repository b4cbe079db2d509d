// Package backup copies a database while it is in use, puts the copy in a folder with the other files of which an installation
// consists, checks it, and restores it.
package backup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"lightbar/internal/durable"
	"lightbar/internal/store/engine"
	"lightbar/internal/store/points"
)

// Manifest describes a backup. It lies beside the copy as manifest.json.
type Manifest struct {
	Format        int              `json:"format"` // 1
	Engine        engine.Name      `json:"engine"`
	SchemaVersion int64            `json:"schema_version"`
	CreatedAt     time.Time        `json:"created_at"`
	File          string           `json:"file"`
	Bytes         int64            `json:"bytes"`
	SHA256        string           `json:"sha256"`
	Counts        map[string]int64 `json:"counts"` // rows of each table; empty on PostgreSQL
	// More are files that the caller put beside the copy, by name, with their SHA-256.
	More map[string]string `json:"more,omitempty"`
	// Without are files that were left out on purpose and that a restored installation needs.
	Without []string `json:"without,omitempty"`
}

// Names of the files in a backup's folder.
const (
	ManifestName     = "manifest.json"
	sqliteCopyName   = "lightbar.db"
	postgresCopyName = "lightbar.dump"
)

// AuditHeadName is the file beside the installation's key that stores the head of the audit.
const AuditHeadName = "audit.head"

// Progress is called with how far a long piece of work is: bytes done of total (0 = not known).
type Progress func(stage string, done, total int64)

func (p Progress) say(stage string, done, total int64) {
	if p != nil {
		p(stage, done, total)
	}
}

// Copy copies the database into dir (which must be empty or missing) while
// it is in use, opens the copy, checks every page of it and writes a manifest.
// Plain copying of a live file is not a backup: it is corrupt more often than not.
func Copy(ctx context.Context, s *engine.Store, dir string, progress Progress) (Manifest, error) {
	if err := emptyFolder(dir); err != nil {
		return Manifest{}, err
	}
	m := Manifest{Format: 1, Engine: s.Engine(), CreatedAt: s.Options().Now().UTC().Truncate(time.Second), Counts: map[string]int64{}}
	var err error
	if s.Engine() == engine.Postgres {
		err = dumpPostgres(ctx, s, dir, &m, progress)
	} else {
		err = copySQLite(ctx, s, dir, &m, progress)
	}
	if err != nil {
		return Manifest{}, err
	}
	return m, writeManifest(dir, m)
}

func emptyFolder(dir string) error {
	if err := durable.MakeFolder(dir); err != nil {
		return engine.Unusablef(err, "The folder %s cannot be made: %s.", dir, engine.Reason(err))
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return engine.Unusablef(err, "The folder %s cannot be read: %s.", dir, engine.Reason(err))
	}
	if len(entries) > 0 {
		return engine.Unusablef(nil, "The folder %s is not empty; a backup needs an empty or new one.", dir)
	}
	return nil
}

func copySQLite(ctx context.Context, s *engine.Store, dir string, m *Manifest, progress Progress) error {
	final := filepath.Join(dir, sqliteCopyName)
	partial := final + ".partial"
	total, err := s.SQLiteBytes(ctx)
	if err != nil {
		return err
	}
	if err := enoughSpace(dir, total); err != nil {
		return err
	}
	watched, stop := context.WithCancel(ctx)
	var watching sync.WaitGroup
	watching.Go(func() { watchSize(watched, partial, total, progress) })
	err = engine.CopySQLite(ctx, s.Path(), partial)
	stop()
	watching.Wait() // one goroutine at a time calls progress
	if err != nil {
		_ = os.Remove(partial)
		return fmt.Errorf("store: backup: %w", engine.Classify(err))
	}
	if err := syncFile(partial); err != nil {
		return err
	}
	progress.say("checking", 0, 0)
	if m.SchemaVersion, m.Counts, err = engine.Inspect(ctx, partial, points.Check); err != nil {
		return fmt.Errorf("store: backup: the copy is not good: %w", err)
	}
	if m.SHA256, m.Bytes, err = digest(partial); err != nil {
		return err
	}
	m.File = sqliteCopyName
	return durable.Rename(partial, final)
}

func enoughSpace(dir string, need int64) error {
	disk, err := engine.DiskOf(dir)
	if err != nil || disk.Free >= need {
		return nil
	}
	return engine.Unusablef(nil, "The folder %s has %d MB free and the copy needs up to %d MB.", dir, disk.Free>>20, need>>20)
}

// watchSize reports the growing copy; VACUUM INTO itself reports nothing.
func watchSize(ctx context.Context, path string, total int64, progress Progress) {
	if progress == nil {
		return
	}
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if st, err := os.Stat(path); err == nil {
				progress.say("copying", min(st.Size(), total), total)
			}
		}
	}
}

func digest(path string) (sum string, size int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer func() { _ = f.Close() }()
	h := sha256.New()
	if size, err = io.Copy(h, f); err != nil {
		return "", 0, err
	}
	return hex.EncodeToString(h.Sum(nil)), size, nil
}

func syncFile(path string) error {
	if err := os.Chmod(path, 0o600); err != nil {
		return err
	}
	return durable.Sync(path)
}

func writeManifest(dir string, m Manifest) error {
	b, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	return durable.Write(filepath.Join(dir, ManifestName), append(b, '\n'))
}

// addToBackup puts a further file (a key, a setting) beside the copy and enters
// it in the manifest.
func addToBackup(dir, name string, b []byte) error {
	m, err := ReadManifest(dir)
	if err != nil {
		return err
	}
	if err := durable.Write(filepath.Join(dir, name), b); err != nil {
		return err
	}
	if m.More == nil {
		m.More = map[string]string{}
	}
	sum := sha256.Sum256(b)
	m.More[name] = hex.EncodeToString(sum[:])
	return writeManifest(dir, m)
}
