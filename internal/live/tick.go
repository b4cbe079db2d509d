package live

import (
	"context"
	"math"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
)

// flushAtOnce bounds the states written in one transaction, so that ingest waits little for it.
const flushAtOnce = 200

// Flush writes every state that is newer than its row.
func (p *Picture) Flush(ctx context.Context) error {
	return p.flush(ctx, math.MaxInt64)
}

// FlushDue writes the states that have been newer than their rows for saveEvery.
func (p *Picture) FlushDue(ctx context.Context) error {
	return p.flush(ctx, fleet.InstantOf(p.now().Add(-saveEvery)))
}

func (p *Picture) flush(ctx context.Context, dirtyBy fleet.Instant) error {
	p.writer.Lock()
	n := int32(len(p.entries))
	p.writer.Unlock()
	for from := int32(0); from < n; {
		next, err := p.flushSome(ctx, from, dirtyBy)
		if err != nil {
			return err
		}
		from = next
	}
	return nil
}

func (p *Picture) flushSome(ctx context.Context, from int32, dirtyBy fleet.Instant) (int32, error) {
	c := p.Begin()
	defer c.Abort()
	var slots []int32
	for ; int(from) < len(p.entries) && len(slots) < flushAtOnce; from++ {
		if at := p.entries[from].dirtyAt; at != 0 && at <= dirtyBy {
			slots = append(slots, from)
		}
	}
	if len(slots) == 0 {
		return from, nil
	}
	err := p.store.Write(ctx, func(tx *store.Tx) error {
		states := make([]*fleet.State, len(slots))
		for i, slot := range slots {
			e := &p.entries[slot]
			states[i] = &e.state
			if e.runSaved == (runMark{e.state.RunLastAt, e.state.RunPointsCount}) {
				continue
			}
			if err := c.saveRun(ctx, tx, &touched{slot: slot, state: e.state}); err != nil {
				return err
			}
		}
		return tx.SaveStates(ctx, p.store.Engine(), states, c.now)
	})
	if err != nil {
		return from, err
	}
	for _, slot := range slots {
		e := &p.entries[slot]
		e.dirtyAt, e.runSaved = 0, runMark{e.state.RunLastAt, e.state.RunPointsCount}
	}
	return from, nil
}

// Age lets the clock work on every asset and incident that is due.
func (p *Picture) Age(ctx context.Context, publish func([]fleet.Event)) error {
	for {
		more, err := p.ageSome(ctx, publish)
		if err != nil || !more {
			return err
		}
	}
}

const ageAtOnce = 2000

func (p *Picture) ageSome(ctx context.Context, publish func([]fleet.Event)) (more bool, err error) {
	c := p.Begin()
	defer c.Abort()
	for slot, due := range p.due {
		if due == 0 || due > c.now || !p.entries[slot].live {
			continue
		}
		if len(c.touched) == ageAtOnce {
			more = true
			break
		}
		c.age(int32(slot))
	}
	c.expire()
	if len(c.touched) == 0 && len(c.order) == 0 {
		return false, nil
	}
	if err := p.store.Write(ctx, func(tx *store.Tx) error { return c.Save(ctx, tx) }); err != nil {
		return false, err
	}
	c.Apply(publish)
	return more, nil
}

// expire ends incidents that are 8 h old, and forgets those that ended long ago.
func (c *Change) expire() {
	var ended, old []string
	for id, l := range c.p.locations {
		switch {
		case l.IsActive && l.ExpireAt() <= c.now:
			ended = append(ended, id)
		case !l.IsActive && c.now.Sub(l.UpdatedAt) > locationsKept:
			old = append(old, id)
		}
	}
	sortStrings(ended)
	for _, id := range ended {
		l := c.p.locations[id]
		at := l.ExpireAt()
		for i := range l.Presences {
			slot, ok := c.p.byID[l.Presences[i].ThingID]
			if !ok || l.Presences[i].EndAt != 0 {
				continue
			}
			if t := c.touch(slot); t.state.LocationID == id {
				o := fleet.Leave(&t.state, at)
				c.follow(t, &o)
			}
		}
		c.location(id, func(l *fleet.Location) {
			for i := range l.Presences {
				l.Depart(l.Presences[i].ThingID, at)
			}
			if l.IsActive {
				l.IsActive, l.EndAt = false, at
			}
		})
	}
	if len(old) > 0 {
		c.p.mu.Lock()
		for _, id := range old {
			delete(c.p.locations, id)
		}
		c.p.mu.Unlock()
	}
}
