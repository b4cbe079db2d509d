package contract_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/descope/virtualwebauthn"
	"github.com/oauth2-proxy/mockoidc"
	"github.com/pquerna/otp/totp"

	"lightbar/internal/sso"
	"lightbar/internal/testkit"
)

// code is what the authenticator app shows.
func (s *stage) code(secret string) string {
	s.t.Helper()
	code, err := totp.GenerateCode(secret, s.Clock.Now())
	s.must(err)
	return code
}

func playFactors(r *recorder, s *stage) {
	token := s.SignIn("viewer").AccessToken
	r.call(s, "none", "GET", "/api/session/second_factor", token, nil)
	r.call(s, "not_found", "DELETE", "/api/session/totp", token, nil)
	secret := r.data(r.call(s, "", "POST", "/api/session/totp", token, nil))["secret"].(string)
	r.call(s, "", "PUT", "/api/session/totp", token, object{"code": "000000"})
	r.call(s, "", "PUT", "/api/session/totp", token, object{"code": s.code(secret)})
	r.call(s, "", "POST", "/api/session/recovery_codes", token, nil)
	r.call(s, "", "GET", "/api/session/second_factor", token, nil)
	s.Clock.Advance(30 * time.Second)
	challenged := func(name, email string) object {
		r.t.Helper()
		return testkit.Decode[object](r.t, r.call(s, name, "POST", "/api/user_token", "", password(email, testkit.Password)))
	}
	grant := func(name string, challenge any, method, code string) object {
		r.t.Helper()
		return testkit.Decode[object](r.t, r.call(s, name, "POST", "/api/user_token", "",
			object{"grant_type": "mfa", "challenge": challenge, "method": method, "code": code}))
	}
	f := challenged("mfa_required", "viewer@demo.example")
	grant("mfa_failed", f["challenge"], "totp", "000000")
	grant("mfa", f["challenge"], "totp", s.code(secret))
	grant("mfa_challenge_expired", f["challenge"], "totp", s.code(secret))

	late := s.SignIn("operator").AccessToken
	s.ok("PUT", "/api/organization", s.SignIn("administrator").AccessToken, object{"mfa_required": true})
	s.Clock.Advance(time.Minute)
	r.call(s, "factor_due", "GET", "/api/profile", late, nil)
	f = challenged("mfa_setup_required", "operator@demo.example")
	made := f["totp"].(object)["secret"].(string)
	pair := grant("mfa_setup", f["challenge"], "totp_setup", s.code(made))
	own := pair["access_token"].(string)
	r.call(s, "last_factor", "DELETE", "/api/session/totp", own, nil)
	s.set("organization", s.Own.ID, "mfa_required", false)
	s.Clock.Advance(time.Minute)
	r.call(s, "", "DELETE", "/api/session/totp", own, nil)
	admin := s.SignIn("administrator").AccessToken
	r.call(s, "", "DELETE", "/api/users/"+s.Users["viewer"].ID+"/second_factor", admin, nil)
	r.call(s, "own_account", "DELETE", "/api/users/"+s.Users["administrator"].ID+"/second_factor", admin, nil)
}

// site is where browsers make passkeys.
var site = virtualwebauthn.RelyingParty{ID: "localhost", Name: "Lightbar", Origin: "http://localhost:8080"}

// newCredential draws a key whose coordinates are 32 octets each: the virtual
// authenticator drops leading zeros, and such a key is rightly refused.
func newCredential() virtualwebauthn.Credential {
	const whole = 77 // COSE map: 7 octets of header and fields, then 3+32 for each coordinate
	for {
		if c := virtualwebauthn.NewCredential(virtualwebauthn.KeyTypeEC2); len(c.Key.AttestationData()) == whole {
			return c
		}
	}
}

func playPasskeys(r *recorder, s *stage) {
	s.App.PublicURL = site.Origin
	token := s.SignIn("viewer").AccessToken
	device := virtualwebauthn.NewAuthenticatorWithOptions(virtualwebauthn.AuthenticatorOptions{UserHandle: []byte(s.Users["viewer"].ID)})
	key := newCredential()
	begun := func(answer testkit.Response) (challenge string, options string) {
		r.t.Helper()
		var c struct {
			Challenge string
			Passkey   json.RawMessage
			Data      *struct {
				Challenge string
				Passkey   json.RawMessage
			}
		}
		must(r.t, json.Unmarshal([]byte(answer.Text), &c))
		if c.Data != nil {
			return c.Data.Challenge, string(c.Data.Passkey)
		}
		return c.Challenge, string(c.Passkey)
	}
	sign := func(options string) json.RawMessage {
		r.t.Helper()
		parsed, err := virtualwebauthn.ParseAssertionOptions(options)
		must(r.t, err)
		key.Counter++
		return json.RawMessage(virtualwebauthn.CreateAssertionResponse(site, device, key, *parsed))
	}
	challenge, options := begun(r.call(s, "", "POST", "/api/session/passkeys/challenge", token, nil))
	parsed, err := virtualwebauthn.ParseAttestationOptions(options)
	must(r.t, err)
	made := s.Do(testkit.Request{Method: "POST", Path: "/api/session/passkeys", Token: token, Body: object{"challenge": challenge, "name": "Blue key",
		"credential": json.RawMessage(virtualwebauthn.CreateAttestationResponse(site, device, key, *parsed))}})
	id := r.data(made)["id"].(string)
	r.hide(id, "P")
	r.keepAnswer("", "POST", "/api/session/passkeys", made)
	r.call(s, "passkey", "GET", "/api/session/second_factor", token, nil)
	challenge, options = begun(r.call(s, "", "POST", "/api/session/step_up/passkey", token, nil))
	r.call(s, "passkey", "POST", "/api/session/step_up", token, object{"challenge": challenge, "credential": sign(options)})
	challenge, options = begun(r.call(s, "mfa_required.passkey", "POST", "/api/user_token", "", password("viewer@demo.example", testkit.Password)))
	r.call(s, "passkey", "POST", "/api/user_token", "", object{"grant_type": "mfa", "challenge": challenge, "method": "passkey", "credential": sign(options)})
	r.call(s, "passkey_used", "GET", "/api/session/second_factor", token, nil)
	r.call(s, "", "DELETE", "/api/session/passkeys/"+url.PathEscape(id), token, nil)
}

