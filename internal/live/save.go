package live

import (
	"context"
	"math"
	"time"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
)

// How states reach the database. A change that a restart could not make good
// writes the states with it (changeMatters). All other states are written
// lazily: beside the reports, in the same transaction and at the pace of the
// whole fleet in saveEvery, so that no commit carries much; and by the clock
// where no reports come. The database says with them how far they are written:
// every report received before that instant is in the saved states, and a start
// takes in the later ones again (Load). Each state says by itself which of these
// it has: all that were received up to State.TakenAt. A report that comes into a
// commit after one received later writes the state with it, so that this stays true.

const (
	// saveEvery is how long a changed state waits for its row.
	saveEvery = 5 * time.Second
	// leaveAfter is how long the clock leaves states to the commits of ingest while these write some.
	leaveAfter = 3 * saveEvery
	// paceSlack is how much faster than the whole fleet in saveEvery states may be written, to catch up.
	paceSlack = 1.25
	// A commit writes at most what the pace gives for quotaKept, but leastQuota states where these are due.
	quotaKept  = 50 * time.Millisecond
	leastQuota = 64
	// lookAtOnce bounds how many assets one commit looks at for states to write.
	lookAtOnce = 20_000
	// flushAtOnce bounds the states of a transaction of their own, so that ingest waits little for it.
	flushAtOnce = 200
)

// changeMatters is what a restart could not make good from stored reports: only
// reports in order open and close incidents, and it could not tell in which
// order late ones came. Everything else follows from the reports since the saved
// state, and from the clock.
const changeMatters = fleet.ChangeIncident | fleet.ChangeLate

// saving is how far states are written. Only the writer uses it.
type saving struct {
	since       []fleet.Instant // beside entries: the receive instant of the oldest report that the row lacks, 0 = none
	taken       []fleet.Instant // beside entries: TakenAt of the row, or later where a commit failed
	to          fleet.Instant   // as the database says it, or later; 0 = it does not
	grew        bool            // a state has become newer than its row since that was written
	next        int32           // where the next commit looks for states to write
	at          fleet.Instant   // when states were last written beside a commit
	quota       float64         // states that may be written now
	savedInline bool            // a commit wrote some since the clock last looked
}

func (p *Picture) saved(slot int32) {
	e := p.entries[slot]
	p.saving.since[slot] = 0
	e.runSaved = runMark{e.state.RunLastAt, e.state.RunPointsCount}
}

func (p *Picture) unsaved(slot int32, since fleet.Instant) {
	if old := &p.saving.since[slot]; since != 0 && (*old == 0 || since < *old) {
		*old = since
		p.saving.grew = true
	}
}

// oldestUnsaved is the receive instant of the oldest report that no row has, 0 = none.
func (p *Picture) oldestUnsaved() (oldest fleet.Instant) {
	for _, at := range p.saving.since {
		if at != 0 && (oldest == 0 || at < oldest) {
			oldest = at
		}
	}
	return oldest
}

// saveStates writes the states of assets with a change that matters. Where the
// other ones took reports from before the instant that the database holds (they
// waited long, or the clock was set back), it is set back with them.
func (c *Change) saveStates(ctx context.Context, tx *store.Tx) error {
	var states []*fleet.State
	var runs []fleet.Run
	to := c.p.saving.to
	for i := range c.touched {
		t := &c.touched[i]
		if t.old || t.to != 0 || t.changes&changeMatters != 0 {
			t.saved = true
			states = append(states, &t.state)
			if r, ok := c.runOf(t.slot, &t.state); ok {
				runs = append(runs, r)
			}
		} else if t.since != 0 {
			to = min(to, t.since)
		}
	}
	if to < c.p.saving.to {
		if err := tx.PutSavedTo(ctx, to); err != nil {
			return err
		}
		c.to = to
	}
	return c.saveRows(ctx, tx, states, runs)
}

// SaveDue writes some of the states that wait for their rows beside the change:
// at most what keeps the pace. Call it after Save, in the same transaction.
func (c *Change) SaveDue(ctx context.Context, tx *store.Tx) error {
	p := c.p
	s := &p.saving
	n := int32(len(s.since))
	pace := float64(n) * paceSlack / saveEvery.Seconds()
	s.quota = min(s.quota+pace*max(c.now.Sub(s.at), 0).Seconds(), max(pace*quotaKept.Seconds(), leastQuota))
	s.at = c.now
	dueBy := c.now.Add(-saveEvery)
	var states []*fleet.State
	var runs []fleet.Run
	for looked := int32(0); looked < min(n, lookAtOnce) && s.quota >= 1; looked++ {
		slot := s.next
		if s.next++; s.next >= n {
			s.next = 0
		}
		if since := s.since[slot]; since == 0 || since > dueBy {
			continue
		}
		state := &p.entries[slot].state
		if i, ok := c.index[slot]; ok {
			t := &c.touched[i]
			if t.saved {
				continue
			}
			t.saved, state = true, &t.state
		} else {
			c.savedInline = append(c.savedInline, slot)
		}
		s.quota--
		states = append(states, state)
		runs = c.appendGrown(runs, slot, state)
	}
	s.savedInline = s.savedInline || len(states) > 0
	return c.saveRows(ctx, tx, states, runs)
}

