package app

import (
	"context"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/record"
)

// DeleteThing removes an asset: everybody who sees it is notified, its keys are revoked, its system name is free again, and its
// history stays with its owner. Requires MANAGE_THINGS, full reach of the owner and a fresh proof of identity. Refusals:
// step_up_required, not_found.
func (a *App) DeleteThing(ctx context.Context, actor *access.Actor, id string) error {
	return record.Remove(ctx, a, actor, &ownThings, id, nil, func(e *record.Editing[*App, fleet.Thing]) error {
		c, old := e.Picture, e.Old
		next, at, audience := old, c.Release(id), live.Audience(&old)
		next.Relations, next.Integrations = nil, nil
		next.Version, next.UpdatedAt, next.DeletedAt = old.Version+1, e.At, e.At
		keys, err := a.endOwnership(ctx, e.Tx, c, actor, &old, &next, at)
		if err != nil {
			return err
		}
		e.Afterwards(func() error { a.forgetKeys(keys); return nil })
		for _, org := range audience {
			if err := e.Tx.PutGone(ctx, org, id, e.At); err != nil {
				return err
			}
			c.Lost(org, id)
		}
		tellRemoved(c, id, audience)
		c.Put(&next)
		return nil
	})
}
