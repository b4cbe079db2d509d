package places

import (
	"math"
	"strconv"
	"strings"

	"lightbar/internal/geo"
)

const (
	mileWithinM = 60.0      // a milepost farther from a road belongs to none: it may be on the other side of a broad one
	mostMile    = 1_000_000 // the largest number on a sign
)

// parseMile reads the number of a milepost, in hundredths: "12", "12.5", "12 mi", "12,5". Its unit is that of the signs there.
// False when it has no number.
func parseMile(text string) (hundredths uint32, ok bool) {
	text, _, _ = strings.Cut(strings.TrimSpace(text), " ")
	text = strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(text), "mi"), "km")
	n, err := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
	if err != nil || !(n >= 0 && n <= mostMile) {
		return 0, false
	}
	return uint32(math.Round(n * 100)), true
}

// addMiles puts the mileposts on the roads beside them.
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

// exitName is the text of an exit's name; empty for texts that are not names but were entered as such.
func (b *placesBuilder) exitName(name string) uint32 {
	if len(name) > maxName {
		return 0
	}
	return b.textOf(name)
}
