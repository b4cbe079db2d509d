package api_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/oauth2-proxy/mockoidc"

	"lightbar/internal/fleet"
	"lightbar/internal/sso"
	"lightbar/internal/store"
	"lightbar/internal/testkit"
	"lightbar/internal/wire"
)

// asking is the way to a provider that says when it asked the person, which mockoidc does not.
type asking struct {
	key any
	at  *time.Time // nil: it does not say
}

func (a *asking) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil || a.at == nil || !strings.HasSuffix(r.URL.Path, "/token") || res.StatusCode != http.StatusOK {
		return res, err
	}
	answer := map[string]any{}
	err = errors.Join(json.NewDecoder(res.Body).Decode(&answer), res.Body.Close())
	if err == nil {
		answer["id_token"], err = a.with(answer["id_token"].(string))
	}
	text, encoding := json.Marshal(answer)
	res.Body = io.NopCloser(bytes.NewReader(text))
	return res, errors.Join(err, encoding)
}

// with signs a token anew, with the time in it.
func (a *asking) with(token string) (string, error) {
	old, err := jose.ParseSigned(token, []jose.SignatureAlgorithm{jose.RS256})
	if err != nil {
		return "", err
	}
	claims := map[string]any{}
	if err := json.Unmarshal(old.UnsafePayloadWithoutVerification(), &claims); err != nil {
		return "", err
	}
	claims["auth_time"] = a.at.Unix()
	text, err := json.Marshal(claims)
	if err != nil {
		return "", err
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.RS256, Key: a.key}, (&jose.SignerOptions{}).WithHeader("kid", old.Signatures[0].Header.KeyID))
	if err != nil {
		return "", err
	}
	signed, err := signer.Sign(text)
	if err != nil {
		return "", err
	}
	return signed.CompactSerialize()
}

// asks makes the provider say that it asked the person so long ago.
func (c *city) asks(ago time.Duration) {
	at := c.Clock.Now().Add(-ago)
	c.client.Transport = &asking{key: c.mock.Keypair.PrivateKey, at: &at}
}

func ann() *mockoidc.MockUser { return person("ann", "ann@city.example", "chiefs") }

// proves begins a step-up in a session and lets the provider ask a person.
func (c *city) proves(t *testing.T, token string, extend bool, who *mockoidc.MockUser) visit {
	t.Helper()
	return c.begun(t, send("POST", "/api/session/step_up/sso", token, map[string]any{"extend": extend}), who)
}

// provesFrom is Ann's way from a device that may be known.
func (c *city) provesFrom(t *testing.T, token string, device *http.Cookie) visit {
	t.Helper()
	in := send("POST", "/api/session/step_up/sso", token, map[string]any{})
	if device != nil {
		in.Cookies = []*http.Cookie{device}
	}
	return c.begun(t, in, ann())
}

func (c *city) begun(t *testing.T, in testkit.Request, who *mockoidc.MockUser) visit {
	t.Helper()
	r := c.Do(in)
	begun := data[wire.ProviderVisit](t, r)
	v := visit{cookie: cookieNamed(t, r, "lb_proof")}
	if !v.cookie.HttpOnly || v.cookie.SameSite != http.SameSiteLaxMode || begun.BegunAt != fleet.InstantOf(c.Clock.Now()) {
		t.Errorf("begun %+v, cookie %+v", begun, v.cookie)
	}
	var err error
	v.address, err = url.Parse(begun.URL)
	must(t, err)
	v.back = c.passes(t, v.address, who)
	return v
}

// proved reports whether a visit has ended well, or else with which code.
func (c *city) proved(t *testing.T, v visit) string {
	t.Helper()
	r := c.comeBack(v)
	to, err := url.Parse(r.Header.Get("Location"))
	must(t, err)
	if r.Status != http.StatusFound || to.Path != "/welcome/verified" {
		t.Fatalf("%d %s", r.Status, to)
	}
	for _, cookie := range r.Cookies {
		if cookie.Name == "lb_refresh" || (cookie.Name == "lb_proof" && cookie.MaxAge >= 0) {
			t.Errorf("cookie %+v", cookie)
		}
	}
	return to.Query().Get("problem")
}

