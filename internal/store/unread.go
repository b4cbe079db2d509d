package store

import (
	"context"
	"slices"

	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
)

// UnreadRow is a row that cannot be read.
type UnreadRow = engine.UnreadRow

// ErrUnreadable means that a row exists and cannot be read.
var ErrUnreadable = engine.ErrUnreadable

// examination reads a whole table, for who looks for damage.
type examination struct {
	table string
	// documents are the columns that the database stores as text and a row in another form.
	documents []string
	find      func(ctx context.Context, r Reader, found func(UnreadRow)) error
}

// examinations are those of all tables with such columns: what a type of the database does not guarantee.
var examinations []examination

// examined notes the table, once, where one of its columns may hold a text that is no value of its row.
func (t table[T]) examined(names []string) {
	known := slices.ContainsFunc(examinations, func(e examination) bool { return e.table == t.name })
	of := examination{table: t.name, documents: t.documents()}
	if known || t.proof && t.wholeOf == "" || len(of.documents) == 0 {
		return
	}
	visit := t.everyRow(names)
	of.find = func(ctx context.Context, r Reader, found func(UnreadRow)) error {
		return visit(ctx, r, func(*T) {}, found)
	}
	examinations = append(examinations, of)
}

// documents are the columns in which the table stores them.
func (t table[T]) documents() (names []string) {
	for _, c := range t.columns(new(T)) {
		if _, is := c.at.(asText); is {
			names = append(names, c.name)
		}
	}
	if t.wholeOf != "" && !slices.Contains(names, t.wholeOf) {
		names = append(names, t.wholeOf)
	}
	return names
}

// FindUnread reads every row of the tables that store documents, and returns those that cannot be read.
func FindUnread(ctx context.Context, r Reader) (out []UnreadRow, err error) {
	for _, e := range examinations {
		if err := e.find(ctx, r, func(row UnreadRow) { out = append(out, row) }); err != nil {
			return out, err
		}
	}
	return out, nil
}

const (
	eventAside = `UPDATE location SET external_id = external_id || '#' || id, is_active = FALSE,
end_at = CASE WHEN end_at = 0 THEN $1 ELSE end_at END, updated_at = $1 WHERE id = $2`
	hazardAside  = "UPDATE hazard SET deleted_at = $1, updated_at = $1, due_at = 0, external_id = external_id || '#' || id WHERE id = $2"
	closureAside = `UPDATE closure SET deleted_at = $1, updated_at = $1, external_id = external_id || '#' || id
WHERE feed_subscription_id = $2 AND feed_subscription_id <> '' AND external_id = $3 AND deleted_at = 0`
)

// EventAside ends an event that cannot be read and moves it out of the way of its sender's next report. The row stays until the end
// of its retention.
func (tx *Tx) EventAside(ctx context.Context, id string, now fleet.Instant) error {
	_, err := tx.ExecContext(ctx, eventAside, int64(now), id)
	return err
}

// HazardAside moves a hazard that cannot be read out of the way of its sender's next report. The row stays until the end of its
// retention.
func (tx *Tx) HazardAside(ctx context.Context, id string, now fleet.Instant) error {
	_, err := tx.ExecContext(ctx, hazardAside, int64(now), id)
	return err
}

// ClosureAside takes a closure that a feed brought, and that cannot be read, out of the way of a new one with its id.
func (tx *Tx) ClosureAside(ctx context.Context, feedID, externalID string, now fleet.Instant) error {
	_, err := tx.ExecContext(ctx, closureAside, int64(now), feedID, externalID)
	return err
}
