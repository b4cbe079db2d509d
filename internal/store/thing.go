package store

import (
	"context"
	"database/sql"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
)

var things = table[fleet.Thing]{name: "thing", columns: func(t *fleet.Thing) []column {
	return []column{
		{"id", &t.ID, keyed},
		{"thing_no", &t.No, made},
		{"organization_id", &t.OrganizationID, once},
		{"external_id", &t.ExternalID, imported},
		{"system_name", &t.SystemName, once},
		{"nickname", &t.Nickname, edit | imported},
		{"vin", &t.VIN, edit | imported},
		{"plate", &t.Plate, edit | imported},
		{"registry", &t.Registry, edit | imported},
		{"type_id", &t.TypeID, edit | imported},
		{"subtype_id", &t.SubtypeID, edit | imported},
		{"device_type", &t.DeviceType, once},
		{"in_service", &t.InService, edit | imported},
		{"out_of_service_at", &t.OutOfServiceAt, edit | imported},
		{"publicly_alerting", &t.PubliclyAlerting, edit},
		{"alerting_reset_at", &t.AlertingResetAt, edit},
		{"allowed_for_closures", &t.AllowedForClosures, edit | imported},
		{"allowed_for_test_mode", &t.AllowedForTestMode, edit},
		{"test_mode", &t.TestMode, edit},
		{"test_mode_until", &t.TestModeUntil, edit},
		{"r2r", &t.R2R, edit},
		{"responder", &t.Responder, edit | imported},
		{"version", &t.Version, edit | imported},
		{"created_at", &t.CreatedAt, once},
		{"updated_at", &t.UpdatedAt, edit | imported},
		{"deleted_at", &t.DeletedAt, edit},
	}
}}

// insertThing makes thing_no, the next free number: nothing is ever deleted from the table, so numbers are never used twice.
var insertThing = things.insertsBy(func(names, marks, next string) string {
	return "(" + names + ", system_key, thing_no) SELECT " + marks + ", " + next +
		", COALESCE(MAX(thing_no), 0) + 1 FROM thing WHERE true RETURNING thing_no"
})

var hotThing = engine.NewHot(insertThing.text)

// SystemKey is what makes system names unique within an organization: it ignores letter case, and how letters with marks are
// composed (NFC or NFD).
func SystemKey(systemName string) string {
	for i := range len(systemName) {
		if systemName[i] >= utf8.RuneSelf {
			return strings.ToLower(norm.NFC.String(systemName))
		}
	}
	return strings.ToLower(systemName)
}

// InsertThing adds an asset with its relations and integrations and sets its No.
func (tx *Tx) InsertThing(ctx context.Context, t *fleet.Thing) error {
	insert := tx.Prepared(ctx, hotThing)
	if err := insert.QueryRow(ctx, append(insertThing.args(t), SystemKey(t.SystemName))...).Scan(&t.No); err != nil {
		return err
	}
	return tx.insertThingParts(ctx, t)
}

var updateThing = things.updates(edit, "version", "")

// UpdateThing writes an asset whose version is one above the stored one, with
// its relations and integrations. ErrNotFound when the stored version is another.
func (tx *Tx) UpdateThing(ctx context.Context, t *fleet.Thing) error {
	if ok, err := updateThing.run(ctx, tx, t, t.Version-1); err != nil {
		return err
	} else if !ok {
		return ErrNotFound
	}
	return tx.saveThingParts(ctx, t)
}

const (
	deleteRelations    = `DELETE FROM thing_relation WHERE thing_id = $1`
	insertRelation     = `INSERT INTO thing_relation (thing_id, organization_id, kind) VALUES ($1, $2, $3)`
	deleteIntegrations = `DELETE FROM thing_integration WHERE thing_id = $1`
	insertIntegration  = `INSERT INTO thing_integration (thing_id, provider, identifier, account) VALUES ($1, $2, $3, $4)`
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
		if _, err := tx.ExecContext(ctx, insertIntegration, t.ID, i.Provider, i.ID, i.Account); err != nil {
			return err
		}
	}
	return nil
}

// Gone is since when an organization no longer sees an asset.
type Gone struct {
	OrganizationID, ThingID string
	At                      fleet.Instant
}

var gone = table[Gone]{name: "thing_gone", columns: func(g *Gone) []column {
	return []column{{"organization_id", &g.OrganizationID, keyed}, {"thing_id", &g.ThingID, keyed}, {"at", &g.At, edit}}
}}

var putGone = gone.upserts("")

// PutGone records that an organization no longer sees an asset.
func (tx *Tx) PutGone(ctx context.Context, organizationID, thingID string, at fleet.Instant) error {
	_, err := putGone.run(ctx, tx, &Gone{organizationID, thingID, at})
	return err
}

const deleteGone = `DELETE FROM thing_gone WHERE organization_id = $1 AND thing_id = $2`

// DeleteGone records that an organization sees an asset again.
func (tx *Tx) DeleteGone(ctx context.Context, organizationID, thingID string) error {
	_, err := tx.ExecContext(ctx, deleteGone, organizationID, thingID)
	return err
}

var listGone = gone.selects("")

// ListGone reads all of them.
func ListGone(ctx context.Context, r Reader) ([]Gone, error) { return listGone.all(ctx, r) }

var listThings = things.selects("WHERE deleted_at = 0 ORDER BY thing_no")

const (
	listRelations = `SELECT r.thing_id, r.organization_id, r.kind FROM thing_relation r
JOIN thing t ON t.id = r.thing_id AND t.deleted_at = 0 ORDER BY r.thing_id, r.organization_id`
	listIntegrations = `SELECT i.thing_id, i.provider, i.identifier, i.account FROM thing_integration i
JOIN thing t ON t.id = i.thing_id AND t.deleted_at = 0 ORDER BY i.thing_id, i.provider`
)

// ListAllThings reads every asset that has not been removed, by number.
func ListAllThings(ctx context.Context, r Reader) ([]*fleet.Thing, error) {
	things, err := listThings.refs(ctx, r)
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
	if _, err := engine.List(ctx, r, func(rows *sql.Rows) (i fleet.Identifier, err error) {
		var id string
		if err = rows.Scan(&id, &i.Provider, &i.ID, &i.Account); err == nil {
			byID[id].Integrations = append(byID[id].Integrations, i)
		}
		return i, err
	}, listIntegrations); err != nil {
		return nil, err
	}
	return things, readOwnedAt(ctx, r, byID)
}

func eachPair(ctx context.Context, r Reader, query string, visit func(id, a, b string)) error {
	_, err := engine.List(ctx, r, func(rows *sql.Rows) (struct{}, error) {
		var id, a, b string
		err := rows.Scan(&id, &a, &b)
		if err == nil {
			visit(id, a, b)
		}
		return struct{}{}, err
	}, query)
	return err
}

const alertingResetsDue = `SELECT id FROM thing WHERE alerting_reset_at > 0 AND alerting_reset_at <= $1 AND deleted_at = 0
ORDER BY alerting_reset_at`

// AlertingResetsDue lists assets whose hiding from drivers has run out.
func AlertingResetsDue(ctx context.Context, r Reader, now fleet.Instant) ([]string, error) {
	return engine.List(ctx, r, engine.Text, alertingResetsDue, int64(now))
}