// A provider that lets somebody in without asking them proves nothing about who
// sits there now: only its own word on when it asked counts, and for ten minutes.
//
// spec: D.auth.08
func TestASilentSignInByProviderProvesNothing(t *testing.T) {
	for name, row := range map[string]struct {
		ago    time.Duration
		silent bool // the provider does not say when it asked
		fresh  bool
	}{
		"asked just now":         {fresh: true},
		"asked nine minutes ago": {ago: 9 * time.Minute, fresh: true},
		"asked ten minutes ago":  {ago: 10*time.Minute + time.Second},
		"asked yesterday":        {ago: 24 * time.Hour},
		"its clock runs ahead":   {ago: -30 * time.Second, fresh: true},
		"says a time to come":    {ago: -time.Hour},
		"does not say":           {silent: true},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCity(t)
			for _, visit := range []string{"first", "second"} {
				if c.asks(row.ago); row.silent {
					c.client.Transport = nil
				}
				token := c.enters(t, ann())
				p := data[wire.Profile](t, c.Get("/api/profile", token))
				if row.fresh {
					if r := c.gate(token); r.Status >= 300 {
						t.Errorf("the %s visit: %d %s", visit, r.Status, r.Text)
					}
					if want := min(fleet.InstantOf(c.Clock.Now().Add(-row.ago)), fleet.InstantOf(c.Clock.Now())); p.Session.VerifiedAt != want {
						t.Errorf("the %s visit: proved at %s, want %s", visit, p.Session.VerifiedAt, want)
					}
					continue
				}
				wants(t, c.gate(token), 403, "step_up_required", "")
				if p.Session.VerifiedAt != 0 {
					t.Errorf("the %s visit: proved at %s", visit, p.Session.VerifiedAt)
				}
			}
		})
	}
}

// stale is a session of Ann's that has to prove who is there.
func (c *city) stale(t *testing.T) (token string) {
	t.Helper()
	token = c.enters(t, person("ann", "ann@city.example", "chiefs"))
	c.Clock.Advance(11 * time.Minute)
	wants(t, c.gate(token), 403, "step_up_required", "")
	return token
}

func (c *city) gate(token string) testkit.Response {
	return c.Do(send("POST", "/api/session/totp", token, nil))
}

func (c *city) sessions(t *testing.T, token string) int {
	t.Helper()
	return len(data[[]wire.SessionRow](t, c.Get("/api/sessions", token)))
}

// Who signs in by a provider proves there who they are: the session that asked
// is verified, no other begins, nobody is moved.
func TestStepUpByProvider(t *testing.T) {
	c := newCity(t)
	token := c.stale(t)
	other := c.enters(t, person("ann", "ann@city.example", "chiefs"))
	c.Clock.Advance(11 * time.Minute)
	before := data[wire.Profile](t, c.Get("/api/profile", token))
	if p := before.Session.StepUpProvider; p == nil || *p != (wire.ProviderName{ID: "city", Title: "City"}) {
		t.Fatalf("the profile offers %+v", p)
	}
	// Meanwhile Ann is in another group, too: that moves her at a sign-in, not here.
	c.asks(0)
	v := c.proves(t, token, false, person("ann", "renamed@city.example", "tow"))
	if q := v.address.Query(); q.Get("prompt") != "login" || q.Get("max_age") != "0" || q.Get("code_challenge") == "" || q.Get("nonce") == "" {
		t.Errorf("the provider is asked %s", v.address)
	}
	c.Clock.Advance(time.Minute)
	if code := c.proved(t, v); code != "" {
		t.Fatalf("refused: %s", code)
	}
	if r := c.gate(token); r.Status != 200 {
		t.Errorf("%d %s", r.Status, r.Text)
	}
	wants(t, c.gate(other), 403, "step_up_required", "") // another session of the same person has proved nothing
	after := data[wire.Profile](t, c.Get("/api/profile", token))
	if after.Session.VerifiedAt != fleet.InstantOf(c.Clock.Now()) || after.Session.EndsAt != before.Session.EndsAt || after.Session.ID != before.Session.ID {
		t.Errorf("session %+v, before %+v", after.Session, before.Session)
	}
	if after.User.OrganizationID != before.User.OrganizationID || after.User.RoleID != before.User.RoleID || after.User.Email != before.User.Email {
		t.Errorf("user %+v, before %+v", after.User, before.User)
	}
	if n := c.sessions(t, token); n != 2 {
		t.Errorf("%d sessions", n)
	}
	rows, err := store.ListAudit(t.Context(), c.App.Store.Reader(), c.Own.ID, 0, 1000)
	must(t, err)
	i := slices.IndexFunc(rows, func(r fleet.AuditRow) bool { return r.Verb == "step_up" })
	if i < 0 || !strings.Contains(string(rows[i].After), `"method":"sso"`) || rows[i].ActorUserID != after.User.ID || rows[i].NounID != after.Session.ID {
		t.Errorf("audit %+v", rows)
	}
	// The same way moves the session's end when that is asked for.
	c.asks(0)
	if code := c.proved(t, c.proves(t, token, true, ann())); code != "" {
		t.Fatalf("refused: %s", code)
	}
	if p := data[wire.Profile](t, c.Get("/api/profile", token)); p.Session.EndsAt != fleet.InstantOf(c.Clock.Now()).Add(24*time.Hour) {
		t.Errorf("ends at %v", p.Session.EndsAt)
	}
}

