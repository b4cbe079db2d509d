package app

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// relationNone is a partner's kind when only single assets are shared with it.
const relationNone = "none"

func byPartnerName(x, y wire.Partner) int {
	return cmp.Or(cmp.Compare(strings.ToLower(x.OrganizationName), strings.ToLower(y.OrganizationName)),
		cmp.Compare(x.OrganizationID, y.OrganizationID))
}

// sharedNow lists an organization's assets that are shared with another one by relations of their own. On the command line there is
// no picture, and no number is reported.
func (a *App) sharedNow(organizationID, otherID string) []*fleet.Thing {
	if a.Live == nil {
		return nil
	}
	return a.Live.Shared(organizationID, otherID)
}

// endSharing ends what an organization's assets gave to another one, and returns for how many; no organization means all. The other
// one is notified that each asset is gone; everybody else who sees it gets its new state. c is nil on the command line, where
// nobody watches.
func (a *App) endSharing(ctx context.Context, c *live.Change, tx *store.Tx, actor *access.Actor, organizationID,
	otherID string) (int, error) {
	shared, err := a.sharedForChange(ctx, c, tx, organizationID, otherID)
	if err != nil {
		return 0, err
	}
	now := a.now()
	for _, old := range shared {
		next := *old
		next.Relations = slices.DeleteFunc(slices.Clone(old.Relations), func(r fleet.Relation) bool { return r.OrganizationID == otherID })
		next.Version, next.UpdatedAt = old.Version+1, now
		if err := tx.UpdateThing(ctx, &next); err != nil {
			return 0, err
		}
		if err := tx.PutGone(ctx, otherID, old.ID, now); err != nil {
			return 0, err
		}
		err := a.Audit.Write(ctx, tx, actor.AsShownTo(old.OrganizationID), audit.Row{Verb: "associate", Noun: "thing", NounID: old.ID,
			OrganizationID: old.OrganizationID, Before: thingDoc(old), After: thingDoc(&next)})
		if err != nil {
			return 0, err
		}
		if c != nil {
			c.Lost(otherID, old.ID)
			sayThing(c, old, &next, a.Live.Describe(&next))
			c.Put(&next)
		}
	}
	return len(shared), nil
}

func (a *App) sharedForChange(ctx context.Context, c *live.Change, tx *store.Tx, organizationID, otherID string) ([]*fleet.Thing, error) {
	if c != nil {
		return a.Live.Shared(organizationID, otherID), nil
	}
	all, err := store.ListAllThings(ctx, tx)
	return slices.DeleteFunc(all, func(t *fleet.Thing) bool { return !live.IsShared(t, organizationID, otherID) }), err
}
