package fleet_test

import (
	"math"
	"testing"

	"lightbar/internal/fleet"
)

func TestTheDistanceFromALine(t *testing.T) {
	line := []fleet.LatLng{{Lat: 39, Lng: -75}, {Lat: 39, Lng: -74.9}, {Lat: 39.1, Lng: -74.9}}
	for name, c := range map[string]struct{ lat, lng, want float64 }{
		"on its first point": {39, -75, 0}, "on the line": {39, -74.95, 0}, "north of it": {39.01, -74.97, 1112}, "west of its beginning": {39, -75.01, 864},
		"beyond its end": {39.11, -74.9, 1112},
	} {
		if got := fleet.DistanceFromLineM(c.lat, c.lng, line); math.Abs(got-c.want) > 1 {
			t.Errorf("%s: %.1f m, want %.0f", name, got, c.want)
		}
	}
	if got := fleet.DistanceFromLineM(39.01, -75, line[:1]); math.Abs(got-1112) > 1 {
		t.Errorf("from a line of one point: %.1f", got)
	}
}
