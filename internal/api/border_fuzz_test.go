package api

import (
	"net/http/httptest"
	"net/netip"
	"testing"

	"lightbar/internal/budget"
)

// What stands around a body: forwarded addresses, encodings, versions, queries.
func FuzzBorder(f *testing.F) {
	f.Add("203.0.113.7, 10.0.0.1", "gzip;q=0.5, zstd", `W/"3"`, "a=1&b=%00")
	f.Add("::ffff:10.0.0.1%eth0,,", "gzip;q=", `""`, "org_ids[]=%ff")
	f.Add("[2001:db8::1]:80", ";;;", "-1", "%")
	s := &server{options: Options{TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}}}
	f.Fuzz(func(t *testing.T, forwarded, encoding, version, query string) {
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = "10.0.0.1:1234"
		r.Header.Set("X-Forwarded-For", forwarded)
		r.Header.Set("Accept-Encoding", encoding)
		address, _ := s.client(r)
		if _, err := netip.ParseAddr(address); err != nil {
			t.Errorf("the client is %q", address)
		}
		if n := budget.Network(address); !n.IsValid() {
			t.Errorf("%q has no network", address)
		}
		accepts(r, "zstd")
		if v, err := parseIfMatch(version); err == nil && v < 0 {
			t.Errorf("version %d", v)
		}
		storableQuery(query)
	})
}
