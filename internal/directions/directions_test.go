package directions_test

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"lightbar/internal/directions"
	"lightbar/internal/geo"
	"lightbar/internal/testkit/tilestest"
)

var (
	market = geo.LatLng{Lat: 39.7402, Lng: -75.5516} // its lower end
	sixth  = geo.LatLng{Lat: 39.7416, Lng: -75.5492} // its corner with King
	fields = geo.LatLng{Lat: 39.80, Lng: -75.50}
)

// spec: 7.other.02
func TestALineFollowsRoads(t *testing.T) {
	roads, _ := tilestest.Streets(t)
	finder := directions.Finder{Roads: roads}
	way, err := finder.Find(t.Context(), []geo.LatLng{market, sixth})
	if err != nil || !way.IsRouted || len(way.Points) < 3 || way.Road != "North Market Street" || way.End != "East 6th Street" {
		t.Errorf("%+v, %v", way, err)
	}
	if straight := geo.DistanceM(market, sixth); way.DistanceM <= straight || way.DistanceM > 2*straight {
		t.Errorf("%.0f m, straight %.0f m", way.DistanceM, straight)
	}
}

func TestWithoutRoadsALineIsStraight(t *testing.T) {
	roads, _ := tilestest.Streets(t)
	for name, finder := range map[string]*directions.Finder{"no region": {}, "no road near": {Roads: roads}} {
		way, err := finder.Find(t.Context(), []geo.LatLng{market, fields})
		if err != nil || way.IsRouted || len(way.Points) != 2 || way.Points[1] != fields || math.Abs(way.DistanceM-geo.DistanceM(market, fields)) > 1 ||
			way.Road+way.Start+way.End != "" {
			t.Errorf("%s: %+v, %v", name, way, err)
		}
	}
}

func TestWhatNoLineGoesThrough(t *testing.T) {
	many := make([]geo.LatLng, 26)
	for want, waypoints := range map[string][]geo.LatLng{
		"A line has at least 2 points.":              {market},
		"At most 25 points.":                         many,
		"The points are more than 200 km apart.":     {market, {Lat: 41.0, Lng: -75.5}, {Lat: 42.0, Lng: -75.5}},
		"The line crosses the antimeridian. Draw it": {{Lat: 0, Lng: 179.9}, {Lat: 0, Lng: -179.9}},
		"": {market, sixth},
	} {
		if got := directions.Wrong(waypoints); !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%v: %q, want %q", waypoints, got, want)
		}
	}
}

// serviceSaying answers each question with a body, and remembers the address asked.
func serviceSaying(t *testing.T, body string) (*directions.Finder, *string) {
	var asked string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = r.URL.String()
		if strings.HasPrefix(body, "http") {
			http.Redirect(w, r, body, http.StatusFound)
			return
		}
		fmt.Fprint(w, body)
	}))
	t.Cleanup(s.Close)
	return &directions.Finder{URL: s.URL + "/"}, &asked
}

func TestAServiceIsAsked(t *testing.T) {
	finder, asked := serviceSaying(t, `{"code":"Ok","routes":[{"distance":812.5,"geometry":{"coordinates":[[-75.5516,39.7402],[-75.55,39.741],[-75.5492,39.7416]]},
		"legs":[{"steps":[{"name":"Short Street","distance":100},{"name":"","ref":"US 13; US 40","distance":712.5}]}]}]}`)
	way, err := finder.Find(t.Context(), []geo.LatLng{market, sixth})
	if err != nil || !way.IsRouted || way.DistanceM != 812.5 || way.Road != "US 13" || len(way.Points) != 3 || way.Points[2] != sixth {
		t.Errorf("%+v, %v", way, err)
	}
	if want := "/route/v1/driving/-75.551600,39.740200;-75.549200,39.741600?"; !strings.HasPrefix(*asked, want) {
		t.Errorf("asked %s, want %s", *asked, want)
	}
	finder, _ = serviceSaying(t, `{"code":"NoRoute","message":"Impossible route between points"}`)
	if way, err := finder.Find(t.Context(), []geo.LatLng{market, sixth}); err != nil || way.IsRouted || len(way.Points) != 2 {
		t.Errorf("no route: %+v, %v", way, err)
	}
}

