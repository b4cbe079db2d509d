package feed

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"lightbar/internal/fleet"
)

// ical is a calendar of closures (RFC 5545): an event for each.
var ical = Format{Path: "closures.ics", MediaType: "text/calendar; charset=utf-8", forPeople: true,
	render: func(s Source, entries []Entry) []byte {
		var b calendar
		b.line("BEGIN:VCALENDAR")
		b.line("VERSION:2.0")
		b.line("PRODID:-//Lightbar//Road closures//EN")
		b.line("CALSCALE:GREGORIAN")
		b.text("NAME", "Road closures: "+s.Name)
		b.text("X-WR-CALNAME", "Road closures: "+s.Name)
		b.line("REFRESH-INTERVAL;VALUE=DURATION:PT5M")
		for _, t := range tell(s, entries) {
			b.event(&t, s.Page())
		}
		if len(entries) == 0 {
			b.utcZone()
		}
		b.line("END:VCALENDAR")
		return []byte(b.out.String())
	}}

type calendar struct{ out strings.Builder }

func (b *calendar) event(t *told, page string) {
	b.line("BEGIN:VEVENT")
	b.text("UID", t.ID)
	b.line("DTSTAMP:" + stamp(t.changed))
	b.line("LAST-MODIFIED:" + stamp(t.changed))
	b.line(fmt.Sprint("SEQUENCE:", t.sequence()))
	b.line("DTSTART:" + stamp(t.from))
	if stamp(t.to) > stamp(t.from) { // one that was over at once has no end (3.6.1: DTEND is later than DTSTART)
		b.line("DTEND:" + stamp(t.to))
	}
	b.text("SUMMARY", t.Title())
	b.text("DESCRIPTION", strings.Join(t.Lines(), "\n"))
	b.text("LOCATION", strings.TrimSpace(t.Road+" "+strings.ToLower(t.Where[:min(1, len(t.Where))])+t.Where[min(1, len(t.Where)):]))
	if route := Route(t.closure); len(route) > 0 {
		b.line(fmt.Sprintf("GEO:%.6f;%.6f", route[0].Lat, route[0].Lng))
	}
	b.line("URL:" + strings.Map(printable, page+"#"+t.ID))
	b.line("TRANSP:TRANSPARENT") // it makes nobody busy
	b.line("END:VEVENT")
}

// sequence numbers the states of an event: it rises whenever DTSTART may have moved (3.8.7.4), by an edit or by the clock.
func (t *told) sequence() int64 {
	return t.closure.Version + max(0, int64(t.changed.Time().Sub(sequenceFrom)/time.Second))
}

var sequenceFrom = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)

// utcZone writes the zone of our times: a calendar has at least one component (3.6), also without closures.
func (b *calendar) utcZone() {
	for _, line := range []string{"BEGIN:VTIMEZONE", "TZID:UTC", "BEGIN:STANDARD", "DTSTART:19700101T000000", "TZOFFSETFROM:+0000",
		"TZOFFSETTO:+0000", "TZNAME:UTC", "END:STANDARD", "END:VTIMEZONE"} {
		b.line(line)
	}
}

// text writes a property of the type TEXT (3.3.11).
func (b *calendar) text(name, value string) {
	value = strings.Map(printable, strings.ToValidUTF8(strings.ReplaceAll(value, "\r\n", "\n"), "�"))
	b.line(name + ":" + textEscapes.Replace(value))
}

var textEscapes = strings.NewReplacer(`\`, `\\`, ";", `\;`, ",", `\,`, "\n", `\n`)

// printable takes away the control characters that no content line may have.
func printable(r rune) rune {
	if r < ' ' && r != '\n' && r != '\t' || r == 0x7f {
		return -1
	}
	return r
}

// lineOctets is how long a line may be, without its end (3.1).
const lineOctets = 75

// line writes a content line, folded where it is too long and never within a character.
func (b *calendar) line(text string) {
	for most := lineOctets; len(text) > most; most = lineOctets - 1 { // the space of a continuation counts
		at := most
		for !utf8.RuneStart(text[at]) {
			at--
		}
		b.out.WriteString(text[:at] + "\r\n ")
		text = text[at:]
	}
	b.out.WriteString(text + "\r\n")
}

// stamp is an instant in UTC (3.3.5, form 2).
func stamp(at fleet.Instant) string { return at.Time().Format("20060102T150405Z") }
