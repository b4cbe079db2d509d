package store

import (
	"context"
	"math"

	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
)

// AuditQuery narrows the rows of one organization; empty texts mean any.
type AuditQuery struct {
	OrganizationID string // "" = events that belong to no organization
	From, To       fleet.Instant
	Verb, Noun     string
	NounID         string // also finds the row of many that were registered at once
	ActorID        string // of a user or an API key
	Limit, Offset  int
}

const auditWhere = `organization_id = $1 AND at >= $2 AND at < $3 AND ($4 = '' OR verb = $4) AND ($5 = '' OR noun = $5)
AND ($6 = '' OR noun_id = $6 OR (verb = 'register' AND REPLACE(after_doc, '"id":"' || $6 || '"', '') <> after_doc))
AND ($7 = '' OR actor_user_id = $7 OR actor_key_id = $7)`

const countAudit = `SELECT COUNT(*) FROM audit WHERE ` + auditWhere

var (
	searchAudit = audits.selects("WHERE " + auditWhere + " ORDER BY at DESC, id DESC LIMIT $8 OFFSET $9")
	auditBefore = audits.selects("WHERE " + auditWhere + " AND (at < $8 OR id < $9) ORDER BY at DESC, id DESC LIMIT $10")
)

// AuditBefore reads the next rows of SearchAudit behind the one with this
// instant and id, however many came before it; q.Offset is not looked at.
func AuditBefore(ctx context.Context, r Reader, q AuditQuery, at fleet.Instant, id string) ([]fleet.AuditRow, error) {
	to := min(int64(q.To), int64(at)+1)
	return auditBefore.all(ctx, r, q.OrganizationID, int64(q.From), to, q.Verb, q.Noun, q.NounID, q.ActorID, int64(at), id, q.Limit)
}

// SearchAudit reads rows, newest first.
func SearchAudit(ctx context.Context, r Reader, q AuditQuery) ([]fleet.AuditRow, error) {
	return searchAudit.all(ctx, r, q.OrganizationID, int64(q.From), int64(q.To), q.Verb, q.Noun, q.NounID, q.ActorID, q.Limit, q.Offset)
}

// CountAudit counts what SearchAudit finds over all pages.
func CountAudit(ctx context.Context, r Reader, q AuditQuery) (n int, err error) {
	err = r.QueryRowContext(ctx, countAudit, q.OrganizationID, int64(q.From), int64(q.To), q.Verb, q.Noun, q.NounID, q.ActorID).Scan(&n)
	return n, err
}

var (
	// By the index of records: "|| ''" keeps SQLite from that of organizations, by which it would read a day of the audit.
	importsOf = audits.selects(`WHERE whole AND noun = $1 AND noun_id = $2 AND organization_id || '' = $3 AND at >= $4
ORDER BY at DESC, id DESC LIMIT $5`)
	// A server of before wrote imports without the mark that has the index.
	areImportsMarked = "SELECT COUNT(*) FROM (SELECT 1 FROM audit WHERE whole AND noun = $1 AND at < $2 LIMIT 1) marked"
)

// ImportsOf reads what happened to a file since an instant, newest first.
func ImportsOf(ctx context.Context, r Reader, organizationID, noun, file string, since fleet.Instant, most int) ([]fleet.AuditRow, error) {
	var marked int
	if err := r.QueryRowContext(ctx, areImportsMarked, noun, int64(since)).Scan(&marked); err != nil {
		return nil, err
	}
	if marked == 0 {
		return SearchAudit(ctx, r, AuditQuery{OrganizationID: organizationID, From: since, To: math.MaxInt64, Noun: noun, NounID: file,
			Limit: most})
	}
	return importsOf.all(ctx, r, noun, file, organizationID, int64(since), most)
}

var auditByID = audits.selects("WHERE id = $1")

// AuditByID reads one row. ErrNotFound when there is none.
func AuditByID(ctx context.Context, r Reader, id string) (fleet.AuditRow, error) {
	return auditByID.one(ctx, r, id)
}

var auditOfRequest = audits.selects("WHERE organization_id = $1 AND at >= $2 AND at <= $3 AND request_id = $4 AND noun = $5 ORDER BY id")

// AuditOfRequest reads what one request did to an organization's rows of a noun
// between two instants, both included, in order.
func AuditOfRequest(ctx context.Context, r Reader, organizationID string, from, until fleet.Instant, requestID, noun string) (
	[]fleet.AuditRow, error) {
	return auditOfRequest.all(ctx, r, organizationID, int64(from), int64(until), requestID, noun)
}

const userNames = `SELECT id, first_name, last_name, email FROM app_user WHERE id = $1`

const keyNames = `SELECT description, prefix FROM api_key WHERE id = $1`

const organizationOfUser = `SELECT organization_id FROM app_user WHERE id = $1`

// OrganizationOfUser is where a user belongs, a removed one too. ErrNotFound when unknown.
func OrganizationOfUser(ctx context.Context, r Reader, userID string) (id string, err error) {
	err = engine.OrNotFound(r.QueryRowContext(ctx, organizationOfUser, userID).Scan(&id))
	return id, err
}

// ActorName is the name of a person or an API key, including removed ones; empty when unknown.
func ActorName(ctx context.Context, r Reader, userID, keyID string) (string, error) {
	var first, last, email, id string
	if keyID != "" {
		err := engine.OrNotFound(r.QueryRowContext(ctx, keyNames, keyID).Scan(&first, &last))
		if err == ErrNotFound {
			return "", nil
		}
		return first + " (" + last + "…)", err
	}
	err := engine.OrNotFound(r.QueryRowContext(ctx, userNames, userID).Scan(&id, &first, &last, &email))
	if err == ErrNotFound {
		return "", nil
	}
	if first+last == "" {
		return email, err
	}
	return first + " " + last, err
}
