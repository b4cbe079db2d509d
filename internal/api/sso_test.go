package api_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/oauth2-proxy/mockoidc"

	"lightbar/internal/api"
	"lightbar/internal/app"
	"lightbar/internal/sso"
	"lightbar/internal/store"
	"lightbar/internal/testkit"
)

// city is a world whose people sign in by mockoidc, a mock provider for tests.
type city struct {
	*testkit.World
	mock   *mockoidc.MockOIDC
	client *sso.Client
}

func newCity(t *testing.T) *city {
	t.Helper()
	mock, err := mockoidc.Run()
	must(t, err)
	t.Cleanup(func() { must(t, mock.Shutdown()) })
	c := &city{mock: mock}
	c.client = &sso.Client{Provider: sso.Provider{ID: "city", Title: "City", Issuer: mock.Issuer(), ClientID: mock.ClientID, ClientSecret: sso.Secret(mock.ClientSecret),
		Scopes: []string{"groups"}}}
	c.World = testkit.New(t, testkit.WithBuild(func(a *app.App, _ *api.Options) {
		c.client.RedirectURL, c.client.Now = a.PublicURL+"/api/sso/city/callback", a.Now
		a.Providers = []*sso.Client{c.client}
	}))
	mockoidc.NowFunc = c.App.Now
	c.client.Mappings = []sso.Mapping{{Group: "chiefs", Organization: c.Own.ID, Role: "administrator"}, {Group: "tow", Organization: c.Managed.ID, Role: "operator"},
		{Group: "roots", Organization: c.Own.ID, Role: "super"}, {Group: "lost", Organization: c.App.NewID(), Role: "viewer"}}
	return c
}

// visit is one way through the provider and back.
type visit struct {
	cookie  *http.Cookie
	back    *url.URL // the callback with code and state
	address *url.URL // at the provider
}

func (c *city) leave(t *testing.T, origin string, who mockoidc.User) visit {
	t.Helper()
	r := c.Do(testkit.Request{Path: "/api/sso/city/start?" + url.Values{"origin": {origin}}.Encode()})
	if r.Status != http.StatusFound {
		t.Fatalf("start: %d %s", r.Status, r.Text)
	}
	v := visit{cookie: cookieNamed(t, r, "lb_visit")}
	if !v.cookie.HttpOnly || v.cookie.SameSite != http.SameSiteLaxMode {
		t.Errorf("cookie %+v", v.cookie)
	}
	var err error
	v.address, err = url.Parse(r.Header.Get("Location"))
	must(t, err)
	v.back = c.passes(t, v.address, who)
	return v
}

// passes goes through the provider as a person: the address it sends them back to.
func (c *city) passes(t *testing.T, address *url.URL, who mockoidc.User) (back *url.URL) {
	t.Helper()
	c.mock.QueueUser(who)
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Get(address.String())
	must(t, err)
	must(t, res.Body.Close())
	back, err = url.Parse(res.Header.Get("Location"))
	must(t, err)
	if res.StatusCode != http.StatusFound || back.Query().Get("code") == "" {
		t.Fatalf("provider: %d %s", res.StatusCode, back)
	}
	return back
}

func (c *city) comeBack(v visit) testkit.Response {
	var cookies []*http.Cookie
	if v.cookie != nil {
		cookies = []*http.Cookie{v.cookie}
	}
	return c.Do(testkit.Request{Path: v.back.RequestURI(), Cookies: cookies})
}

func person(subject, email string, groups ...string) *mockoidc.MockUser {
	return &mockoidc.MockUser{Subject: subject, Email: email, PreferredUsername: subject, Groups: groups, EmailVerified: true}
}

