package live

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// An alerting zone is active while an asset of its organization alerts in it, and for a while after the last one. An asset counts
// as long as its position is live (fleet.StaleAt). Each report is followed, so a zone that an asset only crosses within one batch
// becomes active, too. What changes is written and published with the commit that changed it; the clock publishes what ends by
// itself.

// zone is an alerting zone as the picture holds it. It is never changed in place: a change works on a copy.
type zone struct {
	fleet.Zone
	place  place
	inside map[int32]fleet.Instant // slots of the assets that alert in it, and since when
	again  bool                    // of a change: published even if no asset changed it
	tell   bool                    // of a change: it is sent to the listeners
}

// zones follows the alerting zones.
type zones struct {
	idle
	p     *Picture
	byID  map[string]*zone
	index *siteIndex // where they lie

	// of the current change
	next      map[string]*zone   // after the change; nil = removed
	order     []string           // their ids, in order of change
	nextIndex *siteIndex         // index after it
	alerting  map[int32][]string // by slot, the zones that assets alert in after it

	// of the search at a position
	lat, lng float64
	found    []string
	each     func(_, _ [2]float32, s site) bool
}

func (f *zones) load(ctx context.Context, r store.Reader) error {
	rows, err := store.ListZones(ctx, r)
	if err != nil {
		return err
	}
	for _, row := range rows {
		z, err := newZone(row)
		if err != nil {
			return fmt.Errorf("a row of zone cannot be read: the shape of %s", row.ID) // no refusal: nobody sent it
		}
		f.byID[z.ID] = z
		f.index.add(&z.place)
	}
	return nil
}

func newZone(row *fleet.Zone) (*zone, error) {
	shapes, err := row.Shapes()
	return &zone{Zone: *row, place: place{row.OrganizationID, row.ID, shapes}, inside: map[int32]fleet.Instant{}}, err
}

// start finds what alerts in zones. Listeners may know another activity of those that were active, so these count as changed.
func (f *zones) start(_ context.Context, c *Change) error {
	for owner := range f.index.byOwner {
		f.p.eachOwned(owner, func(slot int32, e *entry) {
			if e.state.Alerting && e.state.HasPosition {
				f.stand(c, c.touch(slot), e.thing, c.now)
			}
		})
	}
	for id, z := range f.byID {
		if z.Active {
			f.edit(c, id).again = true
		}
	}
	return nil
}

func (f *zones) begin() { f.next, f.order, f.alerting, f.nextIndex = nil, nil, nil, f.index }

// edit is a zone in the change, not in the picture; nil when there is none (any more).
func (f *zones) edit(c *Change, id string) *zone {
	z, changed := f.next[id]
	if changed {
		return z
	}
	old := f.byID[id]
	if old == nil {
		return nil
	}
	z = &zone{Zone: old.Zone, place: old.place, inside: maps.Clone(old.inside)}
	f.set(c, id, z)
	return z
}

func (f *zones) set(c *Change, id string, z *zone) {
	if f.next == nil {
		f.next = map[string]*zone{}
	}
	if _, changed := f.next[id]; !changed {
		f.order = append(f.order, id)
	}
	f.next[id], c.followed = z, true
}

// of returns the zones that an asset alerts in, after the change.
func (f *zones) of(slot int32) []string {
	if len(f.alerting) > 0 {
		if ids, changed := f.alerting[slot]; changed {
			return ids
		}
	}
	return f.p.entries[slot].zones
}

func (f *zones) setOf(slot int32, ids []string) {
	if f.alerting == nil {
		f.alerting = map[int32][]string{}
	}
	f.alerting[slot] = ids
}

