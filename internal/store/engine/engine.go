// Package engine opens a database, keeps it intact, and reads and writes it: SQLite or PostgreSQL, schema, server lock, disk. It
// knows no noun and nothing about the content of the tables.
package engine

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"lightbar/internal/store/migrations"
)

// Name is which database is behind a Store.
type Name string

// The engines.
const (
	SQLite   Name = "sqlite"
	Postgres Name = "postgres"
)

// Options have the place of the database and how to treat it. Only Path or URL is required; the zero values of the rest suit tests
// and command-line verbs.
type Options struct {
	// Path of a SQLite file. Its folder is made when missing.
	Path string
	// URL of PostgreSQL ("postgres://…"); wins over Path.
	URL string
	// AllowInsecure takes a connection to PostgreSQL over the network without
	// verified TLS (an operator's explicit wish).
	AllowInsecure bool
	// BackupDir takes the copy made before a migration; "" = "backups" beside
	// Path, the working folder for PostgreSQL.
	BackupDir string
	// Extras are files outside the database without which a copy is not this
	// installation (its key); the copy made before a migration takes those that are there,
	// and a restore puts those that a backup has in their places.
	Extras []string
	// Examine looks at a database that is there before anything of it is changed,
	// whatever its schema's version; its error refuses the opening.
	Examine func(ctx context.Context, r Reader, schema int64) error
	// SkipBackup migrates without a copy (an operator's explicit wish).
	SkipBackup bool
	// ReadOnly neither creates, migrates nor writes: for backups and the doctor.
	ReadOnly bool
	// Existing makes no database where there is none.
	Existing bool
	// Moving opens a database in PostgreSQL into which an installation is being moved (BeginMove).
	Moving bool
	// Erase overwrites in SQLite's file what a statement replaces or removes, which costs writes. PostgreSQL retains it until its
	// own vacuum.
	Erase bool
	// Rest waits between two transactions of a sweep; nil = for the given time, or until the context ends.
	Rest func(ctx context.Context, d time.Duration)
	// Rows reads what a start needs from a database of this binary's schema, before anything in it is changed; its error names what
	// is damaged.
	Rows func(ctx context.Context, r Reader) error
	// BallastBytes is the minimum size of the file that is reserved to be freed when the disk is full; 0 = none. Servers use
	// DefaultBallastBytes.
	BallastBytes int64
	// WatchEvery is the pause between checks of the files and the disk; 0 = 5 s.
	WatchEvery time.Duration
	// Check looks in SQLite's tables for what a check of pages does not find, before anything is changed; nil finds nothing.
	Check Check
	// Copy makes the copy before a migration, under a name, and returns its folder.
	Copy func(ctx context.Context, s *Store, name string) (folder string, err error)
	// Migrations are the schema's steps; nil = those of this binary.
	Migrations fs.FS
	// BeforeCommit runs while the writer is held, before each COMMIT. Tests and
	// benchmarks put a slow disk here; nil costs nothing.
	BeforeCommit func()
	// Log takes what an operator should know; nil = slog.Default().
	Log *slog.Logger
	// Now is the clock; nil = time.Now.
	Now func() time.Time

	lease time.Duration // tests only; 0 = lockLease
}

// Check looks for damage in what the tables hold; tables are those that there are.
type Check func(ctx context.Context, r Reader, tables []string) error

// DefaultBallastBytes is the reserve that a server holds on SQLite's disk.
const DefaultBallastBytes = 8 << 20

// mostBallastBytes bounds the reserve that follows the journal: as large as SQLite leaves a journal that was moved to its end.
const mostBallastBytes = 64 << 20

const (
	readLimit  = 30 * time.Second // of a read whose context has no deadline
	writeLimit = 60 * time.Second // of a whole transaction
)

// Store is one database with a writer and readers.
type Store struct {
	engine Name
	opts   Options
	log    *slog.Logger
	now    func() time.Time

	write *sql.DB
	read  *sql.DB
	keep  *sql.Conn     // SQLite: an open reader, so that the WAL file is never removed under us
	pg    *pgxpool.Pool // PostgreSQL: the native pool behind write
	pgRO  *pgxpool.Pool // PostgreSQL: the native pool behind read

	hot          hotStatements // SQLite: prepared once for all transactions
	checkpointer *checkpointer // SQLite: checkpoints the WAL beside the writer
	asked        atomic.Int64  // queries

	unread unreadRows
	guard  guard
	lock   serverLock
	closed sync.Once
}

// Reader reads rows: a snapshot or a transaction.
type Reader interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// Tx is a writing transaction; it is also a Reader.
type Tx struct {
	*sql.Tx
	hot   hotStatements
	made  []*sql.Stmt // of hot, for this transaction
	asked *atomic.Int64
	of    *Store
}

// Open opens the database and brings its schema up to date (after a checked
// copy). A database that must not be used gives an *Unusable and stays untouched.
func Open(ctx context.Context, o Options) (*Store, error) {
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.WatchEvery == 0 {
		o.WatchEvery = 5 * time.Second
	}
	if o.lease == 0 {
		o.lease = lockLease
	}
	if o.Migrations == nil {
		o.Migrations = migrations.Files
	}
	s := &Store{opts: o, log: o.Log, now: o.Now, hot: make(hotStatements, len(hotTexts))}
	s.guard.init()
	open := s.openSQLite
	if o.URL != "" {
		open = s.openPostgres
	}
	if err := open(ctx); err != nil {
		_ = s.Close()
		if cause := ctx.Err(); errors.Is(cause, context.Canceled) {
			err = fmt.Errorf("store: open: %w", cause) // the error of an interrupted opening means nothing for the database
		}
		return nil, err
	}
	return s, nil
}

