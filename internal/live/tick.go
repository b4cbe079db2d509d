package live

import (
	"context"
	"time"

	"lightbar/internal/fleet"
)

// Age applies the passage of time to every asset and incident that is due.
func (p *Picture) Age(ctx context.Context, publish func([]fleet.Message)) error {
	for {
		more, err := p.ageSome(ctx, publish)
		if err != nil || !more {
			return err
		}
	}
}

const ageAtOnce = 2000

// clockSlack is how far the clock may go back without counting as set back.
const clockSlack = time.Second

func (p *Picture) ageSome(ctx context.Context, publish func([]fleet.Message)) (more bool, err error) {
	c := p.Begin()
	defer c.Abort()
	if c.now < p.aged.Add(-clockSlack) { // the clock was set back: examine everything again
		for slot := range p.due {
			p.due[slot] = 1
		}
	}
	p.aged = c.now
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
	for _, f := range p.followers {
		f.age(c)
	}
	return more, c.commit(ctx, publish)
}

// expire ends incidents that are 8 h old, and drops those that ended long ago.
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
				c.applyOutcome(t, &o)
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
			c.p.stays.forget(c.p.locations[id])
			delete(c.p.locations, id)
		}
		c.p.mu.Unlock()
	}
}
