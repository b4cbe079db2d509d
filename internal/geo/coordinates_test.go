package geo

import (
	"encoding/json"
	"math"
	"testing"

	"lightbar/catalog"
)

// spec: 2.map.10 5.general.06
func TestCoordinateVectors(t *testing.T) {
	raw, err := catalog.Files.ReadFile("vectors/coordinates.json")
	if err != nil {
		t.Fatal(err)
	}
	var v struct {
		Cases []struct {
			Text string
			At   *[2]float64
		}
	}
	if err := json.Unmarshal(raw, &v); err != nil || len(v.Cases) == 0 {
		t.Fatal(len(v.Cases), err)
	}
	for _, c := range v.Cases {
		got, ok := ReadPosition(c.Text)
		if ok != (c.At != nil) || ok && (math.Abs(got.Lat-c.At[0]) > 1e-9 || math.Abs(got.Lng-c.At[1]) > 1e-9) {
			t.Errorf("%s: %v %v, want %v", c.Text, got, ok, c.At)
		}
	}
}

func TestThePositionThatIsShownIsReadAgain(t *testing.T) {
	for _, at := range []LatLng{{Lat: 39.74470000001, Lng: -75.5484}, {Lat: -0.00000001, Lng: 0.29}, {Lat: 90, Lng: -180}} {
		got, ok := ReadPosition(PositionText(at))
		if !ok || math.Abs(got.Lat-at.Lat) > 1e-7 || math.Abs(got.Lng-at.Lng) > 1e-7 {
			t.Errorf("%v: %q is %v", at, PositionText(at), got)
		}
	}
	if got := PositionText(LatLng{Lat: -0.00000001, Lng: 179.99999999}); got != "0, 179.9999999" {
		t.Error(got)
	}
}

// FuzzReadPosition reads anything: a place on Earth, or nothing.
func FuzzReadPosition(f *testing.F) {
	for _, text := range []string{"39.7, -75.5", `39°44'41.4"N 75°32'54.2"W`, "geo:1,2", "POINT(1 2)", "https://x/@1,2", "\xff", "1,2,3", "lat lng"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if at, ok := ReadPosition(text); ok && !at.Valid() {
			t.Fatalf("%q: %v", text, at)
		}
	})
}
