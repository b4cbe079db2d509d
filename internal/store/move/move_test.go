package move_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"slices"
	"strings"
	"testing"

	"lightbar/internal/store/engine"
	"lightbar/internal/store/move"
	"lightbar/internal/store/pgtest"
	"lightbar/internal/store/storetest"
)

func open(t *testing.T, o engine.Options) *engine.Store {
	t.Helper()
	o.Log = slog.New(slog.NewTextHandler(io.Discard, nil))
	s, err := engine.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// sqlite leaves its test to the full run: nothing here runs beside something else, and rows are slow under the race detector.
func sqlite(t *testing.T) *engine.Store {
	t.Helper()
	if testing.Short() {
		t.Skip("SKIPPED in the short run: rows of every table on both engines")
	}
	return open(t, engine.Options{Path: storetest.SQLitePath(t)})
}

func postgres(t *testing.T) *engine.Store {
	return open(t, engine.Options{URL: pgtest.URL(t, "", nil)})
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// column is what a test must know of one beside its kind.
type column struct {
	small, required, key bool
	refers               string // table.column
}

// describe reads from SQLite what tables want of their rows.
func describe(t *testing.T, s *engine.Store, table string) map[string]column {
	t.Helper()
	out := map[string]column{}
	rows, err := s.Reader().QueryContext(t.Context(), `SELECT name, type, "notnull", pk FROM pragma_table_info('`+table+`')`)
	must(t, err)
	_, err = engine.Collect(rows, func(rows *sql.Rows) (name string, err error) {
		var kind string
		var required, pk int
		err = rows.Scan(&name, &kind, &required, &pk)
		out[name] = column{small: kind == "INTEGER", required: required == 1 || pk > 0, key: pk > 0}
		return name, err
	})
	must(t, err)
	rows, err = s.Reader().QueryContext(t.Context(), `SELECT "from", "table", "to" FROM pragma_foreign_key_list('`+table+`')`)
	must(t, err)
	_, err = engine.Collect(rows, func(rows *sql.Rows) (name string, err error) {
		var other, to string
		err = rows.Scan(&name, &other, &to)
		c := out[name]
		c.refers = other + "." + to
		out[name] = c
		return name, err
	})
	must(t, err)
	return out
}

// value is row n's of a column: the ends of what its kind holds, and text that is not English.
func value(name string, kind engine.Kind, c column, n int) any {
	if c.refers != "" {
		name = c.refers
	}
	if !c.required && n == 2 {
		return nil
	}
	switch kind {
	case engine.Words:
		return []string{"", "Größe 東京 🚒\n\t\"'\\", "{\"a\": [1.50, null]}"}[n%3] + fmt.Sprintf("%s %d", name, n)
	case engine.Integer:
		if c.small {
			return int64([]int{0, math.MaxInt32, math.MinInt32}[n])
		}
		return []int64{0, math.MaxInt64, -9007199254740993}[n] // the last is no float64
	case engine.Truth:
		return n != 1
	case engine.Real:
		return []float64{0.1, -math.SmallestNonzeroFloat64, math.MaxFloat64}[n]
	default:
		return [][]byte{{0, 255, 10, 0}, {}, []byte("text")}[n]
	}
}

// fill puts three rows into every table of a SQLite database.
func fill(t *testing.T, s *engine.Store) []engine.Table {
	t.Helper()
	tables, err := engine.Tables(t.Context())
	must(t, err)
	if len(tables) < 40 {
		t.Fatalf("only %d tables", len(tables))
	}
	for _, table := range tables {
		wants := describe(t, s, table.Name)
		for n := range 3 {
			var names, marks []string
			var values []any
			for i, c := range table.Columns {
				names, marks = append(names, `"`+c.Name+`"`), append(marks, fmt.Sprintf("$%d", i+1))
				values = append(values, value(table.Name+"."+c.Name, c.Kind, wants[c.Name], n))
			}
			must(t, s.Write(t.Context(), func(tx *engine.Tx) error {
				_, err := tx.ExecContext(t.Context(), fmt.Sprintf(`INSERT INTO "%s" (%s) VALUES (%s)`, table.Name, strings.Join(names, ", "),
					strings.Join(marks, ", ")), values...)
				if err != nil {
					return fmt.Errorf("%s row %d: %w", table.Name, n, err)
				}
				return nil
			}))
		}
	}
	return tables
}

func carried(t *testing.T, from, to *engine.Store) []move.Sum {
	t.Helper()
	must(t, move.RequireEmpty(t.Context(), to, "target"))
	must(t, move.Copy(t.Context(), from, to, nil))
	sums, err := move.Compare(t.Context(), from, to, nil)
	must(t, err)
	return sums
}

// literals are the rows of a table as SQLite would write them in a statement.
func literals(t *testing.T, s *engine.Store, table engine.Table) []string {
	t.Helper()
	var parts []string
	for _, c := range table.Columns {
		parts = append(parts, `quote("`+c.Name+`")`)
	}
	rows, err := engine.List(t.Context(), s.Reader(), engine.Text, "SELECT "+strings.Join(parts, " || ', ' || ")+` FROM "`+table.Name+`"`)
	must(t, err)
	slices.Sort(rows)
	return rows
}

// Every table goes to PostgreSQL and back with the same values, the ends of each kind among them.
func TestEveryTableSurvivesBothWays(t *testing.T) {
	first := sqlite(t)
	tables := fill(t, first)
	second, third := postgres(t), sqlite(t)
	there := carried(t, first, second)
	back := carried(t, second, third)
	if !slices.Equal(there, back) || len(there) != len(tables) {
		t.Errorf("there %v\nback %v", there, back)
	}
	for _, s := range there {
		if s.Rows != 3 {
			t.Errorf("%s: %d rows", s.Table, s.Rows)
		}
	}
	for _, table := range tables { // by SQLite's own words: what a move itself takes wrongly, it takes wrongly on both sides
		if a, b := literals(t, first, table), literals(t, third, table); !slices.Equal(a, b) {
			t.Errorf("%s:\n%s\n%s", table.Name, strings.Join(a, "\n"), strings.Join(b, "\n"))
		}
	}
	var refused *engine.Unusable
	if err := move.RequireEmpty(t.Context(), second, "target"); !errors.As(err, &refused) || !strings.Contains(err.Error(), "is not empty") {
		t.Errorf("a target with rows: %v", err)
	}
}

// One changed value of any kind, or a row more or less, is found, and its table is named.
func TestWhatDiffersIsNamed(t *testing.T) {
	from := sqlite(t)
	fill(t, from)
	to := postgres(t)
	carried(t, from, to)
	for _, c := range []struct{ table, change, back string }{
		{"organization", `UPDATE organization SET name = name || ' '`, `UPDATE organization SET name = left(name, -1)`},
		{"organization", `UPDATE organization SET city = overlay(city placing '!' from 1)`, ``},
		{"organization", `UPDATE organization SET acs = NOT acs`, `UPDATE organization SET acs = NOT acs`},
		{"organization", `UPDATE organization SET version = version + 1 WHERE version < 0`, `UPDATE organization SET version = version - 1 WHERE version < 0`},
		{"organization", `UPDATE organization SET lat = nextafter(lat) WHERE lat = 0.1`, ``},
		{"point_block", `UPDATE point_block SET body = '\x00ff0b00' WHERE length(body) = 4`, ``},
		{"legal_hold", `DELETE FROM legal_hold WHERE id = (SELECT min(id) FROM legal_hold)`, ``},
	} {
		change := strings.ReplaceAll(c.change, "nextafter(lat)", "0.10000000000000002")
		_, err := to.PG().Exec(t.Context(), change)
		must(t, err)
		_, err = move.Compare(t.Context(), from, to, nil)
		if err == nil || !strings.Contains(err.Error(), "the table "+c.table+" ") && !strings.Contains(err.Error(), "The table "+c.table+" ") {
			t.Errorf("%s: %v", change, err)
		}
		if c.back == "" {
			must(t, move.Clear(t.Context(), to))
			carried(t, from, to)
			continue
		}
		_, err = to.PG().Exec(t.Context(), c.back)
		must(t, err)
		_, err = move.Compare(t.Context(), from, to, nil)
		must(t, err)
	}
}

// What PostgreSQL can't hold is named by table and column, and nothing of it is left there; tables of others are named, too.
func TestWhatCannotGoIsNamed(t *testing.T) {
	for _, c := range []struct{ words, change string }{
		{"brand.name", `INSERT INTO setting (name, value) VALUES ('brand.name', 'a' || char(0) || 'b')`},
		{"value holds a text that is not UTF-8", `INSERT INTO setting (name, value) VALUES ('x', CAST(x'ff41' AS TEXT))`},
		{"where a whole number belongs", `UPDATE organization SET version = 'three' WHERE version = 0`},
		{"not Lightbar's", `CREATE TABLE of_others (id TEXT)`},
	} {
		from, to := sqlite(t), postgres(t)
		fill(t, from)
		must(t, from.Write(t.Context(), func(tx *engine.Tx) error {
			_, err := tx.ExecContext(t.Context(), c.change)
			return err
		}))
		err := move.Copy(t.Context(), from, to, nil)
		var refused *engine.Unusable
		if !errors.As(err, &refused) || !strings.Contains(refused.Sentence, c.words) {
			t.Errorf("%s: %v", c.words, err)
		}
		must(t, move.RequireEmpty(t.Context(), to, "target"))
	}
}

// A move that is interrupted in the middle leaves no row in PostgreSQL.
func TestAnInterruptedMoveLeavesNothing(t *testing.T) {
	from, to := sqlite(t), postgres(t)
	must(t, from.Write(t.Context(), func(tx *engine.Tx) error {
		for n := range 5000 {
			if _, err := tx.ExecContext(t.Context(), `INSERT INTO setting (name, value) VALUES ($1, $2)`, fmt.Sprint(n), "x"); err != nil {
				return err
			}
		}
		return nil
	}))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	told := false
	err := move.Copy(ctx, from, to, func(_ string, done, total int64) {
		told = told || total == 5000
		if done == 3000 {
			cancel()
		}
	})
	if err == nil || !told {
		t.Errorf("it was not interrupted: %v, told %v", err, told)
	}
	must(t, move.RequireEmpty(t.Context(), to, "target"))
}