// PutZone adds or replaces an alerting zone, or removes a deleted one. If its place or organization changes, it begins again with
// what alerts there now; else it continues. Save and Apply write and publish it.
func (c *Change) PutZone(row *fleet.Zone) error {
	f := &c.p.zones
	old := f.edit(c, row.ID)
	if row.DeletedAt != 0 {
		if old != nil {
			f.empty(old)
			f.nextIndex = f.nextIndex.with(&old.place, nil)
			f.set(c, row.ID, nil)
		}
		return nil
	}
	if old != nil && old.SamePlace(row) {
		was := old.Zone
		old.Zone, old.again = *row, true
		old.Active, old.BeganAt, old.LeftAt = was.Active, was.BeganAt, was.LeftAt
		return nil
	}
	z, err := newZone(row)
	if err != nil {
		return err
	}
	var was *place
	if old != nil {
		was = &old.place
		f.empty(old)
	}
	z.again, z.BeganAt, z.LeftAt = true, 0, 0
	f.nextIndex = f.nextIndex.with(was, &z.place)
	f.set(c, z.ID, z)
	c.p.eachOwned(z.OrganizationID, func(slot int32, e *entry) {
		holds := func(s *fleet.Shape) bool { return fleet.Holds(s, e.state.Lat, e.state.Lng) }
		if e.state.Alerting && e.state.HasPosition && slices.ContainsFunc(z.place.shapes, holds) {
			f.stand(c, c.touch(slot), e.thing, c.now)
		}
	})
	return nil
}

// empty removes all assets from a zone of the change.
func (f *zones) empty(z *zone) {
	for slot := range z.inside {
		f.setOf(slot, without(f.of(slot), z.ID))
	}
	clear(z.inside)
}

func without(ids []string, id string) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(have string) bool { return have == id })
}

// reported checks where an asset is after a report. Its zones counted it while its position was live.
func (f *zones) reported(c *Change, t *touched, was before) {
	if len(f.nextIndex.byOwner) == 0 {
		return
	}
	s, in := &t.state, f.of(t.slot)
	if !s.Alerting && len(in) == 0 {
		return
	}
	f.stand(c, t, f.p.entries[t.slot].thing, min(c.now, was.staleAt, max(s.At, s.AlertingAt)))
}

// replaced checks again where an asset is whose profile or owner changes.
func (f *zones) replaced(c *Change, thing *fleet.Thing) {
	slot, known := f.p.byID[thing.ID]
	if !known || len(f.nextIndex.byOwner) == 0 {
		return
	}
	e := f.p.entries[slot]
	if !e.state.Alerting && len(e.zones) == 0 {
		return
	}
	t := c.touch(slot)
	live := c.now
	if e.state.HasPosition {
		live = min(live, fleet.StaleAt(&e.state))
	}
	f.stand(c, t, thing, live)
	for _, id := range f.of(slot) { // it may have another name now
		f.edit(c, id).again = true
	}
}

// stand puts an asset into the zones that it alerts in, and removes it from the others: it left those at an instant.
func (f *zones) stand(c *Change, t *touched, thing *fleet.Thing, left fleet.Instant) {
	s, was := &t.state, f.of(t.slot)
	in, stale := f.holding(thing, s), fleet.StaleAt(s)
	if len(in) > 0 && stale <= c.now { // it was there, and may be anywhere by now
		for _, id := range in {
			f.leave(c, id, t.slot, stale)
		}
		left, in = min(left, stale), nil
	}
	for _, id := range was {
		if !slices.Contains(in, id) {
			f.leave(c, id, t.slot, left)
		}
	}
	for _, id := range in {
		if !slices.Contains(was, id) {
			f.edit(c, id).inside[t.slot] = min(c.now, max(s.At, s.AlertingAt))
		}
	}
	if !slices.Equal(in, was) {
		f.setOf(t.slot, slices.Clone(in))
	}
}

// leave notes that an asset was in a zone until an instant.
func (f *zones) leave(c *Change, id string, slot int32, at fleet.Instant) {
	z, changed := f.next[id]
	if !changed {
		z = f.byID[id]
	}
	if z == nil {
		return
	}
	seen := fleet.Zone{LeftAt: at, ExpiryS: z.ExpiryS}
	_, in := z.inside[slot]
	if later := at > z.LeftAt && seen.ActiveUntil() > c.now; !in && !later {
		return // a stay of long ago changes nothing
	}
	z = f.edit(c, id)
	delete(z.inside, slot)
	z.LeftAt = max(z.LeftAt, at)
}

// holding returns the zones that an asset alerts in, according to its state. The next call reuses the slice.
func (f *zones) holding(thing *fleet.Thing, s *fleet.State) []string {
	f.found = f.found[:0]
	tree := f.nextIndex.byOwner[thing.OrganizationID]
	if tree == nil || !s.Alerting || !s.HasPosition || !thing.WarnsDrivers() {
		return nil
	}
	if f.each == nil {
		f.each = func(_, _ [2]float32, at site) bool {
			if !slices.Contains(f.found, at.id) && fleet.Holds(at.shape, f.lat, f.lng) {
				f.found = append(f.found, at.id)
			}
			return true
		}
	}
	f.lat, f.lng = s.Lat, s.Lng
	lo, hi := fleet.Reach(s.Lat, s.Lng, 0)
	tree.Search(narrow(lo), narrow(hi), f.each)
	return f.found
}

