package engine

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Purge describes which rows of a table are past their retention. Its texts are conditions on a row x, with words for parameters:
// $old the instant before which rows are old, $now the present, $upto the end of the keys to check.
type Purge struct {
	Table string
	Key   []string // rows are looked at in the order of these columns …
	From  []any    // … from here on; excluded
	Old   string
	Unit  int64  // milliseconds of $old
	At    string // the instant by which rows grow old, in milliseconds
	Keep  string // rows that stay although they are old; "" = none
	// First are tables that refer to the rows by their id: their rows are deleted first, in the same transaction.
	First []Reference
}

// Reference is a column that holds ids of another table.
type Reference struct{ Table, Column string }

// Sweep is a Purge with its statements.
type Sweep struct {
	Purge
	look, drop, oldest sweepText
	first              []sweepText
}

// sweepText is a statement and, in the order of its placeholders, the words that they stand for.
type sweepText struct {
	text  string
	words []string
}

// NewSweep makes the statements.
func NewSweep(p Purge) *Sweep {
	s := &Sweep{Purge: p}
	keys := "x." + strings.Join(p.Key, ", x.")
	keep, stays := "0", ""
	if p.Keep != "" {
		keep, stays = "CASE WHEN "+p.Keep+" THEN 1 ELSE 0 END", " AND NOT "+p.Keep
	}
	after := "(" + keys + ") > (" + strings.Join(wordsOf("$from", len(p.Key)), ", ") + ") AND "
	// The range comes first: SQLite seeks by the first two bounds that it finds, and would otherwise read on to the end of all old
	// rows.
	rows := after + "(" + keys + ") <= (" + strings.Join(wordsOf("$to", len(p.Key)), ", ") + ") AND " + p.Old + stays
	from, by := " FROM "+p.Table+" AS x WHERE ", " ORDER BY "+keys
	s.look = s.numbered("SELECT " + keys + ", " + keep + from + after + p.Old + by + " LIMIT $most")
	s.oldest = s.numbered("SELECT " + p.At + from + p.Old + by + " LIMIT 1")
	s.drop = s.numbered("DELETE FROM " + p.Table + " AS x WHERE " + rows)
	for _, by := range p.First {
		of := " IN (SELECT x.id FROM " + p.Table + " AS x WHERE " + rows + ")"
		s.first = append(s.first, s.numbered("DELETE FROM "+by.Table+" WHERE "+by.Column+of))
	}
	return s
}

// Texts are the statements, for the tests that prepare them.
func (s *Sweep) Texts() []string {
	out := []string{s.look.text, s.drop.text, s.oldest.text}
	for _, first := range s.first {
		out = append(out, first.text)
	}
	return out
}

// wordsOf are the words of a key's columns: $fromA, $fromB, …
func wordsOf(name string, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = name + string(rune('A'+i))
	}
	return out
}

var sweepWord = regexp.MustCompile(`\$[a-zA-Z]+`)

// numbered replaces words by $1, $2, … in the order of their first occurrence.
func (s *Sweep) numbered(text string) (out sweepText) {
	out.text = sweepWord.ReplaceAllStringFunc(text, func(w string) string {
		at := slices.Index(out.words, w)
		if at < 0 {
			at = len(out.words)
			out.words = append(out.words, w)
		}
		return "$" + strconv.Itoa(at+1)
	})
	return out
}

// args are the values of a statement's placeholders.
func (t *sweepText) args(values map[string]any) []any {
	out := make([]any, len(t.words))
	for i, w := range t.words {
		out[i] = values[w]
	}
	return out
}

// Sweeping is one pass of a sweep.
type Sweeping struct {
	Before, Now int64 // milliseconds: what is old, and the present
	Upto        any   // the end of the first key; only if Old uses it
	// Write runs a transaction; nil = the store's own.
	Write func(ctx context.Context, fn func(tx *Tx) error) error
}