// Hostile answers: none of them proves anything, and those that a provider gave
// for a session are counted as wrong passwords are.
func TestHostileStepUpsByProvider(t *testing.T) {
	for name, h := range map[string]struct {
		who     *mockoidc.MockUser // Ann by default
		ago     time.Duration      // when the provider says it asked; a day: it does not say
		hostile func(t *testing.T, c *city, v *visit)
		code    string
		counted bool
	}{
		"another subject":                   {who: person("eve", "ann@city.example", "chiefs"), code: "sso_other_person", counted: true},
		"another user of this installation": {who: person("bob", "bob@city.example", "chiefs"), code: "sso_other_person", counted: true},
		"asked before the beginning":        {ago: 31 * time.Second, code: "sso_not_fresh", counted: true},
		"asked in times to come":            {ago: -31 * time.Second, code: "sso_not_fresh", counted: true},
		"does not say when it asked":        {ago: silent, code: "sso_not_fresh", counted: true},
		"in no mapped group any more":       {who: person("ann", "ann@city.example", "staff"), code: "sso_not_mapped", counted: true},
		"another code":                      {hostile: set("code", "other"), code: "sso_failed", counted: true},
		"another state":                     {hostile: set("state", "prove-other"), code: "sso_failed"},
		"the provider refused":              {hostile: set("error", "access_denied"), code: "sso_failed"},
		"no code":                           {hostile: set("code", ""), code: "sso_failed"},
		"a provider that was taken away":    {hostile: func(_ *testing.T, c *city, _ *visit) { c.App.Providers = nil }, code: "sso_failed"},
		"another provider":                  {hostile: func(_ *testing.T, _ *city, v *visit) { v.back.Path = "/api/sso/other/callback" }, code: "sso_failed"},
		"another provider's visit":          {hostile: otherProvider, code: "sso_failed"},
		"no cookie: a lured browser":        {hostile: func(_ *testing.T, _ *city, v *visit) { v.cookie = nil }, code: "sso_failed"},
		"a damaged cookie":                  {hostile: func(_ *testing.T, _ *city, v *visit) { v.cookie.Value = v.cookie.Value[1:] }, code: "sso_failed"},
		"too late":                          {hostile: func(_ *testing.T, c *city, _ *visit) { c.Clock.Advance(11 * time.Minute); c.asks(0) }, code: "sso_failed"},
		"replayed":                          {hostile: replay, code: "sso_failed"},
		"replayed with a fresh code":        {hostile: replayFresh, code: "sso_failed"},
		"the cookie of a sign-in":           {hostile: signInCookie, code: "sso_failed"},
		"another session's state":           {hostile: anotherState, code: "sso_failed"},
		"a session that has ended":          {hostile: change(`UPDATE session SET revoked_at = 1`), code: "session_expired"},
		"a user who was suspended":          {hostile: change(`UPDATE app_user SET suspended = TRUE`), code: "session_expired"},
		"an identity that was forgotten":    {hostile: change(`DELETE FROM identity`), code: "sso_other_person", counted: true},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCity(t)
			c.enters(t, person("bob", "bob@city.example", "chiefs"))
			token := c.stale(t)
			c.asks(h.ago)
			if h.ago == silent {
				c.client.Transport = nil
			}
			if h.who == nil {
				h.who = ann()
			}
			v := c.proves(t, token, false, h.who)
			if h.hostile != nil {
				h.hostile(t, c, &v)
			}
			if code := c.proved(t, v); code != h.code {
				t.Errorf("ends with %q, want %q", code, h.code)
			}
			if r := c.gate(token); r.Status < 400 {
				t.Errorf("the session counts as verified: %d", r.Status)
			}
			if hasAudit(t, c.World, c.Own.ID, "step_up") || hasAudit(t, c.World, c.Own.ID, "step_up_refused") != h.counted {
				t.Error("the audit tells another story")
			}
		})
	}
}

