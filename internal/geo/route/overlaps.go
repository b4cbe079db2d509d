package route

import (
	"lightbar/internal/geo"
)

// Overlaps tells of the places where two roads, each with its names, lie over each other, until it hears false.
func (r *Roads) Overlaps(one, other []string, tell func(geo.LatLng) bool) {
	a, b, isOver := r.on(one), r.on(other), false
	for _, c := range r.chunks {
		e := &r.edges[c.edge]
		if isOver || !a.has(e) {
			continue
		}
		around := geo.EmptyBox
		for i := c.first; i < chunkEnd(e, c.first); i++ {
			around = around.Add(r.points[i])
		}
		r.walk(around, func(d chunk) geo.Box {
			f := &r.edges[d.edge]
			if isOver || c.edge == d.edge || !b.has(f) || a.has(f) {
				return around
			}
			for i := c.first; i+1 < chunkEnd(e, c.first); i++ {
				for j := d.first; j+1 < chunkEnd(f, d.first); j++ {
					if at, ok := crossed(r.points[i], r.points[i+1], r.points[j], r.points[j+1]); ok && !isOver {
						isOver = !tell(geo.FixedLatLng(at))
					}
				}
			}
			return around
		})
	}
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
