package geo

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func mustRoute(t *testing.T, r *Roads, opt RouteOptions, at ...LatLng) Route {
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
	e := town()
	free := mustRoute(t, roadsOf(t, e), RouteOptions{}, cornerAt(2, 0), cornerAt(2, 4))
	if !slices.Equal(names(free), []string{"Row 2"}) {
		t.Fatalf("straight along the row expected, got %v", names(free))
	}
	e.way(102).tags = append(e.way(102).tags, "oneway", "-1") // westwards only
	r := roadsOf(t, e)
	around := mustRoute(t, r, RouteOptions{}, cornerAt(2, 0), cornerAt(2, 4))
	if around.DistanceM < free.DistanceM+150 {
		t.Errorf("driven against the one-way: %v, %.0f m", names(around), around.DistanceM)
	}
	back := mustRoute(t, r, RouteOptions{}, cornerAt(2, 4), cornerAt(2, 0))
	if math.Abs(back.DistanceM-free.DistanceM) > 1 {
		t.Errorf("the one-way's own direction is not used: %v", names(back))
	}
}

func TestRouteRespectsAccess(t *testing.T) {
	for _, tags := range [][]string{{"access", "private"}, {"motor_vehicle", "no"}, {"vehicle", "no", "access", "yes"}} {
		e := town()
		e.way(102).tags = append(e.way(102).tags, tags...)
		route := mustRoute(t, roadsOf(t, e), RouteOptions{}, cornerAt(2, 0), cornerAt(2, 4))
		for _, s := range route.Steps {
			if s.Name == "Row 2" {
				t.Errorf("%v: driven over a closed road", tags)
			}
		}
	}
	e := town()
	e.way(102).tags = append(e.way(102).tags, "access", "no", "motorcar", "yes") // the special key wins
	if route := mustRoute(t, roadsOf(t, e), RouteOptions{}, cornerAt(2, 0), cornerAt(2, 4)); !slices.Equal(names(route), []string{"Row 2"}) {
		t.Errorf("motorcar=yes does not open access=no: %v", names(route))
	}
}

// TestRouteRespectsTurnRestrictions drives from the south along column 2 and
// wants to turn into row 2 at corner (2, 2).
func TestRouteRespectsTurnRestrictions(t *testing.T) {
	split := func() *extract { // restrictions name ways that end at the corner
		e := town()
		column := e.way(202)
		e.ways = append(e.ways, testWay{id: 302, refs: column.refs[2:], tags: column.tags}, testWay{id: 303, refs: e.way(102).refs[2:], tags: e.way(102).tags})
		column.refs = column.refs[:3]
		e.way(102).refs = e.way(102).refs[:3]
		return e
	}
	from, to := cornerAt(0, 2), cornerAt(2, 4)
	from.Lat += 0.0003 // on column 2 itself
	to.Lng -= 0.0003   // on row 2 itself
	turn := func(value string, members ...testMember) testRelation {
		return testRelation{id: 900, members: members, tags: []string{"type", "restriction", "restriction", value}}
	}
	via := testMember{corner(2, 2), ofNode, "via"}
	in := testMember{202, ofWay, "from"}
	turnsAt22 := func(route Route) bool {
		for i := 1; i < len(route.Steps); i++ {
			at := route.Points[route.Steps[i].From]
			if DistanceM(at, cornerAt(2, 2)) < 5 && route.Steps[i-1].Name == "Column 2" && route.Steps[i].Name == "Row 2" {
				return true
			}
		}
		return false
	}
	base := split()
	for _, id := range []int64{100, 101} { // the only other way: straight on
		base.way(id).tags = append(base.way(id).tags, "access", "no")
	}
	if route := mustRoute(t, roadsOf(t, base), RouteOptions{}, from, to); !turnsAt22(route) {
		t.Fatalf("without a rule the turn is the way: %v", names(route))
	}
	for name, rel := range map[string]testRelation{
		"no_right_turn":    turn("no_right_turn", in, via, testMember{303, ofWay, "to"}),
		"only_straight_on": turn("only_straight_on", in, via, testMember{302, ofWay, "to"}),
	} {
		e := *base
		e.relations = []testRelation{rel}
		route := mustRoute(t, roadsOf(t, &e), RouteOptions{}, from, to)
		if turnsAt22(route) {
			t.Errorf("%s: turned all the same: %v", name, names(route))
		}
	}
	e := *base
	exempt := turn("no_right_turn", in, via, testMember{303, ofWay, "to"})
	exempt.tags = append(exempt.tags, "except", "bicycle;motorcar")
	e.relations = []testRelation{exempt}
	if route := mustRoute(t, roadsOf(t, &e), RouteOptions{}, from, to); !turnsAt22(route) {
		t.Errorf("a rule that excepts cars binds cars: %v", names(route))
	}
}