const (
	// sweepRows is how many rows a transaction deletes at most, sweepFew how many the first: some rows are large.
	sweepRows, sweepFew = 500, 10
	// sweepSlow is how long one may work before its commit; the next takes fewer rows.
	sweepSlow = 4 * time.Millisecond
	// sweepPace is the rest after a transaction as a multiple of its duration: a writer meets one in three hundred times at most,
	// which a p99 does not see. sweepRest is the minimum: what a deletion leaves behind is written after it.
	sweepPace = 300
	sweepRest = 100 * time.Millisecond
)

// Swept is the result of a sweep.
type Swept struct{ Gone, Held int64 }

// Sweep deletes the old rows of a table: a few at a time, each time in a short transaction of its own and with a rest after it, so
// that concurrent writers hardly wait. Rows that stay are checked again and not written.
func (s *Store) Sweep(ctx context.Context, p *Sweep, o Sweeping) (out Swept, err error) {
	if o.Write == nil {
		o.Write = s.Write
	}
	values := map[string]any{"$old": floorDiv(o.Before, p.Unit), "$now": o.Now, "$upto": o.Upto}
	note := func(name string, key []any) {
		for i, w := range wordsOf(name, len(key)) {
			values[w] = key[i]
		}
	}
	from := p.From
	for most := sweepFew; ctx.Err() == nil; {
		note("$from", from)
		values["$most"] = most
		keys, held, err := p.next(ctx, s.Reader(), values)
		if err != nil || len(keys) == 0 {
			return out, err
		}
		from = keys[len(keys)-1]
		note("$to", from)
		out.Held += held
		if held == int64(len(keys)) {
			continue
		}
		began, gone, work := time.Now(), int64(0), time.Duration(0)
		if err := o.Write(ctx, func(tx *Tx) (err error) {
			within := time.Now()
			gone, err = p.delete(ctx, tx, values)
			work = time.Since(within)
			return err
		}); err != nil {
			return out, err
		}
		out.Gone += gone
		if len(keys) < most {
			return out, nil
		}
		switch {
		case work > sweepSlow:
			most = max(most/2, sweepFew)
		case work < sweepSlow/3:
			most = min(most*2, sweepRows)
		}
		s.rest(ctx, max(sweepPace*time.Since(began), sweepRest))
	}
	return out, ctx.Err()
}

func (s *Store) rest(ctx context.Context, d time.Duration) {
	if s.opts.Rest != nil {
		s.opts.Rest(ctx, d)
		return
	}
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// Oldest is the instant of the first row that a sweep will find some day, in milliseconds; 0 = there is none.
func (p *Sweep) Oldest(ctx context.Context, r Reader) (at int64, err error) {
	values := map[string]any{"$old": int64(math.MaxInt64), "$upto": "~"}
	err = r.QueryRowContext(ctx, p.oldest.text, p.oldest.args(values)...).Scan(&at)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return at, err
}

// next reads the keys of the next old rows, and how many of these stay.
func (p *Sweep) next(ctx context.Context, r Reader, values map[string]any) (keys [][]any, held int64, err error) {
	keys, err = List(ctx, r, func(rows *sql.Rows) ([]any, error) {
		key, into, stays := make([]any, len(p.Key)), make([]any, len(p.Key)+1), int64(0)
		for i := range key {
			into[i] = &key[i]
		}
		into[len(key)] = &stays
		err := rows.Scan(into...)
		held += stays
		return key, err
	}, p.look.text, p.look.args(values)...)
	return keys, held, err
}

func (p *Sweep) delete(ctx context.Context, tx *Tx, values map[string]any) (int64, error) {
	for _, first := range p.first {
		if _, err := tx.ExecContext(ctx, first.text, first.args(values)...); err != nil {
			return 0, err
		}
	}
	res, err := tx.ExecContext(ctx, p.drop.text, p.drop.args(values)...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// floorDiv is a / b, rounded down.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}
