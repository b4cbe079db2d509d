package live

import (
	"context"
	"slices"
	"strings"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// Assets change owners. A past owner keeps what it saw; the next owner's
// picture begins with the first report after the transfer.

// pastOwners are the ended ownerships, by asset.
type pastOwners map[string][]fleet.Ownership

// name finds the name of an asset when an organization last owned it.
func (f pastOwners) name(organizationID, thingID string) (*fleet.Thing, bool) {
	list := f[thingID]
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].OrganizationID == organizationID && list[i].Doc != nil {
			return list[i].Doc, true
		}
	}
	return nil, false
}

func (p *Picture) loadFormer(ctx context.Context, r store.Reader) error {
	list, err := store.FormerOwners(ctx, r)
	if err != nil {
		return err
	}
	for _, o := range list {
		p.pastOwners[o.ThingID] = append(p.pastOwners[o.ThingID], o)
	}
	return nil
}

// Release ends what an asset does for its owner: it ends its stay at an incident and its run, and resets its state
// (fleet.HandOver). It returns the instant from which reports belong to the next owner, after all reports so far. Call Save in the
// transaction that transfers the asset.
func (c *Change) Release(thingID string) (from fleet.Instant) {
	slot, ok := c.p.byID[thingID]
	if !ok {
		return c.now
	}
	t := c.touch(slot)
	from = max(c.now, t.state.HeartbeatAt+1)
	o := fleet.Leave(&t.state, from)
	c.applyOutcome(t, &o)
	if left := t.state.StationID; left != "" {
		t.state.StationID = ""
		c.stationed(t, left, from)
	}
	if run, ran := c.runOf(slot, &t.state); ran {
		c.closed = append(c.closed, run)
	}
	t.state, t.changes, t.must = fleet.HandOver(t.state, c.now), 0, true
	c.p.entries[slot].streetAt = fleet.StreetMark{} // only the writer uses it
	return from
}

// PastOwner notes an ownership that ends with the change.
func (c *Change) PastOwner(o fleet.Ownership) { c.pastOwners = append(c.pastOwners, o) }

// Describe makes the wire shape of an asset after the change.
func (c *Change) Describe(t *fleet.Thing) wire.Thing {
	e := entry{thing: t, state: fleet.State{ThingID: t.ID, No: t.No, Status: fleet.StatusOffline}}
	if slot, ok := c.p.byID[t.ID]; ok {
		e.state = c.touch(slot).state
	}
	c.p.mu.RLock()
	defer c.p.mu.RUnlock()
	return c.p.thingOf(&e)
}

// taker finds the asset to which a report belongs: none if it has been removed, or if the report is older than its current
// ownership.
func (c *Change) taker(thingNo int64, at fleet.Instant) (slot int32, ok bool) {
	slot, ok = c.p.byNo[thingNo]
	if !ok {
		return 0, false
	}
	e := c.p.entries[slot]
	return slot, e.live && at >= e.thing.OwnedAt
}

// whoOf finds the asset of a stay as these organizations may see it. While the incident's organization owns the asset, everybody
// sees it who sees the asset now. After it was transferred or removed, only that organization sees it, as it was then.
func (p *Picture) whoOf(l *fleet.Location, organizations []string, thingID string) (*fleet.Thing, bool) {
	if p.staysWith(l, thingID) {
		if p.sees(organizations, thingID) {
			return p.entries[p.byID[thingID]].thing, true
		}
		return nil, false
	}
	if slices.Contains(organizations, l.OrganizationID) {
		return p.pastOwners.name(l.OrganizationID, thingID)
	}
	return nil, false
}

// staysWith reports whether an asset of an incident still belongs to the incident's organization.
func (p *Picture) staysWith(l *fleet.Location, thingID string) bool {
	slot, ok := p.byID[thingID]
	return ok && p.entries[slot].live && p.entries[slot].thing.OrganizationID == l.OrganizationID
}

// Owned lists the assets of organizations, without those they only manage or access, by number.
func (p *Picture) Owned(organizations []string) []*fleet.Thing {
	p.mu.RLock()
	defer p.mu.RUnlock()
	var out []*fleet.Thing
	p.each(organizations, func(slot int32) {
		if t := p.entries[slot].thing; slices.Contains(organizations, t.OrganizationID) {
			out = append(out, t)
		}
	})
	return out
}

// VisitOwned calls visit for each asset that an organization owns with its state, by number; visit must not keep either, nor call
// the picture.
func (p *Picture) VisitOwned(organizationID string, visit func(*fleet.Thing, *fleet.State)) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	p.eachOwned(organizationID, func(_ int32, e *entry) { visit(e.thing, &e.state) })
}

// VisitOwnedOf calls visit for those of some assets that an organization owns, as VisitOwned does.
func (p *Picture) VisitOwnedOf(organizationID string, ids []string, visit func(*fleet.Thing, *fleet.State)) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	for _, id := range ids {
		if slot, ok := p.byID[id]; ok && p.entries[slot].live && p.entries[slot].thing.OrganizationID == organizationID {
			visit(p.entries[slot].thing, &p.entries[slot].state)
		}
	}
}

// Carriageway returns the direction of the traffic of the one-way road at a position, degrees; heading is negative when unknown.
// False on roads whose traffic goes both ways, and where no road is known.
func (p *Picture) Carriageway(lat, lng, heading float64) (deg float64, known bool) {
	if p.carriageway == nil {
		return 0, false
	}
	return p.carriageway(lat, lng, heading)
}

// CountOwned is how many assets an organization owns.
func (p *Picture) CountOwned(organizationID string) int {
	p.mu.RLock()
	defer p.mu.RUnlock()
	if v := p.orgs[organizationID]; v != nil {
		return v.owned
	}
	return 0
}

// CountAll is how many assets there are, of all organizations.
func (p *Picture) CountAll() (n int) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	for _, v := range p.orgs {
		n += v.owned
	}
	return n
}

// RespondersType returns how many of an organization's own assets in service are responders: none, some or all.
func (p *Picture) RespondersType(organizationID string) string {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.respondersType(organizationID)
}

// respondersType is RespondersType; callers hold mu.
func (p *Picture) respondersType(organizationID string) string {
	if v := p.orgs[organizationID]; v != nil {
		return fleet.RespondersType(v.responders, v.inService)
	}
	return fleet.RespondersType(0, 0)
}

// responderTypes are those of the organizations that own an asset of the change before it or after it; callers hold mu.
func (c *Change) responderTypes() map[string]string {
	kinds := map[string]string{}
	for _, t := range c.things {
		kinds[t.OrganizationID] = ""
		if slot, known := c.p.byID[t.ID]; known {
			kinds[c.p.entries[slot].thing.OrganizationID] = ""
		}
	}
	for id := range kinds {
		kinds[id] = c.p.respondersType(id)
	}
	return kinds
}

// OrganizationsNamed finds organizations by their name, ignoring letter case.
func (p *Picture) OrganizationsNamed(name string) (ids []string) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	for id, ref := range p.names {
		if strings.EqualFold(ref.Name, name) {
			ids = append(ids, id)
		}
	}
	return ids
}
