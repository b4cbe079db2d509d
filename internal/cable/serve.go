package cable

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gorilla/websocket"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/audit"
	"lightbar/internal/budget"
	"lightbar/internal/fleet"
	"lightbar/internal/wire"
)

const (
	// readerBytes is the read buffer of a socket; commands are short.
	readerBytes = 256
	// authenticateWithin limits the look-up of a token.
	authenticateWithin = 5 * time.Second
	// anyCableToken precedes the token where AnyCable's client sends it as a subprotocol.
	anyCableToken = "anycable-token."
)

// subprotocols are those the server speaks; it selects the first that the client
// offers and never echoes the token beside it. All have the same frames. Stock
// clients accept only their own name, so those come first.
var subprotocols = []string{"actioncable-v1-ext-json", "actioncable-v1-json", "datapumper"}

func withDefaults(a *app.App, o Options) Options {
	if a != nil {
		if o.Authenticate == nil {
			o.Authenticate = a.Authenticate
		}
		if o.Recheck == nil {
			o.Recheck = a.ActorNow
		}
		if o.Look == nil {
			o.Look = func(actor *access.Actor, organizationID string) {
				a.NoteSuperAccess(context.Background(), actor, "stream", []string{organizationID})
			}
		}
		if o.Now == nil {
			o.Now = a.Now
		}
		if o.Log == nil {
			o.Log = a.Log
		}
		if o.OutOfReach == nil {
			o.OutOfReach = func(network string) { a.Audit.NoteRefusal(network, audit.CodeOutOfReach) }
		}
		if a.PublicURL != "" {
			o.Origins = append([]string{a.PublicURL}, o.Origins...)
		}
	}
	if o.Look == nil {
		o.Look = func(*access.Actor, string) {}
	}
	if o.Budget == nil {
		o.Budget = &budget.Budget{}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Network == nil {
		o.Network = remoteAddress
	}
	if o.ReplayBytes == 0 {
		o.ReplayBytes = replayBytes.Int()
	}
	if o.ReplayFor == 0 {
		o.ReplayFor = catalog.LimitMs("stream", "replayMs")
	}
	return o
}

func remoteAddress(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}

// ServeHTTP opens a socket: the origin is checked first, then the token of the
// subprotocol list; only then is the connection upgraded (requirements
// 7.stream). Refusals are HTTP answers with the API's error body.
func (h *Hub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet || !websocket.IsWebSocketUpgrade(r) {
		h.notePlain(r)
		w.Header().Set("Upgrade", "websocket")
		h.fail(w, r, http.StatusUpgradeRequired, "upgrade_required", "This address accepts only WebSocket.", 0)
		return
	}
	if !originAllowed(r, h.opts.Origins) {
		h.fail(w, r, http.StatusForbidden, "origin_refused", "Pages from this origin can't open the stream.", 0)
		return
	}
	token, ok := tokenOf(r)
	if !ok {
		h.fail(w, r, http.StatusUnauthorized, "unauthorized",
			"The subprotocols must be datapumper (or actioncable-v1-json) and an access token.", 0)
		return
	}
	nudges := h.nudges.Load()
	actor, ok := h.authenticate(w, r, token)
	if !ok {
		return
	}
	if !h.reserve(actor) {
		h.failFull(w, r)
		return
	}
	if !h.open(w, r, actor, nudges) {
		h.mu.Lock()
		h.release(userKey(actor))
		h.mu.Unlock()
	}
}

// notePlain logs once that a proxy removes the upgrade: a request with the key of a WebSocket handshake left its client as one.
// Otherwise it would go unnoticed: pages poll instead, and browsers hide the answer.
func (h *Hub) notePlain(r *http.Request) {
	if r.Header.Get("Sec-Websocket-Key") == "" {
		return
	}
	h.plainOnce.Do(func() {
		h.opts.Log.Warn("a proxy before this server doesn't pass the Upgrade header, so pages poll instead of streaming",
			"path", r.URL.Path, "proxy", remoteAddress(r))
	})
}

// open upgrades the connection and starts the socket; false when that failed (the answer is written).
func (h *Hub) open(w http.ResponseWriter, r *http.Request, actor *access.Actor, nudges uint64) bool {
	deflate := offersDeflate(r.Header)
	plain := *r
	plain.Header = r.Header.Clone()
	plain.Header.Del("Sec-Websocket-Extensions") // what is negotiated is exactly what was understood here
	if deflate {
		plain.Header.Set("Sec-Websocket-Extensions", "permessage-deflate")
	}
	conn, err := h.upgrader.Upgrade(hijackable{w}, &plain, nil)
	if err != nil {
		return false
	}
	if tcp := tcpOf(conn.NetConn()); tcp != nil {
		// Small: a tab that sleeps must not find minutes of old positions in the kernel.
		_ = tcp.SetWriteBuffer(writeBuffer)
	}
	s := &socket{hub: h, conn: conn, wire: conn.NetConn(), deflate: deflate, said: make(chan struct{}),
		hold: h.opts.Budget.Open(h.opts.Network(r))}
	s.hold.SetHolder(userKey(actor))
	h.join(s, actor, nudges)
	s.push(welcomeFrame(), time.Now())
	h.roster.add(s)
	h.mu.Lock()
	draining := h.draining
	h.mu.Unlock()
	if draining { // Drain may have looked before this socket had joined
		s.end(ReasonServerRestart, jitter(restartJitterMs))
	}
	go s.read()
	return true
}

// authenticate returns the owner of the token; false when the answer has been written.
func (h *Hub) authenticate(w http.ResponseWriter, r *http.Request, token string) (*access.Actor, bool) {
	ctx, cancel := context.WithTimeout(r.Context(), authenticateWithin)
	defer cancel()
	actor, err := h.opts.Authenticate(ctx, token, h.opts.Network(r))
	if refusal := (*fleet.Refusal)(nil); errors.As(err, &refusal) {
		status := http.StatusUnauthorized
		switch {
		case refusal.RetryAfterS > 0:
			status = http.StatusTooManyRequests
		case refusal.Code == "forbidden":
			status = http.StatusForbidden
		}
		h.fail(w, r, status, refusal.Code, refusal.Message, refusal.RetryAfterS)
		return nil, false
	}
	if err != nil || actor == nil {
		h.opts.Log.Error("cable: a token could not be checked", "error", err)
		h.fail(w, r, http.StatusServiceUnavailable, "unavailable", "The server can't check the token right now.", 1)
		return nil, false
	}
	return actor, true
}

func (h *Hub) failFull(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	draining := h.draining
	h.mu.Unlock()
	if draining {
		h.fail(w, r, http.StatusServiceUnavailable, "restarting", "The server is restarting.", 5)
		return
	}
	h.fail(w, r, http.StatusTooManyRequests, "too_many_sockets", "Too many open streams for this user.", 30)
}

// fail answers a refusal in the API's error body.
func (h *Hub) fail(w http.ResponseWriter, r *http.Request, status int, code, message string, retryAfterS int) {
	if h.opts.Failed != nil {
		h.opts.Failed(r, code)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	if retryAfterS > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(retryAfterS))
	}
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(wire.Failure{Error: code, Message: message, RequestID: w.Header().Get("X-Request-Id")})
}

