package route

import (
	"math"

	"lightbar/internal/geo"
)

// mostEdges bounds a walk along a road: a roundabout has no end.
const mostEdges = 2000

// Downstream follows the road at a position with its traffic for so many meters,
// straight on at junctions, along the same street where that goes on. The
// heading (degrees, NaN when unknown) chooses the carriageway, and the way on a
// road that is driven both ways. The line is shorter where the road ends. road is
// what people call it. nil when no road that routes use lies within withinM.
func (r *Roads) Downstream(at geo.LatLng, headingDeg, withinM, meters float64) (line []geo.LatLng, road string) {
	if !at.Valid() || !(withinM > 0) || !(meters > 0) {
		return nil, ""
	}
	return r.downstream(&finder{roads: r, lat: at.Lat, lng: at.Lng, heading: headingDeg, within: withinM, need: edgeMain}, meters)
}

// downstream follows the road that a finder finds.
func (r *Roads) downstream(f *finder, meters float64) (line []geo.LatLng, road string) {
	withinM, headingDeg := f.within, f.heading
	begin, ok := f.find()
	if !ok || begin.distance > withinM {
		return nil, ""
	}
	e := &r.edges[begin.edge]
	dir, tail := uint32(0), e.from
	if e.Flags&EdgeOneway == 0 && geo.HeadingDiff(begin.heading, headingDeg) > 90 {
		dir, tail = 1, e.to
	}
	arc, ok := r.arcOf(tail, begin.edge<<1|dir)
	if !ok {
		return nil, ""
	}
	w := routeWriter{roads: r}
	length := 0.0
	for from, n := &begin, 0; length < meters && n < mostEdges; n++ {
		part, _ := w.stretch(step{r.arcs[arc].edgeDir}, from, nil)
		if length += part; length >= meters {
			break
		}
		if arc, ok = r.straightOn(arc); !ok {
			break
		}
		from = nil
	}
	s := r.street(&begin, headingDeg)
	return cutAt(w.route.Points, meters), s.Label()
}

// straightOn chooses the arc that goes on behind one: of the same street if there is one, then the straightest; never back.
func (r *Roads) straightOn(arc uint32) (next uint32, ok bool) {
	a := &r.arcs[arc]
	came := &r.edges[a.edgeDir>>1]
	_, heading := r.ends(a.edgeDir)
	best := math.Inf(1)
	for i := r.firstArc[a.to]; i < r.firstArc[a.to+1]; i++ {
		edgeDir := r.arcs[i].edgeDir
		if edgeDir>>1 == a.edgeDir>>1 {
			continue
		}
		e := &r.edges[edgeDir>>1]
		leaves, _ := r.ends(edgeDir)
		turn := geo.HeadingDiff(heading, leaves)
		switch same := came.Name != 0 && e.Name == came.Name || came.Ref != 0 && e.Ref == came.Ref; {
		case !same && e.Flags&EdgeLink != came.Flags&EdgeLink:
			turn += 90 // a ramp leaves the road
			fallthrough
		case !same:
			turn += 180
		}
		if turn < best {
			best, next, ok = turn, i, true
		}
	}
	return next, ok
}

// ends are the headings with which a driven edge begins and ends.
func (r *Roads) ends(edgeDir uint32) (first, last float64) {
	e := &r.edges[edgeDir>>1]
	points := r.points[e.First : e.First+e.Count]
	n := len(points)
	first = geo.HeadingDeg(geo.FixedLatLng(points[0]), geo.FixedLatLng(points[1]))
	last = geo.HeadingDeg(geo.FixedLatLng(points[n-2]), geo.FixedLatLng(points[n-1]))
	if edgeDir&1 == 1 {
		first, last = math.Mod(last+180, 360), math.Mod(first+180, 360)
	}
	return first, last
}

// cutAt is a line as far as so many meters.
func cutAt(line []geo.LatLng, meters float64) []geo.LatLng {
	for i := 1; i < len(line); i++ {
		part := geo.DistanceM(line[i-1], line[i])
		if part >= meters && part > 0 {
			at := meters / part
			end := geo.LatLng{Lat: line[i-1].Lat + (line[i].Lat-line[i-1].Lat)*at, Lng: line[i-1].Lng + (line[i].Lng-line[i-1].Lng)*at}
			return append(line[:i:i], end)
		}
		meters -= part
	}
	return line
}