// Flush writes every state that is newer than its row.
func (p *Picture) Flush(ctx context.Context) error { return p.flush(ctx, math.MaxInt64) }

// FlushDue writes the states that wait for their rows and that no commit of
// ingest wrote beside it.
func (p *Picture) FlushDue(ctx context.Context) error {
	p.writer.enter()
	wait := saveEvery
	if p.saving.savedInline {
		wait = leaveAfter
	}
	p.saving.savedInline = false
	p.writer.leave()
	return p.flush(ctx, fleet.InstantOf(p.now().Add(-wait)))
}

func (p *Picture) flush(ctx context.Context, dueBy fleet.Instant) error {
	for from, more := int32(0), true; more; {
		var err error
		if from, more, err = p.flushSome(ctx, from, dueBy); err != nil {
			return err
		}
	}
	return p.saveTo(ctx)
}

// flushSome writes the next states that are due, in a transaction of their own.
func (p *Picture) flushSome(ctx context.Context, from int32, dueBy fleet.Instant) (next int32, more bool, err error) {
	c := p.Begin()
	defer c.Abort()
	var slots []int32
	var states []*fleet.State
	var runs []fleet.Run
	for ; int(from) < len(p.entries) && len(slots) < flushAtOnce; from++ {
		if at := p.saving.since[from]; at != 0 && at <= dueBy {
			slots, states = append(slots, from), append(states, &p.entries[from].state)
			runs = c.appendGrown(runs, from, &p.entries[from].state)
		}
	}
	if len(slots) == 0 {
		return from, false, nil
	}
	if err = p.store.Write(ctx, func(tx *store.Tx) error { return c.saveRows(ctx, tx, states, runs) }); err != nil {
		return from, false, err
	}
	for _, slot := range slots {
		p.saved(slot)
	}
	return from, int(from) < len(p.entries), nil
}

// saveTo tells the database how far states are written. With all of them
// written it stays saveEvery behind the clock, because reports on their way to
// a commit were received before now; while nothing happens it stays as it is.
func (p *Picture) saveTo(ctx context.Context) error {
	c := p.Begin()
	defer c.Abort()
	s := &p.saving
	to := p.oldestUnsaved()
	if to == 0 {
		if !s.grew {
			return nil
		}
		to = c.now.Add(-saveEvery)
	}
	if to == s.to {
		return nil
	}
	// Held to be later than it is, the instant is set back once too often; held
	// to be earlier, once too few. So a later one counts before its commit.
	s.to = max(s.to, to)
	if err := p.store.Write(ctx, func(tx *store.Tx) error { return tx.PutSavedTo(ctx, to) }); err != nil {
		return err
	}
	s.to, s.grew = to, p.oldestUnsaved() != 0
	return nil
}

func (c *Change) saveRows(ctx context.Context, tx *store.Tx, states []*fleet.State, runs []fleet.Run) error {
	if err := tx.SaveRuns(ctx, c.p.store.Engine(), runs, c.now); err != nil {
		return err
	}
	for _, s := range states {
		if slot, ok := c.p.byNo[s.No]; ok {
			c.p.saving.taken[slot] = max(c.p.saving.taken[slot], s.TakenAt)
		}
	}
	return tx.SaveStates(ctx, c.p.store.Engine(), states, c.now)
}

// appendGrown adds the newest run of an asset where it has grown since its row.
func (c *Change) appendGrown(runs []fleet.Run, slot int32, s *fleet.State) []fleet.Run {
	if r, ok := c.runOf(slot, s); ok && c.p.entries[slot].runSaved != (runMark{s.RunLastAt, s.RunPointsCount}) {
		runs = append(runs, r)
	}
	return runs
}

// runOf is the newest run of an asset, if it has one.
func (c *Change) runOf(slot int32, s *fleet.State) (fleet.Run, bool) {
	return fleet.Run{ID: s.RunID, ThingNo: s.No, OrganizationID: c.p.entries[slot].thing.OrganizationID,
		StartAt: s.RunStartAt, EndAt: s.RunLastAt, Points: s.RunPointsCount}, s.RunID != ""
}
