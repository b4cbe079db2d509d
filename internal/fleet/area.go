package fleet

import (
	"encoding/json"
	"math"

	"lightbar/catalog"
)

var stationRadiusM = catalog.Limit("area", "stationRadiusM")

// Area is a point of interest, station or exclusion zone.
type Area struct {
	ID             string
	OrganizationID string
	ThingID        string // of an asset that it goes with; empty = none
	Name           string
	Description    string
	Kind           string // name of its type, catalog/enums.json areaTypes
	IsStation      bool   // its type is a station's: units of the organization are at home in it
	IsActive       bool   // false: shown dimmed, and nothing is matched with it
	HasCenter      bool
	Lat, Lng       float64 // the middle of a circle; of another shape where its marker stands
	RadiusM        float64 // of a circle; 0 = the default station radius
	// Geometry is the shape as GeoJSON; empty for a circle.
	Geometry string
	// Rings are the polygon of Geometry, [lng, lat] as in GeoJSON; parsed where areas are matched.
	Rings                                                    [][][2]float64
	Address1, Address2, City, State, PostalCode, CountryCode string
	Version                                                  int64
	UpdatedAt                                                Instant
	DeletedAt                                                Instant
}

// ParseRings reads a GeoJSON Polygon geometry; an empty text is a circle (no rings).
func ParseRings(geometry string) ([][][2]float64, error) {
	if geometry == "" {
		return nil, nil
	}
	var g struct {
		Type        string         `json:"type"`
		Coordinates [][][2]float64 `json:"coordinates"`
	}
	if err := json.Unmarshal([]byte(geometry), &g); err != nil || g.Type != "Polygon" {
		return nil, Refuse("validation_failed", "area_geom", "Exclusion shape is invalid")
	}
	return g.Coordinates, nil
}

// DistanceFromM is how far a position lies outside the area, 0 within it: by
// circle (default radius 100 m) or polygon (specification section 4).
func (a *Area) DistanceFromM(lat, lng float64) float64 {
	if len(a.Rings) == 0 {
		if !a.HasCenter {
			return math.Inf(1)
		}
		radius := a.RadiusM
		if radius <= 0 {
			radius = stationRadiusM
		}
		return math.Max(0, DistanceM(lat, lng, a.Lat, a.Lng)-radius)
	}
	inside, nearest := false, math.Inf(1)
	for _, ring := range a.Rings {
		for i, j := 0, len(ring)-1; i < len(ring); j, i = i, i+1 {
			p, q := ring[i], ring[j]
			if (p[1] > lat) != (q[1] > lat) && lng < (q[0]-p[0])*(lat-p[1])/(q[1]-p[1])+p[0] {
				inside = !inside
			}
			nearest = math.Min(nearest, segmentM(lat, lng, p, q))
		}
	}
	if inside {
		return 0
	}
	return nearest
}

// Contains tells whether a position lies in the area.
func (a *Area) Contains(lat, lng float64) bool { return a.DistanceFromM(lat, lng) == 0 }

// segmentM is the distance to the segment p–q ([lng, lat]).
func segmentM(lat, lng float64, p, q [2]float64) float64 {
	k := math.Cos(lat * math.Pi / 180)
	px, py := (p[0]-lng)*k, p[1]-lat
	dx, dy := (q[0]-p[0])*k, q[1]-p[1]
	t := 0.0
	if l := dx*dx + dy*dy; l > 0 {
		t = math.Max(0, math.Min(1, -(px*dx+py*dy)/l))
	}
	x, y := px+t*dx, py+t*dy
	return math.Sqrt(x*x+y*y) * metersPerDegree
}

// Box is the area's bounding box in degrees: minimum and maximum [lng, lat].
func (a *Area) Box() (lo, hi [2]float64, ok bool) {
	if len(a.Rings) == 0 {
		if !a.HasCenter {
			return lo, hi, false
		}
		r := a.RadiusM
		if r <= 0 {
			r = stationRadiusM
		}
		la, ln := Offset(a.Lat, a.Lng, r, r)
		return [2]float64{2*a.Lng - ln, 2*a.Lat - la}, [2]float64{ln, la}, true
	}
	lo, hi = [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	for _, ring := range a.Rings {
		for _, p := range ring {
			for k := range 2 {
				lo[k], hi[k] = math.Min(lo[k], p[k]), math.Max(hi[k], p[k])
			}
		}
	}
	return lo, hi, lo[0] <= hi[0]
}
