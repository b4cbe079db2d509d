package api_test

import (
	"strings"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/testkit"
	"lightbar/internal/wire"
)

// publicWorld has an organization that publishes a closure which ends in 2 hours, to everybody.
func publicWorld(t *testing.T) *testkit.World {
	t.Helper()
	w, yes := testkit.New(t), true
	_, err := w.App.UpdateOrganization(t.Context(), access.System(), w.Own.ID, wire.OrganizationWrite{IsWZDxOrg: &yes, FeedsPublic: &yes})
	must(t, err)
	_, _, err = w.App.Closures.Create(t.Context(), access.System(), published(w, `Paving <script>alert("x")</script>`, "DE-1"))
	must(t, err)
	return w
}

func TestPublicFeedsNeedNoKey(t *testing.T) {
	w, no := publicWorld(t), false
	feeds, page := "/feeds/"+w.Own.ID+"/", "/closures/"+w.Own.ID
	documents := map[string]string{
		feeds + "wzdx-4.2.geojson": "application/geo+json", feeds + "wzdx-devices-4.2.geojson": "application/geo+json", feeds + "cifs.xml": "application/xml",
		feeds + "closures.rss": "application/rss+xml; charset=utf-8", feeds + "closures.ics": "text/calendar; charset=utf-8", page: "text/html; charset=utf-8"}
	for path, media := range documents {
		r := w.Do(testkit.Request{Path: path})
		fresh := map[bool]string{false: "public, max-age=60", true: "public, max-age=10"}[strings.Contains(path, "devices")]
		if h := r.Header; r.Status != 200 || h.Get("Content-Type") != media || h.Get("Cache-Control") != fresh || h.Get("Access-Control-Allow-Origin") != "*" ||
			h.Get("Cross-Origin-Resource-Policy") != "cross-origin" || h.Get("ETag") == "" {
			t.Errorf("%s: %d %v", path, r.Status, h)
		}
		again := w.Do(testkit.Request{Path: path, Headers: map[string]string{"If-None-Match": r.Header.Get("ETag")}})
		if again.Status != 304 || again.Text != "" || again.Header.Get("Cache-Control") != fresh {
			t.Errorf("%s again: %d %v", path, again.Status, again.Header)
		}
	}
	// What a shared cache holds never says past its end that a closure stands.
	w.Clock.Advance(2*time.Hour - 7*time.Second)
	if got := w.Do(testkit.Request{Path: page}).Header.Get("Cache-Control"); got != "public, max-age=7" {
		t.Error(got)
	}
	key := func(organizationID string) string {
		_, secret, err := w.App.CreateKey(t.Context(), access.System(), wire.KeyCreate{OrganizationID: wire.ID(organizationID), Description: "r", Scopes: []string{"feeds"}})
		must(t, err)
		return secret
	}
	for _, organization := range []string{w.Own.ID, w.Foreign.ID} {
		if r := w.Do(testkit.Request{Path: feeds + "cifs.json", Token: key(organization)}); r.Status != 200 || r.Header.Get("Cache-Control") != "private, max-age=0, must-revalidate" {
			t.Errorf("with a key: %d %v", r.Status, r.Header)
		}
	}
	for path, status := range map[string]int{feeds + "closures.html": 404, feeds + "nothing": 404, "/closures/" + w.Foreign.ID: 404, "/closures/nowhere": 404,
		"/feeds/" + w.Foreign.ID + "/closures.rss": 401, feeds + "cifs.json?key=lb_key_x": 401} {
		if r := w.Do(testkit.Request{Path: path}); r.Status != status || r.Header.Get("X-Frame-Options") != "DENY" {
			t.Errorf("%s: %d %v", path, r.Status, r.Header)
		}
	}
	for what, edit := range map[string]wire.OrganizationWrite{"not public": {FeedsPublic: &no}, "not flagged": {IsWZDxOrg: &no}} {
		_, err := w.App.UpdateOrganization(t.Context(), access.System(), w.Own.ID, edit)
		must(t, err)
		for path := range documents {
			if r := w.Do(testkit.Request{Path: path}); r.Status != map[bool]int{true: 404, false: 401}[path == page] {
				t.Errorf("%s, %s: %d", what, path, r.Status)
			}
		}
		if r := w.Do(testkit.Request{Path: feeds + "closures.rss", Token: key(w.Own.ID)}); r.Status != 404 {
			t.Errorf("%s, news with a key: %d", what, r.Status)
		}
	}
}

