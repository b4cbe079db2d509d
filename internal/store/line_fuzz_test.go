package store

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
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

// Numbers of any length are those that strconv reads.
func TestNumbersOfLinesAreThoseOfStrconv(t *testing.T) {
	for _, text := range []string{"0", "-0.5", "39.7391234", "-75.5498765", "123456789012345", "0.123456789012345", "1234567890123456", "39.739210000000004",
		"0.30000000000000004", "99999999999999999999999", "0.00000000000000000000000000001", "-179.99999999999997", "8.5e1", "1.", "-", "01", ".5", ""} {
		want, err := strconv.ParseFloat(text, 64)
		got, rest, ok := readNumber(text+",x", ',')
		isPlain := err == nil && !strings.ContainsAny(text, "e") && text != "1." && text != "01" && text != ".5"
		if ok != isPlain || ok && (got != want || rest != "x") {
			t.Errorf("%q is read as %v, %q, %t; strconv reads %v, %v", text, got, rest, ok, want, err)
		}
	}
}
