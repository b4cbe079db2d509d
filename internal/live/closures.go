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

// An automated closure stands while the board of its asset is on. The picture
// holds all of them, so that reports read nothing: one of an asset without a
// closure costs a look at its entry. What a report changes of a closure is
// written in its commit and told after it; the clock writes what silence changes,
// and whoever shows a closure judges that first (ClosureAt).

// autoClosure is an automated closure as the picture holds it, never changed in place.
type autoClosure struct {
	fleet.Closure
	laidAt fleet.Instant // when its line was laid last, 0 = not since the start
}

// closureChange is what a change does to automated closures.
type closureChange struct {
	next    map[string]*autoClosure // as it leaves them; nil = gone
	order   []string                // their ids, in order of change
	told    map[string]bool         // those that assets or the clock changed
	scratch autoClosure
}

// layEvery bounds how often a closure's line follows an asset that drives.
var layEvery = catalog.LimitMs("closure", "layEveryMs")

// roadWithinM is how far from a road a board may stand.
var roadWithinM = catalog.Limit("closure", "roadWithinM")

// Downstream finds the line of a road from a position with the traffic, so many
// meters long, and what the road is called. nil = no road near.
type Downstream = func(at geo.LatLng, headingDeg, withinM, meters float64) (line []geo.LatLng, road string)

// TellClosures says how a closure is shown on the stream.
func (p *Picture) TellClosures(row func(*fleet.Closure) wire.Closure) { p.closureRow = row }

func (p *Picture) loadClosures(ctx context.Context, r store.Reader) error {
	rows, err := store.ListAutomatedClosures(ctx, r)
	for _, row := range rows {
		p.closures[row.ID] = &autoClosure{Closure: *row}
	}
	return err
}

// driveClosures judges all closures at start, when all reports are in: their
// commits wrote what they changed, so only the clock has something to say.
func (p *Picture) driveClosures(ctx context.Context) error {
	for _, x := range p.closures {
		if slot, ok := p.byID[x.ThingID]; ok {
			p.entries[slot].closure = x.ID
		}
	}
	c := p.Begin()
	defer c.Abort()
	c.ageClosures()
	if len(c.closures.order) == 0 {
		return nil
	}
	if err := p.store.Write(ctx, func(tx *store.Tx) error { return c.Save(ctx, tx) }); err != nil {
		return err
	}
	c.Apply(nil)
	return nil
}

// closure is an automated closure as the change leaves it; nil when there is none.
func (c *Change) closure(id string) *autoClosure {
	if x, changed := c.closures.next[id]; changed {
		return x
	}
	return c.p.closures[id]
}

func (c *Change) setClosure(id string, x *autoClosure) {
	if c.closures.next == nil {
		c.closures.next, c.closures.told = map[string]*autoClosure{}, map[string]bool{}
	}
	if _, changed := c.closures.next[id]; !changed {
		c.closures.order = append(c.closures.order, id)
	}
	c.closures.next[id] = x
}

// drive takes a report of an asset, whose sign of life before it was before,
// into the closure that it drives.
func (c *Change) drive(t *touched, before fleet.Instant) {
	id := c.p.entries[t.slot].closure
	if id == "" || c.replaying {
		return
	}
	if x := c.closure(id); x != nil {
		c.follow(t, x, c.p.driver(c.p.entries[t.slot].thing, &t.state, &x.Closure, before))
	}
}

// driver is what an asset says of its closure.
func (p *Picture) driver(thing *fleet.Thing, s *fleet.State, x *fleet.Closure, before fleet.Instant) fleet.Driver {
	return fleet.Driver{On: s.BoardActive, At: s.BoardAt, HeardAt: s.HeartbeatAt, Before: before,
		Lost: !thing.AllowedForClosures || isLost(thing, x), By: fleet.Verifier{Kind: "thing", ID: thing.ID, Name: nameOf(thing)}}
}

// isLost reports whether an asset is none of its closure's organization anymore.
func isLost(thing *fleet.Thing, x *fleet.Closure) bool {
	return thing.DeletedAt != 0 || !Manages(thing, x.OrganizationID)
}

// follow lets a closure follow its asset, and notes it where that changes something.
func (c *Change) follow(t *touched, old *autoClosure, d fleet.Driver) {
	next := &c.closures.scratch
	*next = *old
	changed := next.Follow(d, c.now)
	if !c.lay(next, &t.state) && !changed {
		return
	}
	x := *next
	x.UpdatedAt = c.stamp
	c.setClosure(x.ID, &x)
	c.closures.told[x.ID] = true
	if (x.StartAt != 0) != (old.StartAt != 0) {
		t.changes |= fleet.ChangeClosure
	}
}

// lay lets the line of a closure that stands begin where its asset stands: along
// the road with the traffic, where there is one, else as it was drawn.
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

