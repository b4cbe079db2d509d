package app

import (
	"cmp"
	"context"
	"errors"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/people"
	"lightbar/internal/record"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

var (
	offerLife      = catalog.LimitMs("relations", "offerMs")
	offersMax      = catalog.LimitInt("relations", "offersMax")
	offerMailEvery = catalog.LimitMs("relations", "offerMailMs")
)

// offerReaders limits the mails about one offer.
const offerReaders = 20

// offerIn makes an offer. For an id that belongs to nobody it does exactly the same, so that nothing reveals which ids exist.
func (a *App) offerIn(ctx context.Context, tx *store.Tx, actor *access.Actor, rel fleet.OrganizationRelation) error {
	now := a.now()
	if err := tx.PurgeOffers(ctx, now); err != nil {
		return err
	}
	earlier, err := store.OfferBetween(ctx, tx, rel.OrganizationID, rel.OtherID)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	if earlier.Kind == rel.Kind && earlier.Open(now) {
		return nil
	}
	made, err := store.CountOffers(ctx, tx, rel.OrganizationID)
	if err != nil {
		return err
	}
	if earlier.ID == "" && made >= offersMax {
		return fleet.Refuse("too_many_offers", "organization_id", "Too many offers in the last 30 days. Try again later.")
	}
	offer := fleet.OrganizationOffer{ID: a.NewID(), OrganizationID: rel.OrganizationID, OtherID: rel.OtherID, Kind: rel.Kind,
		CreatedAt: now, ExpiresAt: now.Add(offerLife), MailedAt: earlier.MailedAt}
	if tell := now.Sub(earlier.MailedAt) >= offerMailEvery; tell {
		offer.MailedAt = now
		if err := a.tellOfOffer(ctx, tx, actor, offer); err != nil {
			return err
		}
	}
	if err := tx.PutOffer(ctx, offer); err != nil {
		return err
	}
	return a.auditBoth(ctx, tx, actor, "offer", rel)
}

// tellOfOffer mails the administrators who can accept. When there are none, a mail is still written and then removed.
func (a *App) tellOfOffer(ctx context.Context, tx *store.Tx, actor *access.Actor, offer fleet.OrganizationOffer) error {
	by, err := store.OrganizationByID(ctx, tx, offer.OrganizationID)
	if err != nil {
		return err
	}
	letter := people.Mail{Kind: "relation_offer", Data: map[string]string{"organization": by.Name, "kind": offer.Kind}, Until: offer.ExpiresAt,
		Link: a.PublicURL + "/dashboard/accounts/organization/" + offer.OtherID}
	members, err := store.MembersOf(ctx, tx, offer.OtherID, a.now())
	if err != nil {
		return err
	}
	told := 0
	for _, m := range members {
		if m.Suspended || !people.Administers(m.RoleID) || told == offerReaders {
			continue
		}
		letter.UserID, letter.To = m.ID, m.Email
		if err := a.QueueMail(ctx, tx, letter); err != nil {
			return err
		}
		told++
	}
	if told > 0 {
		return nil
	}
	letter.UserID, letter.To = actor.UserID, by.Email
	id, err := a.QueueMailID(ctx, tx, letter)
	if err != nil {
		return err
	}
	return tx.DropMail(ctx, id)
}

// AcceptOffer accepts an offer: the organization that received it manages or accesses the other's assets from now on, and each sees
// the other's people. Requires EDIT_ORGANIZATION, full reach of the organization that was asked, and a fresh proof. Refusals:
// not_found, step_up_required.
func (a *App) AcceptOffer(ctx context.Context, actor *access.Actor, id string) (wire.RelationOutcome, error) {
	if err := actor.Must("EDIT_ORGANIZATION"); err != nil {
		return wire.RelationOutcome{}, err
	}
	offer, err := a.openOffer(ctx, a.Store.Reader(), id)
	if err != nil {
		return wire.RelationOutcome{}, err
	}
	if actor.Reach(offer.OtherID) != access.Full {
		return wire.RelationOutcome{}, refuseNoOffer()
	}
	if err := a.MustBeFresh(ctx, actor); err != nil {
		return wire.RelationOutcome{}, err
	}
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		if err := record.LockOrganizations(ctx, tx, offer.OrganizationID, offer.OtherID); err != nil {
			return err
		}
		if _, err := a.openOffer(ctx, tx, id); err != nil { // withdrawn in the meantime
			return err
		}
		return a.relateIn(ctx, tx, actor, fleet.OrganizationRelation{OrganizationID: offer.OrganizationID, OtherID: offer.OtherID,
			Kind: offer.Kind})
	})
	if err != nil {
		return wire.RelationOutcome{}, err
	}
	a.relationChanged(offer.OrganizationID, offer.OtherID)
	return wire.RelationOutcome{State: relationInForce, AssetsCount: len(a.sharedNow(offer.OrganizationID, offer.OtherID))}, nil
}

