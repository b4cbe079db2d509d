package store

import (
	"context"

	"lightbar/internal/fleet"
)

var hazards = table[fleet.Hazard]{name: "hazard", columns: func(h *fleet.Hazard) []column {
	return []column{
		{"id", &h.ID, keyed}, {"organization_id", &h.OrganizationID, once}, {"external_id", &h.ExternalID, once}, {"kind", &h.Kind, edit},
		{"lat", &h.Lat, edit}, {"lng", &h.Lng, edit}, {"street", &h.Street, edit}, {"description", &h.Description, edit},
		{"source", &h.Source, edit}, {"start_at", &h.StartAt, edit}, {"expires_at", &h.ExpiresAt, edit},
		{"features", jsonOf(&h.Features), edit}, {"confirmed_at", &h.ConfirmedAt, edit}, {"confirmed_by", jsonOf(&h.ConfirmedBy), edit},
		{"ended_at", &h.EndedAt, edit}, {"end_reason", &h.EndReason, edit}, {"ended_by", jsonOf(&h.EndedBy), edit},
		{"said_at", &h.ReportedAt, edit}, {"due_at", &h.DueAt, edit}, {"weight", &h.Weight, edit},
		{"feed_subscription_id", &h.FeedSubscriptionID, once}, {"reported_by", jsonOf(&h.ReportedBy), once},
		{"version", &h.Version, edit}, {"updated_at", &h.UpdatedAt, edit}, {"deleted_at", &h.DeletedAt, edit},
	}
}}

// Hazards are dangers on roads that senders report.
var Hazards = recordsOf(hazards)

var hazardByExternalID = hazards.selects("WHERE organization_id = $1 AND feed_subscription_id = $2 AND external_id = $3")

// HazardByExternalID reads an organization's hazard by its sender's id; of a feed, by the feed's. ErrNotFound when there is none.
func HazardByExternalID(ctx context.Context, r Reader, organizationID, feedID, externalID string) (fleet.Hazard, error) {
	return hazardByExternalID.one(ctx, r, organizationID, feedID, externalID)
}

var hazardsOfFeed = hazards.selects("WHERE feed_subscription_id = $1 AND feed_subscription_id <> '' AND ended_at = 0 ORDER BY id")

// HazardsOfFeed reads the hazards of a feed that have not ended.
func HazardsOfFeed(ctx context.Context, r Reader, feedID string) ([]*fleet.Hazard, error) {
	return hazardsOfFeed.refs(ctx, r, feedID)
}

var openHazards = hazards.selects("WHERE organization_id = $1 AND deleted_at = 0 AND ended_at = 0 ORDER BY id")

// OpenHazards reads an organization's hazards that nobody has ended; the clock may have.
func OpenHazards(ctx context.Context, r Reader, organizationID string) ([]*fleet.Hazard, error) {
	return openHazards.refs(ctx, r, organizationID)
}

var hazardsDue = hazards.selects("WHERE due_at > 0 AND due_at <= $1 ORDER BY due_at, id LIMIT $2")

// HazardsDue reads hazards with which the clock has something to do, the longest overdue first.
func HazardsDue(ctx context.Context, r Reader, now fleet.Instant, most int) ([]fleet.Hazard, error) {
	return hazardsDue.all(ctx, r, int64(now), most)
}

var stoppedTraffic = hazards.selects("WHERE due_at > 0 AND ended_at = 0 AND kind = 'stopped_traffic' ORDER BY id")

// StoppedTraffic reads all stopped traffic that has not ended.
func StoppedTraffic(ctx context.Context, r Reader) ([]*fleet.Hazard, error) {
	return stoppedTraffic.refs(ctx, r)
}

const hazardQuota = `SELECT COALESCE(SUM(CASE WHEN ended_at = 0 THEN 1 ELSE 0 END), 0), COALESCE(SUM(weight), 0)
FROM hazard WHERE organization_id = $1 AND deleted_at = 0`

// HazardQuota counts what an organization has in its lists.
func HazardQuota(ctx context.Context, r Reader, organizationID string) (q fleet.HazardQuota, err error) {
	err = r.QueryRowContext(ctx, hazardQuota, organizationID).Scan(&q.Active, &q.Weight)
	return q, err
}
