package route

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"lightbar/internal/geo"
	"lightbar/internal/geo/geotest"
)

func mustRoute(t *testing.T, r *Roads, opt RouteOptions, at ...geo.LatLng) Route {
	t.Helper()
	route, err := r.Route(context.Background(), at, opt)
	if err != nil {
		t.Fatal(err)
	}
	return route
}

func names(route Route) (out []string) {
	for _, s := range route.Steps {
		out = append(out, s.Name)
	}
	return out
}

func TestRouteRespectsOneWays(t *testing.T) {
	e := geotest.Town()
	free := mustRoute(t, roadsOf(t, e), RouteOptions{}, geotest.CornerAt(2, 0), geotest.CornerAt(2, 4))
	if !slices.Equal(names(free), []string{"Row 2"}) {
		t.Fatalf("straight along the row expected, got %v", names(free))
	}
	e.Way(102).Tags = append(e.Way(102).Tags, "oneway", "-1") // westwards only
	r := roadsOf(t, e)
	around := mustRoute(t, r, RouteOptions{}, geotest.CornerAt(2, 0), geotest.CornerAt(2, 4))
	if around.DistanceM < free.DistanceM+150 {
		t.Errorf("driven against the one-way: %v, %.0f m", names(around), around.DistanceM)
	}
	back := mustRoute(t, r, RouteOptions{}, geotest.CornerAt(2, 4), geotest.CornerAt(2, 0))
	if math.Abs(back.DistanceM-free.DistanceM) > 1 {
		t.Errorf("the one-way's own direction is not used: %v", names(back))
	}
}

func TestRouteRespectsAccess(t *testing.T) {
	for _, tags := range [][]string{{"access", "private"}, {"motor_vehicle", "no"}, {"vehicle", "no", "access", "yes"}} {
		e := geotest.Town()
		e.Way(102).Tags = append(e.Way(102).Tags, tags...)
		route := mustRoute(t, roadsOf(t, e), RouteOptions{}, geotest.CornerAt(2, 0), geotest.CornerAt(2, 4))
		for _, s := range route.Steps {
			if s.Name == "Row 2" {
				t.Errorf("%v: driven over a closed road", tags)
			}
		}
	}
	e := geotest.Town()
	e.Way(102).Tags = append(e.Way(102).Tags, "access", "no", "motorcar", "yes") // the special key wins
	if route := mustRoute(t, roadsOf(t, e), RouteOptions{}, geotest.CornerAt(2, 0), geotest.CornerAt(2, 4)); !slices.Equal(names(route), []string{"Row 2"}) {
		t.Errorf("motorcar=yes does not open access=no: %v", names(route))
	}
}

// TestRouteRespectsTurnRestrictions drives from the south along column 2 and
// wants to turn into row 2 at corner (2, 2).
func TestRouteRespectsTurnRestrictions(t *testing.T) {
	split := func() *geotest.Extract { // restrictions name ways that end at the corner
		e := geotest.Town()
		column := e.Way(202)
		e.Ways = append(e.Ways, geotest.TestWay{ID: 302, Refs: column.Refs[2:], Tags: column.Tags}, geotest.TestWay{ID: 303, Refs: e.Way(102).Refs[2:], Tags: e.Way(102).Tags})
		column.Refs = column.Refs[:3]
		e.Way(102).Refs = e.Way(102).Refs[:3]
		return e
	}
	from, to := geotest.CornerAt(0, 2), geotest.CornerAt(2, 4)
	from.Lat += 0.0003 // on column 2 itself
	to.Lng -= 0.0003   // on row 2 itself
	turn := func(value string, members ...geotest.TestMember) geotest.TestRelation {
		return geotest.TestRelation{ID: 900, Members: members, Tags: []string{"type", "restriction", "restriction", value}}
	}
	via := geotest.TestMember{ID: geotest.Corner(2, 2), Kind: geotest.OfNode, Role: "via"}
	in := geotest.TestMember{ID: 202, Kind: geotest.OfWay, Role: "from"}
	turnsAt22 := func(route Route) bool {
		for i := 1; i < len(route.Steps); i++ {
			at := route.Points[route.Steps[i].From]
			if geo.DistanceM(at, geotest.CornerAt(2, 2)) < 5 && route.Steps[i-1].Name == "Column 2" && route.Steps[i].Name == "Row 2" {
				return true
			}
		}
		return false
	}
	base := split()
	for _, id := range []int64{100, 101} { // the only other way: straight on
		base.Way(id).Tags = append(base.Way(id).Tags, "access", "no")
	}
	if route := mustRoute(t, roadsOf(t, base), RouteOptions{}, from, to); !turnsAt22(route) {
		t.Fatalf("without a rule the turn is the way: %v", names(route))
	}
	for name, rel := range map[string]geotest.TestRelation{
		"no_right_turn":    turn("no_right_turn", in, via, geotest.TestMember{ID: 303, Kind: geotest.OfWay, Role: "to"}),
		"only_straight_on": turn("only_straight_on", in, via, geotest.TestMember{ID: 302, Kind: geotest.OfWay, Role: "to"}),
	} {
		e := *base
		e.Relations = []geotest.TestRelation{rel}
		route := mustRoute(t, roadsOf(t, &e), RouteOptions{}, from, to)
		if turnsAt22(route) {
			t.Errorf("%s: turned all the same: %v", name, names(route))
		}
	}
	e := *base
	exempt := turn("no_right_turn", in, via, geotest.TestMember{ID: 303, Kind: geotest.OfWay, Role: "to"})
	exempt.Tags = append(exempt.Tags, "except", "bicycle;motorcar")
	e.Relations = []geotest.TestRelation{exempt}
	if route := mustRoute(t, roadsOf(t, &e), RouteOptions{}, from, to); !turnsAt22(route) {
		t.Errorf("a rule that excepts cars binds cars: %v", names(route))
	}
}

