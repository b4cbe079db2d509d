package store_test

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
)

// always are columns of which every text is a value.
var always = []string{"api_key.scopes", "cover.thing_type_ids"}

// whatever are texts that are no value of a column that keeps a document, and an empty one for each kind.
var (
	whatever = []string{`{"`, `7`, `"x"`}
	nothing  = []string{"", "{}", "[]"}
	// strange are documents that say nothing of their kind, by column: lists could not be written with them.
	strange = map[string][]string{
		"features": {`{"features":[{}]}`, `{"features":[null]}`,
			`{"features":[{"type":"Feature","geometri":{"type":"Point","coordinates":[1,2]}}]}`},
		"geometry": {`{}`, `{"type":"Point","coordinates":[1,2]}`, `{"type":"Polygon","coordinates":[]}`},
	}
)

// Each table that keeps documents is read around a row that cannot be read, and that row is named.
func TestARowThatCannotBeReadIsLeftOut(t *testing.T) {
	tables := store.Documented()
	for _, of := range []string{"closure", "hazard", "feed_subscription", "area", "zone", "integration", "export", "location", "finding",
		"watchdog", "status_mail", "thing_owner"} {
		if tables[of] == nil {
			t.Errorf("%s is not among the tables that keep documents: %v", of, tables)
		}
	}
	for table, columns := range tables {
		t.Run(table, func(t *testing.T) {
			d := newDocuments(t, table)
			for _, column := range columns {
				if slices.Contains(always, table+"."+column) {
					continue
				}
				for _, text := range append(strange[column], whatever...) {
					d.set(column, text, "2")
					found := d.unread()
					if len(found) != 1 || found[0].Table != table || found[0].Column != column || !strings.Contains(found[0].Key, "2") {
						t.Errorf("with %s in %s: %v", text, column, found)
					}
				}
				d.set(column, d.empty[column], "2")
				if found := d.unread(); len(found) > 0 {
					t.Fatalf("mended, it is still named: %v", found)
				}
			}
		})
	}
}

// documents are three rows of a table with empty documents.
type documents struct {
	t     *testing.T
	s     *store.Store
	db    *sql.DB
	table string
	empty map[string]string
}

func newDocuments(t *testing.T, table string) *documents {
	t.Helper()
	path := storetest.SQLitePath(t)
	db, err := sql.Open("sqlite", path+"?_pragma=ignore_check_constraints(1)")
	if err != nil {
		t.Fatal(err)
	}
	d := &documents{t: t, db: db, table: table, empty: map[string]string{}}
	for n := 1; n <= 3; n++ {
		d.insert(n)
	}
	if d.s, err = store.Open(t.Context(), store.Options{Path: path, Log: slog.New(slog.DiscardHandler)}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(db.Close(), d.s.Close()); err != nil {
			t.Error(err)
		}
	})
	for range 20 {
		found := d.unread()
		if len(found) == 0 {
			return d
		}
		column := found[0].Column
		d.empty[column] = nothing[min(len(nothing)-1, slices.Index(nothing, d.empty[column])+1)]
		d.set(column, d.empty[column], "1", "2", "3")
	}
	t.Fatalf("no empty documents of %s were found: %v", table, d.unread())
	return nil
}

// insert adds a row with values of the columns' types; keys differ.
func (d *documents) insert(n int) {
	d.t.Helper()
	rows, err := d.db.Query("SELECT name, type, pk FROM pragma_table_info($1)", d.table)
	if err != nil {
		d.t.Fatal(err)
	}
	var names, marks []string
	var values []any
	for rows.Next() {
		var name, kind string
		var pk int
		if err := rows.Scan(&name, &kind, &pk); err != nil {
			d.t.Fatal(err)
		}
		var value any = int64(n)
		switch {
		case kind == "BLOB":
			value = []byte{}
		case kind == "TEXT" && (pk > 0 || strings.HasSuffix(name, "id")):
			value = fmt.Sprint(n)
		case name == "hash":
			value = fmt.Sprintf("%02d", n)
		case kind == "TEXT":
			value = ""
		case kind == "BOOLEAN":
			value = int64(1)
		}
		names, values = append(names, name), append(values, value)
		marks = append(marks, fmt.Sprintf("$%d", len(values)))
	}
	_, err = d.db.Exec("INSERT INTO "+d.table+" ("+strings.Join(names, ", ")+") VALUES ("+strings.Join(marks, ", ")+")", values...)
	if err := errors.Join(err, rows.Err(), rows.Close()); err != nil {
		d.t.Fatal(err)
	}
}

