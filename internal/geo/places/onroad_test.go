package places

import (
	"errors"
	"math"
	"testing"

	"lightbar/internal/geo"
	"lightbar/internal/geo/geotest"
	"lightbar/internal/geo/route"
)

// turnpike is a motorway of two carriageways east and west with exits 1 to 3 in
// each, mileposts, a bridge that is called otherwise, and a road beside that is faster.
func turnpike() *geotest.Extract {
	e := &geotest.Extract{}
	lat, lng := 40.0, -75.0
	node := func(id int64, north, east float64, tags ...string) {
		e.Nodes = append(e.Nodes, geotest.TestNode{ID: id, Lat: lat + north/111195, Lng: lng + east/85180, Tags: tags})
	}
	for i := range 9 { // eastward 1…9, westward 11…19, each 1 km
		node(int64(1+i), 0, float64(i)*1000)
		node(int64(11+i), 40, float64(8-i)*1000)
	}
	for i, id := range []int64{3, 5, 7} {
		e.Nodes[2*(id-1)].Tags = []string{"highway", "motorway_junction", "ref", string(rune('1' + i)), "name", "Mill Road"}
	}
	for i, id := range []int64{13, 15, 17} {
		e.Nodes[2*(id-11)+1].Tags = []string{"highway", "motorway_junction", "ref", string(rune('3' - i))}
	}
	node(40, 15, 1000, "highway", "milestone", "distance", "10")
	node(41, 15, 4000, "highway", "milestone", "distance", "13 mi")
	node(42, 15, 5000, "highway", "milestone", "ref", "abc")
	node(43, 5000, 5000, "highway", "milestone", "distance", "99")
	node(50, 300, 0)
	node(51, 300, 8000)
	toll := []string{"highway", "motorway", "ref", "I 95;US 40", "maxspeed", "30 mph"}
	e.Ways = []geotest.TestWay{
		{ID: 1, Refs: []int64{1, 2, 3, 4, 5}, Tags: toll},
		{ID: 2, Refs: []int64{5, 6}, Tags: []string{"highway", "primary", "name", "Bridge Road", "oneway", "yes"}},
		{ID: 3, Refs: []int64{6, 7, 8, 9}, Tags: toll},
		{ID: 4, Refs: []int64{11, 12, 13, 14, 15, 16, 17, 18, 19}, Tags: toll},
		{ID: 5, Refs: []int64{9, 51, 11}, Tags: []string{"highway", "residential", "name", "East End"}},
		{ID: 6, Refs: []int64{19, 50, 1}, Tags: []string{"highway", "residential", "name", "West End"}},
		{ID: 7, Refs: []int64{50, 51}, Tags: []string{"highway", "primary", "ref", "DE 9", "maxspeed", "70 mph"}},
	}
	for i, id := range []int64{3, 5, 7, 13, 15, 17} { // ramps
		node(int64(60+i), 150, float64(i)*1000)
		e.Ways = append(e.Ways, geotest.TestWay{ID: int64(60 + i), Refs: []int64{id, int64(60 + i)}, Tags: []string{"highway", "motorway_link"}})
	}
	return e
}

func roadOfTurnpike(t *testing.T, gapM float64) (*route.Roads, *Places, NamedRoad) {
	t.Helper()
	e := turnpike()
	for i := range e.Nodes { // the bridge between 5 and 6
		if e.Nodes[i].ID == 6 {
			e.Nodes[i].Lng = -75 + (4000+gapM)/85180
		}
	}
	dir := geotest.RegionOf(t, e.Encode())
	roads, err := route.OpenRoads(dir + "/" + geo.RoadsFile)
	if err != nil {
		t.Fatal(err)
	}
	p := openPlaces(t, dir)
	found := p.RoadsNamed("Interstate 95", nowhere, 3)
	if len(found) != 1 || found[0].Name != "I-95" {
		t.Fatalf("%+v", found)
	}
	return roads, p, found[0]
}

func TestExitsAndMilepostsOfARoad(t *testing.T) {
	_, p, road := roadOfTurnpike(t, 200)
	var east, west, named int
	for _, x := range p.ExitsOf(road) {
		if x.HeadingDeg > 80 && x.HeadingDeg < 100 {
			east++
		}
		if x.HeadingDeg > 260 && x.HeadingDeg < 280 {
			west++
		}
		if x.Name == "Mill Road" {
			named++
		}
	}
	if east != 3 || west != 3 || named != 3 {
		t.Errorf("%+v", p.ExitsOf(road))
	}
	miles := p.MilepostsOf(road)
	if len(miles) != 2 || miles[0].Number != 10 || miles[1].Number != 13 {
		t.Errorf("%+v", miles)
	}
	if got := p.MilepostsOf(p.RoadsNamed("de 9", nowhere, 1)[0]); len(got) != 0 {
		t.Errorf("of another road: %+v", got)
	}
}

