package fleet

import (
	"math"

	"lightbar/catalog"
)

var (
	sphereRadiusM = catalog.Limit("area", "sphereRadiusM")
	maxShapeM2    = catalog.Limit("area", "maxSquareMiles") * catalog.Limit("area", "metersPerMile") * catalog.Limit("area", "metersPerMile")
	maxVertices   = int(catalog.LimitInt("area", "maxVertices"))
	circleMinM    = catalog.Limit("area", "circleMinM")
	circleMaxM    = catalog.Limit("area", "circleMaxM")
)

// The law's messages about a shape; the web has the same (catalog/vectors/shapes.json).
const (
	shapeTooLarge   = "Polygon area is too large, please keep area under .5 square miles"
	shapeTooFew     = "Exclusions must have at least 3 points"
	shapeUnreadable = "Exclusion shape is invalid: it must be a GeoJSON Polygon, MultiPolygon or LineString"
	shapeOffMap     = "Exclusion shape is invalid: a point is not on the map"
	shapeAltitude   = "Exclusion shape is invalid: an altitude must be from -100000 to 100000 meters"
	shapeTooMany    = "Exclusion shape is invalid: it has more than 2000 points"
	shapeOpen       = "Exclusion shape is invalid: a ring must end where it begins"
	shapeShortLine  = "Exclusion shape is invalid: a line must have at least 2 points"
	shapeCrossed    = "Exclusion shape is invalid: its outline crosses or touches itself"
	shapeHole       = "Exclusion shape is invalid: a hole must be inside its outline and outside other holes"
	shapeOverlap    = "Exclusion shape is invalid: its parts overlap"
	shapePole       = "Exclusion shape is invalid: it reaches a pole"
	shapeMeridian   = "Exclusion shape is invalid: it crosses the 180th meridian"
	circleRadius    = "The radius must be from 1 to 641 meters"
	circleOffMap    = "The center is not on the map"
)

// spot is a place on the grid of stored positions, in 1e-7 degrees: x is east, y north.
type spot struct{ x, y int32 }

func spotOf(lat, lng float64) spot { return spot{ToFixed(lng), ToFixed(lat)} }

// Shape is where a noun stands on the map: polygons with holes, a line, or a
// circle. Corners lie on the grid of stored positions (1e-7 degrees, about a
// centimeter), so what is inside is decided in whole numbers, on the outline
// too. It is prepared once and never changed: any number of readers share it.
type Shape struct {
	kind     shapeKind
	lo, hi   spot // the bounding box
	lat, lng float64
	radiusM  float64
	strips   strips // in the shape itself: a reader of many shapes waits for memory more than for anything
	areaM2   float64
	sketch   sketch
}

type shapeKind uint8

const (
	shapeCircle shapeKind = iota
	shapePolygon
	shapeLine
)

// ParseShape reads a GeoJSON geometry that somebody sent (longitude first; altitudes are dropped), and checks it by the law:
// Polygon, MultiPolygon or LineString, at most 2,000 vertices, closed simple rings, 0.5 square miles of 1609 m, not across the
// 180th meridian or a pole. Refusal: validation_failed of area_geom.
func ParseShape(geometry []byte) (*Shape, error) {
	g, err := decodeGeometry(geometry)
	if err != nil {
		return nil, err
	}
	if sentence := g.breach(); sentence != "" {
		return nil, refuseShape(sentence)
	}
	s := g.shape()
	if s.areaM2 > maxShapeM2 {
		return nil, refuseShape(shapeTooLarge)
	}
	return s, nil
}

// ReadShape reads a stored shape, perhaps from under an earlier law: anything that can be drawn and matched. The error is a refusal
// of area_geom.
func ReadShape(geometry []byte) (*Shape, error) {
	g, err := decodeGeometry(geometry)
	if err != nil {
		return nil, err
	}
	if sentence := g.unplaced(); sentence != "" {
		return nil, refuseShape(sentence)
	}
	return g.shape(), nil
}

// ParseCircle makes a circle of 1 to 641 m by the law. Refusals:
// validation_failed of radius_dist and of point_geom.
func ParseCircle(lat, lng, radiusM float64) (*Shape, error) {
	switch {
	case !(radiusM >= circleMinM && radiusM <= circleMaxM):
		return nil, Refuse("validation_failed", "radius_dist", circleRadius)
	case !OnMap(lat, lng):
		return nil, Refuse("validation_failed", "point_geom", circleOffMap)
	}
	reach := radiusM / metersPerDegree
	if math.Abs(lat)+reach >= 90 {
		return nil, Refuse("validation_failed", "point_geom", shapePole)
	}
	if math.Abs(lng)+wide(lat, reach) > 180 {
		return nil, Refuse("validation_failed", "point_geom", shapeMeridian)
	}
	return newCircle(lat, lng, radiusM), nil
}

