package route

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"

	"lightbar/internal/geo"
)

// onRoad knows which edges are of one road, by name or number. Nil knows of no road.
type onRoad struct{ texts map[uint32]bool }

// offRoad is how much slower a drive beside the road counts: a bridge of another name is passed, a short cut is not taken.
const offRoad = 8

func (r *Roads) on(names []string) *onRoad {
	on := &onRoad{map[uint32]bool{}}
	for i := 1; i+1 < len(r.texts.Start); i++ {
		text := r.textAt(uint32(i))
		if slices.Contains(names, text) {
			on.texts[uint32(i)] = true
			continue
		}
		for part := range strings.SplitSeq(text, ";") {
			if part = strings.TrimSpace(part); part != text && slices.Contains(names, part) {
				on.texts[uint32(i)] = true
			}
		}
	}
	return on
}

func (o *onRoad) has(e *Edge) bool {
	return o == nil || e.Flags&(EdgeLink|EdgePrivate) == 0 && (o.texts[e.Name] || o.texts[e.Ref])
}

// mayBe recognizes a piece of a highway to which nobody gave a name or number: I 95 has two kilometers of them in Delaware's
// extract.
func (o *onRoad) mayBe(e *Edge) bool {
	return e.Name == 0 && e.Ref == 0 && e.Class <= ClassTrunk && e.Flags&(EdgeLink|EdgePrivate) == 0
}

func (o *onRoad) cost(r *Roads, a *arc) uint32 {
	if o == nil {
		return a.costMs
	}
	switch e := &r.edges[a.edgeDir>>1]; {
	case o.has(e):
		return a.costMs
	case o.mayBe(e):
		return saturate(a.costMs, a.costMs)
	}
	return uint32(min(uint64(a.costMs)*offRoad, math.MaxUint32/2))
}

const (
	ontoM     = 150.0 // a place farther from a road is not on it
	mostSnaps = 4     // carriageways and pieces of a road at one place
	mostOffM  = 400.0 // of a line beside its road
	snapMsPM  = 150   // a meter between a place and where the line begins, against the time of the drive
	mostMsPM  = 360   // of a drive that is looked for: three times the straight line, at 30 km/h
	mostMs    = 600_000
)

// Follow routes the line along one road, with its names, between two places of it, with its
// traffic; also where the extract ends, which Route does not. Errors: ErrNoRoad when one of them is more than 150 m from it,
// ErrNoRoute when one must leave the road, ErrTooLong also when the work (nil for as much as it takes) ends before.
func (r *Roads) Follow(ctx context.Context, names []string, from, to geo.LatLng, work *Work) (Route, error) {
	ctx, cancel := context.WithTimeout(ctx, MaxRouteDuration)
	defer cancel()
	on := r.on(names)
	begins, ends := r.snapsOn(on, from), r.snapsOn(on, to)
	if len(begins) == 0 || len(ends) == 0 {
		return Route{}, ErrNoRoad
	}
	if geo.DistanceM(from, to) > MaxLegM {
		return Route{}, ErrTooFar
	}
	s := r.searches.get(len(r.nodes))
	s.on, s.work = on, work
	s.most = uint32(geo.DistanceM(from, to)*mostMsPM) + mostMs
	defer func() {
		s.on, s.most, s.work = nil, 0, nil
		r.searches.put(s)
	}()
	best := uint32(math.MaxUint32)
	var route Route
	for i := range begins {
		for j := range ends {
			steps, cost, err := s.cheapest(ctx, r, &begins[i], &ends[j], eitherWay)
			if errors.Is(err, ErrTooLong) {
				return Route{}, err
			}
			cost = saturate(cost, uint32((begins[i].distance+ends[j].distance)*snapMsPM))
			if err != nil || cost >= best || r.offM(on, steps) > mostOffM {
				continue
			}
			best, s.most = cost, min(s.most, cost) // a dearer way need not be found
			w := routeWriter{roads: r}
			w.add(&begins[i], &ends[j], steps)
			route = w.route
		}
	}
	if len(route.Points) < 2 {
		return Route{}, ErrNoRoute
	}
	return route, nil
}

// IsOn reports whether a place is at most 150 m from a road with one of the names.
func (r *Roads) IsOn(names []string, at geo.LatLng) bool { return len(r.snapsOn(r.on(names), at)) > 0 }

// FollowFor routes the line along one road, with its names, from a place of it for so many meters
// with the traffic that is nearest to a heading; nil when it is more than 150 m away.
func (r *Roads) FollowFor(names []string, from geo.LatLng, headingDeg, meters float64) []geo.LatLng {
	f := finder{roads: r, lat: from.Lat, lng: from.Lng, heading: headingDeg, within: ontoM, on: r.on(names)}
	line, _ := r.downstream(&f, meters)
	return line
}

// offM is how far steps lead beside a road.
func (r *Roads) offM(on *onRoad, steps []step) (m float64) {
	for _, s := range steps {
		if e := &r.edges[s.edgeDir>>1]; !on.has(e) && !on.mayBe(e) {
			m += float64(e.LengthDm) / 10
		}
	}
	return m
}

// snapsOn are the places of a road nearest to one, on each of its edges there; nearest first.
func (r *Roads) snapsOn(on *onRoad, at geo.LatLng) (out []snap) {
	if !at.Valid() {
		return nil
	}
	f := finder{roads: r, lat: at.Lat, lng: at.Lng, heading: math.NaN(), within: ontoM}
	cos := max(geo.CosLat(at.Lat), 0.01)
	of := map[uint32]snap{}
	r.walk(f.boxAround(ontoM, cos), func(c chunk) geo.Box {
		e := &r.edges[c.edge]
		if on.has(e) {
			best, ok := of[c.edge]
			if !ok {
				best.score = math.Inf(1)
			}
			if f.measure(c, e, cos, ontoM, &best); !math.IsInf(best.score, 1) {
				of[c.edge] = best
			}
		}
		return f.boxAround(ontoM, cos)
	})
	for _, s := range of {
		out = append(out, s)
	}
	slices.SortFunc(out, func(a, b snap) int {
		if a.distance != b.distance {
			if a.distance < b.distance {
				return -1
			}
			return 1
		}
		return int(a.edge) - int(b.edge)
	})
	return out[:min(len(out), mostSnaps)]
}
