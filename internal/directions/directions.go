// Package directions routes a line along roads through the points that someone
// clicked, using the region's roads or a configured OSRM service. It stores
// nothing.
package directions

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"

	"lightbar/catalog"
	"lightbar/internal/geo"
	"lightbar/internal/geo/places"
	"lightbar/internal/geo/route"
)

// Finder lays lines; the zero value knows no roads. It is safe for concurrent use.
type Finder struct {
	// Roads are the region's; nil without one.
	Roads *route.Roads
	// Places are what lies along them, for lines that are described; nil without a region.
	Places *places.Places
	// URL is a service that speaks OSRM ("https://osrm.example.org"); empty asks Roads.
	URL string
	// Transport is the system's unless a test says otherwise.
	Transport http.RoundTripper
}

// Way is a line through waypoints, in their order.
type Way struct {
	Points    []geo.LatLng
	DistanceM float64
	// Road is what most of it is called; Start and End are the streets that it
	// meets at its ends. Empty where that is not known.
	Road, Start, End string
	// IsRouted tells that it follows roads; else it is straight.
	IsRouted bool
	parts    []stretch
}

const (
	snapM = 100.0 // a click farther from a road means none
	nearM = 40.0  // a street that an end meets

	meterDeg = 111_195.0 // meters in a degree of latitude
)

var (
	mostWaypoints = int(catalog.LimitInt("closure", "waypoints"))
	mostPoints    = int(catalog.LimitInt("closure", "routePoints"))
	mostM         = float64(catalog.LimitInt("closure", "waypointsM"))
)

// errNoWay: no way leads there; the line is straight.
var errNoWay = errors.New("no way leads there")

// Wrong says why no line is laid through waypoints: too few or many, or too far
// apart; empty when there is nothing wrong.
func Wrong(waypoints []geo.LatLng) string {
	switch {
	case len(waypoints) < 2:
		return "A line has at least 2 points."
	case len(waypoints) > mostWaypoints:
		return fmt.Sprintf("At most %d points.", mostWaypoints)
	case slices.ContainsFunc(pairs(waypoints), func(p [2]geo.LatLng) bool { return math.Abs(p[1].Lng-p[0].Lng) > 180 }):
		return "The line crosses the antimeridian. Draw it as two closures."
	case lengthM(waypoints) > mostM:
		return fmt.Sprintf("The points are more than %.0f km apart.", mostM/1000)
	}
	return ""
}

// Find routes a line through waypoints that Wrong has nothing against: straight
// where no roads are known or no way leads there. Errors: *Failure of the service.
func (f *Finder) Find(ctx context.Context, waypoints []geo.LatLng) (Way, error) {
	way, err := f.along(ctx, waypoints)
	if errors.Is(err, errNoWay) {
		way = Way{Points: waypoints, DistanceM: lengthM(waypoints)}
	} else if err != nil {
		return Way{}, err
	}
	if parts := way.parts; f.Roads != nil && len(parts) > 0 {
		way.Start = f.Roads.Beside(way.Points[0], parts[0].road, nearM)
		way.End = f.Roads.Beside(way.Points[len(way.Points)-1], parts[len(parts)-1].road, nearM)
	}
	way.Road = longest(way.parts)
	way.Points = thinned(way.Points)
	return way, nil
}

// Ahead follows the road at a place for so many meters with its traffic; the
// heading (degrees) chooses the way round and, where no road is, the straight line.
func (f *Finder) Ahead(at geo.LatLng, headingDeg, meters float64) Way {
	if f.Roads != nil {
		if line, _ := f.Roads.Downstream(at, headingDeg, snapM, meters); len(line) >= 2 {
			here, _ := f.Roads.Nearest(line[0].Lat, line[0].Lng, headingDeg)
			road := called(here.Name, here.Ref, here.Class)
			return Way{Points: thinned(line), DistanceM: lengthM(line), IsRouted: true, Road: road,
				Start: f.Roads.Beside(line[0], road, nearM), End: f.Roads.Beside(line[len(line)-1], road, nearM)}
		}
	}
	north, east := math.Cos(headingDeg*math.Pi/180)*meters, math.Sin(headingDeg*math.Pi/180)*meters
	to := geo.LatLng{Lat: at.Lat + north/meterDeg, Lng: at.Lng + east/meterDeg/math.Max(0.01, math.Cos(at.Lat*math.Pi/180))}
	return Way{Points: []geo.LatLng{at, to}, DistanceM: meters}
}

