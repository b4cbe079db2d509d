package live

import (
	"context"
	"math"
	"slices"

	"lightbar/catalog"
	"lightbar/internal/fleet"
	"lightbar/internal/geo"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// An automated closure is active while the board of its asset is on. The picture holds all of them, so that reports read nothing
// from the database: a report of an asset without a closure only checks its entry. What a report changes in a closure is written in
// its commit and published after it; the clock writes what silence changes, and code that shows a closure judges that first
// (ClosureAt).

// autoClosure is an automated closure as the picture holds it, never changed in place.
type autoClosure struct {
	fleet.Closure
	laidAt fleet.Instant // when its line was last laid, 0 = not since the start
}

// closures follows the automated closures. A report that changes none allocates nothing.
type closures struct {
	idle
	p    *Picture
	byID map[string]*autoClosure
	row  func(*fleet.Closure) wire.Closure // as the stream shows one

	// of the current change
	next    map[string]*autoClosure // after the change; nil = gone
	order   []string                // their ids, in order of change
	told    map[string]bool         // those that assets or the clock changed
	scratch autoClosure
}

// layEvery limits how often a closure's line follows a moving asset.
var layEvery = catalog.LimitMs("closure", "layEveryMs")

// roadWithinM is how far from a road a board may stand.
var roadWithinM = catalog.Limit("closure", "roadWithinM")

// Downstream finds the line of a road from a position in the direction of the traffic, so many meters long, and the road's name.
// nil = no road near.
type Downstream = func(at geo.LatLng, headingDeg, withinM, meters float64) (line []geo.LatLng, road string)

// TellClosures sets how a closure is shown on the stream.
func (p *Picture) TellClosures(row func(*fleet.Closure) wire.Closure) { p.closures.row = row }

func (f *closures) load(ctx context.Context, r store.Reader) error {
	rows, err := store.ListAutomatedClosures(ctx, r)
	for _, row := range rows {
		f.byID[row.ID] = &autoClosure{Closure: *row}
	}
	return err
}

// start judges all closures by the clock: the commits of reports wrote what those changed.
func (f *closures) start(_ context.Context, c *Change) error {
	for _, x := range f.byID {
		f.assign(x, x.ID)
	}
	f.age(c)
	return nil
}

func (f *closures) begin() { f.next, f.order, f.told = nil, nil, nil }

// assign sets the closure that its asset drives, or (empty) removes it; callers hold mu or are the only user.
func (f *closures) assign(x *autoClosure, id string) {
	if slot, ok := f.p.byID[x.ThingID]; ok {
		f.p.entries[slot].closure = id
	}
}

// at returns an automated closure after the change; nil when there is none.
func (f *closures) at(id string) *autoClosure {
	if x, changed := f.next[id]; changed {
		return x
	}
	return f.byID[id]
}

func (f *closures) set(c *Change, id string, x *autoClosure) {
	if f.next == nil {
		f.next, f.told = map[string]*autoClosure{}, map[string]bool{}
	}
	if _, changed := f.next[id]; !changed {
		f.order = append(f.order, id)
	}
	f.next[id], c.followed = x, true
}

// reported applies a report of an asset to the closure that it drives.
func (f *closures) reported(c *Change, t *touched, was before) {
	e := c.p.entries[t.slot]
	if e.closure == "" {
		return
	}
	if x := f.at(e.closure); x != nil {
		f.follow(c, t, x, driver(e.thing, &t.state, &x.Closure, was.heardAt))
	}
}

// driver is what an asset reports about its closure.
func driver(thing *fleet.Thing, s *fleet.State, x *fleet.Closure, before fleet.Instant) fleet.Driver {
	return fleet.Driver{On: s.BoardActive, At: s.BoardAt, HeartbeatAt: s.HeartbeatAt, Before: before,
		Lost: !thing.AllowedForClosures || isLost(thing, x), By: fleet.Verifier{Kind: "thing", ID: thing.ID, Name: nameOf(thing)}}
}

// isLost reports whether an asset no longer belongs to its closure's organization.
func isLost(thing *fleet.Thing, x *fleet.Closure) bool {
	return thing.DeletedAt != 0 || !Manages(thing, x.OrganizationID)
}

// follow updates a closure from its asset, and notes it if that changes something.
func (f *closures) follow(c *Change, t *touched, old *autoClosure, d fleet.Driver) {
	next := &f.scratch
	*next = *old
	changed := next.Follow(d, c.now)
	if !c.lay(next, &t.state) && !changed {
		return
	}
	x := *next
	x.UpdatedAt = c.stamp
	f.set(c, x.ID, &x)
	f.told[x.ID] = true
	if (x.StartAt != 0) != (old.StartAt != 0) {
		t.changes |= fleet.ChangeClosure
	}
}

// lay starts the line of an active closure at its asset's position: along the road in the direction of the traffic, where there is
// one, else as it was drawn.
func (c *Change) lay(x *autoClosure, s *fleet.State) (changed bool) {
	at := fleet.LatLng{Lat: s.Lat, Lng: s.Lng}
	if x.StartAt == 0 || !s.HasPosition || c.now.Sub(x.laidAt) < layEvery && c.now >= x.laidAt || x.BeginsAt(at) || len(x.UserRoute) < 2 {
		return false
	}
	x.laidAt = c.now
	line, road, direction := c.p.lineFrom(at, &x.Closure)
	x.Lay(line, road, direction)
	return true
}

// lineFrom is a closure's line from another position, its road and the direction of its traffic.
func (p *Picture) lineFrom(at fleet.LatLng, x *fleet.Closure) (line []fleet.LatLng, road, direction string) {
	drawn := x.Line()
	heading := geo.HeadingDeg(geo.LatLng(drawn[0]), geo.LatLng(drawn[len(drawn)-1]))
	if said, ok := fleet.Bearing(x.Direction); ok {
		heading = said
	}
	var found []geo.LatLng
	if p.downstream != nil {
		found, road = p.downstream(geo.LatLng(at), heading, roadWithinM, x.LineM())
	}
	if len(found) < 2 {
		return x.Shifted(at), p.Street(at.Lat, at.Lng, heading), x.Direction
	}
	for _, point := range found {
		line = append(line, fleet.LatLng(point))
	}
	if x.Direction == "" {
		return line, road, ""
	}
	runs := geo.HeadingDeg(found[0], found[len(found)-1])
	if off := math.Abs(math.Mod(runs-heading+540, 360) - 180); off <= 90 {
		return line, road, x.Direction
	}
	return line, road, fleet.Cardinal(runs)
}

// PutClosure puts a closure that people edited into the picture, and updates it from its asset. Call Save afterwards, in the
// transaction that wrote the row.
func (c *Change) PutClosure(row *fleet.Closure) {
	if row.Kind != fleet.ClosureAutomated {
		return
	}
	f := &c.p.closures
	old := f.byID[row.ID]
	if old != nil && (row.DeletedAt != 0 || old.ThingID != row.ThingID) {
		if slot, ok := c.p.byID[old.ThingID]; ok {
			c.touch(slot).changes |= fleet.ChangeClosure
		}
		row.Release(c.now)
	}
	if row.DeletedAt != 0 {
		f.set(c, row.ID, nil)
		return
	}
	next := &autoClosure{Closure: *row}
	if slot, ok := c.p.byID[row.ThingID]; ok {
		t, thing := c.touch(slot), c.p.entries[slot].thing
		d := driver(thing, &t.state, row, t.state.HeartbeatAt)
		if old == nil || old.ThingID != row.ThingID {
			d.At = c.now // a closure was not active before someone created it
		}
		next.Follow(d, c.now)
		c.lay(next, &t.state)
		t.changes |= fleet.ChangeClosure
	}
	f.set(c, row.ID, next)
	*row = next.Closure
}

// replaced checks the closure of an asset whose profile or owner changes.
func (f *closures) replaced(c *Change, thing *fleet.Thing) {
	slot, known := c.p.byID[thing.ID]
	if !known || c.p.entries[slot].closure == "" {
		return
	}
	if x := f.at(c.p.entries[slot].closure); x != nil {
		t := c.touch(slot)
		if isLost(thing, &x.Closure) { // the new owner may assign it another
			free := *x
			free.Release(c.now)
			free.ThingID, free.UpdatedAt = "", c.stamp
			f.set(c, x.ID, &free)
			f.told[x.ID] = true
			return
		}
		f.follow(c, t, x, driver(thing, &t.state, &x.Closure, t.state.HeartbeatAt))
	}
}

// age applies what the silence of assets changes.
func (f *closures) age(c *Change) {
	var due []string
	for id, x := range f.byID {
		if x.StartAt != 0 && x.EndAt <= c.now {
			due = append(due, id)
		}
	}
	slices.Sort(due)
	for _, id := range due {
		x := f.byID[id]
		if slot, ok := c.p.byID[x.ThingID]; ok {
			t := c.touch(slot)
			f.follow(c, t, x, driver(c.p.entries[slot].thing, &t.state, &x.Closure, t.state.HeartbeatAt))
		}
	}
}

func (f *closures) save(ctx context.Context, _ *Change, tx *store.Tx) error {
	for _, id := range f.order {
		if x := f.next[id]; x != nil {
			if err := tx.SaveDrivenClosure(ctx, &x.Closure); err != nil {
				return err
			}
		}
	}
	return nil
}

func (f *closures) keep(*Change) {
	for _, id := range f.order {
		if old := f.byID[id]; old != nil {
			f.assign(old, "")
		}
		if f.byID[id] = f.next[id]; f.byID[id] == nil {
			delete(f.byID, id)
		}
	}
	for _, id := range f.order {
		if x := f.byID[id]; x != nil {
			f.assign(x, id)
		}
	}
}

// messages publishes to the closures' organizations what assets and the clock changed in them.
func (f *closures) messages(_ *Change, at fleet.Instant) (out []fleet.Message) {
	if f.row == nil {
		return nil
	}
	for _, id := range f.order {
		if x := f.next[id]; x != nil && f.told[id] {
			out = append(out, fleet.Message{Type: fleet.MessageClosure, Key: id, Audience: []string{x.OrganizationID}, At: at,
				Body: wire.EncodeRow(fleet.MessageClosure, f.row(&x.Closure))})
		}
	}
	return out
}

// ClosureAt is a closure as it is at this moment: an automated one depends on the silence of its asset. thing is that asset if the
// closure's organization sees it, heard the time of its last report.
func (p *Picture) ClosureAt(x *fleet.Closure) (now fleet.Closure, thing *fleet.Thing, heard fleet.Instant) {
	now = *x
	if x.Kind != fleet.ClosureAutomated {
		return now, nil, 0
	}
	p.mu.RLock()
	defer p.mu.RUnlock()
	if slot, ok := p.byID[x.ThingID]; ok {
		if e := p.entries[slot]; e.live && slices.Contains(e.audience, x.OrganizationID) {
			thing, heard = e.thing, e.state.HeartbeatAt
		}
	}
	now.FollowClock(heard, fleet.InstantOf(p.now()))
	return now, thing, heard
}

// closureRefs are the closures that an asset makes active at this moment; callers hold mu or are the writer.
func (p *Picture) closureRefs(e *entry) []wire.ClosureRef {
	if e.closure == "" {
		return nil
	}
	x := p.closures.byID[e.closure].Closure
	now := fleet.InstantOf(p.now())
	if x.FollowClock(e.state.HeartbeatAt, now); !x.IsActiveAt(now) {
		return nil
	}
	return []wire.ClosureRef{{ID: x.ID, ExternalID: x.ExternalID}}
}
