package api

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"lightbar/internal/fleet"
	"lightbar/internal/people"
	"lightbar/internal/wire"
)

type (
	// tokenOutput answers a bare object, as the requirements have it.
	tokenOutput struct {
		SetCookie []string `header:"Set-Cookie"`
		Body      wire.TokenPair
	}
	revokeOutput struct {
		SetCookie []string `header:"Set-Cookie"`
		Body      struct{}
	}
)

// TokenRequest is the body of POST /user_token (requirements 7.auth).
type TokenRequest struct {
	GrantType     string `json:"grant_type" doc:"password, refresh_token, mfa or link"`
	Application   string `json:"application,omitempty" doc:"dashboard"`
	Username      string `json:"username,omitempty" doc:"password grant: the email address"`
	Password      string `json:"password,omitempty"`
	UnlockToken   string `json:"unlock_token,omitempty" doc:"password grant: from an unlock email"`
	RefreshToken  string `json:"refresh_token,omitempty" doc:"refresh grant; with cookie delivery the cookie counts"`
	TokenDelivery string `json:"token_delivery,omitempty" doc:"cookie: the refresh token travels as an HttpOnly cookie instead of in the body"`
	AwarenessMode *bool  `json:"awareness_mode,omitempty" doc:"turns situational-awareness mode on or off: no idle or absolute end"`
	AccessToken   string `json:"access_token,omitempty" doc:"link grant, with refresh_token: the two parts of the link's address"`

	Challenge  string          `json:"challenge,omitempty" doc:"mfa grant: from the answer mfa_required or mfa_setup_required"`
	Method     string          `json:"method,omitempty" doc:"mfa grant: totp, recovery, passkey or totp_setup"`
	Code       string          `json:"code,omitempty" doc:"mfa grant: six digits, or a recovery code"`
	Credential json.RawMessage `json:"credential,omitempty" doc:"mfa grant: a passkey's answer as JSON (WebAuthn AuthenticationResponseJSON)"`
}

// TokenText is the body of POST /revoke_token; access or refresh token.
type TokenText struct {
	Token string `json:"token"`
}

// AccessTokenText is the body of POST /verify_token.
type AccessTokenText struct {
	AccessToken string `json:"access_token"`
}

// VerifiedToken is the answer of POST /verify_token.
type VerifiedToken struct {
	TokenType string `json:"token_type"`
	ExpiresIn int64  `json:"expires_in" doc:"seconds from created_at"`
	CreatedAt int64  `json:"created_at" doc:"seconds since the epoch"`
	UserID    string `json:"user_id"`
}

func (s *server) sessionRoutes() {
	tokens := group{s, "Sign-in"}
	open(tokens, http.MethodPost, "createUserToken", "/user_token",
		"Sign in, or renew. grant_type password (application, username, password, unlock_token), refresh_token, "+
			"mfa (challenge, method, code or credential) or link (access_token, refresh_token of a sign-in link).",
		s.userToken, 400, 401, 403, 429, 503)
	open(tokens, http.MethodPost, "verifyToken", "/verify_token", "Check an access token", s.verifyToken, 400, 422, 429)
	open(tokens, http.MethodPost, "revokeToken", "/revoke_token",
		"Sign out. Ends the family of an access or refresh token. Unknown tokens are not an error.", s.revokeToken, 400, 422, 429)
}

func (s *server) userToken(ctx context.Context, c *call, in *bodyOf[TokenRequest]) (*tokenOutput, error) {
	if in.Body.Application != "" && in.Body.Application != "dashboard" {
		return nil, refuseRequest("application", "The application must be dashboard.")
	}
	if in.Body.TokenDelivery != "" && in.Body.TokenDelivery != "cookie" && in.Body.TokenDelivery != "body" {
		return nil, refuseRequest("token_delivery", "The delivery must be cookie or body.")
	}
	var grant people.Grant
	var err error
	switch in.Body.GrantType {
	case "password":
		awareness := in.Body.AwarenessMode != nil && *in.Body.AwarenessMode
		grant, err = s.app.SignIn(ctx, people.SignIn{Email: in.Body.Username, Password: in.Body.Password, UnlockToken: in.Body.UnlockToken,
			Awareness: awareness, Caller: c.caller()})
	case "refresh_token":
		grant, err = s.app.Refresh(ctx, s.refreshTokenOf(c, in.Body), in.Body.AwarenessMode, c.caller())
	case "mfa":
		grant, err = s.app.SignInMFA(ctx, people.MFA{Challenge: in.Body.Challenge, Method: in.Body.Method, Code: in.Body.Code,
			Credential: in.Body.Credential, Caller: c.caller()})
	case "link":
		grant, err = s.app.SignInByLink(ctx, in.Body.AccessToken, in.Body.RefreshToken, c.caller())
	default:
		return nil, fail("unsupported_grant_type")
	}
	if err != nil {
		return nil, err
	}
	return s.answerGrant(c, grant, in.Body.TokenDelivery == "cookie"), nil
}