func TestRouteDrivesThroughAllWaypoints(t *testing.T) {
	r := roadsOf(t, town())
	at := []LatLng{cornerAt(0, 0), cornerAt(0, 2), cornerAt(2, 2)}
	route := mustRoute(t, r, RouteOptions{}, at...)
	if len(route.Legs) != 2 || route.Legs[0].From != 0 || route.Legs[0].To != route.Legs[1].From || route.Legs[1].To != len(route.Points)-1 {
		t.Fatalf("legs do not join: %+v of %d points", route.Legs, len(route.Points))
	}
	for i, leg := range route.Legs {
		if d := DistanceM(route.Points[leg.From], at[i]) + DistanceM(route.Points[leg.To], at[i+1]); d > 1 {
			t.Errorf("leg %d is %.1f m off its waypoints", i, d)
		}
	}
	var sum float64
	for i := 1; i < len(route.Points); i++ {
		sum += DistanceM(route.Points[i-1], route.Points[i])
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
	r := roadsOf(t, town())
	middle := cornerAt(0, 2)
	middle.Lng += 0.0005
	at := []LatLng{cornerAt(0, 0), middle, cornerAt(2, 1)}
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
	e := town()
	e.way(102).tags = append(e.way(102).tags, "oneway", "yes")
	r := roadsOf(t, e)
	a, b := cornerAt(2, 1), cornerAt(2, 1)
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
	e := town()
	r := roadsOf(t, e)
	near := cornerAt(1, 1)
	many := make([]LatLng, MaxWaypoints+1)
	for i := range many {
		many[i] = near
	}
	for name, c := range map[string]struct {
		at   []LatLng
		opt  RouteOptions
		want error
	}{
		"one":       {[]LatLng{near}, RouteOptions{}, ErrWaypoints},
		"too many":  {many, RouteOptions{}, ErrWaypoints},
		"NaN":       {[]LatLng{near, {math.NaN(), 0}}, RouteOptions{}, ErrWaypoints},
		"off Earth": {[]LatLng{near, {91, 0}}, RouteOptions{}, ErrWaypoints},
		"headings":  {[]LatLng{near, near}, RouteOptions{Headings: []float64{1}}, ErrWaypoints},
		"far":       {[]LatLng{near, {42, -75}}, RouteOptions{}, ErrTooFar},
		"no road":   {[]LatLng{near, {40.5, -75}}, RouteOptions{}, ErrNoRoad},
	} {
		if _, err := r.Route(context.Background(), c.at, c.opt); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A search looks up now and then, not at each junction: it takes a long way to see that nobody waits for it.
func TestRouteStopsWhenCanceled(t *testing.T) {
	r := openRoads(t, wholeState(t))
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.Route(done, []LatLng{{39.7459, -75.5466}, {38.69, -75.39}}, RouteOptions{}); !errors.Is(err, ErrTooLong) {
		t.Errorf("a canceled search gives %v", err)
	}
}

// A street that nothing leads out of must not catch waypoints.
func TestRouteSnapsToTheMainPart(t *testing.T) {
	e := town()
	e.nodes = append(e.nodes, testNode{id: 500, lat: 39.9995, lng: -75}, testNode{id: 501, lat: 39.9995, lng: -74.997})
	e.ways = append(e.ways, testWay{id: 500, refs: []int64{500, 501}, tags: []string{"highway", "residential", "name", "Island"}})
	r := roadsOf(t, e)
	route := mustRoute(t, r, RouteOptions{}, LatLng{39.9994, -75}, cornerAt(2, 2))
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
	r := openRoads(t, largest())
	rnd := rand.New(rand.NewPCG(5, 6))
	guided, plain := &search{nodes: make([]visited, len(r.nodes))}, &search{nodes: make([]visited, len(r.nodes)), zero: true}
	var fewer, all int
	for i := range 300 {
		snaps, err := r.snapAll([]LatLng{r.RandomNode(rnd), r.RandomNode(rnd)}, RouteOptions{})
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
	end := func(s step, last bool) point {
		e := &r.edges[s.edgeDir>>1]
		if (s.edgeDir&1 == 0) == last {
			return r.nodes[e.to]
		}
		return r.nodes[e.from]
	}
	for i, s := range steps {
		e := &r.edges[s.edgeDir>>1]
		if e.flags&edgePrivate != 0 || (s.edgeDir&1 == 1 && e.flags&edgeOneway != 0) {
			t.Fatalf("step %d may not be driven", i)
		}
		if i > 0 && end(steps[i-1], true) != end(s, false) {
			t.Fatalf("step %d does not begin where the one before ends", i)
		}
	}
}
