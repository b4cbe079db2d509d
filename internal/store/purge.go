package store

import (
	"context"
	"fmt"
	"math"
	"time"

	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
	"lightbar/internal/store/points"
)

const (
	oneMs    = 1
	oneDayMs = 24 * 60 * 60 * 1000
	minuteMs = 60 * 1000
)

// ownHeld is Held for a row that has the organization whose it is, and no asset.
func ownHeld(from, to string) string { return points.Held("x.organization_id", "''", from, to) }

// userHeld is Held for what is about a user: it is of the organization in which they are.
func userHeld(at string) string {
	return points.Held("(SELECT u.organization_id FROM app_user u WHERE u.id = x.user_id)", "''", at, at)
}

// heldEvent is Held for an event: the organizations of the assets that were there may hold it, too.
var heldEvent = "(" + ownHeld("x.start_at", "x.end_at") + " OR EXISTS (SELECT 1 FROM location_thing s WHERE s.location_id = x.id AND " +
	points.Held("s.organization_id", "s.thing_id", "x.start_at", "x.end_at") + "))"

// leavers sweeps the rows of a noun that someone deleted.
func leavers(table, thing, since, rest string, first ...engine.Reference) *engine.Sweep {
	return engine.NewSweep(engine.Purge{Table: table,
		Key: []string{"deleted_at", "id"}, From: []any{int64(0), ""}, Unit: oneMs,
		At:    "x.deleted_at",
		Old:   "x.deleted_at > 0 AND x.deleted_at < $old" + rest,
		Keep:  points.Held("x.organization_id", thing, since, "x.deleted_at"),
		First: first})
}

// sweeps are the purges of nouns by kinds of data; those of reports are in points, those of exports in their verb, since an export
// leaves its list first and has files. Rows without a first instant may have been there from the beginning: then a hold protects
// them.
var sweeps = map[string][]*engine.Sweep{
	fleet.DataRuns: {engine.NewSweep(engine.Purge{Table: "run", At: "x.end_at",
		Key: []string{"id"}, From: []any{""}, Unit: oneMs,
		Old:  "x.id < $upto AND x.end_at < $old",
		Keep: points.Held("x.organization_id", "(SELECT t.id FROM thing t WHERE t.thing_no = x.thing_no)", "x.start_at", "x.end_at")})},
	fleet.DataEvents: {engine.NewSweep(engine.Purge{Table: "location", At: "x.end_at",
		Key: []string{"end_at", "id"}, From: []any{int64(0), ""}, Unit: oneMs,
		Old: "NOT x.is_active AND x.end_at < $old", Keep: heldEvent,
		First: []engine.Reference{{Table: "location_thing", Column: "location_id"}}}),
		engine.NewSweep(engine.Purge{Table: "driver_alert", At: "x.first_at",
			Key: []string{"first_at", "organization_id", "id"}, From: []any{int64(0), "", ""}, Unit: oneMs,
			Old:  "x.first_at < $old",
			Keep: points.Held("x.organization_id", "x.source_id", "x.began_at", "x.first_at")})},
	fleet.DataVisits: {engine.NewSweep(engine.Purge{Table: "visit", At: "x.left_at",
		Key:  []string{"left_at", "area_id", "arrived_at", "thing_id"},
		From: []any{int64(0), "", int64(math.MinInt64), ""}, Unit: oneMs, Old: "x.left_at > 0 AND x.left_at < $old",
		Keep: points.Held("x.organization_id", "x.thing_id", "x.arrived_at", "x.left_at")})},
	// Those that drivers' boards move are there as long as the board; others have had their time when nobody touched them
	// since then and none is to come.
	fleet.DataClosures: {engine.NewSweep(engine.Purge{Table: "closure", At: "x.updated_at",
		Key: []string{"updated_at", "id"}, From: []any{int64(0), ""}, Unit: oneMs,
		Old: "x.updated_at < $old AND (x.deleted_at > 0 OR x.kind <> 'automated' AND x.recurrence = '' AND x.schedule = '' AND " +
			"(x.start_at = 0 OR x.end_at > 0 AND x.end_at < $old)) AND " +
			"NOT EXISTS (SELECT 1 FROM closure_question q WHERE q.closure_id = x.id)",
		Keep: points.Held("x.organization_id", "x.thing_id", "0", "x.updated_at")})},
	fleet.DataHazards: {leavers("hazard", "''", "x.start_at", "")},
	fleet.DataCommands: {engine.NewSweep(engine.Purge{Table: "device_command", At: "x.issued_at",
		Key: []string{"id"}, From: []any{""}, Unit: oneMs,
		Old:  "x.id < $upto AND x.issued_at < $old AND x.status NOT IN ('accepted', 'sent')",
		Keep: points.Held("x.organization_id", "x.thing_id", "x.issued_at", "x.issued_at")})},
	fleet.DataFindings: {engine.NewSweep(engine.Purge{Table: "finding", At: "x.ended_at",
		Key: []string{"ended_at", "id"}, From: []any{int64(0), ""}, Unit: oneMs,
		Old:  "x.ended_at > 0 AND x.ended_at < $old",
		Keep: points.Held("x.organization_id", "x.thing_id", "x.began_at", "x.ended_at")})},
	fleet.DataDeleted: {
		leavers("area", "x.thing_id", "0", "", engine.Reference{Table: "saved_area", Column: "area_id"}),
		leavers("zone", "''", "0", ""), leavers("feed_subscription", "''", "0", " AND NOT x.brings"),
		leavers("integration", "''", "0", ""), leavers("export", "''", "x.requested_at", ""),
		// Lists of changes show that an asset left someone's list; it is no record.
		engine.NewSweep(engine.Purge{Table: "thing_gone", At: "x.at",
			Key: []string{"organization_id", "thing_id"}, From: []any{"", ""}, Unit: oneMs,
			Old: "x.at < $old"}),
	},
	fleet.DataFetches: {engine.NewSweep(engine.Purge{Table: "feed_fetch", At: "x.last_at",
		Key:  []string{"day", "organization_id", "key_id", "document", "state_at"},
		From: []any{int64(math.MinInt64), "", "", "", int64(math.MinInt64)}, Unit: oneDayMs, Old: "x.day < $old",
		Keep: ownHeld("x.first_at", "x.last_at")})},
	fleet.DataMails: {engine.NewSweep(engine.Purge{Table: "mail", At: "x.created_at",
		Key: []string{"id"}, From: []any{""}, Unit: oneMs,
		Old:  "x.id < $upto AND x.created_at < $old AND (x.sent_at <> 0 OR x.failed_at <> 0)",
		Keep: userHeld("x.created_at")})},
	// One that nobody has used for so long has no token that works anymore.
	fleet.DataSessions: {engine.NewSweep(engine.Purge{Table: "session", At: "x.last_used_at",
		Key: []string{"id"}, From: []any{""}, Unit: oneMs,
		Old:   "x.id < $upto AND x.last_used_at < $old AND x.revoked_at < $old",
		Keep:  ownHeld("x.created_at", "x.last_used_at"),
		First: []engine.Reference{{Table: "session_token", Column: "session_id"}}})},
	fleet.DataRefusals: {engine.NewSweep(engine.Purge{Table: "refusal_count", At: "x.minute * 60000",
		Key:  []string{"minute", "network", "code"},
		From: []any{int64(math.MinInt64), "", ""}, Unit: minuteMs, Old: "x.minute < $old"})},
}

