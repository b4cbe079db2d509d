// Package store holds SQL and only SQL: statements, scans and migrations, one
// text for SQLite and PostgreSQL.
package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	_ "github.com/jackc/pgx/v5/stdlib" // driver "pgx"
	"github.com/pressly/goose/v3"
	_ "modernc.org/sqlite" // driver "sqlite"
)

//go:embed migrations/*.sql
var migrations embed.FS

// ErrNotFound says that no row matched.
var ErrNotFound = errors.New("store: not found")

// Engine names the database behind a Store.
type Engine string

// The engines.
const (
	SQLite   Engine = "sqlite"
	Postgres Engine = "postgres"
)

// Options say where the database is: Path of a SQLite file, or URL of PostgreSQL.
type Options struct {
	Path string
	URL  string
}

// Store is one database with a writer and readers.
type Store struct {
	engine Engine
	write  *sql.DB
	read   *sql.DB
}

// Reader reads rows: a snapshot or a transaction.
type Reader interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// Tx is a writing transaction; it is also a Reader.
type Tx struct{ *sql.Tx }

// Open opens the database and brings its schema up to date.
func Open(ctx context.Context, o Options) (*Store, error) {
	s := &Store{engine: SQLite}
	var err error
	if o.URL != "" {
		s.engine = Postgres
		if s.write, err = sql.Open("pgx", o.URL); err != nil {
			return nil, err
		}
		s.read = s.write
	} else {
		pragmas := "_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=foreign_keys(1)&_pragma=temp_store(MEMORY)"
		if s.write, err = sql.Open("sqlite", "file:"+o.Path+"?_txlock=immediate&_pragma=cache_size(-65536)&_pragma=wal_autocheckpoint(10000)&_pragma=journal_size_limit(67108864)&"+pragmas); err != nil {
			return nil, err
		}
		s.write.SetMaxOpenConns(1)
		if s.read, err = sql.Open("sqlite", "file:"+o.Path+"?mode=ro&"+strings.Replace(pragmas, "_pragma=journal_mode(WAL)&", "", 1)); err != nil {
			return nil, err
		}
		s.read.SetMaxOpenConns(8)
	}
	if err := s.migrate(ctx); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (s *Store) migrate(ctx context.Context) error {
	dialect := goose.DialectSQLite3
	if s.engine == Postgres {
		dialect = goose.DialectPostgres
	}
	sub, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	p, err := goose.NewProvider(dialect, s.write, sub)
	if err != nil {
		return err
	}
	_, err = p.Up(ctx)
	return err
}

// Engine tells which database this is.
func (s *Store) Engine() Engine { return s.engine }

// Close closes both pools.
func (s *Store) Close() error {
	err := s.write.Close()
	if s.read != nil && s.read != s.write {
		err = errors.Join(err, s.read.Close())
	}
	return err
}

// Reader returns the reading pool.
func (s *Store) Reader() Reader { return s.read }

// Write runs fn in one transaction and commits it when fn returns nil.
func (s *Store) Write(ctx context.Context, fn func(tx *Tx) error) error {
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("store: begin: %w", err)
	}
	defer func() { _ = tx.Rollback() }()
	if err := fn(&Tx{tx}); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("store: commit: %w", err)
	}
	return nil
}
