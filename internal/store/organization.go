package store

import (
	"context"
	"database/sql"

	"lightbar/internal/fleet"
)

const organizationColumns = `id, name, email, address1, address2, city, state, postal_code, country_code, lat, lng, timezone, type_name, acs, infinite_timeout,
wzdx, large, contact_name, phone, cell_phone, responders_type, event_wording, billing_id, version, updated_at, deleted_at,
lock_screen_ms, mfa_required, sso_only`

const insertOrganization = `INSERT INTO organization (` + organizationColumns + `)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29)`

// InsertOrganization adds a tenant.
func (tx *Tx) InsertOrganization(ctx context.Context, o fleet.Organization) error {
	var lat, lng *float64
	if o.HasPosition {
		lat, lng = &o.Lat, &o.Lng
	}
	_, err := tx.ExecContext(ctx, insertOrganization, o.ID, o.Name, o.Email, o.Address1, o.Address2, o.City, o.State, o.PostalCode,
		o.CountryCode, lat, lng, o.Timezone, o.TypeName, o.ACS, o.InfiniteTimeout, o.WZDx, o.Large, o.ContactName, o.Phone, o.CellPhone,
		o.RespondersType, o.EventWording, o.BillingID, o.Version, int64(o.UpdatedAt), int64(o.DeletedAt),
		o.LockScreenMs, o.MFARequired, o.SSOOnly)
	return err
}

func scanOrganization(scan func(...any) error) (o fleet.Organization, err error) {
	var lat, lng sql.NullFloat64
	var large sql.NullBool
	err = scan(&o.ID, &o.Name, &o.Email, &o.Address1, &o.Address2, &o.City, &o.State, &o.PostalCode, &o.CountryCode, &lat, &lng, &o.Timezone,
		&o.TypeName, &o.ACS, &o.InfiniteTimeout, &o.WZDx, &large, &o.ContactName, &o.Phone, &o.CellPhone, &o.RespondersType, &o.EventWording,
		&o.BillingID, &o.Version, &o.UpdatedAt, &o.DeletedAt, &o.LockScreenMs, &o.MFARequired, &o.SSOOnly)
	if lat.Valid && lng.Valid {
		o.HasPosition, o.Lat, o.Lng = true, lat.Float64, lng.Float64
	}
	if large.Valid {
		o.Large = &large.Bool
	}
	return o, err
}

const getOrganization = `SELECT ` + organizationColumns + ` FROM organization WHERE id = $1`

// OrganizationByID reads one organization, a removed one too (DeletedAt set).
func OrganizationByID(ctx context.Context, r Reader, id string) (fleet.Organization, error) {
	o, err := scanOrganization(r.QueryRowContext(ctx, getOrganization, id).Scan)
	return o, orNotFound(err)
}

const listOrganizations = `SELECT ` + organizationColumns + ` FROM organization WHERE deleted_at = 0 ORDER BY name, id`

// ListOrganizations reads every organization that has not been removed, by name.
func ListOrganizations(ctx context.Context, r Reader) ([]fleet.Organization, error) {
	rows, err := r.QueryContext(ctx, listOrganizations)
	if err != nil {
		return nil, err
	}
	return collect(rows, func(rows *sql.Rows) (fleet.Organization, error) { return scanOrganization(rows.Scan) })
}

const putOrganizationRelation = `INSERT INTO organization_relation (organization_id, other_id, kind) VALUES ($1, $2, $3)
ON CONFLICT (organization_id, other_id) DO UPDATE SET kind = excluded.kind`

// PutOrganizationRelation says that OtherID manages or accesses OrganizationID.
func (tx *Tx) PutOrganizationRelation(ctx context.Context, rel fleet.OrganizationRelation) error {
	_, err := tx.ExecContext(ctx, putOrganizationRelation, rel.OrganizationID, rel.OtherID, rel.Kind)
	return err
}

const deleteOrganizationRelation = `DELETE FROM organization_relation WHERE organization_id = $1 AND other_id = $2`

// DeleteOrganizationRelation ends a relation; none is no error.
func (tx *Tx) DeleteOrganizationRelation(ctx context.Context, organizationID, otherID string) error {
	_, err := tx.ExecContext(ctx, deleteOrganizationRelation, organizationID, otherID)
	return err
}

const relationsOf = `SELECT r.organization_id, r.other_id, r.kind FROM organization_relation r
JOIN organization o ON o.id = r.organization_id AND o.deleted_at = 0
JOIN organization p ON p.id = r.other_id AND p.deleted_at = 0
WHERE r.organization_id = $1 OR r.other_id = $1 ORDER BY r.organization_id, r.other_id`

// RelationsOf reads the relations of an organization in both directions; those of removed organizations are left out.
func RelationsOf(ctx context.Context, r Reader, organizationID string) ([]fleet.OrganizationRelation, error) {
	rows, err := r.QueryContext(ctx, relationsOf, organizationID)
	if err != nil {
		return nil, err
	}
	return collect(rows, func(rows *sql.Rows) (rel fleet.OrganizationRelation, err error) {
		err = rows.Scan(&rel.OrganizationID, &rel.OtherID, &rel.Kind)
		return rel, err
	})
}
