package record

import (
	"context"
	"maps"
	"slices"

	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// Collection is the verbs of a resource, with their receiver: HTTP registers it, and a test walks it.
type Collection[A Verbs, T, W, B any] struct {
	of *Resource[A, T, W, B]
	by A
}

// By gives a resource's verbs their receiver.
func (q *Resource[A, T, W, B]) By(a A) Collection[A, T, W, B] { return Collection[A, T, W, B]{q, a} }

// Create makes a record; again is true if it already existed exactly as sent. Requires Adds and full reach of its organization.
func (v Collection[A, T, W, B]) Create(ctx context.Context, actor *access.Actor, in B) (row W, again bool, err error) {
	_, id := wire.OwnID(&in)
	return v.of.Create(ctx, v.by, actor, id, func(e *Editing[A, T]) error { return v.of.Make(e, in) })
}

// Edit edits a record that the caller saw in a version, 0 = any. Requires Edits and full reach. Refusals: not_found, conflict,
// those of Law.
func (v Collection[A, T, W, B]) Edit(ctx context.Context, actor *access.Actor, id string, seen int64, in B) (W, error) {
	return v.of.Edit(ctx, v.by, actor, id, seen, func(e *Editing[A, T]) error { return v.of.Law(e, in) })
}

// Editable reports whether a record can be edited; an export, for example, stays as it was requested.
func (v Collection[A, T, W, B]) Editable() bool { return v.of.Law != nil }

// Needs are the fields of B that every new record must have, whatever else is sent, in order of their names.
func (v Collection[A, T, W, B]) Needs() []string {
	wrong := map[string]string{}
	v.of.CheckEmpty(wrong)
	return slices.Sorted(maps.Keys(wrong))
}

// List returns the rows of organizations in reach, and with Since also deleted ones. Requires Views.
func (v Collection[A, T, W, B]) List(ctx context.Context, actor *access.Actor, in Rows) ([]W, wire.Meta, error) {
	q, a := v.of, v.by
	if err := actor.Must(q.Views); err != nil {
		return nil, wire.Meta{}, err
	}
	organizations, err := actor.Reachable(in.OrganizationIDs)
	if err == nil && slices.ContainsFunc(organizations, func(id string) bool { return !q.sees(actor, id) }) {
		err = fleet.Refuse("not_found", "org_ids[]", "Organization not found")
	}
	if err != nil {
		return nil, wire.Meta{}, err
	}
	page, perPage := fleet.Page(in.Page, in.PerPage)
	asOf, since := a.base().Live.AsOfStored(in.Since)
	meta := wire.Meta{Page: page, PerPage: perPage, AsOf: asOf}
	var found []T
	err = a.base().Store.Read(ctx, func(r store.Reader) (err error) {
		found, meta.Total, err = q.Rows.Page(ctx, r, organizations, since, page, perPage)
		return err
	})
	rows := make([]W, len(found))
	for i := range found {
		if of := q.Of(&found[i]); *of.DeletedAt != 0 {
			rows[i] = q.Gone(*of.ID)
		} else {
			rows[i] = q.shown(a, actor.Reach(*of.Owner), &found[i])
		}
	}
	if err == nil && q.Fill != nil {
		err = q.Fill(ctx, a, actor, found, rows)
	}
	return rows, meta, err
}

// Read returns one record in reach. Requires Views. Refusals: not_found.
func (v Collection[A, T, W, B]) Read(ctx context.Context, actor *access.Actor, id string) (row W, err error) {
	q, a := v.of, v.by
	t, err := q.Seen(ctx, a, actor, id)
	if err != nil {
		return row, err
	}
	rows := []W{q.shown(a, actor.Reach(*q.Of(&t).Owner), &t)}
	if q.Fill != nil {
		err = q.Fill(ctx, a, actor, []T{t}, rows)
	}
	return rows[0], err
}

// Remove deletes a record in full reach; its row stays for lists of changes. Requires Deletes. Refusals: not_found, those of MayRemove.
func (v Collection[A, T, W, B]) Remove(ctx context.Context, actor *access.Actor, id string) error {
	e, err := begin[A, T](ctx, v.by, actor, v.of.Deletes, "delete")
	if err != nil {
		return err
	}
	e.ID = id
	return e.through(true, func() error { return v.of.removeIn(e) })
}

func (q *Resource[A, T, W, B]) removeIn(e *Editing[A, T]) (err error) {
	if e.Old, err = q.Load(e, e.Tx, e.Actor, e.ID); err == nil && *q.Of(&e.Old).DeletedAt != 0 {
		err = q.refuse()
	}
	if err == nil && q.MayRemove != nil {
		err = q.MayRemove(e.Actor, &e.Old)
	}
	if e.Next = e.Old; err == nil && q.Ends != nil {
		err = q.Ends(e)
	}
	if err != nil {
		return err
	}
	of, was := q.Of(&e.Next), *q.Of(&e.Old).Version
	*of.Version, *of.UpdatedAt = was+1, e.StampOf(e.Picture)
	*of.DeletedAt = *of.UpdatedAt
	if stored, err := q.Rows.Update(e, e.Tx, &e.Next, was); err != nil {
		return err
	} else if !stored {
		return q.refuse()
	}
	q.afterCommit(e)
	q.PublishGone(e.Picture, &e.Next)
	if err := q.putInPicture(e.Picture, &e.Next); err != nil {
		return err
	}
	return q.door.audit(e, audit.Row{Verb: e.Verb, OrganizationID: *of.Owner, Before: q.door.Doc(&e.Old)})
}
