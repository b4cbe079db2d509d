package store

import (
	"strconv"
	"strings"

	"lightbar/internal/fleet"
)

// asLine is asJSON for a line. Lists read dozens of lines with a hundred points each, and most of the cost of such a list was
// encoding/json looking up the names of two fields per point: texts written here are read here, any other text as JSON.
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

// readNumber reads a number up to the character behind it; rest is what follows. It reads numbers that JSON and strconv read alike:
// digits, a point between digits, a minus before them.
func readNumber(text string, behind byte) (n float64, rest string, ok bool) {
	unsigned := strings.TrimPrefix(text, "-")
	whole, wholes := readDigits(0, unsigned)
	digits, parts := unsigned[wholes:], 0
	if isLed := wholes > 1 && unsigned[0] == '0'; wholes == 0 || isLed {
		return 0, "", false
	}
	if strings.HasPrefix(digits, ".") {
		if whole, parts = readDigits(whole, digits[1:]); parts == 0 {
			return 0, "", false
		}
		digits = digits[1+parts:]
	}
	if digits == "" || digits[0] != behind {
		return 0, "", false
	}
	if n = float64(whole) / tens[min(parts, exactDigits)]; wholes+parts > exactDigits {
		n, err := strconv.ParseFloat(text[:len(text)-len(digits)], 64)
		return n, digits[1:], err == nil
	}
	if len(unsigned) < len(text) {
		n = -n
	}
	return n, digits[1:], true
}

// exactDigits is how many digits a float holds exactly, and the power of ten that divides them: their quotient is the
// number that strconv would find.
const exactDigits = 15

var tens = [exactDigits + 1]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// readDigits appends the digits at the beginning of a text to a number, and returns how many there are.
func readDigits(n uint64, text string) (uint64, int) {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return n, i
		}
		n = n*10 + uint64(text[i]-'0')
	}
	return n, len(text)
}
