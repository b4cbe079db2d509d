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

// An alerting zone is active while an asset of its organization alerts in it,
// and for a while after the last one. An asset counts as long as its position
// is live (fleet.StaleAt). Each report is followed, so a zone that an asset only
// crosses within one batch becomes active, too. What changes is written and
// told with the commit that changed it; the clock tells what ends by itself.

// zone is an alerting zone as the picture holds it. It is never changed in
// place: a change works on a copy.
type zone struct {
	fleet.Zone
	place  place
	inside map[int32]fleet.Instant // slots of the assets that alert in it, and since when
	begun  fleet.Instant           // when it became active; 0 = it is not, or was before the server's start
	again  bool                    // of a change: told even if no asset changed it
	tell   bool                    // of a change: it goes to the listeners
}

// zoneChange is what a change does to alerting zones.
type zoneChange struct {
	index *siteIndex
	next  map[string]*zone // as it leaves them; nil = removed
	order []string         // their ids, in order of change

	// of the search at a position
	lat, lng float64
	found    []string
	each     func(_, _ [2]float32, s site) bool
}

// loadZones reads all zones into the picture, at start.
func (p *Picture) loadZones(ctx context.Context, r store.Reader) error {
	rows, err := store.ListZones(ctx, r)
	if err != nil {
		return err
	}
	for _, row := range rows {
		z, err := newZone(row)
		if err != nil {
			return fmt.Errorf("a row of zone cannot be read: the shape of %s", row.ID) // no refusal: nobody sent it
		}
		p.zones[z.ID] = z
		p.zoneIndex.add(&z.place)
	}
	return nil
}

func newZone(row *fleet.Zone) (*zone, error) {
	shapes, err := row.Shapes()
	return &zone{Zone: *row, place: place{row.OrganizationID, row.ID, shapes}, inside: map[int32]fleet.Instant{}}, err
}

// standInZones finds what alerts in zones at start, when all reports are in.
// Listeners may know another activity of those that were active, so these
// count as changed.
func (p *Picture) standInZones(ctx context.Context) error {
	if len(p.zones) == 0 {
		return nil
	}
	c := p.Begin()
	defer c.Abort()
	for owner := range p.zoneIndex.byOwner {
		p.eachOwned(owner, func(slot int32, e *entry) {
			if e.state.Alerting && e.state.HasPosition {
				c.stand(c.touch(slot), e.thing, c.now)
			}
		})
	}
	for id, z := range p.zones {
		if z.Active {
			c.zone(id).again = true
		}
	}
	if len(c.zones.order) == 0 {
		return nil
	}
	if err := p.store.Write(ctx, func(tx *store.Tx) error { return c.Save(ctx, tx) }); err != nil {
		return err
	}
	c.Apply(nil)
	return nil
}

// zone is a zone in the change, not in the picture; nil when there is none (any more).
func (c *Change) zone(id string) *zone {
	z, changed := c.zones.next[id]
	if changed {
		return z
	}
	old := c.p.zones[id]
	if old == nil {
		return nil
	}
	z = &zone{Zone: old.Zone, place: old.place, inside: maps.Clone(old.inside)}
	c.setZone(id, z)
	return z
}

func (c *Change) setZone(id string, z *zone) {
	if c.zones.next == nil {
		c.zones.next = map[string]*zone{}
	}
	if _, changed := c.zones.next[id]; !changed {
		c.zones.order = append(c.zones.order, id)
	}
	c.zones.next[id] = z
}

