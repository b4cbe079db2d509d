package route

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"lightbar/internal/geo"
)

// Limits of Route.
const (
	MaxWaypoints     = 25
	MaxLegM          = 200_000.0       // as the crow flies between neighboring waypoints
	MaxRouteDuration = 2 * time.Second // of computing
	defaultSnapM     = 1000.0
)

// Errors of Route; each is wrapped with its subject.
var (
	ErrWaypoints = errors.New("a route needs 2 to 25 waypoints on Earth")
	ErrTooFar    = errors.New("waypoints are more than 200 km apart")
	ErrNoRoad    = errors.New("no road near a waypoint")
	ErrNoRoute   = errors.New("no way leads there")
	ErrTooLong   = errors.New("the route takes too long to compute")
)

// RouteOptions refine a route; the zero value is right for most.
type RouteOptions struct {
	// Headings are directions in degrees at the waypoints, NaN where unknown:
	// they choose the carriageway. Nil, or as long as the waypoints.
	Headings []float64
	// SnapM is how far from a road a waypoint may be; 0 means 1000 m.
	SnapM float64
	// TurnAround allows to turn round at a waypoint in between instead of driving on.
	TurnAround bool
}

// Route is a drive along roads.
type Route struct {
	Points    []geo.LatLng
	DistanceM float64
	DurationS float64
	Legs      []Leg
	Steps     []Step
}

// Leg is the part between two neighboring waypoints. From and To are indexes
// into Points (both included); legs share their border point.
type Leg struct {
	From, To  int
	DistanceM float64
	DurationS float64
}

// Step is a stretch of one road with one speed. From and To are indexes into
// Points (both included); steps share their border point.
type Step struct {
	From, To  int
	Name, Ref string
	Class     string
	Link      bool
	LimitKmh  float64 // mapped speed limit, else the default of the class
	SpeedKmh  float64 // what the duration is reckoned with
	DistanceM float64
	DurationS float64
}

