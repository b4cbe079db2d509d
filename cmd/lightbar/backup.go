package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"lightbar/internal/live"
	"lightbar/internal/people"
	"lightbar/internal/store"
	"lightbar/internal/store/backup"
)

type backupCmd struct {
	WithoutKey bool   `help:"Leave out server.key, for a place where others can read the copy. A restore needs the key."`
	To         string `help:"Folder for the backup's own folder; default: backups in the data folder." type:"path" placeholder:"DIR"`
}

// Help implements kong.HelpProvider.
func (backupCmd) Help() string {
	return `Copies the database and this installation's key into a new folder named after the time, opens the copy, checks every
page, counts the rows, and writes manifest.json with the digests. The server can keep running and writing. PostgreSQL is
copied with pg_dump, which must be installed. An incomplete backup's name ends in .partial; the next backup removes what
a killed one left.

Copying the files of a running server by other means is not a backup: the result is usually damaged. The map files
(map/) are not copied; import the region again.

  lightbar backup --data /var/lib/lightbar --to /mnt/backups`
}

func (c *backupCmd) Run(e *env) error {
	s, err := store.Open(e.ctx, storeOptions(e, true))
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }()
	if err := keyOfBackup(e, s, c.WithoutKey); err != nil {
		return err
	}
	to := c.To
	if to == "" {
		to = filepath.Join(e.common.Data, "backups")
	}
	var without []string
	if c.WithoutKey {
		without = []string{keyFile}
	}
	began := time.Now()
	dir, m, lacking, err := backup.Into(e.ctx, s.Database(), to, "lightbar-"+began.UTC().Format("20060102T150405Z"), without, progress(e))
	if err != nil {
		return err
	}
	if len(lacking) > 0 {
		keyless(e, dir, "Name the installation's folder with --data and make the backup again")
	}
	if c.WithoutKey {
		_, _ = fmt.Fprintf(e.stderr, "%s was left out, as asked: keep it in another place, the database is refused without it.\n", keyFile)
	}
	into := ""
	if e.common.Database != "" {
		into = " --database postgres://USER@HOST/EMPTY-DATABASE"
	}
	_, err = fmt.Fprintf(e.stdout, "%s\n%.1f MB, schema %d, checked, %s.\nRestore it with: lightbar restore %s --data NEWDIR%s\n",
		dir, float64(m.Bytes)/1e6, m.SchemaVersion, time.Since(began).Round(time.Millisecond), dir, into)
	return err
}

// keyOfBackup refuses a copy with a key that does not open it. One without is said to be one.
func keyOfBackup(e *env, s *store.Store, without bool) error {
	key, err := serverKey(e.common.Data)
	if without || err == nil && key == nil {
		return nil
	}
	if err != nil {
		return err
	}
	schema, err := s.Version(e.ctx)
	if err != nil {
		return err
	}
	err = people.CheckServerKey(e.ctx, s.Reader(), schema, key)
	if errors.Is(err, people.ErrKeyForeign) {
		if err := cutOff(e.ctx, e, s.Reader(), schema, key); err != nil {
			return err
		}
		return place("The key %s is of another installation than the database %s; put the right one there, "+
			"or copy without it (--without-key).", keyPath(e), databaseName(e))
	}
	return err
}

type restoreCmd struct {
	From  string `arg:"" help:"Folder of the backup (the one with manifest.json)." type:"path"`
	Check bool   `help:"Only check the backup. Needs no target, and the server can keep running." xor:"how"`
	Aside bool   `help:"Move files that are in the way into the folder aside-TIME of the data folder, and back if the restore fails." xor:"how"`
}

// Help implements kong.HelpProvider.
func (restoreCmd) Help() string {
	return `Checks the backup (digests, every page, rows, version) and puts it into a data folder without a database, or with
--database into an empty PostgreSQL database. An existing database is never replaced: stop the server, move the old
folder away, restore, start. Or restore in place with --aside: what is in the way (the database, its journal, audit.head)
is moved into a folder aside-TIME of the data folder, and back if the restore fails.

  lightbar restore /mnt/backups/lightbar-20261121T020000Z --data /var/lib/lightbar
  lightbar restore /mnt/backups/lightbar-20261121T020000Z --check`
}

func (c *restoreCmd) Run(e *env) error {
	began := time.Now()
	if c.Check {
		m, err := backup.Check(e.ctx, c.From, progress(e))
		if err != nil {
			return err
		}
		if m.More[keyFile] == "" {
			_, _ = fmt.Fprintf(e.stderr, "The backup holds no %s: what is restored from it starts once the key lies in its folder.\n", keyFile)
		}
		_, err = fmt.Fprintf(e.stdout, "The backup is good: made %s, schema %d, %.1f MB.\n", m.CreatedAt.Format(time.RFC3339),
			m.SchemaVersion, float64(m.Bytes)/1e6)
		return err
	}
	aside := ""
	if c.Aside {
		aside = "aside-" + began.UTC().Format("20060102T150405Z")
	}
	m, err := backup.Restore(e.ctx, c.From, storeOptions(e, false), aside, progress(e))
	if err != nil {
		return err
	}
	if kept := filepath.Join(e.common.Data, aside); c.Aside && !missing(kept) {
		_, _ = fmt.Fprintf(e.stderr, "What was in the way is in %s.\n", kept)
	}
	why := "The backup holds none"
	if slices.Contains(m.Without, keyFile) {
		why = "It was left out of the backup (--without-key)"
	}
	wanted, err := keyOfRestored(e)
	if err != nil {
		return err
	}
	keyless(e, e.common.Data, why+": put it there before the start, which is refused without it"+wanted)
	_, err = fmt.Fprintf(e.stdout, "Restored the state of %s in %s. A backup has no map: import the region there too (lightbar map import).\n",
		m.CreatedAt.Format(time.RFC3339), time.Since(began).Round(time.Millisecond))
	return err
}

// keyOfRestored names the key that a restored database without one wants.
func keyOfRestored(e *env) (string, error) {
	if !missing(keyPath(e)) {
		return "", nil
	}
	s, err := store.Open(e.ctx, storeOptions(e, true))
	if err != nil {
		return "", err
	}
	defer func() { _ = s.Close() }()
	wanted, err := people.WantedKey(e.ctx, s.Reader())
	if wanted != "" {
		wanted = " (it is the one with the fingerprint " + wanted + ")"
	}
	return wanted, err
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
func progress(e *env) backup.Progress {
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
