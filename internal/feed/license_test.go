package feed_test

import (
	"strings"
	"testing"

	"lightbar/internal/feed"
	"lightbar/internal/fleet"
)

// A document says the license that its organization chose, where its format has a place for it. WZDx allows CC0 alone and
// does without the member; CWZ demands it, and is told the truth; nothing is said that the organization has not said.
func TestDocumentsSayTheLicense(t *testing.T) {
	const cc0, byURL = "https://creativecommons.org/publicdomain/zero/1.0/", "https://creativecommons.org/licenses/by/4.0/"
	said := map[string]struct{ cc0, own, none string }{
		"wzdx-4.2.geojson": {`"license":"` + cc0 + `"`, "", ""},
		"cwz-1.0.geojson":  {`"license":"` + cc0 + `"`, `"license":"` + byURL + `"`, ""},
		"closures.geojson": {`"FeatureCollection","license":"` + cc0 + `"`, `"FeatureCollection","license":"` + byURL + `"`, ""},
		"closures.rss":     {"<copyright>License: " + cc0 + "</copyright>", "<copyright>License: " + byURL + "</copyright>", ""},
		"closures.html":    {`<a href="` + cc0 + `" rel="license"`, `<a href="` + byURL + `" rel="license"`, ""},
		"cifs.json":        {}, "cifs.xml": {}, "closures.ics": {}, // they have no place for it
	}
	for _, f := range append(feed.Formats(), *feed.FormatAt(feed.PagePath)) {
		want, known := said[f.Path]
		if !known {
			t.Errorf("%s: nobody decided where it says its license", f.Path)
		}
		for license, want := range map[string]string{cc0: want.cc0, byURL: want.own, "": want.none} {
			s := publicSource
			s.License = license
			var text string
			if c := closure(); f.ForPeople() {
				text = string(f.Render(s, []feed.Entry{{Closure: &c, Phase: feed.Active, Since: now}}))
			} else {
				text = string(f.Document(s, [][]byte{f.Feature(&c, feed.Active)}))
			}
			if says := strings.Contains(text, "license") || strings.Contains(text, "License"); says != (want != "") || !strings.Contains(text, want) {
				t.Errorf("%s under %q does not say %q: %.400s", f.Path, license, want, text)
			}
		}
	}
	if text := string(feed.DeviceDocument(feed.Source{License: byURL}, nil)); strings.Contains(text, "license") {
		t.Error(text)
	}
}

func TestLicensesThatFeedsAllow(t *testing.T) {
	for license, want := range map[string]string{
		"": "", "CC0-1.0": "https://creativecommons.org/publicdomain/zero/1.0/", "CC-BY-4.0": "https://creativecommons.org/licenses/by/4.0/",
		"ODbL-1.0": "https://opendatacommons.org/licenses/odbl/1-0/", "https://example.org/terms?v=2#data": "https://example.org/terms?v=2#data"} {
		if wrong := fleet.CheckFeedLicense(license); wrong != "" || fleet.FeedLicenseURL(license) != want {
			t.Errorf("%q: %s %s", license, wrong, fleet.FeedLicenseURL(license))
		}
	}
	for _, license := range []string{"MIT", "cc0-1.0", "example.org/terms", "javascript:alert(1)", "https://", "https://u:p@example.org/", "https://example.org/a b",
		"https://example.org/>; rel=x", "https://example.org/\u00e9", "https://example.org/\r\nX: y", "https://example.org/" + strings.Repeat("a", 300)} {
		if fleet.CheckFeedLicense(license) == "" {
			t.Errorf("%q is taken", license)
		}
	}
}

// The description of an item is HTML (RSS 2.0): what people typed is text there, not markup.
func TestWhatPeopleTypedIsNoMarkupInNews(t *testing.T) {
	c := closure()
	c.AlertMessage, c.Description = "Work & <b>dust</b>", "x"
	if text := whole(t, "closures.rss", c); !strings.Contains(text, "Work &amp;amp; &amp;lt;b&amp;gt;dust&amp;lt;/b&amp;gt;") || strings.Contains(text, "&lt;b&gt;") {
		t.Error(text)
	}
}
