package fleet

import (
	"strconv"
	"strings"
	"time"
)

// timeTextMax is longer than any instant that is written out.
const timeTextMax = 64

// clocks and offsets are what may follow the day, in the forms of ISO 8601 and
// of common databases. Fractions of a second are read without being named.
var (
	dayForms    = []string{"2006-01-02", "20060102", "2006-002", "2006/01/02"}
	clockForms  = []string{"15:04:05", "15:04", "150405", "1504", "15"}
	offsetForms = []string{"Z07:00", "Z0700", "Z07"}
	// worded forms name the month, so that no day can be taken for a month.
	wordedForms = []string{"Mon, 2 Jan 2006 15:04:05", "2 Jan 2006 15:04:05", "2-Jan-2006 15:04:05", "Jan 2 2006 3:04PM",
		"Jan 2 2006 3:04:05PM",
		"Jan 2, 2006 3:04:05 PM", "Jan 2, 2006 3:04 PM", "Mon Jan 2 15:04:05 2006", "2 Jan 2006", "2-Jan-2006", "Jan 2, 2006"}
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
	for _, form := range wordedForms {
		out = append(out, form)
		if strings.Contains(form, ":04") {
			out = append(out, form+"Z07:00", form+"Z0700")
		}
	}
	return out
}()

// TimeOf reads an instant in any of the usual forms; zone counts where the text
// has no offset, nil = UTC. What lies outside the years 1971 to 9999 is none.
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
	text, extra := plainTime(text)
	for _, form := range timeForms {
		if at, err := time.ParseInLocation(form, text, zone); err == nil {
			return at.Add(extra), true
		}
	}
	if day, rest, ok := weekDate(text); ok {
		at, ok := readTime(day+rest, zone)
		return at.Add(extra), ok
	}
	return time.Time{}, false
}

// hasYear reports whether a text has digits enough for a year: what says nothing is not tried in every form.
func hasYear(text string) bool {
	digits := 0
	for i := range len(text) {
		if text[i] >= '0' && text[i] <= '9' {
			digits++
		}
	}
	return digits >= 4
}

// plainTime puts the spellings of an instant into one: capitals, a T before the
// clock, the offset without a space. extra is what 24:00 and a leap second lie behind it.
func plainTime(text string) (plain string, extra time.Duration) {
	text = strings.ToUpper(strings.Join(strings.Fields(strings.ReplaceAll(text, "−", "-")), " "))
	if at := strings.IndexByte(text, '['); at > 0 { // 2026-11-25T07:00:00-05:00[America/New_York]
		text = strings.TrimSpace(text[:at])
	}
	for _, word := range []string{" UTC", " GMT"} {
		if before, is := strings.CutSuffix(text, word); is {
			if text = before; !hasOffset(text) {
				text += "Z"
			}
		}
	}
	for _, sign := range []string{" +", " -", " Z"} {
		if at := strings.LastIndex(text, sign); at > 0 && strings.Contains(text[:at], ":") {
			text = text[:at] + text[at+1:]
		}
	}
	if len(text) > 0 && text[0] >= '0' && text[0] <= '9' && !strings.ContainsAny(text, "JFMASOND") {
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
	"UNKNOWN": true, "UNDEFINED": true, "TBD": true, "TBA": true, "INFINITY": true, "-INFINITY": true, "UNTIL FURTHER NOTICE": true}

// Years that no closure began before or ends after: who writes them has no time and a column that wants one.
const (
	placeholderBefore = 1971
	placeholderAfter  = 2099
)

// IsNoTime reports whether a text says in one of the usual ways that a time is
// not known: a word, or the first or the last day of a calendar.
func IsNoTime(text string) bool {
	if noTimes[strings.ToUpper(strings.TrimSpace(text))] {
		return true
	}
	at, ok := readTime(text, nil)
	year := at.UTC().Year()
	return ok && (year < placeholderBefore || year > placeholderAfter)
}

// TimeReader reads instants as a file or a feed writes them: format is iso (any
// usual form), unix, unix_ms, or a pattern such as "yyyy/MM/dd hh:mm:ss a"; empty
// = iso. zone counts where a text has no offset. What says which instant it is
// without help is read beside a format, too. nil: the format is none.
func TimeReader(format string, zone *time.Location) func(text string) (Instant, bool) {
	of := timeParser(format, zone)
	switch format {
	case "", "iso":
		return of
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
