package cable

import (
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// A page that may open the socket is one of ours or of the host that was asked, whatever its origin looks like.
func FuzzOrigin(f *testing.F) {
	for _, origin := range []string{"https://map.example", "https://MAP.example:443", "http://map.example", "null", "https://map.example.evil.example",
		"https://map.example@evil.example", "https://map.example/", "https://map.example/x?y", "HTTPS://map.example:", "https://[::1]", "https://ſ.example"} {
		f.Add(origin, "10.0.0.1:8080")
	}
	f.Fuzz(func(t *testing.T, origin, host string) {
		r := httptest.NewRequest("GET", "/cable", nil)
		r.Host = host
		r.Header.Set("Origin", origin)
		if !originAllowed(r, []string{"https://map.example"}) {
			return
		}
		u, err := url.Parse(origin)
		if err != nil || u.User != nil || u.Scheme != "https" && u.Scheme != "http" {
			t.Fatalf("%q may connect: %v", origin, err)
		}
		own := u.Scheme == "https" && strings.EqualFold(u.Hostname(), "map.example") && (u.Port() == "" || u.Port() == "443")
		h, err := url.Parse("http://" + host)
		asked := err == nil && strings.EqualFold(u.Hostname(), h.Hostname())
		if !own && !asked {
			t.Errorf("%q may connect to %q", origin, host)
		}
	})
}