// PutZone adds or replaces an alerting zone, or removes one that has been
// deleted. In another place or of another organization it begins again with what
// alerts there now; else it goes on. Save and Apply write and tell it.
func (c *Change) PutZone(row *fleet.Zone) error {
	old := c.zone(row.ID)
	if row.DeletedAt != 0 {
		if old != nil {
			c.empty(old)
			c.zones.index = c.zones.index.with(&old.place, nil)
			c.setZone(row.ID, nil)
		}
		return nil
	}
	if old != nil && old.SamePlace(row) {
		active, left := old.Active, old.LeftAt
		old.Zone, old.again = *row, true
		old.Active, old.LeftAt = active, left
		return nil
	}
	z, err := newZone(row)
	if err != nil {
		return err
	}
	var was *place
	if old != nil {
		was = &old.place
		c.empty(old)
	}
	z.again, z.LeftAt = true, 0
	c.zones.index = c.zones.index.with(was, &z.place)
	c.setZone(z.ID, z)
	c.p.eachOwned(z.OrganizationID, func(slot int32, e *entry) {
		holds := func(s *fleet.Shape) bool { return fleet.Holds(s, e.state.Lat, e.state.Lng) }
		if e.state.Alerting && e.state.HasPosition && slices.ContainsFunc(z.place.shapes, holds) {
			c.stand(c.touch(slot), e.thing, c.now)
		}
	})
	return nil
}

// empty takes the assets out of a zone of the change.
func (c *Change) empty(z *zone) {
	for slot := range z.inside {
		t := c.touch(slot)
		t.zones = without(t.zones, z.ID)
	}
	clear(z.inside)
}

func without(ids []string, id string) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(have string) bool { return have == id })
}

// liveUntil is until when the zones of an asset may count on it, as far as known before a report.
func (t *touched) liveUntil() fleet.Instant {
	if len(t.zones) == 0 {
		return 0
	}
	return fleet.StaleAt(&t.state)
}

// followZones looks where an asset stands after a report; live is liveUntil before it.
func (c *Change) followZones(t *touched, live fleet.Instant) {
	s := &t.state
	if !s.Alerting && len(t.zones) == 0 || len(c.zones.index.byOwner) == 0 || c.replaying {
		return
	}
	c.stand(t, c.p.entries[t.slot].thing, min(c.now, live, max(s.At, s.AlertingAt)))
}

// putInZones looks again where an asset stands whose profile or owner changes.
func (c *Change) putInZones(thing *fleet.Thing) {
	slot, known := c.p.byID[thing.ID]
	if !known || len(c.zones.index.byOwner) == 0 {
		return
	}
	if e := c.p.entries[slot]; !e.state.Alerting && len(e.zones) == 0 {
		return
	}
	t := c.touch(slot)
	live := c.now
	if c.p.entries[slot].state.HasPosition {
		live = min(live, fleet.StaleAt(&c.p.entries[slot].state))
	}
	c.stand(t, thing, live)
	for _, id := range t.zones { // perhaps it has another name
		c.zone(id).again = true
	}
}

// stand puts an asset into the zones that it alerts in, and takes it out of the
// others: those it left at an instant.
func (c *Change) stand(t *touched, thing *fleet.Thing, left fleet.Instant) {
	s := &t.state
	in, stale := c.zonesAt(thing, s), fleet.StaleAt(s)
	if len(in) > 0 && stale <= c.now { // it was there, and may be anywhere by now
		for _, id := range in {
			c.leaveZone(id, t.slot, stale)
		}
		left, in = min(left, stale), nil
	}
	for _, id := range t.zones {
		if !slices.Contains(in, id) {
			c.leaveZone(id, t.slot, left)
		}
	}
	for _, id := range in {
		if !slices.Contains(t.zones, id) {
			c.zone(id).inside[t.slot] = min(c.now, max(s.At, s.AlertingAt))
		}
	}
	if !slices.Equal(in, t.zones) {
		t.zones = slices.Clone(in)
	}
}

// leaveZone notes that an asset was in a zone until an instant.
func (c *Change) leaveZone(id string, slot int32, at fleet.Instant) {
	z, changed := c.zones.next[id]
	if !changed {
		z = c.p.zones[id]
	}
	if z == nil {
		return
	}
	seen := fleet.Zone{LeftAt: at, ExpiryS: z.ExpiryS}
	_, in := z.inside[slot]
	if later := at > z.LeftAt && seen.ActiveUntil() > c.now; !in && !later {
		return // a stay of long ago changes nothing
	}
	z = c.zone(id)
	delete(z.inside, slot)
	z.LeftAt = max(z.LeftAt, at)
}

