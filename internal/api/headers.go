package api

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

// nonceMark stands in index.html where each answer's nonce belongs: React
// Aria adds one style element and gives it the nonce of that meta element.
const nonceMark = "__CSP_NONCE__"

// policyCache remembers the hosts of the configured map providers.
type policyCache struct {
	mu    sync.Mutex
	at    time.Time
	hosts string
}

const policyFor = 5 * time.Second

// providerHosts are the origins the map may fetch from, as a policy lists them.
func (s *server) providerHosts(ctx context.Context) string {
	p := s.policy
	p.mu.Lock()
	defer p.mu.Unlock()
	if s.app == nil || time.Since(p.at) < policyFor {
		return p.hosts
	}
	providers, err := s.app.MapProviders(ctx)
	if err != nil {
		s.app.Log.Warn("map providers not read", "error", err)
		return p.hosts
	}
	var hosts []string
	for _, m := range providers {
		if u, err := url.Parse(m.URL); err == nil {
			hosts = append(hosts, u.Scheme+"://"+u.Host)
		}
	}
	slices.Sort(hosts)
	p.hosts = ""
	for _, h := range slices.Compact(hosts) {
		p.hosts += " " + h
	}
	p.at = time.Now()
	return p.hosts
}

// pagePolicy is the Content-Security-Policy of the web app: scripts and
// workers from here only, no eval, no inline script, no blob: worker.
func (s *server) pagePolicy(ctx context.Context, nonce string) string {
	hosts := s.providerHosts(ctx)
	return "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self' 'nonce-" + nonce + "'; " +
		"img-src 'self' data: blob:" + hosts + "; connect-src 'self'" + hosts + "; font-src 'self'; manifest-src 'self'; " +
		"frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
}

// workerPolicy is that of a worker's script, which governs what the worker
// itself may fetch, whatever its page allows: tiles and fonts from here and
// from the configured providers.
func (s *server) workerPolicy(ctx context.Context) string {
	hosts := s.providerHosts(ctx)
	return "default-src 'none'; script-src 'self'; img-src 'self' data: blob:" + hosts + "; connect-src 'self'" + hosts +
		"; font-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
}

// barePolicy is that of everything else: nothing may be loaded.
const barePolicy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

// formPolicy is that of the server's own pages: a stylesheet, a form and its script.
const formPolicy = "default-src 'none'; style-src 'self'; script-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"

// setupPolicy is that of the one form whose script sends it.
const setupPolicy = formPolicy + "; connect-src 'self'"

// setPage sets what only documents heed: their policy, and which features of the browser they may use.
func setPage(h http.Header, policy string) {
	h.Set("Content-Security-Policy", policy)
	h.Set("Permissions-Policy", "geolocation=(self), clipboard-write=(self), camera=(), microphone=(), payment=(), usb=()")
}

func newNonce() string {
	b := make([]byte, 18)
	_, _ = rand.Read(b) // crypto/rand never fails
	return base64.StdEncoding.EncodeToString(b)
}

// headers sets what holds for every answer; pages replace the policy.
func (s *server) headers(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", barePolicy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		if callOf(r.Context()).Secure {
			h.Set("Strict-Transport-Security", "max-age=31536000")
		}
		if strings.HasPrefix(r.URL.Path, "/api/") {
			noStore(w)
		}
		next.ServeHTTP(w, r)
	})
}

func noStore(w http.ResponseWriter) { w.Header().Set("Cache-Control", "no-store") }
