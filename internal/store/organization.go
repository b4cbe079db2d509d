package store

import (
	"context"
	"database/sql"

	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
)

var organizations = table[fleet.Organization]{name: "organization", columns: func(o *fleet.Organization) []column {
	return []column{
		{"id", &o.ID, keyed},
		{"name", &o.Name, edit},
		{"email", &o.Email, edit},
		{"address1", &o.Address1, edit},
		{"address2", &o.Address2, edit},
		{"city", &o.City, edit},
		{"state", &o.State, edit},
		{"postal_code", &o.PostalCode, edit},
		{"country_code", &o.CountryCode, edit},
		{"lat", maybe{&o.Lat, &o.HasPosition, false}, once},
		{"lng", maybe{&o.Lng, &o.HasPosition, true}, once},
		{"timezone", &o.Timezone, edit},
		{"type_name", &o.TypeName, edit},
		{"acs", &o.ACS, edit},
		{"infinite_timeout", &o.InfiniteTimeout, edit},
		{"wzdx", &o.WZDx, edit},
		{"feeds_public", &o.FeedsPublic, edit},
		{"alerts_public", &o.AlertsPublic, edit},
		{"feed_license", &o.FeedLicense, edit},
		{"large", &o.Large, edit},
		{"contact_name", &o.ContactName, edit},
		{"phone", &o.Phone, edit},
		{"cell_phone", &o.CellPhone, edit},
		{"event_wording", &o.EventWording, edit},
		{"billing_id", &o.BillingID, edit},
		{"lock_screen_ms", &o.LockScreenMs, edit},
		{"mfa_required", &o.MFARequired, edit},
		{"mfa_required_at", &o.MFARequiredAt, edit},
		{"sso_only", &o.SSOOnly, edit},
		{"vehicle_icon_active", &o.VehicleIconActive, edit},
		{"vehicle_icon_default", &o.VehicleIconDefault, edit},
		{"version", &o.Version, edit},
		{"updated_at", &o.UpdatedAt, edit},
		{"deleted_at", &o.DeletedAt, once},
	}
}}

// SameOrganization reports whether two are equal.
var SameOrganization = organizations.same

var insertOrganization = organizations.inserts("")

// InsertOrganization adds a tenant.
func (tx *Tx) InsertOrganization(ctx context.Context, o fleet.Organization) error {
	_, err := insertOrganization.run(ctx, tx, &o)
	return err
}

var organizationByID = organizations.selects("WHERE id = $1")

// OrganizationByID reads one organization, a removed one too (DeletedAt set).
func OrganizationByID(ctx context.Context, r Reader, id string) (fleet.Organization, error) {
	return organizationByID.one(ctx, r, id)
}

var listOrganizations = organizations.selects("WHERE deleted_at = 0 ORDER BY name, id")

// ListOrganizations reads every organization that has not been removed, by name.
func ListOrganizations(ctx context.Context, r Reader) ([]fleet.Organization, error) {
	return listOrganizations.all(ctx, r)
}

const listOrganizationNames = `SELECT id, name, sso_only FROM organization WHERE deleted_at = 0 ORDER BY name, id`

// OrganizationName is the form of a name with which a configuration may be compared.
type OrganizationName struct {
	ID, Name string
	SSOOnly  bool
}

// ListOrganizationNames reads the names of all organizations that have not been
// removed, of a database before its upgrade too.
func ListOrganizationNames(ctx context.Context, r Reader) ([]OrganizationName, error) {
	return engine.List(ctx, r, func(rows *sql.Rows) (o OrganizationName, err error) {
		err = rows.Scan(&o.ID, &o.Name, &o.SSOOnly)
		return o, err
	}, listOrganizationNames)
}

var relations = table[fleet.OrganizationRelation]{name: "organization_relation", columns: func(r *fleet.OrganizationRelation) []column {
	return []column{{"organization_id", &r.OrganizationID, keyed}, {"other_id", &r.OtherID, keyed}, {"kind", &r.Kind, edit}}
}}

var putOrganizationRelation = relations.upserts("")

// PutOrganizationRelation writes that OtherID manages or accesses OrganizationID.
func (tx *Tx) PutOrganizationRelation(ctx context.Context, rel fleet.OrganizationRelation) error {
	_, err := putOrganizationRelation.run(ctx, tx, &rel)
	return err
}

