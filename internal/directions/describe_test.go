package directions_test

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lightbar/internal/directions"
	"lightbar/internal/geo"
	"lightbar/internal/geo/geotest"
	"lightbar/internal/geo/osm"
	"lightbar/internal/geo/places"
	"lightbar/internal/geo/route"
	"lightbar/internal/testkit/tilestest"
)

var anywhere = geo.LatLng{Lat: math.NaN(), Lng: math.NaN()}

func wilmington(t testing.TB) *directions.Finder {
	roads, places := tilestest.Streets(t)
	return &directions.Finder{Roads: roads, Places: places}
}

func TestALineThatIsDescribed(t *testing.T) {
	finder := wilmington(t)
	fifth, sixth := geo.LatLng{Lat: 39.7411662, Lng: -75.5507979}, geo.LatLng{Lat: 39.7420, Lng: -75.5501}
	for text, want := range map[string]struct {
		label, direction, start, end string
		from, to                     geo.LatLng
	}{
		"Market St from 5th to 6th":                     {"North Market Street N, East 5th Street to East 6th Street", "N", "East 5th Street", "East 6th Street", fifth, sixth},
		"market st. S, 5th street to e 6th":             {"North Market Street S, East 6th Street to East 5th Street", "S", "East 6th Street", "East 5th Street", sixth, fifth},
		"N Market St N between 6th & 5th":               {"North Market Street N, East 5th Street to East 6th Street", "N", "East 5th Street", "East 6th Street", fifth, sixth},
		"Market St N at 5th for 100 m":                  {"North Market Street N, 328 ft on from East 5th Street", "N", "East 5th Street", "East 6th Street", fifth, sixth},
		"I-95 N at exit 5 for 500 m":                    {"I-95 N, 0.31 mi on from exit 5A", "N", "Exit 5A", "", geo.LatLng{Lat: 39.755, Lng: -75.556}, geo.LatLng{Lat: 39.7589, Lng: -75.5525}},
		"I-95 N MM 8 to exit 5":                         {"I-95 N, mile 8 to exit 5A", "N", "Mile 8", "Exit 5A", geo.LatLng{Lat: 39.752, Lng: -75.5584}, geo.LatLng{Lat: 39.755, Lng: -75.556}},
		"Interstate 95 nb mile 8.25 to 8.5":             {"I-95 N, mile 8.25 to mile 8.5", "N", "Mile 8.25", "Mile 8.5", geo.LatLng{Lat: 39.755, Lng: -75.556}, geo.LatLng{Lat: 39.758, Lng: -75.5533}},
		"Market St from 39.7411662, -75.5507979 to 6th": {"North Market Street N, 39.7411662, -75.5507979 to East 6th Street", "N", "East 5th Street", "East 6th Street", fifth, sixth},
		"Market St, PCRX+FMQ Wilmington to 6th":         {"North Market Street N, 87F6PCRX+FMQ to East 6th Street", "N", "East 5th Street", "East 6th Street", fifth, sixth},
		"Market St S from 6th to PCRX+FMQ, Wilmington":  {"North Market Street S, East 6th Street to 87F6PCRX+FMQ", "S", "East 6th Street", "East 5th Street", sixth, fifth},
		"39.7411662, -75.5507979 to 87F6PCRX+RXP":       {"39.7411662, -75.5507979 to 87F6PCRX+RXP", "N", "East 5th Street", "East 6th Street", fifth, sixth},
		"Market from 5th to 6th, Wilmington":            {"North Market Street N, East 5th Street to East 6th Street", "N", "East 5th Street", "East 6th Street", fifth, sixth},
	} {
		got, err := finder.Describe(t.Context(), text, anywhere, 0)
		if err != nil || len(got.Choices) > 0 || got.Label != want.label || got.Direction != want.direction || got.Start != want.start || got.End != want.end {
			t.Errorf("%q: %+v, %v", text, got, err)
			continue
		}
		begin, finish := got.Points[0], got.Points[len(got.Points)-1]
		if geo.DistanceM(begin, want.from) > 40 || geo.DistanceM(finish, want.to) > 40 || !got.IsRouted || len(got.Waypoints) < 2 {
			t.Errorf("%q: from %v to %v, waypoints %v", text, begin, finish, got.Waypoints)
		}
	}
}

