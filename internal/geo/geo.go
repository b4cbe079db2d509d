// Package geo is what a region's packages share: positions and boxes, the files
// they lie in, and the reader of protocol buffers. geo/osm imports an extract,
// geo/tiles, geo/route, and geo/places are what it writes.
//
// Coordinates are WGS 84 degrees, distances meters, durations seconds,
// headings degrees clockwise from north.
package geo

import "math"

// The files an import writes into its destination folder.
const (
	TilesFile = "region.pmtiles"
	RoadsFile = "region.roads"
)

// Attribution must be shown wherever tiles or routes made from OpenStreetMap are.
const Attribution = "© OpenStreetMap contributors"

const (
	MetersPerDegree = 6371008.8 * math.Pi / 180 // on the mean sphere (IUGG R1)
	Fixed           = 1e7                       // stored coordinates: degrees × 1e7, as OpenStreetMap itself
)

// LatLng is a position in degrees.
type LatLng struct {
	Lat float64 `json:"lat"`
	Lng float64 `json:"lng"`
}

// Bounds is a box in degrees; it never crosses the antimeridian.
type Bounds struct {
	MinLat float64 `json:"min_lat"`
	MinLng float64 `json:"min_lng"`
	MaxLat float64 `json:"max_lat"`
	MaxLng float64 `json:"max_lng"`
}

// Contains reports whether the position lies in the box or on its edge.
func (b Bounds) Contains(lat, lng float64) bool {
	return lat >= b.MinLat && lat <= b.MaxLat && lng >= b.MinLng && lng <= b.MaxLng
}

// Center is the middle of the box.
func (b Bounds) Center() LatLng {
	return LatLng{Lat: (b.MinLat + b.MaxLat) / 2, Lng: (b.MinLng + b.MaxLng) / 2}
}

func (l LatLng) Valid() bool {
	return l.Lat >= -90 && l.Lat <= 90 && l.Lng >= -180 && l.Lng <= 180 // false for NaN
}

// DistanceM is the distance between two positions on the mean sphere (haversine).
func DistanceM(a, b LatLng) float64 {
	const rad = math.Pi / 180
	sinLat := math.Sin((b.Lat - a.Lat) * rad / 2)
	sinLng := math.Sin((b.Lng - a.Lng) * rad / 2)
	h := sinLat*sinLat + math.Cos(a.Lat*rad)*math.Cos(b.Lat*rad)*sinLng*sinLng
	return 2 * 6371008.8 * math.Asin(math.Min(1, math.Sqrt(h)))
}

// HeadingDeg is the direction from a to b, 0 ≤ h < 360; 0 when they coincide.
// It is the constant (rhumb) direction of a short segment, as drawn on the map.
func HeadingDeg(a, b LatLng) float64 {
	dx := math.Remainder(b.Lng-a.Lng, 360) * math.Cos((a.Lat+b.Lat)/2*math.Pi/180) // the shorter way over the 180th meridian
	dy := b.Lat - a.Lat
	if dx == 0 && dy == 0 {
		return 0
	}
	h := math.Atan2(dx, dy) * 180 / math.Pi
	if h < 0 {
		h += 360
	}
	if h >= 360 { // -1e-20 + 360 rounds to 360
		h = 0
	}
	return h
}

func ToFixed(deg float64) int32  { return int32(math.Round(deg * Fixed)) }
func FromFixed(v int32) float64  { return float64(v) / Fixed }
func FixedLatLng(p Point) LatLng { return LatLng{Lat: FromFixed(p.Lat), Lng: FromFixed(p.Lng)} }
func CosLat(lat float64) float64 { return math.Cos(lat * math.Pi / 180) }
func PointMeters(a, b Point) float64 {
	mid := (FromFixed(a.Lat) + FromFixed(b.Lat)) / 2
	dx := FromFixed(b.Lng-a.Lng) * CosLat(mid)
	dy := FromFixed(b.Lat - a.Lat)
	return math.Hypot(dx, dy) * MetersPerDegree
}

// Point is a stored coordinate: degrees × 1e7.
type Point struct{ Lat, Lng int32 }

// HeadingDiff is the angle between two headings, 0 to 180; NaN if one is NaN or infinite.
func HeadingDiff(a, b float64) float64 {
	d := math.Abs(math.Mod(a-b, 360))
	if d > 180 {
		d = 360 - d
	}
	return d
}
