// Package move carries an installation from one engine to the other: every row of every table, read again on both sides
// and compared by value.
package move

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"lightbar/internal/store/backup"
	"lightbar/internal/store/engine"
)

// batchRows is how many rows one transaction of SQLite takes.
const batchRows = 5000

// RequireEmpty refuses a target that holds a row; tables that hold none are left of a move that was cut off.
func RequireEmpty(ctx context.Context, to *engine.Store, where string) error {
	tables, err := engine.Tables(ctx)
	if err != nil {
		return err
	}
	for _, t := range tables {
		var n int
		one := "SELECT count(*) FROM (SELECT 1 FROM " + quoted(t.Name) + " LIMIT 1) AS first"
		if err := to.Reader().QueryRowContext(ctx, one).Scan(&n); err != nil {
			return engine.Classify(err)
		}
		if n > 0 {
			return engine.Unusablef(nil, "The database %s is not empty: %s has rows. Move into a new one.", where, t.Name)
		}
	}
	return nil
}

// Copy puts all rows of one database into another, which has the same schema and no rows. Nobody may write to either meanwhile.
func Copy(ctx context.Context, from, to *engine.Store, progress backup.Progress) error {
	tables, err := engine.Tables(ctx)
	if err != nil {
		return err
	}
	strange, err := from.Unknown(ctx, tables)
	if err != nil {
		return engine.Classify(err)
	}
	if len(strange) > 0 {
		return engine.Unusablef(nil, "The database holds tables that are not Lightbar's and would stay behind: %s. Move them away first.",
			strings.Join(strange, ", "))
	}
	return from.Snapshot(ctx, func(r engine.Reader) error {
		all := &counter{stage: "copying", progress: progress}
		if err := all.expect(ctx, r, tables); err != nil {
			return err
		}
		if to.Engine() == engine.Postgres {
			return intoPostgres(ctx, r, to, tables, all)
		}
		for _, t := range tables {
			if err := intoSQLite(ctx, r, to, t, all); err != nil {
				return fmt.Errorf("store: move %s: %w", t.Name, err)
			}
		}
		return nil
	})
}

// intoPostgres copies in one transaction: a move that is cut off leaves no row.
func intoPostgres(ctx context.Context, r engine.Reader, to *engine.Store, tables []engine.Table, all *counter) error {
	conn, err := to.PG().Acquire(ctx)
	if err != nil {
		return engine.Classify(err)
	}
	defer conn.Release()
	err = pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, engine.NoLimitsPG); err != nil {
			return err
		}
		for _, t := range tables {
			c, err := read(ctx, r, t)
			if err != nil {
				return fmt.Errorf("store: move %s: %w", t.Name, err)
			}
			c.all, c.toPostgres = all, true
			_, err = tx.CopyFrom(ctx, pgx.Identifier{t.Name}, names(t), c)
			if err = c.end(err); err != nil {
				return fmt.Errorf("store: move %s: %w", t.Name, err)
			}
		}
		return nil
	})
	if err != nil {
		return engine.Classify(err)
	}
	_, err = conn.Exec(ctx, "ANALYZE") // else the first queries are planned for empty tables
	return engine.Classify(err)
}

