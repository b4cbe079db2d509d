package route

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"lightbar/internal/geo"
	"lightbar/internal/geo/geotest"
)

func TestNearestKnownStreet(t *testing.T) {
	r := openRoads(t, geotest.Largest())
	s, ok := r.Nearest(39.7459, -75.5466, math.NaN())
	if !ok || s.Name != "North King Street" || s.Ref != "US 13 Business" || s.Class != "primary" || s.Label() != "North King Street" {
		t.Fatalf("%+v", s)
	}
	if math.Abs(s.DistanceM-5.8) > 0.2 || math.Abs(geo.DistanceM(geo.LatLng{Lat: 39.7459, Lng: -75.5466}, geo.LatLng{Lat: s.Lat, Lng: s.Lng})-s.DistanceM) > 0.05 {
		t.Errorf("distance %.2f", s.DistanceM)
	}
}

func TestNearestPrefersNames(t *testing.T) {
	e := geotest.Town()
	// A service road 8 m south of row 2, and one 40 m south.
	add := func(id int64, lat float64, tags ...string) {
		e.Nodes = append(e.Nodes, geotest.TestNode{ID: id, Lat: lat, Lng: -75}, geotest.TestNode{ID: id + 1, Lat: lat, Lng: -74.9953})
		e.Ways = append(e.Ways, geotest.TestWay{ID: id, Refs: []int64{id, id + 1}, Tags: append([]string{"highway"}, tags...)})
	}
	row := geotest.CornerAt(2, 0).Lat
	add(600, row-8/geo.MetersPerDegree, "service")
	add(610, row-40/geo.MetersPerDegree, "service", "service", "alley")
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
		s, ok := r.Nearest(row-c.southM/geo.MetersPerDegree, lng, math.NaN())
		if !ok || s.Label() != c.want {
			t.Errorf("%.0f m south: %q, %+v", c.southM, s.Label(), s)
		}
	}
	if _, ok := r.Nearest(41, -75, math.NaN()); ok {
		t.Error("a street 100 km away")
	}
	for _, p := range []geo.LatLng{{Lat: math.NaN(), Lng: 0}, {Lat: 0, Lng: math.Inf(1)}, {Lat: 91, Lng: 0}, {Lat: 0, Lng: -181}} {
		if _, ok := r.Nearest(p.Lat, p.Lng, 0); ok {
			t.Errorf("%v is not on Earth", p)
		}
	}
}

func TestLabel(t *testing.T) {
	for want, s := range map[string]Street{
		"Main Street":   {Name: "Main Street", Ref: "US 1", Class: "primary"},
		"I-95":          {Ref: "I 95", Class: "motorway"},
		"I Street":      {Ref: "I Street", Class: "residential"},
		"I-95 / US 202": {Ref: "I 95; US 202", Class: "motorway"},
		"US 13 / DE 9":  {Ref: "US 13;DE 9", Class: "trunk"},
		"Ramp":          {Class: "motorway", Link: true},
		"Highway":       {Class: "motorway"},
		"Service road":  {Class: "service"},
		"":              {},
	} {
		if got := s.Label(); got != want {
			t.Errorf("%+v: %q", s, got)
		}
	}
}

