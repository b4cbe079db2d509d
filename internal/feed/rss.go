package feed

import (
	"encoding/xml"
	"html"
	"slices"
	"time"

	"lightbar/internal/fleet"
)

// rss is the news of closures for readers of news (RSS 2.0): an item for each
// closure in each of its phases, so that its beginning and its end are both news,
// each time that it begins and ends.
var rss = Format{Path: "closures.rss", MediaType: "application/rss+xml; charset=utf-8", forPeople: true,
	render: func(s Source, entries []Entry) []byte {
		doc := rssDocument{Version: "2.0", Title: "Road closures: " + s.Name, Link: s.Page(), Language: "en-us",
			Description: "Work zones and lane closures of " + s.Name, TTL: 1, Atom: "http://www.w3.org/2005/Atom",
			Self: rssSelf{s.Address("closures.rss"), "self", "application/rss+xml"}}
		if s.License != "" {
			doc.Copyright = "License: " + s.License
		}
		if s.UpdatedAt != 0 {
			doc.Built = mailTime(s.UpdatedAt)
		}
		for _, t := range tell(s, entries) {
			doc.Items = append(doc.Items, rssItem{Title: t.State + ": " + t.Title(), Link: s.Page() + "#" + t.ID,
				// RSS 2.0 defines it as HTML: texts of people contain no markup there.
				Description: html.EscapeString(sentences(t.Lines()...)), ID: rssID{Text: t.news()}, At: mailTime(t.changed), at: t.changed})
		}
		slices.SortStableFunc(doc.Items, func(a, b rssItem) int { return int(b.at - a.at) })
		body, err := xml.Marshal(doc)
		if err != nil {
			panic("feed: " + err.Error()) // plain data always encodes
		}
		return append([]byte(xml.Header), body...)
	}}

// news makes the id of an item: a reader shows an item only once for each id. The start distinguishes the nights of one closure.
func (t *told) news() string { return t.ID + "/" + phaseWords[t.phase] + "/" + stamp(t.from) }

type rssDocument struct {
	XMLName     xml.Name  `xml:"rss"`
	Version     string    `xml:"version,attr"`
	Atom        string    `xml:"xmlns:atom,attr"`
	Self        rssSelf   `xml:"channel>atom:link"`
	Title       string    `xml:"channel>title"`
	Link        string    `xml:"channel>link"`
	Description string    `xml:"channel>description"`
	Language    string    `xml:"channel>language"`
	Copyright   string    `xml:"channel>copyright,omitempty"`
	Built       string    `xml:"channel>lastBuildDate,omitempty"`
	TTL         int       `xml:"channel>ttl"`
	Items       []rssItem `xml:"channel>item"`
}

// rssSelf is the address of the document in itself, which readers keep when they find it elsewhere (RSS Advisory Board).
type rssSelf struct {
	Href string `xml:"href,attr"`
	Rel  string `xml:"rel,attr"`
	Type string `xml:"type,attr"`
}

type rssItem struct {
	Title       string `xml:"title"`
	Link        string `xml:"link"`
	Description string `xml:"description"`
	ID          rssID  `xml:"guid"`
	At          string `xml:"pubDate"`
	at          fleet.Instant
}

type rssID struct {
	IsLink bool   `xml:"isPermaLink,attr"`
	Text   string `xml:",chardata"`
}

// mailTime is an instant as RSS wants it (RFC 822 with four digits of the year).
func mailTime(at fleet.Instant) string { return at.Time().Format(time.RFC1123Z) }