// refuseRequest is RFC 6749's invalid_request with the field that is wrong.
func refuseRequest(field, sentence string) *Failure {
	f := fail("invalid_request")
	f.Message = sentence
	f.Fields = map[string]string{field: sentence}
	return f
}

// refreshTokenOf takes the token of the body, or of the cookie when cookie delivery was asked for.
func (s *server) refreshTokenOf(c *call, body TokenRequest) string {
	if body.RefreshToken != "" || body.TokenDelivery != "cookie" {
		return body.RefreshToken
	}
	if cookie, err := c.Request.Cookie(refreshCookie(c.Secure)); err == nil {
		return cookie.Value
	}
	return ""
}

func (s *server) answerGrant(c *call, g people.Grant, byCookie bool) *tokenOutput {
	out := &tokenOutput{Body: wire.TokenPair{AccessToken: g.Access, RefreshToken: g.Refresh, TokenType: "Bearer",
		ExpiresIn: int64(g.ExpiresAt.Sub(g.MadeAt) / time.Second), CreatedAt: seconds(g.MadeAt), RecoveryCodes: g.RecoveryCodes}}
	if byCookie {
		out.Body.RefreshToken = ""
		cookie := newCookie(refreshCookie(c.Secure), g.Refresh, c.Secure)
		if g.FamilyEndsAt != 0 {
			cookie.Expires = g.FamilyEndsAt.Time()
		} else {
			cookie.Expires = g.ExpiresAt.Time() // awareness mode survives a restart of the browser
		}
		out.SetCookie = append(out.SetCookie, cookie.String())
	}
	if g.Device != "" {
		cookie := newCookie(deviceCookie(c.Secure), g.Device, c.Secure)
		cookie.Expires = g.MadeAt.Time().AddDate(1, 0, 0)
		out.SetCookie = append(out.SetCookie, cookie.String())
	}
	return out
}

func seconds(i fleet.Instant) int64 { return int64(i) / 1000 }

func (s *server) verifyToken(ctx context.Context, c *call, in *bodyOf[AccessTokenText]) (*bareOf[VerifiedToken], error) {
	g, err := s.app.Verify(ctx, in.Body.AccessToken, c.caller())
	return bare(VerifiedToken{TokenType: "Bearer", ExpiresIn: int64(g.ExpiresAt.Sub(g.MadeAt) / time.Second),
		CreatedAt: seconds(g.MadeAt), UserID: g.UserID}, err)
}

// revokeToken ends the token's family, and that of the refresh cookie: a
// browser that signs out with an access token that has just expired must not
// keep a cookie that works.
func (s *server) revokeToken(ctx context.Context, c *call, in *bodyOf[TokenText]) (*revokeOutput, error) {
	out := &revokeOutput{}
	if err := s.app.Revoke(ctx, in.Body.Token, c.caller()); err != nil {
		return nil, err
	}
	if cookie, err := c.Request.Cookie(refreshCookie(c.Secure)); err == nil {
		if err := s.app.Revoke(ctx, cookie.Value, c.caller()); err != nil {
			return nil, err
		}
		gone := newCookie(refreshCookie(c.Secure), "", c.Secure)
		gone.MaxAge = -1
		out.SetCookie = []string{gone.String()}
	}
	return out, nil
}

// refreshCookie and deviceCookie name the cookies; the __Host- prefix makes
// browsers insist on TLS, this host and the whole path.
func refreshCookie(secure bool) string { return cookieName("lb_refresh", secure) }
func deviceCookie(secure bool) string  { return cookieName("lb_device", secure) }

func cookieName(name string, secure bool) string {
	if secure {
		return "__Host-" + name
	}
	return name
}

func newCookie(name, value string, secure bool) *http.Cookie {
	return &http.Cookie{Name: name, Value: value, Path: "/", HttpOnly: true, Secure: secure, SameSite: http.SameSiteStrictMode}
}
