package engine

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"time"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"lightbar/internal/store/migrations"
)

// SchemaVersion is the newest schema this binary knows.
func SchemaVersion() int64 { return newestOf(migrations.Files) }

func newestOf(steps fs.FS) int64 {
	names, _ := fs.Glob(steps, "*.sql")
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

func checkVersion(have int64, steps fs.FS) error {
	if known := newestOf(steps); have > known {
		return Unusablef(nil, "Database is at version %d, this binary knows up to %d. Install the newer Lightbar, "+
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
	if have >= newestOf(s.opts.Migrations) {
		return checkVersion(have, s.opts.Migrations)
	}
	if err := s.takeFiles(s.me("upgrade"), 2*time.Second); err != nil {
		return err
	}
	defer func() { _ = s.lock.releaseFiles() }()
	return s.migrateWithCopy(ctx, have)
}

// migrateWithCopy first copies and then migrates. A step that fails is rolled back as a whole; the message names the place of the
// copy.
func (s *Store) migrateWithCopy(ctx context.Context, have int64) error {
	newest := newestOf(s.opts.Migrations)
	kept := "no copy was made, as asked"
	if !s.opts.SkipBackup {
		name := fmt.Sprintf("before-version-%d-%s", newest, s.now().UTC().Format("20060102T150405Z"))
		if s.opts.Copy == nil {
			return Unusablef(nil, "The schema must be upgraded from %d to %d, and nothing can make the copy that comes first.", have, newest)
		}
		dir, err := s.opts.Copy(ctx, s, name)
		if err != nil {
			return Unusablef(err, "The schema must be upgraded from %d to %d, and the copy that comes first could not be made: %s", have, newest,
				Ending(err))
		}
		kept = "the copy made before is " + dir
		s.log.Info("copied before the upgrade", "folder", dir, "from", have, "to", newest)
	}
	if err := migrateUp(ctx, s.engine, s.write, s.opts.Migrations); err != nil {
		now, _ := schemaVersion(ctx, s.read)
		return Unusablef(err, "The schema could not be upgraded from %d to %d and is at %d; %s: %s", have, newest, now, kept, Ending(err))
	}
	return nil
}

// Ending is an error's words as the end of a sentence.
func Ending(err error) string { return strings.TrimSuffix(Reason(err), ".") + "." }

func migrateUp(ctx context.Context, engine Name, db *sql.DB, steps fs.FS) error {
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
	p, err := goose.NewProvider(dialect, db, steps, options...)
	if err != nil {
		return err
	}
	_, err = p.Up(ctx)
	var partial *goose.PartialError
	if errors.As(err, &partial) {
		return partial.Err
	}
	if err == nil && engine == Postgres {
		err = leaveRoom(ctx, db)
	}
	return err
}

const hasStatesPG = `SELECT to_regclass('thing_state') IS NOT NULL`

// leaveRoom lets PostgreSQL fill the pages of states only by half: each row is rewritten every half minute, and its next version
// then fits beside it without touching the index. SQLite writes rows in place.
func leaveRoom(ctx context.Context, db *sql.DB) error {
	var there bool
	if err := db.QueryRowContext(ctx, hasStatesPG).Scan(&there); err != nil || !there {
		return err
	}
	_, err := db.ExecContext(ctx, `ALTER TABLE thing_state SET (fillfactor = 50)`)
	return err
}
