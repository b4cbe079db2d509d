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
	"lightbar/internal/record"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

var undoMost = int(catalog.LimitInt("undo", "rows"))

// undoable is a noun whose last change can be undone.
type undoable struct {
	noun, edits, deletes string
	name                 func(doc json.RawMessage) string // its name in the audit's document
	// stands reports whether a record is still as the change of a version left it, and the actor may change it.
	stands func(ctx context.Context, a *App, actor *access.Actor, id string, version int64) (bool, error)
}

// undoables are the nouns whose changes are reported and can be undone.
func undoables() (out []*undoable) {
	for _, n := range changingNouns {
		if n.undo != nil {
			out = append(out, n.undo)
		}
	}
	return out
}

// UndoableNouns returns the nouns whose changes can be undone, and the imports that can be undone as a whole, sorted by their names
// on the wire.
func UndoableNouns() (out []string) {
	for _, n := range undoables() {
		out = append(out, n.noun)
	}
	for _, kind := range importKinds {
		out = append(out, kind.noun)
	}
	slices.Sort(out)
	return out
}

// ListUndo returns the last changes of records that the actor may undo: edits and deletions of the last 24 hours in organizations
// of full reach, newest first, at most 200; imports of areas and hazards as a whole. Requires UNDO_ON_MAP. Refusals:
// organization_not_found.
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
		for _, noun := range undoables() {
			rows, err := a.undoOf(ctx, actor, noun, organization, requests)
			if err != nil {
				return nil, wire.Meta{}, err
			}
			out = append(out, rows...)
		}
	}
	slices.SortStableFunc(out, func(x, y wire.Undoable) int { return cmp.Compare(y.At, x.At) })
	out = out[:min(len(out), undoMost)]
	return out, wire.SinglePage(len(out), a.now()), nil
}

// undoOf lists the last changes of a noun, except those of requests that are listed as a whole.
func (a *App) undoOf(ctx context.Context, actor *access.Actor, n *undoable, organization string, whole map[string]bool) (
	out []wire.Undoable, err error) {
	if !actor.Meets(n.edits) {
		return nil, nil
	}
	r := a.Store.Reader()
	rows, err := store.LastChanges(ctx, r, organization, n.noun, a.now().Add(-record.UndoLife), undoMost)
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
		if next.By, err = record.NameOfActor(ctx, a, r, actor, row); err != nil {
			return nil, err
		}
		out = append(out, next)
	}
	return out, nil
}

// undoableOf is a resource in the list of what can be undone; nil = it cannot.
func undoableOf[T, W, B any](q *resource[T, W, B]) *undoable {
	if q.Back == nil {
		return nil
	}
	return &undoable{noun: q.Name, edits: q.Edits, deletes: q.Deletes,
		name: func(doc json.RawMessage) string {
			var row W
			if json.Unmarshal(doc, &row) != nil {
				return ""
			}
			return q.Title(row)
		},
		stands: func(ctx context.Context, a *App, actor *access.Actor, id string, version int64) (bool, error) {
			t, err := q.LoadAny(ctx, a.Store.Reader(), actor, id)
			if refusal := (*fleet.Refusal)(nil); errors.As(err, &refusal) || errors.Is(err, store.ErrUnreadable) {
				return false, nil
			}
			return err == nil && *q.Of(&t).Version == version, err
		},
	}
}
