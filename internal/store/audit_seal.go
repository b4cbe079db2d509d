package store

import (
	"context"
	"database/sql"
	"errors"

	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
)

var seals = table[fleet.Seal]{name: "audit_seal", proof: true, columns: func(s *fleet.Seal) []column {
	return []column{
		{"no", &s.No, once}, {"at", &s.At, once}, {"row_count", &s.Rows, once}, {"previous_hash", &s.Previous, once},
		{"hash", &s.Hash, once},
	}
}}

var (
	lastSeal   = seals.selects("ORDER BY no DESC LIMIT 1")
	sealsAfter = seals.selects("WHERE no > $1 ORDER BY no LIMIT $2")
	insertSeal = seals.inserts("")
)

// LastSeal reads the newest seal; a zero one when there is none.
func LastSeal(ctx context.Context, r Reader) (fleet.Seal, error) {
	s, err := lastSeal.one(ctx, r)
	if errors.Is(err, ErrNotFound) {
		return fleet.Seal{}, nil
	}
	return s, err
}

// SealsAfter reads seals in order.
func SealsAfter(ctx context.Context, r Reader, no int64, limit int) ([]fleet.Seal, error) {
	return sealsAfter.all(ctx, r, no, limit)
}

// InsertSeal adds the next seal.
func (tx *Tx) InsertSeal(ctx context.Context, s fleet.Seal) error {
	_, err := insertSeal.run(ctx, tx, &s)
	return err
}

var auditOfSeal = audits.selects("WHERE seal_no = $1 ORDER BY id LIMIT $2")

// AuditOfSeal reads the rows of a batch; of batch 0 (not sealed yet) as many as limit.
func AuditOfSeal(ctx context.Context, r Reader, no int64, limit int) ([]fleet.AuditRow, error) {
	return auditOfSeal.all(ctx, r, no, limit)
}

const sealAudit = `UPDATE audit SET seal_no = $1, mac = $2 WHERE id = $3 AND seal_no = 0`

// SealAudit puts rows into their batch.
func (tx *Tx) SealAudit(ctx context.Context, rows []fleet.AuditRow) error {
	seal, err := tx.PrepareContext(ctx, sealAudit)
	if err != nil {
		return err
	}
	defer func() { _ = seal.Close() }()
	for _, r := range rows {
		ok, err := engine.Changed(seal.ExecContext(ctx, r.SealNo, r.MAC, r.ID))
		if err == nil && !ok {
			err = errors.New("store: an audit row was sealed twice")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// RefusedSeal is the batch of rows that turned up too late to be sealed.
const RefusedSeal = -1

const refuseAudit = `UPDATE audit SET seal_no = $1, mac = '' WHERE id = $2 AND seal_no = 0`

// RefuseAudit takes a row out of those that wait for their seal, for good.
func (tx *Tx) RefuseAudit(ctx context.Context, id string) error {
	_, err := tx.ExecContext(ctx, refuseAudit, RefusedSeal, id)
	return err
}

const lastShortSeal = `SELECT at FROM audit_seal WHERE row_count < $1 ORDER BY no DESC LIMIT 1`

// LastShortSeal is the instant of the newest seal with fewer than rows rows, 0 when there is none.
func LastShortSeal(ctx context.Context, r Reader, rows int) (at fleet.Instant, err error) {
	err = r.QueryRowContext(ctx, lastShortSeal, rows).Scan(&at)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return at, err
}

const highestSealOfRows = `SELECT COALESCE(MAX(seal_no), 0) FROM audit`

// HighestSealOfRows is the newest batch that any row refers to.
func HighestSealOfRows(ctx context.Context, r Reader) (no int64, err error) {
	err = r.QueryRowContext(ctx, highestSealOfRows).Scan(&no)
	return no, err
}
