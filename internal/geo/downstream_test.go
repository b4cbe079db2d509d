package geo

import (
	"math"
	"testing"
)

func lineM(line []LatLng) (m float64) {
	for i := 1; i < len(line); i++ {
		m += DistanceM(line[i-1], line[i])
	}
	return m
}

// A line goes with the traffic along its street, past junctions, and ends where it is long enough or the street ends.
func TestALineRunsDownstream(t *testing.T) {
	const east, west = 90.0, 270.0
	at := LatLng{Lat: cornerAt(2, 1).Lat + 0.0001, Lng: cornerAt(2, 1).Lng + 0.0006}
	both := roadsOf(t, town())
	oneWay := town()
	oneWay.way(102).tags = append(oneWay.way(102).tags, "oneway", "-1") // westwards only
	for name, c := range map[string]struct {
		roads   *Roads
		heading float64
		meters  float64
		want    float64 // length
		end     LatLng
	}{
		"eastwards":            {both, east, 150, 150, LatLng{}},
		"westwards":            {both, west, 100, 100, LatLng{}},
		"against a one-way":    {roadsOf(t, oneWay), east, 100, 100, LatLng{}},
		"as far as the corner": {both, east, DistanceM(LatLng{cornerAt(2, 1).Lat, at.Lng}, cornerAt(2, 3)), 0, cornerAt(2, 3)},
	} {
		line, road := c.roads.Downstream(at, c.heading, 40, c.meters)
		if len(line) < 2 || road != "Row 2" {
			t.Fatalf("%s: %v of %q", name, line, road)
		}
		if c.want > 0 && math.Abs(lineM(line)-c.want) > 0.5 || DistanceM(line[0], at) > 12 {
			t.Errorf("%s: %.1f m from %v", name, lineM(line), line[0])
		}
		heads := east
		if c.roads != both || c.heading == west {
			heads = west
		}
		for i := 1; i < len(line); i++ {
			if headingDiff(HeadingDeg(line[i-1], line[i]), heads) > 1 {
				t.Errorf("%s: turns at %v", name, line[i-1])
			}
		}
		if c.end != (LatLng{}) && DistanceM(line[len(line)-1], c.end) > 0.5 {
			t.Errorf("%s: ends at %v", name, line[len(line)-1])
		}
	}
	if line, road := both.Downstream(at, east, 5, 100); line != nil || road != "" {
		t.Errorf("beside the road: %v of %q", line, road)
	}
	if line, _ := both.Downstream(at, math.NaN(), 40, 1e6); lineM(line) > 1e6+1 || len(line) < 2 {
		t.Errorf("a line without end: %.0f m", lineM(line))
	}
	if line, _ := both.Downstream(LatLng{math.NaN(), 0}, east, 40, 100); line != nil {
		t.Errorf("nowhere: %v", line)
	}
}
