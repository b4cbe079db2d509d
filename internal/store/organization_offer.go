package store

import (
	"context"

	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
)

var offers = table[fleet.OrganizationOffer]{name: "organization_offer", columns: func(o *fleet.OrganizationOffer) []column {
	return []column{
		{"id", &o.ID, edit}, {"organization_id", &o.OrganizationID, keyed}, {"other_id", &o.OtherID, keyed},
		{"kind", &o.Kind, edit}, {"created_at", &o.CreatedAt, edit}, {"expires_at", &o.ExpiresAt, edit},
		{"ended_at", &o.EndedAt, edit}, {"told_at", &o.MailedAt, edit},
	}
}}

var putOffer = offers.upserts("")

// PutOffer stores an offer in place of an earlier one to the same organization.
func (tx *Tx) PutOffer(ctx context.Context, o fleet.OrganizationOffer) error {
	_, err := putOffer.run(ctx, tx, &o)
	return err
}

var offerByID = offers.selects("WHERE id = $1")

// OfferByID reads one offer, an ended or expired one too.
func OfferByID(ctx context.Context, r Reader, id string) (fleet.OrganizationOffer, error) {
	return offerByID.one(ctx, r, id)
}

var offerBetween = offers.selects("WHERE organization_id = $1 AND other_id = $2")

// OfferBetween reads the newest offer of an organization to another one, an ended or expired one too.
func OfferBetween(ctx context.Context, r Reader, organizationID, otherID string) (fleet.OrganizationOffer, error) {
	return offerBetween.one(ctx, r, organizationID, otherID)
}

var offersOf = offers.selects("WHERE (organization_id = $1 OR other_id = $1) AND ended_at = 0 AND expires_at > $2 ORDER BY id DESC")

// OffersOf reads the open offers that an organization has made and received, newest first.
func OffersOf(ctx context.Context, r Reader, organizationID string, now fleet.Instant) ([]fleet.OrganizationOffer, error) {
	return offersOf.all(ctx, r, organizationID, int64(now))
}

const countOffers = `SELECT COUNT(*) FROM organization_offer WHERE organization_id = $1`

// CountOffers counts the offers an organization has made, with those that ended and have not expired.
func CountOffers(ctx context.Context, r Reader, organizationID string) (n int64, err error) {
	err = r.QueryRowContext(ctx, countOffers, organizationID).Scan(&n)
	return n, err
}

const (
	endOffer    = `UPDATE organization_offer SET ended_at = $1 WHERE id = $2 AND ended_at = 0`
	endOffersOf = `UPDATE organization_offer SET ended_at = $1 WHERE (organization_id = $2 OR other_id = $2) AND ended_at = 0`
	purgeOffers = `DELETE FROM organization_offer WHERE expires_at <= $1`
)

// EndOffer ends an offer; false when it has ended before.
func (tx *Tx) EndOffer(ctx context.Context, id string, at fleet.Instant) (bool, error) {
	return engine.Changed(tx.ExecContext(ctx, endOffer, int64(at), id))
}

// EndOffersOf ends all offers from and to an organization.
func (tx *Tx) EndOffersOf(ctx context.Context, organizationID string, at fleet.Instant) error {
	_, err := tx.ExecContext(ctx, endOffersOf, int64(at), organizationID)
	return err
}

// PurgeOffers deletes offers that have expired.
func (tx *Tx) PurgeOffers(ctx context.Context, now fleet.Instant) error {
	_, err := tx.ExecContext(ctx, purgeOffers, int64(now))
	return err
}
