package app

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
)

// IntegrationStats counts accounts at providers by their health, and the results of their reports since the start.
type IntegrationStats struct {
	Health                            map[string]int
	Kept, Repeated, Unlinked, Refused int64
	// Events are the events that providers sent by webhooks: about vehicles, not used, and refused because they were not signed.
	Events, UnknownEvents, RefusedEvents int64
}

// integrationCounters count the figures of IntegrationStats; the zero value works.
type integrationCounters struct {
	kept, repeated, unlinked, refused atomic.Int64
	events                            struct{ known, unknown, refused atomic.Int64 }

	mu       sync.Mutex
	health   map[string]int // never changed in place
	healthAt fleet.Instant
}

// healthKept is how long the counted health of accounts is reused: a scrape requests each figure separately, and counting reads
// every account.
const healthKept = 15 * time.Second

func (c *integrationCounters) add(of fleet.IntegrationCounts) {
	c.kept.Add(of.Kept)
	c.repeated.Add(of.Repeated)
	c.unlinked.Add(of.Unlinked)
	for _, n := range of.Refused {
		c.refused.Add(n)
	}
}

// IntegrationStats returns the state of the accounts at providers.
func (a *App) IntegrationStats(ctx context.Context) (out IntegrationStats, err error) {
	c := &a.telematics.counted
	out = IntegrationStats{Kept: c.kept.Load(), Repeated: c.repeated.Load(), Unlinked: c.unlinked.Load(), Refused: c.refused.Load(),
		Events: c.events.known.Load(), UnknownEvents: c.events.unknown.Load(), RefusedEvents: c.events.refused.Load()}
	out.Health, err = c.healthNow(a.now(), func() (map[string]int, error) { return store.IntegrationHealth(ctx, a.Store.Reader()) })
	return out, err
}

// healthNow counts accounts by their health, or returns what was counted moments ago. A failure is not reused.
func (c *integrationCounters) healthNow(now fleet.Instant, count func() (map[string]int, error)) (map[string]int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if age := now.Sub(c.healthAt); c.health != nil && age >= 0 && age < healthKept {
		return c.health, nil
	}
	health, err := count()
	if err == nil {
		c.health, c.healthAt = health, now
	}
	return health, err
}