func (c *city) enters(t *testing.T, who mockoidc.User) (access string) {
	t.Helper()
	r := c.comeBack(c.leave(t, "/dashboard/things?x=1", who))
	if r.Status != http.StatusFound || r.Header.Get("Location") != "/welcome/sso?origin=%2Fdashboard%2Fthings%3Fx%3D1" {
		t.Fatalf("%d %s", r.Status, r.Header.Get("Location"))
	}
	refresh := cookieNamed(t, r, "lb_refresh")
	r = c.Do(testkit.Request{Method: "POST", Path: "/api/user_token", Body: map[string]string{"grant_type": "refresh_token", "token_delivery": "cookie"},
		Cookies: []*http.Cookie{refresh}})
	if r.Status != http.StatusOK {
		t.Fatalf("refresh: %d %s", r.Status, r.Text)
	}
	_, rest, _ := strings.Cut(r.Text, `"access_token":"`)
	access, _, _ = strings.Cut(rest, `"`)
	return access
}

func (c *city) refused(t *testing.T, r testkit.Response, code string) {
	t.Helper()
	if r.Status != http.StatusFound || r.Header.Get("Location") != "/welcome/signin?sso="+code {
		t.Errorf("%d %s, want %s", r.Status, r.Header.Get("Location"), code)
	}
	for _, cookie := range r.Cookies {
		if cookie.Name == "lb_refresh" {
			t.Error("a session begins though the sign-in was refused")
		}
	}
}

func TestSingleSignOn(t *testing.T) {
	c := newCity(t)
	if r := c.Do(testkit.Request{Path: "/api/sign_in_methods"}); !strings.Contains(r.Text, `"start":"/api/sso/city/start"`) || strings.Contains(r.Text, c.mock.ClientSecret) {
		t.Errorf("methods: %s", r.Text)
	}
	access := c.enters(t, person("ann", "ann@city.example", "staff", "tow"))
	r := c.Do(testkit.Request{Path: "/api/profile", Token: access})
	if !strings.Contains(r.Text, c.Managed.ID) || !strings.Contains(r.Text, `"email":"ann@city.example"`) || !strings.Contains(r.Text, `"closure:create"`) {
		t.Fatalf("profile: %s", r.Text)
	}
	// The same subject is the same user, whatever e-mail the provider now tells; new groups move them.
	again := c.enters(t, person("ann", "renamed@city.example", "chiefs"))
	r = c.Do(testkit.Request{Path: "/api/profile", Token: again})
	if !strings.Contains(r.Text, `"email":"ann@city.example"`) || !strings.Contains(r.Text, `"organization_id":"`+c.Own.ID) || !strings.Contains(r.Text, `"user:admin:manage"`) {
		t.Errorf("profile after the move: %s", r.Text)
	}
	if r := c.Do(testkit.Request{Path: "/api/profile", Token: access}); r.Status != http.StatusUnauthorized {
		t.Errorf("the session from before the move works: %d", r.Status)
	}
	// Who loses the groups loses the way in, and what was open.
	c.refused(t, c.comeBack(c.leave(t, "", person("ann", "ann@city.example", "staff"))), "sso_not_mapped")
	if r := c.Do(testkit.Request{Path: "/api/profile", Token: again}); r.Status != http.StatusUnauthorized {
		t.Errorf("a session outlives the groups: %d", r.Status)
	}
	if !hasAudit(t, c.World, c.Own.ID, "place") || !hasAudit(t, c.World, c.Managed.ID, "sign_in") {
		t.Error("single sign-on leaves no audit")
	}
}

