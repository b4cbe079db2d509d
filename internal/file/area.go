// Package file reads and writes the files that people exchange with us: areas as
// GeoJSON and KML, assets and the audit log as CSV, hazards as CSV and GeoJSON.
// What an export writes, an import reads. Nouns go in and bytes come out, and
// back; what a noun may be, its law says (fleet).
package file

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"lightbar/catalog"
	"lightbar/internal/fleet"
)

// Areas are GeoJSON (RFC 7946) or KML 2.2. A feature is one area. Its properties
// have the names of the wire (id, name, desc, ez_type, radius_dist, is_active,
// lat, lng, …); a Point is the middle of a circle.

// AreaFeature is an area as a file says it.
type AreaFeature struct {
	No int // its place in the file, from 1
	// Said are its properties by their names in small letters, as text.
	Said map[string]string
	// Geometry is its shape as a GeoJSON geometry; empty for a circle about Lat, Lng.
	Geometry string
	Lat, Lng float64
	// Problem says why it cannot be an area, whatever its properties; empty = nothing.
	Problem string
}

var (
	areaFileBytes = catalog.Setting("areaImport", "bytes")
	areaFeatures  = catalog.Setting("areaImport", "features")
)

// What is wrong with a feature as such.
const (
	featureUnreadable = "This isn't a GeoJSON feature."
	featureNoShape    = "It has no shape."
	featureOtherShape = "Its shape must be a Polygon, MultiPolygon, LineString, or Point."
	featurePoint      = "Its position must be a longitude and a latitude on the map."
)

// checkFileSize refuses a file of more bytes than a limit (too_large).
func checkFileSize(text string, most int) error {
	if len(text) <= most {
		return nil
	}
	return fleet.Refuse("too_large", "content", fmt.Sprintf("The file is larger than %s MB. Split it and try again.",
		strconv.FormatFloat(float64(most)/(1<<20), 'f', -1, 64)))
}

// ReadAreas reads a file. What makes it unusable as a whole is a refusal
// (too_large, validation_failed with field content); what is wrong with one
// feature is its Problem, or a breach of the law of areas.
func ReadAreas(format, text string) ([]AreaFeature, error) {
	if err := checkFileSize(text, areaFileBytes.Int()); err != nil {
		return nil, err
	}
	if !utf8.ValidString(text) {
		return nil, refuseAreaFile("The file isn't UTF-8 text. Save it as UTF-8 and try again.")
	}
	text = strings.TrimPrefix(text, "\ufeff")
	if format == "kml" {
		return readKML(text)
	}
	return readGeoJSON(text)
}

func refuseAreaFile(sentence string) error {
	return fleet.Refuse("validation_failed", "content", sentence)
}

func refuseManyAreas() error {
	return refuseAreaFile(fmt.Sprintf("The file has more than %d features. Split it and try again.", areaFeatures.Int()))
}

type areaGeometry struct {
	Type        string          `json:"type"`
	Coordinates json.RawMessage `json:"coordinates"`
}

func readGeoJSON(text string) ([]AreaFeature, error) {
	var file struct {
		Type     string            `json:"type"`
		Features []json.RawMessage `json:"features"`
	}
	if err := json.Unmarshal([]byte(text), &file); err != nil {
		return nil, refuseAreaFile("The file isn't GeoJSON: " + syntaxPlace(text, err) + ".")
	}
	switch file.Type {
	case "FeatureCollection":
	case "Feature":
		file.Features = []json.RawMessage{json.RawMessage(text)}
	default:
		return nil, refuseAreaFile("The file isn't GeoJSON: a FeatureCollection is needed.")
	}
	if len(file.Features) > areaFeatures.Int() {
		return nil, refuseManyAreas()
	}
	out := make([]AreaFeature, len(file.Features))
	for i, raw := range file.Features {
		out[i] = geoJSONFeature(raw)
		out[i].No = i + 1
	}
	return out, nil
}

// syntaxPlace says where JSON breaks.
func syntaxPlace(text string, err error) string {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return "it can't be read at line " + strconv.Itoa(1+strings.Count(text[:min(int(syntax.Offset), len(text))], "\n"))
	}
	return "a FeatureCollection is needed"
}

