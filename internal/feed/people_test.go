package feed_test

import (
	"encoding/xml"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"lightbar/internal/feed"
	"lightbar/internal/fleet"
)

var publicSource = feed.Source{ID: source.ID, Name: "Harbor & <County>", UpdatedAt: now, Timezone: "America/New_York", Base: "https://lights.example"}

func whole(t testing.TB, path string, closures ...fleet.Closure) string {
	t.Helper()
	var entries []feed.Entry
	for i := range closures {
		if phase := feed.PhaseOf(&closures[i], now); phase != feed.Absent {
			entries = append(entries, feed.Entry{Closure: &closures[i], Phase: phase})
		}
	}
	return string(formatOf(t, path).Render(publicSource, entries))
}

// hostile is a closure whose every text wants to be something else.
func hostile() fleet.Closure {
	c := closure()
	const evil = `</style><script>alert(1)</script>"'&;,\` + "\r\nBEGIN:VEVENT\r\n\x01"
	c.Description, c.AlertMessage, c.RoadName, c.StreetStart, c.StreetEnd = "D"+evil, "A"+evil, "R"+evil, "S"+evil, "E"+evil
	return c
}

func TestPeopleReadAClosureInWords(t *testing.T) {
	active := closure()
	active.EndEstimated, active.VerifiedAt = true, now-600_000
	next, over := closure(), closure()
	next.ID, next.StartAt, next.EndAt, next.VehicleImpact, next.ImpactedLanes, next.StreetEnd = "b", now+3_600_000, now+7_200_000, "flagging", nil, ""
	over.ID, over.StartAt, over.EndAt = "c", now-7_200_000, now-60_000
	text := whole(t, feed.PagePath, over, next, active)
	for _, want := range []string{"I-95 eastbound", "2 right lanes closed", "From Exit 5 to Exit 7", "Until Wed, Feb 25, 2:13 AM EST (estimated)",
		"Last verified Wed, Feb 25, 1:03 AM EST", "Not verified yet", "Flaggers direct traffic", "At Exit 5", "Wed, Feb 25, 2:13 AM EST to Wed, Feb 25, 3:13 AM EST",
		"Ended Wed, Feb 25, 1:12 AM EST", "Right lane closed ahead", "Harbor &amp; &lt;County&gt;", "https://lights.example/feeds/" + source.ID + "/closures.rss"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q: %s", want, text)
		}
	}
	there := source
	there.Timezone = "America/New_York"
	if at := string(feed.PageAsOf([]byte(text), there, now)); !strings.Contains(at, `>Wed, Feb 25, 1:13 AM EST</time> <a href="">Reload</a>`) ||
		strings.Contains(at, "http-equiv") {
		t.Errorf("no time, no way to reload, or it does so by itself: %s", at)
	}
	if a, b, c := strings.Index(text, "Active now"), strings.Index(text, "Planned"), strings.Index(text, "Ended"); a > b || b > c || a < 0 {
		t.Errorf("order %d %d %d", a, b, c)
	}
	if strings.Contains(text, "<script") || !strings.Contains(whole(t, feed.PagePath), "No closures now") {
		t.Error("a script, or no word for none")
	}
	for name, c := range map[string]struct {
		lanes []int
		total int
	}{"Left lane closed": {[]int{1}, 3}, "Right lane closed": {[]int{3}, 3}, "Lane 2 from the left closed": {[]int{2}, 3},
		"2 left lanes closed":                {[]int{1, 2}, 0},
		"Lanes 2 and 4 from the left closed": {[]int{2, 4}, 5}, "Lanes 2, 3 and 5 from the left closed": {[]int{2, 3, 5}, 5}, "Some lanes closed": {nil, 0}} {
		one := closure()
		if one.ImpactedLanes, one.TotalLanes = c.lanes, c.total; !strings.Contains(whole(t, feed.PagePath, one), name) {
			t.Errorf("not %q", name)
		}
	}
}

// Texts of closures stay texts, whatever they hold.
func TestThePageEscapesTexts(t *testing.T) {
	text := whole(t, feed.PagePath, hostile())
	if strings.Contains(text, "<script") || strings.Count(text, "</style>") != 1 || !strings.Contains(text, "&lt;script&gt;") {
		t.Error(text)
	}
	if !regexp.MustCompile(`^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/=]{44}'; frame-ancestors \*; base-uri 'none'; form-action 'none'$`).
		MatchString(feed.PagePolicy) {
		t.Error(feed.PagePolicy)
	}
}

