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
	lightsMost  = 4                // how often that is multiplied by eight: five days and more
)

// findLights finds when the lights of assets were turned on from stored reports, after late ones that may have changed it.
func (c *Change) findLights(ctx context.Context, tx *store.Tx) error {
	var unsure []*touched
	for i := range c.touched {
		if t := &c.touched[i]; t.lights && t.state.Alerting {
			unsure = append(unsure, t)
		}
	}
	for n, back := 0, lightsFirst; n <= lightsMost && len(unsure) > 0; n, back = n+1, 8*back {
		spans, left := make([]span, len(unsure)), unsure[:0:0]
		for i, t := range unsure {
			s := &t.state
			to := max(s.AlertingAt, s.AlertingAbsentAt)
			spans[i] = span{s, max(to.Add(-back), c.p.entries[t.slot].thing.OwnedAt), to}
		}
		err := c.eachHistory(ctx, tx, spans, func(i int, h *fleet.RunHistory) (err error) {
			t, from := unsure[i], spans[i].from
			if _, asks := h.DependsOnBefore(); asks {
				if h.Before, err = points.AlertingBefore(ctx, tx, t.state.No, from); err != nil {
					return err
				}
			}
			since, isSure := fleet.LightsOf(*h, from)
			if t.state.LightsAt = since; !isSure && from != c.p.entries[t.slot].thing.OwnedAt {
				left = append(left, t)
			}
			return nil
		})
		if err != nil {
			return err
		}
		unsure = left
	}
	return nil
}