const silent = 24 * time.Hour

func set(name, value string) func(*testing.T, *city, *visit) {
	return func(_ *testing.T, _ *city, v *visit) {
		q := v.back.Query()
		q.Set(name, value)
		v.back.RawQuery = q.Encode()
	}
}

// change is what happens in the database while the person is at the provider.
func change(statement string) func(*testing.T, *city, *visit) {
	return func(t *testing.T, c *city, _ *visit) {
		must(t, c.App.Store.Write(t.Context(), func(tx *store.Tx) error {
			_, err := tx.ExecContext(t.Context(), statement)
			return err
		}))
	}
}

// replay uses a visit well, lets its proof be forgotten, and leaves it to be used again.
func replay(t *testing.T, c *city, v *visit) {
	if code := c.proved(t, *v); code != "" {
		t.Fatalf("the first time: %s", code)
	}
	change(`DELETE FROM audit WHERE verb = 'step_up'`)(t, c, v)
	change(`UPDATE session SET verified_at = 0`)(t, c, v)
}

// replayFresh brings a used visit a code that the provider still takes.
func replayFresh(t *testing.T, c *city, v *visit) {
	replay(t, c, v)
	v.back = c.passes(t, v.address, ann())
}

// otherProvider brings the answer to another configured provider's callback.
func otherProvider(_ *testing.T, c *city, v *visit) {
	c.App.Providers = append(c.App.Providers, &sso.Client{Provider: sso.Provider{ID: "county", Issuer: c.client.Issuer, ClientID: c.client.ClientID,
		ClientSecret: c.client.ClientSecret, Mappings: c.client.Mappings}, RedirectURL: c.client.RedirectURL, Now: c.App.Now, Transport: c.client.Transport})
	v.back.Path = "/api/sso/county/callback"
}

// signInCookie brings the sealed cookie of a sign-in under the name of a step-up's.
func signInCookie(t *testing.T, c *city, v *visit) {
	v.cookie.Value = c.leave(t, "", ann()).cookie.Value
}

// anotherState brings the answer of another session of the same person with this browser's cookie.
func anotherState(t *testing.T, c *city, v *visit) {
	v.back = c.proves(t, c.enters(t, ann()), false, ann()).back
}

func TestStepUpsByProviderAreCountedAndBraked(t *testing.T) {
	c := newCity(t)
	token := c.stale(t)
	c.asks(time.Hour)
	for range 5 {
		if code := c.proved(t, c.proves(t, token, false, ann())); code != "sso_not_fresh" {
			t.Fatalf("ends with %q", code)
		}
	}
	r := c.Do(send("POST", "/api/session/step_up/sso", token, map[string]any{}))
	wants(t, r, 429, "rate_limited", "Too many attempts. Please try again later.")
	if r.Header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	c.Clock.Advance(10 * time.Minute)
	c.asks(0)
	if code := c.proved(t, c.proves(t, token, false, ann())); code != "" {
		t.Errorf("after waiting: %s", code)
	}
}

