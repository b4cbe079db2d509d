package store

import (
	"context"
	"strings"
)

// writingPG is an upsert of many rows in one statement of PostgreSQL, each column an array: where rows went one by
// one, each would wait for its answer. SQLite is here, and repeats the statement of one row.
type writingPG[T any] struct {
	text    string
	columns func(*T) []column
}

// madeTextsPG are the texts of all of these, for the test that prepares them.
var madeTextsPG []string

// upsertsPG makes an upsert of many rows. It sorts them by key, so that writers in different order cannot deadlock.
func (t table[T]) upsertsPG() writingPG[T] {
	var names, keys, arrays, set []string
	for _, c := range t.columns(new(T)) {
		if !c.how.has(once) {
			continue
		}
		names, arrays = append(names, c.name), append(arrays, kindOf(c.at))
		if c.how.has(keyed) {
			keys = append(keys, c.name)
		}
		if c.how.has(edit) {
			set = append(set, c.name+" = excluded."+c.name)
		}
	}
	for i, mark := range strings.Split(marks(names, 1, "", ", "), ", ") {
		arrays[i] = "CAST(" + mark + " AS " + arrays[i] + "[])"
	}
	text := "INSERT INTO " + t.name + " (" + strings.Join(names, ", ") + ") SELECT * FROM unnest(" + strings.Join(arrays, ", ") +
		") AS v(" + strings.Join(names, ", ") + ") ORDER BY " + strings.Join(keys, ", ") +
		" ON CONFLICT (" + strings.Join(keys, ", ") + ") DO UPDATE SET " + strings.Join(set, ", ")
	madeTextsPG = append(madeTextsPG, text)
	return writingPG[T]{text, t.columns}
}

// run writes rows; none must have the key of another.
func (w writingPG[T]) run(ctx context.Context, tx *Tx, rows []*T) error {
	if len(rows) == 0 {
		return nil
	}
	var args []any
	for i, row := range rows {
		n := 0
		for _, c := range w.columns(row) {
			if !c.how.has(once) {
				continue
			}
			if i == 0 {
				args = append(args, arrayOf(c.at, len(rows)))
			}
			args[n] = appendValue(args[n], c.at)
			n++
		}
	}
	_, err := tx.ExecContext(ctx, w.text, args...)
	return err
}

// kindOf is PostgreSQL's name for the type of a column.
func kindOf(at any) string {
	switch arrayOf(at, 0).(type) {
	case []bool:
		return "boolean"
	case []int64:
		return "bigint"
	case []*float64:
		return "double precision"
	}
	return "text"
}

func arrayOf(at any, n int) any {
	switch valueOf(at).(type) {
	case string:
		return make([]string, 0, n)
	case bool:
		return make([]bool, 0, n)
	case int, int64:
		return make([]int64, 0, n)
	case float64:
		return make([]*float64, 0, n)
	case nil:
		if _, is := at.(maybe); is {
			return make([]*float64, 0, n)
		}
	}
	panic("store: a column of a kind that arrayOf does not know")
}

func appendValue(array, at any) any {
	value := valueOf(at)
	switch list := array.(type) {
	case []string:
		return append(list, value.(string))
	case []bool:
		return append(list, value.(bool))
	case []int64:
		if n, is := value.(int); is {
			return append(list, int64(n))
		}
		return append(list, value.(int64))
	}
	list := array.([]*float64)
	if n, is := value.(float64); is {
		return append(list, &n)
	}
	return append(list, nil)
}
