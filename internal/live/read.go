package live

import (
	"lightbar/internal/fleet"
	"lightbar/internal/wire"
	"slices"
)

// Page is a page of a list.
type Page struct {
	Things []wire.Thing
	Total  int
	AsOf   fleet.Instant
	// IsLarge: one of the organizations must be polled instead of streamed.
	IsLarge bool
}

// Query requests what organizations see.
type Query struct {
	Organizations []string
	Since         fleet.Instant // 0 = all; else what changed at or after it, including what is gone
	Page, PerPage int           // from 1
}

// Things returns a page, by asset number; with Since also rows of assets that are gone (IsDeleted).
func (p *Picture) Things(q Query) Page {
	p.mu.RLock()
	defer p.mu.RUnlock()
	out := Page{AsOf: p.asOf(), IsLarge: p.anyLarge(q.Organizations)}
	q.Since = sinceOf(q.Since, out.AsOf)
	first, last := (q.Page-1)*q.PerPage, q.Page*q.PerPage
	take := func() bool {
		out.Total++
		return out.Total > first && out.Total <= last
	}
	p.each(q.Organizations, func(slot int32) {
		e := p.entries[slot]
		if e.state.ChangedAt >= q.Since && take() {
			out.Things = append(out.Things, p.thingOf(e))
		}
	})
	if q.Since > 0 {
		for _, id := range p.goneSince(q.Organizations, q.Since) {
			if take() {
				out.Things = append(out.Things, wire.GoneThing(id))
			}
		}
	}
	return out
}

// IsLarge reports whether an organization must be polled instead of streamed: as set by hand, else by how much it sees.
func (p *Picture) IsLarge(organizationID string) bool {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.anyLarge([]string{organizationID})
}

// anyLarge reports whether one of the organizations is large; callers hold mu.
func (p *Picture) anyLarge(organizations []string) bool {
	for _, id := range organizations {
		seen := 0
		if v := p.orgs[id]; v != nil {
			seen = len(v.slots)
		}
		if fleet.IsLarge(p.large[id], seen) {
			return true
		}
	}
	return false
}

// Count counts the assets that the organizations see.
func (p *Picture) Count(organizations []string) int {
	p.mu.RLock()
	defer p.mu.RUnlock()
	if len(organizations) == 1 {
		if v := p.orgs[organizations[0]]; v != nil {
			return len(v.slots)
		}
		return 0
	}
	n := 0
	p.each(organizations, func(int32) { n++ })
	return n
}

// each visits the assets that any of the organizations sees, once, by asset number; callers hold mu.
func (p *Picture) each(organizations []string, visit func(slot int32)) {
	if len(organizations) == 1 {
		if v := p.orgs[organizations[0]]; v != nil {
			for _, slot := range v.slots {
				visit(slot)
			}
		}
		return
	}
	lists := make([][]int32, 0, len(organizations))
	for _, id := range organizations {
		if v := p.orgs[id]; v != nil && len(v.slots) > 0 {
			lists = append(lists, v.slots)
		}
	}
	for {
		best, no := -1, int64(0)
		for i, l := range lists {
			if len(l) > 0 {
				if n := p.entries[l[0]].thing.No; best < 0 || n < no {
					best, no = i, n
				}
			}
		}
		if best < 0 {
			return
		}
		slot := lists[best][0]
		for i, l := range lists {
			if len(l) > 0 && l[0] == slot {
				lists[i] = l[1:]
			}
		}
		visit(slot)
	}
}

// goneSince lists assets that one of the organizations stopped seeing and that none of them sees now.
func (p *Picture) goneSince(organizations []string, since fleet.Instant) []string {
	var out []string
	seen := map[string]bool{}
	for _, org := range organizations {
		v := p.orgs[org]
		if v == nil {
			continue
		}
		for id, at := range v.gone {
			if at >= since && !seen[id] && !p.sees(organizations, id) {
				seen[id] = true
				out = append(out, id)
			}
		}
	}
	sortStrings(out)
	return out
}

