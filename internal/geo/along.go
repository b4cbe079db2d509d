package geo

import (
	"math"
	"math/rand/v2"
	"sort"
)

// RandomNode gives a junction that routes can reach and leave, every one
// equally likely. The zero value comes back from an index without roads.
func (r *Roads) RandomNode(rnd *rand.Rand) LatLng {
	if len(r.edges) == 0 {
		return LatLng{}
	}
	first := rnd.IntN(len(r.edges))
	for i := range r.edges { // at most once round; nearly always the first few
		e := &r.edges[(first+i)%len(r.edges)]
		if e.flags&edgeMain != 0 {
			return fixedLatLng(r.nodes[e.from])
		}
	}
	return LatLng{}
}

// RandomStreet picks a place on a named street within the box that routes can
// reach and leave; longer streets are likelier. False when there is none.
func (r *Roads) RandomStreet(rnd *rand.Rand, within Bounds) (Street, bool) {
	b := box{clampFixed(within.MinLat), clampFixed(within.MinLng), clampFixed(within.MaxLat), clampFixed(within.MaxLng)}
	seen := 0
	var chosen snap
	r.walk(b, func(c chunk) box {
		e := &r.edges[c.edge]
		if e.flags&edgeMain == 0 || e.name == 0 {
			return b
		}
		segment := c.first + rnd.Uint32N(chunkEnd(e, c.first)-c.first-1)
		s := r.snapOn(c.edge, segment, rnd.Float64())
		if !within.Contains(s.at.Lat, s.at.Lng) {
			return b
		}
		if seen++; rnd.IntN(seen) == 0 { // reservoir of one
			chosen = s
		}
		return b
	})
	if seen == 0 {
		return Street{}, false
	}
	return r.street(&chosen, math.NaN()), true
}

func (r *Roads) snapOn(number, segment uint32, part float64) snap {
	a, b := fixedLatLng(r.points[segment]), fixedLatLng(r.points[segment+1])
	at := LatLng{a.Lat + (b.Lat-a.Lat)*part, a.Lng + (b.Lng-a.Lng)*part}
	return snap{edge: number, segment: segment, part: part, at: at, heading: HeadingDeg(a, b)}
}

// Position is a place on a route.
type Position struct {
	LatLng
	HeadingDeg float64
	Step       int // index into Route.Steps, -1 when the route has none
}

// Track measures a route once, so that positions along it are found fast.
type Track struct {
	route *Route
	until []float64 // meters from the start to each point
	step  []int32   // step that leads to each point
}

// NewTrack prepares a route for At.
func NewTrack(route *Route) *Track {
	t := &Track{route: route, until: make([]float64, len(route.Points)), step: make([]int32, len(route.Points))}
	for i := 1; i < len(route.Points); i++ {
		t.until[i] = t.until[i-1] + DistanceM(route.Points[i-1], route.Points[i])
	}
	for n, s := range route.Steps {
		for i := s.From + 1; i <= s.To && i < len(t.step); i++ {
			t.step[i] = int32(n)
		}
	}
	return t
}

// LengthM is the route's length.
func (t *Track) LengthM() float64 {
	if len(t.until) == 0 {
		return 0
	}
	return t.until[len(t.until)-1]
}

// At is the place so many meters from the start, held at the ends. It allocates nothing.
func (t *Track) At(meters float64) Position {
	points := t.route.Points
	if len(points) == 0 {
		return Position{Step: -1}
	}
	if len(points) == 1 || len(t.route.Steps) == 0 {
		return Position{LatLng: points[0], Step: -1}
	}
	i := sort.SearchFloat64s(t.until, meters)
	i = max(1, min(i, len(points)-1))
	a, b := points[i-1], points[i]
	part := 0.0
	if length := t.until[i] - t.until[i-1]; length > 0 {
		part = max(0, min(1, (meters-t.until[i-1])/length))
	}
	return Position{
		LatLng:     LatLng{a.Lat + (b.Lat-a.Lat)*part, a.Lng + (b.Lng-a.Lng)*part},
		HeadingDeg: HeadingDeg(a, b),
		Step:       int(t.step[i]),
	}
}
