package api

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/compress/gzhttp"

	"lightbar/internal/app"
	"lightbar/internal/audit"
	"lightbar/internal/budget"
	"lightbar/internal/feed"
)

const (
	// callTimeout ends a JSON call that computes for too long. The database has a limit of its own, engine.CallLimit; imports, their undo,
	// files of trips, and exports of the audit, which may take longer, have none.
	callTimeout = 20 * time.Second
	// fileTimeout ends an import, or the undo of one: thousands of rows, a few at a time, between what others do.
	fileTimeout = 5 * time.Minute
)

// timeoutOf is how long a call may take.
func timeoutOf(path string) time.Duration {
	for _, files := range []string{areasImportPath, hazardImportPath} {
		if rest, ok := strings.CutPrefix(path, "/api"+files); ok && (rest == "" || rest[0] == '/') {
			return fileTimeout
		}
	}
	switch path {
	case exportPath:
		return exportTimeout
	case "/api" + tripFilesPath: // five days at a point a second are computed first
		return fileTimeout
	}
	return callTimeout
}

const tokenPath = "/api/user_token"

// handler puts the layers around the routes, outermost first: identity and
// log, host, headers, memory, origin, limits, compression.
func (s *server) handler() http.Handler {
	compress, err := gzhttp.NewWrapper(gzhttp.MinSize(1024), gzhttp.EnableZstd(true), gzhttp.PreferZstd(true), gzhttp.SuffixETag(packedTag))
	if err != nil {
		panic("api: compression: " + err.Error()) // only for impossible options
	}
	packed := compress(s.mux)
	routes := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasPrefix(r.URL.Path, "/map/"), r.URL.Path == "/cable", secretCall(r.URL.Path),
			strings.HasPrefix(r.URL.Path, "/feeds/") && strings.HasSuffix(r.URL.Path, "/"+feed.AlertStreamPath):
			// Packed already, a socket, a stream that nothing may hold back, or secrets that must not be measured by their packed length.
			s.mux.ServeHTTP(w, r)
		default:
			packed.ServeHTTP(w, r)
		}
	})
	return s.identify(s.checkHost(s.headers(wellFormed(s.options.Budget.Guard(NetworkOf, s.guardCalls(s.once(routes)))))))
}

// identify gives the request its id, finds out who is really calling, and
// leaves a line in the log and a measurement. It is also the last resort of a
// panic: 500 with the id, and the process lives.
func (s *server) identify(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		started := time.Now()
		c := &call{ID: s.app.NewID(), brand: func() string { return s.app.BrandName(r.Context()) }}
		c.Network, c.Secure = s.client(r)
		r = r.WithContext(context.WithValue(r.Context(), callKey{}, c))
		c.Request = r
		c.tokenEndpoint = strings.TrimSuffix(r.URL.Path, "/") == tokenPath
		_, route := s.mux.Handler(r)
		rec := &recorder{ResponseWriter: w}
		w.Header().Set("X-Request-Id", c.ID)
		s.options.Metrics.active.Inc()
		defer func() {
			s.options.Metrics.active.Dec()
			if p := recover(); p != nil {
				if err, ok := p.(error); ok && errors.Is(err, http.ErrAbortHandler) {
					panic(p) // how net/http ends an answer on purpose
				}
				s.app.Log.Error("panic", "request_id", c.ID, "route", route, "panic", p, "stack", string(debug.Stack()))
				if rec.status == 0 {
					failureOf(panicked{p}).write(rec, r)
				}
			}
			took := time.Since(started)
			s.options.Metrics.observe(route, r.Method, rec.code(), c.code, took)
			s.log(r, c, rec, route, took)
		}()
		next.ServeHTTP(rec, r)
	})
}

// log leaves one line without queries, bodies, tokens or secret path parts.
func (s *server) log(r *http.Request, c *call, rec *recorder, route string, took time.Duration) {
	level := slog.LevelDebug
	switch {
	case rec.code() >= 500 && errors.Is(r.Context().Err(), context.Canceled):
		level = slog.LevelInfo // the client has gone; nobody was failed
	case rec.code() >= 500:
		level = slog.LevelError
	case c.code != "":
		level = slog.LevelInfo
		switch {
		case rec.code() == http.StatusUnauthorized || rec.code() == http.StatusForbidden || rec.code() == http.StatusTooManyRequests ||
			c.tokenEndpoint:
			s.app.Audit.NoteRefusal(c.Network, c.code)
		case c.outOfReach():
			s.app.Audit.NoteRefusal(c.Network, audit.CodeOutOfReach)
		}
	}
	attrs := []any{"request_id", c.ID, "method", knownMethod(r.Method), "route", route, "status", rec.code(), "bytes", rec.bytes,
		"took_ms", float64(took.Microseconds()) / 1000, "client", c.Network}
	if c.actor != nil {
		attrs = append(attrs, "user", c.actor.UserID)
	}
	if c.code != "" {
		attrs = append(attrs, "error", c.code)
	}
	if c.cause != nil {
		_ = s.app.Store.Notice(c.cause) // a read that met damage, or a failing disk
		attrs = append(attrs, "cause", c.cause.Error())
	}
	s.app.Log.Log(r.Context(), level, "request", attrs...)
}

