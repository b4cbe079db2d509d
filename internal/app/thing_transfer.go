package app

import (
	"context"
	"errors"
	"slices"

	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// TransferThing gives an asset to another organization. Requires MANAGE_THINGS,
// full reach of both organizations and a fresh proof. What was recorded before stays with the
// old owner: its run and its stay at an incident end here and begin anew for the
// new one, which sees the asset without a position until it reports again. The
// asset's relations are dropped and its own API keys revoked; its integrations
// and device configuration go with it. Refusals: thing_not_found,
// organization_not_found, asset_limit, conflict (409, Current), validation_failed (it is the
// owner already; the target has an asset of this system name), step_up_required.
func (a *App) TransferThing(ctx context.Context, actor *Actor, id, organizationID string, ifMatch int64) (wire.Thing, error) {
	return edit(ctx, a, actor, &transfers, id, versionSeen(ifMatch), func(e *editing[*App, fleet.Thing]) error {
		if err := a.mayReceive(actor, &e.old, organizationID); err != nil {
			return err
		}
		if err := a.mustBeFreshIn(ctx, e.tx, actor); err != nil {
			return err
		}
		e.next.OrganizationID, e.next.OwnedAt, e.next.Relations = organizationID, e.picture.Release(id), nil
		return nil
	})
}

// transfers are assets that go to another owner.
var transfers = func() noun[*App, fleet.Thing, wire.Thing] {
	n := things
	n.requires, n.verb = "MANAGE_THINGS", "transfer"
	n.load = func(e *editing[*App, fleet.Thing]) (fleet.Thing, error) { return e.by.ownThing(e.actor, e.id) }
	n.same = func(_, _ *fleet.Thing) bool { return false }
	n.save = func(e *editing[*App, fleet.Thing]) (bool, error) {
		keys, err := e.by.releaseThing(e, e.tx, e.picture, e.actor, &e.old, &e.next, e.next.OwnedAt)
		if err != nil {
			return false, err
		}
		e.afterwards(func() error { e.by.forgetKeys(keys); return nil })
		return true, e.tx.MoveThing(e, &e.next)
	}
	n.saved = func(e *editing[*App, fleet.Thing]) error {
		// Both read it in their own audit, and what it was to the other in neither.
		e.rows = []audited{
			{Verb: e.verb, OrganizationID: e.old.OrganizationID, Before: thingDoc(&e.old), After: map[string]any{"organization_id": e.next.OrganizationID}},
			{Verb: e.verb, OrganizationID: e.next.OrganizationID, After: thingDoc(&e.next)},
		}
		return sayEdited(e, e.picture.Describe(&e.next))
	}
	return n
}()

// ownThing finds an asset whose owner the actor reaches in full: who only
// manages it may not give it away.
func (a *App) ownThing(actor *Actor, id string) (fleet.Thing, error) {
	t, _, _, ok := a.Live.Thing(id)
	if !ok || actor.Reach(t.OrganizationID) != ReachFull {
		return t, refuseNoThing()
	}
	return t, nil
}

// mayReceive is the law of a new owner.
func (a *App) mayReceive(actor *Actor, t *fleet.Thing, organizationID string) error {
	if _, known := a.Live.Organization(organizationID); !known || actor.Reach(organizationID) != ReachFull {
		return fleet.Refuse("organization_not_found", "organization_id", "Organization not found")
	}
	if organizationID == t.OrganizationID {
		return fleet.RefuseFields(map[string]string{"organization_id": "The asset already belongs to this organization."})
	}
	if _, taken := a.Live.Find(organizationID, t.SystemName); taken {
		return fleet.RefuseFields(map[string]string{"organization_id": "This organization already has an asset with the same system name."})
	}
	return a.mustHaveRoom(organizationID, 1)
}

// releaseThing writes what ends with an ownership: run, stay and state of the
// change, the earlier owner's row, the asset itself, and its keys.
func (a *App) releaseThing(ctx context.Context, tx *store.Tx, change *live.Change, actor *Actor, old, next *fleet.Thing, at fleet.Instant) ([]fleet.Key, error) {
	if err := change.Save(ctx, tx); err != nil {
		return nil, err
	}
	return a.endOwnership(ctx, tx, change, actor, old, next, at)
}

// endOwnership is releaseThing without what is saved once for the whole change.
func (a *App) endOwnership(ctx context.Context, tx *store.Tx, change *live.Change, actor *Actor, old, next *fleet.Thing, at fleet.Instant) ([]fleet.Key, error) {
	if err := tx.EndOwnership(ctx, old, at); err != nil {
		return nil, err
	}
	change.Former(fleet.Ownership{ThingID: old.ID, OrganizationID: old.OrganizationID, From: old.OwnedAt, Until: at, Doc: old})
	if err := tx.UpdateThing(ctx, next); err != nil {
		if errors.Is(err, store.ErrNotFound) {
			return nil, fleet.Refuse("conflict", "", "Someone else changed this asset while you were editing.")
		}
		return nil, err
	}
	keys, err := tx.RevokeKeysOfThing(ctx, old.ID, change.Now())
	if err != nil {
		return nil, err
	}
	for _, k := range keys {
		row := audited{Verb: "revoke", Noun: "key", NounID: k.ID, OrganizationID: k.OrganizationID, Before: keyDoc(k)}
		if err := a.Audit.Write(ctx, tx, actor, row); err != nil {
			return nil, err
		}
	}
	return keys, nil
}

// forgetKeys ends the trust in keys that have been revoked.
func (a *App) forgetKeys(keys []fleet.Key) {
	if len(keys) == 0 {
		return
	}
	a.ForgetTokens(func(actor *Actor) bool {
		return slices.ContainsFunc(keys, func(k fleet.Key) bool { return k.ID == actor.KeyID })
	})
}
