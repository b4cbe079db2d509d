package store

import (
	"context"
	"database/sql"

	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
)

var audits = table[fleet.AuditRow]{name: "audit", proof: true, columns: func(a *fleet.AuditRow) []column {
	return []column{
		{"id", &a.ID, once},
		{"at", &a.At, once},
		{"actor_user_id", &a.ActorUserID, once},
		{"actor_key_id", &a.ActorKeyID, once},
		{"organization_id", &a.OrganizationID, once},
		{"network", &a.Network, once},
		{"verb", &a.Verb, once},
		{"noun", &a.Noun, once},
		{"noun_id", &a.NounID, once},
		{"before_doc", asText{func() string { return string(a.Before) }, func(doc string) error { a.Before = []byte(doc); return nil }}, once},
		{"after_doc", asText{func() string { return string(a.After) }, func(doc string) error { a.After = []byte(doc); return nil }}, once},
		{"request_id", &a.RequestID, once},
		{"seal_no", &a.SealNo, made},
		{"mac", &a.MAC, made},
	}
}}

// Inserts write the column that marks what is looked up by its record: versions, and imports. Reads do not use it, so that
// a database that has not been upgraded yet can still be verified.
var insertAudit = table[fleet.AuditRow]{name: "audit", columns: func(a *fleet.AuditRow) []column {
	return append(audits.columns(a), column{"whole", func() any { return a.IsVersion() || a.IsOfImport() }, once})
}}.inserts("")

var hotAudit = engine.NewHot(insertAudit.text)

// InsertAudit adds one row: every mutation and sign-in event leaves one, in the
// transaction of the change itself.
func (tx *Tx) InsertAudit(ctx context.Context, r fleet.AuditRow) error {
	if _, err := tx.Run(ctx, hotAudit, insertAudit.args(&r)...); err != nil {
		return err
	}
	if tx.audit == nil {
		tx.audit = map[string]OpenAudit{}
	}
	tx.audit[r.ID] = OpenAudit{Sum: AuditSum(r), At: r.At, Verb: r.Verb, Noun: r.Noun}
	return nil
}

var listAudit = audits.selects("WHERE organization_id = $1 AND at >= $2 ORDER BY at, id LIMIT $3")

// ListAudit returns an organization's rows from an instant on, oldest first. Sign-in events of unknown accounts are under the empty
// organization.
func ListAudit(ctx context.Context, r Reader, organizationID string, since fleet.Instant, limit int) ([]fleet.AuditRow, error) {
	return listAudit.all(ctx, r, organizationID, int64(since), limit)
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

// AddRefusals adds counts to the stored ones.
func (tx *Tx) AddRefusals(ctx context.Context, counts []RefusalCount) error {
	for _, c := range counts {
		if _, err := tx.ExecContext(ctx, addRefusals, c.Minute, c.Network, c.Code, c.Count); err != nil {
			return err
		}
	}
	return nil
}

const listRefusals = `SELECT minute, network, code, count FROM refusal_count WHERE minute >= $1 ORDER BY minute, network, code`

// ListRefusals returns the counts from a minute on.
func ListRefusals(ctx context.Context, r Reader, minute int64) ([]RefusalCount, error) {
	return engine.List(ctx, r, func(rows *sql.Rows) (c RefusalCount, err error) {
		err = rows.Scan(&c.Minute, &c.Network, &c.Code, &c.Count)
		return c, err
	}, listRefusals, minute)
}
