package api

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"github.com/danielgtaylor/huma/v2"

	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/wire"
)

type methodsOutput struct{ Body wire.OneSignInMethods }

func (s *server) ssoRoutes() {
	open(s, huma.Operation{OperationID: "getSignInMethods", Method: http.MethodGet, Path: "/sign_in_methods", Tags: []string{"Sign-in"},
		Summary: "Password and identity providers", Description: "Ours; open, because the sign-in screen shows it.", Errors: []int{503}},
		func(ctx context.Context, _ *call, _ *noInput) (*methodsOutput, error) {
			return &methodsOutput{Body: wire.OneSignInMethods{Data: s.app.SignInMethods(ctx)}}, nil
		})
	// Pages that a browser opens, not calls: they answer redirections.
	s.mux.HandleFunc("GET /api/sso/{provider}/start", s.startSSO)
	s.mux.HandleFunc("GET /api/sso/{provider}/callback", s.finishSSO)
}

// visitCookie is SameSite=Lax: it must come along when the provider sends the browser back.
func visitCookie(value string, secure bool) *http.Cookie {
	c := newCookie(cookieName("lb_visit", secure), value, secure)
	c.SameSite = http.SameSiteLaxMode
	c.MaxAge = 600
	if value == "" {
		c.MaxAge = -1
	}
	return c
}

func (s *server) startSSO(w http.ResponseWriter, r *http.Request) {
	c := callOf(r.Context())
	if !s.mayVisit(w, r, c) {
		return
	}
	address, cookie, err := s.app.StartSSO(r.Context(), r.PathValue("provider"), r.URL.Query().Get("origin"))
	if err != nil {
		s.backToSignIn(w, r, c, err)
		return
	}
	http.SetCookie(w, visitCookie(cookie, c.Secure))
	redirect(w, r, address)
}

func (s *server) finishSSO(w http.ResponseWriter, r *http.Request) {
	c := callOf(r.Context())
	if !s.mayVisit(w, r, c) {
		return
	}
	in := app.SSOAnswer{Provider: r.PathValue("provider"), State: r.URL.Query().Get("state"), Code: r.URL.Query().Get("code"),
		Error: r.URL.Query().Get("error"), Caller: c.caller()}
	if cookie, err := r.Cookie(cookieName("lb_visit", c.Secure)); err == nil {
		in.Cookie = cookie.Value
	}
	http.SetCookie(w, visitCookie("", c.Secure)) // one answer for each visit
	grant, origin, err := s.app.FinishSSO(r.Context(), in)
	if err != nil {
		s.backToSignIn(w, r, c, err)
		return
	}
	for _, text := range s.answerGrant(c, grant, true).SetCookie {
		w.Header().Add("Set-Cookie", text)
	}
	query := ""
	if origin != "" {
		query = "?" + url.Values{"origin": {origin}}.Encode()
	}
	redirect(w, r, "/welcome/sso"+query)
}

// backToSignIn leads a person back with the machine code; the app has its words.
func (s *server) backToSignIn(w http.ResponseWriter, r *http.Request, c *call, err error) {
	code := app.CodeOf(err)
	var refusal *fleet.Refusal
	if errors.As(err, &refusal) {
		code = refusal.Code
	}
	s.app.NoteRefusal(c.Network, code)
	if code == "internal" {
		s.app.Log.Error("single sign-on", "error", err, "request", c.ID)
	}
	redirect(w, r, "/welcome/signin?"+url.Values{"sso": {code}}.Encode())
}

// mayVisit brakes a network as the token calls do.
func (s *server) mayVisit(w http.ResponseWriter, r *http.Request, c *call) bool {
	ok, _ := s.limits.allow(c.Network, s.app.Now())
	if !ok {
		redirect(w, r, "/welcome/signin?sso=rate_limited")
	}
	return ok
}

func redirect(w http.ResponseWriter, r *http.Request, to string) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer")
	http.Redirect(w, r, to, http.StatusFound)
}
