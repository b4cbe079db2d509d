package outbound

import (
	"testing"
	"time"
)

// FuzzAddressOf: what is taken is an address of the web with a host, and is taken again as it was written down.
func FuzzAddressOf(f *testing.F) {
	for _, text := range []string{"https://example.org/feed.geojson?key=1#x", " http://[::1]:80/ ", "http:example.org", "file:///etc/passwd", "https://a@b:c/", "//x", "http://%41/"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		at, err := addressOf(text)
		if err != nil {
			return
		}
		if at.Scheme != "http" && at.Scheme != "https" || at.Hostname() == "" || at.Opaque != "" || at.Fragment != "" {
			t.Fatalf("%q is taken as %+v", text, at)
		}
		if again, err := addressOf(at.String()); len(at.String()) <= 4000 && (err != nil || again.Host != at.Host || again.Scheme != at.Scheme) {
			t.Fatalf("%q is written down as %q: %v", text, at, err)
		}
	})
}

// FuzzRetryAfter: no server makes us wait for more than a day, or for less than nothing.
func FuzzRetryAfter(f *testing.F) {
	for _, text := range []string{"120", "-1", "1e308", "NaN", "Inf", "0x1p-2", "Sat, 21 Nov 2026 12:00:00 GMT", "Fri, 31 Dec 9999 23:59:59 GMT", ""} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if wait := retryAfter(text); wait < 0 || wait > 24*time.Hour {
			t.Fatalf("%q: %v", text, wait)
		}
	})
}
