package live

import (
	"context"
	"math"
	"time"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
)

// How states reach the database. A change that a restart could not reconstruct saves the states with it (changeMatters). A state is
// otherwise a cache of reports, and is saved lazily, at a pace that follows from how much may be replayed at startup: in the
// transactions of reports each asset has its turn once in saveEvery, so that no commit carries much; and on a timer when no reports
// come. With them the database records how far states are saved: the saved states contain every report received before that
// instant, and a start replays the later ones (Load). Each state also records which of these it contains: all received up to
// State.TakenAt. Reports that a start would not find like this, or not in the order in which they came, are noted in a journal
// (late.go) until the states of their assets are written.

const (
	// saveEvery is how long a changed state waits for its row: about what is replayed at startup.
	saveEvery = 30 * time.Second
	// leaveAfter is how long the clock leaves states to the commits of ingest while these write some.
	leaveAfter = saveEvery + 10*time.Second
	// commitWait is how long a report waits for its commit at most, as a rule.
	commitWait = 5 * time.Second
	// paceSlack is by how much assets have their turns faster than the whole fleet in saveEvery, to catch up.
	paceSlack = 1.25
	// A commit gives the turns of paceKept at most, and writes at most what the pace gives for quotaKept, but
	// leastQuota states where these are due.
	paceKept   = 2 * time.Second
	quotaKept  = 200 * time.Millisecond
	leastQuota = 64
	// flushAtOnce limits the states in a transaction of their own, so that ingest waits little for it; flushAlone where no ingest
	// is.
	flushAtOnce = 200
	flushAlone  = 5000
)

// changeMatters is what a restart could not reconstruct from stored reports: only reports in order open and close incidents, the
// log of visits is written as it happens, and refused reports and cut connections are stored nowhere else. Everything else follows
// from the reports since the saved state, and from the clock.
const changeMatters = fleet.ChangeIncident | fleet.ChangeStation | fleet.ChangeRefused | fleet.ChangeCut

// saving is up to when states are written. Only the writer uses it.
type saving struct {
	since       []fleet.Instant // beside entries: the receive instant of the oldest report that the row lacks, 0 = none
	taken       []fleet.Instant // beside entries: TakenAt of the row, or later where a commit failed
	to          fleet.Instant   // as in the database, or later; 0 = it has none
	grew        bool            // a report has come since that was written
	next        int32           // the asset whose turn is next
	at          fleet.Instant   // when assets last had their turns beside a commit
	turns       float64         // turns that may be given now
	savedInline bool            // a commit wrote some since the clock last looked
	journal     journal
}

func (p *Picture) saved(slot int32) {
	e := p.entries[slot]
	p.saving.since[slot] = 0
	p.saving.journal.since[slot] = 0
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

// saveStates saves the states of assets with a change that matters. If the
// other assets took reports received before the instant up to which states are
// saved (they waited long, or the clock was set back), that instant is set back
// to those reports.
func (c *Change) saveStates(ctx context.Context, tx *store.Tx) error {
	var states []*fleet.State
	var runs []fleet.Run
	to := c.p.saving.to
	for i := range c.touched {
		t := &c.touched[i]
		if t.must || t.to != 0 || t.changes&changeMatters != 0 {
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
	if err := c.saveLate(ctx, tx); err != nil {
		return err
	}
	return c.saveRows(ctx, tx, states, runs)
}

// SaveDue saves the waiting states of those assets whose turn it is together
// with the change. Call it after Save, in the same transaction.
func (c *Change) SaveDue(ctx context.Context, tx *store.Tx) error {
	p := c.p
	s := &p.saving
	n := int32(len(s.since))
	pace := float64(n) * paceSlack / saveEvery.Seconds()
	s.turns = min(s.turns+pace*max(c.now.Sub(s.at), 0).Seconds(), max(pace*paceKept.Seconds(), leastQuota), float64(n))
	s.at = c.now
	most := max(int(pace*quotaKept.Seconds()), leastQuota)
	var states []*fleet.State
	var runs []fleet.Run
	for ; s.turns >= 1 && len(states) < most; s.turns-- {
		slot := s.next
		if s.next++; s.next >= n {
			s.next = 0
		}
		state := &p.entries[slot].state
		if i, ok := c.index[slot]; ok {
			t := &c.touched[i]
			if t.saved || s.since[slot] == 0 && t.since == 0 {
				continue
			}
			t.saved, state = true, &t.state
		} else if s.since[slot] == 0 {
			continue
		} else {
			c.savedInline = append(c.savedInline, slot)
		}
		states = append(states, state)
		runs = c.appendGrown(runs, slot, state)
	}
	s.savedInline = s.savedInline || len(states) > 0
	return c.saveRows(ctx, tx, states, runs)
}

// Flush writes every state that is newer than its row.
func (p *Picture) Flush(ctx context.Context) error { return p.flush(ctx, math.MaxInt64, flushAlone) }

// FlushDue saves the states that are due and that no commit of ingest has
// saved.
func (p *Picture) FlushDue(ctx context.Context) error {
	p.writer.enter()
	wait := saveEvery
	if p.saving.savedInline {
		wait = leaveAfter
	}
	p.saving.savedInline = false
	p.writer.leave()
	return p.flush(ctx, fleet.InstantOf(p.now().Add(-wait)), flushAtOnce)
}

func (p *Picture) flush(ctx context.Context, dueBy fleet.Instant, most int) error {
	for from, more := int32(0), true; more; {
		var err error
		if from, more, err = p.flushSome(ctx, from, dueBy, most); err != nil {
			return err
		}
	}
	return p.saveTo(ctx)
}

// flushSome writes the next states that are due, in a transaction of their own.
func (p *Picture) flushSome(ctx context.Context, from int32, dueBy fleet.Instant, most int) (next int32, more bool, err error) {
	c := p.Begin()
	defer c.Abort()
	var slots []int32
	var states []*fleet.State
	var runs []fleet.Run
	for ; int(from) < len(p.entries) && len(slots) < most; from++ {
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

// saveTo records in the database how far states are saved, and drops what the
// journal need not keep. When all are saved, the instant stays commitWait behind
// the clock, because reports that are waiting for a commit were received before
// now. While nothing happens it does not change.
func (p *Picture) saveTo(ctx context.Context) error {
	c := p.Begin()
	defer c.Abort()
	s := &p.saving
	to := p.oldestUnsaved()
	if to == 0 {
		if to = s.to; s.grew {
			to = c.now.Add(-commitWait)
		}
	}
	keep := s.journal.oldest()
	if to == s.to && keep == s.journal.first {
		return nil
	}
	// If memory's value is too late, saveStates sets the instant back once too
	// often; if too early, once too seldom. So memory takes a later value before
	// its commit.
	was := s.to
	s.to = max(s.to, to)
	if err := p.store.Write(ctx, func(tx *store.Tx) error {
		if keep != s.journal.first {
			if err := tx.DropLate(ctx, keep); err != nil {
				return err
			}
		}
		if to == was {
			return nil
		}
		return tx.PutSavedTo(ctx, to)
	}); err != nil {
		return err
	}
	s.to, s.grew, s.journal.first = to, p.oldestUnsaved() != 0, keep
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
	return tx.SaveStates(ctx, c.p.store.Engine(), states, c.now, c.p.saving.journal.no)
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
