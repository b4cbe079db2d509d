package api

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"lightbar/internal/access"
	"lightbar/internal/people"
	"lightbar/internal/wire"
)

type stepUpVisitOut struct {
	SetCookie []string `header:"Set-Cookie"`
	Body      wire.One[wire.ProviderVisit]
}

// StepUpBySSO is the body of POST /session/step_up/sso.
type StepUpBySSO struct {
	Extend bool `json:"extend,omitempty" doc:"extend the session's absolute end to 24 h from now"`
}

func (s *server) ssoRoutes() {
	providers := group{s, "Sign-in"}
	open(providers, http.MethodGet, "getSignInMethods", "/sign_in_methods",
		"Password and identity providers. Open, because the sign-in screen shows it.",
		func(ctx context.Context, _ *call, _ *noInput) (*oneOf[wire.SignInMethods], error) {
			return one(s.app.SignInMethods(ctx), nil)
		}, 503)
	signedIn(s, providers.op(http.MethodPost, "beginStepUpProvider", "/session/step_up/sso",
		"Start a step-up at the identity provider. Open the address in the browser that asked: "+
			"the provider's answer is tied to it by a cookie, and to this session. It ends at /welcome/verified.", nil), s.beginStepUpSSO)
	// Pages that a browser opens, not calls: they answer redirections.
	s.mux.HandleFunc("GET /api/sso/{provider}/start", s.startSSO)
	s.mux.HandleFunc("GET /api/sso/{provider}/callback", s.finishSSO)
	s.mux.HandleFunc("GET /api/sso/{provider}/end", s.leaveSSO)
}

func (s *server) beginStepUpSSO(ctx context.Context, actor *access.Actor, in *bodyOf[StepUpBySSO]) (*stepUpVisitOut, error) {
	c := callOf(ctx)
	v, cookie, err := s.app.BeginStepUpSSO(ctx, actor, in.Body.Extend, c.caller())
	if err != nil {
		return nil, err
	}
	return &stepUpVisitOut{SetCookie: []string{visitCookie(proofCookie, cookie, c.Secure).String()},
		Body: wire.One[wire.ProviderVisit]{Data: v}}, nil
}

// The cookies of visits to a provider: to sign in, and to prove who is there.
const (
	entryCookie = "lb_visit"
	proofCookie = "lb_proof"
)

// visitCookie is SameSite=Lax: it must come along when the provider sends the browser back.
func visitCookie(name, value string, secure bool) *http.Cookie {
	c := newCookie(cookieName(name, secure), value, secure)
	c.SameSite = http.SameSiteLaxMode
	c.MaxAge = 600
	if value == "" {
		c.MaxAge = -1
	}
	return c
}

func (s *server) startSSO(w http.ResponseWriter, r *http.Request) {
	c := callOf(r.Context())
	if !s.mayVisit(c) {
		leadBack(w, r, false, "rate_limited")
		return
	}
	address, cookie, err := s.app.StartSSO(r.Context(), r.PathValue("provider"), r.URL.Query().Get("origin"))
	if err != nil {
		leadBack(w, r, false, s.codeOf(c, err))
		return
	}
	http.SetCookie(w, visitCookie(entryCookie, cookie, c.Secure))
	redirect(w, r, address)
}

// leaveSSO leads whoever has signed out here to where they sign out of their provider.
func (s *server) leaveSSO(w http.ResponseWriter, r *http.Request) {
	c := callOf(r.Context())
	if !s.mayVisit(c) {
		leadBack(w, r, false, "rate_limited")
		return
	}
	address, err := s.app.LeaveSSO(r.Context(), r.PathValue("provider"))
	if err != nil {
		leadBack(w, r, false, s.codeOf(c, err))
		return
	}
	redirect(w, r, address)
}

// finishSSO is the one address that a provider sends browsers back to; the
// state says whether somebody signs in or proves who they are.
func (s *server) finishSSO(w http.ResponseWriter, r *http.Request) {
	c := callOf(r.Context())
	in := people.SSOAnswer{Provider: r.PathValue("provider"), State: r.URL.Query().Get("state"), Code: r.URL.Query().Get("code"),
		Error: r.URL.Query().Get("error"), Caller: c.caller()}
	proof := people.ProofState(in.State)
	if !s.mayVisit(c) {
		leadBack(w, r, proof, "rate_limited")
		return
	}
	name := entryCookie
	if proof {
		name = proofCookie
	}
	if cookie, err := r.Cookie(cookieName(name, c.Secure)); err == nil {
		in.Cookie = cookie.Value
	}
	http.SetCookie(w, visitCookie(name, "", c.Secure)) // one answer for each visit
	if !proof {
		s.signInBySSO(w, r, c, in)
		return
	}
	if err := s.app.FinishStepUpSSO(r.Context(), in); err != nil {
		leadBack(w, r, proof, s.codeOf(c, err))
		return
	}
	redirect(w, r, provedPage)
}

func (s *server) signInBySSO(w http.ResponseWriter, r *http.Request, c *call, in people.SSOAnswer) {
	grant, origin, err := s.app.FinishSSO(r.Context(), in)
	if err != nil {
		leadBack(w, r, false, s.codeOf(c, err))
		return
	}
	for _, text := range s.answerGrant(c, grant, true).SetCookie {
		w.Header().Add("Set-Cookie", text)
	}
	query := url.Values{}
	if origin != "" {
		query.Set("origin", origin)
	}
	if at, err := s.app.LeaveSSO(r.Context(), in.Provider); err == nil && at != "" {
		query.Set("leave", in.Provider) // the app offers it after a sign-out
	}
	redirect(w, r, strings.TrimSuffix("/welcome/sso?"+query.Encode(), "?"))
}

// codeOf is the machine code that a visit ends with; refusals are noted.
func (s *server) codeOf(c *call, err error) string {
	code := failureOf(err).Failure.Error
	s.app.Audit.NoteRefusal(c.Network, code)
	if code == "internal" {
		s.app.Log.Error("single sign-on", "error", err, "request", c.ID)
	}
	return code
}

// provedPage is where a step-up ends: a page that tells the one it was opened from.
const provedPage = "/welcome/verified"

// leadBack leads a person back with a machine code; the app has its words.
func leadBack(w http.ResponseWriter, r *http.Request, proof bool, code string) {
	if proof {
		redirect(w, r, provedPage+"?"+url.Values{"problem": {code}}.Encode())
		return
	}
	redirect(w, r, "/welcome/signin?"+url.Values{"sso": {code}}.Encode())
}

// mayVisit brakes a network as the token calls do.
func (s *server) mayVisit(c *call) bool {
	ok, _ := s.limits.allow(c.Network, s.app.Now())
	return ok
}

func redirect(w http.ResponseWriter, r *http.Request, to string) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer")
	http.Redirect(w, r, to, http.StatusFound)
}