const deleteOrganizationRelation = `DELETE FROM organization_relation WHERE organization_id = $1 AND other_id = $2`

// DeleteOrganizationRelation ends a relation; none is no error.
func (tx *Tx) DeleteOrganizationRelation(ctx context.Context, organizationID, otherID string) error {
	_, err := tx.ExecContext(ctx, deleteOrganizationRelation, organizationID, otherID)
	return err
}

var (
	inForce = relations.joined("r", `organization_relation r
JOIN organization o ON o.id = r.organization_id AND o.deleted_at = 0
JOIN organization p ON p.id = r.other_id AND p.deleted_at = 0`)
	relationsOf       = inForce.selects("WHERE r.organization_id = $1 OR r.other_id = $1 ORDER BY r.organization_id, r.other_id")
	standingRelations = inForce.selects("ORDER BY r.organization_id, r.other_id")
)

// RelationsOf reads the relations of an organization in both directions; those of removed organizations are left out.
func RelationsOf(ctx context.Context, r Reader, organizationID string) ([]fleet.OrganizationRelation, error) {
	return relationsOf.all(ctx, r, organizationID)
}

// RelationsByOrganization reads the relations of all organizations, each under both.
func RelationsByOrganization(ctx context.Context, r Reader) (map[string][]fleet.OrganizationRelation, error) {
	all, err := standingRelations.all(ctx, r)
	out := map[string][]fleet.OrganizationRelation{}
	for _, rel := range all {
		out[rel.OrganizationID] = append(out[rel.OrganizationID], rel)
		out[rel.OtherID] = append(out[rel.OtherID], rel)
	}
	return out, err
}

var updateOrganization = organizations.updates(edit, "version", "AND deleted_at = 0")

// UpdateOrganization stores what an edit may change; false when the
// organization has another version than from meanwhile, or has been removed.
func (tx *Tx) UpdateOrganization(ctx context.Context, o fleet.Organization, from int64) (bool, error) {
	return updateOrganization.run(ctx, tx, &o, from)
}

const letSwitch = `UPDATE organization SET acs = TRUE, updated_at = $1, version = version + 1
WHERE id = $2 AND NOT acs AND deleted_at = 0`

// LetSwitch lets an organization's users switch to others in reach; false when they may already.
func (tx *Tx) LetSwitch(ctx context.Context, id string, at fleet.Instant) (bool, error) {
	return engine.Changed(tx.ExecContext(ctx, letSwitch, int64(at), id))
}

const deleteOrganization = `UPDATE organization SET deleted_at = $1, updated_at = $2, version = version + 1
WHERE id = $3 AND deleted_at = 0`

// DeleteOrganization removes an organization; the row stays. False when it was removed before.
func (tx *Tx) DeleteOrganization(ctx context.Context, id string, at fleet.Instant) (bool, error) {
	return engine.Changed(tx.ExecContext(ctx, deleteOrganization, int64(at), int64(at), id))
}

const lockOrganization = `UPDATE organization SET version = version WHERE id = $1 AND deleted_at = 0`

// LockOrganization makes other writers that lock the organization wait for
// this transaction; false when there is none.
func (tx *Tx) LockOrganization(ctx context.Context, id string) (bool, error) {
	return engine.Changed(tx.ExecContext(ctx, lockOrganization, id))
}

const anyOrganization = `SELECT EXISTS (SELECT 1 FROM organization)`

// AnyOrganization reports whether there is or ever was an organization. It reads
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
	out := map[string]int64{}
	_, err := engine.List(ctx, r, func(rows *sql.Rows) (id string, err error) {
		var n int64
		err = rows.Scan(&id, &n)
		out[id] = n
		return id, err
	}, countUsersByOrganization)
	return out, err
}

const deleteOrganizationRelations = `DELETE FROM organization_relation WHERE organization_id = $1 OR other_id = $1`

// DeleteOrganizationRelations ends all relations of an organization, in both directions.
func (tx *Tx) DeleteOrganizationRelations(ctx context.Context, organizationID string) error {
	_, err := tx.ExecContext(ctx, deleteOrganizationRelations, organizationID)
	return err
}
