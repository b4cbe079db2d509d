package fleet

import "math"

// southernmost: no road that a feed could mean lies south of it.
const southernmost = -60

// IsSwapped recognizes a position that makes sense only with its two numbers exchanged: a latitude beyond the pole, or one in
// Antarctica, where American longitudes end up as latitudes.
func IsSwapped(lat, lng float64) bool {
	isLatitude := lng >= southernmost && lng <= 90 && lng != 0 // an exact 0 is no measured latitude
	return isLatitude && (math.Abs(lat) > 90 && math.Abs(lat) <= 180 || lat >= -90 && lat < southernmost)
}
