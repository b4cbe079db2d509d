package app

import (
	"context"
	"errors"
	"regexp"
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

// The possible results of a request to relate two organizations (wire.RelationOutcome.State).
const (
	relationInForce = "in_force"
	relationOffered = "offered"
	relationEnded   = "ended"
)

var validID = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

// RelateOrganizations lets another organization, known by its exact id, manage or access an organization's assets; kind is manager,
// accessor or delete. Where the actor does not reach the other one in full, the relation becomes an offer, whether or not the id
// exists: the other's administrators decide. Lowering or ending a relation takes effect at once; delete also ends an open offer and
// what single assets gave to the other. Requires EDIT_ORGANIZATION, full reach of the organization (or, to end it, of the other)
// and, but for delete, a fresh proof. Refusals: organization_not_found, validation_failed, too_many_offers, step_up_required.
func (a *App) RelateOrganizations(ctx context.Context, actor *access.Actor, organizationID, otherID, kind string) error {
	_, err := a.relate(ctx, actor, organizationID, otherID, kind)
	return err
}

// SetOrganizationRelation is RelateOrganizations with the answer that users are shown. The actor may have given up its own reach by
// it.
func (a *App) SetOrganizationRelation(ctx context.Context, actor *access.Actor, organizationID, otherID,
	kind string) (wire.RelatedOrganization, error) {
	if err := actor.Must("EDIT_ORGANIZATION"); err != nil {
		return wire.RelatedOrganization{}, err
	}
	outcome, err := a.relate(ctx, actor, organizationID, otherID, kind)
	if err != nil {
		return wire.RelatedOrganization{}, err
	}
	row, err := a.OrganizationNow(ctx, actor, organizationID)
	return wire.RelatedOrganization{Data: row, Relation: outcome}, err
}

func (a *App) relate(ctx context.Context, actor *access.Actor, organizationID, otherID, kind string) (wire.RelationOutcome, error) {
	if err := actor.Must("EDIT_ORGANIZATION"); err != nil {
		return wire.RelationOutcome{}, err
	}
	// An organization that was given a relation may end it by itself.
	leaves := kind == fleet.RelationDelete && actor.Reach(organizationID) != access.None && actor.Reach(otherID) == access.Full
	if actor.Reach(organizationID) != access.Full && !leaves {
		return wire.RelationOutcome{}, actor.MustReachFully(organizationID)
	}
	if organizationID == otherID || !slices.Contains([]string{fleet.RelationManager, fleet.RelationAccessor, fleet.RelationDelete}, kind) {
		return wire.RelationOutcome{}, fleet.Refuse("validation_failed", "relationship_type",
			"The relation must be manager, accessor, or delete, to another organization.")
	}
	if !validID.MatchString(otherID) {
		return wire.RelationOutcome{}, fleet.Refuse("validation_failed", "organization_id", "Enter an organization ID.")
	}
	if kind == fleet.RelationDelete {
		return a.endRelation(ctx, actor, organizationID, otherID)
	}
	if err := a.MustBeFresh(ctx, actor); err != nil {
		return wire.RelationOutcome{}, err
	}
	return a.beginRelation(ctx, actor, fleet.OrganizationRelation{OrganizationID: organizationID, OtherID: otherID, Kind: kind})
}

// beginRelation creates or changes a relation, or offers it.
func (a *App) beginRelation(ctx context.Context, actor *access.Actor, rel fleet.OrganizationRelation) (wire.RelationOutcome, error) {
	outcome := wire.RelationOutcome{State: relationInForce, AssetsCount: len(a.sharedNow(rel.OrganizationID, rel.OtherID))}
	same := false
	err := a.Store.Write(ctx, func(tx *store.Tx) error {
		locked := []string{rel.OrganizationID}
		if actor.Reach(rel.OtherID) == access.Full {
			locked = append(locked, rel.OtherID)
		}
		if err := record.LockOrganizations(ctx, tx, locked...); err != nil {
			return err
		}
		standing, err := standingRelation(ctx, tx, rel.OrganizationID, rel.OtherID)
		if err != nil {
			return err
		}
		switch {
		case standing == rel.Kind:
			same = true
			return nil
		case len(locked) == 2, standing == fleet.RelationManager:
			return a.relateIn(ctx, tx, actor, rel)
		}
		outcome.State = relationOffered
		return a.offerIn(ctx, tx, actor, rel)
	})
	if err == nil && !same && outcome.State == relationInForce {
		a.relationChanged(rel.OrganizationID, rel.OtherID)
	}
	return outcome, err
}

// standingRelation is the kind of relation in force, empty for none.
func standingRelation(ctx context.Context, r store.Reader, organizationID, otherID string) (string, error) {
	related, err := store.RelationsOf(ctx, r, organizationID)
	if err != nil {
		return "", err
	}
	for _, rel := range related {
		if rel.OrganizationID == organizationID && rel.OtherID == otherID {
			return rel.Kind, nil
		}
	}
	return "", nil
}

// relateIn puts a relation in force, audits it on both sides, lets the organization that receives it switch to the other, and mails
// the administrators of the one that gives it; an open offer of it is completed.
func (a *App) relateIn(ctx context.Context, tx *store.Tx, actor *access.Actor, rel fleet.OrganizationRelation) error {
	if err := a.TellRelation(ctx, tx, actor, rel.OrganizationID, rel.OtherID, rel.Kind); err != nil {
		return err
	}
	if err := tx.PutOrganizationRelation(ctx, rel); err != nil {
		return err
	}
	if _, err := a.endOfferBetween(ctx, tx, rel.OrganizationID, rel.OtherID); err != nil {
		return err
	}
	if err := a.letSwitch(ctx, tx, actor, rel.OtherID); err != nil {
		return err
	}
	return a.auditBoth(ctx, tx, actor, "relate", rel)
}

// letSwitch lets the users of an organization that received a relation view the other one: without the organization select they
// would see nothing of it.
func (a *App) letSwitch(ctx context.Context, tx *store.Tx, actor *access.Actor, organizationID string) error {
	switched, err := tx.LetSwitch(ctx, organizationID, a.now())
	if err != nil || !switched {
		return err
	}
	return a.Audit.Write(ctx, tx, actor.AsShownTo(organizationID), audit.Row{Verb: "update", Noun: "organization", NounID: organizationID,
		OrganizationID: organizationID, Before: map[string]bool{"acs": false}, After: map[string]bool{"acs": true}})
}

// auditBoth writes a row to the audit of both organizations. An actor from the other side is not named.
func (a *App) auditBoth(ctx context.Context, tx *store.Tx, actor *access.Actor, verb string, rel fleet.OrganizationRelation) error {
	for _, org := range []string{rel.OrganizationID, rel.OtherID} {
		err := a.Audit.Write(ctx, tx, actor.AsShownTo(org), audit.Row{Verb: verb, Noun: "organization", NounID: rel.OrganizationID,
			OrganizationID: org,
			After:          map[string]string{"organization_id": rel.OtherID, "relationship_type": rel.Kind}})
		if err != nil {
			return err
		}
	}
	return nil
}

// endRelation ends everything that one organization gave another: the relation, an open offer of it, and the relations of single
// assets. Something that does not exist is no error: an error would reveal which ids exist.
func (a *App) endRelation(ctx context.Context, actor *access.Actor, organizationID, otherID string) (wire.RelationOutcome, error) {
	outcome := wire.RelationOutcome{State: relationEnded}
	rel := fleet.OrganizationRelation{OrganizationID: organizationID, OtherID: otherID, Kind: fleet.RelationDelete}
	standing := ""
	err := a.Change(ctx, func(c *live.Change, tx *store.Tx) (err error) {
		if err := record.LockOrganizations(ctx, tx, organizationID); err != nil {
			return err
		}
		if standing, err = standingRelation(ctx, tx, organizationID, otherID); err != nil {
			return err
		}
		offered, err := a.endOfferBetween(ctx, tx, organizationID, otherID)
		if err != nil {
			return err
		}
		if outcome.AssetsCount, err = a.endSharing(ctx, c, tx, actor, organizationID, otherID); err != nil {
			return err
		}
		switch {
		case standing != "" || outcome.AssetsCount > 0:
			if err := tx.DeleteOrganizationRelation(ctx, organizationID, otherID); err != nil {
				return err
			}
			return a.auditBoth(ctx, tx, actor, "relate", rel)
		case offered:
			return a.auditBoth(ctx, tx, actor, "withdraw_offer", rel)
		}
		return nil
	})
	if err != nil {
		return wire.RelationOutcome{State: relationEnded}, err
	}
	if standing != "" {
		a.relationChanged(organizationID, otherID)
	}
	return outcome, nil
}

// relationChanged applies a changed relation to both sides' live sessions and to the keys of the other side's users; call it after
// the commit.
func (a *App) relationChanged(organizationID, otherID string) {
	a.ForgetTokens(func(x *access.Actor) bool {
		return x.OrganizationID == organizationID || x.OrganizationID == otherID || x.KeyID != ""
	})
	a.Bus.AccessChanged("", organizationID)
	a.Bus.AccessChanged("", otherID)
}

// Relations returns the organizations that manage or read an organization's assets, all of them or single ones, and its open offers
// in both directions. Requires VIEW_ORGANIZATION and full reach. Refusals: not_found.
func (a *App) Relations(ctx context.Context, actor *access.Actor, organizationID string) (wire.Relations, error) {
	if err := actor.Must("VIEW_ORGANIZATION"); err != nil {
		return wire.Relations{}, err
	}
	if actor.Reach(organizationID) != access.Full {
		return wire.Relations{}, people.RefuseNoOrganization()
	}
	out := wire.Relations{Partners: []wire.Partner{}, Offers: []wire.Offer{}}
	err := a.Store.Read(ctx, func(r store.Reader) error {
		o, err := store.OrganizationByID(ctx, r, organizationID)
		if errors.Is(err, store.ErrNotFound) || (err == nil && o.DeletedAt != 0) {
			return people.RefuseNoOrganization()
		}
		if err != nil {
			return err
		}
		related, err := store.RelationsOf(ctx, r, organizationID)
		if err != nil {
			return err
		}
		out.Partners = a.partnersOf(organizationID, related)
		offers, err := store.OffersOf(ctx, r, organizationID, a.now())
		if err != nil {
			return err
		}
		for _, offer := range offers {
			shown, err := a.offerWire(ctx, r, actor, o, offer)
			if err != nil {
				return err
			}
			out.Offers = append(out.Offers, shown)
		}
		return nil
	})
	return out, err
}

// partnersOf joins the relations of an organization and those of its single assets.
func (a *App) partnersOf(organizationID string, related []fleet.OrganizationRelation) []wire.Partner {
	counts := a.Live.SharedByOther(organizationID)
	out := []wire.Partner{}
	add := func(id, kind string) {
		ref, _ := a.Live.Organization(id)
		out = append(out, wire.Partner{OrganizationID: id, OrganizationName: ref.Name, RelationshipType: kind, AssetsCount: counts[id]})
		delete(counts, id)
	}
	for _, rel := range related {
		if rel.OrganizationID == organizationID {
			add(rel.OtherID, rel.Kind)
		}
	}
	for id := range counts {
		add(id, relationNone)
	}
	slices.SortFunc(out, byPartnerName)
	return out
}