// Any site may frame the page, and nothing else; it has no script and no text of a closure becomes one.
func TestThePublicPageMayBeFramed(t *testing.T) {
	w := publicWorld(t)
	r := w.Do(testkit.Request{Path: "/closures/" + w.Own.ID})
	policy := r.Header.Get("Content-Security-Policy")
	if !strings.Contains(policy, "frame-ancestors *;") || strings.Contains(policy, "script-src") || !strings.HasPrefix(policy, "default-src 'none'; style-src 'sha256-") ||
		r.Header.Get("X-Frame-Options") != "" {
		t.Error(r.Header)
	}
	if strings.Contains(r.Text, "<script") || !strings.Contains(r.Text, "Paving &lt;script&gt;") {
		t.Error(r.Text)
	}
	for _, path := range []string{"/", "/feeds/" + w.Own.ID + "/closures.rss", "/legal/terms"} {
		if h := w.Do(testkit.Request{Path: path}).Header; h.Get("X-Frame-Options") != "DENY" || !strings.Contains(h.Get("Content-Security-Policy"), "frame-ancestors 'none'") {
			t.Errorf("%s: %v", path, h)
		}
	}
}

// The page reloads itself only if the address says so, within bounds; an unchanged page is a new one when the minute is.
func TestThePublicPageReloadsWhenAsked(t *testing.T) {
	w := publicWorld(t)
	path := "/closures/" + w.Own.ID
	for query, want := range map[string]string{"": "", "?refresh=": "", "?refresh=60": "60", "?refresh=30": "30", "?refresh=3600": "3600"} {
		if r := w.Do(testkit.Request{Path: path + query}); r.Status != 200 || r.Header.Get("Refresh") != want || strings.Contains(r.Text, "http-equiv") {
			t.Errorf("%q: %d %v", query, r.Status, r.Header)
		}
	}
	for _, query := range []string{"0", "29", "3601", "-60", "6e1", "60%3Burl=https://evil.example", "%3Cscript%3E", "99999999999999999999"} {
		r := w.Do(testkit.Request{Path: path + "?refresh=" + query})
		if r.Status != 400 || r.Header.Get("Refresh") != "" || !strings.Contains(r.Text, "from 30 to 3600") || strings.Contains(r.Text, "<script") {
			t.Errorf("%q: %d %v", query, r.Status, r.Header)
		}
	}
	first := w.Do(testkit.Request{Path: path})
	again := testkit.Request{Path: path + "?refresh=60", Headers: map[string]string{"If-None-Match": first.Header.Get("ETag")}}
	if r := w.Do(again); r.Status != 304 || r.Header.Get("Refresh") != "60" {
		t.Errorf("the same minute: %d %v", r.Status, r.Header)
	}
	w.Clock.Advance(time.Minute)
	if r := w.Do(again); r.Status != 200 || r.Text == first.Text {
		t.Errorf("a minute later: %d", r.Status)
	}
}

// A network that reads too often without a key is told to wait; those with a key, and who signs in, are not.
func TestReadersWithoutAKeyAreBraked(t *testing.T) {
	w := publicWorld(t)
	path := "/feeds/" + w.Own.ID + "/cifs.json"
	for range 120 {
		if r := w.Do(testkit.Request{Path: path}); r.Status != 200 {
			t.Fatal(r.Status)
		}
	}
	for _, path := range []string{path, "/closures/" + w.Own.ID, "/feeds/nowhere/cifs.json"} {
		if r := w.Do(testkit.Request{Path: path}); r.Status != 429 || r.Header.Get("Retry-After") == "" {
			t.Errorf("%s: %d %v", path, r.Status, r.Header)
		}
	}
	_, secret, err := w.App.CreateKey(t.Context(), access.System(), wire.KeyCreate{OrganizationID: wire.ID(w.Own.ID), Description: "r", Scopes: []string{"feeds"}})
	must(t, err)
	if r := w.Do(testkit.Request{Path: path, Token: secret}); r.Status != 200 {
		t.Errorf("with a key: %d", r.Status)
	}
	_, foreign, err := w.App.CreateKey(t.Context(), access.System(), wire.KeyCreate{OrganizationID: wire.ID(w.Foreign.ID), Description: "r", Scopes: []string{"feeds"}})
	must(t, err)
	for _, text := range []string{"lb_key_x", foreign} { // no key of this organization lifts the brake
		if r := w.Do(testkit.Request{Path: path, Token: text}); r.Status != 429 {
			t.Errorf("with a text as a key: %d", r.Status)
		}
	}
	if w.SignIn("administrator").AccessToken == "" {
		t.Error("nobody can sign in")
	}
	w.Clock.Advance(time.Minute)
	if r := w.Do(testkit.Request{Path: path}); r.Status != 200 {
		t.Errorf("a minute later: %d", r.Status)
	}
}

