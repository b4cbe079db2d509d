//go:build !cgo

package directions_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"lightbar/internal/directions"
	"lightbar/internal/geo"
	region "lightbar/internal/geo/osm"
	"lightbar/internal/geo/places"
	"lightbar/internal/geo/route"
)

// Words that are a part of every street's name mean thousands of lines that lead
// nowhere: what is looked at for them has a bound, and real lines are far from it.
func TestADescriptionLooksAtSoMuch(t *testing.T) {
	if testing.Short() {
		t.Skip("a whole state; run without -short")
	}
	path, dir := extract(t), t.TempDir()
	if _, err := region.Import(t.Context(), path, dir, region.ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	roads, err := route.OpenRoads(filepath.Join(dir, geo.RoadsFile))
	if err != nil {
		t.Fatal(err)
	}
	places, err := places.OpenPlaces(filepath.Join(dir, places.PlacesFile))
	if err != nil {
		t.Fatal(err)
	}
	finder := &directions.Finder{Roads: roads, Places: places}
	for _, text := range []string{"front st from st to rd", "main st from s to a"} {
		n, err := finder.WorkOf(t.Context(), text, anywhere)
		if n < directions.MostJunctions || n > directions.MostJunctions+1000 || err == nil || !strings.Contains(err.Error(), "may be too many places") {
			t.Errorf("%q: %d junctions are looked at, %v", text, n, err)
		}
	}
	for _, text := range []string{"I 95 N exit 1 to exit 11", "I 95 S exit 11 to exit 1", "DE 1 N exit 97 to exit 114", "Market St from 5th to 6th"} {
		if n, err := finder.WorkOf(t.Context(), text, anywhere); n > directions.MostJunctions/2 || err != nil {
			t.Errorf("%q: %d junctions are looked at, %v", text, n, err)
		}
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	if _, err := finder.Describe(gone, "front st from st to rd", anywhere, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("for a caller who has gone: %v", err)
	}
}
