package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

//go:embed migrations/*.sql
var migrations embed.FS

// embedded are our own migrations, each time the same value.
var embedded = sync.OnceValue(func() fs.FS {
	sub, err := fs.Sub(migrations, "migrations")
	if err != nil {
		panic(err) // the folder is part of the binary
	}
	return sub
})

// SchemaVersion is the newest schema this binary knows.
func SchemaVersion() int64 { return newestOf(embedded()) }

func newestOf(migrations fs.FS) int64 {
	names, _ := fs.Glob(migrations, "*.sql")
	var newest int64
	for _, name := range names {
		digits, _, _ := strings.Cut(name, "_")
		if n, err := strconv.ParseInt(digits, 10, 64); err == nil {
			newest = max(newest, n)
		}
	}
	return newest
}

const selectSchemaVersion = `SELECT COALESCE(MAX(version_id), 0) FROM goose_db_version WHERE is_applied`

func schemaVersion(ctx context.Context, db *sql.DB) (int64, error) {
	var v int64
	err := db.QueryRowContext(ctx, selectSchemaVersion).Scan(&v)
	return v, err
}

// Version is the schema version of the open database.
func (s *Store) Version(ctx context.Context) (int64, error) {
	v, err := schemaVersion(ctx, s.read)
	return v, Classify(err)
}

func checkVersion(have int64, migrations fs.FS) error {
	if known := newestOf(migrations); have > known {
		return unusable(nil, "Database is at version %d, this binary knows up to %d. Install the newer Lightbar, "+
			"or restore the backup made before the upgrade.", have, known)
	}
	return nil
}

// migrateSQLite brings an existing file up to date, after a checked copy.
func (s *Store) migrateSQLite(ctx context.Context) error {
	have, err := schemaVersion(ctx, s.read)
	if err != nil {
		return damaged(s.opts.Path, err)
	}
	if have >= newestOf(s.opts.migrations) {
		return checkVersion(have, s.opts.migrations)
	}
	if err := s.takeFiles(s.me("upgrade"), 2*time.Second); err != nil {
		return err
	}
	defer func() { _ = s.lock.releaseFiles() }()
	return s.migrateWithCopy(ctx, have)
}

// migrateWithCopy copies first and migrates then. A step that fails is rolled
// back as a whole; the sentence says where the copy lies.
func (s *Store) migrateWithCopy(ctx context.Context, have int64) error {
	newest := newestOf(s.opts.migrations)
	kept := "no copy was made, as asked"
	if !s.opts.SkipBackup {
		name := fmt.Sprintf("before-version-%d-%s", newest, s.now().UTC().Format("20060102T150405Z"))
		dir, _, missing, err := s.BackupInto(ctx, s.backupRoot(), name, nil, nil)
		for _, file := range missing {
			s.log.Warn("the copy lacks a file that is not there", "folder", dir, "file", file)
		}
		if err != nil {
			return unusable(err, "The schema must be upgraded from %d to %d, and the copy that comes first could not be made: %s", have, newest,
				ending(err))
		}
		kept = "the copy made before is " + dir
		s.log.Info("copied before the upgrade", "folder", dir, "from", have, "to", newest)
	}
	if err := migrateUp(ctx, s.engine, s.write, s.opts.migrations); err != nil {
		now, _ := schemaVersion(ctx, s.read)
		return unusable(err, "The schema could not be upgraded from %d to %d and is at %d; %s: %s", have, newest, now, kept, ending(err))
	}
	return nil
}

// ending is an error's words as the end of a sentence.
func ending(err error) string { return strings.TrimSuffix(reason(err), ".") + "." }

func (s *Store) backupRoot() string {
	switch {
	case s.opts.BackupDir != "":
		return s.opts.BackupDir
	case s.engine == SQLite:
		return filepath.Join(filepath.Dir(s.opts.Path), "backups")
	default:
		return "backups"
	}
}

func migrateUp(ctx context.Context, engine Engine, db *sql.DB, migrations fs.FS) error {
	dialect := goose.DialectSQLite3
	options := []goose.ProviderOption{goose.WithDisableGlobalRegistry(true)}
	if engine == Postgres {
		dialect = goose.DialectPostgres
		locker, err := lock.NewPostgresSessionLocker()
		if err != nil {
			return err
		}
		options = append(options, goose.WithSessionLocker(locker))
	}
	p, err := goose.NewProvider(dialect, db, migrations, options...)
	if err != nil {
		return err
	}
	_, err = p.Up(ctx)
	var partial *goose.PartialError
	if errors.As(err, &partial) {
		return partial.Err
	}
	return err
}
