package store

import (
	"context"
	"database/sql"
	"strings"

	"lightbar/internal/fleet"
)

const thingColumns = `id, thing_no, organization_id, external_id, system_name, nickname, vin, plate, registry, type_id, subtype_id, device_type,
in_service, publicly_alerting, alerting_reset_at, allowed_for_closures, allowed_for_test_mode, test_mode, r2r, responder, version, updated_at, deleted_at`

// thing_no is the next free number: nothing is ever deleted from the table, so numbers are never used twice.
const insertThing = `INSERT INTO thing (id, organization_id, external_id, system_name, system_key, nickname, vin, plate, registry, type_id, subtype_id, device_type,
in_service, publicly_alerting, alerting_reset_at, allowed_for_closures, allowed_for_test_mode, test_mode, r2r, responder, version, updated_at, deleted_at, thing_no)
SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, COALESCE(MAX(thing_no), 0) + 1 FROM thing WHERE true
RETURNING thing_no`

// SystemKey is what makes system names unique within an organization: letter case does not.
func SystemKey(systemName string) string { return strings.ToLower(systemName) }

// InsertThing adds an asset with its relations and integrations and sets its No.
func (tx *Tx) InsertThing(ctx context.Context, t *fleet.Thing) error {
	insert := tx.prepared(ctx, hotThing)
	defer insert.close()
	err := insert.queryRow(ctx, t.ID, t.OrganizationID, t.ExternalID, t.SystemName, SystemKey(t.SystemName), t.Nickname, t.VIN, t.Plate,
		t.Registry, t.TypeID, t.SubtypeID, t.DeviceType, t.InService, t.PubliclyAlerting, int64(t.AlertingResetAt), t.AllowedForClosures,
		t.AllowedForTestMode, t.TestMode, t.R2R, t.Responder, t.Version, int64(t.UpdatedAt), int64(t.DeletedAt)).Scan(&t.No)
	if err != nil {
		return err
	}
	return tx.insertThingParts(ctx, t)
}

const updateThing = `UPDATE thing SET nickname = $1, vin = $2, plate = $3, registry = $4, type_id = $5, subtype_id = $6, in_service = $7, publicly_alerting = $8,
alerting_reset_at = $9, allowed_for_closures = $10, allowed_for_test_mode = $11, test_mode = $12, r2r = $13, responder = $14, version = $15, updated_at = $16,
deleted_at = $17 WHERE id = $18 AND version = $19`

// UpdateThing writes an asset whose version is one above the stored one, with
// its relations and integrations. ErrNotFound when the stored version is another.
func (tx *Tx) UpdateThing(ctx context.Context, t *fleet.Thing) error {
	res, err := tx.ExecContext(ctx, updateThing, t.Nickname, t.VIN, t.Plate, t.Registry, t.TypeID, t.SubtypeID, t.InService, t.PubliclyAlerting,
		int64(t.AlertingResetAt), t.AllowedForClosures, t.AllowedForTestMode, t.TestMode, t.R2R, t.Responder, t.Version, int64(t.UpdatedAt),
		int64(t.DeletedAt), t.ID, t.Version-1)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil {
		return err
	} else if n == 0 {
		return ErrNotFound
	}
	return tx.saveThingParts(ctx, t)
}

const (
	deleteRelations    = `DELETE FROM thing_relation WHERE thing_id = $1`
	insertRelation     = `INSERT INTO thing_relation (thing_id, organization_id, kind) VALUES ($1, $2, $3)`
	deleteIntegrations = `DELETE FROM thing_integration WHERE thing_id = $1`
	insertIntegration  = `INSERT INTO thing_integration (thing_id, provider, identifier) VALUES ($1, $2, $3)`
)

func (tx *Tx) saveThingParts(ctx context.Context, t *fleet.Thing) error {
	if _, err := tx.ExecContext(ctx, deleteRelations, t.ID); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, deleteIntegrations, t.ID); err != nil {
		return err
	}
	return tx.insertThingParts(ctx, t)
}

func (tx *Tx) insertThingParts(ctx context.Context, t *fleet.Thing) error {
	for _, r := range t.Relations {
		if _, err := tx.ExecContext(ctx, insertRelation, t.ID, r.OrganizationID, r.Kind); err != nil {
			return err
		}
	}
	for _, i := range t.Integrations {
		if _, err := tx.ExecContext(ctx, insertIntegration, t.ID, i.Provider, i.ID); err != nil {
			return err
		}
	}
	return nil
}

const upsertGone = `INSERT INTO thing_gone (organization_id, thing_id, at) VALUES ($1, $2, $3)
ON CONFLICT (organization_id, thing_id) DO UPDATE SET at = excluded.at`

