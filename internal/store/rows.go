package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
)

// each visits the rows. The row that visit gets is overwritten by the next one. A row that cannot be read stops nothing:
// it is noted, and left out.
func (q reading[T]) each(ctx context.Context, r Reader, visit func(*T), args ...any) error {
	return q.visit(ctx, r, visit, func(row UnreadRow) { engine.NoteUnread(r, row) }, args...)
}

func (q reading[T]) visit(ctx context.Context, r Reader, visit func(*T), unread func(UnreadRow), args ...any) error {
	rows, err := r.QueryContext(ctx, q.text, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	var row, empty T
	into := pointers(q.columns(&row))
	for rows.Next() {
		row = empty
		if err := rows.Scan(into...); err != nil {
			of, is := q.unread(&row, err)
			if !is || q.proof {
				return err
			}
			unread(of)
			continue
		}
		if q.isWhole(&row) {
			visit(&row)
		} else {
			unread(q.unwhole(&row))
		}
	}
	return rows.Err()
}

// all reads the rows.
func (q reading[T]) all(ctx context.Context, r Reader, args ...any) (out []T, err error) {
	if err = q.each(ctx, r, func(row *T) { out = append(out, *row) }, args...); err != nil {
		return nil, err
	}
	return out, nil
}

// some reads the rows of a page, and returns how many there were, including those that cannot be read.
func (q reading[T]) some(ctx context.Context, r Reader, args ...any) (out []T, seen int, err error) {
	err = q.visit(ctx, r, func(row *T) { out = append(out, *row) }, func(row UnreadRow) {
		seen++
		engine.NoteUnread(r, row)
	}, args...)
	return out, seen + len(out), err
}

// refs reads the rows, each into a place of its own.
func (q reading[T]) refs(ctx context.Context, r Reader, args ...any) (out []*T, err error) {
	visit := func(row *T) {
		own := *row
		out = append(out, &own)
	}
	if err = q.each(ctx, r, visit, args...); err != nil {
		return nil, err
	}
	return out, nil
}

// one reads the first row. ErrNotFound when there is none, ErrUnreadable when it cannot be read.
func (q reading[T]) one(ctx context.Context, r Reader, args ...any) (row T, err error) {
	err = r.QueryRowContext(ctx, q.text, args...).Scan(pointers(q.columns(&row))...)
	unread, is := UnreadRow{}, false
	if err != nil {
		unread, is = q.unread(&row, err)
	} else if is = !q.isWhole(&row); is {
		unread = q.unwhole(&row)
	}
	if is {
		engine.NoteUnread(r, unread)
		return *new(T), unread
	}
	return row, engine.OrNotFound(err)
}

// oneOr reads the first row. The default replaces a row that does not exist, and one that cannot be read: that is noted, and the
// next edit replaces it.
func (q reading[T]) oneOr(ctx context.Context, r Reader, usual T, args ...any) (T, error) {
	row, err := q.one(ctx, r, args...)
	if errors.Is(err, ErrNotFound) || errors.Is(err, engine.ErrUnreadable) {
		return usual, nil
	}
	return row, err
}

func (q reading[T]) isWhole(row *T) bool { return q.whole == nil || q.whole(row) == nil }

// unwhole is a row of which each column can be read, and the row cannot.
func (q reading[T]) unwhole(row *T) UnreadRow {
	return UnreadRow{Table: q.noun, Key: keyOf(q.columns(row)), Column: q.wholeOf}
}

// unread is the row that an error of the driver is about; false for an error that is about no row.
func (q reading[T]) unread(row *T, err error) (UnreadRow, bool) {
	at, is := engine.UnreadColumn(err)
	columns := q.columns(row)
	if !is || at >= len(columns) {
		return UnreadRow{}, false
	}
	return UnreadRow{Table: q.noun, Key: keyOf(columns[:at]), Column: columns[at].name}, true
}

// keyOf is the key of a row, from the columns that could be read: those by which it is edited, else its first one.
func keyOf(read []column) string {
	var key []string
	for i, c := range read {
		if c.how.has(keyed) || i == 0 {
			key = append(key, fmt.Sprint(valueOf(c.at)))
		}
	}
	return strings.Join(key, " ")
}

func pointers(columns []column) []any {
	into := make([]any, len(columns))
	for i := range columns {
		into[i] = columns[i].at
	}
	return into
}

// conversion is a column that the database stores in another form than the row.
type conversion interface {
	sql.Scanner
	value() any
}

// valueOf is the value to which a column's pointer points, in the form for the drivers.
func valueOf(at any) any {
	switch p := at.(type) {
	case *string:
		return *p
	case *bool:
		return *p
	case **bool:
		return *p
	case *int64:
		return *p
	case *int:
		return *p
	case *fleet.Instant:
		return int64(*p)
	case *float64:
		return *p
	case conversion:
		return p.value()
	case func() any: // what is written and never read
		return p()
	}
	panic("store: a column of a kind that valueOf does not know")
}

// maybe is a number that is NULL when it is not known. Of two that are known together the second one is NULL with the first.
type maybe struct {
	number *float64
	known  *bool
	second bool
}

// Scan implements sql.Scanner.
func (m maybe) Scan(from any) error {
	var n sql.NullFloat64
	err := n.Scan(from)
	*m.number, *m.known = n.Float64, n.Valid && (*m.known || !m.second)
	return err
}

func (m maybe) value() any {
	if *m.known {
		return *m.number
	}
	return nil
}

// asText is a field that the database stores as text.
type asText struct {
	write func() string
	read  func(string) error
}

// Scan implements sql.Scanner.
func (t asText) Scan(from any) error {
	var s sql.NullString
	if err := s.Scan(from); err != nil {
		return err
	}
	return t.read(s.String)
}

func (t asText) value() any { return t.write() }

// jsonOf is a value that is stored as JSON; an empty text where there is none. A law has checked it.
func jsonOf[T any](at **T) asText {
	return asText{
		write: func() string {
			if *at == nil {
				return ""
			}
			text, _ := json.Marshal(*at)
			return string(text)
		},
		read: func(text string) error {
			if *at = nil; text == "" {
				return nil
			}
			*at = new(T)
			return json.Unmarshal([]byte(text), *at)
		},
	}
}
