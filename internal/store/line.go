package store

import (
	"strconv"
	"strings"

	"lightbar/internal/fleet"
)

// asLine is asJSON of a line. Lists read dozens of lines with a hundred points each, and most of what such a list cost was
// encoding/json looking up the names of two fields a point: what was written here is read here, any other text as JSON.
func asLine(at *[]fleet.LatLng) asText {
	plain := asJSON(at)
	return asText{write: plain.write, read: func(text string) error {
		line, ok := readLine(text)
		if !ok {
			return plain.read(text)
		}
		*at = line
		return nil
	}}
}

// readLine reads a line as json.Marshal writes it; false for any other text, right or wrong.
func readLine(text string) ([]fleet.LatLng, bool) {
	const lat, lng = `{"lat":`, `"lng":`
	rest, ok := strings.CutPrefix(text, "[")
	line := make([]fleet.LatLng, 0, strings.Count(text, "{"))
	for ok {
		var p fleet.LatLng
		if rest, ok = strings.CutPrefix(rest, lat); !ok {
			break
		}
		if p.Lat, rest, ok = readNumber(rest, ','); !ok {
			break
		}
		if rest, ok = strings.CutPrefix(rest, lng); !ok {
			break
		}
		if p.Lng, rest, ok = readNumber(rest, '}'); !ok {
			break
		}
		if line = append(line, p); rest == "]" {
			return line, true
		}
		rest, ok = strings.CutPrefix(rest, ",")
	}
	return nil, false
}

// readNumber reads a number up to the sign behind it; rest is what follows that.
func readNumber(text string, behind byte) (n float64, rest string, ok bool) {
	end := strings.IndexByte(text, behind)
	if end < 0 || !isPlainNumber(text[:end]) {
		return 0, "", false
	}
	n, err := strconv.ParseFloat(text[:end], 64)
	return n, text[end+1:], err == nil
}

// isPlainNumber tells of numbers that JSON and strconv read alike: digits, a point between digits, a minus before them.
func isPlainNumber(text string) bool {
	whole, part, hasPart := strings.Cut(strings.TrimPrefix(text, "-"), ".")
	isLed := len(whole) > 1 && whole[0] == '0'
	return isDigits(whole) && !isLed && (!hasPart || isDigits(part))
}

func isDigits(text string) bool {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return text != ""
}
