package app

import (
	"context"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/store/points"
)

// PastDay is a day of the demo's past: its reports, and what the laws made from them then. All of it has ended.
type PastDay struct {
	Points    []fleet.Point // of hours that are packed
	Signals   []fleet.Signal
	Runs      []fleet.Run
	Incidents []*fleet.Location
	Visits    []fleet.Visit
	EndAt     fleet.Instant
	// Setting is where the demo notes how much of its past is stored: Value.
	Setting, Value string
}

// RestAfter is how long after their hour points are packed.
func RestAfter() time.Duration { return restAfter.Duration() }

// StorePastDay stores a day of the demo's past, whole or not at all: its points are packed at once, bypassing ingest, which accepts
// nothing older than a month. No device and nobody on the network can call this. Requires MANAGE_PLATFORM.
func (a *App) StorePastDay(ctx context.Context, actor *access.Actor, day *PastDay) error {
	if err := actor.Must("MANAGE_PLATFORM"); err != nil {
		return err
	}
	return a.Change(ctx, func(c *live.Change, tx *store.Tx) error {
		if err := tx.PutAtRest(ctx, day.Points, c.Now().Add(-restAfter.Duration())); err != nil {
			return err
		}
		if err := tx.InsertSignals(ctx, day.Signals, make([]points.Taken, len(day.Signals))); err != nil {
			return err
		}
		if err := tx.SaveRuns(ctx, a.Store.Engine(), day.Runs, day.EndAt); err != nil {
			return err
		}
		for _, l := range day.Incidents {
			if err := c.PutEnded(ctx, tx, l); err != nil {
				return err
			}
		}
		for i := range day.Visits {
			if err := tx.PutVisit(ctx, &day.Visits[i]); err != nil {
				return err
			}
		}
		return tx.PutSetting(ctx, day.Setting, day.Value)
	})
}
