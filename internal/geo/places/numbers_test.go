package places

import (
	"slices"
	"strings"
	"testing"

	"lightbar/internal/geo"
	"lightbar/internal/geo/geotest"
	"lightbar/internal/geo/route"
)

// numberedCounty is a road with a number that meets others at grade, goes over
// two more, and has numbers that begin with theirs all around; with two towns
// of one state and one of the next, and roads that are named after the towns.
func numberedCounty() *geotest.Extract {
	e := &geotest.Extract{}
	node := func(id int64, north, east float64, tags ...string) {
		e.Nodes = append(e.Nodes, geotest.TestNode{ID: id, Lat: 40 + north/111195, Lng: -75 + east/85180, Tags: tags})
	}
	way := func(id int64, refs []int64, name, ref string) {
		e.Ways = append(e.Ways, geotest.TestWay{ID: id, Refs: refs, Tags: []string{"highway", "primary", "name", name, "ref", ref}})
	}
	// DE 141 leads north; every 500 m a road meets it, or passes under it.
	main := geotest.TestWay{ID: 1, Tags: []string{"highway", "primary", "ref", "DE 141"}}
	for i, cross := range []struct{ name, ref string }{
		{"", "DE 273"}, {"", "DE 41"}, {"", "DE 2"}, {"", "US 13 Business"}, {"", "DE 4"}, {"", "US 13"}, {"", "DE 48"}, {"Duncan Road", ""},
		{"East 5th Street", ""}, {"", "I 95"}, {"", "Route 113"}, {"", "Route 22A"},
		{"", "US 9 Business"}, {"Elm", ""}, {"Elm Court", ""},
	} {
		id, north := int64(10*(i+1)), float64(i)*500
		node(id, north, 0)
		node(id+1, north+5, -400)
		node(id+2, north+5, 400)
		refs := []int64{id + 1, id, id + 2}
		if slices.Contains([]string{"DE 2", "DE 4", "US 13", "Elm"}, cross.ref+cross.name) {
			refs = []int64{id + 1, id + 2}
		}
		main.Refs = append(main.Refs, id)
		way(id, refs, cross.name, cross.ref)
	}
	e.Ways = append(e.Ways, main)
	node(500, 0, 3000, "place", "town", "name", "Newark")
	node(501, 5000, 3000, "place", "town", "name", "Dewey Beach")
	node(502, 0, -30000, "place", "town", "name", "Elkton")
	for i, name := range []string{"Newark Road", "Dewey Lane", "DE 1", "MD 279", "  ", "\u200b"} {
		id, east := int64(600+10*i), 3000.0
		if i == 3 {
			east = -30000
		}
		node(id, 4500+float64(i), east)
		node(id+1, 4500+float64(i), east+300)
		node(id+2, 4600+float64(i), east+300)
		way(id, []int64{id, id + 1}, name, "")
		way(id+1, []int64{id + 1, id + 2}, "Side Lane", map[bool]string{true: "MD 7", false: "DE 9"}[i == 3])
	}
	return e
}

func opened(t testing.TB, e *geotest.Extract) (*route.Roads, *Places) {
	t.Helper()
	dir := geotest.RegionOf(t, e.Encode())
	r, err := route.OpenRoads(dir + "/" + geo.RoadsFile)
	if err != nil {
		t.Fatal(err)
	}
	return r, openPlaces(t, dir)
}

// Whatever asks for a road by a number gets roads that have this number, and no
// other that begins with it: the finder, the lines that are described, and their ends.
func TestNumbersAreWholeEverywhere(t *testing.T) {
	r, p := opened(t, numberedCounty())
	main := p.RoadsNamed("DE 141", nowhere, 1)[0]
	has := func(label, number string) bool { return slices.Contains(wordsOf(label), number) }
	for _, word := range []string{"DE", "Route", "Rt.", "Rte", "SR", "State Route", "State Road", "US", "U.S.", "US Highway", "US Route", "Hwy", "Highway",
		"I-", "Interstate", "Delaware Route", "Route No.", "Duncan", ""} {
		for _, number := range strings.Fields("1 2 3 4 5 7 9 11 13 14 22 27 41 48 95 113 141 273") {
			query := strings.TrimSpace(word + " " + number)
			for _, x := range slices.Concat(p.Find(query, nowhere, 20), p.Find(query+", Newark, DE", nowhere, 20)) {
				if !has(x.Label, number) && !has(x.Label, number+"th") {
					t.Errorf("%q finds %s", query, x.Label)
				}
			}
			for _, x := range slices.Concat(p.Find("DE 141 & "+query, nowhere, 20), p.FindBridges(r, "DE 141 & "+query, nowhere, 20)) {
				if _, other, _ := strings.Cut(x.Label, " & "); !has(other, number) && !has(other, number+"th") {
					t.Errorf("DE 141 and %q finds %s", query, x.Label)
				}
			}
			for _, x := range p.RoadsNamed(query, nowhere, 20) {
				if !has(x.Name, number) && !x.IsBegun {
					t.Errorf("%q is a road called %s", query, x.Name)
				}
			}
			for _, x := range p.CrossingsOf(r, main, query, nowhere, enough()) {
				if !has(x.Other, number) && !x.IsBegun {
					t.Errorf("DE 141 meets %s for %q", x.Other, query)
				}
			}
		}
	}
}

