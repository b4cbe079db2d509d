package fleet

import (
	"math"
	"testing"
)

// A shape that somebody sends or that was stored, however broken, is refused or
// measured: never a panic, never a size above the limit, never a position
// inside that lies outside of the box, and an anchor within.
func FuzzShape(f *testing.F) {
	f.Add("", 39.7, -75.5)
	f.Add(`{"type":"Polygon","coordinates":[[[-75.6,39.7],[-75.5,39.7],[-75.5,39.8],[-75.6,39.7]]]}`, 39.72, -75.52)
	f.Add(`{"type":"Polygon","coordinates":[[[0,0],[0.004,0],[0.004,0.004],[0,0]],[[0.001,0.0005],[0.002,0.0005],[0.002,0.001],[0.001,0.0005]]]}`, 0.001, 0.002)
	f.Add(`{"type":"MultiPolygon","coordinates":[[[[0,0],[0.002,0],[0.001,0.002],[0,0]]],[[[1,1],[1.002,1],[1.001,1.002],[1,1]]]]}`, 1.0, 1.001)
	f.Add(`{"type":"LineString","coordinates":[[0,0],[1,1],[2,0]]}`, 0.5, 0.5)
	f.Add(`{"type":"Polygon","coordinates":[[],[[0,0]]]}`, 90.0, 180.0)
	f.Add(`{"type":"Point","coordinates":[0,0]}`, 1.0, 1.0)
	f.Fuzz(func(t *testing.T, geometry string, lat, lng float64) {
		s, err := ReadShape([]byte(geometry))
		strict, err2 := ParseShape([]byte(geometry))
		if err2 == nil && (err != nil || strict.AreaM2() > maxShapeM2 || strict.AreaM2() != s.AreaM2()) {
			t.Fatalf("%v, %v m²", err, strict.AreaM2())
		}
		if err != nil {
			return
		}
		lo, hi := s.Box()
		if lo[0] > hi[0] || lo[1] > hi[1] || math.IsNaN(s.AreaM2()) {
			t.Errorf("box %v %v, %v m²", lo, hi, s.AreaM2())
		}
		if a, b := s.Anchor(); err2 == nil && !s.IsLine() && !s.Contains(a, b) {
			t.Errorf("the anchor %v, %v lies outside", a, b)
		}
		if !OnMap(lat, lng) {
			return // refused at the door
		}
		d, in := s.DistanceFromM(lat, lng), s.Contains(lat, lng)
		if d < 0 || in && d > 0 || math.IsNaN(d) {
			t.Errorf("%g m, inside: %v", d, in)
		}
		if in && (lng < lo[0]-1/fixed || lng > hi[0]+1/fixed || lat < lo[1]-1/fixed || lat > hi[1]+1/fixed) {
			t.Errorf("%v, %v is inside of %v %v", lat, lng, lo, hi)
		}
	})
}
