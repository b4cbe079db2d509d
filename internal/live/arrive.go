package live

import (
	"cmp"
	"context"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
)

// location changes an incident in the change, not in the picture.
func (c *Change) location(id string, edit func(*fleet.Location)) {
	l := c.places[id]
	if l == nil {
		old := c.p.locations[id]
		if old == nil {
			return
		}
		l = old.Clone()
		l.Version++
		c.places[id] = l
		c.order = append(c.order, id)
	}
	edit(l)
	keepActive(c.active, l)
}

// Events are an organization's events that the picture holds, as senders report them, by their senders' ids. They must not be
// changed in place.
func (c *Change) Events(organizationID string) map[string]*fleet.Location {
	out := map[string]*fleet.Location{}
	for _, l := range c.p.locations {
		if l.IsGeoMarker && l.OrganizationID == organizationID {
			out[l.ExternalID] = l
		}
	}
	return out
}

// NewID makes an id.
func (c *Change) NewID() string { return c.p.newID() }

// PutLocation replaces an incident or a reported event in the picture by its edited version, or adds it; assets there are measured
// from its new place. Its street is looked up again where one is known. Call Save afterwards, in the transaction.
func (c *Change) PutLocation(l *fleet.Location) {
	if old := c.p.locations[l.ID]; old == nil && l.Street == "" || old != nil && (old.Lat != l.Lat || old.Lng != l.Lng) {
		heading := -1.0
		if l.HasHeading {
			heading = l.RoadwayHeading
		}
		l.Street = cmp.Or(c.streetAt(l.Lat, l.Lng, heading), l.Street)
	}
	if c.places[l.ID] == nil {
		c.order = append(c.order, l.ID)
	}
	c.places[l.ID] = l
	keepActive(c.active, l)
	for i := range l.Presences {
		if slot, ok := c.p.byID[l.Presences[i].ThingID]; ok && l.Presences[i].EndAt == 0 {
			t := c.touch(slot)
			o := fleet.Follow(&t.state, l)
			c.applyOutcome(t, &o)
		}
	}
}

// PutEnded writes an incident that is over, however old. The picture holds it if a start would read it.
func (c *Change) PutEnded(ctx context.Context, tx *store.Tx, l *fleet.Location) error {
	if l.EndAt < c.now.Add(-locationsKept) {
		c.p.stays.gone = max(c.p.stays.gone, l.EndAt)
		return tx.SaveLocation(ctx, c.p.store.Engine(), l)
	}
	c.PutLocation(l)
	return nil
}

// keepActive holds an incident in a map while it is active.
func keepActive(active map[string]*fleet.Location, l *fleet.Location) {
	if l.IsActive {
		active[l.ID] = l
	} else {
		delete(active, l.ID)
	}
}

// arrive puts an asset at the nearest incident of its owner within reach, or opens one.
func (c *Change) arrive(t *touched, o *fleet.Outcome) {
	thing := c.p.entries[t.slot].thing
	var best *fleet.Location
	near := 0.0
	consider := func(l *fleet.Location) {
		if l.OrganizationID != thing.OrganizationID || !l.Joins(o.ArriveLat, o.ArriveLng) {
			return
		}
		d := fleet.DistanceM(o.ArriveLat, o.ArriveLng, l.Lat, l.Lng)
		if best == nil || d < near || d == near && l.ID < best.ID {
			best, near = l, d
		}
	}
	for id, l := range c.p.active { // active ones only: scanning a week of ended ones for each arrival is too slow
		if c.places[id] == nil {
			consider(l)
		}
	}
	for _, l := range c.active {
		consider(l)
	}
	if best == nil {
		heading := courseOf(&t.state)
		best = fleet.NewLocation(c.p.newID(), thing.OrganizationID, c.streetAt(o.ArriveLat, o.ArriveLng, heading),
			o.ArriveLat, o.ArriveLng, o.ArriveAt)
		if c.p.way != nil {
			best.RoadwayHeading, best.HasHeading = c.p.way(o.ArriveLat, o.ArriveLng, heading)
		}
		c.places[best.ID] = best
		c.order = append(c.order, best.ID)
	}
	c.location(best.ID, func(l *fleet.Location) {
		l.Join(thing.ID, thing.OrganizationID, o.ArriveAt)
		a := fleet.Arrive(&t.state, l, o.ArriveAt)
		c.applyOutcome(t, &a)
	})
}

// AlertDrivers adds to the number of drivers who were shown an alert of an incident's assets; false when the picture does not hold
// the incident.
func (c *Change) AlertDrivers(id string, drivers int64) bool {
	if c.places[id] == nil && c.p.locations[id] == nil {
		return false
	}
	c.location(id, func(l *fleet.Location) {
		l.DriversMeasured, l.DriversAlerted = true, l.DriversAlerted+drivers
	})
	return true
}

// MeasureDrivers notes for an organization's active incidents that apps report how many drivers were shown an alert.
func (c *Change) MeasureDrivers(organizationID string) {
	var ids []string
	for id, l := range c.p.active {
		if l.OrganizationID == organizationID && !l.IsGeoMarker && !l.DriversMeasured {
			ids = append(ids, id)
		}
	}
	sortStrings(ids)
	for _, id := range ids {
		c.location(id, func(l *fleet.Location) { l.DriversMeasured = true })
	}
}
