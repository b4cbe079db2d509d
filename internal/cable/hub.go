// Package cable is the WebSocket endpoint /cable: the sockets of sessions, one
// stream for each organization, the ring buffer for resumes, bounded queues, and
// the reasons for closing a socket. docs/stream.md describes the protocol.
package cable

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/budget"
	"lightbar/internal/bus"
	"lightbar/internal/fleet"
)

// The limits of the catalog's group stream.
var (
	pingEvery         = catalog.LimitMs("stream", "pingMs")
	queueAge          = catalog.LimitMs("stream", "queueAgeMs")
	recheckEvery      = catalog.LimitMs("stream", "recheckMs")
	silentAfter       = catalog.LimitMs("stream", "silentMs")
	queueBytes        = int(catalog.LimitInt("stream", "queueBytes"))
	readBytes         = int(catalog.LimitInt("stream", "readBytes"))
	writeBuffer       = int(catalog.LimitInt("stream", "writeBufferBytes"))
	socketsPerUser    = catalog.Setting("stream", "socketsPerUser")
	subsPerSocket     = int(catalog.LimitInt("stream", "subscriptionsPerSocket"))
	commandsPerPing   = catalog.LimitInt("stream", "commandsPerPing")
	replayBytes       = catalog.Setting("stream", "replayBytes")
	replaySocketBytes = int(catalog.LimitInt("stream", "replaySocketBytes"))
	compressAbove     = int(catalog.LimitInt("stream", "compressAboveBytes"))
	restartJitterMs   = catalog.LimitInt("stream", "restartJitterMs")
)

// Options configure the hub.
type Options struct {
	// Authenticate turns an access token into an actor; a *fleet.Refusal means that it is refused.
	Authenticate func(ctx context.Context, token, network string) (*access.Actor, error)
	// Recheck returns the actor's current state, by its session, whatever happened to the token; a *fleet.Refusal means that the
	// session is over.
	Recheck func(ctx context.Context, actor *access.Actor) (*access.Actor, error)
	// Look notes that an actor is about to receive an organization's messages; a super user's look is audited.
	Look func(actor *access.Actor, organizationID string)
	// Origins are the pages that may connect beside those of the request's own host.
	Origins []string
	// Network names where a request comes from (behind trusted proxies); nil = its remote address.
	Network func(*http.Request) string
	// Failed is called with each refusal that is answered over HTTP; may be nil.
	Failed func(r *http.Request, code string)
	// OutOfReach is called with each subscription that is refused; may be nil.
	OutOfReach func(network string)
	// Budget counts what waits for readers; nil = one of the hub's own.
	Budget *budget.Budget
	// Now is the clock sent in pings; nil = time.Now.
	Now func() time.Time
	// ReplayBytes and ReplayFor bound the ring; 0 = the catalog's limits.
	ReplayBytes int
	ReplayFor   time.Duration
	// Log receives what goes wrong; nil = slog.Default().
	Log *slog.Logger
}

// Hub is the room's one object: it takes the bus's frames and gives them to sockets.
type Hub struct {
	opts     Options
	bus      *bus.Bus
	upgrader websocket.Upgrader
	ring     ring
	roster   roster
	counts   counts

	streamsMu sync.RWMutex
	streams   map[string]*stream

	mu       sync.Mutex
	sessions map[string]*session
	perUser  map[string]int // sockets, those being opened included
	draining bool
	empty    chan struct{} // closed when draining and the last socket has gone
	nudges   atomic.Uint64 // of sessions and access: older knowledge is checked again

	checks  chan *session
	stop    chan struct{}
	stops   []func() // of the bus's listeners
	running sync.WaitGroup
	once    sync.Once

	plainOnce sync.Once // a handshake without its Upgrade header has been logged
}

// New makes the hub and joins it to the bus (which may be nil). Without functions in the options it calls the application.
func New(a *app.App, b *bus.Bus, opts Options) *Hub {
	opts = withDefaults(a, opts)
	h := &Hub{
		opts: opts, bus: b,
		upgrader: websocket.Upgrader{
			Subprotocols: subprotocols, EnableCompression: true,
			ReadBufferSize: readerBytes, WriteBufferPool: &sync.Pool{}, HandshakeTimeout: endWithin,
			CheckOrigin: func(*http.Request) bool { return true }, // checked before the token is looked at
		},
		ring:    ring{maxBytes: opts.ReplayBytes, maxAge: opts.ReplayFor},
		streams: map[string]*stream{}, sessions: map[string]*session{}, perUser: map[string]int{},
		empty: make(chan struct{}), checks: make(chan *session, 1024), stop: make(chan struct{}),
	}
	h.stops = []func(){
		b.Frames(h.take), b.OnEndSession(h.endSession), b.OnAccessChanged(h.accessChanged), b.OnLoss(h.lose),
	}
	h.running.Add(2)
	go h.tick()
	go h.checkAll()
	return h
}

