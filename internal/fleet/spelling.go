package fleet

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// How senders and spreadsheets write values: one law for all wires. A text is either a value in one of its usual spellings, a usual
// way of writing "not known" (IsUnknown), or neither, which is not guessed.

// unknownWords are what programs write where they know nothing.
var unknownWords = map[string]bool{"": true, "nan": true, "-nan": true, "+nan": true, "nan(ind)": true, "-nan(ind)": true, "inf": true,
	"-inf": true, "+inf": true, "infinity": true, "-infinity": true, "+infinity": true, "1.#qnan": true, "-1.#ind": true, "1.#inf": true,
	"null": true, "(null)": true, "<null>": true, "nil": true, "none": true, "undefined": true, "unknown": true, "unavailable": true,
	"n/a": true,
	"na":  true, "#n/a": true, "-": true, "--": true, "?": true}

// IsUnknown reports whether a text in the place of a value means that there is none.
func IsUnknown(text string) bool {
	return len(text) <= spellingMax && unknownWords[strings.ToLower(strings.TrimSpace(text))]
}

// IsUTF16 reports whether a text is UTF-16: by its mark, or because it begins with an ASCII character (RFC 4627, section 3).
func IsUTF16(text string) bool {
	return len(text) >= 2 && len(text)%2 == 0 && (text[:2] == "\xff\xfe" || text[:2] == "\xfe\xff" || (text[0] == 0) != (text[1] == 0))
}

// PlainText is a text as UTF-8 without a byte order mark.
func PlainText(text string) string {
	if !IsUTF16(text) {
		return strings.TrimPrefix(text, "\ufeff")
	}
	first, second := 0, 1 // the more and the less significant byte
	if text[0] == 0xff || text[0] != 0xfe && text[1] == 0 {
		first, second = 1, 0
	}
	units := make([]uint16, 0, len(text)/2)
	for i := 0; i+1 < len(text); i += 2 {
		units = append(units, uint16(text[i+first])<<8|uint16(text[i+second]))
	}
	return strings.TrimPrefix(string(utf16.Decode(units)), "\ufeff")
}

// TextOf is a text as UTF-8. Other bytes are read as Windows-1252 (Latin-1), which older programs write; if it is UTF-8 for the
// most part, as when it was cut within a character, the unreadable bytes are replaced.
func TextOf(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	for i, r := range text {
		if r >= utf8.RuneSelf && (r != utf8.RuneError || strings.HasPrefix(text[i:], "\ufffd")) {
			return strings.ToValidUTF8(text, "\ufffd")
		}
	}
	plain, err := charmap.Windows1252.NewDecoder().String(text)
	if err != nil {
		return strings.ToValidUTF8(text, "\ufffd")
	}
	return plain
}

// spellingMax is longer than any number, word or instant that is written out.
const spellingMax = 64

// NumberOf reads a number as programs of all countries write it: 12.5, "12,5",
// 1e3, the digits of other scripts, and the minus sign of typesetters.
func NumberOf(text string) (v float64, ok bool) {
	text = strings.TrimSpace(text)
	if text == "" || len(text) > spellingMax {
		return 0, false
	}
	text = plainDigits(text)
	if strings.Count(text, ",") == 1 && !strings.Contains(text, ".") {
		text = strings.Replace(text, ",", ".", 1)
	}
	for i := range len(text) { // ParseFloat also takes what is none here: 0x1p4, inf
		if b := text[i]; (b < '0' || b > '9') && b != '.' && b != '-' && b != '+' && b != 'e' && b != 'E' {
			return 0, false
		}
	}
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil
}

// plainDigits writes the digits of any script as 0 to 9: phones format numbers
// in the language of their owner.
func plainDigits(text string) string {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return strings.Map(plainDigit, text)
		}
	}
	return text
}

func plainDigit(r rune) rune {
	switch r {
	case '\u2212', '\ufe63', '\uff0d': // minus signs
		return '-'
	case '\u066b', '\uff0e': // decimal separators
		return '.'
	case '\uff0c':
		return ','
	case '\u200e', '\u200f', '\u061c': // around numbers in text that runs from right to left
		return -1
	}
	if r < utf8.RuneSelf || !unicode.Is(unicode.Nd, r) {
		return r
	}
	for _, of := range unicode.Nd.R16 { // decimal digits lie in tens, each from its own zero on
		if uint32(r) >= uint32(of.Lo) && uint32(r) <= uint32(of.Hi) {
			return '0' + (r-rune(of.Lo))%10
		}
	}
	for _, of := range unicode.Nd.R32 {
		if uint32(r) >= of.Lo && uint32(r) <= of.Hi {
			return '0' + (r-rune(of.Lo))%10
		}
	}
	return r
}

// truthWords are the spellings of yes and no; spreadsheets write them in the language of their user.
var truthWords = map[string]bool{"true": true, "t": true, "yes": true, "y": true, "on": true, "1": true, "1.0": true,
	"wahr": true, "ja": true, "vrai": true, "oui": true, "verdadero": true, "verdadeiro": true,
	"si": true, "sí": true, "vero": true, "waar": true, "sant": true,
	"false": false, "f": false, "no": false, "n": false, "off": false, "0": false, "0.0": false, "falsch": false, "nein": false, "faux": false,
	"non": false, "falso": false, "onwaar": false, "falskt": false}

// BooleanOf reads yes or no.
func BooleanOf(text string) (yes, ok bool) {
	if len(text) > spellingMax {
		return false, false
	}
	yes, ok = truthWords[strings.ToLower(strings.TrimSpace(text))]
	return yes, ok
}

// EpochOf is the instant of a number since 1970: its size shows whether it counts seconds, milliseconds, microseconds or
// nanoseconds, each of which lies within the years 1973 to 5138.
func EpochOf(n float64) (Instant, bool) {
	switch size := math.Abs(n); {
	case math.IsNaN(n) || size >= 1e20:
		return 0, false
	case size >= 1e17:
		n /= 1e6
	case size >= 1e14:
		n /= 1e3
	case size < 1e11:
		n *= 1e3
	}
	return Instant(math.Round(n)), true
}

// dateClock is an instant written without signs; as a number it would be one of the year 2600.
const dateClock = "20060102150405"

// clockWithOffset ends an instant that has an offset from UTC.
var clockWithOffset = regexp.MustCompile(`[:T]\d{2,6}([.,]\d+)?([+-]\d{2}(:?\d{2})?|Z)$`)

// ReportInstant reads the instant of a report: an RFC 3339 text, another usual spelling of a day with a clock, or a number since
// 1970. A text without an offset is read in zone; nil = then the instant is unknown.
func ReportInstant(text string, zone *time.Location) (Instant, bool) {
	if text = strings.TrimSpace(text); len(text) > spellingMax {
		return 0, false
	}
	text = plainDigits(text)
	if len(text) == len(dateClock) && zone != nil && (text[:2] == "19" || text[:2] == "20") {
		if at, err := time.ParseInLocation(dateClock, text, zone); err == nil {
			return InstantOf(at), true
		}
	}
	if at, err := ParseInstant(text); err == nil {
		return at, true
	}
	if n, ok := NumberOf(text); ok {
		return EpochOf(n)
	}
	if !strings.Contains(text, ":") && !strings.ContainsAny(text, "Tt") { // a day is no instant
		return 0, false
	}
	if zone == nil {
		plain, _ := plainTime(text)
		if !clockWithOffset.MatchString(plain) {
			return 0, false
		}
	}
	return TimeOf(text, zone)
}
