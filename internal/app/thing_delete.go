package app

import (
	"context"
	"errors"

	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
)

// DeleteThing removes an asset: everybody who sees it is told that it has gone,
// its keys are revoked, its system name is free again, and its history stays
// with its owner. Requires MANAGE_THINGS, full reach of the owner and a fresh
// proof of identity. Refusals: step_up_required, not_found.
func (a *App) DeleteThing(ctx context.Context, actor *Actor, id string) error {
	if err := actor.Must("MANAGE_THINGS"); err != nil {
		return err
	}
	if err := a.mustBeFresh(ctx, actor); err != nil {
		return err
	}
	change := a.Live.Begin()
	defer change.Abort()
	old, _, err := a.ownThing(actor, id)
	if err != nil {
		var refusal *fleet.Refusal
		if errors.As(err, &refusal) {
			return fleet.Refuse("not_found", "", "Asset not found")
		}
		return err
	}
	at := change.Release(id)
	next := old
	next.Relations, next.Integrations = nil, nil
	next.Version, next.UpdatedAt, next.DeletedAt = old.Version+1, change.Now(), change.Now()
	audience := live.Audience(&old)
	var keys []fleet.Key
	err = a.Store.Write(ctx, func(tx *store.Tx) (err error) {
		if keys, err = a.releaseThing(ctx, tx, change, actor, &old, &next, at); err != nil {
			return err
		}
		for _, org := range audience {
			if err := tx.PutGone(ctx, org, id, change.Now()); err != nil {
				return err
			}
			change.Lost(org, id)
		}
		return a.writeAudit(ctx, tx, actor, audited{Verb: "delete", Noun: "thing", NounID: id, OrganizationID: old.OrganizationID, Before: thingDoc(&old)})
	})
	if err != nil {
		return err
	}
	tellRemoved(change, id, audience)
	change.Put(&next)
	change.Apply(a.Bus.Publish)
	a.forgetKeys(keys)
	return nil
}
