package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"lightbar/internal/config"
	"lightbar/internal/durable"
	"lightbar/internal/live"
	"lightbar/internal/store"
)

type backupCmd struct {
	To string `help:"Folder in which the backup's own folder is made; default: backups in the data folder." type:"path" placeholder:"DIR"`
}

// Help implements kong.HelpProvider.
func (backupCmd) Help() string {
	return `Copies the database and this installation's key into a new folder named by the time, opens the copy,
checks every page, counts the rows and writes manifest.json with the digests. The server may run
meanwhile; writing goes on. PostgreSQL is copied by pg_dump, which must be installed.

Copying the files of a running server by other means is not a backup: the result is damaged more
often than not. The map files (map/) are not copied; import the region again.

  lightbar backup --data /var/lib/lightbar --to /mnt/backups`
}

func (c *backupCmd) Run(e *env) error {
	s, err := store.Open(e.ctx, storeOptions(e, true))
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }()
	to := c.To
	if to == "" {
		to = filepath.Join(e.common.Data, "backups")
	}
	dir := filepath.Join(to, "lightbar-"+time.Now().UTC().Format("20060102T150405Z"))
	if err := makeOwn(dir); err != nil {
		return err
	}
	began := time.Now()
	head, err := headBefore(e)
	if err != nil {
		return errors.Join(err, os.Remove(dir))
	}
	m, err := s.Backup(e.ctx, dir, progress(e))
	if err == nil {
		err = errors.Join(copyExtras(e.common, dir), head.add(dir))
	}
	if err != nil {
		_ = os.RemoveAll(dir) // ours: made above
		return err
	}
	keyless(e, dir, "Name the installation's folder with --data and make the backup again")
	_, err = fmt.Fprintf(e.stdout, "%s\n%.1f MB, schema %d, checked, %s.\nRestore it with: lightbar restore %s --data NEWDIR\n",
		dir, float64(m.Bytes)/1e6, m.SchemaVersion, time.Since(began).Round(time.Millisecond), dir)
	return err
}

// makeOwn makes a folder that nobody has: what is removed after a failure is ours alone.
func makeOwn(dir string) error {
	err := durable.MakeFolder(filepath.Dir(dir))
	if err == nil {
		err = os.Mkdir(dir, 0o700)
	}
	switch {
	case errors.Is(err, fs.ErrExist):
		return place("The folder %s is there already: another backup began in the same second; try again.", dir)
	case err != nil:
		return place("The folder %s cannot be made: %v.", dir, errors.Unwrap(err))
	}
	return nil
}

// copyExtras puts the files without which a copy would not be this installation beside it.
func copyExtras(c *config.Common, dir string) error {
	file := filepath.Join(c.Data, keyFile)
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return store.AddToBackup(dir, file)
}

type restoreCmd struct {
	From  string `arg:"" help:"Folder of the backup (the one with manifest.json)." type:"path"`
	Check bool   `help:"Only check the backup; needs no target and no stopped server."`
}

// Help implements kong.HelpProvider.
func (restoreCmd) Help() string {
	return `Checks the backup (digests, every page, rows, version) and puts it into a data folder that has no
database, or with --database into an empty PostgreSQL database. A database that is already there is
never replaced: stop the server, move the old folder away, restore, start.

  lightbar restore /mnt/backups/lightbar-20261121T020000Z --data /var/lib/lightbar
  lightbar restore /mnt/backups/lightbar-20261121T020000Z --check`
}

func (c *restoreCmd) Run(e *env) error {
	began := time.Now()
	if c.Check {
		m, err := store.CheckBackup(e.ctx, c.From, progress(e))
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(e.stdout, "The backup is good: made %s, schema %d, %.1f MB.\n", m.CreatedAt.Format(time.RFC3339), m.SchemaVersion, float64(m.Bytes)/1e6)
		return err
	}
	m, err := store.Restore(e.ctx, c.From, storeOptions(e, false), progress(e))
	if err != nil {
		return err
	}
	keyless(e, e.common.Data, "The backup holds none: put it there before the start, which is refused without it")
	_, err = fmt.Fprintf(e.stdout, "Restored the state of %s in %s.\n", m.CreatedAt.Format(time.RFC3339), time.Since(began).Round(time.Millisecond))
	return err
}

// storeOptions say where the database of this installation is.
func storeOptions(e *env, readOnly bool) store.Options {
	o := store.Options{URL: e.common.Database.Reveal(), BackupDir: filepath.Join(e.common.Data, "backups"),
		Extras:   []string{filepath.Join(e.common.Data, keyFile), auditHeadPath(e)},
		ReadOnly: readOnly, SkipBackup: e.skipBackup, Rows: live.Check, AllowInsecure: e.common.Insecure, Log: e.log}
	if o.URL == "" {
		o.Path = e.common.SQLitePath()
	}
	return o
}

// progress prints how far a long piece of work is, at most twice a second.
func progress(e *env) store.Progress {
	var last time.Time
	stage := ""
	return func(now string, done, total int64) {
		if now == stage && time.Since(last) < 500*time.Millisecond {
			return
		}
		stage, last = now, time.Now()
		if total > 0 {
			_, _ = fmt.Fprintf(e.stderr, "%s %d %%\n", now, done*100/total)
			return
		}
		_, _ = fmt.Fprintf(e.stderr, "%s\n", now)
	}
}
