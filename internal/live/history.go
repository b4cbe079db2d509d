package live

import (
	"context"
	"time"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/points"
)

// span is a period of an asset, by effective instants, both included.
type span struct {
	s        *fleet.State
	from, to fleet.Instant
}

// minutesAtOnce limits the histories that are in memory together: 120 000 points at one a second.
const minutesAtOnce = 2000

// together is how many of the spans are read at once: one at least.
func together(spans []span) int {
	minutes := time.Duration(0)
	for i, s := range spans {
		if minutes += s.to.Sub(s.from)/time.Minute + 1; i > 0 && minutes > minutesAtOnce {
			return i
		}
	}
	return len(spans)
}

// eachHistory reads what assets reported about their lights, and their points. visit must not keep the history.
func (c *Change) eachHistory(ctx context.Context, r store.Reader, spans []span, visit func(i int, h *fleet.RunHistory) error) error {
	for done := 0; done < len(spans); {
		some := spans[done : done+together(spans[done:])]
		read := make([]fleet.RunHistory, len(some))
		asked := make([]points.Stretch, len(some))
		for i, sp := range some {
			own := sp.to
			if sp.s.Skewed { // its own instants may be later than the effective ones
				own += fleet.Instant(fleet.MaxReportAhead().Milliseconds())
			}
			asked[i] = points.Stretch{ThingNo: sp.s.No, From: sp.from, To: own}
		}
		err := points.EachOf(ctx, r, c.p.store.Engine(), asked, func(i int, p *fleet.Point) {
			if at := p.EffectiveAt(); at >= some[i].from && at <= some[i].to {
				read[i].Points = append(read[i].Points, fleet.RunPoint{At: at, HasAlerting: p.HasAlerting, Alerting: p.Alerting})
			}
		}, func(i int, g *fleet.Signal) {
			if at := g.EffectiveAt(); at >= some[i].from && at <= some[i].to {
				read[i].Signals = append(read[i].Signals, fleet.OnOffReport{At: at, On: g.On})
			}
		})
		if err != nil {
			return err
		}
		for i := range read {
			if err := visit(done+i, &read[i]); err != nil {
				return err
			}
		}
		done += len(some)
	}
	return nil
}
