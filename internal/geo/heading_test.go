package geo

import "testing"

func TestHeadingOverTheAntimeridian(t *testing.T) {
	for _, c := range []struct{ from, to, want float64 }{{179.995, -179.995, 90}, {-179.995, 179.995, 270}, {-1, 1, 90}} {
		if got := HeadingDeg(LatLng{0, c.from}, LatLng{0, c.to}); got != c.want {
			t.Errorf("%v to %v: %v", c.from, c.to, got)
		}
	}
}
