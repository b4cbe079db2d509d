package app

import (
	"context"
	"errors"
	"slices"

	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/people"
	"lightbar/internal/record"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// TransferThing gives an asset to another organization. Requires MANAGE_THINGS, full reach of both organizations and a fresh proof.
// What was recorded before stays with the old owner: the asset's run and its stay at an incident end here, and new ones begin for
// the new owner, who sees the asset without a position until it reports again. The asset's relations are dropped and its own API
// keys revoked; its identifiers at providers and its device configuration go with it, but it gets no more reports from the former
// owner's accounts. Refusals: thing_not_found, organization_not_found, asset_limit, conflict (409, Current), validation_failed (it
// is the owner already; the target has an asset of this system name or external id), step_up_required.
func (a *App) TransferThing(ctx context.Context, actor *access.Actor, id, organizationID string, ifMatch int64) (wire.Thing, error) {
	return record.Edit(ctx, a, actor, &transfers, id, record.VersionSeen(ifMatch), func(e *record.Editing[*App, fleet.Thing]) error {
		if err := a.mayReceive(actor, &e.Old, organizationID); err != nil {
			return err
		}
		if err := e.Prove(); err != nil {
			return err
		}
		e.Next.OrganizationID, e.Next.OwnedAt, e.Next.Relations = organizationID, e.Picture.Release(id), nil
		e.Next.Integrations = fleet.MovedIdentifiers(e.Old.Integrations, e.Old.OrganizationID, organizationID)
		return nil
	})
}

// ownThings are assets for actors who reach their owner in full.
var ownThings = func() record.Noun[*App, fleet.Thing, wire.Thing] {
	n := things
	n.Requires, n.Removes = "MANAGE_THINGS", "MANAGE_THINGS"
	n.Load = func(e *record.Editing[*App, fleet.Thing]) (fleet.Thing, error) { return e.By.ownThing(e.Actor, e.ID) }
	return n
}()

// transfers are assets that go to another owner.
var transfers = func() record.Noun[*App, fleet.Thing, wire.Thing] {
	n := ownThings
	n.Verb = "transfer"
	n.Same = func(_, _ *fleet.Thing) bool { return false }
	n.Save = func(e *record.Editing[*App, fleet.Thing]) (bool, error) {
		keys, err := e.By.endOwnership(e, e.Tx, e.Picture, e.Actor, &e.Old, &e.Next, e.Next.OwnedAt)
		if err != nil {
			return false, err
		}
		e.Afterwards(func() error { e.By.forgetKeys(keys); return nil })
		return true, e.Tx.MoveThing(e, &e.Next)
	}
	n.Saved = func(e *record.Editing[*App, fleet.Thing]) error {
		// Both owners find it in their own audit; neither row shows the other owner's data.
		e.Rows = []audit.Row{
			{Verb: e.Verb, OrganizationID: e.Old.OrganizationID, Before: thingDoc(&e.Old),
				After: map[string]any{"organization_id": e.Next.OrganizationID}},
			{Verb: e.Verb, OrganizationID: e.Next.OrganizationID, After: thingDoc(&e.Next)},
		}
		return sayEdited(e, e.Picture.Describe(&e.Next))
	}
	return n
}()

// ownThing finds an asset whose owner the actor reaches in full: an organization that only manages it may not give it away.
func (a *App) ownThing(actor *access.Actor, id string) (fleet.Thing, error) {
	t, _, _, ok := a.Live.Thing(id)
	if !ok || actor.Reach(t.OrganizationID) != access.Full {
		return t, refuseNoThing()
	}
	return t, nil
}

// mayReceive is the law of a new owner.
func (a *App) mayReceive(actor *access.Actor, t *fleet.Thing, organizationID string) error {
	if _, known := a.Live.Organization(organizationID); !known || actor.Reach(organizationID) != access.Full {
		return fleet.Refuse("organization_not_found", "organization_id", "Organization not found")
	}
	if organizationID == t.OrganizationID {
		return fleet.RefuseFields(map[string]string{"organization_id": "The asset already belongs to this organization."})
	}
	there := *t
	there.OrganizationID = organizationID
	if wrong := a.namedNow(&there, nil); wrong["haas_id"] != "" {
		return fleet.RefuseFields(map[string]string{"organization_id": "This organization already has an asset with the same system name."})
	} else if len(wrong) > 0 {
		return fleet.RefuseFields(map[string]string{"organization_id": "This organization already has an asset with the same external ID."})
	}
	return a.mustHaveRoom(organizationID, 1)
}

// endOwnership writes what ends with an ownership: the earlier owner's row, the asset itself, and its keys. What the change
// released is saved with it.
func (a *App) endOwnership(ctx context.Context, tx *store.Tx, change *live.Change, actor *access.Actor, old, next *fleet.Thing,
	at fleet.Instant) ([]fleet.Key, error) {
	if err := tx.EndOwnership(ctx, old, at); err != nil {
		return nil, err
	}
	change.PastOwner(fleet.Ownership{ThingID: old.ID, OrganizationID: old.OrganizationID, From: old.OwnedAt, Until: at, Doc: old})
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
		row := audit.Row{Verb: "revoke", Noun: "key", NounID: k.ID, OrganizationID: k.OrganizationID, Before: people.KeyDoc(k)}
		if err := a.Audit.Write(ctx, tx, actor, row); err != nil {
			return nil, err
		}
	}
	return keys, nil
}

// forgetKeys drops revoked keys from memory.
func (a *App) forgetKeys(keys []fleet.Key) {
	if len(keys) == 0 {
		return
	}
	a.ForgetTokens(func(actor *access.Actor) bool {
		return slices.ContainsFunc(keys, func(k fleet.Key) bool { return k.ID == actor.KeyID })
	})
}
