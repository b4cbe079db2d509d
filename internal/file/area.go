// Package file reads and writes the files that people exchange with us: areas as GeoJSON and KML, assets and the audit log as CSV,
// hazards as CSV and GeoJSON. An import reads what an export writes. Nouns go in and bytes come out, and back; the laws of nouns
// are in fleet.
package file

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
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

// AreaFeature is an area as it is in a file.
type AreaFeature struct {
	No int // its place in the file, from 1
	// Properties are its properties by their names in small letters, as text.
	Properties map[string]string
	named      string // the value of the property that the caller uses as the name
	// Geometry is its shape as a GeoJSON geometry; empty for a circle about Lat, Lng.
	Geometry string
	Lat, Lng float64
	// Problem is why it cannot be an area, whatever its properties; empty = nothing.
	Problem, ProblemField string
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
	featureBadShape   = "Exclusion shape is invalid: each position must be a longitude and a latitude."
	featurePoint      = "Its position must be a longitude and a latitude on the map."
	featureSwapped    = "Latitude and longitude are swapped: the longitude comes first."
)

// checkFileSize refuses a file of more bytes than a limit (too_large).
func checkFileSize(text string, most int) error {
	if len(text) <= most {
		return nil
	}
	return fleet.Refuse("too_large", "content", fmt.Sprintf("The file is larger than %s MB. Split it and try again.",
		strconv.FormatFloat(float64(most)/(1<<20), 'f', -1, 64)))
}

// ReadAreas reads a file. If it is unusable as a whole, that is a refusal (too_large, validation_failed with field content); what
// is wrong with one feature is its Problem, or a breach of the law of areas. nameFrom is the property with the name; empty = name.
func ReadAreas(ctx context.Context, format, nameFrom, text string) (*AreaFile, error) {
	if err := checkFileSize(text, areaFileBytes.Int()); err != nil {
		return nil, err
	}
	if !utf8.ValidString(text) {
		return nil, refuseAreaFile("The file isn't UTF-8 text. Save it as UTF-8 and try again.")
	}
	r := areaReader{work: work{ctx: ctx}, nameFrom: nameFrom, known: map[string]bool{}}
	var err error
	if text = strings.TrimPrefix(text, "\ufeff"); format == "kml" {
		err = r.readKML(text)
	} else {
		err = r.readGeoJSON(text)
	}
	if err != nil {
		return nil, err
	}
	return &r.AreaFile, nil
}

func refuseAreaFile(sentence string) error {
	return fleet.Refuse("validation_failed", "content", sentence)
}

// areaReader reads a file feature by feature.
type areaReader struct {
	work
	AreaFile
	nameFrom string
	known    map[string]bool // the names of Properties
}

// AreaFile is the content of a file of areas.
type AreaFile struct {
	Features []AreaFeature
	// Properties are the names of its features' properties that areas do not have, as it writes them: one of them may be the name.
	Properties []string
}

// mostProperties limits how many names of properties are returned.
const mostProperties = 200

// featureBytes is about what a feature takes beside its texts.
const featureBytes = 400

// take stores a feature.
func (r *areaReader) take(f AreaFeature) error {
	if len(r.Features) == areaFeatures.Int() {
		return refuseAreaFile(fmt.Sprintf("The file has more than %d features. Split it and try again.", areaFeatures.Int()))
	}
	if f.No = len(r.Features) + 1; f.named != "" {
		f.say("name", f.named)
	}
	r.Features = append(r.Features, f)
	size := featureBytes + len(f.Geometry)
	for _, text := range f.Properties {
		size += len(text)
	}
	return r.made(size)
}

func (r *areaReader) readGeoJSON(content string) error {
	if err := r.made(len(content)); err != nil {
		return err
	}
	why, err := r.features([]byte(content), func(raw []byte) error {
		f, err := r.geoJSONFeature(raw)
		if err != nil {
			return err
		}
		return r.take(f)
	})
	if err == nil && why != "" {
		err = refuseAreaFile(why)
	}
	return err
}