// age removes assets from zones when they are no longer live, and ends the time after the last one.
func (f *zones) age(c *Change) {
	for id, z := range f.byID {
		for slot := range z.inside {
			e := c.p.entries[slot]
			if stale := fleet.StaleAt(&e.state); stale <= c.now {
				f.stand(c, c.touch(slot), e.thing, stale)
			}
		}
		if z.Active && !z.IsActive(len(z.inside), c.now) {
			f.edit(c, id)
		}
	}
}

func (f *zones) save(ctx context.Context, c *Change, tx *store.Tx) error {
	for _, id := range f.order {
		z, old := f.next[id], f.byID[id]
		if z == nil {
			continue
		}
		active := z.IsActive(len(z.inside), c.now)
		if !z.again && old != nil && active == old.Active && z.LeftAt == old.LeftAt && maps.Equal(z.inside, old.inside) {
			continue
		}
		switch {
		case !active:
			z.BeganAt = 0
		case !z.Active, z.BeganAt == 0, old != nil && !old.IsActive(len(old.inside), c.now): // it was over, even if nobody was notified
			z.BeganAt = c.now
		}
		z.Active, z.UpdatedAt, z.tell = active, c.stamp, true
		if err := tx.SaveZoneActivity(ctx, &z.Zone); err != nil {
			return err
		}
	}
	return nil
}

func (f *zones) keep(*Change) {
	for _, id := range f.order {
		if f.byID[id] = f.next[id]; f.byID[id] == nil {
			delete(f.byID, id)
		}
	}
	for slot, ids := range f.alerting {
		f.p.entries[slot].zones = ids
	}
	f.index = f.nextIndex
}

// messages publishes their current state to the zones' organizations.
func (f *zones) messages(_ *Change, at fleet.Instant) (out []fleet.Message) {
	for _, id := range f.order {
		if z := f.next[id]; z != nil && z.tell {
			out = append(out, fleet.Message{Type: fleet.MessageZone, Key: id, Audience: []string{z.OrganizationID}, At: at,
				Body: wire.EncodeRow(fleet.MessageZone, f.p.ZoneRow(&z.Zone))})
		}
	}
	return out
}

// VisitInZones calls visit for each asset of an organization that alerts in one of its zones. visit must not keep its arguments,
// nor call the picture.
func (p *Picture) VisitInZones(organizationID string, visit func(z *fleet.Zone, t *fleet.Thing, s *fleet.State)) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	for _, z := range p.zones.byID {
		if z.OrganizationID != organizationID || z.DeletedAt != 0 {
			continue
		}
		for slot := range z.inside {
			if e := p.entries[slot]; e.live {
				visit(&z.Zone, e.thing, &e.state)
			}
		}
	}
}

// ZoneRow is a zone as lists show it, with its activity at this moment.
func (p *Picture) ZoneRow(row *fleet.Zone) wire.Zone {
	p.mu.RLock()
	defer p.mu.RUnlock()
	out, now := wire.ZoneOf(row), fleet.InstantOf(p.now())
	out.OrganizationName = p.nameOf(row.OrganizationID).Name
	z := p.zones.byID[row.ID]
	if z == nil {
		return out
	}
	seen := z.Zone
	for slot, since := range z.inside {
		e := p.entries[slot]
		if stale := fleet.StaleAt(&e.state); stale <= now {
			seen.LeftAt = max(seen.LeftAt, stale)
			continue
		}
		out.ActiveThings = append(out.ActiveThings, wire.ZoneThing{ID: e.thing.ID, HaasID: e.thing.SystemName, Nickname: e.thing.Nickname,
			Since: since})
	}
	slices.SortFunc(out.ActiveThings, func(a, b wire.ZoneThing) int {
		return cmp.Or(cmp.Compare(a.Since, b.Since), cmp.Compare(a.ID, b.ID))
	})
	if out.IsActive = seen.IsActive(len(out.ActiveThings), now); out.IsActive && len(out.ActiveThings) == 0 {
		out.ActiveUntil = seen.ActiveUntil()
	}
	return out
}