func TestRouteDrivesThroughAllWaypoints(t *testing.T) {
	r := roadsOf(t, geotest.Town())
	at := []geo.LatLng{geotest.CornerAt(0, 0), geotest.CornerAt(0, 2), geotest.CornerAt(2, 2)}
	route := mustRoute(t, r, RouteOptions{}, at...)
	if len(route.Legs) != 2 || route.Legs[0].From != 0 || route.Legs[0].To != route.Legs[1].From || route.Legs[1].To != len(route.Points)-1 {
		t.Fatalf("legs do not join: %+v of %d points", route.Legs, len(route.Points))
	}
	for i, leg := range route.Legs {
		if d := geo.DistanceM(route.Points[leg.From], at[i]) + geo.DistanceM(route.Points[leg.To], at[i+1]); d > 1 {
			t.Errorf("leg %d is %.1f m off its waypoints", i, d)
		}
	}
	var sum float64
	for i := 1; i < len(route.Points); i++ {
		sum += geo.DistanceM(route.Points[i-1], route.Points[i])
	}
	if math.Abs(sum-route.DistanceM) > 0.01 {
		t.Errorf("distance %.2f, points say %.2f", route.DistanceM, sum)
	}
	last := 0
	var steps float64
	for _, s := range route.Steps {
		if s.From != last || s.SpeedKmh <= 0 || s.LimitKmh < s.SpeedKmh {
			t.Errorf("step %+v does not follow", s)
		}
		last, steps = s.To, steps+s.DurationS
	}
	if last != len(route.Points)-1 || math.Abs(steps-route.DurationS) > 1e-6 {
		t.Errorf("steps end at %d of %d and last %.1f of %.1f s", last, len(route.Points)-1, steps, route.DurationS)
	}
}

func TestRouteDoesNotTurnRoundInBetween(t *testing.T) {
	r := roadsOf(t, geotest.Town())
	middle := geotest.CornerAt(0, 2)
	middle.Lng += 0.0005
	at := []geo.LatLng{geotest.CornerAt(0, 0), middle, geotest.CornerAt(2, 1)}
	through := mustRoute(t, r, RouteOptions{}, at...)
	turned := mustRoute(t, r, RouteOptions{TurnAround: true}, at...)
	if through.DistanceM <= turned.DistanceM+50 {
		t.Errorf("through %.0f m, turning round %.0f m", through.DistanceM, turned.DistanceM)
	}
	next := through.Points[through.Legs[1].From+1]
	if next.Lng <= middle.Lng {
		t.Errorf("turned round at the waypoint: %v", next)
	}
}

func TestRouteWithinOneEdge(t *testing.T) {
	e := geotest.Town()
	e.Way(102).Tags = append(e.Way(102).Tags, "oneway", "yes")
	r := roadsOf(t, e)
	a, b := geotest.CornerAt(2, 1), geotest.CornerAt(2, 1)
	a.Lng += 0.0003
	b.Lng += 0.0008
	if ahead := mustRoute(t, r, RouteOptions{}, a, b); len(ahead.Points) != 2 || ahead.DistanceM > 50 {
		t.Errorf("ahead on the same edge: %+v", ahead)
	}
	if round := mustRoute(t, r, RouteOptions{}, b, a); round.DistanceM < 350 {
		t.Errorf("behind on a one-way means round the block, got %.0f m", round.DistanceM)
	}
	if same := mustRoute(t, r, RouteOptions{}, a, a); same.DistanceM != 0 || len(same.Points) != 1 {
		t.Errorf("from a place to itself: %+v", same)
	}
}

