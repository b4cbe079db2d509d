package store

import (
	"context"
	"database/sql"

	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
)

// FeedFetch is how often a key read a document of closures on a day (of UTC, days since the epoch), while the document contained
// nothing newer than StateAt.
type FeedFetch struct {
	OrganizationID, KeyID, Document string
	StateAt                         fleet.Instant
	Day                             int64
	FirstAt, LastAt                 fleet.Instant
	Fetches                         int64
}

const addFeedFetch = `INSERT INTO feed_fetch (organization_id, key_id, document, state_at, day, first_at, last_at, fetches)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (organization_id, key_id, document, state_at, day) DO UPDATE SET last_at = excluded.last_at,
fetches = feed_fetch.fetches + excluded.fetches`

// AddFeedFetches adds to the stored counts.
func (tx *Tx) AddFeedFetches(ctx context.Context, fetches []FeedFetch) error {
	for _, f := range fetches {
		if _, err := tx.ExecContext(ctx, addFeedFetch, f.OrganizationID, f.KeyID, f.Document, int64(f.StateAt), f.Day, int64(f.FirstAt),
			int64(f.LastAt), f.Fetches); err != nil {
			return err
		}
	}
	return nil
}

const feedStates = `SELECT key_id, state_at, MIN(first_at) FROM feed_fetch WHERE organization_id = $1
GROUP BY key_id, state_at ORDER BY key_id, state_at`

// FeedStates reads since when each key of an organization has known each state that it read: KeyID, StateAt and FirstAt, in the
// order of keys and states.
func FeedStates(ctx context.Context, r Reader, organizationID string) ([]FeedFetch, error) {
	return engine.List(ctx, r, func(rows *sql.Rows) (f FeedFetch, err error) {
		err = rows.Scan(&f.KeyID, (*int64)(&f.StateAt), (*int64)(&f.FirstAt))
		return f, err
	}, feedStates, organizationID)
}

const feedReaders = `SELECT key_id, MAX(last_at), SUM(CASE WHEN day = $1 THEN fetches ELSE 0 END) FROM feed_fetch
WHERE organization_id = $2 GROUP BY key_id ORDER BY key_id`

// FeedReaders reads of each key of an organization when it fetched last, and how often on a day: KeyID, LastAt and Fetches.
func FeedReaders(ctx context.Context, r Reader, organizationID string, day int64) ([]FeedFetch, error) {
	return engine.List(ctx, r, func(rows *sql.Rows) (f FeedFetch, err error) {
		err = rows.Scan(&f.KeyID, (*int64)(&f.LastAt), &f.Fetches)
		return f, err
	}, feedReaders, day, organizationID)
}
