package geo

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// Coordinates as people and programs write them, latitude first unless letters or labels show otherwise. The web app reads the same
// (web/src/lib/coordinates.ts); catalog/vectors/coordinates.json pins both.
const (
	mostOfPosition = 200 // characters
	minuteOrSecond = `(\d{1,2}(?:[.,]\d+)?)`
	// Degrees, then minutes, then seconds, as far as they are given.
	angle   = `(\d{1,3}(?:[.,]\d+)?)(?:(?:\s*[°:]\s*|\s+|-)` + minuteOrSecond + `(?:(?:\s*[':]\s*|\s+|-)` + minuteOrSecond + `)?)?\s*[°'"]?`
	marked  = `(\d{1,3})\s*°(?:\s*` + minuteOrSecond + `(?:(?:\s*'\s*|\s+)` + minuteOrSecond + `)?)?\s*['"]?`
	decimal = `([+-]?\d{1,3}(?:\.\d+)?)`
	pointed = `([+-]?\d{1,3}\.\d+)`
	commaed = `([+-]?\d{1,3},\d+)`
	between = `\s*[,;]?\s*`
)

var (
	// Two numbers, latitude first.
	plainPairs = []*regexp.Regexp{
		regexp.MustCompile(`^` + decimal + `\s*°?(?:\s*[,;]\s*|\s+)` + decimal + `\s*°?$`),
		// Decimal commas: the comma that parts the two has a blank or a sign behind it.
		regexp.MustCompile(`^` + commaed + `\s*°?(?:\s*[;/]\s*|\s*,\s+|\s+)` + commaed + `\s*°?$`),
		regexp.MustCompile(`^` + commaed + `\s*°?,([+-]\d{1,3},\d+)\s*°?$`),
		regexp.MustCompile(`^` + pointed + `\s*/\s*` + pointed + `$`),
		regexp.MustCompile(`^([+-]\d{1,2}(?:\.\d+)?)([+-]\d{1,3}(?:\.\d+)?)/?$`), // ISO 6709
	}
	// Where links have the place: a pin before what the map looks at.
	linkPairs = []*regexp.Regexp{
		regexp.MustCompile(`!3D` + decimal + `!4D` + decimal),
		regexp.MustCompile(`[?&]MLAT=` + decimal + `&MLON=` + decimal),
		regexp.MustCompile(`[?&](?:Q|QUERY|LL|DADDR|DESTINATION|COORDINATE)=(?:LOC:)?` + decimal + `,\+?` + decimal),
		regexp.MustCompile(`/MAPS/(?:SEARCH|PLACE)/` + decimal + `,\+?` + decimal + `(?:[/?&#]|$)`),
		regexp.MustCompile(`[@]` + decimal + `,` + decimal),
		regexp.MustCompile(`#MAP=[\d.]+/` + decimal + `/` + decimal),
	}
	lettersBehind = regexp.MustCompile(`^` + angle + `\s*([NSEW])` + between + angle + `\s*([NSEW])$`)
	lettersBefore = regexp.MustCompile(`^([NSEW])\s*` + angle + between + `([NSEW])\s*` + angle + `$`)
	signed        = regexp.MustCompile(`^([+-]?)` + marked + between + `([+-]?)` + marked + `$`)
	wkt           = regexp.MustCompile(`^(?:SRID=4326;)?\s*POINT\s*Z?M?\s*\(\s*` + decimal + `\s+` + decimal + `(?:\s+[\d.+-]+){0,2}\s*\)$`)

	latLabel   = `LAT(?:ITUDE)?\.?\s*[:=]?\s*`
	lngLabel   = `(?:LONG?(?:ITUDE)?|LNG)\.?\s*[:=]?\s*`
	latFirst   = regexp.MustCompile(`^` + latLabel + `(.+?)\s*[,;&]?\s*` + lngLabel + `(.+)$`)
	lngFirst   = regexp.MustCompile(`^` + lngLabel + `(.+?)\s*[,;&]?\s*` + latLabel + `(.+)$`)
	geoURI     = regexp.MustCompile(`^GEO:([^;?]*)`)
	geoPin     = regexp.MustCompile(`^GEO:0,0\?(?:[^#]*&)?Q=(?:LOC:)?([^&(]*)`) // Android: the search of a map that looks anywhere
	bracketed  = regexp.MustCompile(`^[(\[{]([^()\[\]{}]*)[)\]}]$`)
	letterD    = regexp.MustCompile(`(\d)\s*D\s*(\d)`) // 39d44'41"
	letterMS   = regexp.MustCompile(`(°[\d.,]+)\s*M\s*(?:([\d.,]+)\s*S)?`)
	unitWords  = regexp.MustCompile(`DEG(?:REES?)?\.?`)
	minuteWord = regexp.MustCompile(`MIN(?:UTES?)?\.?`)
	secondWord = regexp.MustCompile(`SEC(?:ONDS?)?\.?`)
	sideWords  = regexp.MustCompile(`\b(N)ORTH\b|\b(S)OUTH\b|\b(E)AST\b|\b(W)EST\b`)

	// One way of writing for each sign that people and programs have for the same.
	signs = strings.NewReplacer("\u2212", "-", "\u2010", "-", "\u2011", "-", "\u2012", "-", "\u2013", "-", "º", "°", "˚", "°",
		"″", `"`, "“", `"`, "”", `"`, "′", "'", "’", "'", "‘", "'", "´", "'", "`", "'", "\u00a0", " ", "\u202f", " ", "\u2009", " ")
)

