package sso_test

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"lightbar/internal/sso"
)

var now = time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)

// rogue is an identity provider that answers whatever a test wants it to.
type rogue struct {
	*httptest.Server
	key    *rsa.PrivateKey
	more   []jose.JSONWebKey           // beside key
	answer func(w http.ResponseWriter) // of the token endpoint
	asked  []string                    // bodies the token endpoint got
	// userInfo is what UserInfo answers; "fault" is a bad gateway, and without one the provider has no UserInfo.
	userInfo      string
	askedUserInfo int
}

func newRogue(t *testing.T) *rogue {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	r := &rogue{key: key}
	mux := http.NewServeMux()
	r.Server = httptest.NewServer(mux)
	t.Cleanup(r.Close)
	say := func(w http.ResponseWriter, v any) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(v)
	}
	mux.HandleFunc("/.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		document := map[string]any{"issuer": r.URL, "authorization_endpoint": r.URL + "/authorize", "token_endpoint": r.URL + "/token",
			"jwks_uri": r.URL + "/keys", "id_token_signing_alg_values_supported": []string{"RS256", "HS256", "none"}}
		if r.userInfo != "" {
			document["userinfo_endpoint"] = r.URL + "/userinfo"
		}
		say(w, document)
	})
	mux.HandleFunc("/userinfo", func(w http.ResponseWriter, req *http.Request) {
		if r.askedUserInfo++; req.Header.Get("Authorization") != "Bearer a" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		if r.userInfo == "fault" {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(r.userInfo))
	})
	mux.HandleFunc("/keys", func(w http.ResponseWriter, _ *http.Request) {
		say(w, jose.JSONWebKeySet{Keys: append([]jose.JSONWebKey{{Key: key.Public(), KeyID: "k", Algorithm: "RS256", Use: "sig"}}, r.more...)})
	})
	mux.HandleFunc("/token", func(w http.ResponseWriter, req *http.Request) {
		_ = req.ParseForm()
		r.asked = append(r.asked, req.PostForm.Encode())
		r.answer(w)
	})
	return r
}

func (r *rogue) client() *sso.Client {
	return &sso.Client{Provider: sso.Provider{ID: "rogue", Issuer: r.URL, ClientID: "lightbar", ClientSecret: "secret-secret-secret-secret-secret"},
		RedirectURL: "https://fleet.example/api/sso/rogue/callback", Now: func() time.Time { return now }}
}

// claims of a token that would be taken.
func (r *rogue) claims() map[string]any {
	return map[string]any{"iss": r.URL, "sub": "u1", "aud": "lightbar", "exp": now.Add(time.Minute).Unix(), "iat": now.Unix(), "nonce": "n1",
		"email": "ann@city.example", "given_name": "Ann", "family_name": "Lee", "groups": []string{"fire", "staff"}}
}

func sign(t *testing.T, alg jose.SignatureAlgorithm, key any, claims map[string]any) string {
	t.Helper()
	s, err := jose.NewSigner(jose.SigningKey{Algorithm: alg, Key: key}, (&jose.SignerOptions{}).WithHeader("kid", "k"))
	if err != nil {
		t.Fatal(err)
	}
	body, err := json.Marshal(claims)
	if err != nil {
		t.Fatal(err)
	}
	signed, err := s.Sign(body)
	if err != nil {
		t.Fatal(err)
	}
	text, err := signed.CompactSerialize()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func (r *rogue) answers(token string) {
	r.answer = func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"access_token": "a", "token_type": "Bearer", "expires_in": 60, "id_token": token})
	}
}

func TestAnIdentityIsReadFromAGoodToken(t *testing.T) {
	r := newRogue(t)
	r.answers(sign(t, jose.RS256, r.key, r.claims()))
	got, err := r.client().Finish(t.Context(), "code", "n1", "verifier")
	if err != nil || got.Issuer != r.URL || got.Subject != "u1" || got.Email != "ann@city.example" || got.FirstName != "Ann" || got.LastName != "Lee" || len(got.Groups) != 2 {
		t.Fatalf("%+v %v", got, err)
	}
	if len(r.asked) != 1 || !strings.Contains(r.asked[0], "code_verifier=verifier") || !strings.Contains(r.asked[0], "redirect_uri=https%3A%2F%2Ffleet.example") {
		t.Errorf("asked %v", r.asked)
	}
	unverified := r.claims()
	unverified["email_verified"] = false
	r.answers(sign(t, jose.RS256, r.key, unverified))
	if got, err = r.client().Finish(t.Context(), "code", "n1", "verifier"); err != nil || got.Email != "" {
		t.Errorf("an e-mail that nobody confirmed is taken: %+v %v", got, err)
	}
}

