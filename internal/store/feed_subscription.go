package store

import (
	"context"
	"database/sql"
	"encoding/json"

	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
)

var feedSubscriptions = table[fleet.FeedSubscription]{name: "feed_subscription", columns: func(s *fleet.FeedSubscription) []column {
	return []column{
		{"id", &s.ID, keyed}, {"organization_id", &s.OrganizationID, edit}, {"name", &s.Name, edit}, {"format", &s.Format, edit},
		{"url", &s.URL, edit}, {"address", &s.Address, edit}, {"address_before", &s.AddressBefore, edit | aside},
		{"is_active", &s.IsActive, edit}, {"columns", asValue(&s.Columns), edit},
		{"types", asValue(&s.Types), edit}, {"timezone", &s.Timezone, edit}, {"time_format", &s.TimeFormat, edit},
		{"state", asValue(&s.State), edit | driven | aside}, {"next_fetch_at", &s.NextFetchAt, edit | driven | aside},
		{"brings", &s.Brings, edit | driven | aside},
		{"version", &s.Version, edit}, {"updated_at", &s.UpdatedAt, edit | driven}, {"deleted_at", &s.DeletedAt, edit},
	}
}}

// asValue is a value that the database stores as JSON.
func asValue[T any](at *T) asText {
	return asText{
		write: func() string {
			text, _ := json.Marshal(*at) // texts and numbers that the law has judged
			return string(text)
		},
		read: func(text string) error {
			*at = *new(T)
			return json.Unmarshal([]byte(text), at)
		},
	}
}

// FeedSubscriptions are feeds of others that organizations read.
var FeedSubscriptions = recordsOf(feedSubscriptions)

const countFeedSubscriptions = `SELECT COUNT(*) FROM feed_subscription WHERE organization_id = $1 AND deleted_at = 0 AND id <> $2`

// CountFeedSubscriptions counts those of an organization beside one.
func CountFeedSubscriptions(ctx context.Context, r Reader, organizationID, beside string) (n int, err error) {
	err = r.QueryRowContext(ctx, countFeedSubscriptions, organizationID, beside).Scan(&n)
	return n, err
}

const sealedAddresses = `SELECT id, address FROM feed_subscription`

// SealedAddresses lists the addresses of all feeds, by subscription.
func SealedAddresses(ctx context.Context, r Reader) ([]Sealed, error) {
	return engine.List(ctx, r, scanSealed, sealedAddresses)
}

const putSealedAddress = `UPDATE feed_subscription SET address = $1, address_before = '' WHERE id = $2`

// PutSealedAddress seals a feed's address again. The previous one is deleted: it was sealed with the previous key.
func (tx *Tx) PutSealedAddress(ctx context.Context, s Sealed) error {
	_, err := tx.ExecContext(ctx, putSealedAddress, s.Text, s.ID)
	return err
}

var saveFeedState = feedSubscriptions.updates(driven, "deleted_at", "")

// SaveFeedState writes the result of a subscription's fetch. Its version stays: nobody has edited it.
func (tx *Tx) SaveFeedState(ctx context.Context, s *fleet.FeedSubscription) error {
	_, err := saveFeedState.run(ctx, tx, s, int64(s.DeletedAt))
	return err
}

var pastFeed = feedSubscriptions.selects("WHERE brings AND (NOT is_active OR deleted_at > 0) ORDER BY id LIMIT $1")

// DueFeed is a subscription that must be fetched, with what is needed to choose one.
type DueFeed struct{ ID, OrganizationID, URL string }

const dueFeeds = `SELECT id, organization_id, url FROM feed_subscription
WHERE is_active AND deleted_at = 0 AND next_fetch_at <= $1 ORDER BY next_fetch_at, id LIMIT $2`

var feedSubscriptionsOf = feedSubscriptions.selects("WHERE organization_id = $1 AND deleted_at = 0 ORDER BY name, id")

// FeedSubscriptionsOf reads those of an organization, by name.
func FeedSubscriptionsOf(ctx context.Context, r Reader, organizationID string) ([]fleet.FeedSubscription, error) {
	return feedSubscriptionsOf.all(ctx, r, organizationID)
}

// FeedsDue reads subscriptions that are to be fetched, the longest overdue first.
func FeedsDue(ctx context.Context, r Reader, now fleet.Instant, most int) ([]DueFeed, error) {
	return engine.List(ctx, r, func(rows *sql.Rows) (d DueFeed, err error) {
		err = rows.Scan(&d.ID, &d.OrganizationID, &d.URL)
		return d, err
	}, dueFeeds, int64(now), most)
}

const countFeedsOverdue = `SELECT COUNT(*) FROM feed_subscription WHERE is_active AND deleted_at = 0 AND next_fetch_at <= $1`

// CountFeedsOverdue counts the subscriptions that have been due since an instant or longer.
func CountFeedsOverdue(ctx context.Context, r Reader, since fleet.Instant) (n int, err error) {
	err = r.QueryRowContext(ctx, countFeedsOverdue, int64(since)).Scan(&n)
	return n, err
}

// FeedsPast reads subscriptions that were paused or deleted and may still have active closures or hazards.
func FeedsPast(ctx context.Context, r Reader, most int) ([]fleet.FeedSubscription, error) {
	return pastFeed.all(ctx, r, most)
}

const endFeedsOf = `UPDATE feed_subscription SET deleted_at = $1, updated_at = $1, version = version + 1
WHERE organization_id = $2 AND deleted_at = 0`

// EndFeedsOf deletes the subscriptions of an organization.
func (tx *Tx) EndFeedsOf(ctx context.Context, organizationID string, now fleet.Instant) error {
	_, err := tx.ExecContext(ctx, endFeedsOf, int64(now), organizationID)
	return err
}
