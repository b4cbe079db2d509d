package route

import (
	"math"
	"testing"

	"lightbar/internal/geo"
	"lightbar/internal/geo/geotest"
)

func lineM(line []geo.LatLng) (m float64) {
	for i := 1; i < len(line); i++ {
		m += geo.DistanceM(line[i-1], line[i])
	}
	return m
}

// A line goes with the traffic along its street, past junctions, and ends where it is long enough or the street ends.
func TestALineRunsDownstream(t *testing.T) {
	const east, west = 90.0, 270.0
	at := geo.LatLng{Lat: geotest.CornerAt(2, 1).Lat + 0.0001, Lng: geotest.CornerAt(2, 1).Lng + 0.0006}
	both := roadsOf(t, geotest.Town())
	oneWay := geotest.Town()
	oneWay.Way(102).Tags = append(oneWay.Way(102).Tags, "oneway", "-1") // westwards only
	for name, c := range map[string]struct {
		roads   *Roads
		heading float64
		meters  float64
		want    float64 // length
		end     geo.LatLng
	}{
		"eastwards":            {both, east, 150, 150, geo.LatLng{}},
		"westwards":            {both, west, 100, 100, geo.LatLng{}},
		"against a one-way":    {roadsOf(t, oneWay), east, 100, 100, geo.LatLng{}},
		"as far as the corner": {both, east, geo.DistanceM(geo.LatLng{Lat: geotest.CornerAt(2, 1).Lat, Lng: at.Lng}, geotest.CornerAt(2, 3)), 0, geotest.CornerAt(2, 3)},
	} {
		line, road := c.roads.Downstream(at, c.heading, 40, c.meters)
		if len(line) < 2 || road != "Row 2" {
			t.Fatalf("%s: %v of %q", name, line, road)
		}
		if c.want > 0 && math.Abs(lineM(line)-c.want) > 0.5 || geo.DistanceM(line[0], at) > 12 {
			t.Errorf("%s: %.1f m from %v", name, lineM(line), line[0])
		}
		heads := east
		if c.roads != both || c.heading == west {
			heads = west
		}
		for i := 1; i < len(line); i++ {
			if geo.HeadingDiff(geo.HeadingDeg(line[i-1], line[i]), heads) > 1 {
				t.Errorf("%s: turns at %v", name, line[i-1])
			}
		}
		if c.end != (geo.LatLng{}) && geo.DistanceM(line[len(line)-1], c.end) > 0.5 {
			t.Errorf("%s: ends at %v", name, line[len(line)-1])
		}
	}
	if line, road := both.Downstream(at, east, 5, 100); line != nil || road != "" {
		t.Errorf("beside the road: %v of %q", line, road)
	}
	if line, _ := both.Downstream(at, math.NaN(), 40, 1e6); lineM(line) > 1e6+1 || len(line) < 2 {
		t.Errorf("a line without end: %.0f m", lineM(line))
	}
	if line, _ := both.Downstream(geo.LatLng{Lat: math.NaN(), Lng: 0}, east, 40, 100); line != nil {
		t.Errorf("nowhere: %v", line)
	}
}
