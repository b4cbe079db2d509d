package store

import (
	"context"
	"database/sql"

	"lightbar/internal/fleet"
)

const offerColumns = `id, organization_id, other_id, kind, created_at, expires_at, ended_at, told_at`

const putOffer = `INSERT INTO organization_offer (` + offerColumns + `) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (organization_id, other_id) DO UPDATE SET id = excluded.id, kind = excluded.kind, created_at = excluded.created_at,
expires_at = excluded.expires_at, ended_at = excluded.ended_at, told_at = excluded.told_at`

// PutOffer stores an offer in place of an earlier one to the same organization.
func (tx *Tx) PutOffer(ctx context.Context, o fleet.OrganizationOffer) error {
	_, err := tx.ExecContext(ctx, putOffer, o.ID, o.OrganizationID, o.OtherID, o.Kind, int64(o.CreatedAt), int64(o.ExpiresAt), int64(o.EndedAt), int64(o.ToldAt))
	return err
}

func scanOffer(scan func(...any) error) (o fleet.OrganizationOffer, err error) {
	err = scan(&o.ID, &o.OrganizationID, &o.OtherID, &o.Kind, &o.CreatedAt, &o.ExpiresAt, &o.EndedAt, &o.ToldAt)
	return o, err
}

const getOffer = `SELECT ` + offerColumns + ` FROM organization_offer WHERE id = $1`

// OfferByID reads one offer, an ended or expired one too.
func OfferByID(ctx context.Context, r Reader, id string) (fleet.OrganizationOffer, error) {
	o, err := scanOffer(r.QueryRowContext(ctx, getOffer, id).Scan)
	return o, orNotFound(err)
}

const getOfferBetween = `SELECT ` + offerColumns + ` FROM organization_offer WHERE organization_id = $1 AND other_id = $2`

// OfferBetween reads the newest offer of an organization to another one, an ended or expired one too.
func OfferBetween(ctx context.Context, r Reader, organizationID, otherID string) (fleet.OrganizationOffer, error) {
	o, err := scanOffer(r.QueryRowContext(ctx, getOfferBetween, organizationID, otherID).Scan)
	return o, orNotFound(err)
}

const offersOf = `SELECT ` + offerColumns + ` FROM organization_offer
WHERE (organization_id = $1 OR other_id = $1) AND ended_at = 0 AND expires_at > $2 ORDER BY id DESC`

// OffersOf reads the open offers that an organization has made and received, newest first.
func OffersOf(ctx context.Context, r Reader, organizationID string, now fleet.Instant) ([]fleet.OrganizationOffer, error) {
	rows, err := r.QueryContext(ctx, offersOf, organizationID, int64(now))
	if err != nil {
		return nil, err
	}
	return collect(rows, func(rows *sql.Rows) (fleet.OrganizationOffer, error) { return scanOffer(rows.Scan) })
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
	return changed(tx.ExecContext(ctx, endOffer, int64(at), id))
}

// EndOffersOf ends all offers from and to an organization.
func (tx *Tx) EndOffersOf(ctx context.Context, organizationID string, at fleet.Instant) error {
	_, err := tx.ExecContext(ctx, endOffersOf, int64(at), organizationID)
	return err
}

// PurgeOffers forgets offers that have expired.
func (tx *Tx) PurgeOffers(ctx context.Context, now fleet.Instant) error {
	_, err := tx.ExecContext(ctx, purgeOffers, int64(now))
	return err
}
