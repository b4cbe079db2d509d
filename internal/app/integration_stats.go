package app

import (
	"context"
	"sync/atomic"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
)

// IntegrationStats are accounts at providers by their health, and what became of their reports since the start.
type IntegrationStats struct {
	Health                            map[string]int
	Kept, Repeated, Unlinked, Refused int64
}

// integrationCounters count what IntegrationStats tells; the zero value works.
type integrationCounters struct{ kept, repeated, unlinked, refused atomic.Int64 }

func (c *integrationCounters) add(of fleet.IntegrationCounts) {
	c.kept.Add(of.Kept)
	c.repeated.Add(of.Repeated)
	c.unlinked.Add(of.Unlinked)
	for _, n := range of.Refused {
		c.refused.Add(n)
	}
}

// IntegrationStats tells how the accounts at providers are.
func (a *App) IntegrationStats(ctx context.Context) (out IntegrationStats, err error) {
	c := &a.telematics.counted
	out = IntegrationStats{Kept: c.kept.Load(), Repeated: c.repeated.Load(), Unlinked: c.unlinked.Load(), Refused: c.refused.Load()}
	out.Health, err = store.IntegrationHealth(ctx, a.Store.Reader())
	return out, err
}
