package live

import (
	"context"
	"errors"
	"slices"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/points"
)

// replay applies the reports that the saved states lack: those received since the instant up to which states are written. By its
// own clock no report is older than the margin before that, except those in the journal (late.go). It reads in pages, in order only
// within one minute of one asset. That suffices, because everything that involves several assets (incidents) was written when it
// happened.
func (p *Picture) replay(ctx context.Context, states savedStates) error {
	r := p.store.Reader()
	to, err := store.SavedTo(ctx, r)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	margin, err := store.ReplayMargin(ctx, r)
	if err != nil {
		return err
	}
	since := to.Add(-max(margin, replayMargin))
	if to == 0 { // the database does not have it: judge by the newest state
		since = states.newest.Add(-2*saveEvery - margin)
	}
	if since == 0 {
		since = fleet.InstantOf(p.now()).Add(-fleet.MaxReportAge())
	}
	p.saving.to = to
	if err := p.store.ReadIntake(ctx); err != nil {
		return err
	}
	late, err := p.readJournal(ctx, r, states, since)
	if err != nil {
		return err
	}
	c := p.Begin()
	defer c.Abort()
	c.replaying = true
	err = points.EachReport(ctx, r, since, to, func(points []fleet.Point, signals []fleet.Signal) { c.again(points, signals, states, late) })
	if err != nil {
		return err
	}
	late.finish(c)
	p.saving.grew = p.saving.grew || to == 0
	if err := c.commit(ctx, nil); err != nil {
		return err
	}
	c.Abort()
	if err := p.Flush(ctx); err != nil || margin == replayMargin { // so that the next start has less to do
		return err
	}
	return p.store.Write(ctx, func(tx *store.Tx) error { return tx.PutReplayMargin(ctx, replayMargin) })
}

// again applies the reports of one asset in one minute, ordered by instant, except those that its state already has and those of
// the journal, which are inserted in their order of arrival.
func (c *Change) again(points []fleet.Point, signals []fleet.Signal, states savedStates, late *lateReports) {
	has := func(no int64, received fleet.Instant) bool {
		slot, ok := c.p.byNo[no]
		return ok && !states.vague[slot] && received <= c.p.saving.taken[slot]
	}
	points = slices.DeleteFunc(points, func(p fleet.Point) bool {
		return has(p.ThingNo, p.ReceivedAt) || late.has(p.ThingNo, 0, p.At)
	})
	signals = slices.DeleteFunc(signals, func(g fleet.Signal) bool {
		return has(g.ThingNo, g.ReceivedAt) || late.has(g.ThingNo, g.Kind, g.At)
	})
	slices.SortStableFunc(points, func(a, b fleet.Point) int { return int(a.EffectiveAt() - b.EffectiveAt()) })
	slices.SortStableFunc(signals, func(a, b fleet.Signal) int { return int(a.EffectiveAt() - b.EffectiveAt()) })
	for len(points) > 0 || len(signals) > 0 {
		// At equal instants the signal came first: one that came after its point
		// saved the state.
		if len(signals) > 0 && (len(points) == 0 || signals[0].EffectiveAt() <= points[0].EffectiveAt()) {
			late.before(c, signals[0].ThingNo, signals[0].EffectiveAt(), signals[0].ReceivedAt)
			c.applySignal(&signals[0]) // an incident that a signal opened was saved with it
			signals = signals[1:]
			continue
		}
		pt := &points[0]
		points = points[1:]
		late.before(c, pt.ThingNo, pt.EffectiveAt(), pt.ReceivedAt)
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
