package fleet

import (
	"strconv"
	"strings"
	"time"
)

// timeWords are the words of a pattern and Go's for them; longer ones come first.
var timeWords = [][2]string{{"yyyy", "2006"}, {"yy", "06"}, {"y", "2006"}, {"MMMM", "January"}, {"MMM", "Jan"}, {"MM", "01"}, {"M", "1"},
	{"dd", "02"}, {"d", "2"}, {"HH", "15"}, {"H", "15"}, {"hh", "03"}, {"h", "3"}, {"mm", "04"}, {"m", "4"}, {"ss", "05"}, {"s", "5"},
	{"SSS", "000"}, {"a", "PM"}, {"XXX", "Z07:00"}}

// timeLayout is a pattern as Go writes it; empty when it has a word without a meaning, and so would fit no time. Quoted text and T
// stand for themselves.
func timeLayout(pattern string) string {
	var out strings.Builder
	for rest, isQuoted := pattern, false; rest != ""; {
		word, layout := rest[:1], rest[:1]
		switch c := rest[0]; {
		case c == '\'':
			isQuoted, layout = !isQuoted, ""
		case !isQuoted && c != 'T' && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'):
			if word, layout = timeWord(rest); word == "" {
				return ""
			}
		}
		out.WriteString(layout)
		rest = rest[len(word):]
	}
	return out.String()
}

func timeWord(text string) (word, layout string) {
	for _, w := range timeWords {
		if strings.HasPrefix(text, w[0]) {
			return w[0], w[1]
		}
	}
	return "", ""
}

// PlainBlanks replaces the blanks that programs put into times, as browsers do before AM and PM, by usual ones.
func PlainBlanks(text string) string {
	return strings.NewReplacer("\u00a0", " ", "\u202f", " ").Replace(text)
}

// timeParser reads instants as a file writes them; nil when the format is none. zone counts where a text has no offset.
func timeParser(format string, zone *time.Location) func(text string) (Instant, bool) {
	if zone == nil {
		zone = time.UTC
	}
	switch format {
	case "unix", "unix_ms":
		scale := map[string]float64{"unix": 1000, "unix_ms": 1}[format]
		return func(text string) (Instant, bool) {
			n, err := strconv.ParseFloat(text, 64)
			return Instant(n * scale), err == nil && n > 0 && n*scale < 253402300800000
		}
	case "", "iso":
		return func(text string) (Instant, bool) { return TimeOf(text, zone) }
	}
	layout := strings.ReplaceAll(timeLayout(format), " PM", "PM")
	day := time.Date(2031, 10, 23, 0, 0, 0, 0, time.UTC)
	if read, err := time.Parse(layout, day.Format(layout)); err != nil || !read.Equal(day) { // it must determine the day
		return nil
	}
	return func(text string) (Instant, bool) {
		if text = PlainBlanks(text); strings.Contains(layout, "PM") {
			text = meridiem.ReplaceAllString(strings.ToUpper(text), "${1}M$2")
		}
		at, err := time.ParseInLocation(layout, text, zone)
		year := at.UTC().Year()
		return InstantOf(at), err == nil && year > 1970 && year < 10000
	}
}