// Documents travel packed, and the tag of a packed one is known again.
func TestFeedsTravelPacked(t *testing.T) {
	w := publicWorld(t)
	for i := range 5 {
		_, _, err := w.App.Closures.Create(t.Context(), access.System(), published(w, "Paving", "P-"+string(rune('a'+i))))
		must(t, err)
	}
	for _, path := range []string{"wzdx-4.2.geojson", "cifs.json", "cifs.xml", "closures.rss", "closures.ics"} {
		path = "/feeds/" + w.Own.ID + "/" + path
		plain := w.Do(testkit.Request{Path: path}).Header.Get("ETag")
		r := w.Do(testkit.Request{Path: path, Headers: map[string]string{"Accept-Encoding": "gzip"}})
		if r.Header.Get("Content-Encoding") != "gzip" || !strings.HasPrefix(r.Header.Get("ETag"), strings.TrimSuffix(plain, `"`)) ||
			!strings.Contains(r.Header.Get("Vary"), "Accept-Encoding") {
			t.Errorf("%s: %v", path, r.Header)
		}
		again := w.Do(testkit.Request{Path: path, Headers: map[string]string{"Accept-Encoding": "gzip", "If-None-Match": r.Header.Get("ETag")}})
		if again.Status != 304 {
			t.Errorf("%s again: %d", path, again.Status)
		}
	}
}

// A key that is none, or another organization's, reads as often as no key does.
func TestAWrongKeyLiftsNoBrake(t *testing.T) {
	w := publicWorld(t)
	_, foreign, err := w.App.CreateKey(t.Context(), access.System(), wire.KeyCreate{OrganizationID: wire.ID(w.Foreign.ID), Description: "r", Scopes: []string{"feeds"}})
	must(t, err)
	path := "/feeds/" + w.Own.ID + "/cifs.json"
	for i := range 120 {
		ask, want := testkit.Request{Path: path + "?key=wrong"}, 401
		if i%2 == 0 {
			ask, want = testkit.Request{Path: path, Token: foreign}, 200
		}
		if r := w.Do(ask); r.Status != want {
			t.Fatalf("%d: %d %s", i, r.Status, r.Text)
		}
	}
	for _, ask := range []testkit.Request{{Path: path + "?key=wrong"}, {Path: path, Token: foreign}, {Path: path}} {
		if r := w.Do(ask); r.Status != 429 || r.Header.Get("Retry-After") == "" {
			t.Errorf("%+v: %d %s", ask, r.Status, r.Text)
		}
	}
}

// Whatever the format, an answer says under which license it is published, if the organization has said it; a change is told at once.
func TestFeedsSayTheirLicense(t *testing.T) {
	w := publicWorld(t)
	paths := []string{"closures.geojson", "cifs.json", "closures.ics", "wzdx-4.2.geojson", "wzdx-devices-4.2.geojson"}
	for license, want := range map[string]string{"ODbL-1.0": `<https://opendatacommons.org/licenses/odbl/1-0/>; rel="license"`, "": "",
		" https://works.example/terms ": `<https://works.example/terms>; rel="license"`} {
		_, err := w.App.UpdateOrganization(t.Context(), access.System(), w.Own.ID, wire.OrganizationWrite{FeedLicense: &license})
		must(t, err)
		for _, path := range paths {
			r := w.Do(testkit.Request{Path: "/feeds/" + w.Own.ID + "/" + path})
			if r.Status != 200 || r.Header.Get("Link") != want {
				t.Errorf("%s under %q: %d %q", path, license, r.Status, r.Header.Get("Link"))
			}
			if again := w.Do(testkit.Request{Path: "/feeds/" + w.Own.ID + "/" + path, Headers: map[string]string{"If-None-Match": r.Header.Get("ETag")}}); again.Status != 304 ||
				again.Header.Get("Link") != want {
				t.Errorf("%s under %q again: %d %q", path, license, again.Status, again.Header.Get("Link"))
			}
		}
	}
	bad := "our terms"
	if _, err := w.App.UpdateOrganization(t.Context(), access.System(), w.Own.ID, wire.OrganizationWrite{FeedLicense: &bad}); err == nil {
		t.Error("terms without an address are taken")
	}
}
