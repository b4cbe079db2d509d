package places

import (
	"math"
	"strconv"
	"strings"

	"lightbar/internal/geo"
)

const (
	mileWithinM = 60.0      // a milepost farther from a road is of none: it may stand on the other side of a broad one
	mostMile    = 1_000_000 // what a sign may say
)

// parseMile reads what a milepost says, in hundredths: "12", "12.5", "12 mi",
// "12,5". Its unit is that of the signs there. False when it says no number.
func parseMile(text string) (hundredths uint32, ok bool) {
	text, _, _ = strings.Cut(strings.TrimSpace(text), " ")
	text = strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(text), "mi"), "km")
	n, err := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
	if err != nil || !(n >= 0 && n <= mostMile) {
		return 0, false
	}
	return uint32(math.Round(n * 100)), true
}

// addMiles puts the mileposts on the roads beside which they stand.
func (b *placesBuilder) addMiles(spots []Spot) {
	for _, s := range spots {
		if s.Kind != SpotMile {
			continue
		}
		number, ok := parseMile(s.Number)
		if !ok {
			continue
		}
		e, ok := b.roads.Beside(geo.FixedLatLng(s.At), mileWithinM)
		if !ok {
			continue
		}
		for _, n := range b.namesOf(e) {
			n.miles = append(n.miles, placeMile{hundredths: number, at: s.At})
		}
	}
}

// exitName is the text of an exit's name; none of what was written in a name's place.
func (b *placesBuilder) exitName(name string) uint32 {
	if len(name) > maxName {
		return 0
	}
	return b.textOf(name)
}