// Route finds the fastest drive through the waypoints in order, respecting
// one-ways, access and turn restrictions. Errors: ErrWaypoints, ErrTooFar,
// ErrNoRoad, ErrNoRoute, ErrTooLong (2 s, or the context's end). A waypoint in
// between is driven through without turning round where that is possible.
func (r *Roads) Route(ctx context.Context, waypoints []geo.LatLng, opt RouteOptions) (Route, error) {
	if err := checkWaypoints(waypoints, opt); err != nil {
		return Route{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, MaxRouteDuration)
	defer cancel()
	snaps, err := r.snapAll(waypoints, opt)
	if err != nil {
		return Route{}, err
	}
	search := r.searches.get(len(r.nodes))
	defer r.searches.put(search)
	w := routeWriter{roads: r}
	for i := 1; i < len(snaps); i++ {
		leg, err := r.leg(ctx, search, w.last, &snaps[i-1], &snaps[i], opt)
		if err != nil {
			return Route{}, fmt.Errorf("from waypoint %d to waypoint %d: %w", i, i+1, err)
		}
		w.add(&snaps[i-1], &snaps[i], leg)
	}
	return w.route, nil
}

func checkWaypoints(waypoints []geo.LatLng, opt RouteOptions) error {
	if len(waypoints) < 2 || len(waypoints) > MaxWaypoints {
		return fmt.Errorf("%w: there are %d", ErrWaypoints, len(waypoints))
	}
	if opt.Headings != nil && len(opt.Headings) != len(waypoints) {
		return fmt.Errorf("%w: %d headings for %d waypoints", ErrWaypoints, len(opt.Headings), len(waypoints))
	}
	for i, p := range waypoints {
		if !p.Valid() {
			return fmt.Errorf("%w: waypoint %d is not", ErrWaypoints, i+1)
		}
		if i > 0 && geo.DistanceM(waypoints[i-1], p) > MaxLegM {
			return fmt.Errorf("%w: %d and %d", ErrTooFar, i, i+1)
		}
	}
	return nil
}

func (r *Roads) snapAll(waypoints []geo.LatLng, opt RouteOptions) ([]snap, error) {
	within := opt.SnapM
	if !(within > 0) {
		within = defaultSnapM
	}
	snaps := make([]snap, len(waypoints))
	for i, p := range waypoints {
		f := finder{roads: r, lat: p.Lat, lng: p.Lng, heading: math.NaN(), within: within, need: edgeMain}
		if opt.Headings != nil {
			f.heading = opt.Headings[i]
		}
		hit, ok := f.find()
		if !ok {
			return nil, fmt.Errorf("%w: nothing drivable within %.0f m of waypoint %d", ErrNoRoad, within, i+1)
		}
		snaps[i] = hit
	}
	return snaps, nil
}

// leg searches on from the direction the previous leg arrived in; only when
// that leads nowhere (or may be ignored) both directions are tried.
func (r *Roads) leg(ctx context.Context, s *search, last []step, from, to *snap, opt RouteOptions) ([]step, error) {
	direction := eitherWay
	if len(last) > 0 && !opt.TurnAround {
		direction = int(last[len(last)-1].edgeDir & 1)
	}
	steps, err := s.run(ctx, r, from, to, direction)
	if errors.Is(err, ErrNoRoute) && direction != eitherWay {
		steps, err = s.run(ctx, r, from, to, eitherWay)
	}
	return steps, err
}

// step is an edge driven one way: number<<1, and 1 when against its points' order.
type step struct{ edgeDir uint32 }

// routeWriter turns found edges into points and steps.
type routeWriter struct {
	roads *Roads
	route Route
	last  []step
}

func (w *routeWriter) add(from, to *snap, steps []step) {
	leg := Leg{From: max(0, len(w.route.Points)-1)}
	for i, s := range steps {
		var begin, end *snap
		if i == 0 {
			begin = from
		}
		if i == len(steps)-1 {
			end = to
		}
		distance, duration := w.stretch(s, begin, end)
		leg.DistanceM += distance
		leg.DurationS += duration
	}
	leg.To = max(0, len(w.route.Points)-1)
	w.route.Legs = append(w.route.Legs, leg)
	w.route.DistanceM += leg.DistanceM
	w.route.DurationS += leg.DurationS
	w.last = steps
}

// stretch appends an edge's points, from begin to end where those cut it short.
func (w *routeWriter) stretch(s step, begin, end *snap) (distance, duration float64) {
	r := w.roads
	e := &r.edges[s.edgeDir>>1]
	start := len(w.route.Points)
	first, last := e.First, e.First+e.Count-1 // inclusive, in the points' order
	forward := s.edgeDir&1 == 0
	low, high := begin, end
	if !forward {
		low, high = end, begin
	}
	if low != nil {
		first = low.segment + 1
	}
	if high != nil {
		last = high.segment
	}
	w.push(begin)
	if forward {
		for i := first; i <= last; i++ {
			w.pushPoint(geo.FixedLatLng(r.points[i]))
		}
	} else {
		for i := last; i+1 > first && i != math.MaxUint32; i-- {
			w.pushPoint(geo.FixedLatLng(r.points[i]))
		}
	}
	w.push(end)
	from := max(0, start-1)
	for i := from + 1; i < len(w.route.Points); i++ {
		distance += geo.DistanceM(w.route.Points[i-1], w.route.Points[i])
	}
	duration = distance / (float64(e.speedKmh) / 3.6)
	w.step(e, from, distance, duration)
	return distance, duration
}

func (w *routeWriter) push(s *snap) {
	if s != nil {
		w.pushPoint(s.at)
	}
}

func (w *routeWriter) pushPoint(p geo.LatLng) {
	const same = 2e-7 // degrees, 2 cm: a place snapped to a junction is the junction
	if n := len(w.route.Points); n > 0 {
		if q := w.route.Points[n-1]; math.Abs(q.Lat-p.Lat) < same && math.Abs(q.Lng-p.Lng) < same {
			return
		}
	}
	w.route.Points = append(w.route.Points, p)
}

// step adds a stretch to the last step when road and speed are the same.
func (w *routeWriter) step(e *Edge, from int, distance, duration float64) {
	to := len(w.route.Points) - 1
	if to <= from {
		return
	}
	next := Step{
		From: from, To: to, Name: w.roads.textAt(e.Name), Ref: w.roads.textAt(e.Ref), Class: RoadClasses[e.Class].Name,
		Link: e.Flags&EdgeLink != 0, LimitKmh: float64(e.limitKmh), SpeedKmh: float64(e.speedKmh), DistanceM: distance, DurationS: duration,
	}
	if n := len(w.route.Steps); n > 0 {
		s := &w.route.Steps[n-1]
		if s.Name == next.Name && s.Ref == next.Ref && s.Class == next.Class && s.Link == next.Link && s.SpeedKmh == next.SpeedKmh &&
			s.LimitKmh == next.LimitKmh {
			s.To = to
			s.DistanceM += distance
			s.DurationS += duration
			return
		}
	}
	w.route.Steps = append(w.route.Steps, next)
}