// PutClosure takes in a closure as people leave it, and makes it what its asset
// says. Call Save afterwards, in the transaction that wrote the row.
func (c *Change) PutClosure(row *fleet.Closure) {
	if row.Kind != fleet.ClosureAutomated {
		return
	}
	old := c.p.closures[row.ID]
	if old != nil && (row.DeletedAt != 0 || old.ThingID != row.ThingID) {
		if slot, ok := c.p.byID[old.ThingID]; ok {
			c.touch(slot).changes |= fleet.ChangeClosure
		}
		row.Release(c.now)
	}
	if row.DeletedAt != 0 {
		c.setClosure(row.ID, nil)
		return
	}
	next := &autoClosure{Closure: *row}
	if slot, ok := c.p.byID[row.ThingID]; ok {
		t, thing := c.touch(slot), c.p.entries[slot].thing
		d := c.p.driver(thing, &t.state, row, t.state.HeartbeatAt)
		if old == nil || old.ThingID != row.ThingID {
			d.At = c.now // a closure did not stand before someone made it
		}
		next.Follow(d, c.now)
		c.lay(next, &t.state)
		t.changes |= fleet.ChangeClosure
	}
	c.setClosure(row.ID, next)
	*row = next.Closure
}

// putInClosure looks at the closure of an asset whose profile or owner changes.
func (c *Change) putInClosure(thing *fleet.Thing) {
	slot, known := c.p.byID[thing.ID]
	if !known || c.p.entries[slot].closure == "" {
		return
	}
	if x := c.closure(c.p.entries[slot].closure); x != nil {
		t := c.touch(slot)
		if isLost(thing, &x.Closure) { // whoever has it now may give it another
			free := *x
			free.Release(c.now)
			free.ThingID, free.UpdatedAt = "", c.stamp
			c.setClosure(x.ID, &free)
			c.closures.told[x.ID] = true
			return
		}
		c.follow(t, x, c.p.driver(thing, &t.state, &x.Closure, t.state.HeartbeatAt))
	}
}

// ageClosures writes what the silence of assets changes.
func (c *Change) ageClosures() {
	var due []string
	for id, x := range c.p.closures {
		if x.StartAt != 0 && x.EndAt <= c.now {
			due = append(due, id)
		}
	}
	slices.Sort(due)
	for _, id := range due {
		x := c.p.closures[id]
		if slot, ok := c.p.byID[x.ThingID]; ok {
			t := c.touch(slot)
			c.follow(t, x, c.p.driver(c.p.entries[slot].thing, &t.state, &x.Closure, t.state.HeartbeatAt))
		}
	}
}

// saveClosures writes, in the caller's transaction, what assets changed of closures.
func (c *Change) saveClosures(ctx context.Context, tx *store.Tx) error {
	for _, id := range c.closures.order {
		if x := c.closures.next[id]; x != nil {
			if err := tx.SaveDrivenClosure(ctx, &x.Closure); err != nil {
				return err
			}
		}
	}
	return nil
}

// keepClosures puts the change's closures into the picture; callers hold mu.
func (c *Change) keepClosures() {
	drive := func(x *autoClosure, id string) {
		if x == nil {
			return
		}
		if slot, ok := c.p.byID[x.ThingID]; ok {
			c.p.entries[slot].closure = id
		}
	}
	for _, id := range c.closures.order {
		drive(c.p.closures[id], "")
		if c.p.closures[id] = c.closures.next[id]; c.p.closures[id] == nil {
			delete(c.p.closures, id)
		}
	}
	for _, id := range c.closures.order {
		drive(c.p.closures[id], id)
	}
}

// closureMessages tells the closures' organizations what assets and the clock made of them.
func (c *Change) closureMessages(at fleet.Instant) (out []fleet.Message) {
	if c.p.closureRow == nil {
		return nil
	}
	for _, id := range c.closures.order {
		if x := c.closures.next[id]; x != nil && c.closures.told[id] {
			out = append(out, fleet.Message{Type: fleet.MessageClosure, Key: id, Audience: []string{x.OrganizationID}, At: at,
				Body: wire.EncodeRow(fleet.MessageClosure, c.p.closureRow(&x.Closure))})
		}
	}
	return out
}

// ClosureAt is a closure as it is at this moment: an automated one follows the
// silence of its asset. thing is that asset where the closure's organization sees
// it, heard when it was heard last.
func (p *Picture) ClosureAt(x *fleet.Closure) (now fleet.Closure, thing *fleet.Thing, heard fleet.Instant) {
	now = *x
	if x.Kind != fleet.ClosureAutomated {
		return now, nil, 0
	}
	p.mu.RLock()
	defer p.mu.RUnlock()
	if slot, ok := p.byID[x.ThingID]; ok {
		if e := p.entries[slot]; e.live && contains(e.audience, x.OrganizationID) {
			thing, heard = e.thing, e.state.HeartbeatAt
		}
	}
	now.FollowClock(heard, fleet.InstantOf(p.now()))
	return now, thing, heard
}

// closureRefs are the closures that an asset makes stand, at this moment; callers hold mu or are the writer.
func (p *Picture) closureRefs(e *entry) []wire.ClosureRef {
	if e.closure == "" {
		return nil
	}
	x := p.closures[e.closure].Closure
	now := fleet.InstantOf(p.now())
	if x.FollowClock(e.state.HeartbeatAt, now); !x.IsActiveAt(now) {
		return nil
	}
	return []wire.ClosureRef{{ID: x.ID, ExternalID: x.ExternalID}}
}
