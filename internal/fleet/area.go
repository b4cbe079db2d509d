package fleet

import (
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
	Inactive       bool   // shown dimmed, and nothing is matched with it
	HasCenter      bool
	Lat, Lng       float64 // the center of a circle; for other shapes, the position of the marker
	RadiusM        float64 // of a circle; 0 = the default station radius
	// Geometry is the shape as GeoJSON; empty for a circle.
	Geometry string
	// Shape is Geometry, parsed where areas are matched; nil for a circle around the position.
	Shape                                                    *Shape
	Address1, Address2, City, State, PostalCode, CountryCode string
	Version                                                  int64
	UpdatedAt                                                Instant
	DeletedAt                                                Instant
}

// Reshape checks the shape from Geometry, or else from position and radius, by the law of shapes and prepares it. isExclusion
// refuses lines. Refusals are of area_geom, radius_dist and point_geom.
func (a *Area) Reshape(isExclusion bool) (err error) {
	if a.Geometry == "" {
		a.Shape = nil
		_, err = ParseCircle(a.Lat, a.Lng, a.RadiusM)
		return err
	}
	a.RadiusM = 0
	if a.Shape, err = ParseShape([]byte(a.Geometry)); err == nil && isExclusion {
		err = a.Shape.CheckExclusion()
	}
	return err
}

// Outline is the area's shape, prepared: its own, else the circle around its
// position (default radius 100 m; requirements 9.limits); nil without either.
func (a *Area) Outline() *Shape {
	switch {
	case a.Shape != nil:
		return a.Shape
	case !a.HasCenter:
		return nil
	case a.RadiusM <= 0:
		return newCircle(a.Lat, a.Lng, stationRadiusM)
	}
	return newCircle(a.Lat, a.Lng, a.RadiusM)
}

// IsMatched reports whether positions are matched with the area: an active
// station that is still there and has an inside.
func (a *Area) IsMatched() bool {
	return a.IsStation && !a.Inactive && a.DeletedAt == 0 && (a.Shape == nil && a.HasCenter || a.Shape != nil && !a.Shape.IsLine())
}

// DistanceFromM is how far a position lies outside the area, 0 within it.
func (a *Area) DistanceFromM(lat, lng float64) float64 {
	if s := a.Outline(); s != nil {
		return s.DistanceFromM(lat, lng)
	}
	return math.Inf(1)
}

// Contains reports whether a position lies in the area or on its outline.
func (a *Area) Contains(lat, lng float64) bool {
	s := a.Outline()
	return s != nil && s.Contains(lat, lng)
}

// Box is the area's bounding box in degrees: minimum and maximum [lng, lat].
func (a *Area) Box() (lo, hi [2]float64, ok bool) {
	s := a.Outline()
	if s == nil {
		return lo, hi, false
	}
	lo, hi = s.Box()
	return lo, hi, true
}
