package sso_test

import (
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/go-jose/go-jose/v4"

	"lightbar/internal/sso"
)

const issuer = "https://id.city.example"

// said is a provider that answers each address with the same bytes.
type said map[string]string

func (s said) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(strings.NewReader(s[r.URL.Path])), Request: r}, nil
}

const (
	documentPath = "/.well-known/openid-configuration"
	document     = `{"issuer":"https://id.city.example","authorization_endpoint":"https://id.city.example/authorize",` +
		`"token_endpoint":"https://id.city.example/token","jwks_uri":"https://id.city.example/keys",` +
		`"id_token_signing_alg_values_supported":["RS256","EdDSA"]}`
)

func (s said) client() *sso.Client {
	return &sso.Client{Provider: sso.Provider{ID: "city", Issuer: issuer, ClientID: "lightbar", ClientSecret: "secret"}, Transport: s,
		RedirectURL: "https://fleet.example/api/sso/city/callback", Now: func() time.Time { return now }}
}

// FuzzProviderAnswers: whatever a provider answers, no identity comes of it
// without its key's signature, and a browser is led to a web address alone.
func FuzzProviderAnswers(f *testing.F) {
	token := `{"access_token":"a","token_type":"Bearer","expires_in":60,"id_token":"e30.e30.AA"}`
	keys := `{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"k","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}`
	f.Add(document, token, keys)
	f.Add(strings.Replace(document, "https://id.city.example/authorize", "javascript:alert(1)", 1), token, keys)
	f.Add(strings.Replace(document, "https://id.city.example/token", "file:///etc/passwd", 1), token, `{"keys":[{"kty":"oct","k":"AA"}]}`)
	f.Add(document, `access_token=a&id_token=eyJhbGciOiJub25lIn0.e30.`, `{"keys":[]}`)
	f.Add(`{"issuer":"https://evil.example"}`, `[]`, `null`)
	f.Fuzz(func(t *testing.T, document, token, keys string) {
		c := said{documentPath: document, "/token": token, "/keys": keys}.client()
		if got, err := c.Finish(t.Context(), "code", "n1", "verifier"); err == nil || got.Subject != "" {
			t.Errorf("%q, %q: %+v", document, token, got)
		}
		address, err := c.Start(t.Context(), "s", "n", "v")
		if err != nil {
			return
		}
		if u, err := url.Parse(address); err != nil || u.Scheme != "https" || u.Host == "" || u.Query().Get("state") != "s" {
			t.Errorf("%q leads to %q (%v)", document, address, err)
		}
	})
}

// FuzzClaims: of claims that the provider did sign, a person is the subject of
// this issuer, for this client and nonce; their texts are one line.
func FuzzClaims(f *testing.F) {
	keys, signed := newSigner(f)
	head := `{"iss":"https://id.city.example","sub":"u1","aud":"lightbar","exp":1795255260,"iat":1795255200,"nonce":"n1",`
	f.Add(head + `"email":"ann@city.example","given_name":"Ann","family_name":"Lee","groups":["fire","staff"],"auth_time":1795255200}`)
	f.Add(head + `"email":"a@b.example\r\nBcc: c@d.example","name":"Ann\u0000 Lee\u2028","email_verified":true,"groups":"fire"}`)
	f.Add(head + `"sub":"u\u0000","azp":"other","auth_time":1e300}`)
	f.Add(`{"sub":7,"aud":["lightbar","x"],"groups":[1,null,{}]}`)
	f.Fuzz(func(t *testing.T, claims string) {
		token := signed([]byte(claims))
		if token == "" {
			t.Skip()
		}
		got, err := said{documentPath: document, "/token": token, "/keys": keys}.client().Finish(t.Context(), "code", "n1", "verifier")
		if err != nil {
			if !errors.Is(err, sso.ErrRejected) || got.Subject != "" {
				t.Fatalf("%q: %+v %v", claims, got, err)
			}
			return
		}
		if got.Issuer != issuer || got.Subject == "" || len(got.Subject) > 255 || got.AuthTime.Unix() > 1<<40 || !strings.Contains(claims, "lightbar") {
			t.Fatalf("%q: %+v", claims, got)
		}
		for _, text := range []string{got.Subject, got.Email, got.FirstName, got.LastName} {
			if strings.ContainsFunc(text, unicode.IsControl) {
				t.Fatalf("%q keeps %q", claims, text)
			}
		}
	})
}

// FuzzUserInfo: whatever UserInfo answers, the person stays the token's, their texts are one line, and groups that are not said are none.
func FuzzUserInfo(f *testing.F) {
	keys, signed := newSigner(f)
	token := signed([]byte(`{"iss":"https://id.city.example","sub":"u1","aud":"lightbar","exp":1795255260,"iat":1795255200,"nonce":"n1"}`))
	withUserInfo := strings.Replace(document, `"jwks_uri"`, `"userinfo_endpoint":"https://id.city.example/userinfo","jwks_uri"`, 1)
	f.Add(`{"sub":"u1","email":"ann@city.example","email_verified":"false","name":"Ann Lee","groups":["fire","staff"]}`)
	f.Add(`{"sub":"u2","groups":["chiefs"]}`)
	f.Add(`{"sub":"u1","groups":[{}],"_claim_names":{"groups":7},"hasgroups":"yes","name":"A\u0000\r\nB"}`)
	f.Add(`e30.e30.AA`)
	f.Fuzz(func(t *testing.T, info string) {
		got, err := said{documentPath: withUserInfo, "/token": token, "/keys": keys, "/userinfo": info}.client().Finish(t.Context(), "code", "n1", "verifier")
		if err != nil || got.Subject != "u1" || got.Issuer != issuer || got.GroupsMissing != "" && len(got.Groups) > 0 || len(got.GroupsMissing) > 400 {
			t.Fatalf("%q: %+v %v", info, got, err)
		}
		for _, text := range []string{got.Email, got.FirstName, got.LastName, got.GroupsMissing} {
			if strings.ContainsFunc(text, unicode.IsControl) {
				t.Fatalf("%q keeps %q", info, text)
			}
		}
	})
}

// newSigner makes a provider's key: the answer of its key endpoint, and what its token endpoint answers for claims (empty: cannot be signed).
func newSigner(t testing.TB) (keys string, token func(claims []byte) string) {
	t.Helper()
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	set, err := json.Marshal(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: public, KeyID: "k", Algorithm: "EdDSA", Use: "sig"}}})
	if err != nil {
		t.Fatal(err)
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.EdDSA, Key: private}, (&jose.SignerOptions{}).WithHeader("kid", "k"))
	if err != nil {
		t.Fatal(err)
	}
	return string(set), func(claims []byte) string {
		signed, err := signer.Sign(claims)
		if err != nil {
			return ""
		}
		raw, err := signed.CompactSerialize()
		if err != nil {
			return ""
		}
		text, _ := json.Marshal(map[string]any{"access_token": "a", "token_type": "Bearer", "id_token": raw})
		return string(text)
	}
}

// signedByCity is what the endpoints for keys and tokens answer for claims.
func signedByCity(t *testing.T, claims map[string]any) (keys, token string) {
	t.Helper()
	text, err := json.Marshal(claims)
	if err != nil {
		t.Fatal(err)
	}
	keys, sign := newSigner(t)
	return keys, sign(text)
}
