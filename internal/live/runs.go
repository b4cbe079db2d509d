package live

import (
	"context"
	"slices"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/points"
)

// recompute computes the runs of a period again from stored points. The state
// alone cannot decide them: a late report about alerting, a late point in an
// older run, a stay at an incident.
func (c *Change) recompute(ctx context.Context, tx *store.Tx, t *touched) error {
	s := &t.state
	engine := c.p.store.Engine()
	if r, ok := c.runOf(t.slot, s); ok {
		if err := tx.SaveRuns(ctx, engine, []fleet.Run{r}, c.now); err != nil {
			return err
		}
	}
	from, to := fleet.RunReach(t.from, t.to)
	owned := c.p.entries[t.slot].thing.OwnedAt
	from = max(from, owned) // the runs of earlier owners ended before
	earlier, err := store.RunsBetween(ctx, tx, s.No, from, to)
	if err != nil {
		return err
	}
	for _, r := range earlier {
		from, to = min(from, r.StartAt), max(to, r.EndAt)
	}
	h, err := c.history(ctx, tx, s, from, to, earlier)
	if err != nil {
		return err
	}
	h.Stays = slices.DeleteFunc(h.Stays, func(p fleet.Presence) bool { return p.EndAt != 0 && p.EndAt <= owned })
	runs := fleet.RunsOf(h)
	for i := range runs {
		runs[i].ThingNo, runs[i].OrganizationID = s.No, c.p.entries[t.slot].thing.OrganizationID
	}
	for _, r := range fleet.KeepRunIDs(earlier, runs, c.p.newID) {
		if err := tx.DeleteRun(ctx, r.ID); err != nil {
			return err
		}
	}
	if err := tx.SaveRuns(ctx, engine, runs, c.now); err != nil {
		return err
	}
	before := s.RunID
	if err := c.newest(ctx, tx, t); err != nil {
		return err
	}
	if i := slices.IndexFunc(runs, func(r fleet.Run) bool { return r.ID == s.RunID }); i >= 0 {
		s.DwellPoints = runs[i].Standing
	} else if s.RunID != before {
		s.DwellPoints = 0
	}
	return nil
}

// runsSince leaves out the runs of an asset's earlier owners.
func runsSince(runs []fleet.Run, owned fleet.Instant) []fleet.Run {
	return slices.DeleteFunc(runs, func(r fleet.Run) bool { return r.StartAt < owned })
}

// newest puts the newest stored run into the state.
func (c *Change) newest(ctx context.Context, tx *store.Tx, t *touched) error {
	last, err := store.LastRuns(ctx, tx, t.state.No, 2)
	if err != nil {
		return err
	}
	last = runsSince(last, c.p.entries[t.slot].thing.OwnedAt)
	s := &t.state
	s.RunID, s.RunStartAt, s.RunLastAt, s.RunPointsCount, s.PrevRunEndAt = "", 0, 0, 0, 0
	if len(last) > 0 {
		s.RunID, s.RunStartAt, s.RunLastAt, s.RunPointsCount = last[0].ID, last[0].StartAt, last[0].EndAt, last[0].Points
	}
	if len(last) > 1 {
		s.PrevRunEndAt = last[1].EndAt
	}
	t.changes |= fleet.ChangeRun
	return nil
}

// history reads what decides an asset's runs from, to (effective instants).
func (c *Change) history(ctx context.Context, r store.Reader, s *fleet.State, from, to fleet.Instant,
	earlier []fleet.Run) (h fleet.RunHistory, err error) {
	if h, err = c.reports(ctx, r, s, from, to); err != nil {
		return h, err
	}
	h.DwellAt = s.DwellAt
	if h.Stays, err = store.StaysOfThing(ctx, r, s.ThingID, from, to); err != nil {
		return h, err
	}
	if first, asks := h.AsksBefore(); asks {
		h.Before, err = c.alertingBefore(ctx, r, s, from, earlier, first)
	}
	return h, err
}

// alertingBefore tells whether the asset's last word before an instant was that
// it alerts. first is its first point after that which depends on the answer.
// Only if the state cannot tell are a month of reports searched.
func (c *Change) alertingBefore(ctx context.Context, r store.Reader, s *fleet.State, from fleet.Instant,
	earlier []fleet.Run, first fleet.Instant) (bool, error) {
	switch {
	case s.AlertingAt < from:
		return s.Alerting, nil
	case s.FirstOnAt >= from:
		return false, nil
	case c.replaying && !c.tookLate(s.No): // nothing is late: a point that counted is part of a run
		return slices.ContainsFunc(earlier, func(run fleet.Run) bool { return run.StartAt <= first && first <= run.EndAt }), nil
	}
	return points.AlertingBefore(ctx, r, s.No, from)
}