// away is a provider that does not answer.
type away struct{}

func (away) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, errors.New("nobody is there")
}

// playProvider signs in by a mock provider. Its pages answer redirections, not
// calls: the page learns the code from the address.
func playProvider(r *recorder, s *stage) {
	mock, err := mockoidc.Run()
	must(r.t, err)
	r.t.Cleanup(func() { must(r.t, mock.Shutdown()) })
	mockoidc.NowFunc = s.App.Now
	client := &sso.Client{Provider: sso.Provider{ID: "city", Title: "City", Issuer: mock.Issuer(), ClientID: mock.ClientID, ClientSecret: sso.Secret(mock.ClientSecret),
		Scopes: []string{"groups"}}, RedirectURL: s.App.PublicURL + "/api/sso/city/callback", Now: s.App.Now}
	client.Mappings = []sso.Mapping{{Group: "chiefs", Organization: s.Own.ID, Role: "administrator"}, {Group: "lost", Organization: nowhere, Role: "viewer"}}
	r.call(s, "none", "GET", "/api/sign_in_methods", "", nil)
	s.App.Providers = []*sso.Client{client}
	r.call(s, "", "GET", "/api/sign_in_methods", "", nil)
	visit := func(address string, cookies []*http.Cookie, who string, groups ...string) testkit.Request {
		r.t.Helper()
		mock.QueueUser(&mockoidc.MockUser{Subject: who, Email: who + "@demo.example", PreferredUsername: who, Groups: groups, EmailVerified: true})
		browser := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
		answer, err := browser.Get(address)
		must(r.t, err)
		must(r.t, answer.Body.Close())
		back, err := url.Parse(answer.Header.Get("Location"))
		must(r.t, err)
		return testkit.Request{Method: "GET", Path: back.RequestURI(), Cookies: cookies}
	}
	enter := func(who string, groups ...string) testkit.Response {
		r.t.Helper()
		start := s.Get("/api/sso/city/start", "")
		return s.Do(visit(start.Header.Get("Location"), start.Cookies, who, groups...))
	}
	r.call(s, "provider_unknown", "GET", "/api/sso/elsewhere/start", "", nil)
	r.redirect("sso_not_mapped", enter("ann", "staff"))
	r.redirect("sso_groups_missing", enter("ann"))
	r.redirect("sso_misconfigured", enter("ann", "lost"))
	r.redirect("sso_failed", s.Get("/api/sso/city/callback?state=x&code=y", ""))
	r.redirect("email_in_use", enter("outsider", "chiefs"))
	in := enter("ann", "chiefs")
	r.redirect("ok", in)
	refreshed := s.Do(testkit.Request{Method: "POST", Path: "/api/user_token", Cookies: in.Cookies, Body: object{"grant_type": "refresh_token", "token_delivery": "cookie"}})
	token := testkit.Decode[object](r.t, refreshed)["access_token"].(string)
	r.call(s, "provider", "GET", "/api/profile", token, nil)
	s.Clock.Advance(time.Second)
	begun := s.Do(testkit.Request{Method: "POST", Path: "/api/session/step_up/sso", Token: token, Body: object{}})
	r.keepAnswer("", "POST", "/api/session/step_up/sso", begun)
	r.redirect("sso_not_fresh", s.Do(visit(r.data(begun)["url"].(string), begun.Cookies, "ann", "chiefs")))
	s.Clock.Advance(time.Second)
	begun = s.Do(testkit.Request{Method: "POST", Path: "/api/session/step_up/sso", Token: token, Body: object{}})
	r.redirect("sso_other_person", s.Do(visit(r.data(begun)["url"].(string), begun.Cookies, "bob", "chiefs")))
	admin := s.SignIn("administrator").AccessToken
	members := testkit.Decode[struct{ Data []object }](r.t, r.call(s, "provider", "GET", "/api/organization/users", admin, nil)).Data
	if len(members) == 0 {
		r.t.Error("no members")
	}
	s.App.Providers[0] = &sso.Client{Provider: client.Provider, RedirectURL: client.RedirectURL, Now: s.App.Now, Transport: away{}}
	r.call(s, "provider_unreachable", "POST", "/api/session/step_up/sso", token, object{})
	s.App.Providers[0] = client
	ann := testkit.Decode[struct {
		Data struct{ User struct{ ID string } }
	}](r.t, s.Get("/api/profile", token)).Data.User.ID
	s.set("app_user", ann, "organization_id", s.Foreign.ID)
	r.redirect("sso_other_organization", enter("ann", "chiefs"))
}
