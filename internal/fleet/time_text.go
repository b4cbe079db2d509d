package fleet

import (
	"cmp"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// timeTextMax is longer than any instant that is written out.
const timeTextMax = 64

// clocks and offsets are what may follow the day, in the forms of ISO 8601 and of common databases. Fractions of a second are read
// without being named.
var (
	dayForms    = []string{"2006-1-2", "20060102", "2006-002", "2006/1/2"}
	clockForms  = []string{"15:04:05", "15:04", "150405", "1504", "15", "3:04:05PM", "3:04PM"}
	offsetForms = []string{"Z07:00", "Z0700", "Z07"}
	// worded forms name the month, so that no day can be taken for a month.
	wordedForms = func() []string {
		out := []string{"2Jan2006:15:04:05", "2Jan06:15:04:05", "Jan 2 15:04:05 2006"}
		for _, day := range []string{"2 Jan 2006", "2 Jan 06", "Jan 2 2006"} {
			out = append(out, day+" 15:04:05", day+" 15:04", day+" 3:04:05PM", day+" 3:04PM", day)
		}
		return out
	}()
)

// zoneNames are the zones that RFC 822 names (section 5.1); nobody else writes them of an instant of his.
var zoneNames = map[string]string{"UTC": "Z", "GMT": "Z", "UT": "Z", "EST": "-05:00", "EDT": "-04:00", "CST": "-06:00", "CDT": "-05:00",
	"MST": "-07:00", "MDT": "-06:00", "PST": "-08:00", "PDT": "-07:00"}

var (
	zoneName = regexp.MustCompile(` (UTC|UT|GMT|[ECMP][SD]T)( \d{4})?$`)
	// Texts without a meaning besides the day itself: the day of the week, the rest of a month's name, an ordinal's end.
	weekday   = regexp.MustCompile(`^(MON|TUE|TUES|WED|WEDNES|THU|THUR|THURS|FRI|SAT|SATUR|SUN)(DAY)?\.?,? +`)
	monthRest = regexp.MustCompile(`(JAN|FEB|MAR|APR|JUN|JUL|AUG|SEP|OCT|NOV|DEC)(?:UARY|RUARY|CH|IL|E|Y|UST|T|TEMBER|OBER|EMBER)?\.?([ -]|$)`)
	// An offset with another name of the same behind it, as JavaScript and Python scripts write it: +00:00Z, GMT-0500 (Eastern Standard Time).
	saidTwice = regexp.MustCompile(`(?:GMT)?([+-]\d{2}:?\d{2})(?:Z| \([^()]*\))?$`)
	// Oracle's clock has dots; half a day is written with dots and blanks.
	dashedDay = regexp.MustCompile(`^(\d{1,2})-([A-Z]{3})-(\d{2,4}\b)`)
	dotClock  = regexp.MustCompile(` (\d{1,2})\.(\d{2})\.(\d{2}\b)`)
	meridiem  = regexp.MustCompile(` ?([AP])(?:M|\.M\.)(Z|[+-]\d| |$)`)
	ordinal   = regexp.MustCompile(`\b(\d{1,2})(?:ST|ND|RD|TH)\b`)
	// dotNetTime is how .NET wrote instants as JSON: its offset does not affect the instant.
	dotNetTime = regexp.MustCompile(`^/DATE\((-?\d{1,15})([+-]\d{4})?\)/$`)
)

var timeForms = func() (out []string) {
	for _, day := range dayForms {
		for _, clock := range clockForms {
			for _, offset := range append([]string{""}, offsetForms...) {
				out = append(out, day+"T"+clock+offset)
			}
		}
		out = append(out, day)
	}
	out = append(out, dateClock, dateClock[:12])
	for _, form := range wordedForms {
		out = append(out, form)
		if strings.Contains(form, ":04") {
			out = append(out, form+"Z07:00", form+"Z0700")
		}
	}
	return out
}()

// TimeOf reads an instant in any of the usual forms; zone counts where the text has no offset, nil = UTC. Instants outside the
// years 1971 to 9999 are none.
func TimeOf(text string, zone *time.Location) (Instant, bool) {
	at, ok := readTime(text, zone)
	if year := at.UTC().Year(); !ok || year <= 1970 || year >= 10000 {
		return 0, false
	}
	return InstantOf(at), true
}

func readTime(text string, zone *time.Location) (time.Time, bool) {
	if len(text) > timeTextMax || !hasYear(text) {
		return time.Time{}, false
	}
	if zone == nil {
		zone = time.UTC
	}
	if at, err := time.Parse(time.RFC3339, text); err == nil { // as nearly all of them are
		return at, true
	}
	at, isZoned := zoned(text)
	if zone = cmp.Or(at, zone); isZoned && at == nil {
		zone = nowhere
	}
	text, extra := plainTime(text)
	if said := dotNetTime.FindStringSubmatch(text); said != nil {
		ms, err := strconv.ParseInt(said[1], 10, 64)
		return time.UnixMilli(ms).UTC(), err == nil
	}
	for _, form := range timeForms {
		if at, err := time.ParseInLocation(form, text, zone); err == nil {
			return at.Add(extra), at.Location() != nowhere
		}
	}
	if day, rest, ok := weekDate(text); ok {
		at, ok := readTime(day+rest, zone)
		return at.Add(extra), ok
	}
	return time.Time{}, false
}

// hasYear reports whether a text has digits enough for a year: other texts are not tried in every form.
func hasYear(text string) bool {
	digits := 0
	for i := range len(text) {
		if text[i] >= '0' && text[i] <= '9' {
			digits++
		}
	}
	return digits >= 4
}

// nowhere is the zone of a clock whose zone has a name that nobody knows.
var nowhere = time.FixedZone("nowhere", 1)

// zoned is the zone that an instant names behind its clock (RFC 9557: 07:00:00[America/New_York]); nil = nobody knows it.
func zoned(text string) (*time.Location, bool) {
	_, name, has := strings.Cut(text, "[")
	name, _, _ = strings.Cut(name, "]")
	if name = strings.TrimPrefix(name, "!"); !has || strings.Contains(name, "=") { // a calendar
		return nil, false
	}
	at, err := time.LoadLocation(name)
	if err != nil || name == "" || name == "Local" {
		return nil, true
	}
	return at, true
}

// plainTime puts the spellings of an instant into one: capitals, a T before the
// clock, the offset without a space. extra is what 24:00 and a leap second lie behind it.
func plainTime(text string) (plain string, extra time.Duration) {
	text = strings.ToUpper(strings.Join(strings.Fields(strings.ReplaceAll(text, "−", "-")), " "))
	text = saidTwice.ReplaceAllString(dotClock.ReplaceAllString(text, " $1:$2:$3"), "$1")
	if n := len(text) - 1; n > 0 && text[n] == 'T' && text[n-1] <= '9' {
		text = text[:n] // 2026-11-25T
	}
	if at := strings.IndexByte(text, '['); at > 0 { // 2026-11-25T07:00:00-05:00[America/New_York]
		text = strings.TrimSpace(text[:at])
	}
	if said := zoneName.FindStringSubmatchIndex(text); said != nil { // in front of the year, as date(1) writes it, or at the end
		name, year := zoneNames[text[said[2]:said[3]]], text[said[3]:]
		if text = text[:said[0]] + year; !hasOffset(text) {
			text += name
		}
	}
	for _, sign := range []string{" +", " -", " Z"} {
		if at := strings.LastIndex(text, sign); at > 0 && strings.Contains(text[:at], ":") {
			text = text[:at] + text[at+1:]
		}
	}
	if strings.ContainsAny(meridiem.ReplaceAllString(text, ""), "JFMASOND") && text[0] != '/' {
		return plainWords(text), 0
	}
	text = meridiem.ReplaceAllString(text, "${1}M$2")
	if len(text) > 0 && text[0] >= '0' && text[0] <= '9' {
		text = strings.Replace(text, " ", "T", 1)
	}
	if day, clock, ok := strings.Cut(text, "T"); ok {
		switch {
		case strings.HasPrefix(clock, "24:00"):
			text, extra = day+"T00:00"+clock[5:], 24*time.Hour
		case strings.HasPrefix(clock, "2400"):
			text, extra = day+"T0000"+clock[4:], 24*time.Hour
		case len(clock) >= 8 && clock[5:8] == ":60":
			text, extra = day+"T"+clock[:5]+":59"+clock[8:], time.Second
		}
	}
	return text, extra
}

// plainWords puts an instant whose month is a word into the form of wordedForms.
func plainWords(text string) string {
	text = ordinal.ReplaceAllString(monthRest.ReplaceAllString(weekday.ReplaceAllString(text, ""), "$1$2"), "$1")
	text = dashedDay.ReplaceAllString(text, "$1 $2 $3")
	text = strings.NewReplacer(",", "", " AT ", " ", " AM", "AM", " PM", "PM", " A.M.", "AM", " P.M.", "PM").Replace(text)
	return strings.Join(strings.Fields(text), " ")
}

func hasOffset(text string) bool {
	at := strings.LastIndexAny(text, "+-")
	return strings.HasSuffix(text, "Z") || at > 0 && strings.Contains(text[:at], ":")
}

// weekDate turns the day of a week date (2026-W48-3, 2026W483) into one of a month.
func weekDate(text string) (day, rest string, ok bool) {
	date, clock, has := strings.Cut(text, "T")
	if has {
		rest = "T" + clock
	}
	date = strings.ReplaceAll(date, "-", "")
	if len(date) != 8 || date[4] != 'W' {
		return "", "", false
	}
	year, wrong := strconv.Atoi(date[:4])
	week, also := strconv.Atoi(date[5:7])
	of := int(date[7] - '0')
	if wrong != nil || also != nil || week < 1 || week > 53 || of < 1 || of > 7 {
		return "", "", false
	}
	fourth := time.Date(year, 1, 4, 0, 0, 0, 0, time.UTC) // it is always in the first week
	at := fourth.AddDate(0, 0, 7*(week-1)+of-1-(int(fourth.Weekday())+6)%7)
	return at.Format(dateForm), rest, true
}

// noTimes are the usual words for: there is no such time.
var noTimes = map[string]bool{"": true, "-": true, "0": true, "-1": true, "NULL": true, "NONE": true, "NIL": true, "N/A": true, "NA": true,
	"UNKNOWN": true, "UNDEFINED": true, "TBD": true, "TBA": true, "TBC": true, "INFINITY": true, "-INFINITY": true,
	"UNTIL FURTHER NOTICE": true, "ONGOING": true, "OPEN": true, "OPEN-ENDED": true, "OPEN ENDED": true, "INDEFINITE": true,
	"INDEFINITELY": true, "PERMANENT": true,
	"NEVER": true, "NAT": true, "NAN": true, "INVALID DATE": true, "..": true, "--": true, "?": true, "UFN": true, "NOT AVAILABLE": true,
	"CONTINUOUS": true, "TO BE DETERMINED": true, "TO BE ANNOUNCED": true,
	// The end of the year 9999, as numbers.
	"253402300799": true, "253402300799000": true, "253402300799999": true, "253402300800": true, "253402300800000": true}

// Years that no closure began before or ends after: programs write them that have no time and a column that needs one.
const (
	placeholderBefore = 1971
	placeholderAfter  = 2098 // 2099-12-31 is as common as 9999-12-31
)

// isPlaceholder recognizes an instant that nobody means.
func isPlaceholder(at time.Time) bool {
	return at.UTC().Year() < placeholderBefore || at.UTC().Year() > placeholderAfter
}

// dayOrMonth is a date in the order of some country; whichever order that is, its year is known.
var dayOrMonth = regexp.MustCompile(`^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})(?:\D.*)?$`)

// IsNoTime reports whether a text means in one of the usual ways that a time is not known: a word, or the first or the last day of
// a calendar, also in seconds since 1970.
func IsNoTime(text string) bool {
	text = strings.TrimSpace(text)
	word := strings.ToUpper(text)
	if noTimes[word] || noTimes[strings.TrimSuffix(word, ".")] || strings.HasPrefix(text, "0000-00-00") { // of MySQL
		return true
	}
	at, ok := readTime(text, nil)
	if n, isNumber := NumberOf(text); isNumber && math.Abs(n) >= epochLeast {
		var said Instant
		said, ok = EpochOf(n)
		at = said.Time()
	}
	if said := dayOrMonth.FindStringSubmatch(text); said != nil {
		at, err := time.Parse("2006", said[3])
		return err == nil && isPlaceholder(at)
	}
	return ok && isPlaceholder(at)
}

// Until is an instant that was read, 0 where it only means: without end.
func Until(at Instant) Instant {
	if isPlaceholder(at.Time()) {
		return 0
	}
	return at
}

// epochLeast is the least number that is taken for an instant where nothing marks it as one: that of the year 2001.
const epochLeast = 1e9

// OffsetOf is the offset from UTC in an instant's text, in seconds; false = it has none.
func OffsetOf(text string) (seconds int, ok bool) {
	unsaid := time.FixedZone("unsaid", 1)
	at, ok := readTime(strings.TrimSpace(text), unsaid)
	_, seconds = at.Zone()
	return seconds, ok && at.Location() != unsaid
}

// TimeReader reads instants as a file or a feed writes them: format is iso (any usual form), unix, unix_ms, or a pattern such as
// "yyyy/MM/dd hh:mm:ss a"; empty = not set: any usual form, also a number since 1970. zone counts where a text has no offset. A
// text that is unambiguous by itself is also read when there is a format. nil: the format is invalid.
func TimeReader(format string, zone *time.Location) func(text string) (Instant, bool) {
	of := timeParser(format, zone)
	switch format {
	case "iso":
		return of
	case "":
		return func(text string) (Instant, bool) {
			if at, ok := of(text); ok {
				return at, true
			}
			n, ok := NumberOf(text)
			if !ok || n < epochLeast {
				return 0, false
			}
			return EpochOf(n)
		}
	}
	if of == nil {
		return nil
	}
	isNumber := format == "unix" || format == "unix_ms"
	return func(text string) (Instant, bool) {
		text = strings.TrimSpace(text)
		if at, ok := of(text); ok {
			return at, true
		}
		if !isNumber && !(strings.Contains(text, "T") && hasOffset(text)) { // another date of the pattern's own kind is wrong
			return 0, false
		}
		return TimeOf(text, zone)
	}
}
