package live

import (
	"cmp"
	"context"
	"math"
	"sync"
	"sync/atomic"

	"github.com/tidwall/rtree"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
)

// Stopped traffic does not let anybody through: where a unit drives at speed, the queue is gone. The picture holds the active
// stopped traffic, indexed by position, and which units were seen driving in it.

// stoppedTree finds one organization's stopped traffic by its place.
type stoppedTree = rtree.RTreeGN[float64, *fleet.Hazard]

// stopped has a lock of its own; an organization without stopped traffic costs only a lookup in a map.
type stopped struct {
	idle
	next   []*fleet.Hazard // of the current change: as they are after it
	some   atomic.Bool     // whether there is any at all
	mu     sync.Mutex
	trees  map[string]*stoppedTree // by organization
	byID   map[string]*fleet.Hazard
	driven map[driven]fleet.Instant // when a unit was first seen driving there
	before map[int64]fleet.Point    // by unit, its newest point
}

type driven struct {
	hazardID string
	thingNo  int64
}

// Drive is a unit that drove through stopped traffic: two of its points lie
// there, at speed, or the way between two in a row does.
type Drive struct {
	HazardID string
	From     fleet.Instant // of the first point
	By       fleet.HazardHand
}

func (s *stopped) load(ctx context.Context, r store.Reader) error {
	list, err := store.StoppedTraffic(ctx, r)
	for _, h := range list {
		s.put(h)
	}
	return err
}

func (s *stopped) begin() { s.next = nil }

func (s *stopped) keep(*Change) {
	for _, h := range s.next {
		s.put(h)
	}
}

// PutHazard gives the picture a hazard as it is after the change.
func (c *Change) PutHazard(h *fleet.Hazard) {
	own := *h
	c.p.stopped.next = append(c.p.stopped.next, &own)
}

func (s *stopped) put(h *fleet.Hazard) {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.byID[h.ID]
	if old == nil && !h.StopsTraffic() {
		return
	}
	if s.byID == nil {
		s.byID, s.trees, s.driven = map[string]*fleet.Hazard{}, map[string]*stoppedTree{}, map[driven]fleet.Instant{}
	}
	if old != nil {
		at := [2]float64{old.Lng, old.Lat}
		s.trees[old.OrganizationID].Delete(at, at, old)
		delete(s.byID, h.ID)
		for seen := range s.driven {
			if seen.hazardID == h.ID {
				delete(s.driven, seen)
			}
		}
	}
	if h.StopsTraffic() {
		if s.trees[h.OrganizationID] == nil {
			s.trees[h.OrganizationID] = &stoppedTree{}
		}
		at := [2]float64{h.Lng, h.Lat}
		s.trees[h.OrganizationID].Insert(at, at, h)
		s.byID[h.ID] = h
	}
	if tree := s.trees[h.OrganizationID]; tree != nil && tree.Len() == 0 {
		delete(s.trees, h.OrganizationID)
	}
	if len(s.byID) == 0 {
		s.before = nil
	}
	s.some.Store(len(s.byID) > 0)
}

// Drives finds the units that drove through stopped traffic of their owner or managers, by points that are stored; skip reports
// which of them are repeats.
func (p *Picture) Drives(points []fleet.Point, skip func(i int) bool) (out []Drive) {
	s := &p.stopped
	if !s.some.Load() {
		return nil
	}
	p.mu.RLock()
	defer p.mu.RUnlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range points {
		pt := &points[i]
		if !pt.HasSpeed || skip(i) {
			continue
		}
		slot, ok := p.byNo[pt.ThingNo]
		if !ok {
			continue
		}
		t, before := p.entries[slot].thing, (*fleet.Point)(nil)
		for _, organization := range p.entries[slot].audience {
			if s.trees[organization] == nil || !Manages(t, organization) {
				continue
			}
			if before == nil {
				before = s.newest(pt)
			}
			out = s.pass(out, s.trees[organization], t, before, pt)
		}
	}
	return out
}

// newest is the unit's newest point before this one, which replaces it; the point itself when it is late or the first.
func (s *stopped) newest(pt *fleet.Point) *fleet.Point {
	before, known := s.before[pt.ThingNo]
	if known && before.EffectiveAt() >= pt.EffectiveAt() {
		return pt
	}
	if s.before == nil {
		s.before = map[int64]fleet.Point{}
	}
	s.before[pt.ThingNo] = *pt
	if !known {
		return pt
	}
	return &before
}

// Manages reports whether an organization owns or manages an asset.
func Manages(t *fleet.Thing, organizationID string) bool {
	if t.OrganizationID == organizationID {
		return true
	}
	for _, r := range t.Relations {
		if r.OrganizationID == organizationID && r.Kind == fleet.RelationManager {
			return true
		}
	}
	return false
}

// pass checks one point, and the way to it, against stopped traffic.
func (s *stopped) pass(out []Drive, tree *stoppedTree, t *fleet.Thing, before, pt *fleet.Point) []Drive {
	by := fleet.HazardHand{Kind: "thing", ID: t.ID, Name: cmp.Or(t.Nickname, t.SystemName), OrganizationID: t.OrganizationID,
		SpeedMS: pt.SpeedMS}
	lat := fleet.PassWithinM / 111_000 * 1.01
	lng := lat / max(0.01, math.Cos(pt.Lat*math.Pi/180))
	lo := [2]float64{min(before.Lng, pt.Lng) - lng, min(before.Lat, pt.Lat) - lat}
	hi := [2]float64{max(before.Lng, pt.Lng) + lng, max(before.Lat, pt.Lat) + lat}
	tree.Search(lo, hi, func(_, _ [2]float64, h *fleet.Hazard) bool {
		at, key := pt.EffectiveAt(), driven{h.ID, pt.ThingNo}
		if h.PassesBetween(before, pt) {
			delete(s.driven, key)
			out = append(out, Drive{h.ID, before.EffectiveAt(), by})
			return true
		}
		switch first, seen := s.driven[key]; h.Pass(pt) {
		case fleet.NotThere:
		case fleet.TooSlow:
			delete(s.driven, key)
		case fleet.Passes:
			if !seen || first <= h.LastSeenAt() {
				s.driven[key] = at
			} else if at != first {
				delete(s.driven, key)
				out = append(out, Drive{h.ID, min(first, at), by})
			}
		}
		return true
	})
	return out
}