// Carriageways 14 m apart, a position nearer to the wrong one.
func TestNearestHeadingFindsTheCarriageway(t *testing.T) {
	e := geotest.Town()
	north, south := 40.01, 40.01-14/geo.MetersPerDegree
	e.Nodes = append(e.Nodes, geotest.TestNode{ID: 700, Lat: north, Lng: -75}, geotest.TestNode{ID: 701, Lat: north, Lng: -74.99},
		geotest.TestNode{ID: 702, Lat: south, Lng: -75}, geotest.TestNode{ID: 703, Lat: south, Lng: -74.99})
	e.Ways = append(e.Ways,
		geotest.TestWay{ID: 700, Refs: []int64{701, 700}, Tags: []string{"highway", "motorway", "ref", "I 1", "name", "West"}},
		geotest.TestWay{ID: 701, Refs: []int64{702, 703}, Tags: []string{"highway", "motorway", "ref", "I 1", "name", "East"}})
	r := roadsOf(t, e)
	nearNorth := north - 3/geo.MetersPerDegree
	for _, c := range []struct {
		heading float64
		want    string
		along   float64
	}{{math.NaN(), "West", 270}, {270, "West", 270}, {90, "East", 90}, {80, "East", 90}, {450, "East", 90}, {-90, "West", 270}, {math.Inf(1), "West", 270}} {
		s, ok := r.Nearest(nearNorth, -74.995, c.heading)
		if !ok || s.Name != c.want || geo.HeadingDiff(s.HeadingDeg, c.along) > 0.5 {
			t.Errorf("heading %v: %+v", c.heading, s)
		}
	}
	// At a crossing the street that is driven along.
	at := geotest.CornerAt(2, 2)
	if s, _ := r.Nearest(at.Lat+2/geo.MetersPerDegree, at.Lng+3/geo.MetersPerDegree, 88); s.Name != "Row 2" || geo.HeadingDiff(s.HeadingDeg, 90) > 0.5 {
		t.Errorf("eastwards over a crossing: %+v", s)
	}
	if s, _ := r.Nearest(at.Lat+3/geo.MetersPerDegree, at.Lng+2/geo.MetersPerDegree, 181); s.Name != "Column 2" || geo.HeadingDiff(s.HeadingDeg, 180) > 0.5 {
		t.Errorf("southwards over a crossing: %+v", s)
	}
}

// A one-way has one direction; elsewhere who came along the road says which.
func TestRoadway(t *testing.T) {
	e := geotest.Town()
	e.Nodes = append(e.Nodes, geotest.TestNode{ID: 700, Lat: 40.01, Lng: -75}, geotest.TestNode{ID: 701, Lat: 40.01, Lng: -74.99})
	e.Ways = append(e.Ways, geotest.TestWay{ID: 700, Refs: []int64{701, 700}, Tags: []string{"highway", "primary", "oneway", "yes", "name", "West"}})
	r := roadsOf(t, e)
	block := geo.LatLng{Lat: geotest.CornerAt(2, 0).Lat, Lng: -75 + 0.00118*1.5} // of a road both ways
	for _, c := range []struct {
		name    string
		at      geo.LatLng
		northM  float64
		heading float64
		want    float64
		known   bool
	}{
		{"a one-way, no heading", geo.LatLng{Lat: 40.01, Lng: -74.995}, 5, math.NaN(), 270, true},
		{"a one-way, standing across", geo.LatLng{Lat: 40.01, Lng: -74.995}, 5, 180, 270, true},
		{"a one-way, standing against it", geo.LatLng{Lat: 40.01, Lng: -74.995}, 5, 90, 270, true},
		{"beside a one-way", geo.LatLng{Lat: 40.01, Lng: -74.995}, 31, 270, 0, false},
		{"both ways, eastwards", block, 2, 90, 90, true},
		{"both ways, westwards", block, 2, 262, 270, true},
		{"both ways, turned by 44 degrees", block, 2, 46, 90, true},
		{"both ways, turned by 46 degrees", block, 2, 44, 0, false},
		{"both ways, no heading", block, 2, math.NaN(), 0, false},
		{"nowhere", geo.LatLng{Lat: 41, Lng: -75}, 0, 90, 0, false},
	} {
		got, known := r.Roadway(c.at.Lat+c.northM/geo.MetersPerDegree, c.at.Lng, c.heading)
		if known != c.known || geo.HeadingDiff(got, c.want) > 0.5 || got < 0 || got >= 360 {
			t.Errorf("%s: %v %v", c.name, got, known)
		}
		isOneWay := c.known && strings.HasPrefix(c.name, "a one-way") // on other roads the traffic goes both ways, whoever came along them
		if got, known := r.Carriageway(c.at.Lat+c.northM/geo.MetersPerDegree, c.at.Lng, c.heading); known != isOneWay ||
			known && geo.HeadingDiff(got, c.want) > 0.5 {
			t.Errorf("%s: the carriageway: %v %v", c.name, got, known)
		}
	}
}

