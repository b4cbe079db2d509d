package places

import (
	"testing"

	"lightbar/internal/geo"
)

// What is typed as a Plus Code is none, or a place on Earth whose own code means the same cell.
func FuzzPlusCode(f *testing.F) {
	for _, code := range []string{"87G8PFRW+7C", "PFRW+7C", "8FVC0000+", "+2V", "87g8pfrw+7c2x", "CVXW2222+22", "8FVC9G8F+6XQPQ9HH", "0+", "00000000+", "ſ7G8PFRW+7C", "+"} {
		f.Add(code, 39.74, -75.55)
	}
	f.Add("WXV8+22", 90.0, 180.0)
	f.Add("2222+22", -90.0, -180.0)
	f.Fuzz(func(t *testing.T, code string, lat, lng float64) {
		near := geo.LatLng{Lat: lat, Lng: lng}
		at, ok := ReadPlusCode(code, near)
		if !ok {
			return
		}
		if !at.Valid() {
			t.Fatalf("%q near %v is at %v", code, near, at)
		}
		_, missing, _ := plusLetters(code)
		full := PlusCode(at, len(code)-1)
		again, ok := ReadPlusCode(full, near)
		if missing == 0 && len(code) > plusPairs && (!ok || geo.DistanceM(again, at) > 0.5) {
			t.Errorf("%q is at %v, whose code %q is at %v", code, at, full, again)
		}
	})
}
