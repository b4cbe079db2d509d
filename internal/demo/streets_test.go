package demo

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"lightbar/internal/fleet"
	"lightbar/internal/geo"
	"lightbar/internal/geo/osm"
	"lightbar/internal/geo/route"
	"lightbar/internal/simulate"
)

// city is the demo's city as a road index.
func city(t *testing.T) *route.Roads {
	t.Helper()
	dir := os.Getenv("LIGHTBAR_TESTDATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "data")
	}
	path := filepath.Join(dir, "osm", "wilmington-de-2016.osm.pbf")
	if _, err := os.Stat(path); err != nil {
		t.Skipf("NOT TESTED: %s is missing; set LIGHTBAR_TESTDATA to the folder of test data", path)
	}
	folder := t.TempDir()
	if _, err := osm.Import(t.Context(), path, folder, osm.ImportOptions{MaxZoom: 1}); err != nil {
		t.Fatal(err)
	}
	roads, err := route.OpenRoads(filepath.Join(folder, geo.RoadsFile))
	if err != nil {
		t.Fatal(err)
	}
	return roads
}

// What the demo draws along a street lies on it, all the way: a paving zone, the parade, the closures of its boards.
// Stations and the other areas are where a unit can drive to; none is in the river.
func TestShapesLieOnStreets(t *testing.T) {
	roads := city(t)
	lines := map[string][]simulate.LatLng{}
	for _, z := range zones {
		if z.shape == "LineString" {
			lines[z.description] = z.corners
		}
	}
	var features fleet.FeatureCollection
	event := parade(time.Now())
	if err := json.Unmarshal(event.Features, &features); err != nil {
		t.Fatal(err)
	}
	lines["where the parade is"] = []simulate.LatLng{{Lat: *event.Lat, Lng: *event.Lng}}
	for _, at := range features.Features[0].Geometry.Lines[0] {
		lines[event.AlertMessage] = append(lines[event.AlertMessage], simulate.LatLng{Lat: at[1], Lng: at[0]})
	}
	boards := map[string]Member{}
	for _, m := range Cast(roads) {
		boards[m.Vehicle.Nickname] = m
	}
	for _, b := range boardClosures {
		board := boards[b.board]
		line, direction := lineFrom(&board)
		for _, at := range line {
			lines[b.description] = append(lines[b.description], simulate.LatLng{Lat: at.Lat, Lng: at.Lng})
		}
		first, last := lines[b.description][0], lines[b.description][len(line)-1]
		if m := geo.DistanceM(first, last); m < closureM/2 {
			t.Errorf("%s ends %.0f m from where it begins", b.description, m)
		}
		heading := map[string]float64{"N": 0, "E": 90, "S": 180, "W": 270}[direction]
		if off := math.Mod(geo.HeadingDeg(first, last)-heading+540, 360) - 180; math.Abs(off) > 45 {
			t.Errorf("%s is said to lead %s, %.0f degrees off", b.description, direction, off)
		}
	}
	for _, d := range drawnClosures {
		for _, at := range d.line {
			lines[d.description] = append(lines[d.description], simulate.LatLng{Lat: at.Lat, Lng: at.Lng})
		}
	}
	now := time.Now()
	for i, w := range simulate.NewPast(Cast(roads), simulate.Roads{Index: roads}, seed, 92, now.Add(-8*time.Hour), now).Works {
		if w.Road == "" || geo.DistanceM(w.Line[0], w.Line[len(w.Line)-1]) < 20 {
			t.Errorf("work zone %d of the past: %+v", i, w)
		}
	}
	for name, line := range lines {
		if m := farthestM(roads, line); m > 12 {
			t.Errorf("%s leaves the streets by %.0f m", name, m)
		}
	}
	for _, p := range places {
		if m := farthestM(roads, []simulate.LatLng{p.at}); m > 60 {
			t.Errorf("%s is %.0f m from the next street", p.name, m)
		}
	}
	for _, s := range simulate.Stations {
		if m := farthestM(roads, []simulate.LatLng{s.At}); m > 60 {
			t.Errorf("%s is %.0f m from the next street", s.Name, m)
		}
	}
}

// farthestM is how far a line gets from the nearest street.
func farthestM(roads *route.Roads, line []simulate.LatLng) (farthest float64) {
	for i, from := range line {
		to := line[min(i+1, len(line)-1)]
		for part := 0.0; part < 1; part += 0.1 {
			at := simulate.LatLng{Lat: from.Lat + (to.Lat-from.Lat)*part, Lng: from.Lng + (to.Lng-from.Lng)*part}
			street, ok := roads.Nearest(at.Lat, at.Lng, math.NaN())
			if !ok {
				return math.Inf(1)
			}
			farthest = max(farthest, street.DistanceM)
		}
	}
	return farthest
}
