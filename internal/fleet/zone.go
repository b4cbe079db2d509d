package fleet

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"lightbar/catalog"
)

var (
	zoneShapes    = int(catalog.LimitInt("zone", "shapes"))
	besideLineM   = catalog.Limit("zone", "besideLineM")
	zoneExpiryS   = catalog.LimitInt("zone", "expirySeconds")
	zoneExpiryMin = catalog.LimitInt("zone", "expirySecondsMin")
	zoneExpiryMax = catalog.LimitInt("zone", "expirySecondsMax")
)

// ZoneExpiryS is default_expiry of a new zone, in seconds.
func ZoneExpiryS() int64 { return zoneExpiryS }

// Zone is an alerting zone: drivers near it are warned while an alerting asset
// of its organization is in it.
type Zone struct {
	ID             string
	OrganizationID string
	ExternalID     string
	Kind           string // catalog/enums.json zoneTypes
	AlertMessage   string
	Description    string
	Features       *FeatureCollection // Polygons, LineStrings, and Points with a radius
	ExpiryS        int64              // how many seconds it stays active after the last asset
	// Active is what listeners were last sent, BeganAt since when it is active, LeftAt when the last asset left or last reported, 0
	// = none yet.
	Active    bool
	BeganAt   Instant
	LeftAt    Instant
	Version   int64
	UpdatedAt Instant
	DeletedAt Instant
}

// ActiveUntil is the end of the time after the last asset; 0 = there was none.
func (z *Zone) ActiveUntil() Instant {
	if z.LeftAt == 0 {
		return 0
	}
	return z.LeftAt.Add(time.Duration(z.ExpiryS) * time.Second)
}

// IsActive reports whether the zone is active at an instant, with some assets alerting in it.
func (z *Zone) IsActive(inside int, now Instant) bool { return inside > 0 || z.ActiveUntil() > now }

// SamePlace reports whether two zones lie in the same place and follow the same assets.
func (z *Zone) SamePlace(o *Zone) bool {
	return z.OrganizationID == o.OrganizationID && z.Features.Equal(o.Features)
}

// WarnsDrivers reports whether the asset makes zones active while it alerts: it is
// in service, its organization does not hide it from drivers, and its lights are no test.
func (t *Thing) WarnsDrivers() bool {
	return t.InService && t.PubliclyAlerting && !t.TestMode && t.DeletedAt == 0
}

// CheckExpiry is the law of default_expiry: empty, or what is wrong.
func (z *Zone) CheckExpiry() string {
	if z.ExpiryS < zoneExpiryMin || z.ExpiryS > zoneExpiryMax {
		return fmt.Sprintf("Must be from %d to %d seconds", zoneExpiryMin, zoneExpiryMax)
	}
	return ""
}

// The law's messages about the shapes of a zone, besides the sentences of ParseShape.
const (
	zoneUnreadable = "Zone shape is invalid: it must be a GeoJSON FeatureCollection of Polygon, LineString, or Point with radius_dist"
	zoneTooMany    = "Zone shape is invalid: it has more than 2000 points"
	zoneCorner     = "Exclusions must have"
	zoneInvalid    = "Exclusion shape is invalid"
)

