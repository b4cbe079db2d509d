package store

import (
	"context"
	"database/sql"

	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
)

// Touched is what people did to a record since an instant.
type Touched struct {
	Made      bool
	Published bool // it is in the public feeds, and was there before
}

// touchedSince finds the two words in the documents as the audit stores them: JSON without blanks.
const touchedSince = `SELECT noun_id, MAX(CASE WHEN verb = 'create' THEN 1 ELSE 0 END),
MAX(CASE WHEN before_doc LIKE '%"is_wzdx_compliant":false%' AND after_doc LIKE '%"is_wzdx_compliant":true%' THEN 1 ELSE 0 END)
FROM audit WHERE organization_id = $1 AND at >= $2 AND whole AND noun = $3 GROUP BY noun_id`

// TouchedSince returns which records of a noun people of an organization have created or changed at or after an instant.
func TouchedSince(ctx context.Context, r Reader, organization, noun string, since fleet.Instant) (map[string]Touched, error) {
	out := map[string]Touched{}
	_, err := engine.List(ctx, r, func(rows *sql.Rows) (struct{}, error) {
		var id string
		var made, published int
		err := rows.Scan(&id, &made, &published)
		out[id] = Touched{Made: made == 1, Published: published == 1}
		return struct{}{}, err
	}, touchedSince, organization, int64(since), noun)
	return out, err
}