// Hostile answers: none of them is an identity.
func TestHostileAnswersAreRejected(t *testing.T) {
	r := newRogue(t)
	other, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	with := func(name string, value any) string {
		c := r.claims()
		if c[name] = value; value == nil {
			delete(c, name)
		}
		return sign(t, jose.RS256, r.key, c)
	}
	body, _ := json.Marshal(r.claims())
	unsigned := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"none"}`)) + "." + base64.RawURLEncoding.EncodeToString(body) + "."
	public, _ := json.Marshal(jose.JSONWebKey{Key: r.key.Public()})
	for name, token := range map[string]string{
		"another nonce": with("nonce", "n2"), "no nonce": with("nonce", nil), "another audience": with("aud", "other"), "another issuer": with("iss", "https://evil.example"),
		"expired": with("exp", now.Add(-time.Second).Unix()), "no expiry": with("exp", nil), "no subject": with("sub", ""), "endless subject": with("sub", strings.Repeat("x", 256)),
		"made for another client":      with("azp", "other"),
		"several audiences, no azp":    with("aud", []string{"lightbar", "other"}),
		"signed by another key":        sign(t, jose.RS256, other, r.claims()),
		"not signed":                   unsigned,
		"signed with the secret":       sign(t, jose.HS256, []byte("secret-secret-secret-secret-secret"), r.claims()),
		"signed with the public key":   sign(t, jose.HS256, public, r.claims()),
		"not a token":                  "x.y.z",
		"subject of another type":      with("sub", 7),
		"from a time that is not here": with("nbf", now.Add(time.Hour).Unix()),
	} {
		t.Run(name, func(t *testing.T) {
			r.answers(token)
			if got, err := r.client().Finish(t.Context(), "code", "n1", "verifier"); !errors.Is(err, sso.ErrRejected) || got.Subject != "" {
				t.Errorf("%+v %v", got, err)
			}
		})
	}
	for name, answer := range map[string]func(http.ResponseWriter){
		"no id_token": func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(`{"access_token":"a","token_type":"Bearer"}`))
		},
		"refused": func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusBadRequest)
			_, _ = w.Write([]byte(`{"error":"invalid_grant"}`))
		},
		"a fault": func(w http.ResponseWriter) { w.WriteHeader(http.StatusBadGateway) },
		"a page":  func(w http.ResponseWriter) { _, _ = w.Write([]byte("<html>")) },
		"a redirection": func(w http.ResponseWriter) {
			w.Header().Set("Location", "http://169.254.169.254/")
			w.WriteHeader(http.StatusFound)
		},
		"endless answer": func(w http.ResponseWriter) { _, _ = w.Write([]byte(strings.Repeat(" ", 3<<20) + "{}")) },
	} {
		t.Run(name, func(t *testing.T) {
			r.answer = answer
			if got, err := r.client().Finish(t.Context(), "code", "n1", "verifier"); err == nil || got.Subject != "" {
				t.Errorf("%+v %v", got, err)
			}
		})
	}
}

func TestADiscoveryThatNamesAnotherIssuerIsRefused(t *testing.T) {
	r := newRogue(t)
	c := r.client()
	c.Issuer = strings.Replace(r.URL, "127.0.0.1", "localhost", 1)
	if _, err := c.Start(context.Background(), "s", "n", "v"); err == nil {
		t.Error("taken")
	}
	c.Issuer = r.URL
	address, err := c.Start(t.Context(), "s", "n", "v") // tried again, and the failure was not kept
	if err != nil || !strings.Contains(address, "code_challenge_method=S256") || !strings.Contains(address, "nonce=n") || !strings.Contains(address, "state=s") {
		t.Errorf("%s %v", address, err)
	}
}

// What is added to an endpoint's query must reach the provider, and a browser is led to a web address.
func TestEndpointsThatASignInMustNotUse(t *testing.T) {
	for endpoint, want := range map[string]string{
		"https://id.city.example/authorize":            "",
		"https://id.city.example/authorize?tenant=a":   "",
		"https://id.city.example/authorize#":           "fragment",
		"https://id.city.exa####/authorize":            "fragment",
		"https://id.city.example/authorize?a=b#c":      "fragment",
		"https://id.city.example/authorize?state=mine": "state",
		"http://id.city.example/authorize":             "https://",
		"https://:443/authorize":                       "https://",
		"javascript:alert(1)":                          "https://",
	} {
		c := said{documentPath: strings.Replace(document, "https://id.city.example/authorize", endpoint, 1)}.client()
		if at, err := c.Start(t.Context(), "s", "n", "v"); want == "" && (err != nil || !strings.Contains(at, "state=s")) ||
			want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %s, %v", endpoint, at, err)
		}
	}
}

// Where a person signs out at the provider: only where its document says so, and never at an address that is no place for browsers.
func TestLeavingAProvider(t *testing.T) {
	for end, want := range map[string]string{
		"":                                   "",
		`"https://id.city.example/logout"`:   "https://id.city.example/logout?client_id=lightbar&post_logout_redirect_uri=https%3A%2F%2Ffleet.example%2Fwelcome%2Fsignin",
		`"https://id.city.example/out?a=b"`:  "https://id.city.example/out?a=b&client_id=lightbar&post_logout_redirect_uri=https%3A%2F%2Ffleet.example%2Fwelcome%2Fsignin",
		`"http://id.city.example/logout"`:    "refused",
		`"javascript:alert(1)"`:              "refused",
		`"https://id.city.example/logout#x"`: "refused",
		`7`:                                  "", `null`: "",
	} {
		said := said{documentPath: document}
		if end != "" {
			said[documentPath] = strings.Replace(document, "{", `{"end_session_endpoint":`+end+",", 1)
		}
		at, err := said.client().Leave(t.Context())
		if want == "refused" && (err == nil || at != "") || want != "refused" && (err != nil || at != want) {
			t.Errorf("%s: %s, %v", end, at, err)
		}
	}
}

func TestPlaceFailsClosed(t *testing.T) {
	p := sso.Provider{Mappings: []sso.Mapping{{Group: "chiefs", Role: "administrator"}, {Group: "fire", Role: "operator"}, {Group: "", Role: "manager"}}}
	if m, ok := p.Place([]string{"fire", "chiefs"}); !ok || m.Role != "administrator" {
		t.Errorf("the first mapping does not win: %v", m)
	}
	for _, groups := range [][]string{nil, {""}, {"FIRE"}, {"fires"}} {
		if m, ok := p.Place(groups); ok {
			t.Errorf("%q fits %v", groups, m)
		}
	}
}

// A step-up asks the provider to ask, and to say when it did.
func TestAProofAsksThePersonAnew(t *testing.T) {
	r := newRogue(t)
	address, err := r.client().StartProof(t.Context(), "s", "n", "v")
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"prompt=login", "max_age=0", "code_challenge_method=S256", "nonce=n", "state=s"} {
		if !strings.Contains(address, part) {
			t.Errorf("%s lacks %s", address, part)
		}
	}
	if address, err = r.client().Start(t.Context(), "s", "n", "v"); err != nil || strings.Contains(address, "max_age") || strings.Contains(address, "prompt") {
		t.Errorf("a sign-in uses the provider's session: %s %v", address, err)
	}
}

func TestWhenAPersonProvedWhoTheyAre(t *testing.T) {
	r := newRogue(t)
	for name, c := range map[string]struct {
		said  any
		fresh bool
	}{
		"just now":             {now.Unix(), true},
		"in the first second":  {now.Add(-10 * time.Second).Unix(), true},
		"with a fraction":      {float64(now.Unix()) + 0.5, true},
		"long ago":             {now.Add(-time.Hour).Unix(), false},
		"a second too early":   {now.Add(-11 * time.Second).Unix(), false},
		"in times to come":     {now.Add(time.Hour).Unix(), false},
		"does not say":         {nil, false},
		"a text":               {now.Format(time.RFC3339), false},
		"a number in a text":   {"1795255200", false},
		"nothing":              {0, false},
		"before all time":      {-now.Unix(), false},
		"beyond all time":      {1e300, false},
		"in milliseconds":      {now.UnixMilli(), false},
		"a list":               {[]int64{now.Unix()}, false},
		"that it was asked to": {true, false},
	} {
		t.Run(name, func(t *testing.T) {
			claims := r.claims()
			if c.said != nil {
				claims["auth_time"] = c.said
			}
			r.answers(sign(t, jose.RS256, r.key, claims))
			got, err := r.client().Finish(t.Context(), "code", "n1", "verifier")
			if err != nil || got.ProvedWithin(now.Add(-10*time.Second+time.Millisecond), now.Add(time.Second)) != c.fresh {
				t.Errorf("%v %v", got.AuthTime, err)
			}
		})
	}
}
