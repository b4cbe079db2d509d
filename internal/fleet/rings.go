package fleet

import "encoding/json"

// RightHanded is a GeoJSON geometry whose rings turn as RFC 7946 (3.1.6) requires: outer rings counterclockwise, holes clockwise.
// Programs that compute on the globe take a ring that turns the other way for the rest of the world. All shapes in files and feeds
// go through here; stored shapes and the API keep the order in which they were drawn.
func RightHanded(geometry string) string {
	var g struct {
		Type        string          `json:"type"`
		Coordinates json.RawMessage `json:"coordinates"`
	}
	if json.Unmarshal([]byte(geometry), &g) != nil {
		return geometry
	}
	var polygons [][][][]float64
	var what any = &polygons
	switch g.Type {
	case "Polygon":
		polygons = make([][][][]float64, 1)
		what = &polygons[0]
	case "MultiPolygon":
	default:
		return geometry
	}
	if json.Unmarshal(g.Coordinates, what) != nil {
		return geometry
	}
	isTurned := false
	for _, rings := range polygons {
		for i, ring := range rings {
			isTurned = OrientRing(ring, i > 0) || isTurned
		}
	}
	if !isTurned {
		return geometry
	}
	coordinates, err := json.Marshal(what)
	if err != nil {
		return geometry
	}
	return `{"type":"` + g.Type + `","coordinates":` + string(coordinates) + "}"
}

// OrientRing turns a ring of positions (longitude first) that goes the wrong way, and reports whether it did.
func OrientRing[P ~[]float64 | ~[2]float64](ring []P, isHole bool) bool {
	twice := 0.0 // the area that it goes around, positive counterclockwise
	for i := range ring {
		a, b := ring[i], ring[(i+1)%len(ring)]
		if len(a) < 2 || len(b) < 2 {
			return false
		}
		// From the first corner: the difference of large products loses small rings.
		twice += (a[0]-ring[0][0])*(b[1]-ring[0][1]) - (b[0]-ring[0][0])*(a[1]-ring[0][1])
	}
	if twice == 0 || twice < 0 == isHole {
		return false
	}
	for i, j := 0, len(ring)-1; i < j; i, j = i+1, j-1 {
		ring[i], ring[j] = ring[j], ring[i]
	}
	return true
}
