package store

import (
	"context"
	"database/sql"

	"lightbar/internal/fleet"
)

const insertAudit = `INSERT INTO audit (id, at, actor_user_id, actor_key_id, organization_id, network, verb, noun, noun_id, before_doc, after_doc, request_id)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`

// InsertAudit adds one row: every mutation and sign-in event leaves one, in the
// transaction of the change itself.
func (tx *Tx) InsertAudit(ctx context.Context, r fleet.AuditRow) error {
	_, err := tx.run(ctx, hotAudit, r.ID, int64(r.At), r.ActorUserID, r.ActorKeyID, r.OrganizationID,
		r.Network, r.Verb, r.Noun, r.NounID, string(r.Before), string(r.After), r.RequestID)
	if err != nil {
		return err
	}
	if tx.audit == nil {
		tx.audit = map[string]OpenAudit{}
	}
	tx.audit[r.ID] = OpenAudit{Sum: AuditSum(r), At: r.At, Verb: r.Verb, Noun: r.Noun}
	return nil
}

const listAudit = `SELECT id, at, actor_user_id, actor_key_id, organization_id, network, verb, noun, noun_id, before_doc, after_doc, request_id
FROM audit WHERE organization_id = $1 AND at >= $2 ORDER BY at, id LIMIT $3`

// ListAudit answers an organization's rows from an instant on, oldest first.
// Sign-in events of unknown accounts stand under the empty organization.
func ListAudit(ctx context.Context, r Reader, organizationID string, since fleet.Instant, limit int) ([]fleet.AuditRow, error) {
	rows, err := r.QueryContext(ctx, listAudit, organizationID, int64(since), limit)
	if err != nil {
		return nil, err
	}
	return collect(rows, func(rows *sql.Rows) (a fleet.AuditRow, err error) {
		var before, after string
		err = rows.Scan(&a.ID, &a.At, &a.ActorUserID, &a.ActorKeyID, &a.OrganizationID, &a.Network, &a.Verb, &a.Noun,
			&a.NounID, &before, &after, &a.RequestID)
		a.Before, a.After = []byte(before), []byte(after)
		return a, err
	})
}

// RefusalCount is how often one network was refused with one code in one minute.
type RefusalCount struct {
	Minute  int64 // minutes since the epoch
	Network string
	Code    string
	Count   int64
}

const addRefusals = `INSERT INTO refusal_count (minute, network, code, count) VALUES ($1, $2, $3, $4)
ON CONFLICT (minute, network, code) DO UPDATE SET count = refusal_count.count + excluded.count`

// AddRefusals adds counts to what is stored.
func (tx *Tx) AddRefusals(ctx context.Context, counts []RefusalCount) error {
	for _, c := range counts {
		if _, err := tx.ExecContext(ctx, addRefusals, c.Minute, c.Network, c.Code, c.Count); err != nil {
			return err
		}
	}
	return nil
}

const listRefusals = `SELECT minute, network, code, count FROM refusal_count WHERE minute >= $1 ORDER BY minute, network, code`

// ListRefusals answers the counts from a minute on.
func ListRefusals(ctx context.Context, r Reader, minute int64) ([]RefusalCount, error) {
	rows, err := r.QueryContext(ctx, listRefusals, minute)
	if err != nil {
		return nil, err
	}
	return collect(rows, func(rows *sql.Rows) (c RefusalCount, err error) {
		err = rows.Scan(&c.Minute, &c.Network, &c.Code, &c.Count)
		return c, err
	})
}
