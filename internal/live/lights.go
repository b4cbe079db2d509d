package live

import (
	"context"
	"time"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/points"
)

const (
	lightsFirst = 15 * time.Minute // how far back stored reports are read at first
	lightsMost  = 4                // how often that is made eight times as long: five days and more
)

// findLights finds since when an asset's lights are on from stored reports: a
// late one came in that may have changed it.
func (c *Change) findLights(ctx context.Context, tx *store.Tx, t *touched) error {
	s := &t.state
	if !t.lights || !s.Alerting {
		return nil
	}
	owned, to := c.p.entries[t.slot].thing.OwnedAt, max(s.AlertingAt, s.UnsaidAt)
	for n, back := 0, lightsFirst; ; n, back = n+1, 8*back {
		from := max(to.Add(-back), owned)
		h, err := c.reports(ctx, tx, s, from, to)
		if err != nil {
			return err
		}
		if _, asks := h.AsksBefore(); asks {
			if h.Before, err = points.AlertingBefore(ctx, tx, s.No, from); err != nil {
				return err
			}
		}
		since, isSure := fleet.LightsOf(h, from)
		if s.LightsAt = since; isSure || from == owned || n == lightsMost {
			return nil
		}
	}
}

// reports reads what an asset reported from, to (effective instants) of its lights, and its points.
func (c *Change) reports(ctx context.Context, r store.Reader, s *fleet.State, from, to fleet.Instant) (h fleet.RunHistory, err error) {
	own := to
	if s.Skewed { // its own instants may lie ahead of the effective ones
		own += fleet.Instant(fleet.MaxReportAhead().Milliseconds())
	}
	// Points of a damaged block are missing: what can be read decides.
	reported, _, err := points.OfThing(ctx, r, s.No, from, own)
	if err != nil {
		return h, err
	}
	for i := range reported {
		p := &reported[i]
		if at := p.EffectiveAt(); at >= from && at <= to {
			h.Points = append(h.Points, fleet.RunPoint{At: at, Said: p.HasAlerting, On: p.Alerting})
		}
	}
	said, err := points.SaidOfThing(ctx, r, s.No, from, own)
	if err != nil {
		return h, err
	}
	for i := range said {
		if at := said[i].EffectiveAt(); at >= from && at <= to {
			h.Said = append(h.Said, fleet.Said{At: at, On: said[i].On})
		}
	}
	return h, nil
}
