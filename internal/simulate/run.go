package simulate

import (
	"context"
	"log/slog"
	"time"
)

// Warmup is the stretch of a shift that is reported at once when the demo
// starts, so that scenes and drives are already under way.
const Warmup = 8 * time.Minute

// Run drives the fleet by the wall clock and sends every report through the
// client of its asset, until ctx ends. clients maps asset to client.
func (f *Fleet) Run(ctx context.Context, clientOf func(asset string) *Client, now func() time.Time, log *slog.Logger) error {
	if err := deliver(ctx, f.Silent(now()), clientOf, log); err != nil {
		return err
	}
	for f.last.Before(now().Add(-time.Second)) {
		var items []Item
		for range 30 {
			if next := f.last.Add(time.Second); next.Before(now()) {
				items = append(items, f.Step(ctx, next)...)
			}
		}
		if err := deliver(ctx, items, clientOf, log); err != nil {
			return err
		}
	}
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			if err := deliver(ctx, f.Step(ctx, now()), clientOf, log); err != nil && ctx.Err() == nil {
				log.Warn("simulated reports were not taken", "error", err)
			}
		}
	}
}

// deliver sends items grouped by client, keeping their order.
func deliver(ctx context.Context, items []Item, clientOf func(string) *Client, log *slog.Logger) error {
	var order []*Client
	batches := map[*Client][]Item{}
	for _, item := range items {
		c := clientOf(item.Asset)
		if _, ok := batches[c]; !ok {
			order = append(order, c)
		}
		batches[c] = append(batches[c], item)
	}
	for _, c := range order {
		answer, err := c.SendAgain(ctx, batches[c])
		if err != nil {
			return err
		}
		for _, r := range answer.Refused {
			log.Warn("a simulated report was refused", "error", r.Error, "field", r.Field, "message", r.Message)
		}
	}
	return nil
}
