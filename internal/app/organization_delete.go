package app

import (
	"context"

	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/people"
	"lightbar/internal/record"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// DeleteOrganization removes an organization in full reach that has neither users nor assets; its relations (also those to single
// assets), offers and keys end. Actors can never delete their own organization. Requires DELETE_ORGANIZATION and a fresh proof.
// Refusals: not_found, own_account, organization_in_use, step_up_required.
func (a *App) DeleteOrganization(ctx context.Context, actor *access.Actor, id string) error {
	return record.Remove(ctx, a, actor, &organizations, id, func(*record.Editing[*App, fleet.Organization]) error {
		if id == actor.OrganizationID {
			return fleet.Refuse("own_account", "", "You can't do this to your own organization.")
		}
		if actor.Reach(id) != access.Full {
			return people.RefuseNoOrganization()
		}
		return nil
	}, func(e *record.Editing[*App, fleet.Organization]) error {
		related, err := a.deleteOrganizationIn(ctx, e.Tx, id)
		if err != nil {
			return err
		}
		e.Rows = []audit.Row{{Verb: e.Verb, OrganizationID: id, Before: people.OrganizationWire(e.Old, related, nil)}}
		e.Afterwards(func() error {
			a.AccessChanged("", id)
			for _, rel := range related {
				a.relationChanged(rel.OrganizationID, rel.OtherID)
			}
			return a.OrganizationsChanged(ctx)
		})
		_, err = a.endSharing(ctx, e.Picture, e.Tx, actor, "", id)
		return err
	})
}

// organizations are those being deleted, together with what they share.
var organizations = record.Noun[*App, fleet.Organization, wire.OrganizationRow]{
	Name: "organization", Word: "organization", Removes: "DELETE_ORGANIZATION", Pictured: true,
	Load: func(e *record.Editing[*App, fleet.Organization]) (o fleet.Organization, err error) {
		if err := record.LockOrganizations(e, e.Tx, e.ID); err != nil {
			return o, err
		}
		return store.OrganizationByID(e, e.Tx, e.ID)
	},
	Of:  func(o *fleet.Organization) record.Header { return record.Header{Owner: o.ID} },
	Doc: func(o *fleet.Organization) any { return people.OrganizationWire(*o, nil, nil) },
}

func (a *App) deleteOrganizationIn(ctx context.Context, tx *store.Tx, id string) ([]fleet.OrganizationRelation, error) {
	users, things, err := store.CountBelonging(ctx, tx, id)
	if err != nil {
		return nil, err
	}
	if users+things > 0 {
		return nil, fleet.Refuse("organization_in_use", "", "This organization still has assets or users.")
	}
	related, err := store.RelationsOf(ctx, tx, id)
	if err != nil {
		return nil, err
	}
	if err := tx.DeleteOrganizationRelations(ctx, id); err != nil {
		return nil, err
	}
	if err := tx.EndOffersOf(ctx, id, a.now()); err != nil {
		return nil, err
	}
	if err := tx.EndFeedsOf(ctx, id, a.now()); err != nil {
		return nil, err
	}
	if err := tx.EndIntegrationsOf(ctx, id, a.now()); err != nil {
		return nil, err
	}
	if err := tx.EndWatchdogOf(ctx, id); err != nil {
		return nil, err
	}
	if err := tx.EndMonthlyMailOf(ctx, id); err != nil {
		return nil, err
	}
	if _, err := tx.RevokeKeysOf(ctx, "", id, a.now()); err != nil {
		return nil, err
	}
	_, err = tx.DeleteOrganization(ctx, id, a.now())
	return related, err
}