func TestRouteErrors(t *testing.T) {
	e := geotest.Town()
	r := roadsOf(t, e)
	near := geotest.CornerAt(1, 1)
	many := make([]geo.LatLng, MaxWaypoints+1)
	for i := range many {
		many[i] = near
	}
	for name, c := range map[string]struct {
		at   []geo.LatLng
		opt  RouteOptions
		want error
	}{
		"one":       {[]geo.LatLng{near}, RouteOptions{}, ErrWaypoints},
		"too many":  {many, RouteOptions{}, ErrWaypoints},
		"NaN":       {[]geo.LatLng{near, {Lat: math.NaN(), Lng: 0}}, RouteOptions{}, ErrWaypoints},
		"off Earth": {[]geo.LatLng{near, {Lat: 91, Lng: 0}}, RouteOptions{}, ErrWaypoints},
		"headings":  {[]geo.LatLng{near, near}, RouteOptions{Headings: []float64{1}}, ErrWaypoints},
		"far":       {[]geo.LatLng{near, {Lat: 42, Lng: -75}}, RouteOptions{}, ErrTooFar},
		"no road":   {[]geo.LatLng{near, {Lat: 40.5, Lng: -75}}, RouteOptions{}, ErrNoRoad},
	} {
		if _, err := r.Route(context.Background(), c.at, c.opt); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A search looks up now and then, not at each junction: it takes a long way to see that nobody waits for it.
func TestRouteStopsWhenCanceled(t *testing.T) {
	r := openRoads(t, geotest.WholeState(t))
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.Route(done, []geo.LatLng{{Lat: 39.7459, Lng: -75.5466}, {Lat: 38.69, Lng: -75.39}}, RouteOptions{}); !errors.Is(err, ErrTooLong) {
		t.Errorf("a canceled search gives %v", err)
	}
}

// A street that nothing leads out of must not catch waypoints.
func TestRouteSnapsToTheMainPart(t *testing.T) {
	e := geotest.Town()
	e.Nodes = append(e.Nodes, geotest.TestNode{ID: 500, Lat: 39.9995, Lng: -75}, geotest.TestNode{ID: 501, Lat: 39.9995, Lng: -74.997})
	e.Ways = append(e.Ways, geotest.TestWay{ID: 500, Refs: []int64{500, 501}, Tags: []string{"highway", "residential", "name", "Island"}})
	r := roadsOf(t, e)
	route := mustRoute(t, r, RouteOptions{}, geo.LatLng{Lat: 39.9994, Lng: -75}, geotest.CornerAt(2, 2))
	for _, n := range names(route) {
		if n == "Island" {
			t.Errorf("snapped to the island: %v", names(route))
		}
	}
	if s, ok := r.Nearest(39.9995, -74.999, math.NaN()); !ok || s.Name != "Island" {
		t.Errorf("Nearest must know the island: %+v", s)
	}
}

// The estimate must never cost the fastest way: A* against Dijkstra.
func TestAStarFindsWhatDijkstraFinds(t *testing.T) {
	r := openRoads(t, geotest.Largest())
	rnd := rand.New(rand.NewPCG(5, 6))
	guided, plain := &search{nodes: make([]visited, len(r.nodes))}, &search{nodes: make([]visited, len(r.nodes)), zero: true}
	var fewer, all int
	for i := range 300 {
		snaps, err := r.snapAll([]geo.LatLng{r.RandomNode(rnd), r.RandomNode(rnd)}, RouteOptions{})
		if err != nil {
			t.Fatal(err)
		}
		_, want, err := plain.cheapest(context.Background(), r, &snaps[0], &snaps[1], eitherWay)
		if err != nil {
			t.Fatalf("pair %d: %v", i, err)
		}
		steps, got, err := guided.cheapest(context.Background(), r, &snaps[0], &snaps[1], eitherWay)
		if err != nil || got != want {
			t.Fatalf("pair %d: A* %d ms, Dijkstra %d ms, %v", i, got, want, err)
		}
		checkDrivable(t, r, steps)
		fewer, all = fewer+guided.settled, all+plain.settled
	}
	if fewer*3 > all*2 {
		t.Errorf("A* settled %d junctions, Dijkstra %d", fewer, all)
	}
}

// checkDrivable follows a way arc by arc: connected, no one-way driven back.
func checkDrivable(t *testing.T, r *Roads, steps []step) {
	t.Helper()
	end := func(s step, last bool) geo.Point {
		e := &r.edges[s.edgeDir>>1]
		if (s.edgeDir&1 == 0) == last {
			return r.nodes[e.to]
		}
		return r.nodes[e.from]
	}
	for i, s := range steps {
		e := &r.edges[s.edgeDir>>1]
		if e.Flags&EdgePrivate != 0 || (s.edgeDir&1 == 1 && e.Flags&EdgeOneway != 0) {
			t.Fatalf("step %d may not be driven", i)
		}
		if i > 0 && end(steps[i-1], true) != end(s, false) {
			t.Fatalf("step %d does not begin where the one before ends", i)
		}
	}
}
