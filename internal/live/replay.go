package live

import (
	"context"
	"errors"
	"slices"
	"time"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/points"
)

// replay applies the reports that the saved states lack: those received since
// the instant up to which states are written. By its own clock none is older
// than replayMargin before that, because an older one saves the state with it.
// It reads in pages, in order only within one minute of one asset. That
// suffices, because everything that involves several assets (incidents) was
// written when it happened.
func (p *Picture) replay(ctx context.Context, states savedStates) error {
	r := p.store.Reader()
	to, err := store.SavedTo(ctx, r)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	since := to.Add(-replayMargin * time.Millisecond)
	if to == 0 { // the database does not say: judge by the newest state
		since = states.newest.Add(-2*saveEvery - replayMargin*time.Millisecond)
	}
	if since == 0 {
		since = fleet.InstantOf(p.now()).Add(-fleet.MaxReportAge())
	}
	p.saving.to = to
	if err := p.store.ReadIntake(ctx); err != nil {
		return err
	}
	c := p.Begin()
	defer c.Abort()
	c.replaying = true
	err = points.EachReport(ctx, r, since, to, func(points []fleet.Point, signals []fleet.Signal) { c.again(points, signals, states) })
	if err != nil {
		return err
	}
	p.saving.grew = p.saving.grew || to == 0
	if err := c.commit(ctx, nil); err != nil {
		return err
	}
	c.Abort()
	return p.Flush(ctx) // so that the next start has less to do
}

// again applies the reports of one asset in one minute, ordered by instant,
// except those that its state already has.
func (c *Change) again(points []fleet.Point, signals []fleet.Signal, states savedStates) {
	has := func(no int64, received fleet.Instant) bool {
		slot, ok := c.p.byNo[no]
		return ok && !states.vague[slot] && received <= c.p.saving.taken[slot]
	}
	points = slices.DeleteFunc(points, func(p fleet.Point) bool { return has(p.ThingNo, p.ReceivedAt) })
	signals = slices.DeleteFunc(signals, func(g fleet.Signal) bool { return has(g.ThingNo, g.ReceivedAt) })
	slices.SortStableFunc(points, func(a, b fleet.Point) int { return int(a.EffectiveAt() - b.EffectiveAt()) })
	slices.SortStableFunc(signals, func(a, b fleet.Signal) int { return int(a.EffectiveAt() - b.EffectiveAt()) })
	for len(points) > 0 || len(signals) > 0 {
		// At equal instants the signal came first: one that came after its point
		// saved the state.
		if len(signals) > 0 && (len(points) == 0 || signals[0].EffectiveAt() <= points[0].EffectiveAt()) {
			c.applySignal(&signals[0]) // an incident that a signal opened was saved with it
			signals = signals[1:]
			continue
		}
		pt := &points[0]
		points = points[1:]
		if slot, ok := c.p.byNo[pt.ThingNo]; ok && states.vague[slot] && pt.ReceivedAt <= states.at[slot] {
			c.Repeated(pt)
		} else {
			c.Point(pt)
		}
	}
}

// Repeated applies a stored point that the state may already have. All its
// effects are idempotent except the run's count, so runs are computed again.
func (c *Change) Repeated(pt *fleet.Point) {
	slot, ok := c.taker(pt.ThingNo, pt.EffectiveAt())
	if !ok {
		return
	}
	c.Point(pt)
	if t := c.touch(slot); t.state.EverAlerting {
		at := pt.EffectiveAt()
		if t.to == 0 {
			t.from, t.to = at, at
		}
		t.from, t.to = min(t.from, at), max(t.to, at)
	}
}