func (r *areaReader) geoJSONFeature(raw []byte) (f AreaFeature, err error) {
	var kind, system string
	var id, properties, geometry []byte
	err = r.members(raw, func(name, value []byte) error {
		switch {
		case isNamed(name, "type"):
			kind = kindOf(value)
		case isNamed(name, "id"):
			id = value
		case isNamed(name, "properties"):
			properties = value
		case isNamed(name, "geometry"):
			geometry = value
		case isNamed(name, "crs"):
			system = systemOf(value)
		}
		return nil
	})
	if err != nil {
		return f, err
	}
	if kind != "Feature" || !isObjectOrNull(properties) || !isObjectOrNull(geometry) {
		return AreaFeature{Problem: featureUnreadable}, nil
	}
	if err := r.members(properties, func(name, value []byte) error {
		if len(name) < longestName {
			r.say(&f, plainJSON(name), plainJSON(value))
		}
		return nil
	}); err != nil {
		return f, err
	}
	if f.Properties["id"] == "" {
		f.say("id", plainJSON(id))
	}
	if isNull(geometry) {
		f.Problem = featureNoShape
		return f, nil
	}
	g, err := r.geometry(geometry)
	if g.system = cmp.Or(system, g.system); err == nil {
		f.take(g)
	}
	return f, err
}

// areaNames are the properties that an area can have, by their names in files. Any other property of a feature is not stored.
var areaNames = map[string]bool{"id": true, "name": true, "desc": true, "description": true, "ez_type": true, "type": true,
	"thing_id": true, "is_active": true, "radius_dist": true, "radius": true, "lat": true, "lng": true, "lon": true, "address1": true,
	"address2": true, "city": true, "state": true, "postal_code": true, "country_code": true}

// longestName is more than any of these names has, however it is written.
const longestName = 200

// say sets a property, and notes that the file has it.
func (r *areaReader) say(f *AreaFeature, name, text string) {
	if text == "" {
		return
	}
	if !r.known[name] && !areaNames[strings.ToLower(strings.TrimSpace(name))] && len(r.known) < mostProperties && len(name) < longestName {
		r.known[name] = true
		r.Properties = append(r.Properties, name)
	}
	switch {
	case r.nameFrom == "":
	case name == r.nameFrom:
		f.named = text
	case f.named == "" && strings.EqualFold(strings.TrimSpace(r.nameFrom), strings.TrimSpace(name)):
		f.named = text
	}
	f.say(name, text)
}

// say sets a property. If names differ only in letter case, the one in small letters counts.
func (f *AreaFeature) say(name, text string) {
	own := strings.ToLower(strings.TrimSpace(name))
	if text == "" || !areaNames[own] || f.Properties[own] != "" && own != name {
		return
	}
	if f.Properties == nil {
		f.Properties = map[string]string{}
	}
	f.Properties[own] = text
}

// take notes a geometry.
func (f *AreaFeature) take(g geoJSON) {
	if g.system != "" {
		f.Problem = otherSystem(g.system)
		return
	}
	switch g.kind {
	case "Point", "Polygon", "MultiPolygon", "LineString":
		o, err := fleet.ReadOutline(g.kind, g.coordinates)
		switch {
		case err == nil:
			f.outline(o)
		case g.kind == "Point":
			f.Problem = featurePoint
		default:
			f.Problem, f.ProblemField = featureBadShape, "area_geom"
		}
	default:
		f.Problem = featureOtherShape
	}
}

// isSwapped recognizes a shape whose positions make sense only the other way round.
func isSwapped(o *fleet.Outline) bool {
	some := false
	for _, rings := range o.Polygons {
		for _, ring := range rings {
			for _, at := range ring {
				if some = true; !fleet.IsSwapped(at.Lat, at.Lng) {
					return false
				}
			}
		}
	}
	return some
}

// outline notes a shape: of a Point its position, of the others the text.
func (f *AreaFeature) outline(o *fleet.Outline) {
	o.DropAltitudes() // optional values lose no area
	problem := o.Breach()
	switch {
	case isSwapped(o) && (f.Properties["id"] == "" || f.Properties["ez_type"] == ""): // what we wrote is where it is, in Antarctica too
		f.Problem = featureSwapped
	case o.Kind != "Point":
		if problem == "" {
			f.Geometry = o.Text()
		} else {
			f.Problem, f.ProblemField = problem, "area_geom"
		}
	case problem != "" || len(o.Polygons[0]) != 1 || len(o.Polygons[0][0]) != 1:
		f.Problem = featurePoint
	default:
		at := o.Polygons[0][0][0]
		f.Lat, f.Lng = at.Lat, at.Lng
	}
}

// propertiesOf are the properties of an area in the order of a file, none that is empty.
func propertiesOf(a *fleet.Area) [][2]string {
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

// shapeText is an area's shape as a GeoJSON geometry for a file, a circle's middle as a Point.
func shapeText(a *fleet.Area) json.RawMessage {
	if a.Geometry != "" {
		return json.RawMessage(fleet.RightHanded(a.Geometry))
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
		for _, p := range propertiesOf(&areas[i]) {
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