// EndOffer declines an offer, or withdraws one's own. Requires EDIT_ORGANIZATION and full reach of either organization. Refusals:
// not_found.
func (a *App) EndOffer(ctx context.Context, actor *access.Actor, id string) error {
	if err := actor.Must("EDIT_ORGANIZATION"); err != nil {
		return err
	}
	return a.Store.Write(ctx, func(tx *store.Tx) error {
		offer, err := a.openOffer(ctx, tx, id)
		if err != nil {
			return err
		}
		verb := "withdraw_offer"
		switch {
		case actor.Reach(offer.OrganizationID) == access.Full:
		case actor.Reach(offer.OtherID) == access.Full:
			verb = "decline_offer"
		default:
			return refuseNoOffer()
		}
		if ended, err := tx.EndOffer(ctx, id, a.now()); err != nil || !ended {
			return cmp.Or[error](err, refuseNoOffer())
		}
		return a.auditBoth(ctx, tx, actor, verb, fleet.OrganizationRelation{OrganizationID: offer.OrganizationID, OtherID: offer.OtherID,
			Kind: offer.Kind})
	})
}

func refuseNoOffer() error {
	return fleet.Refuse("not_found", "", "This offer is no longer open.")
}

// openOffer finds an offer that can still be accepted.
func (a *App) openOffer(ctx context.Context, r store.Reader, id string) (fleet.OrganizationOffer, error) {
	offer, err := store.OfferByID(ctx, r, id)
	if errors.Is(err, store.ErrNotFound) || (err == nil && !offer.Open(a.now())) {
		return offer, refuseNoOffer()
	}
	return offer, err
}

// endOfferBetween ends the open offer of an organization to another; false when there is none.
func (a *App) endOfferBetween(ctx context.Context, tx *store.Tx, organizationID, otherID string) (bool, error) {
	offer, err := store.OfferBetween(ctx, tx, organizationID, otherID)
	if errors.Is(err, store.ErrNotFound) || (err == nil && !offer.Open(a.now())) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return tx.EndOffer(ctx, offer.ID, a.now())
}

// offerWire is an offer as one of the two organizations sees it. The organization that received it is named only to actors who
// reach it anyway.
func (a *App) offerWire(ctx context.Context, r store.Reader, actor *access.Actor, own fleet.Organization,
	o fleet.OrganizationOffer) (wire.Offer, error) {
	out := wire.Offer{ID: o.ID, Direction: "received", RelationshipType: o.Kind, CreatedAt: o.CreatedAt, ExpiresAt: o.ExpiresAt}
	if o.OrganizationID == own.ID {
		out.Direction, out.OrganizationID = "made", o.OtherID
		if actor.Reach(o.OtherID) == access.None {
			return out, nil
		}
	} else {
		out.OrganizationID = o.OrganizationID
	}
	with, err := store.OrganizationByID(ctx, r, out.OrganizationID)
	if errors.Is(err, store.ErrNotFound) {
		return out, nil
	}
	out.OrganizationName, out.City, out.State = with.Name, with.City, with.State
	return out, err
}
