package people

import (
	"net/url"
	"strings"
	"testing"

	"lightbar/internal/wire"
)

// A provider of maps that a setting names is left out, or its origin can stand
// in a page's policy, where a space or a semicolon would begin something else.
func FuzzMapProviders(f *testing.F) {
	f.Add("https://tiles.example/{z}/{x}/{y}.png", "raster", "satellite")
	f.Add("http://localhost:9000/style.json", "style", "roadmap")
	f.Add("https://a;script-src 'unsafe-inline'@tiles.example/", "style", "hybrid")
	f.Add("https://*.example:443;/", "style", "roadmap")
	f.Add("https://[::1%25 ;]:8/", "style", "roadmap")
	f.Add("https://%C2%A0%E2%80%A8/{z}{x}{y}", "raster", "roadmap")
	f.Fuzz(func(t *testing.T, address, kind, mapType string) {
		_ = environmentOf(address)
		if !usableProvider(wire.MapProvider{ID: "a", Attribution: "b", Kind: kind, MapType: mapType, URL: address}) {
			return
		}
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		origin := u.Scheme + "://" + u.Host
		if strings.ContainsFunc(origin, func(r rune) bool { return r <= ' ' || r >= 0x7f || strings.ContainsRune(`;,'"*`, r) }) {
			t.Errorf("%q has the origin %q", address, origin)
		}
	})
}
