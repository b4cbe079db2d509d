package app

import (
	"context"

	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/people"
	"lightbar/internal/store"
)

// DeleteOrganization removes an organization in full reach that has neither
// users nor assets; its relations, those to single assets too, its offers and
// keys end. Never the own one. Requires
// DELETE_ORGANIZATION and a fresh proof. Refusals: not_found, own_account,
// organization_in_use, step_up_required.
func (a *App) DeleteOrganization(ctx context.Context, actor *access.Actor, id string) error {
	if err := actor.Must("DELETE_ORGANIZATION"); err != nil {
		return err
	}
	if id == actor.OrganizationID {
		return fleet.Refuse("own_account", "", "You can't do this to your own organization.")
	}
	if actor.Reach(id) != access.Full {
		return people.RefuseNoOrganization()
	}
	if err := a.MustBeFresh(ctx, actor); err != nil {
		return err
	}
	var related []fleet.OrganizationRelation
	err := a.Change(ctx, func(c *live.Change, tx *store.Tx) error {
		there, err := tx.LockOrganization(ctx, id)
		if err != nil {
			return err
		}
		if !there {
			return people.RefuseNoOrganization()
		}
		o, err := store.OrganizationByID(ctx, tx, id)
		if err != nil {
			return err
		}
		if related, err = a.deleteOrganizationIn(ctx, tx, id); err != nil {
			return err
		}
		if _, err := a.endSharing(ctx, c, tx, actor, "", id); err != nil {
			return err
		}
		return a.Audit.Write(ctx, tx, actor, audit.Row{Verb: "delete", Noun: "organization", NounID: id, OrganizationID: id,
			Before: people.OrganizationWire(o, related, nil)})
	})
	if err != nil {
		return err
	}
	a.AccessChanged("", id)
	for _, rel := range related {
		a.relationChanged(rel.OrganizationID, rel.OtherID)
	}
	return a.OrganizationsChanged(ctx)
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
	if _, err := tx.RevokeKeysOf(ctx, "", id, a.now()); err != nil {
		return nil, err
	}
	_, err = tx.DeleteOrganization(ctx, id, a.now())
	return related, err
}
