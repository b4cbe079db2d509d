package live

import (
	"context"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
)

// The visits of stations are written when the station of a state changes, in the same transaction, and so is the state
// (changeMatters): after a crash the log ends where the states begin.

// stationed notes the stay that ended and the one that begins.
func (f *stations) stationed(_ *Change, t *touched, left string, at fleet.Instant) {
	thing := f.p.entries[t.slot].thing
	ended, begun := t.state.Moved(left, at)
	if was := &f.p.entries[t.slot].state; was.StationID == left {
		if since, out := fleet.OutSince(thing, was); out {
			ended.CountedTo = since
		}
	}
	for _, v := range []fleet.Visit{ended, begun} {
		if v.AreaID != "" {
			v.OrganizationID, v.ThingTypeID = thing.OrganizationID, thing.TypeID
			f.visits = append(f.visits, v)
		}
	}
}

func (f *stations) save(ctx context.Context, _ *Change, tx *store.Tx) error {
	for _, v := range f.visits {
		if err := tx.PutVisit(ctx, &v); err != nil {
			return err
		}
	}
	f.visits = nil
	return nil
}

// start corrects the open stays of the log to the assets that are at stations now: a stay without its asset ends here, and for an
// asset whose arrival was not written (its state is older than the log) one begins.
func (f *stations) start(ctx context.Context, c *Change) error {
	p := f.p
	open, err := store.OpenVisits(ctx, p.store.Reader())
	if err != nil {
		return err
	}
	written := make([]bool, len(p.entries))
	for _, v := range open {
		slot, known := p.byID[v.ThingID]
		if e := p.entryOf(slot, known); e != nil && e.state.StationID == v.AreaID && e.state.StationAt == v.ArrivedAt {
			written[slot] = true
			continue
		}
		v.LeftAt = max(c.now, v.ArrivedAt)
		v.CountedTo = v.LeftAt
		f.visits = append(f.visits, v)
	}
	for slot, e := range p.entries {
		if e.live && e.state.StationID != "" && !written[slot] {
			t := c.touch(int32(slot))
			t.state.StationAt = max(c.now, t.state.StationAt+1)
			t.changes |= fleet.ChangeStation
			f.visits = append(f.visits, fleet.Visit{AreaID: t.state.StationID, ThingID: t.state.ThingID, OrganizationID: e.thing.OrganizationID,
				ThingTypeID: e.thing.TypeID, ArrivedAt: t.state.StationAt})
		}
	}
	c.followed = c.followed || len(f.visits) > 0
	return nil
}

func (p *Picture) entryOf(slot int32, known bool) *entry {
	if !known || !p.entries[slot].live {
		return nil
	}
	return p.entries[slot]
}

// Unit is an asset at a station, with what counts for the station's cover.
type Unit struct {
	AreaID, TypeID string
	// Counts reports that it is in service and reporting; else OutSince is since when it does not count, 0 = not since it arrived.
	Counts   bool
	OutSince fleet.Instant
}

// UnitsAtStations lists the assets of an organization that are at its stations.
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

// ThingOf finds an asset as an organization knows it: one that it owns as it is now, one that it owned as it was then.
func (p *Picture) ThingOf(organizationID, thingID string) (*fleet.Thing, bool) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	slot, known := p.byID[thingID]
	if e := p.entryOf(slot, known); e != nil && e.thing.OrganizationID == organizationID {
		return e.thing, true
	}
	return p.pastOwners.name(organizationID, thingID)
}
