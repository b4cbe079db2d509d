package fleet

import (
	"math"
	"testing"
)

// A stored shape, however broken, is refused or measured: never a panic, never
// a distance below zero.
func FuzzRings(f *testing.F) {
	f.Add("", 39.7, -75.5)
	f.Add(`{"type":"Polygon","coordinates":[[[-75.6,39.7],[-75.5,39.7],[-75.5,39.8],[-75.6,39.7]]]}`, 39.72, -75.52)
	f.Add(`{"type":"Polygon","coordinates":[]}`, 0.0, 0.0)
	f.Add(`{"type":"Polygon","coordinates":[[],[[0,0]]]}`, 90.0, 180.0)
	f.Add(`{"type":"Point","coordinates":[0,0]}`, 1.0, 1.0)
	f.Fuzz(func(t *testing.T, geometry string, lat, lng float64) {
		rings, err := ParseRings(geometry)
		if err != nil {
			return
		}
		a := Area{Rings: rings, HasCenter: true, Lat: 39.7, Lng: -75.5, RadiusM: 100}
		lo, hi, ok := a.Box()
		if ok && (lo[0] > hi[0] || lo[1] > hi[1]) {
			t.Errorf("box %v %v", lo, hi)
		}
		if math.IsNaN(lat) || math.IsNaN(lng) || math.Abs(lat) > 90 || math.Abs(lng) > 180 {
			return // refused at the door
		}
		if d := a.DistanceFromM(lat, lng); d < 0 {
			t.Errorf("%g m", d)
		}
	})
}