// RoadOf is what the road in the middle of a line is called: by the map, where its
// way leads. Empty where none is within 40 m, or it has neither name nor number.
func (f *Finder) RoadOf(line []geo.LatLng) string {
	if f.Roads == nil || len(line) < 2 || !(lengthM(line) > 0) {
		return ""
	}
	const parts, middle = 21, 10 // the way of the traffic over a tenth of it
	places := spread(line, parts)
	at := places[middle]
	road, ok := f.Roads.Nearest(at.Lat, at.Lng, geo.HeadingDeg(places[middle-1], places[middle+1]))
	if !ok || road.DistanceM > nearM {
		return ""
	}
	return called(road.Name, road.Ref, road.Class)
}

func (f *Finder) along(ctx context.Context, waypoints []geo.LatLng) (Way, error) {
	if f.URL != "" {
		return f.ask(ctx, waypoints)
	}
	if f.Roads == nil {
		return Way{}, errNoWay
	}
	// A click beside a divided highway means the carriageway that leads on from
	// there; one on a road with bends means the road. The shorter drive was meant.
	best := Way{DistanceM: math.Inf(1)}
	for _, headings := range [][]float64{headingsOf(waypoints), nil} {
		route, err := f.Roads.Route(ctx, waypoints, route.RouteOptions{SnapM: snapM, Headings: headings})
		if err == nil && len(route.Points) >= 2 && route.DistanceM < best.DistanceM {
			best = Way{Points: route.Points, DistanceM: route.DistanceM, IsRouted: true, parts: namesOf(route.Steps)}
		}
	}
	if !best.IsRouted {
		return Way{}, errNoWay
	}
	return best, nil
}

// stretch is a part of a way on one road.
type stretch struct {
	road string
	m    float64
}

func namesOf(steps []route.Step) (out []stretch) {
	for _, s := range steps {
		out = append(out, stretch{called(s.Name, s.Ref, s.Class), s.DistanceM})
	}
	return out
}

// called is a road by its name, a motorway by its number.
func called(name, ref, class string) string {
	ref, _, _ = strings.Cut(ref, ";")
	if name == "" || ref != "" && class == "motorway" {
		return route.RoadText(ref)
	}
	return name
}

// longest is the road that most of the named way is on.
func longest(parts []stretch) (road string) {
	sum := map[string]float64{}
	for _, p := range parts {
		if sum[p.road] += p.m; p.road != "" && (road == "" || sum[p.road] > sum[road]) {
			road = p.road
		}
	}
	return road
}

// headingsOf are the directions of travel at waypoints, degrees.
func headingsOf(waypoints []geo.LatLng) []float64 {
	out := make([]float64, len(waypoints))
	for i := range waypoints {
		out[i] = geo.HeadingDeg(waypoints[max(0, i-1)], waypoints[min(i+1, len(waypoints)-1)])
	}
	return out
}

func pairs(line []geo.LatLng) (out [][2]geo.LatLng) {
	for i := 1; i < len(line); i++ {
		out = append(out, [2]geo.LatLng{line[i-1], line[i]})
	}
	return out
}

func lengthM(line []geo.LatLng) (m float64) {
	for _, p := range pairs(line) {
		m += geo.DistanceM(p[0], p[1])
	}
	return m
}

// thinned is a line with no more points than a closure keeps: the nearest to their neighbors go.
func thinned(line []geo.LatLng) []geo.LatLng {
	for apart := 5.0; len(line) > mostPoints; apart *= 2 {
		end, kept := line[len(line)-1], line[:1:1]
		for _, p := range line[1 : len(line)-1] {
			if geo.DistanceM(kept[len(kept)-1], p) >= apart {
				kept = append(kept, p)
			}
		}
		line = append(kept, end)
	}
	return line
}
