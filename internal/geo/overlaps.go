package geo

// Overlaps tells of the places where two roads, each with its names, lie over each other, until it hears false.
func (r *Roads) Overlaps(one, other []string, tell func(LatLng) bool) {
	a, b, isOver := r.on(one), r.on(other), false
	for _, c := range r.chunks {
		e := &r.edges[c.edge]
		if isOver || !a.has(e) {
			continue
		}
		around := emptyBox
		for i := c.first; i < chunkEnd(e, c.first); i++ {
			around = around.add(r.points[i])
		}
		r.walk(around, func(d chunk) box {
			f := &r.edges[d.edge]
			if isOver || c.edge == d.edge || !b.has(f) || a.has(f) {
				return around
			}
			for i := c.first; i+1 < chunkEnd(e, c.first); i++ {
				for j := d.first; j+1 < chunkEnd(f, d.first); j++ {
					if at, ok := crossed(r.points[i], r.points[i+1], r.points[j], r.points[j+1]); ok && !isOver {
						isOver = !tell(fixedLatLng(at))
					}
				}
			}
			return around
		})
	}
}

// crossed is where two segments cross.
func crossed(a, b, c, d point) (at point, ok bool) {
	abLat, abLng := float64(b.lat-a.lat), float64(b.lng-a.lng)
	cdLat, cdLng := float64(d.lat-c.lat), float64(d.lng-c.lng)
	area := abLat*cdLng - abLng*cdLat
	if area == 0 {
		return point{}, false
	}
	acLat, acLng := float64(c.lat-a.lat), float64(c.lng-a.lng)
	s, t := (acLat*cdLng-acLng*cdLat)/area, (acLat*abLng-acLng*abLat)/area
	if s < 0 || s > 1 || t < 0 || t > 1 {
		return point{}, false
	}
	return point{a.lat + int32(s*abLat), a.lng + int32(s*abLng)}, true
}