// ReadPosition reads a position as people copy it: "39.7, -75.5", "39,7 -75,5",
// "39.7° N, 75.5° W", `39°44'41.4"N 75°32'54.2"W`, "geo:39.7,-75.5", or a link to
// a map. False for what is no place on Earth.
func ReadPosition(text string) (LatLng, bool) {
	if len([]rune(text)) > mostOfPosition {
		return LatLng{}, false
	}
	lat, lng, ok := pairOf(plainly(text))
	at := LatLng{Lat: lat, Lng: lng}
	if !ok || !(math.Abs(lat) <= 90 && math.Abs(lng) <= 180) {
		return LatLng{}, false
	}
	return at, true
}

func plainly(text string) string {
	text = strings.ToUpper(strings.TrimSpace(signs.Replace(text)))
	if m := geoPin.FindStringSubmatch(text); m != nil {
		return strings.TrimSpace(strings.NewReplacer("%2C", ",", "+", " ").Replace(m[1]))
	}
	if m := geoURI.FindStringSubmatch(text); m != nil {
		// RFC 5870: an altitude may follow, which does not affect the place.
		parts := strings.Split(m[1], ",")
		return strings.Join(parts[:min(2, len(parts))], ",")
	}
	if strings.HasPrefix(text, "HTTP://") || strings.HasPrefix(text, "HTTPS://") {
		return strings.ReplaceAll(text, "%2C", ",")
	}
	text = strings.TrimSpace(bracketed.ReplaceAllString(strings.TrimRight(text, ".,; "), "$1"))
	text = strings.ReplaceAll(text, "''", `"`)
	text = secondWord.ReplaceAllString(minuteWord.ReplaceAllString(unitWords.ReplaceAllString(text, "°"), "'"), `"`)
	text = letterD.ReplaceAllString(sideWords.ReplaceAllString(text, "$1$2$3$4"), "$1°$2")
	text = letterMS.ReplaceAllStringFunc(text, func(said string) string {
		m := letterMS.FindStringSubmatch(said)
		if m[2] == "" {
			return m[1] + "'"
		}
		return m[1] + "'" + m[2] + `"`
	})
	if m := latFirst.FindStringSubmatch(text); m != nil {
		return m[1] + "; " + m[2]
	}
	if m := lngFirst.FindStringSubmatch(text); m != nil {
		return m[2] + "; " + m[1]
	}
	return text
}

func pairOf(text string) (lat, lng float64, ok bool) {
	pairs := plainPairs
	if strings.HasPrefix(text, "HTTP") {
		pairs = linkPairs
	}
	for _, pair := range pairs {
		if m := pair.FindStringSubmatch(text); m != nil {
			return numberIn(m[1]), numberIn(m[2]), true
		}
	}
	if m := wkt.FindStringSubmatch(text); m != nil {
		return numberIn(m[2]), numberIn(m[1]), true
	}
	if m := lettersBehind.FindStringSubmatch(text); m != nil {
		return lettered(m[4], degreesOf(m[1:4]), m[8], degreesOf(m[5:8]))
	}
	if m := lettersBefore.FindStringSubmatch(text); m != nil {
		return lettered(m[1], degreesOf(m[2:5]), m[5], degreesOf(m[6:9]))
	}
	if m := signed.FindStringSubmatch(text); m != nil {
		return numberIn(m[1]+"1") * degreesOf(m[2:5]), numberIn(m[5]+"1") * degreesOf(m[6:9]), true
	}
	return 0, 0, false
}

// lettered are two angles with the letters of their hemispheres, in either order.
func lettered(one string, a float64, other string, b float64) (lat, lng float64, ok bool) {
	isLat := func(letter string) bool { return letter == "N" || letter == "S" }
	if one == "S" || one == "W" {
		a = -a
	}
	if other == "S" || other == "W" {
		b = -b
	}
	if isLat(one) == isLat(other) {
		return 0, 0, false
	}
	if isLat(one) {
		return a, b, true
	}
	return b, a, true
}

// numberIn is the value of a number, with a point or a comma before its decimals.
func numberIn(said string) float64 {
	n, err := strconv.ParseFloat(strings.Replace(said, ",", ".", 1), 64)
	if err != nil {
		return math.NaN()
	}
	return n
}

// degreesOf an angle; NaN where a part that others follow has decimals, or there
// are 60 minutes or seconds.
func degreesOf(parts []string) float64 {
	sum, unit := 0.0, 1.0
	for i, part := range parts {
		if part == "" {
			break
		}
		isLast := i == len(parts)-1 || parts[i+1] == ""
		if i > 0 && numberIn(part) >= 60 || !isLast && strings.ContainsAny(part, ".,") {
			return math.NaN()
		}
		sum += numberIn(part) / unit
		unit *= 60
	}
	return sum
}

// PositionText is "lat, lng" as the web app copies it: seven decimals, toward zero.
func PositionText(at LatLng) string {
	return coordinateText(at.Lat) + ", " + coordinateText(at.Lng)
}

func coordinateText(degrees float64) string {
	const decimals = 7
	whole, fraction, _ := strings.Cut(strconv.FormatFloat(degrees, 'f', 12, 64), ".")
	text := strings.TrimRight(whole+"."+fraction[:decimals], "0")
	if text = strings.TrimSuffix(text, "."); text == "-0" {
		return "0"
	}
	return text
}