func TestFollowStaysOnTheRoad(t *testing.T) {
	roads, p, road := roadOfTurnpike(t, 200)
	at := func(east float64) geo.LatLng { return geo.LatLng{Lat: 40.00018, Lng: -75 + east/85180} }
	// DE 9 beside it is three times as fast: it is not taken. The bridge is.
	for _, c := range []struct{ from, to, heading float64 }{{1000, 7000, 90}, {7000, 1000, 270}, {1200, 1700, 90}, {1700, 1200, 270}} {
		route, err := roads.Follow(t.Context(), p.NamesOf(road), at(c.from), at(c.to), nil)
		if err != nil {
			t.Errorf("%v: %v", c, err)
			continue
		}
		for i := 1; i < len(route.Points); i++ {
			if geo.HeadingDeg(route.Points[i-1], route.Points[i]) != 0 && geo.HeadingDiff(geo.HeadingDeg(route.Points[i-1], route.Points[i]), c.heading) > 5 {
				t.Errorf("%v: goes %.0f", c, geo.HeadingDeg(route.Points[i-1], route.Points[i]))
			}
		}
		if want := math.Abs(c.to - c.from); math.Abs(route.DistanceM-want) > 20 {
			t.Errorf("%v: %.0f m", c, route.DistanceM)
		}
	}
	if _, err := roads.Follow(t.Context(), p.NamesOf(road), at(1000), geo.LatLng{Lat: 41, Lng: -75}, nil); !errors.Is(err, route.ErrNoRoad) {
		t.Errorf("away from it: %v", err)
	}
	if line := roads.FollowFor(p.NamesOf(road), at(6500), 90, 800); len(line) < 2 || geo.HeadingDiff(geo.HeadingDeg(line[0], line[1]), 90) > 5 {
		t.Errorf("%v", line)
	}
	gap, p, road := roadOfTurnpike(t, 1000)
	if _, err := gap.Follow(t.Context(), p.NamesOf(road), at(1000), at(7000), nil); !errors.Is(err, route.ErrNoRoute) {
		t.Errorf("over a kilometer of another road: %v", err)
	}
}

func TestCornersOfARoad(t *testing.T) {
	p := placesOf(t, namedTown())
	market := p.RoadsNamed("Market St", nowhere, 3)
	if len(market) != 1 || market[0].Name != "North Market Street" {
		t.Fatalf("%+v", market)
	}
	corners := p.CrossingsOf(nil, market[0], "Pena Avenue", nowhere, nil)
	if len(corners) != 1 || corners[0].Other != "Peña Avenue" || corners[0].Near != "Elsmere" || geo.DistanceM(corners[0].LatLng, geotest.CornerAt(2, 2)) > 0.1 {
		t.Errorf("%+v", corners)
	}
	if got := p.CrossingsOf(nil, market[0], "Row 1", nowhere, nil); len(got) != 0 {
		t.Errorf("beside it: %+v", got)
	}
	if p.RoadsNamed("Nowhere Rd", nowhere, 3) != nil || p.RoadsNamed("", nowhere, 3) != nil || p.CrossingsOf(nil, market[0], "", nowhere, nil) != nil {
		t.Error("found what is not there")
	}
}

func TestWhatAMilepostSays(t *testing.T) {
	for text, want := range map[string]uint32{"12": 1200, "12.5": 1250, "12,25": 1225, "12 mi": 1200, "13mi": 1300, "0": 0, " 7 km ": 700} {
		if got, ok := parseMile(text); !ok || got != want {
			t.Errorf("%q: %d %v", text, got, ok)
		}
	}
	for _, text := range []string{"", "abc", "-1", "NaN", "inf", "1e9", "12;13"} {
		if got, ok := parseMile(text); ok {
			t.Errorf("%q: %d", text, got)
		}
	}
}

func TestRoutesByWhatPeopleSay(t *testing.T) {
	p := placesOf(t, namedTown())
	for said, want := range map[string]string{"Route 9": "DE 9", "SR 9": "DE 9", "Hwy 9": "DE 9", "Interstate Hwy 95": "I-95", "rte 95": "I-95",
		"US Route 13 Business": "US 13 Business", "Business Route 13": "US 13 Business", "Route 1": "", "sr 95": "", "us hwy 9": "", "US-13": "US 13 Business"} {
		got := ""
		if found := p.RoadsNamed(said, nowhere, 1); len(found) > 0 {
			got = found[0].Name
		}
		if got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}

func TestARoadOverAnother(t *testing.T) {
	e := namedTown()
	e.Nodes = append(e.Nodes, geotest.TestNode{ID: 400, Lat: 40.012, Lng: -75.015}, geotest.TestNode{ID: 401, Lat: 40.012, Lng: -75.001})
	e.Ways = append(e.Ways, geotest.TestWay{ID: 400, Refs: []int64{400, 401}, Tags: []string{"highway", "primary", "name", "Mill Road", "bridge", "yes"}})
	dir := geotest.RegionOf(t, e.Encode())
	r, err := route.OpenRoads(dir + "/" + geo.RoadsFile)
	if err != nil {
		t.Fatal(err)
	}
	p := openPlaces(t, dir)
	found := p.CrossingsOf(r, p.RoadsNamed("I-95", nowhere, 1)[0], "mill rd", nowhere, enough())
	if len(found) != 1 || found[0].Other != "Mill Road" || geo.DistanceM(found[0].LatLng, geo.LatLng{Lat: 40.012, Lng: -75.009}) > 2 {
		t.Errorf("%+v", found)
	}
	if got := p.CrossingsOf(r, p.RoadsNamed("I-95", nowhere, 1)[0], "Row 1", nowhere, enough()); len(got) != 0 {
		t.Errorf("far from it: %+v", got)
	}
}

// enough is the work of one question.
func enough() *route.Work { return &route.Work{Pieces: route.MostPieces} }
