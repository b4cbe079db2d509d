package api

import (
	"context"
	"errors"
	"math"

	"lightbar/internal/access"
	"lightbar/internal/directions"
	"lightbar/internal/fleet"
	"lightbar/internal/geo"
)

// DirectionsAsked are the places that a line is to go through.
type DirectionsAsked struct {
	Waypoints []fleet.LatLng `json:"waypoints" doc:"2 to 25, in the direction of the traffic, together at most 200 km apart; 1 with distance_m"`
	// Of one waypoint: the road there, followed.
	HeadingDeg *float64 `json:"heading_deg,omitempty" minimum:"0" maximum:"360" doc:"which way to follow the road; default 0, which is north"`
	DistanceM  *float64 `json:"distance_m,omitempty" minimum:"10" maximum:"20000" doc:"how far to follow the road from one waypoint"`
}

// Directions are a line along roads.
type Directions struct {
	Route       []fleet.LatLng `json:"route"`
	RoadName    string         `json:"road_name" doc:"what most of it is called; empty = not known"`
	StreetStart string         `json:"street_start" doc:"the street that it meets at its start; empty = none"`
	StreetEnd   string         `json:"street_end" doc:"the street that it meets at its end; empty = none"`
	DistanceM   float64        `json:"distance_m"`
	IsRouted    bool           `json:"is_routed" doc:"false: straight, because no road is known or no way leads there"`
}

// findDirections is for those who make or edit closures. What the service says
// goes on to them; else they read the catalog's sentence.
func (s *server) findDirections(ctx context.Context, actor *access.Actor, in DirectionsAsked) (Directions, error) {
	if err := s.app.MayDrawClosure(actor); err != nil {
		return Directions{}, err
	}
	waypoints := make([]geo.LatLng, len(in.Waypoints))
	for i, p := range in.Waypoints {
		waypoints[i] = geo.LatLng(p)
	}
	finder := directions.Finder{Roads: s.options.Roads, URL: s.options.DirectionsURL}
	if len(waypoints) == 1 && in.DistanceM != nil {
		heading := 0.0
		if in.HeadingDeg != nil {
			heading = *in.HeadingDeg
		}
		return directionsOf(finder.Ahead(waypoints[0], heading, *in.DistanceM)), nil
	}
	if wrong := directions.Wrong(waypoints); wrong != "" {
		return Directions{}, refuseField("waypoints", wrong)
	}
	way, err := finder.Find(ctx, waypoints)
	var failure *directions.Failure
	if errors.As(err, &failure) {
		s.app.Log.Warn("directions", "error", err)
		f := fail("directions_failed")
		if failure.Sentence != "" {
			f.Message = failure.Sentence
		}
		return Directions{}, f
	}
	if err != nil {
		return Directions{}, err
	}
	return directionsOf(way), nil
}

func directionsOf(way directions.Way) Directions {
	out := Directions{Route: make([]fleet.LatLng, len(way.Points)), RoadName: way.Road, StreetStart: way.Start, StreetEnd: way.End,
		DistanceM: math.Round(way.DistanceM*10) / 10, IsRouted: way.IsRouted}
	for i, p := range way.Points {
		out.Route[i] = fleet.LatLng(p)
	}
	return out
}