// tokenOf reads the subprotocol list: the names of protocols, and exactly one other entry, the token.
func tokenOf(r *http.Request) (string, bool) {
	token, named := "", false
	for _, p := range websocket.Subprotocols(r) {
		switch {
		case slices.Contains(subprotocols, p):
			named = true
		case strings.HasPrefix(p, "actioncable-"): // another form of its frames, or its actioncable-unsupported
		case token == "" && p != "":
			token = strings.TrimPrefix(p, anyCableToken)
		default:
			return "", false
		}
	}
	return token, named && token != ""
}

// offersDeflate reports whether the client takes permessage-deflate as we send it.
// A client that insists on a smaller window than ours gets plain frames.
func offersDeflate(h http.Header) bool {
	for _, line := range h.Values("Sec-Websocket-Extensions") {
		for offer := range strings.SplitSeq(line, ",") {
			name, parameters, _ := strings.Cut(offer, ";")
			if strings.TrimSpace(name) == "permessage-deflate" && !strings.Contains(parameters, "server_max_window_bits") {
				return true
			}
		}
	}
	return false
}

// hijackable finds the connection through the wrappers of middleware.
type hijackable struct{ http.ResponseWriter }

// Hijack implements http.Hijacker.
func (w hijackable) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	return http.NewResponseController(w.ResponseWriter).Hijack()
}
