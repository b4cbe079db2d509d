package app

import (
	"context"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
)

// AgeDue lets the clock work: statuses that age without a packet, stays and
// incidents that end by time. The server's own clock calls it every second.
func (a *App) AgeDue(ctx context.Context) error { return a.Live.Age(ctx, a.Bus.Publish) }

// FlushStates writes the live states that wait for their rows (5 seconds) and
// that no commit of ingest wrote beside its reports. The server's own clock
// calls it every second.
func (a *App) FlushStates(ctx context.Context) error { return a.Live.FlushDue(ctx) }

// ResetAlerting shows assets to drivers again whose hiding has run out (60 min
// after it was switched on; a row, not a timer, so it survives a restart). The
// server's own clock calls it every second.
func (a *App) ResetAlerting(ctx context.Context) error {
	due, err := store.AlertingResetsDue(ctx, a.Store.Reader(), a.now())
	if err != nil {
		return err
	}
	for _, id := range due {
		_, err := edit(ctx, a, SystemActor(), &things, id, nil, func(e *editing[fleet.Thing]) error {
			e.verb = "alerting_reset"
			if t := &e.next; t.AlertingResetAt != 0 && t.AlertingResetAt <= e.now {
				t.PubliclyAlerting, t.AlertingResetAt = true, 0
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
