package app

import (
	"context"

	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
)

// DeleteThing removes an asset: everybody who sees it is told that it has gone,
// its keys are revoked, its system name is free again, and its history stays
// with its owner. Requires MANAGE_THINGS, full reach of the owner and a fresh
// proof of identity. Refusals: step_up_required, not_found.
func (a *App) DeleteThing(ctx context.Context, actor *access.Actor, id string) error {
	if err := actor.Must("MANAGE_THINGS"); err != nil {
		return err
	}
	if err := a.MustBeFresh(ctx, actor); err != nil {
		return err
	}
	var keys []fleet.Key
	err := a.Change(ctx, func(c *live.Change, tx *store.Tx) error {
		old, err := a.ownThing(actor, id)
		if err != nil {
			return fleet.Refuse("not_found", "", "Asset not found")
		}
		next, at, audience := old, c.Release(id), live.Audience(&old)
		next.Relations, next.Integrations = nil, nil
		next.Version, next.UpdatedAt, next.DeletedAt = old.Version+1, c.Now(), c.Now()
		if keys, err = a.releaseThing(ctx, tx, c, actor, &old, &next, at); err != nil {
			return err
		}
		for _, org := range audience {
			if err := tx.PutGone(ctx, org, id, c.Now()); err != nil {
				return err
			}
			c.Lost(org, id)
		}
		tellRemoved(c, id, audience)
		c.Put(&next)
		return a.Audit.Write(ctx, tx, actor, audit.Row{Verb: "delete", Noun: "thing", NounID: id, OrganizationID: old.OrganizationID,
			Before: thingDoc(&old)})
	})
	if err == nil {
		a.forgetKeys(keys)
	}
	return err
}
