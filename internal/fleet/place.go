package fleet

import "math"

// metersPerDegree is the length of a degree of latitude on the mean sphere (IUGG R1).
var metersPerDegree = sphereRadiusM * math.Pi / 180

// DistanceM is the distance in meters between two positions in degrees. It is flat (equirectangular at the middle latitude): exact
// to 0.1 % below 50 km, which is all that the laws need.
func DistanceM(lat1, lng1, lat2, lng2 float64) float64 {
	dLng := lng2 - lng1
	if dLng > 180 {
		dLng -= 360
	} else if dLng < -180 {
		dLng += 360
	}
	dx := dLng * math.Cos((lat1+lat2)/2*math.Pi/180)
	dy := lat2 - lat1
	return math.Sqrt(dx*dx+dy*dy) * metersPerDegree
}

// Offset is the position that lies east and north meters from another one.
func Offset(lat, lng, eastM, northM float64) (float64, float64) {
	return lat + northM/metersPerDegree, lng + eastM/(metersPerDegree*math.Cos(lat*math.Pi/180))
}

// Reach is a box in degrees, minimum and maximum [lng, lat], that holds all that
// lies within some meters of a position as it is stored, and a little more.
func Reach(lat, lng, withinM float64) (lo, hi [2]float64) {
	lat, lng = FromFixed(ToFixed(lat)), FromFixed(ToFixed(lng))
	if withinM <= 0 {
		return [2]float64{lng, lat}, [2]float64{lng, lat}
	}
	north, east := Offset(lat, lng, 1.01*withinM+1, 1.01*withinM+1)
	return [2]float64{2*lng - east, 2*lat - north}, [2]float64{east, north}
}

// fixed is how positions are stored: degrees × 1e7 (requirements 9.ui, 7 decimals).
const fixed = 1e7

// ToFixed rounds degrees to the stored 1e-7 grid.
func ToFixed(deg float64) int32 { return int32(math.Round(deg * fixed)) }

// FromFixed is the inverse of ToFixed.
func FromFixed(v int32) float64 { return float64(v) / fixed }