// knownDevices are the marks of browsers that may sign in while an account is under attack. They lose their force by a
// law of their own, and are nobody's record.
var knownDevices = engine.NewSweep(engine.Purge{Table: "known_device", At: "x.created_at",
	Key: []string{"hash"}, From: []any{""}, Unit: oneMs, Old: "x.created_at < $old"})

// Sweeps are all purges of nouns, for the tests that prepare their statements.
func Sweeps() []*engine.Sweep {
	out := []*engine.Sweep{knownDevices}
	for _, list := range sweeps {
		out = append(out, list...)
	}
	return append(out, points.Sweeps()...)
}

// lateIDs is how much later than its row's time an id may have been made: reports may be a month late.
const lateIDs = 32 * 24 * time.Hour

// firstID is the first id of version 7 that can be made at an instant.
func firstID(at fleet.Instant) string {
	text := fmt.Sprintf("%012x", max(0, int64(at)))
	return text[:8] + "-" + text[8:]
}

// PurgeKind deletes the rows of a kind of data from before an instant that are under no legal hold. change runs a transaction of
// nouns that the picture shows; nil = the store's own.
func (s *Store) PurgeKind(ctx context.Context, kind string, before, now fleet.Instant,
	change func(ctx context.Context, fn func(tx *engine.Tx) error) error) (out engine.Swept, err error) {
	if kind == fleet.DataPoints {
		return s.Purge(ctx, before, now)
	}
	for _, sweep := range sweeps[kind] {
		did, err := s.Sweep(ctx, sweep, engine.Sweeping{Before: int64(before), Now: int64(now), Upto: firstID(before.Add(lateIDs)),
			Write: change})
		out.Gone, out.Held = out.Gone+did.Gone, out.Held+did.Held
		if err != nil {
			return out, err
		}
	}
	return out, nil
}

// PurgeKnownDevices deletes the marks of browsers made before an instant.
func (s *Store) PurgeKnownDevices(ctx context.Context, before fleet.Instant) error {
	_, err := s.Sweep(ctx, knownDevices, engine.Sweeping{Before: int64(before)})
	return err
}
