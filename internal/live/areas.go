package live

import (
	"context"
	"maps"
	"slices"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
)

// areaIndex finds stations near a position. It is never changed, only replaced by one that shares the unchanged parts: readers
// never wait.
type areaIndex struct{ byOwner map[string]*areaTree }

// stations tracks which assets are at which station, and writes it (visits.go).
type stations struct {
	idle
	p    *Picture
	byID map[string]*fleet.Area // as they lie in areas

	// of the current change
	next   map[string]*fleet.Area // put in place or, nil, dropped
	lookAt []string               // owners of those, until Save looks at their assets again
	visits []fleet.Visit          // stays that began or ended, to be written
}

func (f *stations) load(ctx context.Context, r store.Reader) error {
	areas, err := store.ListAreas(ctx, r)
	if err != nil {
		return err
	}
	f.p.SetAreas(areas)
	return nil
}

func (f *stations) begin() { f.next, f.lookAt, f.visits = nil, nil, nil }

// SetAreas sets the picture's areas, at startup.
func (p *Picture) SetAreas(areas []*fleet.Area) {
	sites := map[string][]station{}
	p.stations.byID = map[string]*fleet.Area{}
	for _, a := range areas {
		if a.IsMatched() {
			a = prepared(a)
			sites[a.OrganizationID] = append(sites[a.OrganizationID], station{a.Shape, a})
			p.stations.byID[a.ID] = a
		}
	}
	x := &areaIndex{byOwner: map[string]*areaTree{}}
	for owner, of := range sites {
		x.byOwner[owner] = packStations(of)
	}
	p.areas.Store(x)
}

// prepared returns the area with its outline parsed.
func prepared(a *fleet.Area) *fleet.Area {
	c := *a
	c.Shape = a.Outline()
	return &c
}

func (x *areaIndex) tree(owner string) *areaTree {
	t := x.byOwner[owner]
	if t == nil {
		t = packStations(nil)
		x.byOwner[owner] = t
	}
	return t
}

// with is the index with one station in place of another; each may be nil.
func (x *areaIndex) with(old, next *fleet.Area) *areaIndex {
	y := &areaIndex{byOwner: maps.Clone(x.byOwner)}
	own := func(owner string) *areaTree {
		y.byOwner[owner] = y.tree(owner).Copy()
		return y.byOwner[owner]
	}
	if old != nil {
		t := own(old.OrganizationID)
		if t.Delete(station{old.Shape, old}); t.Len() == 0 {
			delete(y.byOwner, old.OrganizationID)
		}
	}
	if next != nil {
		own(next.OrganizationID).Insert(station{next.Shape, next})
	}
	return y
}

// PutArea adds or replaces an area. If it is not an active station with an inside, it is no longer matched. The organization's
// assets in its old or new shape are checked again when Save settles them in this change, and are published with it.
func (c *Change) PutArea(a *fleet.Area) {
	var next *fleet.Area
	if a.IsMatched() {
		next = prepared(a)
	}
	c.setStation(a.ID, next)
}

// DropArea removes an area as PutArea does.
func (c *Change) DropArea(id string) { c.setStation(id, nil) }

func (c *Change) setStation(id string, next *fleet.Area) {
	f := &c.p.stations
	old, changed := f.next[id]
	if !changed {
		old = f.byID[id]
	}
	if old == nil && next == nil {
		return
	}
	c.around.index = c.around.index.with(old, next)
	if f.next == nil {
		f.next = map[string]*fleet.Area{}
	}
	f.next[id] = next
	for _, a := range []*fleet.Area{old, next} {
		if a != nil && !slices.Contains(f.lookAt, a.OrganizationID) {
			f.lookAt = append(f.lookAt, a.OrganizationID)
		}
	}
}

// gather touches the assets that are in a station of the change, or were in one: once for all of them, since an import brings a
// thousand.
func (f *stations) gather(c *Change) {
	for _, owner := range f.lookAt {
		var shapes []*fleet.Shape
		left := false // a station that was there has changed or gone
		for id, a := range f.next {
			if a != nil && a.OrganizationID == owner {
				shapes = append(shapes, a.Shape)
			}
			left = left || f.byID[id] != nil
		}
		in := fleet.NewShapeIndex(shapes)
		c.p.eachSeen(owner, func(slot int32) {
			stands := false
			if at := c.p.places[slot]; at.known {
				in.At(at.lat, at.lng, func(int) { stands = true })
			}
			if !stands && left {
				_, stands = f.next[c.p.entries[slot].state.StationID]
			}
			if stands && c.p.entries[slot].thing.OrganizationID == owner {
				c.touch(slot)
			}
		})
	}
	f.lookAt = nil
}

// where is the position of a state, if it has one.
type where struct {
	lat, lng float64
	known    bool
}

func whereOf(s *fleet.State) where { return where{s.Lat, s.Lng, s.HasPosition} }

func (f *stations) keep(c *Change) {
	for id, a := range f.next {
		if f.byID[id] = a; a == nil {
			delete(f.byID, id)
		}
	}
	if len(f.next) > 0 {
		f.p.areas.Store(c.around.index)
	}
}

func standsIn(s *fleet.State, shape *fleet.Shape) bool {
	return s.HasPosition && shape.Contains(s.Lat, s.Lng)
}

// ThingsIn lists the assets that an organization owns and whose latest position
// lies in a shape, by asset number.
func (p *Picture) ThingsIn(organizationID string, shape *fleet.Shape) (ids []string) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	p.eachOwned(organizationID, func(_ int32, e *entry) {
		if standsIn(&e.state, shape) {
			ids = append(ids, e.thing.ID)
		}
	})
	return ids
}

// eachOwned visits the assets that an organization owns; callers hold mu or are the writer.
func (p *Picture) eachOwned(organizationID string, visit func(slot int32, e *entry)) {
	p.eachSeen(organizationID, func(slot int32) {
		if e := p.entries[slot]; e.thing.OrganizationID == organizationID {
			visit(slot, e)
		}
	})
}

// eachSeen visits the assets that an organization sees; callers hold mu or are the writer.
func (p *Picture) eachSeen(organizationID string, visit func(slot int32)) {
	if v := p.orgs[organizationID]; v != nil {
		for _, slot := range v.slots {
			visit(slot)
		}
	}
}

// around are the surroundings of the assets of one owner; callers keep one for
// many points, so that a point costs no allocation.
type around struct {
	index *areaIndex
	tree  *areaTree
	box   fleet.Surroundings
}

func (a *around) of(thing *fleet.Thing) fleet.Surroundings {
	if a.index == nil {
		return fleet.Surroundings{Testing: thing.TestMode}
	}
	if a.tree = a.index.byOwner[thing.OrganizationID]; a.tree == nil {
		return fleet.Surroundings{Testing: thing.TestMode}
	}
	if a.box.Station == nil {
		a.box.Station, a.box.Near = a.station, a.near
	}
	a.box.Testing = thing.TestMode
	return a.box
}

func (a *around) station(lat, lng float64) (id string) {
	a.tree.holding(lat, lng, func(other string) {
		if id == "" || other < id {
			id = other
		}
	})
	return id
}

func (a *around) near(lat, lng, withinM float64) bool { return a.tree.near(lat, lng, withinM) }
