package people

import (
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode"

	"lightbar/internal/fleet"
	"lightbar/internal/record"
)

// FuzzVisitCookie: a cookie is what was sealed for its purpose, or nothing;
// and where a visit goes on to is a page of the dashboard.
func FuzzVisitCookie(f *testing.F) {
	a := New(Options{PublicURL: "http://localhost:8080", Base: record.Base{ServerKey: []byte("0123456789abcdef0123456789abcdef"),
		Now: func() time.Time { return time.UnixMilli(0) }}})
	sealed := visit{Provider: "city", State: "s", Nonce: "n", Verifier: "v", Origin: "/dashboard/live", Until: 1}
	good, err := a.sealVisit(signInVisit, sealed)
	if err != nil {
		f.Fatal(err)
	}
	other, err := a.sealVisit(stepUpVisit, visit{Provider: "city", State: "s"})
	if err != nil {
		f.Fatal(err)
	}
	for _, cookie := range []string{good, other, good[:20], good + "A", "", "e30", strings.Repeat("A", 12_000)} {
		f.Add(cookie, "/dashboard/live?assets=1#x")
	}
	for _, origin := range []string{"//evil.example", "/dashboard/../\t/evil.example", "/dashboard?x=\x00", "/dashboard\\@evil.example", "/dashboard/..//evil.example",
		"https://evil.example/dashboard", "/dashboard/\u2028", "/dashboardevil"} {
		f.Add(good, origin)
	}
	f.Fuzz(func(t *testing.T, cookie, origin string) {
		var v visit
		opens := a.openVisit(signInVisit, cookie, &v)
		if opens && v != sealed || !opens && (v != visit{} || cookie == good) {
			t.Errorf("%q opens (%v) as %+v", cookie, opens, v)
		}
		if a.answers(v, SSOAnswer{Provider: v.Provider, State: v.State}) != opens {
			t.Errorf("%q answers a visit", cookie)
		}
		if back := safeOrigin(origin); back != "" {
			u, err := url.Parse(back)
			if err != nil || u.Host != "" || u.Scheme != "" || !strings.HasPrefix(u.Path, "/dashboard") || strings.ContainsFunc(back, unicode.IsControl) {
				t.Errorf("%q leads to %q (%v)", origin, back, err)
			}
			sealed, err := a.sealVisit(signInVisit, visit{Origin: back, Until: fleet.Instant(7)})
			var again visit
			if err != nil || !a.openVisit(signInVisit, sealed, &again) || again.Origin != back || again.Until != 7 {
				t.Errorf("%q comes back as %+v (%v)", back, again, err)
			}
		}
	})
}