func geoJSONFeature(raw []byte) (f AreaFeature) {
	var in struct {
		Type       string
		ID         json.RawMessage
		Properties map[string]json.RawMessage
		Geometry   *areaGeometry
	}
	if json.Unmarshal(raw, &in) != nil || in.Type != "Feature" {
		return AreaFeature{Problem: featureUnreadable}
	}
	f.Said = map[string]string{}
	if in.ID != nil {
		f.say("id", plainJSON(in.ID))
	}
	for _, name := range slices.Sorted(maps.Keys(in.Properties)) {
		f.say(name, plainJSON(in.Properties[name]))
	}
	if in.Geometry == nil {
		f.Problem = featureNoShape
		return f
	}
	f.take(*in.Geometry)
	return f
}

// plainJSON is a text, a number or a truth value as text; anything else says nothing.
func plainJSON(raw json.RawMessage) string {
	var text string
	switch {
	case json.Unmarshal(raw, &text) == nil:
		return text
	case len(raw) == 0 || raw[0] == '{' || raw[0] == '[' || string(raw) == "null":
		return ""
	}
	return string(raw)
}

// say notes a property.
func (f *AreaFeature) say(name, text string) {
	if text != "" {
		f.Said[strings.ToLower(strings.TrimSpace(name))] = text
	}
}

// take notes a geometry: of a Point its position, of shapes the text.
func (f *AreaFeature) take(g areaGeometry) {
	switch g.Type {
	case "Point":
		var at fleet.Position
		if json.Unmarshal(g.Coordinates, &at) != nil || !fleet.OnMap(at[1], at[0]) {
			f.Problem = featurePoint
			return
		}
		f.Lat, f.Lng = at[1], at[0]
	case "Polygon", "MultiPolygon", "LineString":
		text, err := json.Marshal(g)
		if err != nil {
			f.Problem = featureOtherShape
			return
		}
		f.Geometry = string(text)
	case "MultiPoint", "MultiLineString": // as other programs write one of them
		var parts []json.RawMessage
		if json.Unmarshal(g.Coordinates, &parts) != nil || len(parts) != 1 {
			f.Problem = featureOtherShape
			return
		}
		f.take(areaGeometry{strings.TrimPrefix(g.Type, "Multi"), parts[0]})
	default:
		f.Problem = featureOtherShape
	}
}

// saidOfArea are the properties of an area in the order of a file, none that is empty.
func saidOfArea(a *fleet.Area) [][2]string {
	number := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	out := [][2]string{{"id", a.ID}, {"name", a.Name}, {"desc", a.Description}, {"ez_type", a.Kind}, {"thing_id", a.ThingID}}
	if a.Geometry == "" {
		out = append(out, [2]string{"radius_dist", number(a.RadiusM)})
	} else {
		out = append(out, [2]string{"lat", number(a.Lat)}, [2]string{"lng", number(a.Lng)})
	}
	out = append(out, [2]string{"is_active", strconv.FormatBool(!a.Inactive)}, [2]string{"address1", a.Address1},
		[2]string{"address2", a.Address2}, [2]string{"city", a.City}, [2]string{"state", a.State},
		[2]string{"postal_code", a.PostalCode}, [2]string{"country_code", a.CountryCode})
	return slices.DeleteFunc(out, func(p [2]string) bool { return p[1] == "" })
}

// shapeText is an area's shape as a GeoJSON geometry, a circle's middle as a Point.
func shapeText(a *fleet.Area) json.RawMessage {
	if a.Geometry != "" {
		return json.RawMessage(a.Geometry)
	}
	at, _ := json.Marshal([2]float64{a.Lng, a.Lat})
	return json.RawMessage(`{"type":"Point","coordinates":` + string(at) + "}")
}

// WriteAreasGeoJSON writes areas as a FeatureCollection, a feature on a line.
func WriteAreasGeoJSON(w io.Writer, areas []fleet.Area) error {
	type feature struct {
		Type       string            `json:"type"`
		ID         string            `json:"id"`
		Geometry   json.RawMessage   `json:"geometry"`
		Properties map[string]string `json:"properties"`
	}
	if _, err := io.WriteString(w, `{"type":"FeatureCollection","features":[`); err != nil {
		return err
	}
	for i := range areas {
		next := feature{Type: "Feature", ID: areas[i].ID, Geometry: shapeText(&areas[i]), Properties: map[string]string{}}
		for _, p := range saidOfArea(&areas[i]) {
			next.Properties[p[0]] = p[1]
		}
		text, err := json.Marshal(next)
		if err != nil {
			return err
		}
		before := ",\n"
		if i == 0 {
			before = "\n"
		}
		if _, err := w.Write(append([]byte(before), text...)); err != nil {
			return err
		}
	}
	_, err := io.WriteString(w, "\n]}\n")
	return err
}