// ParseZone reads the shapes that somebody sent for a zone, a GeoJSON
// FeatureCollection: each is a Polygon, a LineString, or a Point with
// radius_dist (1 to 641 meters), and holds to the law of shapes. Altitudes and
// other properties are dropped. Refusal: validation_failed of features.
func ParseZone(text []byte) (*FeatureCollection, error) {
	refuse := func(sentence string) error { return Refuse("validation_failed", "features", sentence) }
	if len(text) > featuresText {
		return nil, refuse(zoneTooMany)
	}
	var in struct {
		Type     string
		Features []struct {
			Type       string
			Geometry   json.RawMessage
			Properties struct {
				RadiusM *float64 `json:"radius_dist"`
			}
		}
	}
	if json.Unmarshal(text, &in) != nil || in.Type != "FeatureCollection" {
		return nil, refuse(zoneUnreadable)
	}
	if len(in.Features) == 0 {
		return nil, refuse("Required")
	}
	if len(in.Features) > zoneShapes {
		return nil, refuse(fmt.Sprintf("A zone may have at most %d shapes", zoneShapes))
	}
	out := &FeatureCollection{Type: in.Type}
	for _, f := range in.Features {
		var own Geometry
		var center struct{ Coordinates Position } // it takes nothing but a position
		if f.Type != "Feature" || len(f.Geometry) == 0 || json.Unmarshal(f.Geometry, &own) != nil ||
			own.Type == "Point" && json.Unmarshal(f.Geometry, &center) != nil {
			return nil, refuse(zoneUnreadable)
		}
		next := Feature{Type: f.Type, Geometry: own}
		var err error
		switch {
		case (own.Type == "Point") != (f.Properties.RadiusM != nil):
			return nil, refuse(zoneUnreadable)
		case own.Type == "Point":
			next.Properties.RadiusM = *f.Properties.RadiusM
			_, err = ParseCircle(center.Coordinates.Lat, center.Coordinates.Lng, next.Properties.RadiusM)
		default:
			_, err = ParseShape(f.Geometry)
		}
		if err != nil {
			return nil, refuse(zoneSentence(err))
		}
		out.Features = append(out.Features, next)
	}
	if out.vertices() > maxVertices {
		return nil, refuse(zoneTooMany)
	}
	out.round()
	return out, nil
}

// zoneSentence is a law's message about an exclusion, reworded for a zone.
func zoneSentence(err error) string {
	sentence := "Unknown failure"
	if refusal := (*Refusal)(nil); errors.As(err, &refusal) {
		sentence = refusal.Message
	}
	sentence = strings.Replace(sentence, zoneInvalid, "Zone shape is invalid", 1)
	return strings.Replace(sentence, zoneCorner, "Zones must have", 1)
}

// round puts positions on the grid of stored positions.
func (c *FeatureCollection) round() {
	for i := range c.Features {
		for _, line := range c.Features[i].Geometry.Lines {
			for k := range line {
				line[k] = [2]float64{FromFixed(ToFixed(line[k][0])), FromFixed(ToFixed(line[k][1]))}
			}
		}
	}
}

// Shapes are the zone's shapes, prepared. The error is of a row that cannot be read.
func (z *Zone) Shapes() (out []*Shape, err error) {
	if z.Features == nil {
		return nil, nil
	}
	for i := range z.Features.Features {
		f := &z.Features.Features[i]
		if f.Geometry.Type == "Point" {
			out = append(out, newCircle(f.Geometry.Lines[0][0][1], f.Geometry.Lines[0][0][0], f.Properties.RadiusM))
			continue
		}
		text, err := json.Marshal(f.Geometry)
		if err != nil {
			return nil, err
		}
		s, err := ReadShape(text)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

// Holds reports whether a position lies in a shape of a zone: a line, mostly a
// stretch of road, holds what is beside it, too.
func Holds(s *Shape, lat, lng float64) bool {
	if s.IsLine() {
		return s.DistanceFromM(lat, lng) <= besideLineM
	}
	return s.Contains(lat, lng)
}

// HoldsBox is the box of all positions that a shape of a zone holds: minimum and maximum [lng, lat].
func HoldsBox(s *Shape) (lo, hi [2]float64) {
	lo, hi = s.Box()
	if !s.IsLine() {
		return lo, hi
	}
	for _, lat := range []float64{lo[1], hi[1]} { // a degree of longitude is shorter near the poles
		west, _ := Reach(lat, lo[0], besideLineM)
		_, east := Reach(lat, hi[0], besideLineM)
		lo = [2]float64{math.Min(lo[0], west[0]), math.Min(lo[1], west[1])}
		hi = [2]float64{math.Max(hi[0], east[0]), math.Max(hi[1], east[1])}
	}
	return lo, hi
}