// zonesAt are the zones that an asset alerts in, as its state says. The next call reuses them.
func (c *Change) zonesAt(thing *fleet.Thing, s *fleet.State) []string {
	z := &c.zones
	z.found = z.found[:0]
	tree := z.index.byOwner[thing.OrganizationID]
	if tree == nil || !s.Alerting || !s.HasPosition || !thing.WarnsDrivers() {
		return nil
	}
	if z.each == nil {
		z.each = func(_, _ [2]float32, at site) bool {
			if !slices.Contains(z.found, at.id) && fleet.Holds(at.shape, z.lat, z.lng) {
				z.found = append(z.found, at.id)
			}
			return true
		}
	}
	z.lat, z.lng = s.Lat, s.Lng
	lo, hi := fleet.Reach(s.Lat, s.Lng, 0)
	tree.Search(narrow(lo), narrow(hi), z.each)
	return z.found
}

// ageZones takes assets out of zones that are not heard anymore, and ends the
// time after the last one.
func (c *Change) ageZones() {
	for id, z := range c.p.zones {
		for slot := range z.inside {
			e := c.p.entries[slot]
			if stale := fleet.StaleAt(&e.state); stale <= c.now {
				c.stand(c.touch(slot), e.thing, stale)
			}
		}
		if z.Active && !z.IsActive(len(z.inside), c.now) {
			c.zone(id)
		}
	}
}

// SaveFollowed writes, in the caller's transaction, what follows from the
// change: the activity of zones, and automated closures. Changes of people call
// it last.
func (c *Change) SaveFollowed(ctx context.Context, tx *store.Tx) error {
	if err := c.saveZones(ctx, tx); err != nil {
		return err
	}
	return c.saveClosures(ctx, tx)
}

func (c *Change) saveZones(ctx context.Context, tx *store.Tx) error {
	for _, id := range c.zones.order {
		z, old := c.zones.next[id], c.p.zones[id]
		if z == nil {
			continue
		}
		active := z.IsActive(len(z.inside), c.now)
		if !z.again && old != nil && active == old.Active && z.LeftAt == old.LeftAt && maps.Equal(z.inside, old.inside) {
			continue
		}
		if active != z.Active {
			z.begun = 0
			if active {
				z.begun = c.now
			}
		}
		z.Active, z.UpdatedAt, z.tell = active, c.stamp, true
		if err := tx.SaveZoneActivity(ctx, &z.Zone); err != nil {
			return err
		}
	}
	return nil
}

// keepZones puts the change's zones into the picture; callers hold mu.
func (c *Change) keepZones() {
	for _, id := range c.zones.order {
		if c.p.zones[id] = c.zones.next[id]; c.p.zones[id] == nil {
			delete(c.p.zones, id)
		}
	}
	c.p.zoneIndex = c.zones.index
}

// zoneMessages tells the zones' organizations what they are now.
func (c *Change) zoneMessages(at fleet.Instant) (out []fleet.Message) {
	for _, id := range c.zones.order {
		if z := c.zones.next[id]; z != nil && z.tell {
			out = append(out, fleet.Message{Type: fleet.MessageZone, Key: id, Audience: []string{z.OrganizationID}, At: at,
				Body: wire.EncodeRow(fleet.MessageZone, c.p.ZoneRow(&z.Zone))})
		}
	}
	return out
}

// ZoneRow is a zone as lists show it, with its activity at this moment.
func (p *Picture) ZoneRow(row *fleet.Zone) wire.Zone {
	p.mu.RLock()
	defer p.mu.RUnlock()
	out, now := wire.ZoneOf(row), fleet.InstantOf(p.now())
	out.OrganizationName = p.nameOf(row.OrganizationID).Name
	z := p.zones[row.ID]
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
