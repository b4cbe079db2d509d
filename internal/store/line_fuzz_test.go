package store

import (
	"encoding/json"
	"slices"
	"testing"

	"lightbar/internal/fleet"
)

// What readLine reads, encoding/json reads as well, and the same.
func FuzzReadLine(f *testing.F) {
	for _, text := range []string{`[{"lat":39.7391,"lng":-75.5498},{"lat":0,"lng":-0.5}]`, `[{"lat":1e-7,"lng":2}]`, `[]`, `[{"lat":01,"lng":2}]`,
		`[{"lat":1.,"lng":2}]`, `[{"lat":1,"lng":2},]`, `[{"lat":1,"lng":2}`, `[{"lat":-,"lng":2}]`, `[{"lng":1,"lat":2}]`, `null`, ``,
		`[{"lat":1,"lng":2}]x`, `[{"lat":.5,"lng":2}]`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, ok := readLine(text)
		if !ok {
			return
		}
		var want []fleet.LatLng
		if err := json.Unmarshal([]byte(text), &want); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q was read as %v; encoding/json reads %v, %v", text, got, want, err)
		}
	})
}

// Lines as closures have them are read without encoding/json; whatever else is JSON is read all the same.
func TestLinesAreReadAsTheyWereWritten(t *testing.T) {
	line := []fleet.LatLng{{Lat: 39.7391234, Lng: -75.5498765}, {Lat: 0, Lng: 180}, {Lat: -90, Lng: 0.0001}}
	text := asLine(&line).write()
	if got, ok := readLine(text); !ok || !slices.Equal(got, line) {
		t.Errorf("%s is read as %v, %t", text, got, ok)
	}
	for text, want := range map[string][]fleet.LatLng{
		`[ {"lat":1e-7,"lng":2} ]`: {{Lat: 1e-7, Lng: 2}}, "": nil, `[{"lng":2,"lat":1}]`: {{Lat: 1, Lng: 2}},
	} {
		got := slices.Clone(line)
		if err := asLine(&got).read(text); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q is read as %v, %v", text, got, err)
		}
	}
	if err := asLine(&line).read(`[{"lat":1,"lng":2}`); err == nil {
		t.Error("a line that was cut off was read")
	}
}