// newCircle makes a circle without asking the law.
func newCircle(lat, lng, radiusM float64) *Shape {
	reach := radiusM / metersPerDegree
	s := &Shape{lat: lat, lng: lng, radiusM: radiusM}
	half := math.Sin(radiusM / sphereRadiusM / 2)
	s.areaM2 = 4 * math.Pi * sphereRadiusM * sphereRadiusM * half * half
	east := wide(lat, reach)
	s.lo = spot{clampFixed(math.Floor((lng-east)*fixed), 180), clampFixed(math.Floor((lat-reach)*fixed), 90)}
	s.hi = spot{clampFixed(math.Ceil((lng+east)*fixed), 180), clampFixed(math.Ceil((lat+reach)*fixed), 90)}
	s.sketch = sketchCircle(s.lo, s.hi, lat, radiusM)
	return s
}

// wide is how far a circle reaches east, in degrees: as DistanceM measures, at the latitude where it is widest.
func wide(lat, reach float64) float64 {
	c := math.Cos(math.Min(90, math.Abs(lat)+reach/2) * math.Pi / 180)
	return math.Min(180, reach/c)
}

func clampFixed(v, deg float64) int32 { return int32(math.Max(-deg*fixed, math.Min(deg*fixed, v))) }

// OnMap reports whether a position is one: not beyond a pole or the 180th meridian.
func OnMap(lat, lng float64) bool {
	return lat >= -90 && lat <= 90 && lng >= -180 && lng <= 180
}

func refuseShape(sentence string) error { return Refuse("validation_failed", "area_geom", sentence) }

// CheckExclusion refuses a line, which nobody can enter: exclusions have at least 3 points.
func (s *Shape) CheckExclusion() error {
	if s.kind == shapeLine {
		return refuseShape(shapeTooFew)
	}
	return nil
}

// IsLine reports whether the shape has no inside.
func (s *Shape) IsLine() bool { return s.kind == shapeLine }

// IsCircle reports whether the shape is a circle; radiusM is its radius.
func (s *Shape) IsCircle() (radiusM float64, ok bool) { return s.radiusM, s.kind == shapeCircle }

// AreaM2 is the size in square meters on the sphere; 0 for a line.
func (s *Shape) AreaM2() float64 { return s.areaM2 }

// Anchor is the place of a marker or a name: within the shape, or on the line.
func (s *Shape) Anchor() (lat, lng float64) { return s.lat, s.lng }

// Box is the bounding box in degrees: minimum and maximum [lng, lat].
func (s *Shape) Box() (lo, hi [2]float64) {
	return [2]float64{FromFixed(s.lo.x), FromFixed(s.lo.y)}, [2]float64{FromFixed(s.hi.x), FromFixed(s.hi.y)}
}

// Contains reports whether a position lies in the shape or on its outline. A line
// contains nothing.
func (s *Shape) Contains(lat, lng float64) bool {
	p := spotOf(lat, lng)
	v := s.sketch.judge(p)
	return v == inside || v == unsure && s.decide(p)
}

// decide reports whether a spot of the box lies in the shape.
func (s *Shape) decide(p spot) bool {
	if s.kind == shapeCircle {
		return DistanceM(FromFixed(p.y), FromFixed(p.x), s.lat, s.lng) <= s.radiusM
	}
	return s.kind == shapePolygon && s.strips.contain(p, s.lo.y)
}

// DistanceFromM is how far a position lies from the shape, 0 within it.
func (s *Shape) DistanceFromM(lat, lng float64) float64 {
	if s.Contains(lat, lng) {
		return 0
	}
	if s.kind == shapeCircle {
		return math.Max(0, DistanceM(lat, lng, s.lat, s.lng)-s.radiusM)
	}
	nearest := math.Inf(1)
	for _, e := range s.strips.edges {
		nearest = math.Min(nearest, segmentM(lat, lng, e.a, e.b))
	}
	return nearest
}

// DistanceFromLineM is how far a position lies from a line.
func DistanceFromLineM(lat, lng float64, line []LatLng) float64 {
	nearest := math.Inf(1)
	for i := range line {
		from := spotOf(line[max(i-1, 0)].Lat, line[max(i-1, 0)].Lng)
		nearest = math.Min(nearest, segmentM(lat, lng, from, spotOf(line[i].Lat, line[i].Lng)))
	}
	return nearest
}

// segmentM is the distance to the segment p–q.
func segmentM(lat, lng float64, p, q spot) float64 {
	k := math.Cos(lat * math.Pi / 180)
	px, py := (FromFixed(p.x)-lng)*k, FromFixed(p.y)-lat
	dx, dy := (FromFixed(q.x)-FromFixed(p.x))*k, FromFixed(q.y)-FromFixed(p.y)
	t := 0.0
	if l := dx*dx + dy*dy; l > 0 {
		t = math.Max(0, math.Min(1, -(px*dx+py*dy)/l))
	}
	x, y := px+t*dx, py+t*dy
	return math.Sqrt(x*x+y*y) * metersPerDegree
}
