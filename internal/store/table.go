package store

import (
	"context"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"lightbar/internal/store/engine"
)

// table names each column of a table once; select, insert, update and scan follow from it. Its texts are made at start, as package
// variables: a test prepares all of them on both engines.
type table[T any] struct {
	name    string // behind FROM and INTO; a join brings its aliases
	alias   string // in a join, of the columns that are plain names; else ""
	columns func(*T) []column
	// whole returns what is wrong with a row of which each column can be read, and that is about the column wholeOf. Readings of
	// proof tables do not call it.
	whole   func(*T) error
	wholeOf string
	// proof: one row that cannot be read fails the reading, because a list without it would be wrong, or let somebody see or do
	// what the row forbids. This applies to every table that stores no documents.
	proof bool
	noun  string // the table's name in a join
}

// column is a name, or an expression of a join, and where the row has its value: a pointer or a conversion.
type column struct {
	name string
	at   any
	how  how
}

// how is which statements write a column.
type how uint8

const (
	keyed    how = 1 << iota // inserts write it; it names the row of an update or upsert
	edit                     // inserts, updates and upserts write it
	imported                 // so does an import (assets)
	made                     // the database makes it: no insert writes it
	driven                   // so does the asset that drives a closure
	aside                    // what follows from elsewhere: no edit is one for it alone
	once     how = 0         // inserts write it, and nothing made here changes it
)

// has reports whether a statement for columns of a kind writes this one; once stands for inserts.
func (h how) has(of how) bool { return h&of != 0 || of == once && h&made == 0 }

// reading is a SELECT of all columns of a table.
type reading[T any] struct {
	text    string
	columns func(*T) []column
	noun    string
	proof   bool
	whole   func(*T) error // nil = not asked
	wholeOf string
}

// writing is an INSERT, upsert or UPDATE of one row.
type writing[T any] struct {
	text string
	args func(*T) []any
}

// madeTexts are the texts of all readings and writings, for the test that prepares them.
var madeTexts []string

func keep(text string) string {
	text = strings.TrimSpace(text)
	madeTexts = append(madeTexts, text)
	return text
}

// joined is the same table for reading, as a part of a join.
func (t table[T]) joined(alias, from string) table[T] {
	return table[T]{name: from, alias: alias, columns: t.columns, proof: t.proof, noun: t.name, whole: t.whole, wholeOf: t.wholeOf}
}

// selects makes SELECT … FROM the table and the rest.
func (t table[T]) selects(rest string) reading[T] {
	var names []string
	for _, c := range t.columns(new(T)) {
		if t.alias != "" && !strings.ContainsAny(c.name, ". (") {
			c.name = t.alias + "." + c.name
		}
		names = append(names, c.name)
	}
	if t.noun == "" {
		t.noun = t.name
		t.examined(names)
	}
	text := keep("SELECT " + strings.Join(names, ", ") + " FROM " + t.name + " " + rest)
	q := reading[T]{text, t.columns, t.noun, t.proof || len(t.documents()) == 0, t.whole, t.wholeOf}
	if q.proof {
		q.whole = nil
	}
	return q
}

// everyRow reads the table as it is. It is made beside the first statement that was requested, so the test of those does not know
// it.
func (t table[T]) everyRow(names []string) func(context.Context, Reader, func(*T), func(UnreadRow), ...any) error {
	return reading[T]{"SELECT " + strings.Join(names, ", ") + " FROM " + t.name, t.columns, t.name, false, t.whole, t.wholeOf}.visit
}

// inserts makes INSERT INTO the table and the rest.
func (t table[T]) inserts(rest string) writing[T] {
	return t.insertsBy(func(names, marks, _ string) string { return "(" + names + ") VALUES (" + marks + ") " + rest })
}

// insertsBy makes INSERT INTO the table and the result of text for the columns, their placeholders and the next placeholder.
func (t table[T]) insertsBy(text func(names, marks, next string) string) writing[T] {
	names := t.named(once)
	values := text(strings.Join(names, ", "), marks(names, 1, "", ", "), "$"+strconv.Itoa(len(names)+1))
	return t.writes("INSERT INTO "+t.name+" "+values, once)
}

// upserts makes an INSERT that writes what an edit writes over the row with the same key.
func (t table[T]) upserts(rest string) writing[T] {
	var set []string
	for _, name := range t.named(edit) {
		set = append(set, name+" = excluded."+name)
	}
	return t.inserts("ON CONFLICT (" + strings.Join(t.named(keyed), ", ") + ") DO UPDATE SET " + strings.Join(set, ", ") + " " + rest)
}

// updates makes an UPDATE of the columns of a kind, of the row with the same key
// whose column version is as the argument behind those of the row.
func (t table[T]) updates(of how, version, rest string) writing[T] {
	set, where := t.named(of), append(t.named(keyed), version)
	return t.writes("UPDATE "+t.name+" SET "+marks(set, 1, " = ", ", ")+" WHERE "+marks(where, len(set)+1, " = ", " AND ")+" "+rest, of, keyed)
}

// writes makes a statement that takes columns, one kind after the other.
func (t table[T]) writes(text string, kinds ...how) writing[T] {
	type place struct {
		row T
		at  []any // the columns in the order of the placeholders
	}
	places := sync.Pool{New: func() any {
		p := &place{}
		for _, kind := range kinds {
			for _, c := range t.columns(&p.row) {
				if c.how.has(kind) {
					p.at = append(p.at, c.at)
				}
			}
		}
		return p
	}}
	args := func(row *T) []any {
		p := places.Get().(*place) // made once for many rows: an import writes a hundred thousand
		p.row = *row
		out := make([]any, len(p.at), len(p.at)+2)
		for i, at := range p.at {
			out[i] = valueOf(at)
		}
		p.row = *new(T)
		places.Put(p)
		return out
	}
	args(new(T)) // a column of a kind that valueOf does not know shows at start
	return writing[T]{keep(text), args}
}

// same reports whether two rows have the same content, whichever edit wrote them. An empty list, map or document counts as none.
func (t table[T]) same(x, y *T) bool {
	other := t.columns(y)
	for i, c := range t.columns(x) {
		isOf := c.how&(keyed|made|aside) == 0 && c.name != "version" && c.name != "updated_at" && c.name != "deleted_at"
		if isOf && !reflect.DeepEqual(plainOf(c.at), plainOf(other[i].at)) {
			return false
		}
	}
	return true
}

func plainOf(at any) any {
	if text, is := at.(asText); is && slices.Contains([]string{"null", "[]", "{}"}, text.write()) {
		return ""
	}
	return valueOf(at)
}

// named are the columns of a kind.
func (t table[T]) named(of how) (names []string) {
	for _, c := range t.columns(new(T)) {
		if c.how.has(of) {
			names = append(names, c.name)
		}
	}
	return names
}

// marks numbers placeholders for columns: "a = $1, b = $2" if equal, else "$1, $2".
func marks(names []string, from int, equal, between string) string {
	out := make([]string, len(names))
	for i, name := range names {
		if equal != "" {
			out[i] = name + equal
		}
		out[i] += "$" + strconv.Itoa(from+i)
	}
	return strings.Join(out, between)
}

// run writes a row; more are the arguments behind its own. False when it hit none.
func (w writing[T]) run(ctx context.Context, tx *Tx, row *T, more ...any) (bool, error) {
	return engine.Changed(tx.ExecContext(ctx, w.text, slices.Concat(w.args(row), more)...))
}
