package record

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
)

// UndoLife is for how long a change can be undone.
var UndoLife = catalog.LimitMs("undo", "lifeMs")

// UndoConflict is the message of an undo's conflict.
func UndoConflict(word string) string { return "This " + word + " was changed again since then." }

// ChangeToUndo is the row of the change that made a record's current version. Refusals: undo_expired, undo_nothing.
func (b *Base) ChangeToUndo(ctx context.Context, r store.Reader, noun, id string, version int64) (fleet.AuditRow, error) {
	row, err := store.LastVersion(ctx, r, noun, id)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return row, err
	}
	if err != nil || row.VersionMade() != version || b.now().Sub(row.At) > UndoLife {
		return row, fleet.Refuse("undo_expired", "", "Changes can only be undone for 24 hours.")
	}
	if len(row.Before) == 0 && row.Verb != "undo" {
		return row, fleet.Refuse("undo_nothing", "", "There's no earlier version to restore. To remove it, delete it.")
	}
	return row, nil
}

// undoDoor is the edit door of a noun for undos: it also admits deleted records.
func (q *Resource[A, T, W, B]) undoDoor() Noun[A, T, W] {
	door, gone := q.door, func(t *T) bool { return *q.Of(t).DeletedAt != 0 }
	door.Verb, door.Since = "undo", UndoConflict(q.Name)
	door.Load = func(e *Editing[A, T]) (T, error) { return q.LoadAny(e, e.Tx, e.Actor, e.ID) }
	door.Same = func(x, y *T) bool { return gone(x) == gone(y) && q.Rows.Same(x, y) }
	door.Saved = func(e *Editing[A, T]) error {
		if gone(&e.Next) {
			q.afterCommit(e)
			q.PublishGone(e.Picture, &e.Next)
			return q.putInPicture(e.Picture, &e.Next)
		}
		return q.door.Saved(e)
	}
	door.Doc = func(t *T) any {
		if gone(t) {
			return nil
		}
		return q.door.Doc(t)
	}
	door.Show = func(ctx context.Context, a A, actor *access.Actor, id string) (row W, err error) {
		t, err := q.LoadAny(ctx, a.base().Store.Reader(), actor, id)
		if err != nil {
			return row, err
		}
		if gone(&t) {
			return q.Gone(id), nil
		}
		return q.Row(a, &t), nil
	}
	return door
}

// Undo restores a record to its state before the change that made a version, the current one, for 24 hours: an edit is reverted, a
// deleted record is restored, and undoing that deletes it again. Requires the noun's Edits, for what deletes or brings back its
// Deletes too, and full reach; its law is asked again. Refusals: not_found, conflict, undo_expired, undo_nothing, those of the law.
func (v Collection[A, T, W, B]) Undo(ctx context.Context, actor *access.Actor, id string, version int64) (W, error) {
	q, a := v.of, v.by
	door := q.undoDoor()
	return Edit(ctx, a, actor, &door, id, &version, func(e *Editing[A, T]) error {
		row, err := e.ChangeToUndo(e, e.Tx, q.Name, id, version)
		if err != nil {
			return err
		}
		of := q.Of(&e.Next)
		if *of.DeletedAt != 0 || len(row.Before) == 0 {
			if err := actor.Must(q.Deletes); err != nil {
				return err
			}
		}
		if len(row.Before) == 0 {
			*of.DeletedAt = e.StampOf(e.Picture)
			return nil
		}
		err = q.Lawful(e, func(e *Editing[A, T]) error { return q.Back(e, row.Before) })
		*of.DeletedAt = 0
		return err
	})
}

// BackTo is Back for a noun whose audit rows contain all of it. said has the fields that the row and the write shape have in common,
// except those that are null. A field that the row lacks, because an earlier version of the server wrote it, is not sent: it stays
// as it is.
func BackTo[A Verbs, T, W, B any](put func(a A, t *T, was W, said B) error) func(e *Editing[A, T], doc json.RawMessage) error {
	return func(e *Editing[A, T], doc json.RawMessage) error {
		var was W
		var said B
		if err := cmp.Or(json.Unmarshal(doc, &was), json.Unmarshal(doc, &said)); err != nil {
			return err
		}
		return put(e.By, &e.Next, was, said)
	}
}
