package live

import (
	"context"
	"slices"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/points"
)

// again is an asset whose runs of a period are computed again.
type again struct {
	*touched
	span
	owned   fleet.Instant // the runs of earlier owners ended before it
	earlier []fleet.Run
	runs    []fleet.Run
}

// recompute computes the runs of periods again from stored points. The state alone cannot decide them: a late report about
// alerting, a late point in an older run, a stay at an incident. It queries all assets together: in a batch of late reports they
// are many, and the writer waits for each answer.
func (c *Change) recompute(ctx context.Context, tx *store.Tx) error {
	work, err := c.toRecompute(ctx, tx)
	if len(work) == 0 || err != nil {
		return err
	}
	if err := c.computeRuns(ctx, tx, work); err != nil {
		return err
	}
	var gone []string
	var runs []fleet.Run
	for i := range work {
		a := &work[i]
		for _, r := range fleet.KeepRunIDs(a.earlier, a.runs, c.p.newID) {
			gone = append(gone, r.ID)
		}
		runs = append(runs, a.runs...)
	}
	engine := c.p.store.Engine()
	if err := tx.DeleteRuns(ctx, engine, gone); err != nil {
		return err
	}
	if err := tx.SaveRuns(ctx, engine, runs, c.now); err != nil {
		return err
	}
	return c.newest(ctx, tx, work)
}

// toRecompute finds the assets, with the runs that their periods touch, and extends the periods to cover these.
func (c *Change) toRecompute(ctx context.Context, tx *store.Tx) (work []again, err error) {
	var present []fleet.Run
	var asked []points.Stretch
	for i := range c.touched {
		t := &c.touched[i]
		if t.to == 0 {
			continue
		}
		if r, ok := c.runOf(t.slot, &t.state); ok {
			present = append(present, r)
		}
		a := again{touched: t, span: span{s: &t.state}, owned: c.p.entries[t.slot].thing.OwnedAt}
		a.span.from, a.span.to = fleet.RunReach(t.from, t.to)
		a.span.from = max(a.span.from, a.owned)
		work = append(work, a)
		asked = append(asked, points.Stretch{ThingNo: t.state.No, From: a.span.from, To: a.span.to})
	}
	if len(work) == 0 {
		return nil, nil
	}
	if err := tx.SaveRuns(ctx, c.p.store.Engine(), present, c.now); err != nil {
		return nil, err
	}
	earlier, err := store.RunsOf(ctx, tx, c.p.store.Engine(), asked)
	if err != nil {
		return nil, err
	}
	for i := range work {
		a := &work[i]
		a.earlier = earlier[i]
		for _, r := range a.earlier {
			a.span.from, a.span.to = min(a.span.from, r.StartAt), max(a.span.to, r.EndAt)
		}
	}
	return work, nil
}

// computeRuns computes the runs of each from its history.
func (c *Change) computeRuns(ctx context.Context, tx *store.Tx, work []again) error {
	spans := make([]span, len(work))
	for i := range work {
		spans[i] = work[i].span
	}
	stays := c.staysNow()
	return c.eachHistory(ctx, tx, spans, func(i int, h *fleet.RunHistory) (err error) {
		a := &work[i]
		h.DwellAt = a.state.DwellAt
		if h.Stays, err = stays.of(ctx, tx, a.span); err != nil {
			return err
		}
		if first, asks := h.DependsOnBefore(); asks {
			if h.Before, err = c.alertingBefore(ctx, tx, a, first); err != nil {
				return err
			}
		}
		h.Stays = slices.DeleteFunc(h.Stays, func(p fleet.Presence) bool { return p.EndAt != 0 && p.EndAt <= a.owned })
		a.runs = fleet.RunsOf(*h)
		for j := range a.runs {
			a.runs[j].ThingNo, a.runs[j].OrganizationID = a.state.No, c.p.entries[a.slot].thing.OrganizationID
		}
		return nil
	})
}

// runsSince leaves out the runs of an asset's earlier owners.
func runsSince(runs []fleet.Run, owned fleet.Instant) []fleet.Run {
	return slices.DeleteFunc(runs, func(r fleet.Run) bool { return r.StartAt < owned })
}

// newest puts the newest stored runs into the states.
func (c *Change) newest(ctx context.Context, tx *store.Tx, work []again) error {
	nos := make([]int64, len(work))
	for i := range work {
		nos[i] = work[i].state.No
	}
	newest, err := store.LastRuns(ctx, tx, c.p.store.Engine(), nos, 2)
	if err != nil {
		return err
	}
	for i := range work {
		a, last := &work[i], runsSince(newest[i], work[i].owned)
		s := &a.state
		before := s.RunID
		s.RunID, s.RunStartAt, s.RunLastAt, s.RunPointsCount, s.PrevRunEndAt = "", 0, 0, 0, 0
		if len(last) > 0 {
			s.RunID, s.RunStartAt, s.RunLastAt, s.RunPointsCount = last[0].ID, last[0].StartAt, last[0].EndAt, last[0].Points
		}
		if len(last) > 1 {
			s.PrevRunEndAt = last[1].EndAt
		}
		a.changes |= fleet.ChangeRun
		if j := slices.IndexFunc(a.runs, func(r fleet.Run) bool { return r.ID == s.RunID }); j >= 0 {
			s.DwellPoints = a.runs[j].DwellPoints
		} else if s.RunID != before {
			s.DwellPoints = 0
		}
	}
	return nil
}

// alertingBefore reports whether the asset's last report before its period was that it alerts. first is its first point after that
// which depends on the answer. Only if the state cannot decide it, a month of reports is searched.
func (c *Change) alertingBefore(ctx context.Context, r store.Reader, a *again, first fleet.Instant) (bool, error) {
	s, from := &a.state, a.span.from
	switch {
	case s.AlertingAt < from:
		return s.Alerting, nil
	case s.FirstOnAt >= from:
		return false, nil
	case c.replaying && !c.tookLate(s.No): // nothing is late: a point that counted is part of a run
		return slices.ContainsFunc(a.earlier, func(run fleet.Run) bool { return run.StartAt <= first && first <= run.EndAt }), nil
	}
	return points.AlertingBefore(ctx, r, s.No, from)
}
