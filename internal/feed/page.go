package feed

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
)

// PagePath is the page of closures among the documents; it stands at /closures/{organizationId}.
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

// page is what everyone may read of an organization's closures: HTML without a script, for phones first.
var page = Format{Path: PagePath, MediaType: "text/html; charset=utf-8", forPeople: true,
	whole: func(s Source, entries []Entry) []byte {
		var out bytes.Buffer
		err := pageTemplate.Execute(&out, map[string]any{"Name": s.Name, "Closures": tell(s, entries), "Seconds": updateSeconds,
			"License": s.License,
			"News":    s.Address(rss.Path), "Calendar": s.Address(ical.Path), "Style": template.CSS(pageStyle)}) //nolint:gosec // our own file
		if err != nil {
			panic("feed: page: " + err.Error()) // the template lies in the binary and is tested
		}
		return out.Bytes()
	}}
