package fleet

import (
	"net/url"
	"slices"
	"strings"
	"unicode"

	"lightbar/catalog"
)

// feedLicense finds a known license.
func feedLicense(id string) (l catalog.FeedLicense, ok bool) {
	all := catalog.AllEnums().FeedLicenses
	i := slices.IndexFunc(all, func(l catalog.FeedLicense) bool { return l.ID == id })
	if i < 0 {
		return l, false
	}
	return all[i], true
}

// Publish turns publishing on or off. An organization that begins has CC0, which WZDx and CWZ require, until it chooses: without it
// CWZ is not valid, and readers refuse it.
func (o *Organization) Publish(on bool) {
	if on && !o.WZDx && o.FeedLicense == "" {
		o.FeedLicense = "CC0-1.0"
	}
	o.WZDx = on
}

// FeedLicenseURL is the address of the terms under which feeds are published; empty = the organization has set none.
func FeedLicenseURL(license string) string {
	if l, ok := feedLicense(license); ok {
		return l.URL
	}
	return license
}

var mostLicense = int(catalog.LimitInt("closure", "licenseText"))

// CheckFeedLicense is the law of an organization's license of its feeds: none, a license of the catalog, or the address of its own
// terms. It returns what is wrong.
func CheckFeedLicense(license string) string {
	if _, ok := feedLicense(license); ok || license == "" {
		return ""
	}
	at, err := url.Parse(license)
	isPlain := !strings.ContainsFunc(license, func(r rune) bool {
		return r > '~' || unicode.IsSpace(r) || strings.ContainsRune(`<>"\^{|}`+"`", r)
	})
	switch {
	case len(license) > mostLicense:
		return "The address of your license is too long."
	case err != nil || !isPlain || at.Scheme != "https" && at.Scheme != "http" || at.Hostname() == "" || at.User != nil:
		return "Enter the full address of your license, such as https://example.org/terms."
	}
	return ""
}
