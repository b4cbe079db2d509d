package store

import (
	"context"
	"encoding/json"
	"fmt"
	"math"

	"lightbar/internal/fleet"
)

var (
	versionAt = audits.selects("WHERE whole AND noun = $1 AND noun_id = $2 AND at <= $3 ORDER BY at DESC, id DESC LIMIT 1")
	madeAt    = audits.selects(`WHERE whole AND noun = $1 AND noun_id = '' AND at <= $2
	AND REPLACE(after_doc, '"id":"' || $3 || '"', '') <> after_doc
ORDER BY at DESC LIMIT 1`)
)

var versionsSince = audits.selects("WHERE whole AND noun = $1 AND noun_id = $2 AND at >= $3 ORDER BY at DESC, id DESC")

// VersionsSince are the rows of the audit that made a record what it is, at or after an instant, newest first.
func VersionsSince(ctx context.Context, r Reader, noun, id string, since fleet.Instant) ([]fleet.AuditRow, error) {
	return versionsSince.all(ctx, r, noun, id, int64(since))
}

// VersionAt is the document of a record at an instant, with all that happened at that instant: JSON as the audit stores it. For an
// asset that was created by a key and not changed since, it has what was sent; the rest follows from the law of new assets.
// ErrNotFound before it was created and after it was removed.
func VersionAt(ctx context.Context, r Reader, noun, id string, at fleet.Instant) (json.RawMessage, error) {
	row, err := versionAt.one(ctx, r, noun, id, int64(at))
	if err == ErrNotFound {
		return madeWithOthers(ctx, r, noun, id, at)
	}
	if err != nil {
		return nil, err
	}
	if row.Removes() {
		return nil, ErrNotFound
	}
	return row.After, nil
}

// LastVersion is the row of the change that made a record what it is now, or removed it. ErrNotFound when there is none.
func LastVersion(ctx context.Context, r Reader, noun, id string) (fleet.AuditRow, error) {
	return versionAt.one(ctx, r, noun, id, int64(math.MaxInt64))
}

var lastChanges = audits.selects(`WHERE whole AND organization_id = $1 AND noun = $2 AND at >= $3 AND verb <> 'create'
AND NOT EXISTS (SELECT 1 FROM audit later WHERE later.whole AND later.noun = audit.noun AND later.noun_id = audit.noun_id
AND (later.at > audit.at OR (later.at = audit.at AND later.id > audit.id)))
ORDER BY at DESC, id DESC LIMIT $4`)

// LastChanges reads the changes of an organization's records of a noun since an
// instant, newest first: of each record the last one, unless that made it.
func LastChanges(ctx context.Context, r Reader, organizationID, noun string, since fleet.Instant, limit int) ([]fleet.AuditRow, error) {
	return lastChanges.all(ctx, r, organizationID, noun, int64(since), limit)
}

// madeWithOthers looks for a record in the rows of those that were made at once.
func madeWithOthers(ctx context.Context, r Reader, noun, id string, at fleet.Instant) (json.RawMessage, error) {
	row, err := madeAt.one(ctx, r, noun, int64(at), id)
	if err != nil {
		return nil, err
	}
	var lists map[string]json.RawMessage
	if err := json.Unmarshal(row.After, &lists); err != nil {
		return nil, fmt.Errorf("store: audit row %s: %w", row.ID, err)
	}
	for _, list := range lists {
		var docs []json.RawMessage
		if json.Unmarshal(list, &docs) != nil {
			continue // how many there are
		}
		for _, doc := range docs {
			var of struct{ ID string }
			if json.Unmarshal(doc, &of) == nil && of.ID == id {
				return doc, nil
			}
		}
	}
	return nil, ErrNotFound
}
