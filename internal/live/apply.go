package live

import (
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// Apply puts the change into the picture after its commit, hands the events to
// publish (still in the order of commits) and lets the next writer in.
func (c *Change) Apply(publish func([]fleet.Event)) {
	defer c.Abort()
	p := c.p
	p.mu.Lock()
	for _, slot := range c.rode {
		p.saved(slot)
	}
	if c.to != 0 {
		p.saving.to = c.to
	}
	stamp := p.raise(c.now)
	for i := range c.touched {
		t := &c.touched[i]
		e := p.entries[t.slot]
		if t.changes&^fleet.ChangeLate != 0 {
			t.state.ChangedAt = stamp
			e.levels.stamp(&e.state, &t.state, stamp)
		} else {
			t.state.ChangedAt = e.state.ChangedAt
		}
		e.state = t.state
		if t.streetAt != [2]float64{} {
			e.streetAt = t.streetAt
		}
		if t.saved {
			p.saved(t.slot)
		} else {
			p.unsaved(t.slot, t.since)
		}
		p.due[t.slot] = t.state.DueAt
	}
	for _, id := range c.order {
		l := c.places[id]
		l.UpdatedAt = stamp
		p.locations[id] = l
		keepActive(p.active, l)
	}
	c.seen = c.sights()
	var before []*fleet.Thing
	for _, t := range c.things {
		slot, known := p.byID[t.ID]
		if known && p.entries[slot].live {
			before = append(before, p.entries[slot].thing)
		}
		slot = p.put(t, fleet.State{ThingID: t.ID, No: t.No, Status: fleet.StatusOffline, StatusAt: c.now})
		p.entries[slot].state.ChangedAt, p.entries[slot].levels[profiled] = stamp, stamp
		if known { // one that has never reported needs no row: a start gives it the same state
			p.unsaved(slot, c.now)
		}
	}
	p.inherit(before)
	for _, g := range c.gone {
		p.view(g.OrganizationID).gone[g.ThingID] = stamp
	}
	for _, o := range c.former {
		p.former[o.ThingID] = append(p.former[o.ThingID], o)
	}
	c.news(stamp)
	p.mu.Unlock()
	if publish != nil {
		c.describe(stamp)
		if len(c.events) > 0 {
			publish(c.events)
		}
	}
	c.events, c.things, c.gone, c.rode, c.former, c.seen = nil, nil, nil, nil, nil, nil
}

// describe makes the events: one for each touched asset and each incident.
func (c *Change) describe(stamp fleet.Instant) {
	p := c.p
	events := make([]fleet.Event, 0, len(c.touched)+len(c.order)+len(c.events))
	for i := range c.touched {
		t := &c.touched[i]
		e := p.entries[t.slot]
		if t.changes&^fleet.ChangeLate == 0 || !e.live {
			continue
		}
		kind := fleet.EventHeartbeat
		if t.changes&fleet.ChangePosition != 0 {
			kind = fleet.EventPoint
		}
		live := liveOf(&e.state)
		events = append(events, fleet.Event{Type: kind, Key: e.thing.ID, Audience: e.audience, At: stamp,
			Body: wire.AppendLiveMessage(nil, kind, &live)})
	}
	for _, id := range c.order {
		events = append(events, p.locationEvents(c.places[id], stamp)...)
	}
	events = append(events, c.sightEvents(stamp)...)
	c.events = append(events, c.events...)
}

// Put adds or replaces an asset (never changed afterwards). Organizations that
// lost sight of it and those that gained it are told. Callers have written the
// row in the change's transaction.
func (c *Change) Put(t *fleet.Thing) {
	c.things = append(c.things, t)
}

// Lost says that an organization no longer sees an asset (row in thing_gone).
func (c *Change) Lost(organizationID, thingID string) {
	c.gone = append(c.gone, store.Gone{OrganizationID: organizationID, ThingID: thingID, At: c.now})
}

// Say adds an event to those that leave after the commit.
func (c *Change) Say(e fleet.Event) { c.events = append(c.events, e) }

// liveOf is the live part of an asset on the wire.
func liveOf(s *fleet.State) wire.Live { return wire.LiveOf(s, fleet.StaleAt(s), nil) }