// A crossing at grade with a name that goes on, or with another number, is not
// the bridge that was meant; and what is only begun says so.
func TestTheOtherRoadOfACrossing(t *testing.T) {
	r, p := opened(t, numberedCounty())
	main := p.RoadsNamed("Route 141", nowhere, 1)[0]
	for said, want := range map[string]string{
		"DE 2": "DE 2", "Route 2": "DE 2", "SR 4": "DE 4", "DE 4": "DE 4", "US 13": "US 13", "Hwy 13": "US 13", "US 13 Business": "US 13 Business",
		"US 13 Bus": "US 13 Business", "DE 41": "DE 41", "DE 273": "DE 273", "I-95": "I-95", "Interstate 95": "I-95", "113": "Route 113",
		"5th": "East 5th Street", "5th St": "East 5th Street", "Duncan": "Duncan Road", "Dunc": "Duncan Road?", "Duncan R": "Duncan Road?",
		"5": "East 5th Street?", "Elm": "Elm", "Elm Ct": "Elm Court",
		"US 9": "US 9 Business?", "DE 27": "", "DE 1": "", "Route 11": "", "Route 22": "", "I-9": "", "Newark Road": "",
	} {
		got := ""
		if found := p.CrossingsOf(r, main, said, nowhere, enough()); len(found) > 0 {
			got = found[0].Other
			if found[0].IsBegun {
				got += "?"
			}
		}
		if got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
	if found := p.FindBridges(r, "Rt 2 at DE 141, Newark, DE", nowhere, 3); len(found) != 1 || found[0].Label != "DE 2 & DE 141" {
		t.Errorf("a bridge: %+v", found)
	}
}

// A town with its state, postal code and country is the town, and no road of
// that name elsewhere; of another state it is none.
func TestATownWithItsState(t *testing.T) {
	p := func() *Places { _, p := opened(t, numberedCounty()); return p }()
	for query, want := range map[string]string{
		"Newark, DE":                             "town: Newark",
		"newark de":                              "town: Newark",
		"Newark, Delaware":                       "town: Newark",
		"Newark, Del.":                           "town: Newark",
		"Newark, D.E.":                           "town: Newark",
		"Newark, DE 19711":                       "town: Newark",
		"Newark DE 19711-1234, USA":              "town: Newark",
		"Newark, United States":                  "town: Newark",
		"City of Newark, DE":                     "town: Newark",
		"Dewey Beach, Delaware":                  "town: Dewey Beach",
		"Elkton, MD":                             "town: Elkton",
		"Elkton, Maryland 21921":                 "town: Elkton",
		"Newark, MD":                             "",
		"Newark, NJ":                             "",
		"Newark, Canada":                         "",
		"Elkton, DE":                             "",
		"Dewey, DE":                              "",
		"Side, Ontario":                          "",
		"Duncan Road, DE":                        "street: Duncan Road, Dewey Beach",
		"Duncan Road Dewey Beach DE":             "street: Duncan Road, Dewey Beach",
		"Duncan Road, Dewey Beach, DE 19971, US": "street: Duncan Road, Dewey Beach",
		"Duncan Road, Dew":                       "street: Duncan Road, Dewey Beach",
	} {
		if got := strings.Join(labels(p.Find(query, geo.LatLng{Lat: 40.04, Lng: -74.96}, 1)), ""); got != want {
			t.Errorf("%q: %q, want %q", query, got, want)
		}
		// What Search adds where nothing fits is no whole answer.
		if found := p.Search(nil, query, nowhere, 1); len(found) > 0 && found[0].IsPartial != (want == "") {
			t.Errorf("%q: %+v", query, found[0])
		}
	}
	for query, want := range map[string]string{"Newark, DE": "Newark", "Dewey Beach 19971": "Dewey Beach", "Elkton, DE": "", "Duncan Road": ""} {
		if got, _ := p.Town(query, nowhere); got.Label != want {
			t.Errorf("the town %q: %q, want %q", query, got.Label, want)
		}
	}
}