func TestTheNewsAreRSS(t *testing.T) {
	over := closure()
	over.ID, over.StartAt, over.EndAt = "c", now-7_200_000, now-60_000
	var doc struct {
		XMLName xml.Name `xml:"rss"`
		Version string   `xml:"version,attr"`
		Channel []struct {
			Title, Link, Description, LastBuildDate string
			Items                                   []struct {
				Title, Link, Description, PubDate string
				GUID                              struct {
					IsLink string `xml:"isPermaLink,attr"`
					Text   string `xml:",chardata"`
				} `xml:"guid"`
			} `xml:"item"`
		} `xml:"channel"`
	}
	text := whole(t, "closures.rss", closure(), over, hostile())
	self := `<atom:link href="https://lights.example/feeds/` + source.ID + `/closures.rss" rel="self" type="application/rss+xml"></atom:link>`
	if !strings.Contains(text, self) || !strings.Contains(text, ` xmlns:atom="http://www.w3.org/2005/Atom"`) {
		t.Error("it doesn't say where it is read")
	}
	text = strings.Replace(text, self, "", 1)
	// RSS writes lastBuildDate and pubDate so.
	text = strings.NewReplacer("lastBuildDate>", "LastBuildDate>", "pubDate>", "PubDate>", "title>", "Title>", "link>", "Link>", "description>", "Description>").Replace(text)
	decoder := xml.NewDecoder(strings.NewReader(text))
	if err := decoder.Decode(&doc); err != nil || doc.Version != "2.0" || len(doc.Channel) != 1 {
		t.Fatalf("%v %s", err, text)
	}
	channel := doc.Channel[0]
	if channel.Title != "Road closures: Harbor & <County>" || channel.Link != "https://lights.example/closures/"+source.ID || channel.Description == "" {
		t.Errorf("%+v", channel)
	}
	if _, err := time.Parse(time.RFC1123Z, channel.LastBuildDate); err != nil || len(channel.Items) != 3 {
		t.Fatalf("%v %+v", err, channel)
	}
	seen, last := map[string]bool{}, time.Now().AddDate(100, 0, 0)
	for _, item := range channel.Items {
		at, err := time.Parse(time.RFC1123Z, item.PubDate)
		if err != nil || at.After(last) || item.GUID.IsLink != "false" || item.Title == "" || item.Description == "" || !strings.HasPrefix(item.Link, channel.Link+"#") {
			t.Errorf("%v %+v", err, item)
		}
		last, seen[item.GUID.Text] = at, true
	}
	if !seen["c/ended/20260225T041320Z"] || !seen[closure().ID+"/active/20260225T051320Z"] {
		t.Error(seen)
	}
	if !strings.Contains(text, "&lt;script&gt;") || strings.Contains(text, "\x01") {
		t.Error(text)
	}
}

// property is a content line of a calendar: its name, parameters left out, and its value as a text.
type property struct{ name, value string }

// parseCalendar is RFC 5545 as far as we write it; it refuses what no reader must take.
func parseCalendar(text string) (out []property, err error) {
	if !strings.HasSuffix(text, "\r\n") || strings.Contains(strings.ReplaceAll(text, "\r\n", ""), "\n") || strings.Contains(strings.ReplaceAll(text, "\r\n", ""), "\r") {
		return nil, fmt.Errorf("lines end with CRLF")
	}
	for _, line := range strings.Split(strings.TrimSuffix(text, "\r\n"), "\r\n") {
		if len(line) > 75 || !utf8.ValidString(line) {
			return nil, fmt.Errorf("%d octets, or cut within a character: %q", len(line), line)
		}
	}
	var open []string
	for _, line := range strings.Split(strings.TrimSuffix(strings.ReplaceAll(text, "\r\n ", ""), "\r\n"), "\r\n") {
		name, raw, ok := strings.Cut(line, ":")
		name, _, _ = strings.Cut(name, ";")
		if !ok || !regexp.MustCompile(`^[A-Z-]+$`).MatchString(name) {
			return nil, fmt.Errorf("no content line: %q", line)
		}
		if strings.ContainsFunc(raw, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
			return nil, fmt.Errorf("a control character: %q", line)
		}
		value := raw
		if slices.Contains([]string{"SUMMARY", "DESCRIPTION", "LOCATION", "NAME", "UID"}, name) {
			if value, err = unescape(raw); err != nil {
				return nil, err
			}
		}
		switch name {
		case "BEGIN":
			open = append(open, value)
		case "END":
			if len(open) == 0 || open[len(open)-1] != value {
				return nil, fmt.Errorf("END:%s within %v", value, open)
			}
			open = open[:len(open)-1]
		}
		out = append(out, property{name, value})
	}
	if len(open) > 0 {
		return nil, fmt.Errorf("%v is not ended", open)
	}
	return out, nil
}

