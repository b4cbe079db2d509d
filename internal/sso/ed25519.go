package sso

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/go-jose/go-jose/v4"
)

// nameEd25519 is what RFC 9864 calls EdDSA over this one curve. The libraries below know only the older name.
const nameEd25519 jose.SignatureAlgorithm = "Ed25519"

// verifier judges an ID token. Only asymmetric signatures: a client secret must not be able to sign identities.
func (c *Client) verifier(ctx context.Context, p *oidc.Provider, raw string) *oidc.IDTokenVerifier {
	config := &oidc.Config{ClientID: c.ClientID, Now: c.Now,
		SupportedSigningAlgs: []string{oidc.RS256, oidc.RS384, oidc.RS512, oidc.PS256, oidc.PS384, oidc.PS512, oidc.ES256, oidc.ES384,
			oidc.ES512, oidc.EdDSA}}
	if _, err := jose.ParseSigned(raw, []jose.SignatureAlgorithm{nameEd25519}); err != nil {
		return p.VerifierContext(ctx, config)
	}
	config.SupportedSigningAlgs = []string{string(nameEd25519)}
	return oidc.NewVerifier(c.Issuer, ed25519Keys{c, p}, config)
}

// ed25519Keys are the provider's keys of that curve, read anew for each token.
type ed25519Keys struct {
	client   *Client
	provider *oidc.Provider
}

// VerifySignature implements oidc.KeySet.
func (k ed25519Keys) VerifySignature(ctx context.Context, raw string) ([]byte, error) {
	signed, err := jose.ParseSigned(raw, []jose.SignatureAlgorithm{nameEd25519})
	if err != nil || len(signed.Signatures) != 1 {
		return nil, errors.New("not one signature")
	}
	set, err := k.read(ctx)
	if err != nil {
		return nil, err
	}
	id := signed.Signatures[0].Header.KeyID
	for _, key := range set.Keys {
		public, ok := key.Key.(ed25519.PublicKey)
		if !ok || key.Use == "enc" || (id != "" && key.KeyID != id) {
			continue
		}
		if payload, err := signed.Verify(ed25519Key(public)); err == nil {
			return payload, nil
		}
	}
	return nil, errors.New("no key of the provider made this signature")
}

func (k ed25519Keys) read(ctx context.Context) (set jose.JSONWebKeySet, err error) {
	var document struct {
		Keys string `json:"jwks_uri"`
	}
	if err := k.provider.Claims(&document); err != nil {
		return set, fmt.Errorf("the provider's document: %w", err)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, document.Keys, nil)
	if err != nil {
		return set, errors.New("the provider's jwks_uri isn't an address")
	}
	res, err := k.client.http().Do(r)
	if err != nil {
		return set, fmt.Errorf("the provider's keys: %w", hideURL(err))
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK {
		return set, fmt.Errorf("the provider's keys: status %d", res.StatusCode)
	}
	if err := json.NewDecoder(res.Body).Decode(&set); err != nil {
		return set, fmt.Errorf("the provider's keys: %w", err)
	}
	return set, nil
}

// ed25519Key verifies under the name of RFC 9864.
type ed25519Key ed25519.PublicKey

// VerifyPayload implements jose.OpaqueVerifier.
func (k ed25519Key) VerifyPayload(payload, signature []byte, alg jose.SignatureAlgorithm) error {
	if alg != nameEd25519 || len(k) != ed25519.PublicKeySize || !ed25519.Verify(ed25519.PublicKey(k), payload, signature) {
		return errors.New("another key's signature")
	}
	return nil
}
