package fleet

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"lightbar/catalog"
)

// Speed converts meters a second to the unit of a country (two letters): mph in the mph countries, else km/h, rounded (requirements
// 9.format).
func Speed(ms float64, country string) (value int, unit string) {
	if slices.Contains(catalog.AllEnums().MphCountries, strings.ToUpper(country)) {
		return int(math.Floor(ms*2.23694 + 0.5)), "mph"
	}
	return int(math.Floor(ms*3.6 + 0.5)), "km/h"
}

// SpeedText is empty unless the speed is above 0 and the position is not stale (requirements 4.status).
func SpeedText(ms float64, country string, stale bool) string {
	if stale || ms <= 0 {
		return ""
	}
	v, unit := Speed(ms, country)
	return strconv.Itoa(v) + " " + unit
}

// Compass is one of 8 directions of 45 degrees, north at 0 (requirements 3.thing).
func Compass(courseDeg float64) string {
	names := catalog.AllEnums().Compass
	turned := math.Mod(math.Mod(courseDeg, 360)+360+22.5, 360)
	return names[int(turned/45)%len(names)]
}