const deleteGone = `DELETE FROM thing_gone WHERE organization_id = $1 AND thing_id = $2`

// PutGone notes that an organization lost sight of an asset.
func (tx *Tx) PutGone(ctx context.Context, organizationID, thingID string, at fleet.Instant) error {
	_, err := tx.ExecContext(ctx, upsertGone, organizationID, thingID, int64(at))
	return err
}

// DeleteGone notes that an organization sees an asset again.
func (tx *Tx) DeleteGone(ctx context.Context, organizationID, thingID string) error {
	_, err := tx.ExecContext(ctx, deleteGone, organizationID, thingID)
	return err
}

const listGone = `SELECT organization_id, thing_id, at FROM thing_gone`

// Gone says since when an organization no longer sees an asset.
type Gone struct {
	OrganizationID, ThingID string
	At                      fleet.Instant
}

// ListGone reads all of them.
func ListGone(ctx context.Context, r Reader) ([]Gone, error) {
	rows, err := r.QueryContext(ctx, listGone)
	if err != nil {
		return nil, err
	}
	return collect(rows, func(rows *sql.Rows) (g Gone, err error) {
		err = rows.Scan(&g.OrganizationID, &g.ThingID, &g.At)
		return g, err
	})
}

const (
	listThings       = `SELECT ` + thingColumns + ` FROM thing WHERE deleted_at = 0 ORDER BY thing_no`
	listRelations    = `SELECT r.thing_id, r.organization_id, r.kind FROM thing_relation r JOIN thing t ON t.id = r.thing_id AND t.deleted_at = 0 ORDER BY r.thing_id, r.organization_id`
	listIntegrations = `SELECT i.thing_id, i.provider, i.identifier FROM thing_integration i JOIN thing t ON t.id = i.thing_id AND t.deleted_at = 0 ORDER BY i.thing_id, i.provider`
)

// ListAllThings reads every asset that has not been removed, by number.
func ListAllThings(ctx context.Context, r Reader) ([]*fleet.Thing, error) {
	rows, err := r.QueryContext(ctx, listThings)
	if err != nil {
		return nil, err
	}
	things, err := collect(rows, scanThing)
	if err != nil {
		return nil, err
	}
	byID := make(map[string]*fleet.Thing, len(things))
	for _, t := range things {
		byID[t.ID] = t
	}
	if err := eachPair(ctx, r, listRelations, func(id, a, b string) {
		byID[id].Relations = append(byID[id].Relations, fleet.Relation{OrganizationID: a, Kind: b})
	}); err != nil {
		return nil, err
	}
	if err := eachPair(ctx, r, listIntegrations, func(id, a, b string) {
		byID[id].Integrations = append(byID[id].Integrations, fleet.Integration{Provider: a, ID: b})
	}); err != nil {
		return nil, err
	}
	return things, readOwnedAt(ctx, r, byID)
}

func eachPair(ctx context.Context, r Reader, query string, visit func(id, a, b string)) error {
	rows, err := r.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	_, err = collect(rows, func(rows *sql.Rows) (struct{}, error) {
		var id, a, b string
		err := rows.Scan(&id, &a, &b)
		if err == nil {
			visit(id, a, b)
		}
		return struct{}{}, err
	})
	return err
}

func scanThing(rows *sql.Rows) (*fleet.Thing, error) {
	t := &fleet.Thing{}
	err := rows.Scan(&t.ID, &t.No, &t.OrganizationID, &t.ExternalID, &t.SystemName, &t.Nickname, &t.VIN, &t.Plate, &t.Registry, &t.TypeID,
		&t.SubtypeID, &t.DeviceType, &t.InService, &t.PubliclyAlerting, &t.AlertingResetAt, &t.AllowedForClosures, &t.AllowedForTestMode,
		&t.TestMode, &t.R2R, &t.Responder, &t.Version, &t.UpdatedAt, &t.DeletedAt)
	return t, err
}

const alertingResetsDue = `SELECT id FROM thing WHERE alerting_reset_at > 0 AND alerting_reset_at <= $1 AND deleted_at = 0 ORDER BY alerting_reset_at`

// AlertingResetsDue lists assets whose hiding from drivers has run out.
func AlertingResetsDue(ctx context.Context, r Reader, now fleet.Instant) ([]string, error) {
	rows, err := r.QueryContext(ctx, alertingResetsDue, int64(now))
	if err != nil {
		return nil, err
	}
	return collect(rows, func(rows *sql.Rows) (id string, err error) {
		err = rows.Scan(&id)
		return id, err
	})
}
