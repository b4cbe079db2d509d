package live

import (
	"strconv"

	"lightbar/internal/fleet"
)

// watchAtOnce is how many assets are checked before writers get their turn.
const watchAtOnce = 2048

// Watch calls visit for each asset with its place in the picture, which stays the same, and the closure that it makes active now
// ("" = none). visit must not keep asset or state, nor call the picture. Concurrent changes are seen before or after.
func (p *Picture) Watch(now fleet.Instant, visit func(slot int, t *fleet.Thing, s *fleet.State, closure string)) {
	for first, more := 0, true; more; first += watchAtOnce {
		more = p.watchSome(now, first, visit)
	}
}

func (p *Picture) watchSome(now fleet.Instant, first int, visit func(int, *fleet.Thing, *fleet.State, string)) (more bool) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	end := min(len(p.entries), first+watchAtOnce)
	for slot := first; slot < end; slot++ {
		e := p.entries[slot]
		if !e.live {
			continue
		}
		closure := ""
		if e.closure != "" {
			x := p.closures.byID[e.closure].Closure
			if x.FollowClock(e.state.HeartbeatAt, now); x.IsActiveAt(now) {
				closure = x.ID
			}
		}
		visit(slot, e.thing, &e.state, closure)
	}
	return end < len(p.entries)
}

// Spots are the open incidents of each organization that have assets.
func (p *Picture) Spots() map[string][]fleet.Spot {
	p.mu.RLock()
	defer p.mu.RUnlock()
	out := map[string][]fleet.Spot{}
	for _, l := range p.active {
		if l.IsActive && !l.IsGeoMarker {
			out[l.OrganizationID] = append(out[l.OrganizationID], fleet.Spot{ID: l.ID, Lat: l.Lat, Lng: l.Lng})
		}
	}
	return out
}

// StationsOf finds the stations of an organization; it may be called while the picture is read.
func (p *Picture) StationsOf(organizationID string) func(lat, lng float64) string {
	tree := p.areas.Load().byOwner[organizationID]
	if tree == nil {
		return nil
	}
	a := &around{tree: tree}
	return a.station
}

// NameOf is the name that people know for an incident, a closure that follows its asset, or a station that exists now, or the
// version of the configuration that an asset should have; empty = unknown.
func (p *Picture) NameOf(about fleet.FindingAbout) string {
	p.mu.RLock()
	defer p.mu.RUnlock()
	switch about.Type {
	case fleet.AboutIncident:
		if l := p.locations[about.ID]; l != nil {
			return l.Street
		}
	case fleet.AboutClosure:
		if x := p.closures.byID[about.ID]; x != nil {
			return x.Description
		}
	case fleet.AboutStation:
		if a := p.stations.byID[about.ID]; a != nil {
			return a.Name
		}
	case fleet.AboutConfiguration:
		if slot, ok := p.byID[about.ID]; ok {
			return strconv.FormatInt(p.entries[slot].state.Config.Version, 10)
		}
	}
	return ""
}
