package store

import (
	"context"

	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
)

var legalHolds = table[fleet.LegalHold]{name: "legal_hold", columns: func(h *fleet.LegalHold) []column {
	return []column{
		{"id", &h.ID, once}, {"organization_id", &h.OrganizationID, once}, {"thing_id", &h.ThingID, once},
		{"from_at", &h.FromAt, once}, {"to_at", &h.ToAt, once}, {"reason", &h.Reason, once}, {"ends_at", &h.EndsAt, once},
		{"placed_at", &h.PlacedAt, once}, {"placed_by", &h.PlacedBy, once},
		{"lifted_at", &h.LiftedAt, once}, {"lifted_by", &h.LiftedBy, once},
	}
}}

var (
	insertLegalHold = legalHolds.inserts("")
	legalHoldByID   = legalHolds.selects("WHERE id = $1")
)

// InsertLegalHold places a hold. No purge that begins after its transaction deletes what it covers.
func (tx *Tx) InsertLegalHold(ctx context.Context, h fleet.LegalHold) error {
	_, err := insertLegalHold.run(ctx, tx, &h)
	return err
}

// LegalHoldByID finds a hold, one that was lifted too. ErrNotFound when there is none.
func LegalHoldByID(ctx context.Context, r Reader, id string) (fleet.LegalHold, error) {
	return legalHoldByID.one(ctx, r, id)
}

const liftLegalHold = `UPDATE legal_hold SET lifted_at = $1, lifted_by = $2 WHERE id = $3 AND lifted_at = 0`

// LiftLegalHold ends a hold; false when it was lifted before.
func (tx *Tx) LiftLegalHold(ctx context.Context, id, by string, at fleet.Instant) (bool, error) {
	return engine.Changed(tx.ExecContext(ctx, liftLegalHold, int64(at), by, id))
}

// LegalHoldRow is a hold with the names of its asset and of the people who placed and lifted it.
type LegalHoldRow struct {
	fleet.LegalHold
	ThingName, PlacedByName, LiftedByName string
}

var legalHoldRows = table[LegalHoldRow]{
	noun:  "legal_hold",
	alias: "h",
	name: "legal_hold h LEFT JOIN thing t ON t.id = h.thing_id LEFT JOIN app_user p ON p.id = h.placed_by " +
		"LEFT JOIN app_user l ON l.id = h.lifted_by",
	columns: func(h *LegalHoldRow) []column {
		return append(legalHolds.columns(&h.LegalHold),
			column{"COALESCE(NULLIF(t.nickname, ''), t.system_name, '')", &h.ThingName, once},
			column{"TRIM(COALESCE(p.first_name, '') || ' ' || COALESCE(p.last_name, ''))", &h.PlacedByName, once},
			column{"TRIM(COALESCE(l.first_name, '') || ' ' || COALESCE(l.last_name, ''))", &h.LiftedByName, once})
	},
}

var (
	legalHoldsOf   = legalHoldRows.selects("WHERE h.organization_id = $1 ORDER BY h.placed_at DESC, h.id DESC")
	legalHoldRowBy = legalHoldRows.selects("WHERE h.id = $1")
)

// LegalHoldsOf lists the holds of an organization, the newest first; those that were lifted or have ended, too.
func LegalHoldsOf(ctx context.Context, r Reader, organizationID string) ([]LegalHoldRow, error) {
	return legalHoldsOf.all(ctx, r, organizationID)
}

// LegalHoldRowByID reads one hold as LegalHoldsOf does.
func LegalHoldRowByID(ctx context.Context, r Reader, id string) (LegalHoldRow, error) {
	return legalHoldRowBy.one(ctx, r, id)
}

const countLegalHolds = `SELECT COUNT(*) FROM legal_hold WHERE organization_id = $1 AND lifted_at = 0 AND (ends_at = 0 OR ends_at > $2)`

// CountLegalHolds counts the holds of an organization that are in force.
func CountLegalHolds(ctx context.Context, r Reader, organizationID string, now fleet.Instant) (n int, err error) {
	err = r.QueryRowContext(ctx, countLegalHolds, organizationID, int64(now)).Scan(&n)
	return n, err
}

var holdsInForce = legalHolds.selects("WHERE lifted_at = 0 AND (ends_at = 0 OR ends_at > $1) ORDER BY id")

// HoldsInForce reads the holds of all organizations that are in force.
func HoldsInForce(ctx context.Context, r Reader, now fleet.Instant) ([]fleet.LegalHold, error) {
	return holdsInForce.all(ctx, r, int64(now))
}