func intoSQLite(ctx context.Context, r engine.Reader, to *engine.Store, t engine.Table, all *counter) error {
	c, err := read(ctx, r, t)
	if err != nil {
		return err
	}
	c.all = all
	insert := insertInto(t)
	for more := true; more && err == nil; {
		err = to.Write(ctx, func(tx *engine.Tx) error {
			stmt, err := tx.PrepareContext(ctx, insert)
			if err != nil {
				return err
			}
			defer func() { _ = stmt.Close() }()
			for n := 0; n < batchRows; n++ {
				if more = c.Next(); !more {
					return c.Err()
				}
				values, err := c.Values()
				if err != nil {
					return err
				}
				if _, err := stmt.ExecContext(ctx, values...); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return c.end(err)
}

func insertInto(t engine.Table) string {
	marks := make([]string, len(t.Columns))
	for i := range marks {
		marks[i] = fmt.Sprintf("$%d", i+1)
	}
	return "INSERT INTO " + quoted(t.Name) + " (" + list(t) + ") VALUES (" + strings.Join(marks, ", ") + ")"
}

func names(t engine.Table) []string {
	out := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		out[i] = c.Name
	}
	return out
}

func list(t engine.Table) string {
	out := names(t)
	for i := range out {
		out[i] = quoted(out[i])
	}
	return strings.Join(out, ", ")
}

func quoted(name string) string { return `"` + name + `"` }

// cursor reads the rows of a table as values of their kinds, as pgx.CopyFromSource requires.
type cursor struct {
	table      engine.Table
	rows       *sql.Rows
	raw        []any
	into       []any
	all        *counter
	toPostgres bool
	err        error
}

func read(ctx context.Context, r engine.Reader, t engine.Table) (*cursor, error) {
	rows, err := r.QueryContext(ctx, "SELECT "+list(t)+" FROM "+quoted(t.Name))
	if err != nil {
		return nil, engine.Classify(err)
	}
	c := &cursor{table: t, rows: rows, raw: make([]any, len(t.Columns)), into: make([]any, len(t.Columns))}
	for i := range c.raw {
		c.into[i] = &c.raw[i]
	}
	return c, nil
}

// Next implements pgx.CopyFromSource.
func (c *cursor) Next() bool { return c.err == nil && c.rows.Next() }

// Err implements pgx.CopyFromSource.
func (c *cursor) Err() error {
	if c.err != nil {
		return c.err
	}
	return c.rows.Err()
}

// Values implements pgx.CopyFromSource.
func (c *cursor) Values() ([]any, error) {
	if err := c.rows.Scan(c.into...); err != nil {
		c.err = err
		return nil, err
	}
	for i, column := range c.table.Columns {
		value, err := as(column.Kind, c.raw[i])
		if text, ok := value.(string); ok && err == nil && c.toPostgres {
			err = fitsPostgres(text)
		}
		if err != nil {
			c.err = engine.Unusablef(err, "A row of %s can't be moved: %s %s. Its first columns are %v.", c.table.Name, column.Name, err,
				c.raw[:min(2, len(c.raw))])
			return nil, c.err
		}
		c.raw[i] = value
	}
	c.all.one()
	return c.raw, nil
}

// end closes the cursor; the error that stopped it explains more than those that followed.
func (c *cursor) end(err error) error {
	closed := c.rows.Close()
	if own := c.Err(); own != nil {
		return own
	}
	if err != nil {
		return err
	}
	return closed
}

// as takes a value, as a driver gives it, for what its column holds.
func as(kind engine.Kind, value any) (any, error) {
	switch v := value.(type) {
	case nil:
		return nil, nil
	case bool:
		if kind == engine.Truth {
			return v, nil
		}
	case int64:
		switch {
		case kind == engine.Integer:
			return v, nil
		case kind == engine.Truth && (v == 0 || v == 1): // SQLite has no other
			return v == 1, nil
		case kind == engine.Real && int64(float64(v)) == v:
			return float64(v), nil
		}
	case float64:
		if kind == engine.Real && !math.IsNaN(v) { // SQLite stores NaN as NULL
			return v, nil
		}
	case string:
		switch kind {
		case engine.Words:
			return v, nil
		case engine.Bytes:
			return []byte(v), nil
		}
	case []byte:
		switch kind {
		case engine.Words:
			return string(v), nil
		case engine.Bytes:
			return append([]byte{}, v...), nil // no bytes are a value: SQLite's driver gives nil for them
		}
	}
	return nil, fmt.Errorf("holds %v (%T) where a %s belongs", value, value, kind)
}

// fitsPostgres refuses text that SQLite holds and PostgreSQL does not.
func fitsPostgres(text string) error {
	switch {
	case strings.Contains(text, "\x00"):
		return fmt.Errorf("holds a text with a byte of zero, which PostgreSQL does not take")
	case !utf8.ValidString(text):
		return fmt.Errorf("holds a text that is not UTF-8")
	}
	return nil
}

// Clear removes all rows from a database in PostgreSQL that turned out to differ, so that nobody starts with it.
func Clear(ctx context.Context, to *engine.Store) error {
	tables, err := engine.Tables(ctx)
	if err != nil {
		return err
	}
	all := make([]string, len(tables))
	for i, t := range tables {
		all[i] = quoted(t.Name)
	}
	_, err = to.PG().Exec(ctx, "TRUNCATE "+strings.Join(all, ", "))
	return engine.Classify(err)
}
