package places

import (
	"encoding/json"
	"math"
	"testing"

	"pgregory.net/rapid"

	"lightbar/catalog"
	"lightbar/internal/geo"
)

type plusVectors struct {
	Codes []struct {
		Lat, Lng float64
		Letters  int
		Code     string
	}
	Reads []struct {
		Code     string
		Near, At *[2]float64
	}
}

func TestPlusCodeVectors(t *testing.T) {
	raw, err := catalog.Files.ReadFile("vectors/plus-codes.json")
	if err != nil {
		t.Fatal(err)
	}
	var v plusVectors
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	for _, c := range v.Codes {
		if got := PlusCode(geo.LatLng{Lat: c.Lat, Lng: c.Lng}, c.Letters); got != c.Code {
			t.Errorf("%v, %v: %s, want %s", c.Lat, c.Lng, got, c.Code)
		}
	}
	for _, c := range v.Reads {
		near := nowhere
		if c.Near != nil {
			near = geo.LatLng{Lat: c.Near[0], Lng: c.Near[1]}
		}
		got, ok := ReadPlusCode(c.Code, near)
		if ok != (c.At != nil) || ok && (math.Abs(got.Lat-c.At[0]) > 1e-9 || math.Abs(got.Lng-c.At[1]) > 1e-9) {
			t.Errorf("%s: %v %v, want %v", c.Code, got, ok, c.At)
		}
	}
}

// A code's cell holds what it was made of, also from its last letters near by.
func TestPlusCodeRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := geo.LatLng{Lat: rapid.Float64Range(-90, 90).Draw(t, "lat"), Lng: rapid.Float64Range(-180, 179.9999).Draw(t, "lng")}
		letters := rapid.IntRange(10, 15).Draw(t, "letters")
		code := PlusCode(at, letters)
		whole, _, ok := plusLetters(code)
		middle, height, width := plusCell(whole)
		if !ok || math.Abs(middle.Lat-at.Lat) > height/2+1e-9 || math.Abs(middle.Lng-at.Lng) > width/2+1e-9 {
			t.Fatalf("%v: %s is %v", at, code, middle)
		}
		if math.Abs(at.Lat) > 89 || math.Abs(at.Lng) > 179 {
			return
		}
		near := geo.LatLng{Lat: at.Lat + rapid.Float64Range(-0.4, 0.4).Draw(t, "dLat"), Lng: at.Lng + rapid.Float64Range(-0.4, 0.4).Draw(t, "dLng")}
		if got, ok := ReadPlusCode(code[4:], near); !ok || geo.DistanceM(got, middle) > 0.01 {
			t.Fatalf("%s near %v: %v, want %v", code[4:], near, got, middle)
		}
	})
}
