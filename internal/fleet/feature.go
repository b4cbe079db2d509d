package fleet

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"

	"lightbar/catalog"
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

// UnmarshalJSON implements json.Unmarshaler. Everything that it reads can be written again: a shape without a geometry is an error.
func (f *Feature) UnmarshalJSON(text []byte) error {
	type plain Feature
	*f = Feature{}
	if err := json.Unmarshal(text, (*plain)(f)); err != nil {
		return err
	}
	if f.Geometry.Type == "" {
		return errGeometry
	}
	return nil
}

// FeatureProperties are the members of a shape besides its geometry.
type FeatureProperties struct {
	RadiusM float64 `json:"radius_dist,omitempty" doc:"meters, of a circle"`
}

// Geometry is a Point (one position of one line), a LineString (one line) or a
// Polygon (its rings, closed). Positions are [lng, lat].
type Geometry struct {
	Type  string
	Lines [][][2]float64
}

var errGeometry = errors.New("the geometry must be a Point, LineString, or Polygon")

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

// UnmarshalJSON implements json.Unmarshaler. It reads what MarshalJSON wrote, without checks.
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

// Equal reports whether two collections, or none, hold the same shapes.
func (c *FeatureCollection) Equal(o *FeatureCollection) bool { return reflect.DeepEqual(c, o) }

func (c *FeatureCollection) vertices() (n int) {
	for i := range c.Features {
		for _, line := range c.Features[i].Geometry.Lines {
			n += len(line)
		}
	}
	return n
}

// featuresText bounds the text of shapes before it is read: 2,000 vertices with room to spare.
const featuresText = 256 << 10

var radiusMax = catalog.Limit("event", "radiusM")

func refuseFeatures(code, why string) *Refusal { return Refuse(code, "features", "features: "+why) }

func refuseTooLarge() *Refusal {
	return refuseFeatures("features_too_large", fmt.Sprintf("at most %d vertices", eventVertices))
}

func refuseGeometry() *Refusal {
	return refuseFeatures("features_invalid", "a GeoJSON FeatureCollection of Point, LineString and Polygon is needed; "+
		"a circle is a Point with the property radius_dist")
}

// ParseFeatures reads and checks a sender's shapes of an event. An empty collection is none (nil). Coordinates are rounded to 7
// decimals, an altitude and other properties are dropped.
func ParseFeatures(text string) (*FeatureCollection, *Refusal) {
	if len(text) > featuresText {
		return nil, refuseTooLarge()
	}
	var in struct {
		Type     string
		Features []struct {
			Type     string
			Geometry *struct {
				Type        string
				Coordinates json.RawMessage
			}
			Properties struct {
				RadiusM *float64 `json:"radius_dist"`
			}
		}
	}
	if json.Unmarshal([]byte(text), &in) != nil || in.Type != "FeatureCollection" {
		return nil, refuseGeometry()
	}
	out := &FeatureCollection{Type: in.Type}
	left := eventVertices
	for _, f := range in.Features {
		if f.Type != "Feature" || f.Geometry == nil {
			return nil, refuseGeometry()
		}
		next := Feature{Type: f.Type}
		var refusal *Refusal
		if next.Geometry, refusal = parseGeometry(f.Geometry.Type, f.Geometry.Coordinates, &left); refusal != nil {
			return nil, refusal
		}
		if r := f.Properties.RadiusM; r != nil {
			if next.Geometry.Type != "Point" || !(*r > 0 && *r <= radiusMax) {
				return nil, refuseFeatures("radius_out_of_range", fmt.Sprintf("radius_dist is for a Point, from 0 to %g meters", radiusMax))
			}
			next.Properties.RadiusM = *r
		}
		out.Features = append(out.Features, next)
	}
	if len(out.Features) == 0 {
		return nil, nil
	}
	return out, nil
}

func parseGeometry(kind string, coordinates json.RawMessage, left *int) (g Geometry, refusal *Refusal) {
	var lines [][][]float64
	var err error
	least := 1
	switch kind {
	case "Point":
		lines = [][][]float64{{nil}}
		err = json.Unmarshal(coordinates, &lines[0][0])
	case "LineString":
		lines, least = [][][]float64{nil}, 2
		err = json.Unmarshal(coordinates, &lines[0])
	case "Polygon":
		err, least = json.Unmarshal(coordinates, &lines), 4
	default:
		return g, refuseGeometry()
	}
	if err != nil || len(lines) == 0 {
		return g, refuseGeometry()
	}
	g.Type = kind
	for _, line := range lines {
		if *left -= len(line); *left < 0 {
			return g, refuseTooLarge()
		}
		own := make([][2]float64, len(line))
		for i, at := range line {
			if own[i], refusal = parsePosition(at); refusal != nil {
				return g, refusal
			}
			if i > 0 && math.Abs(own[i][0]-own[i-1][0]) > 180 {
				return g, refuseFeatures("features_across_antimeridian", "a shape can't cross the antimeridian")
			}
		}
		if len(own) < least || kind == "Polygon" && own[0] != own[len(own)-1] {
			return g, refuseFeatures("features_invalid",
				"a LineString has at least 2 positions, each ring of a Polygon at least 4 and ends where it begins")
		}
		g.Lines = append(g.Lines, own)
	}
	return g, nil
}

func parsePosition(at []float64) (own [2]float64, refusal *Refusal) {
	switch {
	case len(at) != 2 && len(at) != 3:
		return own, refuseGeometry()
	case !(at[0] >= -180 && at[0] <= 180 && at[1] >= -90 && at[1] <= 90):
		return own, refuseFeatures("features_out_of_range", "longitude first, from -180 to 180, then latitude, from -90 to 90")
	}
	return [2]float64{FromFixed(ToFixed(at[0])), FromFixed(ToFixed(at[1]))}, nil
}
