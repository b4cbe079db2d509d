package engine

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/pressly/goose/v3"

	"lightbar/internal/store/migrations"
)

// Kind is the type of a column's values, whichever the engine.
type Kind string

// The kinds of columns.
const (
	Words   Kind = "text"
	Integer Kind = "whole number"
	Truth   Kind = "truth value"
	Real    Kind = "number"
	Bytes   Kind = "bytes"
)

// kinds are the types that migrations use.
var kinds = map[string]Kind{
	"TEXT": Words, "BIGINT": Integer, "INTEGER": Integer, "BOOLEAN": Truth, "DOUBLE PRECISION": Real, "BYTEA": Bytes,
}

// Column is a column of a Table.
type Column struct {
	Name string
	Kind Kind
}

// Table is a table of the schema.
type Table struct {
	Name    string
	Columns []Column
}

// ownedTables hold which server owns a database and which steps made it: they are each database's own.
var ownedTables = []string{"goose_db_version", "server_lock"}

const (
	liteColumns = `SELECT m.name, c.name, c.type FROM sqlite_schema m JOIN pragma_table_info(m.name) c
		WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' ORDER BY m.name, c.cid`
	liteReferences = `SELECT m.name, f."table" FROM sqlite_schema m JOIN pragma_foreign_key_list(m.name) f WHERE m.type = 'table'`
	pgTableNames   = `SELECT relname ` + pgOwnTables + ` ORDER BY relname`
)

// Tables are those of this binary's schema that hold an installation's rows, each after those that it refers to.
func Tables(ctx context.Context) ([]Table, error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	defer func() { _ = db.Close() }()
	db.SetMaxOpenConns(1)
	p, err := goose.NewProvider(goose.DialectSQLite3, db, migrations.Files, goose.WithDisableGlobalRegistry(true))
	if err == nil {
		_, err = p.Up(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("store: the schema: %w", err)
	}
	three := func(rows *sql.Rows) (t [3]string, err error) { return t, rows.Scan(&t[0], &t[1], &t[2]) }
	columns, err := List(ctx, db, three, liteColumns)
	if err != nil {
		return nil, err
	}
	two := func(rows *sql.Rows) (t [2]string, err error) { return t, rows.Scan(&t[0], &t[1]) }
	references, err := List(ctx, db, two, liteReferences)
	if err != nil {
		return nil, err
	}
	var tables []Table
	for _, c := range columns {
		if slices.Contains(ownedTables, c[0]) {
			continue
		}
		kind, ok := kinds[strings.ToUpper(c[2])]
		if !ok {
			return nil, fmt.Errorf("store: %s.%s is of the type %s, of which it is not known what it holds", c[0], c[1], c[2])
		}
		if len(tables) == 0 || tables[len(tables)-1].Name != c[0] {
			tables = append(tables, Table{Name: c[0]})
		}
		last := &tables[len(tables)-1]
		last.Columns = append(last.Columns, Column{Name: c[1], Kind: kind})
	}
	return inOrder(tables, references)
}

// inOrder puts tables after those that they refer to; references are pairs of the one that refers and the other.
func inOrder(tables []Table, references [][2]string) (sorted []Table, err error) {
	placed := map[string]bool{}
	for len(sorted) < len(tables) {
		before := len(sorted)
		for _, t := range tables {
			waits := slices.ContainsFunc(references, func(r [2]string) bool { return r[0] == t.Name && r[1] != t.Name && !placed[r[1]] })
			if !placed[t.Name] && !waits {
				placed[t.Name] = true
				sorted = append(sorted, t)
			}
		}
		if len(sorted) == before {
			return nil, fmt.Errorf("store: %d tables refer to each other in a circle", len(tables)-before)
		}
	}
	return sorted, nil
}

// Unknown are tables of the database that are not of this binary's schema.
func (s *Store) Unknown(ctx context.Context, known []Table) ([]string, error) {
	query := liteTables
	if s.engine == Postgres {
		query = pgTableNames
	}
	names, err := List(ctx, s.Reader(), Text, query)
	return slices.DeleteFunc(names, func(name string) bool {
		return slices.Contains(ownedTables, name) || slices.ContainsFunc(known, func(t Table) bool { return t.Name == name })
	}), err
}

const (
	pgBeginMove = `CREATE TABLE lightbar_moving (began_at BIGINT NOT NULL)`
	pgEndMove   = `DROP TABLE lightbar_moving`
)

// IsMoving reports whether a move into a database in PostgreSQL was cut off.
func IsMoving(ctx context.Context, o Options) (bool, error) {
	var tables, goose, ours, moving int
	err := once(ctx, o, func(pool *pgxpool.Pool) error {
		return pool.QueryRow(ctx, pgTables).Scan(&tables, &goose, &ours, &moving)
	})
	return moving > 0, err
}

// BeginMove marks a database in PostgreSQL until EndMove: a server refuses it meanwhile.
func BeginMove(ctx context.Context, o Options) error {
	return once(ctx, o, func(pool *pgxpool.Pool) error {
		_, err := pool.Exec(ctx, pgBeginMove)
		return err
	})
}

// once runs something on a database that is not open.
func once(ctx context.Context, o Options, do func(pool *pgxpool.Pool) error) error {
	if err := CheckWire(o); err != nil {
		return err
	}
	where := HiddenURL(o.URL)
	pool, err := newPool(ctx, o.URL, 1, nil)
	if err != nil {
		return Unusablef(err, "%s is not an address of PostgreSQL such as postgres://user@host/database.", where)
	}
	defer pool.Close()
	if err := do(pool); err != nil {
		return Unusablef(err, "PostgreSQL at %s cannot be used: %s%s", where, connectWords(err), rightsWords(err))
	}
	return nil
}

// EndMove records that the database holds everything.
func (s *Store) EndMove(ctx context.Context) error {
	_, err := s.pg.Exec(ctx, pgEndMove)
	return Classify(err)
}

// Snapshot is Read without its limit of time, for work on all rows: nobody waits for it.
func (s *Store) Snapshot(ctx context.Context, fn func(r Reader) error) error {
	tx, err := s.read.BeginTx(ctx, &sql.TxOptions{Isolation: s.snapshotLevel(), ReadOnly: true})
	if err != nil {
		return Classify(err)
	}
	defer func() { _ = tx.Rollback() }()
	if s.engine == Postgres {
		if _, err := tx.ExecContext(ctx, NoLimitsPG); err != nil {
			return Classify(err)
		}
	}
	return s.Notice(fn(tx))
}

// NoLimitsPG lifts the limits of time from a transaction.
const NoLimitsPG = `SELECT set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '0', true)`