// spec: 8.closure.08
func TestWhatAServiceSaysOfAFailure(t *testing.T) {
	for body, want := range map[string]string{
		`{"code":"TooBig","message":"Too many\u0007 coordinates."}`:                   "Too many coordinates.",
		`{"code":"InvalidValue","message":"` + strings.Repeat("x", 5000) + `"}`:       strings.Repeat("x", 200),
		`{"code":"Ok","routes":[]}`:                                                   "",
		`{"code":"Ok","routes":[{"geometry":{"coordinates":[[-275.5,39.7],[1,1]]}}]}`: "",
		`<html>`:                  "",
		`http://169.254.169.254/`: "",
		`{"code":"Ok","message":"` + strings.Repeat("x", 5<<20) + `","routes":[{"distance": 1}]}`: "",
	} {
		finder, _ := serviceSaying(t, body)
		_, err := finder.Find(t.Context(), []geo.LatLng{market, sixth})
		var failure *directions.Failure
		if !errors.As(err, &failure) || failure.Sentence != want {
			t.Errorf("%.60s: %v", body, err)
		}
	}
	gone := directions.Finder{URL: "http://127.0.0.1:1"}
	_, err := gone.Find(t.Context(), []geo.LatLng{market, sixth})
	var failure *directions.Failure
	if !errors.As(err, &failure) || strings.Contains(err.Error(), "39.7") {
		t.Errorf("nobody there: %v", err)
	}
}

func TestARoadIsFollowedBothWays(t *testing.T) {
	roads, _ := tilestest.Streets(t)
	finder, fifth := directions.Finder{Roads: roads}, geo.LatLng{Lat: 39.7407, Lng: -75.5512}
	for heading, ends := range map[float64]bool{0: true, 180: false} {
		way := finder.Ahead(fifth, heading, 60)
		north := way.Points[len(way.Points)-1].Lat > fifth.Lat
		if !way.IsRouted || way.Road != "North Market Street" || way.DistanceM < 55 || way.DistanceM > 65 || north != ends {
			t.Errorf("%.0f: %+v", heading, way)
		}
	}
	if way := finder.Ahead(fields, 90, 1000); way.IsRouted || len(way.Points) != 2 || math.Abs(geo.DistanceM(way.Points[0], way.Points[1])-1000) > 10 {
		t.Errorf("no road: %+v", way)
	}
}

// A line that nobody named has the road of its middle: not the one that it begins
// on or crosses, and none where it leaves them all.
func TestTheRoadOfALine(t *testing.T) {
	finder := wilmington(t)
	at := func(lat, lng float64) geo.LatLng { return geo.LatLng{Lat: lat, Lng: lng} }
	for name, c := range map[string]struct {
		line []geo.LatLng
		want string
	}{
		"a street":            {[]geo.LatLng{at(39.7402, -75.5516), at(39.7411662, -75.5507979), at(39.7420, -75.5501)}, "North Market Street"},
		"a motorway":          {[]geo.LatLng{at(39.7500, -75.5600), at(39.7550, -75.5560), at(39.7600, -75.5515)}, "I-95"},
		"a name and a number": {[]geo.LatLng{at(39.7398, -75.5508), at(39.7416, -75.5492)}, "North King Street"},
		"across two streets":  {[]geo.LatLng{at(39.7411662, -75.5507979), at(39.7408159, -75.5499254)}, "East 5th Street"},
		"none":                {[]geo.LatLng{at(39.7402, -75.5616), at(39.7420, -75.5601)}, ""},
		"one 70 m away":       {[]geo.LatLng{at(39.7398, -75.5498), at(39.7416, -75.5482)}, ""},
		"no line":             {[]geo.LatLng{at(39.7402, -75.5516)}, ""},
		"a dot":               {[]geo.LatLng{at(39.7402, -75.5516), at(39.7402, -75.5516)}, ""},
	} {
		if got := finder.RoadOf(c.line); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if got := (&directions.Finder{}).RoadOf([]geo.LatLng{at(39, -75), at(39.1, -75)}); got != "" {
		t.Errorf("without a region: %q", got)
	}
}
