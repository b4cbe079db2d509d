package route

import (
	"math"
	"math/rand/v2"
	"sort"

	"lightbar/internal/geo"
)

// RandomNode gives a junction that routes can reach and leave, every one
// equally likely. The zero value comes back from an index without roads.
func (r *Roads) RandomNode(rnd *rand.Rand) geo.LatLng {
	if len(r.edges) == 0 {
		return geo.LatLng{}
	}
	first := rnd.IntN(len(r.edges))
	for i := range r.edges { // at most once round; nearly always the first few
		e := &r.edges[(first+i)%len(r.edges)]
		if e.Flags&edgeMain != 0 {
			return geo.FixedLatLng(r.nodes[e.from])
		}
	}
	return geo.LatLng{}
}

// RandomStreet picks a place on a named street within the box that routes can
// reach and leave; longer streets are likelier. False when there is none.
func (r *Roads) RandomStreet(rnd *rand.Rand, within geo.Bounds) (Street, bool) {
	b := geo.Box{MinLat: clampFixed(within.MinLat), MinLng: clampFixed(within.MinLng),
		MaxLat: clampFixed(within.MaxLat), MaxLng: clampFixed(within.MaxLng)}
	seen := 0
	var chosen snap
	r.walk(b, func(c chunk) geo.Box {
		e := &r.edges[c.edge]
		if e.Flags&edgeMain == 0 || e.Name == 0 {
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
	a, b := geo.FixedLatLng(r.points[segment]), geo.FixedLatLng(r.points[segment+1])
	at := geo.LatLng{Lat: a.Lat + (b.Lat-a.Lat)*part, Lng: a.Lng + (b.Lng-a.Lng)*part}
	return snap{edge: number, segment: segment, part: part, at: at, heading: geo.HeadingDeg(a, b)}
}

// Position is a place on a route.
type Position struct {
	geo.LatLng
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
		t.until[i] = t.until[i-1] + geo.DistanceM(route.Points[i-1], route.Points[i])
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
		LatLng:     geo.LatLng{Lat: a.Lat + (b.Lat-a.Lat)*part, Lng: a.Lng + (b.Lng-a.Lng)*part},
		HeadingDeg: geo.HeadingDeg(a, b),
		Step:       int(t.step[i]),
	}
}
