package store

import (
	"context"
	"database/sql"

	"lightbar/internal/fleet"
)

const organizationColumns = `id, name, email, address1, address2, city, state, postal_code, country_code, lat, lng, timezone, type_name, acs, infinite_timeout,
wzdx, large, contact_name, phone, cell_phone, event_wording, billing_id, version, updated_at, deleted_at,
lock_screen_ms, mfa_required, mfa_required_at, sso_only, vehicle_icon_active, vehicle_icon_default`

const insertOrganization = `INSERT INTO organization (` + organizationColumns + `)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27, $28, $29, $30, $31)`

// InsertOrganization adds a tenant.
func (tx *Tx) InsertOrganization(ctx context.Context, o fleet.Organization) error {
	var lat, lng *float64
	if o.HasPosition {
		lat, lng = &o.Lat, &o.Lng
	}
	_, err := tx.ExecContext(ctx, insertOrganization, o.ID, o.Name, o.Email, o.Address1, o.Address2, o.City, o.State, o.PostalCode,
		o.CountryCode, lat, lng, o.Timezone, o.TypeName, o.ACS, o.InfiniteTimeout, o.WZDx, o.Large, o.ContactName, o.Phone, o.CellPhone,
		o.EventWording, o.BillingID, o.Version, int64(o.UpdatedAt), int64(o.DeletedAt),
		o.LockScreenMs, o.MFARequired, int64(o.MFARequiredAt), o.SSOOnly, o.VehicleIconActive, o.VehicleIconDefault)
	return err
}

func scanOrganization(scan func(...any) error) (o fleet.Organization, err error) {
	var lat, lng sql.NullFloat64
	var large sql.NullBool
	err = scan(&o.ID, &o.Name, &o.Email, &o.Address1, &o.Address2, &o.City, &o.State, &o.PostalCode, &o.CountryCode, &lat, &lng, &o.Timezone,
		&o.TypeName, &o.ACS, &o.InfiniteTimeout, &o.WZDx, &large, &o.ContactName, &o.Phone, &o.CellPhone, &o.EventWording,
		&o.BillingID, &o.Version, &o.UpdatedAt, &o.DeletedAt, &o.LockScreenMs, &o.MFARequired,
		&o.MFARequiredAt, &o.SSOOnly, &o.VehicleIconActive, &o.VehicleIconDefault)
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

const listOrganizationNames = `SELECT id, name, sso_only FROM organization WHERE deleted_at = 0 ORDER BY name, id`

// OrganizationName is what a configuration may be compared with.
type OrganizationName struct {
	ID, Name string
	SSOOnly  bool
}

// ListOrganizationNames reads the names of all organizations that have not been
// removed, of a database before its upgrade too.
func ListOrganizationNames(ctx context.Context, r Reader) ([]OrganizationName, error) {
	rows, err := r.QueryContext(ctx, listOrganizationNames)
	if err != nil {
		return nil, err
	}
	return collect(rows, func(rows *sql.Rows) (o OrganizationName, err error) {
		err = rows.Scan(&o.ID, &o.Name, &o.SSOOnly)
		return o, err
	})
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

const updateOrganization = `UPDATE organization SET name = $1, email = $2, address1 = $3, address2 = $4, city = $5, state = $6, postal_code = $7,
country_code = $8, timezone = $9, type_name = $10, acs = $11, infinite_timeout = $12, wzdx = $13, large = $14, contact_name = $15, phone = $16,
cell_phone = $17, event_wording = $18, lock_screen_ms = $19, mfa_required = $20, mfa_required_at = $21, sso_only = $22, vehicle_icon_active = $23,
vehicle_icon_default = $24, billing_id = $25, version = $26, updated_at = $27 WHERE id = $28 AND version = $29 AND deleted_at = 0`

// UpdateOrganization stores what an edit may change; false when the
// organization has another version than from meanwhile, or has been removed.
func (tx *Tx) UpdateOrganization(ctx context.Context, o fleet.Organization, from int64) (bool, error) {
	return changed(tx.ExecContext(ctx, updateOrganization, o.Name, o.Email, o.Address1, o.Address2, o.City, o.State, o.PostalCode, o.CountryCode,
		o.Timezone, o.TypeName, o.ACS, o.InfiniteTimeout, o.WZDx, o.Large, o.ContactName, o.Phone, o.CellPhone, o.EventWording, o.LockScreenMs,
		o.MFARequired, int64(o.MFARequiredAt), o.SSOOnly, o.VehicleIconActive, o.VehicleIconDefault, o.BillingID, o.Version, int64(o.UpdatedAt), o.ID, from))
}

const deleteOrganization = `UPDATE organization SET deleted_at = $1, updated_at = $2, version = version + 1 WHERE id = $3 AND deleted_at = 0`

// DeleteOrganization removes an organization; the row stays. False when it was removed before.
func (tx *Tx) DeleteOrganization(ctx context.Context, id string, at fleet.Instant) (bool, error) {
	return changed(tx.ExecContext(ctx, deleteOrganization, int64(at), int64(at), id))
}

const lockOrganization = `UPDATE organization SET version = version WHERE id = $1 AND deleted_at = 0`

// LockOrganization makes other writers that lock the organization wait for
// this transaction; false when there is none.
func (tx *Tx) LockOrganization(ctx context.Context, id string) (bool, error) {
	return changed(tx.ExecContext(ctx, lockOrganization, id))
}

const anyOrganization = `SELECT EXISTS (SELECT 1 FROM organization)`

// AnyOrganization tells whether there is or ever was an organization. It reads
// schemas of every version, also before they are upgraded.
func AnyOrganization(ctx context.Context, r Reader) (found bool, err error) {
	err = r.QueryRowContext(ctx, anyOrganization).Scan(&found)
	return found, err
}

const countBelonging = `SELECT (SELECT COUNT(*) FROM app_user WHERE organization_id = $1 AND deleted_at = 0),
(SELECT COUNT(*) FROM thing WHERE organization_id = $1 AND deleted_at = 0)`

// CountBelonging counts the people and the assets of an organization that have not been removed.
func CountBelonging(ctx context.Context, r Reader, organizationID string) (users, things int64, err error) {
	err = r.QueryRowContext(ctx, countBelonging, organizationID).Scan(&users, &things)
	return users, things, err
}

const countUsersByOrganization = `SELECT organization_id, COUNT(*) FROM app_user WHERE deleted_at = 0 GROUP BY organization_id`

// CountUsersByOrganization counts the people of each organization; those without any are left out.
func CountUsersByOrganization(ctx context.Context, r Reader) (map[string]int64, error) {
	rows, err := r.QueryContext(ctx, countUsersByOrganization)
	if err != nil {
		return nil, err
	}
	type row struct {
		id string
		n  int64
	}
	list, err := collect(rows, func(rows *sql.Rows) (x row, err error) {
		err = rows.Scan(&x.id, &x.n)
		return x, err
	})
	out := map[string]int64{}
	for _, x := range list {
		out[x.id] = x.n
	}
	return out, err
}

const deleteOrganizationRelations = `DELETE FROM organization_relation WHERE organization_id = $1 OR other_id = $1`

// DeleteOrganizationRelations ends all relations of an organization, in both directions.
func (tx *Tx) DeleteOrganizationRelations(ctx context.Context, organizationID string) error {
	_, err := tx.ExecContext(ctx, deleteOrganizationRelations, organizationID)
	return err
}