// Engine names the database engine.
func (s *Store) Engine() Name { return s.engine }

// Database is the store itself, for those who reach it through a room above.
func (s *Store) Database() *Store { return s }

// Options are those it was opened with, completed.
func (s *Store) Options() Options { return s.opts }

// PG is the native PostgreSQL pool for the two hot statements; nil on SQLite.
func (s *Store) PG() *pgxpool.Pool { return s.pg }

// Path of the SQLite file, "" on PostgreSQL.
func (s *Store) Path() string {
	if s.engine == SQLite {
		return s.opts.Path
	}
	return ""
}

// Close gives the server lock back, stops the watch and closes both pools.
// It may be called again.
func (s *Store) Close() (err error) {
	s.closed.Do(func() { err = s.close() })
	return err
}

func (s *Store) close() error {
	s.guard.stop()
	err := s.lock.release(s)
	if s.checkpointer != nil {
		err = errors.Join(err, s.checkpointer.end())
		s.checkpointer = nil
	}
	err = errors.Join(err, s.hot.close())
	if s.keep != nil {
		err = errors.Join(err, s.keep.Close())
	}
	// Readers first: the last connection to leave checkpoints the WAL, and it must be able to write.
	if s.read != nil {
		err = errors.Join(err, s.read.Close())
	}
	if s.write != nil {
		err = errors.Join(err, s.write.Close())
	}
	if s.pgRO != nil {
		s.pgRO.Close()
	}
	if s.pg != nil {
		s.pg.Close()
	}
	s.forget()
	return err
}

// Reader returns the reading pool. A read whose context carries no deadline gets one of 30 s.
func (s *Store) Reader() Reader { return reader{s.read, s} }

// Queries counts the queries of readers and writing transactions, for the operator's metrics.
func (s *Store) Queries() int64 { return s.asked.Load() }

type reader struct {
	db *sql.DB
	of *Store
}

func (r reader) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	r.of.asked.Add(1)
	rows, err := r.db.QueryContext(r.of.limited(ctx), query, args...)
	return rows, Classify(err)
}

func (r reader) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	r.of.asked.Add(1)
	return r.db.QueryRowContext(r.of.limited(ctx), query, args...)
}

// Read runs fn on one snapshot of the database: all its reads see the same rows.
func (s *Store) Read(ctx context.Context, fn func(r Reader) error) error {
	ctx, cancel := context.WithTimeout(ctx, readLimit)
	defer cancel()
	begun := s.step(ctx, cancel)
	tx, err := s.read.BeginTx(ctx, &sql.TxOptions{Isolation: s.snapshotLevel(), ReadOnly: true})
	begun()
	if err != nil {
		return Classify(err)
	}
	defer func() { _ = tx.Rollback() }()
	return s.Notice(fn(snapshot{tx, s}))
}

func (s *Store) snapshotLevel() sql.IsolationLevel {
	if s.engine == Postgres {
		return sql.LevelRepeatableRead
	}
	return sql.LevelDefault // WAL readers see one snapshot as they are
}

// Write runs fn in one transaction and commits it when fn returns nil. Once
// fn has returned, a canceled ctx no longer stops the COMMIT: its answer is
// always waited for. Errors are classified; see the sentinels above.
func (s *Store) Write(ctx context.Context, fn func(tx *Tx) error) error {
	if err := s.admit(ctx); err != nil {
		return err
	}
	whole, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeLimit)
	defer cancel()
	waits, leave := context.WithCancel(ctx)
	defer leave()
	turn := s.step(ctx, leave)
	conn, err := s.write.Conn(waits)
	turn()
	if err != nil {
		return s.writeFailed(fmt.Errorf("store: begin: %w", Classify(err)))
	}
	defer func() { _ = conn.Close() }()
	begun := s.step(ctx, cancel)
	tx, err := conn.BeginTx(whole, nil)
	if err != nil {
		begun()
		return s.writeFailed(fmt.Errorf("store: begin: %w", Classify(err)))
	}
	defer func() { _ = tx.Rollback() }()
	err = s.lock.check(whole, tx)
	if begun(); err != nil {
		return s.writeFailed(err)
	}
	if err := fn(&Tx{Tx: tx, hot: s.hot, asked: &s.asked, of: s}); err != nil {
		return s.writeFailed(Classify(err))
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if s.opts.BeforeCommit != nil {
		s.opts.BeforeCommit()
	}
	if err := s.lock.alive(); err != nil {
		return err
	}
	kept := s.step(ctx, cancel)
	err = tx.Commit()
	if kept(); err != nil {
		return s.writeFailed(fmt.Errorf("store: commit: %w", commitError(s.engine, err)))
	}
	if s.engine == SQLite { // two looks at names, a microsecond each: nothing is acknowledged into a file that was taken away
		if s.checkFiles(); s.Cause() != nil {
			return fmt.Errorf("store: commit: %w: %w", ErrOutcomeUnknown, s.Cause())
		}
	}
	return nil
}
