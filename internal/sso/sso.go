// Package sso speaks OpenID Connect to the identity providers an operator has
// configured: code flow with PKCE, state and nonce; answers are checked by
// signature, issuer, audience, nonce and time. It knows nothing of users.
package sso

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

// Provider is one identity provider as the operator configures it.
type Provider struct {
	ID           string   `json:"id"`        // unique, a–z, 0–9, - and _: part of the callback's address
	Title        string   `json:"title"`     // as the button says
	Issuer       string   `json:"issuer"`    // https://…, exactly as the provider's discovery document says
	ClientID     string   `json:"client_id"` // ours at the provider
	ClientSecret Secret   `json:"client_secret"`
	Scopes       []string `json:"scopes"`       // beside openid, profile and email
	GroupsClaim  string   `json:"groups_claim"` // default groups
	// Mappings say where members of a group belong; the first that fits wins, none = no way in.
	Mappings []Mapping `json:"mappings"`
}

// Mapping gives the members of a group a role in an organization.
type Mapping struct {
	Group        string `json:"group"`
	Organization string `json:"organization"` // id; a name would be its administrators' to change
	Role         string `json:"role"`         // name of a role, such as operator
}

// Secret is text that no log prints.
type Secret string

// String hides the secret.
func (Secret) String() string { return "[hidden]" }

// Identity is a person as a provider knows them. Issuer and Subject are who
// they are; Email is only how to reach them.
type Identity struct {
	Issuer, Subject     string
	Email               string
	FirstName, LastName string
	Groups              []string
	// GroupsMissing is why Groups says nothing about the person, as an operator
	// reads it: the provider gave no list, or none that can be read. Empty when
	// it gave one, which may be an empty list.
	GroupsMissing string
	// AuthTime is when the provider last saw the person prove who they are
	// (OpenID Connect Core 2, auth_time); zero when it does not say so.
	AuthTime time.Time
}

// ProvedWithin reports whether the provider says that the person proved who they
// are between two instants, to the second.
func (i Identity) ProvedWithin(from, to time.Time) bool {
	return !i.AuthTime.IsZero() && !i.AuthTime.Before(from.Truncate(time.Second)) && !i.AuthTime.After(to)
}

// ErrRejected is a sign-in that the provider refused or whose answer does not hold; it wraps the reason.
var ErrRejected = errors.New("sso: the provider's answer is not accepted")

// The limits of a conversation with a provider.
const (
	callLimit = 10 * time.Second
	bodyLimit = 1 << 20
)

// Client speaks to one provider. Its discovery document is read at first use.
type Client struct {
	Provider
	// RedirectURL is the callback's exact address; it comes from public_url alone.
	RedirectURL string
	// Now is the clock by which tokens expire.
	Now func() time.Time
	// Transport is http.DefaultTransport's replacement in tests (a CA of their own).
	Transport http.RoundTripper

	mu   sync.Mutex
	oidc *oidc.Provider
}

// discover reads the provider's document once; a failure is tried again next time.
func (c *Client) discover(ctx context.Context) (*oidc.Provider, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.oidc != nil {
		return c.oidc, nil
	}
	// The key set refreshes itself later: it must not hang on this request's context.
	p, err := oidc.NewProvider(oidc.ClientContext(context.WithoutCancel(ctx), c.http()), c.Issuer)
	if err != nil {
		return nil, fmt.Errorf("sso: %s: %w", c.ID, err)
	}
	if err := c.leads(p.Endpoint().AuthURL); err != nil {
		return nil, fmt.Errorf("sso: %s: the provider's authorization endpoint %w", c.ID, err)
	}
	c.oidc = p
	return p, nil
}

// leads judges where browsers are led: never to a script, and never so that what is added to its query is lost behind
// a fragment or stands beside a value of the same name (RFC 6749, sections 3.1 and 3.3).
func (c *Client) leads(endpoint string) error {
	at, err := url.Parse(endpoint)
	switch {
	case err != nil || at.Hostname() == "" || !c.mayUse(at):
		return errors.New("must begin with https://")
	case strings.Contains(endpoint, "#"):
		return errors.New("must not have a fragment (#)")
	}
	for _, ours := range []string{"client_id", "code_challenge", "code_challenge_method", "max_age", "nonce", "prompt", "redirect_uri",
		"response_type", "scope", "state"} {
		if at.Query().Has(ours) {
			return fmt.Errorf("must not say %s in its query", ours)
		}
	}
	return nil
}

