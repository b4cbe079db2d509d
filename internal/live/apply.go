package live

import (
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// Apply puts the change into the picture after its commit, passes the messages to publish (still in the order of commits) and
// admits the next writer. It returns the organizations for which the share of responders among their assets (all, some or none) has
// changed.
func (c *Change) Apply(publish func([]fleet.Message)) (reworded []string) {
	defer c.Abort()
	p := c.p
	p.mu.Lock()
	for _, slot := range c.savedInline {
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
		if e.state.HeartbeatAt != 0 && fleet.IsStale(&e.state, c.now) && !fleet.IsStale(&t.state, c.now) {
			e.heardAt = stamp
		}
		e.state = t.state
		if t.streetAt.Known() {
			e.streetAt = t.streetAt
		}
		if t.saved {
			p.saved(t.slot)
			p.saving.grew = p.saving.grew || t.since != 0
		} else {
			p.unsaved(t.slot, t.since)
			if t.late {
				p.saving.journal.note(t.slot)
			}
		}
		p.due[t.slot], p.places[t.slot] = t.state.DueAt, whereOf(&t.state)
	}
	for _, id := range c.order {
		l := c.places[id]
		l.UpdatedAt = stamp
		p.locations[id] = l
		p.stays.hold(l)
		keepActive(p.active, l)
	}
	c.seen = c.visibilities()
	kinds := c.responderTypes()
	for _, t := range c.things {
		_, known := p.byID[t.ID]
		slot := p.put(t, fleet.State{ThingID: t.ID, No: t.No, Status: fleet.StatusOffline, StatusAt: c.now})
		p.entries[slot].state.ChangedAt, p.entries[slot].levels[profiled] = stamp, stamp
		if known { // one that has never reported needs no row: a start gives it the same state
			p.unsaved(slot, c.now)
		}
	}
	for id, kind := range kinds {
		if p.respondersType(id) != kind {
			reworded = append(reworded, id)
		}
	}
	for _, g := range c.gone {
		p.view(g.OrganizationID).gone[g.ThingID] = stamp
	}
	for _, o := range c.pastOwners {
		p.pastOwners[o.ThingID] = append(p.pastOwners[o.ThingID], o)
	}
	c.markVisibilityChanges(stamp)
	for _, f := range p.followers {
		f.keep(c)
	}
	p.mu.Unlock()
	if publish != nil {
		c.describe(stamp)
		if len(c.messages) > 0 {
			publish(c.messages)
		}
	}
	c.messages, c.things, c.gone, c.savedInline, c.pastOwners, c.seen = nil, nil, nil, nil, nil, nil
	return reworded
}

// describe makes the messages: one for each touched asset and each incident.
func (c *Change) describe(stamp fleet.Instant) {
	p := c.p
	messages := make([]fleet.Message, 0, len(c.touched)+len(c.order)+len(c.messages))
	for i := range c.touched {
		t := &c.touched[i]
		e := p.entries[t.slot]
		if t.changes&^fleet.ChangeLate == 0 || !e.live {
			continue
		}
		kind := fleet.MessageHeartbeat
		if t.changes&fleet.ChangePosition != 0 {
			kind = fleet.MessagePoint
		}
		live := p.liveOf(e)
		messages = append(messages, fleet.Message{Type: kind, Key: e.thing.ID, Audience: e.audience, At: stamp,
			Body: wire.AppendLiveMessage(nil, kind, &live)})
	}
	for _, id := range c.order {
		messages = append(messages, p.locationMessages(c.places[id], stamp)...)
	}
	messages = append(messages, c.visibilityMessages(stamp)...)
	c.messages = append(messages, c.messages...)
	for _, f := range p.followers {
		c.messages = append(c.messages, f.messages(c, stamp)...)
	}
}

// Put adds or replaces an asset (never changed afterwards). Organizations that no longer see it, or see it now, are notified.
// Callers have written the row in the change's transaction.
func (c *Change) Put(t *fleet.Thing) {
	c.things = append(c.things, t)
	for _, f := range c.p.followers {
		f.replaced(c, t)
	}
}

// Lost notes that an organization no longer sees an asset (row in thing_gone).
func (c *Change) Lost(organizationID, thingID string) {
	c.gone = append(c.gone, store.Gone{OrganizationID: organizationID, ThingID: thingID, At: c.now})
}

// Say adds a message to those that are sent after the commit.
func (c *Change) Say(e fleet.Message) { c.messages = append(c.messages, e) }
