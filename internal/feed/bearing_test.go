package feed_test

import (
	"testing"

	"lightbar/internal/feed"
	"lightbar/internal/fleet"
)

// A line over the 180th meridian runs the shorter way round the Earth.
func TestTheWayOfALineOverTheAntimeridian(t *testing.T) {
	for _, c := range []struct {
		direction string
		from, to  float64
		is        bool
	}{
		{"eastbound", 179.995, -179.995, false}, {"westbound", 179.995, -179.995, true}, {"westbound", -179.995, 179.995, false},
		{"eastbound", -179.995, 179.995, true}, {"eastbound", -0.005, 0.005, false}, {"westbound", -0.005, 0.005, true},
	} {
		route := []fleet.LatLng{{Lat: -16.5, Lng: c.from}, {Lat: -16.5, Lng: c.to}}
		if got := feed.Against(c.direction, route); got != c.is {
			t.Errorf("%s from %v to %v: %v", c.direction, c.from, c.to, got)
		}
	}
}
