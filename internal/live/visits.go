package live

import (
	"context"
	"time"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
)

// Who was at which station, and when, is written when the station of a state
// changes, in the same transaction, and so is the state (changeMatters): after a
// crash the log ends where the states begin.

// matchLate is how old a report may be for the status of now to be that of then, as stations look at it.
const matchLate = time.Hour

// match settles where an asset was with the reports so far: before the next one
// is taken, so that a batch tells the same of stays as its reports one by one,
// and for a late batch by the status of then.
func (c *Change) match(t *touched) {
	before := t.state.StationID
	if fleet.MatchStation(&t.state, c.around.of(c.p.entries[t.slot].thing.OrganizationID), t.moved) {
		c.visited(t, before, t.moved)
		t.changes |= fleet.ChangeStation
	}
	t.moved = 0
}

// visited notes that an asset's station has changed at an instant.
func (c *Change) visited(t *touched, before string, at fleet.Instant) {
	thing := c.p.entries[t.slot].thing
	ended, begun := t.state.Moved(before, at)
	if was := &c.p.entries[t.slot].state; was.StationID == before {
		if since, out := fleet.OutSince(thing, was); out {
			ended.CountedTo = since
		}
	}
	for _, v := range []fleet.Visit{ended, begun} {
		if v.AreaID != "" {
			v.OrganizationID, v.ThingTypeID = thing.OrganizationID, thing.TypeID
			c.visits = append(c.visits, v)
		}
	}
}

// departs ends a stay at a station, because the asset goes to another owner or is removed.
func (c *Change) departs(t *touched, at fleet.Instant) {
	if before := t.state.StationID; before != "" {
		t.state.StationID = ""
		c.visited(t, before, at)
	}
}

func (c *Change) saveVisits(ctx context.Context, tx *store.Tx) error {
	for _, v := range c.visits {
		if err := tx.PutVisit(ctx, &v); err != nil {
			return err
		}
	}
	c.visits = nil
	return nil
}

// openVisits makes the stays that the log holds open those of the assets that
// are at stations now: one without its asset ends here, and of an asset whose
// arrival nobody wrote (its state is older than the log) one begins.
func (p *Picture) openVisits(ctx context.Context) error {
	open, err := store.OpenVisits(ctx, p.store.Reader())
	if err != nil {
		return err
	}
	c := p.Begin()
	defer c.Abort()
	written := make([]bool, len(p.entries))
	for _, v := range open {
		slot, known := p.byID[v.ThingID]
		if e := p.entryOf(slot, known); e != nil && e.state.StationID == v.AreaID && e.state.StationAt == v.ArrivedAt {
			written[slot] = true
			continue
		}
		v.LeftAt = max(c.now, v.ArrivedAt)
		v.CountedTo = v.LeftAt
		c.visits = append(c.visits, v)
	}
	for slot, e := range p.entries {
		if e.live && e.state.StationID != "" && !written[slot] {
			t := c.touch(int32(slot))
			t.state.StationAt = max(c.now, t.state.StationAt+1)
			t.changes |= fleet.ChangeStation
			c.visits = append(c.visits, fleet.Visit{AreaID: t.state.StationID, ThingID: t.state.ThingID, OrganizationID: e.thing.OrganizationID,
				ThingTypeID: e.thing.TypeID, ArrivedAt: t.state.StationAt})
		}
	}
	if len(c.visits) == 0 {
		return nil
	}
	if err := p.store.Write(ctx, func(tx *store.Tx) error { return c.Save(ctx, tx) }); err != nil {
		return err
	}
	c.Apply(nil)
	return nil
}

func (p *Picture) entryOf(slot int32, known bool) *entry {
	if !known || !p.entries[slot].live {
		return nil
	}
	return p.entries[slot]
}

// Unit is an asset at a station, as far as it counts for the station's cover.
type Unit struct {
	AreaID, TypeID string
	// Counts tells that it is in service and heard of; else OutSince tells since when it does not count, 0 = not since it came.
	Counts   bool
	OutSince fleet.Instant
}

// UnitsAtStations lists what an organization owns that is at its stations.
func (p *Picture) UnitsAtStations(organizationID string) (units []Unit) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	p.eachOwned(organizationID, func(_ int32, e *entry) {
		if e.state.StationID == "" {
			return
		}
		since, out := fleet.OutSince(e.thing, &e.state)
		units = append(units, Unit{AreaID: e.state.StationID, TypeID: e.thing.TypeID, Counts: !out, OutSince: since})
	})
	return units
}

// ThingOf finds an asset as an organization knows it: what it owns as it is now,
// what it owned as it was then.
func (p *Picture) ThingOf(organizationID, thingID string) (*fleet.Thing, bool) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	slot, known := p.byID[thingID]
	if e := p.entryOf(slot, known); e != nil && e.thing.OrganizationID == organizationID {
		return e.thing, true
	}
	return p.pastOwners.name(organizationID, thingID)
}
