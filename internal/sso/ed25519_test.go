package sso_test

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"testing"

	"github.com/go-jose/go-jose/v4"

	"lightbar/internal/sso"
)

// signEd25519 signs as RFC 9864 says, which no library of ours does.
func signEd25519(key ed25519.PrivateKey, header map[string]any, claims map[string]any) string {
	part := func(v any) string {
		b, _ := json.Marshal(v)
		return base64.RawURLEncoding.EncodeToString(b)
	}
	signed := part(header) + "." + part(claims)
	return signed + "." + base64.RawURLEncoding.EncodeToString(ed25519.Sign(key, []byte(signed)))
}

// The one curve of EdDSA has two names; a token is good under both, and only with a key of the provider.
func TestEd25519ByBothNames(t *testing.T) {
	r := newRogue(t)
	public, private, _ := ed25519.GenerateKey(rand.Reader)
	_, stranger, _ := ed25519.GenerateKey(rand.Reader)
	r.more = []jose.JSONWebKey{{Key: public, KeyID: "e", Algorithm: "Ed25519", Use: "sig"},
		{Key: public, KeyID: "d", Algorithm: "EdDSA", Use: "sig"}}
	header := func(alg, kid string) map[string]any { return map[string]any{"alg": alg, "kid": kid} }
	late := r.claims()
	late["exp"] = now.Unix() - 1
	for name, row := range map[string]struct {
		token string
		good  bool
	}{
		"Ed25519":                {signEd25519(private, header("Ed25519", "e"), r.claims()), true},
		"EdDSA":                  {signEd25519(private, header("EdDSA", "d"), r.claims()), true},
		"without a key's id":     {signEd25519(private, map[string]any{"alg": "Ed25519"}, r.claims()), true},
		"another key":            {signEd25519(stranger, header("Ed25519", "e"), r.claims()), false},
		"an unknown key's id":    {signEd25519(private, header("Ed25519", "x"), r.claims()), false},
		"the id of an RSA key":   {signEd25519(private, header("Ed25519", "k"), r.claims()), false},
		"ended":                  {signEd25519(private, header("Ed25519", "e"), late), false},
		"another curve":          {signEd25519(private, header("Ed448", "e"), r.claims()), false},
		"the name in small type": {signEd25519(private, header("ed25519", "e"), r.claims()), false},
	} {
		t.Run(name, func(t *testing.T) {
			r.answers(row.token)
			got, err := r.client().Finish(t.Context(), "code", "n1", "verifier")
			if row.good != (err == nil && got.Subject == "u1") || (!row.good && !errors.Is(err, sso.ErrRejected)) {
				t.Errorf("%+v %v", got, err)
			}
		})
	}
}
