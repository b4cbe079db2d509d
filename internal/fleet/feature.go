package fleet

import (
	"encoding/json"
	"errors"
)

// FeatureCollection is a set of shapes as GeoJSON (RFC 7946), longitude first.
type FeatureCollection struct {
	Type     string    `json:"type" enum:"FeatureCollection"`
	Features []Feature `json:"features"`
}

// Feature is one shape; a circle is a Point with a radius.
type Feature struct {
	Type       string            `json:"type" enum:"Feature"`
	Geometry   Geometry          `json:"geometry"`
	Properties FeatureProperties `json:"properties"`
}

// FeatureProperties is what a shape says beside its geometry.
type FeatureProperties struct {
	RadiusM float64 `json:"radius_dist,omitempty" doc:"meters, of a circle"`
}

// Geometry is a Point (one position of one line), a LineString (one line) or a
// Polygon (its rings, closed). Positions are [lng, lat].
type Geometry struct {
	Type  string
	Lines [][][2]float64
}

var errGeometry = errors.New("the geometry is none of Point, LineString and Polygon")

// MarshalJSON implements json.Marshaler.
func (g Geometry) MarshalJSON() ([]byte, error) {
	out := struct {
		Type        string `json:"type"`
		Coordinates any    `json:"coordinates"`
	}{Type: g.Type}
	switch {
	case g.Type == "Point" && len(g.Lines) == 1 && len(g.Lines[0]) == 1:
		out.Coordinates = g.Lines[0][0]
	case g.Type == "LineString" && len(g.Lines) == 1:
		out.Coordinates = g.Lines[0]
	case g.Type == "Polygon":
		out.Coordinates = g.Lines
	default:
		return nil, errGeometry
	}
	return json.Marshal(out)
}

// UnmarshalJSON implements json.Unmarshaler. It reads what MarshalJSON wrote; it does not judge.
func (g *Geometry) UnmarshalJSON(text []byte) error {
	var in struct {
		Type        string          `json:"type"`
		Coordinates json.RawMessage `json:"coordinates"`
	}
	if err := json.Unmarshal(text, &in); err != nil {
		return err
	}
	g.Type, g.Lines = in.Type, [][][2]float64{{{}}}
	switch in.Type {
	case "Point":
		return json.Unmarshal(in.Coordinates, &g.Lines[0][0])
	case "LineString":
		return json.Unmarshal(in.Coordinates, &g.Lines[0])
	case "Polygon":
		return json.Unmarshal(in.Coordinates, &g.Lines)
	}
	return errGeometry
}