// client is the address that counts and whether users speak TLS. The public
// address says so when there is one: a header that a proxy forgot must not take
// the protection from cookies. Forwarded headers are believed from trusted hops
// only, nearest hop first.
func (s *server) client(r *http.Request) (address string, secure bool) {
	host := peerOf(r)
	secure = r.TLS != nil
	if s.app != nil && s.app.PublicURL != "" {
		secure = strings.HasPrefix(s.app.PublicURL, "https://")
	}
	if !s.trusted(host) {
		return host, secure
	}
	hops, proto := forwarded(r)
	if proto != "" && (s.app == nil || s.app.PublicURL == "") {
		secure = strings.EqualFold(proto, "https")
	}
	for _, hop := range slices.Backward(hops) {
		hop = strings.Trim(hop, " \t\"")
		if hop == "" {
			continue
		}
		address, ok := addressOf(hop)
		if !ok {
			s.unreadHop(hop)
			break
		}
		host = address
		if !s.trusted(address) {
			break
		}
	}
	return host, secure
}

// forwarded are the hops that proxies name, and what the nearest says that its
// client spoke. Forwarded (RFC 7239) counts where there is no X-Forwarded-For: a
// proxy that adds to one of the two passes on the other as a client invented it.
func forwarded(r *http.Request) (hops []string, proto string) {
	protos := strings.Join(r.Header.Values("X-Forwarded-Proto"), ",")
	if said := r.Header.Values("X-Forwarded-For"); len(said) > 0 || protos != "" {
		return strings.Split(strings.Join(said, ","), ","), lastOf(protos)
	}
	for element := range strings.SplitSeq(strings.Join(r.Header.Values("Forwarded"), ","), ",") {
		hop := ""
		proto = ""
		for pair := range strings.SplitSeq(element, ";") {
			switch name, value, _ := strings.Cut(pair, "="); strings.ToLower(strings.TrimSpace(name)) {
			case "for":
				hop = value
			case "proto":
				proto = strings.Trim(value, " \t\"")
			}
		}
		hops = append(hops, hop)
	}
	return hops, proto
}

// addressOf reads an address as proxies write it: some add the port, and brackets
// around IPv6 (RFC 7239, section 6).
func addressOf(hop string) (address string, ok bool) {
	if ip, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(hop, "["), "]")); err == nil {
		return ip.Unmap().WithZone("").String(), true
	}
	at, err := netip.ParseAddrPort(hop)
	if err != nil {
		return "", false
	}
	return at.Addr().Unmap().WithZone("").String(), true
}

// unreadHop warns once that a trusted proxy hides who its clients are: all of them share its limits.
func (s *server) unreadHop(hop string) {
	s.hopOnce.Do(func() {
		if s.app != nil && s.app.Log != nil {
			s.app.Log.Warn("a trusted proxy names its client in a way that isn't an address; the client counts as the proxy",
				"said", fmt.Sprintf("%.60q", hop))
		}
	})
}

func peerOf(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}

// beside reports whether a request came past the proxy that does TLS. Programs on
// this machine may: what they say goes over no network.
func (s *server) beside(r *http.Request) bool {
	if len(s.options.TrustedProxies) == 0 || s.options.AllowHTTP || r.TLS != nil {
		return false
	}
	ip, err := netip.ParseAddr(peerOf(r))
	return err != nil || !ip.Unmap().IsLoopback() && !s.trusted(ip.String())
}

func (s *server) trusted(address string) bool {
	ip, err := netip.ParseAddr(address)
	if err != nil {
		return false
	}
	ip = ip.Unmap().WithZone("") // no network contains an address with a zone
	return slices.ContainsFunc(s.options.TrustedProxies, func(p netip.Prefix) bool { return p.Contains(ip) })
}

func lastOf(list string) string {
	parts := strings.Split(list, ",")
	return strings.TrimSpace(parts[len(parts)-1])
}

