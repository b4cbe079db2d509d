package route

import (
	"lightbar/internal/geo"
)

const (
	// MostPieces is how many pieces of overlapping roads one query may examine: tens of milliseconds by estimate; it was not
	// measured.
	MostPieces = 2_000_000
	// mostPasses go over all pieces of a region, however many it has.
	mostPasses = 24
	passPieces = MostPieces / mostPasses
)

// Overlaps calls tell with the places where a road lies over others, each with its names, and over which of them, until it returns
// false or the limit of work is reached.
func (r *Roads) Overlaps(one []string, others [][]string, work *Work, tell func(other int, at geo.LatLng) bool) {
	if len(others) == 0 || work.lookAt(passPieces) {
		return
	}
	a, isOver := r.on(one), false
	bs := make([]*onRoad, len(others))
	for i, names := range others {
		bs[i] = r.on(names)
	}
	for _, c := range r.chunks {
		if isOver {
			return
		}
		if !a.has(&r.edges[c.edge]) {
			continue
		}
		around := chunkBox(r.points, r.edges, c)
		r.walk(around, func(d chunk) geo.Box {
			if isOver = isOver || work.lookAt(1); isOver {
				return geo.EmptyBox
			}
			f := &r.edges[d.edge]
			if c.edge == d.edge || a.has(f) {
				return around
			}
			for i, b := range bs {
				if !isOver && b.has(f) {
					isOver = !r.crossings(c, d, work, func(at geo.LatLng) bool { return tell(i, at) })
				}
			}
			return around
		})
	}
}

// crossings calls tell with the places where two chunks cross; false when tell returned false.
func (r *Roads) crossings(c, d chunk, work *Work, tell func(geo.LatLng) bool) bool {
	endC, endD := chunkEnd(&r.edges[c.edge], c.first), chunkEnd(&r.edges[d.edge], d.first)
	if work.lookAt(int((endC - c.first) * (endD - d.first))) {
		return false
	}
	for i := c.first; i+1 < endC; i++ {
		for j := d.first; j+1 < endD; j++ {
			if at, ok := crossed(r.points[i], r.points[i+1], r.points[j], r.points[j+1]); ok && !tell(geo.FixedLatLng(at)) {
				return false
			}
		}
	}
	return true
}

// crossed is where two segments cross.
func crossed(a, b, c, d geo.Point) (at geo.Point, ok bool) {
	abLat, abLng := float64(b.Lat-a.Lat), float64(b.Lng-a.Lng)
	cdLat, cdLng := float64(d.Lat-c.Lat), float64(d.Lng-c.Lng)
	area := abLat*cdLng - abLng*cdLat
	if area == 0 {
		return geo.Point{}, false
	}
	acLat, acLng := float64(c.Lat-a.Lat), float64(c.Lng-a.Lng)
	s, t := (acLat*cdLng-acLng*cdLat)/area, (acLat*abLng-acLng*abLat)/area
	if s < 0 || s > 1 || t < 0 || t > 1 {
		return geo.Point{}, false
	}
	return geo.Point{Lat: a.Lat + int32(s*abLat), Lng: a.Lng + int32(s*abLng)}, true
}
