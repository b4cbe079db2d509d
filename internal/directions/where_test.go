//go:build !cgo

package directions_test

import (
	"path/filepath"
	"strings"
	"testing"

	"lightbar/internal/directions"
	"lightbar/internal/geo"
	region "lightbar/internal/geo/osm"
	"lightbar/internal/geo/places"
	"lightbar/internal/geo/route"
)

// What people type for a place of a real state, and what they mean; a near match says so.
func TestWhereThatIsInTheExtract(t *testing.T) {
	if testing.Short() {
		t.Skip("a whole state; run without -short")
	}
	path, dir := extract(t), t.TempDir()
	if _, err := region.Import(t.Context(), path, dir, region.ImportOptions{MaxZoom: 1}); err != nil {
		t.Fatal(err)
	}
	roads, err := route.OpenRoads(filepath.Join(dir, geo.RoadsFile))
	if err != nil {
		t.Fatal(err)
	}
	known, err := places.OpenPlaces(filepath.Join(dir, places.PlacesFile))
	if err != nil {
		t.Fatal(err)
	}
	wilmington := geo.LatLng{Lat: 39.7447, Lng: -75.5484}
	for _, c := range []struct {
		query, want string
		at          geo.LatLng // within 1 km; the zero value is anywhere
	}{
		{"Dover, DE", "town: Dover", geo.LatLng{Lat: 39.1582, Lng: -75.5244}},
		{"Dover, Delaware, USA", "town: Dover", geo.LatLng{Lat: 39.1582, Lng: -75.5244}},
		{"Newark, DE", "town: Newark", geo.LatLng{Lat: 39.6837, Lng: -75.7497}},
		{"Newark Delaware", "town: Newark", geo.LatLng{Lat: 39.6837, Lng: -75.7497}},
		{"Smyrna, DE", "town: Smyrna", geo.LatLng{Lat: 39.2998, Lng: -75.6046}},
		{"Wilmington, Delaware", "town: Wilmington", geo.LatLng{Lat: 39.7459, Lng: -75.5466}},
		{"Rehoboth Beach, DE", "town: Rehoboth Beach", geo.LatLng{Lat: 38.7209, Lng: -75.0760}},
		{"Delaware City, DE", "town: Delaware City", geo.LatLng{Lat: 39.5779, Lng: -75.5888}},
		{"East Main Street, Newark, DE", "street: East Main Street, Newark", geo.LatLng{}},
		{"Newark, NJ", "", geo.LatLng{}},
		{"Newark, MD", "", geo.LatLng{}},
		{"Wilmington, North Carolina", "", geo.LatLng{}},
		{"Philadelphia, PA", "", geo.LatLng{}},
		{"Route 141", "street: DE 141, Wilmington", geo.LatLng{}},
		{"Rt 141", "street: DE 141, Wilmington", geo.LatLng{}},
		{"SR 1", "street: DE 1, Wilmington", geo.LatLng{}},
		{"State Route 141", "street: DE 141, Wilmington", geo.LatLng{}},
		{"US Highway 13", "street: US 13, Wilmington", geo.LatLng{}},
		{"US Highway 13, Dover, DE", "street: US 13, Dover", geo.LatLng{}},
		{"Route 40", "street: US 40, Wilmington", geo.LatLng{}},
		{"Route 1", "street: DE 1, Wilmington", geo.LatLng{}},
		{"Route 2", "street: DE 2, Elsmere", geo.LatLng{}},
		{"Route 7", "street: DE 7, Wilmington", geo.LatLng{}},
		{"Route 999", "", geo.LatLng{}},
		{"Route 141 & Route 2", "crossing: DE 141 & DE 2, Wilmington", geo.LatLng{}},
		{"300 N Walnut St", "street: North Walnut Street, Wilmington?", geo.LatLng{}},
		{"500 N King St, Wilmington, DE 19801", "address: 500 North King Street, Wilmington", geo.LatLng{Lat: 39.7406, Lng: -75.5494}},
		{"Market Street, Atlantis", "street: North Market Street, Wilmington?", geo.LatLng{}},
	} {
		got := ""
		found := known.Search(roads, c.query, wilmington, 1)
		if len(found) > 0 {
			got = strings.TrimSuffix(found[0].Kind+": "+found[0].Label+", "+found[0].Near, ", ")
			if found[0].IsPartial {
				got += "?"
			}
		}
		if got != c.want || c.at.Lat != 0 && geo.DistanceM(found[0].LatLng, c.at) > 1000 {
			t.Errorf("%q: %q, want %q: %+v", c.query, got, c.want, found)
		}
	}
	for _, text := range []string{"QFX2+2X Newark, DE", "Newark, Delaware QFX2+2X", "87F6QFX2+2X"} {
		if at, ok := known.Parse(text, geo.LatLng{Lat: 10, Lng: 10}); !ok || at.IsPartial || at.Label != "87F6QFX2+2X" {
			t.Errorf("%q: %+v", text, at)
		}
	}
	finder := &directions.Finder{Roads: roads, Places: known}
	for text, want := range map[string]string{
		"DE 141 N, DE 2 to DE 48":                    "DE 141 N, DE 2 to DE 48",
		"Route 141 N, Route 2 to Route 48":           "DE 141 N, DE 2 to DE 48",
		"DE 141 N, DE 4 to DE 48":                    "DE 141 N, DE 4 to DE 48",
		"DE 141 N, DE 4 to DE 2":                     "DE 141 N, DE 4 to DE 2",
		"DE 273 E, DE 1 to US 13":                    "DE 273 E, DE 1 to US 13",
		"Market St from 39.7390, -75.5530 to 5th St": "North Market Street N, 39.739, -75.553 to East 5th Street",
		"Market St from 5th to 6th, Atlantis":        `No town called "Atlantis" is known here; Market Street meets "5th" in Wilmington, Blades.`,
		"Market St from 5th to 6th, Wilmington, MD":  `No town called "Wilmington, MD" is known here; Market Street meets "5th" in Wilmington, Blades.`,
		"Foo St from 5th to 6th":                     `No road called "Foo St" is known here; similar: Blacktown Foot Street.`,
	} {
		got, err := finder.Describe(t.Context(), text, wilmington, 0)
		if label := got.Label; err == nil && label != want || err != nil && err.Error() != want {
			t.Errorf("%q: %q, %v; want %q", text, label, err, want)
		}
	}
}
