package places

import (
	"math"
	"strings"

	"lightbar/internal/geo"
)

// Plus Codes (Open Location Code, github.com/google/open-location-code): a grid of 1/8000° (some 14 m) written in ten letters, in
// eleven with a finer one.
const (
	plusAlphabet  = "23456789CFGHJMPQRVWX"
	plusSeparator = 8 // letters before the sign
	plusPairs     = 10
	plusMost      = 15
	plusPerDegree = 8000 // cells of ten letters
	plusLatFine   = 3125 // 5^5: rows of the finer grid within one
	plusLngFine   = 1024 // 4^5: columns
	plusRows      = 5
	plusColumns   = 4
)

// PlusCode returns the code of a position, of 10 letters (about 14 m) or 11 to 15 (3 m and finer). Empty for positions that are not
// on Earth.
func PlusCode(at geo.LatLng, letters int) string {
	if !at.Valid() {
		return ""
	}
	letters = max(plusPairs, min(plusMost, letters))
	const latUnits, lngUnits = plusPerDegree * plusLatFine, plusPerDegree * plusLngFine
	lat := min(cellsOf(at.Lat, latUnits)+90*latUnits, 180*latUnits-1)
	lng := (cellsOf(at.Lng, lngUnits) + 180*lngUnits) % (360 * lngUnits)
	var code [plusMost]byte
	for i := plusMost - 1; i >= plusPairs; i-- {
		code[i] = plusAlphabet[lat%plusRows*plusColumns+lng%plusColumns]
		lat, lng = lat/plusRows, lng/plusColumns
	}
	for i := plusPairs - 2; i >= 0; i -= 2 {
		code[i], code[i+1] = plusAlphabet[lat%20], plusAlphabet[lng%20]
		lat, lng = lat/20, lng/20
	}
	return string(code[:plusSeparator]) + "+" + string(code[plusSeparator:letters])
}

// cellsOf counts whole cells; what a product of decimals lacks to one (16.179 × 25e6) is no part of the position.
func cellsOf(deg, perDegree float64) int64 {
	return int64(math.Floor(math.Round(deg*perDegree*1e6) / 1e6))
}

// plusLetters takes a code apart: its letters, and how many are missing at its beginning (0 for a full one). False for other texts.
func plusLetters(code string) (letters string, missing int, ok bool) {
	code = strings.ToUpper(code)
	before, after, ok := strings.Cut(code, "+")
	if !ok || len(before)%2 == 1 || len(before) > plusSeparator || len(after) == 1 || before == "" && after == "" {
		return "", 0, false
	}
	if whole := strings.TrimRight(before, "0"); whole == before {
		missing = plusSeparator - len(before)
	} else if len(before) != plusSeparator || len(whole)%2 == 1 || whole == "" || after != "" {
		return "", 0, false
	} else { // "8FVC0000+": a large cell
		before = whole
	}
	letters = before + after
	if strings.Trim(letters, plusAlphabet) != "" {
		return "", 0, false
	}
	letters = letters[:min(len(letters), plusMost-missing)] // what follows is finer than a computer's numbers
	isOff := func(at, most int) bool {
		return len(letters) > at && strings.IndexByte(plusAlphabet, letters[at]) > most
	}
	if missing == 0 && (isOff(0, 8) || isOff(1, 17)) {
		return "", 0, false
	}
	return letters, missing, true
}

// IsPlusCode reports whether a word is a Plus Code, full or short.
func IsPlusCode(word string) bool {
	_, _, ok := plusLetters(word)
	return ok
}

// plusCell gives the middle of a full code's cell and its height and width in degrees.
func plusCell(letters string) (middle geo.LatLng, height, width float64) {
	lat, lng := int64(0), int64(0)
	latUnit, lngUnit := int64(plusPerDegree*plusLatFine*400), int64(plusPerDegree*plusLngFine*400)
	for i := 0; i < len(letters); i++ {
		digit := int64(strings.IndexByte(plusAlphabet, letters[i]))
		switch {
		case i < plusPairs && i%2 == 0:
			latUnit /= 20
			lat += digit * latUnit
		case i < plusPairs:
			lngUnit /= 20
			lng += digit * lngUnit
		default:
			latUnit, lngUnit = latUnit/plusRows, lngUnit/plusColumns
			lat, lng = lat+digit/plusColumns*latUnit, lng+digit%plusColumns*lngUnit
		}
	}
	const latUnits, lngUnits = float64(plusPerDegree * plusLatFine), float64(plusPerDegree * plusLngFine)
	height, width = float64(latUnit)/latUnits, float64(lngUnit)/lngUnits
	middle.Lat = min(90, float64(lat)/latUnits-90+height/2)
	middle.Lng = float64(lng)/lngUnits - 180 + width/2
	return middle, height, width
}

// ReadPlusCode gives the middle of a code's cell. A short code ("PFRW+7C") is
// the one nearest to near. False for what is no code, and for a short one
// without a place to be near to.
func ReadPlusCode(code string, near geo.LatLng) (geo.LatLng, bool) {
	letters, missing, ok := plusLetters(code)
	if !ok || missing > 0 && !near.Valid() {
		return geo.LatLng{}, false
	}
	if missing == 0 {
		middle, _, _ := plusCell(letters)
		return middle, true
	}
	prefix := strings.ReplaceAll(PlusCode(near, plusPairs), "+", "")[:missing]
	middle, _, _ := plusCell(prefix + letters)
	step := math.Pow(20, 2-float64(missing/2)) // degrees that the missing letters tell
	if half := step / 2; near.Lat+half < middle.Lat && middle.Lat-step >= -90 {
		middle.Lat -= step
	} else if near.Lat-half > middle.Lat && middle.Lat+step <= 90 {
		middle.Lat += step
	}
	if half := step / 2; near.Lng+half < middle.Lng {
		middle.Lng -= step
	} else if near.Lng-half > middle.Lng {
		middle.Lng += step
	}
	middle.Lng = math.Mod(middle.Lng+540, 360) - 180
	return middle, true
}
