package app

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/people"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

var (
	undoLife = catalog.LimitMs("undo", "lifeMs")
	undoMost = int(catalog.LimitInt("undo", "rows"))
)

// undone is what a conflict of an undo says.
func undone(word string) string { return "This " + word + " was changed again since then." }

// undoable is a noun whose last change can be undone.
type undoable struct {
	noun, edits, deletes string
	name                 func(doc json.RawMessage) string // what the audit's document calls it
	// stands reports whether a record is still as the change of a version left it, and the actor may change it.
	stands func(ctx context.Context, a *App, actor *access.Actor, id string, version int64) (bool, error)
}

var undoables = []undoable{areas.undoable(), closures.undoable(), zones.undoable(), undoableEvents}

// changeToUndo is the row of the change that made a record's present version.
// Refusals: undo_expired, undo_nothing.
func (a *App) changeToUndo(ctx context.Context, r store.Reader, noun, id string, version int64) (fleet.AuditRow, error) {
	row, err := store.LastVersion(ctx, r, noun, id)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return row, err
	}
	if err != nil || row.VersionMade() != version || a.now().Sub(row.At) > undoLife {
		return row, fleet.Refuse("undo_expired", "", "Changes can only be undone for 24 hours.")
	}
	if len(row.Before) == 0 && row.Verb != "undo" {
		return row, fleet.Refuse("undo_nothing", "", "There's no earlier version to restore. To remove it, delete it.")
	}
	return row, nil
}

// ListUndo returns the last changes of records that the actor may undo: edits
// and deletions of the last 24 hours in organizations of full reach, newest
// first, at most 200; imports of areas and hazards as a whole. Requires UNDO_ON_MAP. Refusals: organization_not_found.
func (a *App) ListUndo(ctx context.Context, actor *access.Actor, organizationIDs []string) ([]wire.Undoable, wire.Meta, error) {
	if err := actor.Must("UNDO_ON_MAP"); err != nil {
		return nil, wire.Meta{}, err
	}
	organizations, err := actor.Reachable(organizationIDs)
	if err != nil {
		return nil, wire.Meta{}, err
	}
	out := []wire.Undoable{}
	for _, organization := range organizations {
		if actor.Reach(organization) != access.Full {
			continue
		}
		requests := map[string]bool{}
		for _, kind := range importKinds {
			imports, err := kind.undoOf(ctx, a, actor, organization, requests)
			if err != nil {
				return nil, wire.Meta{}, err
			}
			out = append(out, imports...)
		}
		for i := range undoables {
			rows, err := a.undoOf(ctx, actor, &undoables[i], organization, requests)
			if err != nil {
				return nil, wire.Meta{}, err
			}
			out = append(out, rows...)
		}
	}
	slices.SortStableFunc(out, func(x, y wire.Undoable) int { return cmp.Compare(y.At, x.At) })
	out = out[:min(len(out), undoMost)]
	return out, wire.Whole(len(out), a.now()), nil
}

// undoOf lists the last changes of a noun, but for those of requests that are listed as a whole.
func (a *App) undoOf(ctx context.Context, actor *access.Actor, n *undoable, organization string, whole map[string]bool) (
	out []wire.Undoable, err error) {
	if !actor.Meets(n.edits) {
		return nil, nil
	}
	r := a.Store.Reader()
	rows, err := store.LastChanges(ctx, r, organization, n.noun, a.now().Add(-undoLife), undoMost)
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		if whole[row.RequestID] {
			continue
		}
		next := wire.Undoable{Noun: n.noun, ID: row.NounID, OrganizationID: organization, At: row.At, Version: row.VersionMade(), Verb: "edit"}
		doc := row.Before
		if row.Removes() {
			next.Verb = "delete"
		} else if doc = row.After; len(row.Before) == 0 {
			next.Verb = "restore"
		}
		if next.Verb != "edit" && !actor.Meets(n.deletes) {
			continue
		}
		if stands, err := n.stands(ctx, a, actor, row.NounID, next.Version); err != nil {
			return nil, err
		} else if !stands {
			continue
		}
		next.Name = n.name(doc)
		if next.By, err = people.NameOfActor(ctx, a, r, actor, row); err != nil {
			return nil, err
		}
		out = append(out, next)
	}
	return out, nil
}

// undoDoor is the edit door of a noun for undos: deleted records come in, too.
func (q *quiet[T, W]) undoDoor() people.Noun[*App, T, W] {
	door, gone := q.door, func(t *T) bool { return *q.Of(t).DeletedAt != 0 }
	door.Verb, door.Since = "undo", undone(q.Name)
	door.Load = func(e *people.Editing[*App, T]) (T, error) { return q.loadAny(e, e.Tx, e.Actor, e.ID) }
	door.Same = func(x, y *T) bool { return gone(x) == gone(y) && q.Same(x, y) }
	door.Saved = func(e *people.Editing[*App, T]) error {
		if gone(&e.Next) {
			q.tellGone(e.Picture, &e.Next)
			return q.keep(e, e.Picture, e.Tx, &e.Next)
		}
		return q.door.Saved(e)
	}
	door.Doc = func(t *T) any {
		if gone(t) {
			return nil
		}
		return q.door.Doc(t)
	}
	door.Show = func(ctx context.Context, a *App, actor *access.Actor, id string) (row W, err error) {
		t, err := q.loadAny(ctx, a.Store.Reader(), actor, id)
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

// undo puts a record back to what it was before the change that made a version,
// the present one, for 24 hours: an edit is taken back, a deleted record comes
// back, and to undo that deletes it again. Requires the noun's Edits, for what
// deletes or brings back its Deletes too, and full reach; its law is asked again.
// Refusals: not_found, conflict, undo_expired, undo_nothing, those of the law.
func (q *quiet[T, W]) undo(ctx context.Context, a *App, actor *access.Actor, id string, version int64) (W, error) {
	door := q.undoDoor()
	return people.Edit(ctx, a, actor, &door, id, &version, func(e *people.Editing[*App, T]) error {
		row, err := a.changeToUndo(e, e.Tx, q.Name, id, version)
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
			*of.DeletedAt = a.stamp(e.Picture)
			return nil
		}
		err = q.lawful(actor, func(*T) error { return q.Back(e, row.Before) }, &e.Next)
		*of.DeletedAt = 0
		return err
	})
}

// backTo is Back of a noun whose rows say all of it.
func backTo[T, W any](put func(a *App, t *T, was W) error) func(e *people.Editing[*App, T], doc json.RawMessage) error {
	return func(e *people.Editing[*App, T], doc json.RawMessage) error {
		var was W
		if err := json.Unmarshal(doc, &was); err != nil {
			return err
		}
		return put(e.By, &e.Next, was)
	}
}

// undoable is the noun in the list of what can be undone.
func (q *quiet[T, W]) undoable() undoable {
	return undoable{noun: q.Name, edits: q.Edits, deletes: q.Deletes,
		name: func(doc json.RawMessage) string {
			var row W
			if json.Unmarshal(doc, &row) != nil {
				return ""
			}
			return q.Title(row)
		},
		stands: func(ctx context.Context, a *App, actor *access.Actor, id string, version int64) (bool, error) {
			t, err := q.loadAny(ctx, a.Store.Reader(), actor, id)
			if refusal := (*fleet.Refusal)(nil); errors.As(err, &refusal) {
				return false, nil
			}
			return err == nil && *q.Of(&t).Version == version, err
		},
	}
}
