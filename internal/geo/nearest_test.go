package geo

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestNearestKnownStreet(t *testing.T) {
	r := openRoads(t, largest())
	s, ok := r.Nearest(39.7459, -75.5466, math.NaN())
	if !ok || s.Name != "North King Street" || s.Ref != "US 13 Business" || s.Class != "primary" || s.Label() != "North King Street" {
		t.Fatalf("%+v", s)
	}
	if math.Abs(s.DistanceM-5.8) > 0.2 || math.Abs(DistanceM(LatLng{39.7459, -75.5466}, LatLng{s.Lat, s.Lng})-s.DistanceM) > 0.05 {
		t.Errorf("distance %.2f", s.DistanceM)
	}
}

func TestNearestPrefersNames(t *testing.T) {
	e := town()
	// A service road 8 m south of row 2, and one 40 m south.
	add := func(id int64, lat float64, tags ...string) {
		e.nodes = append(e.nodes, testNode{id: id, lat: lat, lng: -75}, testNode{id: id + 1, lat: lat, lng: -74.9953})
		e.ways = append(e.ways, testWay{id: id, refs: []int64{id, id + 1}, tags: append([]string{"highway"}, tags...)})
	}
	row := cornerAt(2, 0).Lat
	add(600, row-8/metersPerDegree, "service")
	add(610, row-40/metersPerDegree, "service", "service", "alley")
	r := roadsOf(t, e)
	lng := -75 + 0.00118*1.5 // in the middle of a block
	for _, c := range []struct {
		southM float64
		want   string
	}{
		{8, "Row 2"},         // on the service road, 8 m from the street
		{13, "Row 2"},        // 5 m from the service road, 13 m from the street: 8 m more
		{40, "Service road"}, // far from every name
	} {
		s, ok := r.Nearest(row-c.southM/metersPerDegree, lng, math.NaN())
		if !ok || s.Label() != c.want {
			t.Errorf("%.0f m south: %q, %+v", c.southM, s.Label(), s)
		}
	}
	if _, ok := r.Nearest(41, -75, math.NaN()); ok {
		t.Error("a street 100 km away")
	}
	for _, p := range []LatLng{{math.NaN(), 0}, {0, math.Inf(1)}, {91, 0}, {0, -181}} {
		if _, ok := r.Nearest(p.Lat, p.Lng, 0); ok {
			t.Errorf("%v is not on Earth", p)
		}
	}
}

func TestLabel(t *testing.T) {
	for want, s := range map[string]Street{
		"Main Street":  {Name: "Main Street", Ref: "US 1", Class: "primary"},
		"I 95":         {Ref: "I 95", Class: "motorway"},
		"Ramp":         {Class: "motorway", Link: true},
		"Highway":      {Class: "motorway"},
		"Service road": {Class: "service"},
		"":             {},
	} {
		if got := s.Label(); got != want {
			t.Errorf("%+v: %q", s, got)
		}
	}
}

// Carriageways 14 m apart, a position nearer to the wrong one.
func TestNearestHeadingFindsTheCarriageway(t *testing.T) {
	e := town()
	north, south := 40.01, 40.01-14/metersPerDegree
	e.nodes = append(e.nodes, testNode{id: 700, lat: north, lng: -75}, testNode{id: 701, lat: north, lng: -74.99},
		testNode{id: 702, lat: south, lng: -75}, testNode{id: 703, lat: south, lng: -74.99})
	e.ways = append(e.ways,
		testWay{id: 700, refs: []int64{701, 700}, tags: []string{"highway", "motorway", "ref", "I 1", "name", "West"}},
		testWay{id: 701, refs: []int64{702, 703}, tags: []string{"highway", "motorway", "ref", "I 1", "name", "East"}})
	r := roadsOf(t, e)
	nearNorth := north - 3/metersPerDegree
	for _, c := range []struct {
		heading float64
		want    string
		along   float64
	}{{math.NaN(), "West", 270}, {270, "West", 270}, {90, "East", 90}, {80, "East", 90}, {450, "East", 90}, {-90, "West", 270}, {math.Inf(1), "West", 270}} {
		s, ok := r.Nearest(nearNorth, -74.995, c.heading)
		if !ok || s.Name != c.want || headingDiff(s.HeadingDeg, c.along) > 0.5 {
			t.Errorf("heading %v: %+v", c.heading, s)
		}
	}
	// At a crossing the street that is driven along.
	at := cornerAt(2, 2)
	if s, _ := r.Nearest(at.Lat+2/metersPerDegree, at.Lng+3/metersPerDegree, 88); s.Name != "Row 2" || headingDiff(s.HeadingDeg, 90) > 0.5 {
		t.Errorf("eastwards over a crossing: %+v", s)
	}
	if s, _ := r.Nearest(at.Lat+3/metersPerDegree, at.Lng+2/metersPerDegree, 181); s.Name != "Column 2" || headingDiff(s.HeadingDeg, 180) > 0.5 {
		t.Errorf("southwards over a crossing: %+v", s)
	}
}

