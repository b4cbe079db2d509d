package store

import (
	"context"
	"database/sql"

	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
)

// Data of monthly reports that is stored nowhere else: reads of feeds by the day of the organization, and refused reports by the
// hour.

// FeedRead is how often a key read feeds of an organization on a day of its time zone.
type FeedRead struct {
	OrganizationID, KeyID string // KeyID empty: without a key
	Date                  string // 2026-11-25
	Requests              int64
}

const addFeedRead = `INSERT INTO feed_read (organization_id, key_id, date, requests) VALUES ($1, $2, $3, $4)
ON CONFLICT (organization_id, key_id, date) DO UPDATE SET requests = feed_read.requests + excluded.requests`

// AddFeedReads adds to the stored counts.
func (tx *Tx) AddFeedReads(ctx context.Context, reads []FeedRead) error {
	for _, f := range reads {
		if _, err := tx.ExecContext(ctx, addFeedRead, f.OrganizationID, f.KeyID, f.Date, f.Requests); err != nil {
			return err
		}
	}
	return nil
}

const feedReads = `SELECT key_id, CAST(SUM(requests) AS BIGINT), COUNT(*) FROM feed_read
WHERE organization_id = $1 AND date >= $2 AND date <= $3 GROUP BY key_id ORDER BY key_id`

// FeedReads counts an organization's readers by key on days from, to (both included): Name is the key's id.
func FeedReads(ctx context.Context, r Reader, organizationID, from, to string) ([]fleet.MonthlyConsumer, error) {
	return engine.List(ctx, r, func(rows *sql.Rows) (c fleet.MonthlyConsumer, err error) {
		err = rows.Scan(&c.Name, &c.Requests, &c.Days)
		return c, err
	}, feedReads, organizationID, from, to)
}

const purgeFeedReads = `DELETE FROM feed_read WHERE date < $1`

// PurgeFeedReads deletes the reads of earlier days.
func (tx *Tx) PurgeFeedReads(ctx context.Context, date string) error {
	_, err := tx.ExecContext(ctx, purgeFeedReads, date)
	return err
}

// refusedSince is the asset whose row has since when refused reports are counted.
const refusedSince = 0

const (
	addRefused = `INSERT INTO refused_report (thing_no, slot, refused) VALUES ($1, $2, $3)
ON CONFLICT (thing_no, slot) DO UPDATE SET refused = refused_report.refused + excluded.refused`
	countRefused  = `SELECT CAST(COALESCE(SUM(refused), 0) AS BIGINT) FROM refused_report WHERE thing_no = $1 AND slot >= $2 AND slot < $3`
	refusedFrom   = `SELECT CAST(COALESCE(MIN(slot), -1) AS BIGINT) FROM refused_report WHERE thing_no = $1`
	purgeRefused  = `DELETE FROM refused_report WHERE slot < $1 AND thing_no > 0`
	refusedSlotMs = 3_600_000
)

// AddRefused counts reports of an asset that were refused, received at an instant.
func (tx *Tx) AddRefused(ctx context.Context, thingNo, refused int64, at fleet.Instant) error {
	_, err := tx.ExecContext(ctx, addRefused, thingNo, int64(at)/refusedSlotMs, refused)
	return err
}

// RefusedBetween counts the refused reports of an asset in the hours that begin from, to (to excluded).
func RefusedBetween(ctx context.Context, r Reader, thingNo int64, from, to fleet.Instant) (n int64, err error) {
	up := func(at fleet.Instant) int64 { return (int64(at) + refusedSlotMs - 1) / refusedSlotMs }
	return n, r.QueryRowContext(ctx, countRefused, thingNo, up(from), up(to)).Scan(&n)
}

// RefusedSince is since when refused reports are counted, 0 = not yet.
func RefusedSince(ctx context.Context, r Reader) (at fleet.Instant, err error) {
	var slot int64
	if err = r.QueryRowContext(ctx, refusedFrom, refusedSince).Scan(&slot); err == nil && slot > 0 {
		at = fleet.Instant(slot * refusedSlotMs)
	}
	return at, err
}

// CountRefusedSince notes since when refused reports are counted.
func (tx *Tx) CountRefusedSince(ctx context.Context, at fleet.Instant) error {
	return tx.AddRefused(ctx, refusedSince, 0, at)
}

// PurgeRefused deletes what was refused before an instant.
func (tx *Tx) PurgeRefused(ctx context.Context, before fleet.Instant) error {
	_, err := tx.ExecContext(ctx, purgeRefused, int64(before)/refusedSlotMs)
	return err
}
