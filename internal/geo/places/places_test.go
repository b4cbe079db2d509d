package places

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lightbar/internal/geo"
	"lightbar/internal/geo/geotest"
)

var nowhere = geo.LatLng{Lat: math.NaN(), Lng: math.NaN()}

func openPlaces(t testing.TB, dir string) *Places {
	t.Helper()
	p, err := OpenPlaces(filepath.Join(dir, PlacesFile))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// namedTown is the grid of streets with what else a search can name: a motorway
// with an exit, houses as a node and as a building, towns, and names with marks.
func namedTown() *geotest.Extract {
	e := geotest.Town()
	e.Way(102).Tags = []string{"highway", "residential", "name", "North Market Street"}
	e.Way(202).Tags = []string{"highway", "residential", "name", "Peña Avenue"}
	e.Way(203).Tags = []string{"highway", "residential", "name", "O'Neill Boulevard", "ref", "DE 9; US 13 Business"}
	e.Nodes = append(e.Nodes,
		geotest.TestNode{ID: 300, Lat: 40.001, Lng: -75.002, Tags: []string{"place", "town", "name", "Elsmere"}},
		geotest.TestNode{ID: 301, Lat: 40.0011, Lng: -75.0041, Tags: []string{"addr:housenumber", "12B", "addr:street", "North Market Street"}},
		geotest.TestNode{ID: 302, Lat: 40.0012, Lng: -75.0042, Tags: []string{"addr:housenumber", "9", "addr:street", "North Market Street", "addr:city", "Newport"}},
		geotest.TestNode{ID: 303, Lat: 40.0151, Lng: -75.0075, Tags: []string{"highway", "milestone", "distance", "12.5"}},
		geotest.TestNode{ID: 310, Lat: 40.01, Lng: -75.01},
		geotest.TestNode{ID: 311, Lat: 40.02, Lng: -75.005, Tags: []string{"highway", "motorway_junction", "ref", "5A"}},
		geotest.TestNode{ID: 312, Lat: 40.03, Lng: -75}, geotest.TestNode{ID: 313, Lat: 40.025, Lng: -75.001},
		geotest.TestNode{ID: 320, Lat: 40.002, Lng: -75.003}, geotest.TestNode{ID: 321, Lat: 40.0022, Lng: -75.003}, geotest.TestNode{ID: 322, Lat: 40.0022, Lng: -75.0034})
	e.Ways = append(e.Ways,
		geotest.TestWay{ID: 310, Refs: []int64{310, 311, 312}, Tags: []string{"highway", "motorway", "ref", "I 95", "name", "Delaware Turnpike"}},
		geotest.TestWay{ID: 311, Refs: []int64{311, 313}, Tags: []string{"highway", "motorway_link"}},
		geotest.TestWay{ID: 320, Refs: []int64{320, 321, 322, 320}, Tags: []string{"building", "yes", "addr:housenumber", "100", "addr:street", "Peña Avenue"}})
	return e
}

// placesOf imports an extract and opens its search index.
func placesOf(t testing.TB, e *geotest.Extract) *Places {
	t.Helper()
	dir := geotest.RegionOf(t, e.Encode())
	return openPlaces(t, dir)
}

func labels(found []Place) (out []string) {
	for _, p := range found {
		out = append(out, strings.TrimSuffix(p.Kind+": "+p.Label+", "+p.Near, ", "))
	}
	return out
}

func TestFindInTown(t *testing.T) {
	p := placesOf(t, namedTown())
	for query, want := range map[string]string{
		"north market street":          "street: North Market Street, Elsmere",
		"  N. MARKET   ST ":            "street: North Market Street, Elsmere",
		"market":                       "street: North Market Street, Elsmere",
		"Market Stre":                  "street: North Market Street, Elsmere",
		"mark st":                      "street: North Market Street, Elsmere",
		"pena av":                      "street: Peña Avenue, Elsmere",
		"oneill blvd":                  "street: O'Neill Boulevard, Elsmere",
		"de-9":                         "street: DE 9, Elsmere",
		"us13":                         "street: US 13 Business, Elsmere",
		"Market St & Pena Ave":         "crossing: North Market Street & Peña Avenue, Elsmere",
		"pena and n market":            "crossing: Peña Avenue & North Market Street, Elsmere",
		"Pena Ave/Market":              "crossing: Peña Avenue & North Market Street, Elsmere",
		"Market at Pena, Elsmere, DE":  "crossing: North Market Street & Peña Avenue, Elsmere",
		"I-95 N exit 5":                "exit: I-95 exit 5A, heading north, Elsmere",
		"interstate 95 exit 5 a":       "exit: I-95 exit 5A, heading north, Elsmere",
		"exit 5 i-95":                  "exit: I-95 exit 5A, heading north, Elsmere",
		"delaware tpke exit 5a":        "exit: Delaware Turnpike exit 5A, heading north, Elsmere",
		"12b market st":                "address: 12B North Market Street, Elsmere",
		"9 N Market Street, Newport":   "address: 9 North Market Street, Newport",
		"100 pena ave":                 "address: 100 Peña Avenue, Elsmere",
		"7 market st":                  "street: North Market Street, Elsmere", // the number is not mapped
		"elsm":                         "town: Elsmere",
		"Market St Elsmere":            "street: North Market Street, Elsmere",
		"Market St, Chicago":           "",
		"Row 1 & Row 2":                "", // they run side by side
		"x":                            "",
		"&":                            "",
		"exit":                         "",
		strings.Repeat("market ", 100): "",
	} {
		found := labels(p.Find(query, nowhere, 1))
		if got := strings.Join(found, ""); got != want {
			t.Errorf("%q: %q, want %q", query, got, want)
		}
	}
	at := p.Find("market & pena", nowhere, 5)
	if len(at) != 1 || geo.DistanceM(at[0].LatLng, geotest.CornerAt(2, 2)) > 0.1 {
		t.Errorf("the crossing is at %+v", at)
	}
	if got := p.TownAt(geotest.CornerAt(0, 0)); got != "Elsmere" {
		t.Errorf("in %q", got)
	}
	if got := p.TownAt(geo.LatLng{Lat: 10, Lng: 10}) + p.TownAt(nowhere); got != "" {
		t.Errorf("far away in %q", got)
	}
}

func TestFindKnownPlaces(t *testing.T) {
	p := openPlaces(t, geotest.ImportOnce(t, geotest.Largest()))
	wilmington := geo.LatLng{Lat: 39.745, Lng: -75.548}
	for query, want := range map[string]string{
		"market st":              "street: North Market Street, Wilmington",
		"Market St & 5th":        "crossing: North Market Street & East 5th Street, Wilmington",
		"500 N King St":          "address: 500 North King Street, Wilmington",
		"wilm":                   "town: Wilmington",
		"martin luther king blv": "street: Martin Luther King Boulevard, Wilmington",
	} {
		if got := labels(p.Find(query, wilmington, 8)); len(got) == 0 || got[0] != want {
			t.Errorf("%q: %q, want %q", query, got, want)
		}
	}
}

// An exit leads off one carriageway: the one that was asked for comes first.
func TestFindExitOfTheWayAskedFor(t *testing.T) {
	p := openPlaces(t, geotest.ImportOnce(t, geotest.WholeState(t)))
	for query, want := range map[string]string{"I-95 N exit 5": "I-95 exit 5A, heading east", "i95 sb exit 5": "I-95 exit 5B/5A, heading southwest"} {
		if got := p.Find(query, nowhere, 3); len(got) == 0 || got[0].Label != want {
			t.Errorf("%q: %+v", query, got)
		}
	}
}

// Whatever is near comes first; without a place the long street does.
func TestFindPutsNearFirst(t *testing.T) {
	p := openPlaces(t, geotest.ImportOnce(t, geotest.WholeState(t)))
	for _, near := range []struct {
		at   geo.LatLng
		town string
	}{{geo.LatLng{Lat: 39.6837, Lng: -75.7497}, "Newark"}, {geo.LatLng{Lat: 39.158, Lng: -75.524}, "Dover"}} {
		found := p.Find("main st", near.at, 1)
		if len(found) == 0 || geo.DistanceM(found[0].LatLng, near.at) > 12_000 {
			t.Errorf("near %s: %+v", near.town, found)
		}
	}
}

func placesBytes(t testing.TB) []byte {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(geotest.RegionOf(t, namedTown().Encode()), PlacesFile))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func TestPlacesAreTheSameEachTime(t *testing.T) {
	if !bytes.Equal(placesBytes(t), placesBytes(t)) {
		t.Error("two imports of one extract differ")
	}
}

func TestOpenPlacesRefusesWhatIsNotWhole(t *testing.T) {
	good := placesBytes(t)
	roads, err := os.ReadFile(filepath.Join(geotest.RegionOf(t, geotest.Town().Encode()), "region.roads"))
	if err != nil {
		t.Fatal(err)
	}
	for name, raw := range map[string][]byte{"empty": nil, "short": good[:64], "truncated": good[:len(good)-64], "roads": roads} {
		if _, err := readPlaces(bytes.NewReader(raw), int64(len(raw))); !errors.Is(err, ErrBadPlaces) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := OpenPlaces(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing: %v", err)
	}
}

// FuzzOpenPlaces feeds search indexes whose checksum is right: whatever they
// claim, they are refused or work.
func FuzzOpenPlaces(f *testing.F) {
	good := placesBytes(f)
	f.Add(good)
	f.Add(good[:25*8])
	f.Fuzz(func(t *testing.T, raw []byte) {
		raw = bytes.Clone(raw[:len(raw)/8*8])
		if len(raw) < 32 {
			return
		}
		copy(raw, good[:16]) // magic and version
		raw[16], raw[17], raw[18], raw[19] = byte(len(raw)), byte(len(raw)>>8), byte(len(raw)>>16), 0
		p, err := readPlaces(bytes.NewReader(geotest.Reseal(raw)), int64(len(raw)))
		if err != nil {
			if !errors.Is(err, ErrBadPlaces) {
				t.Fatal(err)
			}
			return
		}
		for _, query := range []string{"market st", "market & pena", "i 95 exit 5", "12 market, elsmere", "row"} {
			p.Find(query, geotest.CornerAt(1, 1), 5)
			for _, road := range p.RoadsNamed(query, nowhere, 3) {
				p.ExitsOf(road)
				p.MilepostsOf(road)
				p.CrossingsOf(nil, road, "pena", nowhere, nil)
			}
		}
	})
}

// FuzzFind asks anything: at most so many places come, all on Earth.
func FuzzFind(f *testing.F) {
	p := placesOf(f, namedTown())
	for _, query := range []string{"market st", "Market St & Peña", "I-95 N exit 5", "12b market, elsmere", "exit 5 a i 9", "Ⅳ ﬁ ß İ", "5th", "\xff\xfe", "a/b"} {
		f.Add(query)
	}
	f.Fuzz(func(t *testing.T, query string) {
		found := p.Find(query, geotest.CornerAt(1, 1), 5)
		if len(found) > 5 || slices.ContainsFunc(found, func(x Place) bool { return !x.Valid() || x.Label == "" }) {
			t.Fatalf("%q: %+v", query, found)
		}
	})
}

func BenchmarkFind(b *testing.B) {
	p := openPlaces(b, geotest.ImportOnce(b, geotest.DelawareFile))
	for _, query := range []string{"st", "market st", "market st & 5th", "i-95 n exit 5", "500 n king st", "st & st", "n and s", "a b c d e f"} {
		b.Run(query, func(b *testing.B) {
			for b.Loop() {
				p.Find(query, geo.LatLng{Lat: 39.745, Lng: -75.548}, 8)
			}
		})
	}
}