func unescape(raw string) (string, error) {
	var b strings.Builder
	for i := 0; i < len(raw); i++ {
		switch {
		case raw[i] == ';' || raw[i] == ',':
			return "", fmt.Errorf("bare %q in %q", raw[i], raw)
		case raw[i] != '\\':
			b.WriteByte(raw[i])
		case i+1 < len(raw) && strings.IndexByte(`\;,`, raw[i+1]) >= 0:
			i++
			b.WriteByte(raw[i])
		case i+1 < len(raw) && raw[i+1] == 'n':
			i++
			b.WriteByte('\n')
		default:
			return "", fmt.Errorf("bad escape in %q", raw)
		}
	}
	return b.String(), nil
}

func valuesOf(list []property, name string) (out []string) {
	for _, p := range list {
		if p.name == name {
			out = append(out, p.value)
		}
	}
	return out
}

func TestTheCalendarIsRFC5545(t *testing.T) {
	over := closure()
	over.ID, over.StartAt, over.EndAt, over.LastStartAt, over.EndedAt = "c", 0, 0, now-9, now-5
	list, err := parseCalendar(whole(t, "closures.ics", closure(), over, hostile()))
	if err != nil {
		t.Fatal(err)
	}
	if events := valuesOf(list, "BEGIN"); !slices.Equal(events, []string{"VCALENDAR", "VEVENT", "VEVENT", "VEVENT"}) {
		t.Error(events)
	}
	for _, name := range []string{"UID", "DTSTAMP", "DTSTART", "SUMMARY", "DESCRIPTION", "LOCATION", "SEQUENCE"} {
		if len(valuesOf(list, name)) != 3 {
			t.Errorf("%s: %v", name, valuesOf(list, name))
		}
	}
	if ends := valuesOf(list, "DTEND"); len(ends) != 2 { // the one of four milliseconds has none
		t.Errorf("ends %v", ends)
	}
	for _, name := range []string{"DTSTAMP", "DTSTART", "DTEND", "LAST-MODIFIED"} {
		for _, value := range valuesOf(list, name) {
			if _, err := time.Parse("20060102T150405Z", value); err != nil {
				t.Error(name, err)
			}
		}
	}
	if got := valuesOf(list, "SUMMARY")[0]; got != "I-95 eastbound: 2 right lanes closed" {
		t.Error(got)
	}
}

// Whatever texts a closure has, the calendar can be read and says them again.
func TestCalendarsOfAnyTexts(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		c := closure()
		c.RoadName = "R" + rapid.StringN(0, 120, 400).Draw(r, "road")
		c.Description = "D" + rapid.String().Draw(r, "description")
		c.StreetStart = rapid.String().Draw(r, "start")
		list, err := parseCalendar(whole(t, "closures.ics", c))
		if err != nil {
			r.Fatal(err)
		}
		clean := func(s string) string {
			return strings.Map(func(r rune) rune {
				if r < ' ' && r != '\n' && r != '\t' || r == 0x7f {
					return -1
				}
				return r
			}, strings.ReplaceAll(s, "\r\n", "\n"))
		}
		if got := valuesOf(list, "SUMMARY")[0]; !strings.HasPrefix(got, clean(c.RoadName)+" eastbound: ") {
			r.Fatalf("%q is %q", c.RoadName, got)
		}
		if got := valuesOf(list, "DESCRIPTION")[0]; !strings.Contains(got, clean(c.Description)) {
			r.Fatalf("%q is %q", c.Description, got)
		}
	})
}