// take is the one consumer of the bus: it hands over and returns.
func (h *Hub) take(f bus.Frame) {
	now := time.Now()
	s := h.stream(f.Organization)
	kept, sent := s.take(&f, now)
	if kept != nil {
		h.ring.add(s, kept)
	}
	h.counts.frames.Add(1)
	h.counts.bytes.Add(int64(sent))
}

// stream finds or makes an organization's stream.
func (h *Hub) stream(organizationID string) *stream {
	h.streamsMu.RLock()
	s := h.streams[organizationID]
	h.streamsMu.RUnlock()
	if s != nil {
		return s
	}
	h.streamsMu.Lock()
	defer h.streamsMu.Unlock()
	if s = h.streams[organizationID]; s == nil {
		epoch := ""
		if h.bus.Alone() {
			epoch = h.bus.Epoch()
		}
		s = newStream(organizationID, epoch)
		if epoch != "" {
			s.unheardFor = h.opts.ReplayFor
		}
		h.streams[organizationID] = s
	}
	return s
}

// lose restarts all streams after a loss nobody can measure.
func (h *Hub) lose() {
	h.streamsMu.RLock()
	defer h.streamsMu.RUnlock()
	for _, s := range h.streams {
		s.lose()
	}
}

// handle carries out one command of a client.
func (h *Hub) handle(s *socket, body []byte) {
	c, err := parseCommand(body)
	if err != nil {
		s.end(ReasonInvalidRequest, 0)
		return
	}
	org, ok := parseIdentifier(c.Identifier)
	if c.Command == "unsubscribe" {
		if sub := s.drop(org); sub != nil {
			sub.leave()
		}
		return
	}
	now := time.Now()
	actor := s.session.actor.Load()
	sees := app.Sees(actor, org)
	if !ok || sees == 0 || s.full(org) {
		if h.opts.OutOfReach != nil {
			h.opts.OutOfReach(actor.Network)
		}
		s.push(rejectSubscription(c.Identifier), now)
		return
	}
	h.opts.Look(actor, org)
	if old := s.drop(org); old != nil { // one subscription an organization: the later one counts
		old.leave()
	}
	a := audience{sees: sees, batch: c.Batch, deflate: s.deflate, identifier: c.Identifier}
	sub := h.stream(org).subscribe(s, a, c.History, now)
	s.keep(sub)
	if s.session.actor.Load() != actor { // changed meanwhile: the check has not seen this subscription
		s.end(ReasonAccessChanged, 0)
	}
}

// keep, drop and full keep the socket's list of subscriptions.
func (s *socket) keep(sub *subscription) {
	s.mu.Lock()
	gone := s.gone
	if !gone {
		s.subs = append(s.subs, sub)
	}
	s.mu.Unlock()
	if gone {
		sub.leave()
	}
}

func (s *socket) drop(organizationID string) *subscription {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, sub := range s.subs {
		if sub.stream.organization == organizationID {
			s.subs = append(s.subs[:i:i], s.subs[i+1:]...)
			return sub
		}
	}
	return nil
}

func (s *socket) full(organizationID string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, sub := range s.subs {
		if sub.stream.organization == organizationID {
			return false
		}
	}
	return len(s.subs) >= subsPerSocket
}

// Tell ends every socket: the server restarts, and they reconnect at a time spread over restartJitterMs. It returns when these
// frames are written or ctx ends. New sockets are refused from then on.
func (h *Hub) Tell(ctx context.Context) {
	h.mu.Lock()
	first := !h.draining
	h.draining = true
	all := h.allSockets()
	if first && len(all) == 0 && len(h.perUser) == 0 {
		close(h.empty)
	}
	h.mu.Unlock()
	for _, s := range all {
		s.end(ReasonServerRestart, jitter(restartJitterMs))
	}
	for _, s := range all {
		select {
		case <-s.said:
		case <-ctx.Done():
			return
		}
	}
}

// Drain calls Tell, waits until all have gone or ctx ends, and closes the rest.
func (h *Hub) Drain(ctx context.Context) error {
	h.Tell(ctx)
	var err error
	select {
	case <-h.empty:
	case <-ctx.Done():
		err = ctx.Err()
	}
	h.mu.Lock()
	rest := h.allSockets()
	h.mu.Unlock()
	for _, s := range rest {
		_ = s.wire.Close()
	}
	h.close()
	return err
}

// close stops the hub's own goroutines.
func (h *Hub) close() {
	h.once.Do(func() {
		for _, stop := range h.stops {
			stop()
		}
		close(h.stop)
		h.running.Wait()
	})
}

// now is the server time sent to clients.
func (h *Hub) now() fleet.Instant { return fleet.InstantOf(h.opts.Now()) }
