package store

import (
	"context"
	"encoding/json"
	"fmt"

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

// VersionAt is the document of a record as it stood at an instant, with all that
// happened at that instant: JSON as the audit keeps it. Of an asset that was
// made by a key and not changed since it names what was said of it; the rest
// follows from the law of new assets. ErrNotFound before it was made and after
// it was removed.
func VersionAt(ctx context.Context, r Reader, noun, id string, at fleet.Instant) (json.RawMessage, error) {
	row, err := versionAt.one(ctx, r, noun, id, int64(at))
	if err == ErrNotFound {
		return madeWithOthers(ctx, r, noun, id, at)
	}
	if err != nil {
		return nil, err
	}
	if row.Verb == "delete" {
		return nil, ErrNotFound
	}
	return row.After, nil
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