// checkHost refuses who comes past the proxy, and names that are not ours: a page whose name was made to
// point here (DNS rebinding) must not be able to talk to the server.
func (s *server) checkHost(next http.Handler) http.Handler {
	names := map[string]bool{"localhost": true}
	for _, h := range s.options.Hosts {
		names[strings.ToLower(h)] = true
	}
	public := ""
	if s.app != nil {
		if u, err := url.Parse(s.app.PublicURL); err == nil {
			public = u.Hostname()
		}
	}
	if public != "" {
		names[strings.ToLower(public)] = true
	}
	anyName := public == "" && len(s.options.Hosts) == 0
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := hostName(r)
		_, notAddress := netip.ParseAddr(host)
		probe := r.URL.Path == "/livez" || r.URL.Path == "/readyz"
		switch {
		case probe:
		case s.beside(r):
			fail("proxy_only").write(w, r)
			return
		case !anyName && !names[host] && notAddress != nil:
			fail("host_not_allowed").write(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// hostName is the name or address that a request was sent to, without a port.
func hostName(r *http.Request) string {
	host := r.Host
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	return strings.ToLower(strings.Trim(host, "[]"))
}

// guardCalls is what holds for every path below /api: no foreign origin, a
// bounded body and time, a rate limit on the token calls, no trailing slash.
func (s *server) guardCalls(next http.Handler) http.Handler {
	origin := http.NewCrossOriginProtection()
	if s.app != nil && s.app.PublicURL != "" {
		if u, err := url.Parse(s.app.PublicURL); err == nil && u.Host != "" {
			_ = origin.AddTrustedOrigin(u.Scheme + "://" + u.Host) // malformed: then only same-origin counts
		}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := r.URL.Path
		callOf(r.Context()).body = budget.Of(r)
		device := strings.HasPrefix(path, "/api/ingest")
		if !device && !(strings.HasPrefix(path, "/feeds/") && matches(impressionsPath, path)) && origin.Check(r) != nil { // it heeds no cookie
			fail("cross_origin").write(w, r)
			return
		}
		if !strings.HasPrefix(path, "/api/") || device {
			next.ServeHTTP(w, r)
			return
		}
		if len(path) > len("/api/") && strings.HasSuffix(path, "/") {
			r.URL.Path, r.URL.RawPath = strings.TrimSuffix(path, "/"), ""
		}
		if tokenCall(r.URL.Path) {
			if f := s.brake(r); f != nil {
				f.write(w, r)
				return
			}
		}
		r.Body = http.MaxBytesReader(w, r.Body, bodyLimitOf(r.URL.Path)+1) // huma answers 413 at the limit itself
		timeout := timeoutOf(r.URL.Path)
		if timeout == fileTimeout { // an export moves the deadline of its answer along
			_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(fileTimeout + callTimeout)) // else the server's stands
		}
		ctx, cancel := context.WithTimeout(r.Context(), timeout)
		defer cancel()
		if timeout == callTimeout {
			ctx = app.WithinCall(ctx)
		}
		if ofSessions(r.URL.Path) {
			ctx = app.WithReserve(ctx)
		}
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// ofSessions are the calls that work on a full disk too: who cannot sign in
// cannot see where the vehicles are, and reading goes on.
func ofSessions(path string) bool {
	return tokenCall(path) || path == "/api/session" || strings.HasPrefix(path, "/api/session/") || strings.HasPrefix(path, "/api/sso/")
}

func tokenCall(path string) bool {
	switch path {
	case tokenPath, "/api/verify_token", "/api/revoke_token", "/api/forgot_password", "/api/unlock_account", "/api/reset_password",
		"/api/accept_invitation",
		"/api" + linkPath, "/api" + linkPath + "/discard", "/api" + questionPath, "/api" + questionPath + "/answer":
		return true
	}
	return false
}

// noSuchCall answers 404, or 405 with the methods that are offered.
func (s *server) noSuchCall(w http.ResponseWriter, r *http.Request) {
	var allowed []string
	for path, methods := range s.methods {
		if matches(path, strings.TrimPrefix(r.URL.Path, "/api")) {
			allowed = append(allowed, methods...)
		}
	}
	if len(allowed) == 0 {
		fail("not_found").write(w, r)
		return
	}
	slices.Sort(allowed)
	f := fail("method_not_allowed")
	f.headers.Set("Allow", strings.Join(slices.Compact(allowed), ", "))
	f.write(w, r)
}

// matches compares a path with a template such as /things/{id}.
func matches(template, path string) bool {
	want, have := strings.Split(template, "/"), strings.Split(path, "/")
	if len(want) != len(have) {
		return false
	}
	for i := range want {
		if want[i] != have[i] && (!strings.HasPrefix(want[i], "{") || have[i] == "") {
			return false
		}
	}
	return true
}

// recorder notes what was answered. It hands out the connection for sockets.
type recorder struct {
	http.ResponseWriter
	status int
	bytes  int64
}

func (r *recorder) WriteHeader(status int) {
	if r.status == 0 && status >= 200 {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(b []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	n, err := r.ResponseWriter.Write(b)
	r.bytes += int64(n)
	return n, err
}

func (r *recorder) code() int {
	if r.status == 0 {
		return http.StatusOK
	}
	return r.status
}

// Unwrap serves http.ResponseController.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// Hijack implements http.Hijacker for the stream.
func (r *recorder) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	if r.status == 0 {
		r.status = http.StatusSwitchingProtocols
	}
	return http.NewResponseController(r.ResponseWriter).Hijack()
}
