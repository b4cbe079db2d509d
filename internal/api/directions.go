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

// DirectionsAsked are the places that a line is to go through, or its description.
type DirectionsAsked struct {
	Waypoints []fleet.LatLng `json:"waypoints,omitempty" doc:"2 to 25, in the direction of traffic, at most 200 km in all; 1 with distance_m"`
	// Of one waypoint: the road there, followed.
	HeadingDeg *float64 `json:"heading_deg,omitempty" minimum:"0" maximum:"360" doc:"which way to follow the road; default 0, which is north"`
	DistanceM  *float64 `json:"distance_m,omitempty" minimum:"10" maximum:"20000" doc:"how far to follow the road from one waypoint"`
	// Instead of waypoints: the line in words.
	Text   string        `json:"text,omitempty" doc:"a road and its limits (exits, mileposts, streets, coordinates, or Plus Codes), at most 200 characters: \"I-95 N, exit 5 to exit 7\""`
	Near   *fleet.LatLng `json:"near,omitempty" doc:"search here first"`
	Choice int           `json:"choice,omitempty" minimum:"1" maximum:"5" doc:"which of the choices for the same text and place, from 1"`
}

// Directions are a line along roads.
type Directions struct {
	Route       []fleet.LatLng `json:"route"`
	RoadName    string         `json:"road_name" doc:"name of most of it; empty = unknown"`
	StreetStart string         `json:"street_start" doc:"the cross street at its start; empty = none"`
	StreetEnd   string         `json:"street_end" doc:"the cross street at its end; empty = none"`
	DistanceM   float64        `json:"distance_m"`
	IsRouted    bool           `json:"is_routed" doc:"false: a straight line, because no road or route was found"`
	// Of a text.
	Label     string             `json:"label,omitempty" doc:"what the text means: \"I-95 N, exit 5A to exit 7\""`
	Direction string             `json:"direction,omitempty" doc:"direction of traffic, as given or as the road runs: N, E, S or W"`
	Waypoints []fleet.LatLng     `json:"waypoints,omitempty" doc:"give the same line again"`
	Choices   []DirectionsChoice `json:"choices,omitempty" doc:"possible meanings of the text, most likely first, at most 5; then there is no route"`
}

// DirectionsChoice is one of the lines that a text may mean.
type DirectionsChoice struct {
	Label string       `json:"label"`
	Near  string       `json:"near" doc:"the town it starts in or near; empty = none"`
	Start fleet.LatLng `json:"start"`
	End   fleet.LatLng `json:"end"`
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
	finder := directions.Finder{Roads: s.options.Roads, Places: s.options.Places, URL: s.options.DirectionsURL}
	if in.Text != "" {
		return s.describedDirections(ctx, &finder, in)
	}
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
	if err != nil {
		return Directions{}, s.noDirections(err)
	}
	return directionsOf(way), nil
}

// describedDirections routes the line of a text; what was not understood stands at it.
func (s *server) describedDirections(ctx context.Context, finder *directions.Finder, in DirectionsAsked) (Directions, error) {
	if len(in.Waypoints) > 0 {
		return Directions{}, refuseField("text", "Send waypoints or a text, not both.")
	}
	near := geo.LatLng{Lat: math.NaN(), Lng: math.NaN()}
	if in.Near != nil {
		near = geo.LatLng(*in.Near)
	}
	found, err := finder.Describe(ctx, in.Text, near, in.Choice)
	if err != nil {
		return Directions{}, s.noDirections(err)
	}
	out := directionsOf(found.Way)
	out.Label, out.Direction, out.Waypoints = found.Label, found.Direction, latLngs(found.Waypoints)
	for _, c := range found.Choices {
		out.Choices = append(out.Choices, DirectionsChoice{c.Label, c.Near, fleet.LatLng(c.Start), fleet.LatLng(c.End)})
	}
	return out, nil
}

// noDirections says why there is no line.
func (s *server) noDirections(err error) error {
	var unclear *directions.Unclear
	if errors.As(err, &unclear) {
		return refuseField("text", unclear.Sentence)
	}
	var failure *directions.Failure
	if !errors.As(err, &failure) {
		return err
	}
	s.app.Log.Warn("directions", "error", err)
	f := fail("directions_failed")
	if failure.Sentence != "" {
		f.Message = failure.Sentence
	}
	return f
}

func latLngs(line []geo.LatLng) []fleet.LatLng {
	out := make([]fleet.LatLng, len(line))
	for i, p := range line {
		out[i] = fleet.LatLng(p)
	}
	return out
}

func directionsOf(way directions.Way) Directions {
	return Directions{Route: latLngs(way.Points), RoadName: way.Road, StreetStart: way.Start, StreetEnd: way.End,
		DistanceM: math.Round(way.DistanceM*10) / 10, IsRouted: way.IsRouted}
}