func (p *Picture) sees(organizations []string, thingID string) bool {
	slot, ok := p.byID[thingID]
	if !ok || !p.entries[slot].live {
		return false
	}
	for _, org := range organizations {
		if slices.Contains(p.entries[slot].audience, org) {
			return true
		}
	}
	return false
}

// liveOf is the live part of an asset on the wire; callers hold mu or are the writer.
func (p *Picture) liveOf(e *entry) wire.Live {
	return wire.LiveOf(&e.state, fleet.StaleAt(&e.state), p.closureRefs(e))
}

func (p *Picture) thingOf(e *entry) wire.Thing {
	out := wire.ThingOf(e.thing, p.liveOf(e), p.nameOf)
	out.FeedSubscriptions = e.thing.Feeds(p.publishing[e.thing.OrganizationID])
	return out
}

func (p *Picture) nameOf(organizationID string) wire.OrganizationRef {
	if ref, ok := p.names[organizationID]; ok {
		return ref
	}
	return wire.OrganizationRef{ID: organizationID}
}

// Thing finds an asset that has not been removed: as people edit it, its live
// state and its wire shape.
func (p *Picture) Thing(id string) (fleet.Thing, fleet.State, wire.Thing, bool) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	slot, ok := p.byID[id]
	if !ok || !p.entries[slot].live {
		return fleet.Thing{}, fleet.State{}, wire.Thing{}, false
	}
	e := p.entries[slot]
	return *e.thing, e.state, p.thingOf(e), true
}

// Find reports whether an organization has an asset of a system name or external id.
func (p *Picture) Find(organizationID, name string) (no int64, ok bool) {
	r := p.Resolve(organizationID, "")
	defer r.Done()
	return r.No(name)
}

// ThingByNo finds an asset's id by its internal number.
func (p *Picture) ThingByNo(no int64) (string, bool) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	slot, ok := p.byNo[no]
	if !ok {
		return "", false
	}
	return p.entries[slot].thing.ID, true
}

// Describe makes the wire shape of an asset that is about to be put in place, with its current state.
func (p *Picture) Describe(t *fleet.Thing) wire.Thing {
	p.mu.RLock()
	defer p.mu.RUnlock()
	e := entry{thing: t, state: fleet.State{ThingID: t.ID, No: t.No, Status: fleet.StatusOffline}}
	if slot, ok := p.byID[t.ID]; ok {
		e.state, e.closure = p.entries[slot].state, p.entries[slot].closure
	}
	return p.thingOf(&e)
}

// Resolver finds assets by the names that devices use for them. It holds the picture for reading until Done: keep it short.
type Resolver struct {
	p     *Picture
	names *names
	only  string
}

// Resolve begins to look up names among an organization's assets, or only the one asset.
func (p *Picture) Resolve(organizationID, only string) Resolver {
	p.mu.RLock()
	r := Resolver{p: p, only: only}
	if v := p.orgs[organizationID]; v != nil {
		r.names = &v.names
	}
	return r
}

// No is the internal number of an asset named by its system name or external
// id, in any letter case. With one asset only, an empty name means that one.
func (r Resolver) No(name string) (int64, bool) {
	if r.only != "" && name == "" {
		if slot, ok := r.p.byID[r.only]; ok && r.p.entries[slot].live {
			return r.p.entries[slot].thing.No, true
		}
		return 0, false
	}
	if r.names == nil {
		return 0, false
	}
	if r.only != "" {
		for _, slot := range r.names.holders(name) {
			if t := r.p.entries[slot].thing; t.ID == r.only {
				return t.No, true
			}
		}
		return 0, false
	}
	slot, ok := r.p.slotOf(r.names, name)
	if !ok {
		return 0, false
	}
	return r.p.entries[slot].thing.No, true
}

// Shared reports whether No finds no asset because several have the name.
func (r Resolver) Shared(name string) bool {
	return r.names != nil && r.only == "" && len(r.names.shared[lower(name)]) > 1
}

// Done admits writers again.
func (r Resolver) Done() { r.p.mu.RUnlock() }
