package store

import (
	"context"
	"strings"

	"lightbar/internal/fleet"
)

var exports = table[fleet.Export]{name: "export", columns: func(x *fleet.Export) []column {
	return []column{
		{"id", &x.ID, keyed}, {"organization_id", &x.OrganizationID, once}, {"requested_by", &x.RequestedBy, once},
		{"requested_by_name", &x.RequestedByName, once}, {"kind", &x.Kind, once},
		{"title", &x.Title, once}, {"start_at", &x.StartAt, once}, {"end_at", &x.EndAt, once}, {"use_utc", &x.UseUTC, once},
		{"time_zone", &x.TimeZone, once}, {"thing_ids", asJSON(&x.ThingIDs), once}, {"without_things", &x.WithoutThings, once},
		{"closure_types", asJSON(&x.ClosureTypes), once}, {"formats", asJSON(&x.Formats), once},
		{"mails", &x.Mails, once},
		{"status", &x.Status, edit}, {"attempts", &x.Attempts, edit},
		{"progress", &x.Progress, edit}, {"row_count", &x.RowCount, edit}, {"error", &x.Error, edit}, {"files", asJSON(&x.Files), edit},
		{"requested_at", &x.RequestedAt, once}, {"completed_at", &x.CompletedAt, edit},
		{"version", &x.Version, edit}, {"updated_at", &x.UpdatedAt, edit}, {"deleted_at", &x.DeletedAt, edit},
	}
}}

// Exports are files that people requested.
var Exports = recordsOf(exports)

var (
	waitingExports = exports.selects("WHERE deleted_at = 0 AND completed_at = 0 ORDER BY requested_at, id")
	endedExports   = exports.selects("x WHERE deleted_at = 0 AND completed_at > 0 AND completed_at < $1 AND NOT " +
		strings.ReplaceAll(ownHeld("x.requested_at", "x.completed_at"), "$now", "$2") + " ORDER BY completed_at LIMIT $3")
)

// WaitingExports reads the exports of all organizations that have not ended, the oldest first.
func WaitingExports(ctx context.Context, r Reader) ([]fleet.Export, error) {
	return waitingExports.all(ctx, r)
}

// ExportsEndedBefore reads the oldest exports that ended before an instant and are under no legal hold, at most so many.
func ExportsEndedBefore(ctx context.Context, r Reader, before, now fleet.Instant, most int) ([]fleet.Export, error) {
	return endedExports.all(ctx, r, int64(before), int64(now), most)
}