func TestATextWithSeveralMeanings(t *testing.T) {
	finder, text := wilmington(t), "Market St between 5th and 6th"
	several, err := finder.Describe(t.Context(), text, anywhere, 0)
	if err != nil || len(several.Choices) != 2 || len(several.Points) != 0 || several.Choices[0].Near != "Wilmington" {
		t.Fatalf("%+v, %v", several, err)
	}
	for i, c := range several.Choices {
		one, err := finder.Describe(t.Context(), text, anywhere, i+1)
		if err != nil || one.Label != c.Label || one.Points[0] != c.Start || len(one.Choices) != 0 {
			t.Errorf("%d: %+v, %v", i, one, err)
		}
	}
	if several.Choices[0].Label == several.Choices[1].Label {
		t.Errorf("nobody can tell them apart: %+v", several.Choices)
	}
}

// A name that is only begun may be meant: that is asked, never taken.
func TestABegunNameIsAChoice(t *testing.T) {
	finder := wilmington(t)
	for _, text := range []string{"Mark St from 5th to 6th", "Market St from 5 to 6", "Market St from 5th Stre to 6th"} {
		got, err := finder.Describe(t.Context(), text, anywhere, 0)
		if err != nil || len(got.Choices) != 1 || len(got.Points) != 0 || got.Choices[0].Label != "North Market Street N, East 5th Street to East 6th Street" {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
		if got, err := finder.Describe(t.Context(), text, anywhere, 1); err != nil || len(got.Points) < 2 {
			t.Errorf("%q, chosen: %+v, %v", text, got, err)
		}
	}
}

func TestATownWithItsStateBehindALine(t *testing.T) {
	finder := wilmington(t)
	for _, town := range []string{"Wilmington, DE", "Wilmington DE", "Wilmington, Delaware 19801", "DE", "Wilm"} {
		got, err := finder.Describe(t.Context(), "Market St from 5th to 6th, "+town, anywhere, 0)
		if err != nil || len(got.Points) < 2 {
			t.Errorf("%q: %+v, %v", town, got, err)
		}
	}
}

func TestWhatIsNotUnderstoodIsNamed(t *testing.T) {
	finder := wilmington(t)
	for text, want := range map[string]string{
		"I-95 N, exit 9 to exit 5":                           "No exit 9 on I-95 here; exits here: 5A.",
		"I-95 N, exit 5 to exit 5A":                          "Exit 5A and exit 5A of I-95 are one place",
		"Market St at exit 3":                                "No numbered exits are mapped on North Market Street here. Use crossings, or click the map.",
		"Market St mile 3":                                   "No mileposts are mapped on North Market Street here. Use exits or crossings, or click the map.",
		"I-95 mile 3 to 8":                                   "No milepost 3 on I-95 here; mileposts here: 8 to 8.5.",
		"Zzyzx Rd at 5th":                                    `No road called "Zzyzx Rd" is known here. Write it as its signs do`,
		"Route 9 at 5th":                                     `No road called "Route 9" is known here.`,
		"Market St from Zzyzx to 5th":                        `No road called "Zzyzx" is known here. North Market Street meets East 5th Street`,
		"Market St at King St":                               `North Market Street does not meet "King St" here. North Market Street meets`,
		"Market St from 5th to 6th, Dover":                   `No town called "Dover" is known here; North Market Street meets "5th" in Wilmington.`,
		"Zzyzx Rd at PCRX+FMQ":                               `No road called "Zzyzx Rd" is known here.`,
		"Market St at 39.7560, -75.5540":                     "39.756, -75.554 is more than 150 m from North Market Street.",
		"Market St from PCRX+FM to 6th":                      `No town is known here for "PCRX+FM".`,
		"Market St from PCRX+FM Atlantis to 6th":             `No town is known here for "PCRX+FM Atlantis".`,
		"39.7411662, -75.5507979 to 39.7411663, -75.5507979": "39.7411662, -75.5507979 and 39.7411663, -75.5507979 are one place.",
		"10.0000, 10.0000 to 10.0100, 10.0000":               "No road leads from 10, 10 to 10.01, 10.",
		"Mark St from Duncan to 6th":                         `No road called "Mark St" is known here; similar: North Market Street.`,
		"Market St at Kin":                                   `No road called "Kin" is known here. North Market Street meets`,
		"I-95 S, exit 5 to mile 8":                           "I-95 S does not lead from exit 5A to mile 8 without leaving it.",
		"Market St":                                          "Say a road and where on it",
	} {
		got, err := finder.Describe(t.Context(), text, anywhere, 0)
		var unclear *directions.Unclear
		if !errors.As(err, &unclear) || !strings.HasPrefix(unclear.Sentence, want) {
			t.Errorf("%q: %+v, %v; want %q", text, got, err, want)
		}
	}
	for name, blind := range map[string]*directions.Finder{"no region": {}, "no search": {Roads: finder.Roads}} {
		var unclear *directions.Unclear
		if _, err := blind.Describe(t.Context(), "I-95 at exit 5", anywhere, 0); !errors.As(err, &unclear) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// An extract may have no towns at all: then no sentence names one that is not there.
func TestATownWhereNoneIsMapped(t *testing.T) {
	e := geotest.Extract{Nodes: []geotest.TestNode{{ID: 1, Lat: 40, Lng: -75}, {ID: 2, Lat: 40.002, Lng: -75}, {ID: 3, Lat: 40.004, Lng: -75},
		{ID: 4, Lat: 40, Lng: -75.002}, {ID: 5, Lat: 40.004, Lng: -75.002}},
		Ways: []geotest.TestWay{{ID: 1, Refs: []int64{1, 2, 3}, Tags: []string{"highway", "primary", "name", "Main Street"}},
			{ID: 2, Refs: []int64{4, 1}, Tags: []string{"highway", "residential", "name", "2nd Street"}},
			{ID: 3, Refs: []int64{5, 3}, Tags: []string{"highway", "residential", "name", "5th Street"}}}}
	dir := t.TempDir()
	file := filepath.Join(dir, "x.osm.pbf")
	if err := os.WriteFile(file, e.Encode(), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := osm.Import(t.Context(), file, dir, osm.ImportOptions{}); err != nil {
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
	finder := &directions.Finder{Roads: roads, Places: known}
	_, err = finder.Describe(t.Context(), "Main St from 2nd to 5th, Newark", anywhere, 0)
	want := `No town called "Newark" is known where Main Street meets "2nd". Leave the town out.`
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if got, err := finder.Describe(t.Context(), "Main St from 2nd to 5th", anywhere, 0); err != nil || got.Label != "Main Street N, 2nd Street to 5th Street" {
		t.Errorf("%+v, %v", got, err)
	}
}

// FuzzDescribe lays whatever line a text means, or says what is wrong.
func FuzzDescribe(f *testing.F) {
	finder := wilmington(f)
	for _, text := range []string{"Market St between 5th and 6th", "I-95 N MM 8 to exit 5", "Market at 5th", "5th st e from king to market", "us 13 at 5"} {
		f.Add(text, 0, 39.74, -75.55)
	}
	f.Fuzz(func(t *testing.T, text string, choice int, lat, lng float64) {
		got, err := finder.Describe(t.Context(), text, geo.LatLng{Lat: lat, Lng: lng}, choice)
		var unclear *directions.Unclear
		if err != nil && !errors.As(err, &unclear) {
			t.Fatalf("%q: %v", text, err)
		}
		if err == nil && len(got.Choices) == 0 && (len(got.Points) < 2 || len(got.Waypoints) < 2 || got.Label == "" || len(got.Direction) != 1) {
			t.Fatalf("%q: %+v", text, got)
		}
	})
}