// The tree must not lose anything: compare with a look at every edge.
func TestNearestEqualsBruteForce(t *testing.T) {
	r := openRoads(t, geotest.WilmingtonFile)
	rnd := rand.New(rand.NewPCG(7, 8))
	b := r.Bounds()
	for range 2000 {
		f := finder{roads: r, within: nearestWithinM, prefer: true, heading: rnd.Float64() * 360,
			lat: b.MinLat + rnd.Float64()*(b.MaxLat-b.MinLat), lng: b.MinLng + rnd.Float64()*(b.MaxLng-b.MinLng)}
		want := snap{score: math.Inf(1)}
		for _, c := range r.chunks {
			f.measure(c, &r.edges[c.edge], geo.CosLat(f.lat), f.within, &want)
		}
		got, ok := f.find()
		if ok != !math.IsInf(want.score, 1) || math.Abs(got.score-want.score) > 1e-9 && ok {
			t.Fatalf("at %v %v: %+v, brute force %+v", f.lat, f.lng, got, want)
		}
	}
}

func TestNearestAllocatesNothing(t *testing.T) {
	r := openRoads(t, geotest.WilmingtonFile)
	c := r.Bounds().Center()
	if n := testing.AllocsPerRun(100, func() { r.Nearest(c.Lat, c.Lng, 45) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestRandomPlaces(t *testing.T) {
	r := openRoads(t, geotest.WilmingtonFile)
	rnd := rand.New(rand.NewPCG(9, 10))
	center := geo.Bounds{MinLat: 39.735, MinLng: -75.56, MaxLat: 39.755, MaxLng: -75.535}
	different := map[string]bool{}
	for range 200 {
		s, ok := r.RandomStreet(rnd, center)
		if !ok || s.Name == "" || !center.Contains(s.Lat, s.Lng) || s.LimitKmh <= 0 {
			t.Fatalf("%+v", s)
		}
		different[s.Name] = true
		if _, err := r.Route(t.Context(), []geo.LatLng{{Lat: s.Lat, Lng: s.Lng}, r.RandomNode(rnd)}, RouteOptions{SnapM: 1}); err != nil {
			t.Fatalf("%+v: %v", s, err)
		}
	}
	if len(different) < 30 {
		t.Errorf("only %d different streets", len(different))
	}
	if _, ok := r.RandomStreet(rnd, geo.Bounds{MinLat: 1, MaxLat: 2, MinLng: 1, MaxLng: 2}); ok {
		t.Error("a street in the ocean")
	}
}

func TestTrack(t *testing.T) {
	r := roadsOf(t, geotest.Town())
	route := mustRoute(t, r, RouteOptions{}, geotest.CornerAt(0, 0), geotest.CornerAt(0, 4), geotest.CornerAt(4, 4))
	track := NewTrack(&route)
	if math.Abs(track.LengthM()-route.DistanceM) > 0.01 {
		t.Fatalf("%.2f of %.2f m", track.LengthM(), route.DistanceM)
	}
	var last Position
	for d := 0.0; d <= track.LengthM(); d += 7 {
		p := track.At(d)
		if d > 0 && math.Abs(geo.DistanceM(last.LatLng, p.LatLng)-7) > 1.5+2.1*b2f(last.Step != p.Step) {
			t.Errorf("from %.0f m on: %.2f m", d-7, geo.DistanceM(last.LatLng, p.LatLng))
		}
		want, heading := "Row 0", 90.0
		if d > route.Legs[0].DistanceM {
			want, heading = "Column 4", 0
		}
		if s := route.Steps[p.Step]; s.Name != want || geo.HeadingDiff(p.HeadingDeg, heading) > 0.5 {
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