// mayUse reports whether an address is as safe as the issuer's, which is http:// on this machine alone.
func (c *Client) mayUse(at *url.URL) bool {
	return at.Scheme == "https" || at.Scheme == "http" && strings.HasPrefix(c.Issuer, "http://")
}

// http follows no redirect: a provider's token and key addresses are what its document says.
func (c *Client) http() *http.Client {
	base := c.Transport
	if base == nil {
		base = http.DefaultTransport
	}
	return &http.Client{Timeout: callLimit, Transport: bounded{base, c},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// bounded cuts answers off at bodyLimit. Codes, secrets and keys go over https alone, whatever the provider's document says.
type bounded struct {
	http.RoundTripper
	of *Client
}

func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	if !b.of.mayUse(r.URL) {
		return nil, errors.New("the provider's addresses must begin with https://")
	}
	res, err := b.RoundTripper.RoundTrip(r)
	if err == nil {
		res.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(res.Body, bodyLimit), res.Body}
	}
	return res, err
}

func (c *Client) config(p *oidc.Provider) *oauth2.Config {
	return &oauth2.Config{ClientID: c.ClientID, ClientSecret: string(c.ClientSecret), Endpoint: p.Endpoint(), RedirectURL: c.RedirectURL,
		Scopes: append([]string{oidc.ScopeOpenID, "profile", "email"}, c.Scopes...)}
}

// Start returns the address at the provider that a browser is sent to.
func (c *Client) Start(ctx context.Context, state, nonce, verifier string) (string, error) {
	return c.start(ctx, state, nonce, verifier)
}

// StartProof is Start for someone who shall prove again who they are: the
// provider must ask, whatever session it has, and say when it did so (OpenID
// Connect Core 3.1.2.1, prompt and max_age).
func (c *Client) StartProof(ctx context.Context, state, nonce, verifier string) (string, error) {
	return c.start(ctx, state, nonce, verifier, oauth2.SetAuthURLParam("prompt", "login"), oauth2.SetAuthURLParam("max_age", "0"))
}

func (c *Client) start(ctx context.Context, state, nonce, verifier string, more ...oauth2.AuthCodeOption) (string, error) {
	p, err := c.discover(ctx)
	if err != nil {
		return "", err
	}
	return c.config(p).AuthCodeURL(state, append(more, oidc.Nonce(nonce), oauth2.S256ChallengeOption(verifier))...), nil
}

// Finish exchanges a code for the identity behind it. Errors that wrap
// ErrRejected are the provider's or the caller's fault, others are weather.
func (c *Client) Finish(ctx context.Context, code, nonce, verifier string) (Identity, error) {
	p, err := c.discover(ctx)
	if err != nil {
		return Identity{}, err
	}
	ctx = oidc.ClientContext(ctx, c.http())
	tokens, err := c.config(p).Exchange(ctx, code, oauth2.VerifierOption(verifier))
	if err != nil {
		var refused *oauth2.RetrieveError
		if errors.As(err, &refused) && refused.Response.StatusCode < 500 {
			return Identity{}, fmt.Errorf("%w: token endpoint: %s", ErrRejected, refused.ErrorCode)
		}
		return Identity{}, fmt.Errorf("sso: %s: %w", c.ID, hideURL(err))
	}
	raw, ok := tokens.Extra("id_token").(string)
	if !ok {
		return Identity{}, fmt.Errorf("%w: no id_token", ErrRejected)
	}
	token, err := c.verifier(ctx, p, raw).Verify(ctx, raw)
	if err != nil {
		return Identity{}, fmt.Errorf("%w: %w", ErrRejected, err)
	}
	if subtle.ConstantTimeCompare([]byte(token.Nonce), []byte(nonce)) != 1 {
		return Identity{}, fmt.Errorf("%w: the nonce is another", ErrRejected)
	}
	return c.identity(ctx, p, token, tokens)
}

// Place finds where a person belongs: the first mapping whose group they are
// in. ok is false when there is none: no way in.
func (p Provider) Place(groups []string) (m Mapping, ok bool) {
	for _, m := range p.Mappings {
		for _, g := range groups {
			if g == m.Group && g != "" {
				return m, true
			}
		}
	}
	return Mapping{}, false
}

// Maps reports whether the operator gave an organization to this provider, for
// whatever group.
func (p Provider) Maps(organizationID string) bool {
	return slices.ContainsFunc(p.Mappings, func(m Mapping) bool { return m.Organization == organizationID })
}

// hideURL takes the address out of a network error: a query may hold a code.
func hideURL(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return fmt.Errorf("%s: %w", u.Op, u.Err)
	}
	return err
}
