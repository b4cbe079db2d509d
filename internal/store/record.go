package store

import (
	"context"
	"database/sql"

	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
)

// Records are the rows of a noun that people of an organization edit: each has an id, an organization, a version and updated_at,
// and its row stays when it is deleted (deleted_at), so that lists can show what is gone. The statements follow from the table; a
// noun has handwritten ones only for what is special about it.
type Records[T any] struct {
	insert, update writing[T]
	byID, page     reading[T]
	count          string
	// Same reports whether two are equal: an edit that leaves it equal is none.
	Same   func(x, y *T) bool
	latest reading[T]
	tally  string
}

// changedSince picks an organization's rows: all that are there, or with an instant those changed at or after it, gone ones too.
const changedSince = "WHERE organization_id = $1 AND updated_at >= $2 AND (deleted_at = 0 OR $2 > 0)"

func recordsOf[T any](t table[T]) Records[T] {
	return Records[T]{
		Same: t.same, insert: t.inserts("ON CONFLICT (id) DO NOTHING"), update: t.updates(edit, "version", ""), byID: t.selects("WHERE id = $1"),
		page:  t.selects(changedSince + " ORDER BY id LIMIT $3 OFFSET $4"),
		count: keep("SELECT COUNT(*) FROM " + t.name + " " + changedSince),
		latest: t.selects("x WHERE organization_id = $1 AND updated_at >= $2 AND NOT (deleted_at > 0 AND " + madeSince("$3") +
			") ORDER BY updated_at DESC, id LIMIT $4"),
		tally: keep(`SELECT CASE WHEN deleted_at > 0 THEN 'deleted' WHEN made THEN 'created' ELSE 'changed' END AS what, COUNT(*)
FROM (SELECT deleted_at, ` + madeSince("$1") + " AS made FROM " + t.name + ` x WHERE updated_at >= $2 AND organization_id = $3) AS changed
WHERE NOT (deleted_at > 0 AND made) GROUP BY 1`),
	}
}

// madeSince is the condition that a row x of a noun was created at or after $2.
func madeSince(noun string) string {
	return "EXISTS (SELECT 1 FROM audit WHERE whole AND noun = " + noun + " AND noun_id = x.id AND at >= $2 AND verb = 'create')"
}

// Latest reads which of an organization's rows were changed at or after an instant, newest first, including deleted ones, and
// counts all of them by what happened to them: created, changed, deleted. One that was created and deleted in the meantime is not
// counted. noun is its name in the audit.
func (q Records[T]) Latest(ctx context.Context, r Reader, organization, noun string, since fleet.Instant, most int) (rows []T,
	counts map[string]int, err error) {
	if rows, err = q.latest.all(ctx, r, organization, int64(since), noun, most); err != nil {
		return nil, nil, err
	}
	tally, err := countsOf(ctx, r, q.tally, noun, int64(since), organization)
	return rows, tally, err
}

func countsOf(ctx context.Context, r Reader, query string, args ...any) (map[string]int, error) {
	out := map[string]int{}
	_, err := engine.List(ctx, r, func(rows *sql.Rows) (struct{}, error) {
		var what string
		var n int
		err := rows.Scan(&what, &n)
		out[what] = n
		return struct{}{}, err
	}, query, args...)
	return out, err
}

// ByID finds a row, a deleted one too. ErrNotFound when there is none.
func (q Records[T]) ByID(ctx context.Context, r Reader, id string) (T, error) {
	return q.byID.one(ctx, r, id)
}

// Page reads a page of the rows of organizations, in the order of organizations and ids, and how many rows there are in all; page
// counts from 1. With since those changed at or after it, deleted ones among them. A row that cannot be read takes its place on the
// page, and is left out.
func (q Records[T]) Page(ctx context.Context, r Reader, organizations []string, since fleet.Instant, page, perPage int) (out []T, total int,
	err error) {
	skip, left := (page-1)*perPage, perPage
	for _, organization := range organizations {
		var n int
		if err := r.QueryRowContext(ctx, q.count, organization, int64(since)).Scan(&n); err != nil {
			return nil, 0, err
		}
		if total += n; skip < n && left > 0 {
			rows, seen, err := q.page.some(ctx, r, organization, int64(since), left, skip)
			if err != nil {
				return nil, 0, err
			}
			out, left = append(out, rows...), left-seen
		}
		skip = max(0, skip-n)
	}
	return out, total, nil
}

// Count counts what an organization has.
func (q Records[T]) Count(ctx context.Context, r Reader, organizationID string) (n int, err error) {
	err = r.QueryRowContext(ctx, q.count, organizationID, int64(0)).Scan(&n)
	return n, err
}

// Insert adds a row; false when there is one with its id.
func (q Records[T]) Insert(ctx context.Context, tx *Tx, row *T) (bool, error) {
	return q.insert.run(ctx, tx, row)
}

// Update writes the columns that edits write; false when its version is not the one that was seen.
func (q Records[T]) Update(ctx context.Context, tx *Tx, row *T, seen int64) (bool, error) {
	return q.update.run(ctx, tx, row, seen)
}
