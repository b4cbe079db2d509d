package file

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"lightbar/internal/fleet"
)

// What follows reads the geometries of GeoJSON for areas, hazards, and feeds alike.

// geoJSON is a geometry of GeoJSON.
type geoJSON struct {
	kind        string
	coordinates []byte
	system      string // that its positions are in, where that is none of ours; then nothing else of it counts
}

// Geometry is the kind and the coordinates of a geometry that lies in memory; of
// collections and lists of one it is that one.
func Geometry(ctx context.Context, raw []byte) (kind string, coordinates []byte, err error) {
	w := work{ctx: ctx}
	if err := ctx.Err(); err != nil {
		return "", nil, err
	}
	g, err := w.geometry(raw)
	if g.system != "" { // positions of another system are no coordinates, of whatever kind
		return g.system, []byte("[]"), err
	}
	return g.kind, g.coordinates, err
}

const (
	collection        = "GeometryCollection"
	mostInCollections = 1000 // geometries in one another and beside each other
)

func (w *work) geometry(value []byte) (g geoJSON, err error) {
	var parts []geoJSON
	if err := w.collect(value, 0, &parts); err != nil || len(parts) == 0 {
		return geoJSON{}, err
	}
	if at := slices.IndexFunc(parts, func(p geoJSON) bool { return p.system != "" }); at >= 0 {
		return parts[at], nil
	}
	return together(parts), nil
}

// collect takes the geometries that are no collections.
func (w *work) collect(value []byte, depth int, parts *[]geoJSON) error {
	var g geoJSON
	var inner []byte
	err := w.members(value, func(name, value []byte) error {
		switch {
		case isNamed(name, "type"):
			g.kind = kindOf(value)
		case isNamed(name, "coordinates"):
			g.coordinates = value
		case isNamed(name, "geometries"):
			inner = value
		case isNamed(name, "crs"): // PostGIS writes it here
			g.system = systemOf(value)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if g.system != "" {
		*parts = append(*parts, g)
		return nil
	}
	const deepest = 10
	if g.kind != collection || depth == deepest || len(*parts) > mostInCollections {
		one, err := w.ofOne(g)
		*parts = append(*parts, one)
		return err
	}
	before := len(*parts)
	err = w.list(inner, func(value []byte) error { return w.collect(value, depth+1, parts) })
	if len(*parts) == before { // an empty one
		*parts = append(*parts, geoJSON{kind: collection})
	}
	return err
}

// together makes one geometry of several: all of them polygons, or one line or polygon with points beside it, which mark the place
// of its name.
func together(parts []geoJSON) geoJSON {
	if len(parts) == 1 {
		return parts[0]
	}
	var shapes []geoJSON
	for _, p := range parts {
		if p.kind != "Point" && p.kind != "MultiPoint" && (p.kind != collection || p.coordinates != nil) {
			shapes = append(shapes, p)
		}
	}
	if len(shapes) == 1 {
		return shapes[0]
	}
	var polygons [][]byte
	for _, p := range shapes {
		switch list := bytes.TrimSpace(p.coordinates); {
		case p.kind == "Polygon":
			polygons = append(polygons, list)
		case p.kind == "MultiPolygon" && len(list) > 2 && list[0] == '[':
			polygons = append(polygons, list[1:len(list)-1])
		default:
			return geoJSON{kind: collection}
		}
	}
	if len(polygons) == 0 {
		return geoJSON{kind: collection}
	}
	return geoJSON{kind: "MultiPolygon", coordinates: append(append([]byte{'['}, bytes.Join(polygons, []byte(","))...), ']')}
}

// ofOne returns the only element of what other programs write as a list of one, and the one line of parts that meet.
func (w *work) ofOne(g geoJSON) (geoJSON, error) {
	single, many := strings.CutPrefix(g.kind, "Multi")
	if !many || single == "Polygon" || len(g.coordinates) == 0 || g.coordinates[0] != '[' {
		return g, nil
	}
	inner, rest := next(g.coordinates[1:])
	switch {
	case len(inner) > 0 && len(rest) > 0 && rest[0] == ']':
		return geoJSON{kind: single, coordinates: inner}, nil
	case single == "LineString":
		return w.joined(g)
	}
	return g, nil
}

// joined is one line of several that each begin where the one before ends; of others they are as they were.
func (w *work) joined(lines geoJSON) (geoJSON, error) {
	var line [][]byte
	areOne := true
	err := w.list(lines.coordinates, func(part []byte) error {
		begin := len(line)
		err := w.list(part, func(position []byte) error { line = append(line, position); return nil })
		switch {
		case len(line) == begin || begin > 0 && !isSameSpot(line[begin-1], line[begin]):
			areOne = false
		case begin > 0:
			line = slices.Delete(line, begin, begin+1)
		}
		return err
	})
	if err != nil || !areOne || len(line) == 0 {
		return lines, err
	}
	return geoJSON{kind: "LineString", coordinates: append(append([]byte{'['}, bytes.Join(line, []byte(","))...), ']')}, nil
}

func isSameSpot(a, b []byte) bool {
	one, err := fleet.ReadOutline("Point", a)
	other, also := fleet.ReadOutline("Point", b)
	if err != nil || also != nil {
		return false
	}
	at, to := one.Polygons[0][0][0], other.Polygons[0][0][0]
	return at.Lng == to.Lng && at.Lat == to.Lat
}

// systemOf is the coordinate system that a crs member names; empty = longitude and latitude of WGS 84.
func systemOf(crs []byte) string {
	if name, ok := fleet.CoordinateSystem(crs); !ok {
		return name
	}
	return ""
}

func otherSystem(name string) string {
	return "The file's coordinate system is " + shorten(name, 60) + ". Save it in WGS 84 (EPSG:4326) and try again."
}