// A right answer forgives the wrong ones before it, and those of a device that
// is known are its own: they lock nobody else of the network out.
func TestStepUpsByProviderAreForgivenAndCountedByDevice(t *testing.T) {
	c := newCity(t)
	r := c.comeBack(c.leave(t, "", ann()))
	device := cookieNamed(t, r, "lb_device")
	token := c.stale(t)
	wrong := func(device *http.Cookie) {
		t.Helper()
		c.asks(time.Hour)
		v := c.provesFrom(t, token, device)
		if code := c.proved(t, v); code != "sso_not_fresh" {
			t.Fatalf("ends with %q", code)
		}
	}
	right := func() {
		t.Helper()
		c.asks(0)
		if code := c.proved(t, c.proves(t, token, false, ann())); code != "" {
			t.Fatalf("ends with %q", code)
		}
	}
	for range 3 { // three times four, without one right between them, would be too many
		for range 4 {
			wrong(nil)
		}
		right()
	}
	for range 5 {
		wrong(device)
	}
	right()
}

// Challenges of step-ups that nobody came back from go with the next one.
func TestForgottenStepUpsAreCleared(t *testing.T) {
	c := newCity(t)
	token := c.stale(t)
	c.asks(0)
	for range 3 {
		c.proves(t, token, false, ann())
		c.Clock.Advance(11 * time.Minute)
	}
	c.proves(t, token, false, ann())
	var n int
	must(t, c.App.Store.Reader().QueryRowContext(t.Context(), `SELECT count(*) FROM one_time WHERE purpose = 'step_up_sso'`).Scan(&n))
	if n != 1 {
		t.Errorf("%d are kept", n)
	}
}

// Wrong answers while the person is at the provider brake the way back, too.
func TestStepUpByProviderIsBrakedOnItsWayBack(t *testing.T) {
	c := newCity(t)
	token := c.stale(t)
	c.asks(0)
	v := c.proves(t, token, false, ann())
	for range 5 {
		wants(t, c.Do(stepUp(token, map[string]any{"code": "000000"})), 422, "step_up_failed", "")
	}
	if code := c.proved(t, v); code != "rate_limited" {
		t.Errorf("ends with %q", code)
	}
	wants(t, c.gate(token), 403, "step_up_required", "")
}

// Who has no identity at a configured provider is not offered this way.
func TestStepUpByProviderIsForItsPeople(t *testing.T) {
	c := newCity(t)
	local := c.SignIn("viewer").AccessToken
	if p := data[wire.Profile](t, c.Get("/api/profile", local)); p.Session.StepUpProvider != nil {
		t.Errorf("offered %+v", p.Session.StepUpProvider)
	}
	wants(t, c.Do(send("POST", "/api/session/step_up/sso", local, map[string]any{})), 422, "step_up_failed", "You don't sign in with a provider here.")
	wants(t, c.Do(send("POST", "/api/session/step_up/sso", "", map[string]any{})), 401, "unauthorized", "")
	token := c.stale(t)
	c.App.Providers = nil
	if p := data[wire.Profile](t, c.Get("/api/profile", token)); p.Session.StepUpProvider != nil {
		t.Errorf("a provider that is not configured any more is offered: %+v", p.Session.StepUpProvider)
	}
	wants(t, c.Do(send("POST", "/api/session/step_up/sso", token, map[string]any{})), 422, "step_up_failed", "")
}

// A provider that has gone ends a step-up in words, and counts against nobody.
func TestStepUpByAProviderThatHasGone(t *testing.T) {
	c := newCity(t)
	token := c.stale(t)
	v := c.proves(t, token, false, ann())
	c.client.Transport = gone{}
	if code := c.proved(t, v); code != "provider_unreachable" {
		t.Errorf("ends with %q", code)
	}
	if hasAudit(t, c.World, c.Own.ID, "step_up_refused") {
		t.Error("the weather counts as a wrong answer")
	}
	c.App.Providers = []*sso.Client{{Provider: c.client.Provider, RedirectURL: c.client.RedirectURL, Now: c.App.Now, Transport: gone{}}}
	wants(t, c.Do(send("POST", "/api/session/step_up/sso", token, map[string]any{})), 503, "provider_unreachable", "The sign-in provider isn't responding. Please try again.")
}

type gone struct{}

func (gone) RoundTrip(*http.Request) (*http.Response, error) { return nil, io.ErrUnexpectedEOF }
