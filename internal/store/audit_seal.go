package store

import (
	"context"
	"database/sql"
	"errors"

	"lightbar/internal/fleet"
)

const auditColumns = `id, at, actor_user_id, actor_key_id, organization_id, network, verb, noun, noun_id, before_doc, after_doc, request_id, seal_no, mac`

func scanAudit(rows *sql.Rows) (a fleet.AuditRow, err error) {
	var before, after string
	err = rows.Scan(&a.ID, &a.At, &a.ActorUserID, &a.ActorKeyID, &a.OrganizationID, &a.Network, &a.Verb, &a.Noun, &a.NounID, &before, &after,
		&a.RequestID, &a.SealNo, &a.MAC)
	a.Before, a.After = []byte(before), []byte(after)
	return a, err
}

const lastSeal = `SELECT no, at, row_count, previous_hash, hash FROM audit_seal ORDER BY no DESC LIMIT 1`

// LastSeal reads the newest seal; a zero one when there is none.
func LastSeal(ctx context.Context, r Reader) (s fleet.Seal, err error) {
	err = r.QueryRowContext(ctx, lastSeal).Scan(&s.No, &s.At, &s.Rows, &s.Previous, &s.Hash)
	if errors.Is(err, sql.ErrNoRows) {
		return fleet.Seal{}, nil
	}
	return s, err
}

const listSeals = `SELECT no, at, row_count, previous_hash, hash FROM audit_seal WHERE no > $1 ORDER BY no LIMIT $2`

// SealsAfter reads seals in order.
func SealsAfter(ctx context.Context, r Reader, no int64, limit int) ([]fleet.Seal, error) {
	rows, err := r.QueryContext(ctx, listSeals, no, limit)
	if err != nil {
		return nil, err
	}
	return collect(rows, func(rows *sql.Rows) (s fleet.Seal, err error) {
		err = rows.Scan(&s.No, &s.At, &s.Rows, &s.Previous, &s.Hash)
		return s, err
	})
}

const insertSeal = `INSERT INTO audit_seal (no, at, row_count, previous_hash, hash) VALUES ($1, $2, $3, $4, $5)`

// InsertSeal adds the next seal.
func (tx *Tx) InsertSeal(ctx context.Context, s fleet.Seal) error {
	_, err := tx.ExecContext(ctx, insertSeal, s.No, int64(s.At), s.Rows, s.Previous, s.Hash)
	return err
}

const auditOfSeal = `SELECT ` + auditColumns + ` FROM audit WHERE seal_no = $1 ORDER BY id LIMIT $2`

// AuditOfSeal reads the rows of a batch; of batch 0 (not sealed yet) as many as limit.
func AuditOfSeal(ctx context.Context, r Reader, no int64, limit int) ([]fleet.AuditRow, error) {
	rows, err := r.QueryContext(ctx, auditOfSeal, no, limit)
	if err != nil {
		return nil, err
	}
	return collect(rows, scanAudit)
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
		ok, err := changed(seal.ExecContext(ctx, r.SealNo, r.MAC, r.ID))
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

// HighestSealOfRows is the newest batch that any row says it is in.
func HighestSealOfRows(ctx context.Context, r Reader) (no int64, err error) {
	err = r.QueryRowContext(ctx, highestSealOfRows).Scan(&no)
	return no, err
}
