package route

import (
	"bytes"
	"errors"
	"math"
	"testing"

	"lightbar/internal/geo"
	"lightbar/internal/geo/geotest"
)

// FuzzOpenRoads feeds road indexes whose checksum is right: whatever they
// claim, they are refused or work.
func FuzzOpenRoads(f *testing.F) {
	good := roadsBytes(f)
	f.Add(good)
	f.Add(good[:25*8])
	f.Fuzz(func(t *testing.T, raw []byte) {
		raw = bytes.Clone(raw[:len(raw)/8*8])
		if len(raw) < 32 {
			return
		}
		copy(raw, good[:16]) // magic and version
		raw[16], raw[17], raw[18], raw[19] = byte(len(raw)), byte(len(raw)>>8), byte(len(raw)>>16), 0
		r, err := readRoads(bytes.NewReader(geotest.Reseal(raw)), int64(len(raw)))
		if err != nil {
			if !errors.Is(err, ErrBadRoads) {
				t.Fatal(err)
			}
			return
		}
		useRoads(t, r)
	})
}

// useRoads asks everything of an index; the answers do not matter.
func useRoads(t *testing.T, r *Roads) {
	c := r.Bounds().Center()
	s, _ := r.Nearest(c.Lat, c.Lng, 10)
	_ = s.Label()
	r.Nearest(geotest.CornerAt(2, 2).Lat, geotest.CornerAt(2, 2).Lng, math.NaN())
	route, err := r.Route(t.Context(), []geo.LatLng{geotest.CornerAt(0, 0), geotest.CornerAt(3, 3), geotest.CornerAt(1, 4)}, RouteOptions{})
	if err == nil {
		NewTrack(&route).At(route.DistanceM / 2)
	}
}