// A one-way has one direction; elsewhere who came along the road says which.
func TestRoadway(t *testing.T) {
	e := town()
	e.nodes = append(e.nodes, testNode{id: 700, lat: 40.01, lng: -75}, testNode{id: 701, lat: 40.01, lng: -74.99})
	e.ways = append(e.ways, testWay{id: 700, refs: []int64{701, 700}, tags: []string{"highway", "primary", "oneway", "yes", "name", "West"}})
	r := roadsOf(t, e)
	block := LatLng{cornerAt(2, 0).Lat, -75 + 0.00118*1.5} // of a road both ways
	for _, c := range []struct {
		name    string
		at      LatLng
		northM  float64
		heading float64
		want    float64
		known   bool
	}{
		{"a one-way, no heading", LatLng{40.01, -74.995}, 5, math.NaN(), 270, true},
		{"a one-way, standing across", LatLng{40.01, -74.995}, 5, 180, 270, true},
		{"a one-way, standing against it", LatLng{40.01, -74.995}, 5, 90, 270, true},
		{"beside a one-way", LatLng{40.01, -74.995}, 31, 270, 0, false},
		{"both ways, eastwards", block, 2, 90, 90, true},
		{"both ways, westwards", block, 2, 262, 270, true},
		{"both ways, turned by 44 degrees", block, 2, 46, 90, true},
		{"both ways, turned by 46 degrees", block, 2, 44, 0, false},
		{"both ways, no heading", block, 2, math.NaN(), 0, false},
		{"nowhere", LatLng{41, -75}, 0, 90, 0, false},
	} {
		got, known := r.Roadway(c.at.Lat+c.northM/metersPerDegree, c.at.Lng, c.heading)
		if known != c.known || headingDiff(got, c.want) > 0.5 || got < 0 || got >= 360 {
			t.Errorf("%s: %v %v", c.name, got, known)
		}
	}
}

// The tree must not lose anything: compare with a look at every edge.
func TestNearestEqualsBruteForce(t *testing.T) {
	r := openRoads(t, wilmingtonFile)
	rnd := rand.New(rand.NewPCG(7, 8))
	b := r.Bounds()
	for range 2000 {
		f := finder{roads: r, within: nearestWithinM, prefer: true, heading: rnd.Float64() * 360,
			lat: b.MinLat + rnd.Float64()*(b.MaxLat-b.MinLat), lng: b.MinLng + rnd.Float64()*(b.MaxLng-b.MinLng)}
		want := snap{score: math.Inf(1)}
		for _, c := range r.chunks {
			f.measure(c, &r.edges[c.edge], cosLat(f.lat), f.within, &want)
		}
		got, ok := f.find()
		if ok != !math.IsInf(want.score, 1) || math.Abs(got.score-want.score) > 1e-9 && ok {
			t.Fatalf("at %v %v: %+v, brute force %+v", f.lat, f.lng, got, want)
		}
	}
}

func TestNearestAllocatesNothing(t *testing.T) {
	r := openRoads(t, wilmingtonFile)
	c := r.Bounds().Center()
	if n := testing.AllocsPerRun(100, func() { r.Nearest(c.Lat, c.Lng, 45) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestRandomPlaces(t *testing.T) {
	r := openRoads(t, wilmingtonFile)
	rnd := rand.New(rand.NewPCG(9, 10))
	center := Bounds{MinLat: 39.735, MinLng: -75.56, MaxLat: 39.755, MaxLng: -75.535}
	different := map[string]bool{}
	for range 200 {
		s, ok := r.RandomStreet(rnd, center)
		if !ok || s.Name == "" || !center.Contains(s.Lat, s.Lng) || s.LimitKmh <= 0 {
			t.Fatalf("%+v", s)
		}
		different[s.Name] = true
		if _, err := r.Route(t.Context(), []LatLng{{s.Lat, s.Lng}, r.RandomNode(rnd)}, RouteOptions{SnapM: 1}); err != nil {
			t.Fatalf("%+v: %v", s, err)
		}
	}
	if len(different) < 30 {
		t.Errorf("only %d different streets", len(different))
	}
	if _, ok := r.RandomStreet(rnd, Bounds{MinLat: 1, MaxLat: 2, MinLng: 1, MaxLng: 2}); ok {
		t.Error("a street in the ocean")
	}
}

func TestTrack(t *testing.T) {
	r := roadsOf(t, town())
	route := mustRoute(t, r, RouteOptions{}, cornerAt(0, 0), cornerAt(0, 4), cornerAt(4, 4))
	track := NewTrack(&route)
	if math.Abs(track.LengthM()-route.DistanceM) > 0.01 {
		t.Fatalf("%.2f of %.2f m", track.LengthM(), route.DistanceM)
	}
	var last Position
	for d := 0.0; d <= track.LengthM(); d += 7 {
		p := track.At(d)
		if d > 0 && math.Abs(DistanceM(last.LatLng, p.LatLng)-7) > 1.5+2.1*b2f(last.Step != p.Step) {
			t.Errorf("from %.0f m on: %.2f m", d-7, DistanceM(last.LatLng, p.LatLng))
		}
		want, heading := "Row 0", 90.0
		if d > route.Legs[0].DistanceM {
			want, heading = "Column 4", 0
		}
		if s := route.Steps[p.Step]; s.Name != want || headingDiff(p.HeadingDeg, heading) > 0.5 {
			t.Errorf("at %.0f m: %q heading %.1f", d, s.Name, p.HeadingDeg)
		}
		last = p
	}
	if track.At(-5).LatLng != route.Points[0] || track.At(1e9).LatLng != route.Points[len(route.Points)-1] || track.At(math.NaN()).Step < 0 {
		t.Error("beyond the ends a track holds")
	}
	if p := NewTrack(&Route{}).At(3); p.Step != -1 {
		t.Errorf("an empty track: %+v", p)
	}
}

func b2f(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