func TestSingleSignOnFailsClosed(t *testing.T) {
	c := newCity(t)
	for group, code := range map[string]string{"roots": "sso_misconfigured", "lost": "sso_misconfigured", "staff": "sso_not_mapped"} {
		c.refused(t, c.comeBack(c.leave(t, "", person("eve-"+group, group+"@city.example", group))), code)
	}
	// An e-mail of a local user is not a way into the local account.
	c.refused(t, c.comeBack(c.leave(t, "", person("eve", "super@demo.example", "chiefs"))), "email_in_use")
	c.refused(t, c.comeBack(c.leave(t, "", person("nobody", "", "chiefs"))), "sso_failed")
	n, err := store.CountUsers(t.Context(), c.App.Store.Reader())
	must(t, err)
	for _, hostile := range []func(v *visit){
		func(v *visit) { v.cookie = nil },
		func(v *visit) { v.cookie.Value = v.cookie.Value[1:] },
		func(v *visit) { v.cookie = c.leave(t, "", person("x", "x@city.example", "chiefs")).cookie },
		func(v *visit) { q := v.back.Query(); q.Set("state", "other"); v.back.RawQuery = q.Encode() },
		func(v *visit) { q := v.back.Query(); q.Del("state"); v.back.RawQuery = q.Encode() },
		func(v *visit) { q := v.back.Query(); q.Set("code", "other"); v.back.RawQuery = q.Encode() },
		func(v *visit) { q := v.back.Query(); q.Set("error", "access_denied"); v.back.RawQuery = q.Encode() },
		func(v *visit) { v.back.Path = "/api/sso/other/callback" },
	} {
		v := c.leave(t, "", person("mallory", "mallory@city.example", "chiefs"))
		hostile(&v)
		c.refused(t, c.comeBack(v), "sso_failed")
	}
	if after, err := store.CountUsers(t.Context(), c.App.Store.Reader()); err != nil || after != n {
		t.Errorf("%d users, before %d: a refused sign-in made one (%v)", after, n, err)
	}
	v := c.leave(t, "", person("late", "late@city.example", "chiefs"))
	c.Clock.Advance(11 * 60 * 1e9)
	c.refused(t, c.comeBack(v), "sso_failed")
	v = c.leave(t, "https://evil.example/dashboard", person("ann", "ann@city.example", "chiefs"))
	if r := c.comeBack(v); r.Header.Get("Location") != "/welcome/sso" {
		t.Errorf("an origin outside leads to %s", r.Header.Get("Location"))
	}
	c.refused(t, c.comeBack(v), "sso_failed") // a code works once
}

// Visits are braked as the token calls are, on the way out and on the way back:
// nobody may make the server ask a provider at will.
func TestVisitsToProvidersAreBraked(t *testing.T) {
	c := newCity(t)
	c.refused(t, c.Do(testkit.Request{Path: "/api/sso/other/start"}), "provider_unknown")
	c.Clock.Advance(time.Minute)
	v := c.leave(t, "", person("ann", "ann@city.example", "chiefs"))
	for range 59 {
		if r := c.Do(testkit.Request{Path: "/api/sso/other/start"}); r.Header.Get("Location") != "/welcome/signin?sso=provider_unknown" {
			t.Fatalf("braked too early: %s", r.Header.Get("Location"))
		}
	}
	c.refused(t, c.Do(testkit.Request{Path: "/api/sso/city/start"}), "rate_limited")
	c.refused(t, c.comeBack(v), "rate_limited")
	if r := c.Do(testkit.Request{Path: "/api/sso/city/callback?state=prove-x"}); r.Header.Get("Location") != "/welcome/verified?problem=rate_limited" {
		t.Errorf("the way back of a step-up: %s", r.Header.Get("Location"))
	}
	c.Clock.Advance(time.Second)
	if r := c.comeBack(v); r.Header.Get("Location") != "/welcome/sso" {
		t.Errorf("a second later: %s", r.Header.Get("Location"))
	}
}

// Suspended here is suspended, whatever the provider says.
func TestSingleSignOnOfASuspendedUser(t *testing.T) {
	c := newCity(t)
	c.enters(t, person("ann", "ann@city.example", "chiefs"))
	must(t, c.App.Store.Write(t.Context(), func(tx *store.Tx) error {
		_, err := tx.ExecContext(t.Context(), `UPDATE app_user SET suspended = TRUE WHERE email_key = 'ann@city.example'`)
		return err
	}))
	c.refused(t, c.comeBack(c.leave(t, "", person("ann", "ann@city.example", "chiefs"))), "user_suspended")
}