// set writes a document of rows.
func (d *documents) set(column, text string, ids ...string) {
	d.t.Helper()
	for _, id := range ids {
		if _, err := d.db.Exec("UPDATE "+d.table+" SET "+column+" = $1 WHERE rowid = $2", text, id); err != nil {
			d.t.Fatal(err)
		}
	}
}

func (d *documents) unread() []store.UnreadRow {
	d.t.Helper()
	found, err := store.FindUnread(d.t.Context(), d.s.Reader())
	if err != nil {
		d.t.Fatal(err)
	}
	return found
}

// Who reads JSON of rows beside the tables' kit, and goes on when it cannot be read: a new one belongs into the kit.
func TestJSONOfRowsIsReadInOnePlace(t *testing.T) {
	reads := map[string]int{"rows.go": 1, "closure.go": 1, "feed_subscription.go": 1, // the kit
		"audit_head.go": 1,                      // a file
		"state.go":      1, "thing_owner.go": 1, // each tells what it leaves out
		"monthly_report.go": 1, // one report, which is asked for alone
		"version.go":        3} // rows of the audit, of which none may be left out
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(text), "json.Unmarshal("); !strings.HasSuffix(file, "_test.go") && n != reads[file] {
			t.Errorf("%s reads JSON %d times, known are %d: use asJSON, jsonOf or asValue in the columns of a table", file, n, reads[file])
		}
	}
}

// The log names such a row once, and nothing of what it holds, whoever reads; reading it alone says what is wrong.
func TestAnUnreadableRowIsNamedOnce(t *testing.T) {
	d := newDocuments(t, "hazard")
	path := d.s.Path()
	if err := d.s.Close(); err != nil {
		t.Fatal(err)
	}
	d.set("features", `{"secret`, "2")
	page := func(r store.Reader) error {
		rows, total, err := store.Hazards.Page(t.Context(), r, []string{"1", "2", "3"}, 1, 1, 10)
		if err == nil && (len(rows) != 2 || total != 3) {
			t.Errorf("%v of %d", rows, total)
		}
		return err
	}
	for name, read := range map[string]func(s *store.Store) error{
		"reader":      func(s *store.Store) error { return page(s.Reader()) },
		"snapshot":    func(s *store.Store) error { return s.Read(t.Context(), page) },
		"transaction": func(s *store.Store) error { return s.Write(t.Context(), func(tx *store.Tx) error { return page(tx) }) },
	} {
		var log bytes.Buffer
		s, err := store.Open(t.Context(), store.Options{Path: path, Log: slog.New(slog.NewTextHandler(&log, nil))})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(read(s), read(s)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		text := log.String()
		if strings.Count(text, "noun=hazard id=2 column=features") != 1 || strings.Contains(text, "secret") || s.UnreadRows() != 1 {
			t.Errorf("%s: %d rows; the log says %s", name, s.UnreadRows(), text)
		}
		_, err = store.Hazards.ByID(t.Context(), s.Reader(), "2")
		if !errors.Is(err, store.ErrUnreadable) || strings.Contains(err.Error(), "secret") {
			t.Errorf("reading it alone: %v", err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// What decides who may see or do something, or what must be kept, is never left out: without its row a hold would not
// hold, a second factor would not be asked for, and an asset's history would be another owner's.
func TestRowsThatForbidAreNeverLeftOut(t *testing.T) {
	for _, of := range []struct {
		table, column string
		read          func(r store.Reader) error
	}{
		{"legal_hold", "placed_at", func(r store.Reader) error { return second(store.LegalHoldsOf(t.Context(), r, "2")) }},
		{"passkey", "created_at", func(r store.Reader) error { return second(store.PasskeysOf(t.Context(), r, "2")) }},
		{"thing_owner", "from_at", func(r store.Reader) error { return second(store.OwnersOfThing(t.Context(), r, "2")) }},
	} {
		t.Run(of.table, func(t *testing.T) {
			d := newDocuments(t, of.table)
			if err := of.read(d.s.Reader()); err != nil {
				t.Fatal(err)
			}
			d.set(of.column, "soon", "2")
			if err := of.read(d.s.Reader()); err == nil {
				t.Error("it is left out")
			}
		})
	}
}

func second[T any](_ T, err error) error { return err }
