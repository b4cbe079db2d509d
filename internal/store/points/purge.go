package points

import (
	"context"
	"fmt"
	"math"
	"slices"

	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
)

// heldIn is the condition that a hold h is in force and that its period touches that of a row, first to last instant.
func heldIn(from, to string) string {
	return fmt.Sprintf("h.lifted_at = 0 AND (h.ends_at = 0 OR h.ends_at > $now) AND h.from_at - %[3]d <= %[2]s "+
		"AND (h.to_at = 0 OR h.to_at + %[3]d >= %[1]s)", from, to, fleet.HoldMargin.Milliseconds())
}

// Held is the condition that a legal hold protects a row: its organization, its asset, and its first and last instant; an empty id
// = of no asset, 0 = since an unknown time. $now is the present. It is the law fleet.LegalHold.Covers as the database reads it:
// every statement that deletes what holds protect checks it itself, in its own transaction.
func Held(organization, thing, from, to string) string {
	return "EXISTS (SELECT 1 FROM legal_hold h WHERE " + heldIn(from, to) + " AND h.organization_id = " + organization +
		" AND (h.thing_id = '' OR h.thing_id = " + thing + "))"
}

// heldReport is Held for what an asset reported: it is of the organization that owned the asset then.
func heldReport(from, to string) string {
	return "EXISTS (SELECT 1 FROM legal_hold h JOIN thing t ON t.thing_no = x.thing_no WHERE " + heldIn(from, to) +
		" AND (h.thing_id = '' OR h.thing_id = t.id) AND (" +
		"t.organization_id = h.organization_id AND NOT EXISTS (SELECT 1 FROM thing_owner o WHERE o.thing_id = t.id) OR " +
		"EXISTS (SELECT 1 FROM thing_owner o WHERE o.thing_id = t.id AND o.organization_id = h.organization_id " + fmt.Sprintf(
		"AND o.from_at - %[3]d <= %[2]s AND (o.until_at = 0 OR o.until_at + %[3]d > %[1]s))))", from, to, fleet.HoldMargin.Milliseconds())
}

const (
	slotMs   = slotMinutes * minuteMs
	minuteMs = 60_000
)

// sweeps are the purges of reports. A block goes whole, or stays whole when a hold protects some of its points.
var sweeps = []*engine.Sweep{
	engine.NewSweep(engine.Purge{Table: "point_block", At: "x.last_at",
		Key: []string{"slot", "thing_no", "first_at"}, From: []any{int64(math.MinInt64), int64(0), int64(0)},
		Old: "x.slot < $old", Unit: slotMs, Keep: heldReport("x.first_at", "x.last_at")}),
	engine.NewSweep(engine.Purge{Table: "point", At: "x.at",
		Key: []string{"minute", "thing_no", "at"}, From: []any{int64(math.MinInt64), int64(0), int64(0)},
		Old: "x.minute < $old", Unit: minuteMs, Keep: heldReport("x.at", "x.at")}),
	engine.NewSweep(engine.Purge{Table: "signal", At: "x.at",
		Key:  []string{"minute", "thing_no", "kind", "at"},
		From: []any{int64(math.MinInt64), int64(0), int64(0), int64(0)}, Old: "x.minute < $old", Unit: minuteMs,
		Keep: heldReport("x.at", "x.at")}),
}

// Sweeps are the purges of reports, for the tests that prepare their statements.
func Sweeps() []*engine.Sweep { return sweeps }

// Purge deletes the reports from before an instant that are under no legal hold. While the intake has a point that is so old it
// deletes none: a start might still bring such a point to the table again.
func (s *Store) Purge(ctx context.Context, before, now fleet.Instant) (out engine.Swept, err error) {
	waits, err := s.hasOlder(ctx, before)
	if err != nil || waits {
		return out, err
	}
	for _, sweep := range sweeps {
		did, err := s.Sweep(ctx, sweep, engine.Sweeping{Before: int64(before), Now: int64(now)})
		out.Gone, out.Held = out.Gone+did.Gone, out.Held+did.Held
		if err != nil {
			return out, err
		}
	}
	return out, nil
}

// hasOlder reports whether the intake has a point from before an instant. Usually memory knows it, so that no report waits; it is
// read from the database if need be.
func (s *Store) hasOlder(ctx context.Context, before fleet.Instant) (bool, error) {
	in := &s.intake
	in.mu.RLock()
	known, first := in.known, int64(math.MaxInt64)
	if known {
		for _, g := range in.generations() {
			first = min(first, g.first)
		}
	}
	in.mu.RUnlock()
	if known {
		return first < int64(before), nil
	}
	waiting, _, _, err := readIntakeRows(ctx, s.Store.Reader())
	return slices.ContainsFunc(waiting, func(r pointRow) bool { return r[2] < int64(before) }), err
}
