package feed

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"time"

	"lightbar/internal/fleet"
)

// PagePath is the page of closures among the documents; its address is /closures/{organizationId}.
const PagePath = "closures.html"

var (
	//go:embed page.html
	pageText string
	//go:embed page.css
	pageStyle string

	pageTemplate = template.Must(template.New("page").Parse(pageText))

	// PagePolicy is the Content-Security-Policy of the page: nothing but its own
	// style, no script, and any site may frame it.
	PagePolicy = "default-src 'none'; style-src 'sha256-" + styleSum() + "'; frame-ancestors *; base-uri 'none'; form-action 'none'"
)

func styleSum() string {
	sum := sha256.Sum256([]byte(pageStyle))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// page is the public page of an organization's closures: HTML without a script, for phones first.
var page = Format{Path: PagePath, MediaType: "text/html; charset=utf-8", forPeople: true,
	render: func(s Source, entries []Entry) []byte {
		var out bytes.Buffer
		err := pageTemplate.Execute(&out, map[string]any{"Name": s.Name, "Closures": tell(s, entries), "License": s.License,
			"News": s.Address(rss.Path), "Calendar": s.Address(ical.Path), "Style": template.CSS(pageStyle)}) //nolint:gosec // our own file
		if err != nil {
			panic("feed: page: " + err.Error()) // the template lies in the binary and is tested
		}
		return out.Bytes()
	}}

// pageTime marks the place of the time at which the page was read; texts of people cannot contain a tag.
var pageTime = []byte("<time></time>")

// PageAsOf is the page of a source as somebody reads it now. The page itself stays the same until a closure changes.
func PageAsOf(body []byte, s Source, now fleet.Instant) []byte {
	zone, err := time.LoadLocation(s.Timezone)
	if err != nil {
		zone = time.UTC
	}
	at := `<time datetime="` + now.Time().UTC().Format("2006-01-02T15:04Z") + `">` + clock(now, zone) + `</time>`
	return bytes.Replace(body, pageTime, []byte(at), 1)
}
