package sso_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/go-jose/go-jose/v4"
)

// A provider's addresses are what its document says: none of them leads on to another.
func TestAProviderLeadsNowhereElse(t *testing.T) {
	r := newRogue(t)
	r.answers(sign(t, jose.RS256, r.key, r.claims()))
	inner := r.Config.Handler
	for _, moved := range []string{"/.well-known/openid-configuration", "/token", "/keys"} {
		r.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			if req.URL.Path == moved {
				req.URL.Path = "/elsewhere"
				http.Redirect(w, req, "/elsewhere", http.StatusTemporaryRedirect)
				return
			}
			if req.URL.Path == "/elsewhere" {
				req.URL.Path = moved
			}
			inner.ServeHTTP(w, req)
		})
		if got, err := r.client().Finish(t.Context(), "code", "n1", "verifier"); err == nil {
			t.Errorf("%s may lead on: %+v", moved, got)
		}
	}
}

// An answer is read up to a megabyte.
func TestAnEndlessAnswerIsCutOff(t *testing.T) {
	r := newRogue(t)
	r.answers(sign(t, jose.RS256, r.key, r.claims()))
	inner := r.Config.Handler
	for size, ok := range map[int]bool{1 << 10: true, 1 << 20: false} {
		r.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			if strings.HasPrefix(req.URL.Path, "/.well-known/") {
				w.Header().Set("Content-Type", "application/json")
				_, _ = w.Write([]byte(strings.Repeat(" ", size)))
			}
			inner.ServeHTTP(w, req)
		})
		if _, err := r.client().Finish(t.Context(), "code", "n1", "verifier"); (err == nil) != ok {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
}
