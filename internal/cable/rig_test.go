package cable

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"
	"go.uber.org/goleak"

	"lightbar/internal/access"
	"lightbar/internal/bus"
	"lightbar/internal/fleet"
)

func TestMain(m *testing.M) {
	if os.Getenv(benchChildVariable) != "" {
		benchChild(os.Getenv(benchChildVariable))
		return
	}
	goleak.VerifyTestMain(m)
}

const (
	orgA = "01900000-0000-7000-8000-00000000000a"
	orgB = "01900000-0000-7000-8000-00000000000b"
	orgX = "01900000-0000-7000-8000-00000000000f" // in nobody's reach
)

// directory is the application as the hub sees it: tokens and what became of their sessions.
type directory struct {
	mu     sync.Mutex
	tokens map[string]*access.Actor // by access token
	now    map[string]*access.Actor // by session; nil = over
	broken bool                     // the database cannot be asked
	checks int
}

func newDirectory() *directory {
	return &directory{tokens: map[string]*access.Actor{}, now: map[string]*access.Actor{}}
}

// actor makes somebody of a role who reaches orgA in full and orgB for reading.
func actor(user, session string, permissions ...string) *access.Actor {
	a := &access.Actor{UserID: user, SessionID: session, OrganizationID: orgA, Permissions: map[string]bool{},
		Organizations: map[string]access.Reach{orgA: access.Full, orgB: access.Read}}
	for _, p := range permissions {
		a.Permissions[p] = true
	}
	return a
}

func (d *directory) set(token string, a *access.Actor) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.tokens[token], d.now[a.SessionID] = a, a
}

func (d *directory) end(session string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.now[session] = nil
}

func (d *directory) change(session string, change func(*access.Actor)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	a := *d.now[session]
	change(&a)
	d.now[session] = &a
}

var errBroken = errors.New("the database is away")

func (d *directory) authenticate(_ context.Context, token, _ string) (*access.Actor, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.broken {
		return nil, errBroken
	}
	a := d.tokens[token]
	if a == nil || d.now[a.SessionID] == nil {
		return nil, fleet.Refuse("invalid_token", "", "Access token is expired or does not exist.")
	}
	return d.now[a.SessionID], nil
}

func (d *directory) recheck(_ context.Context, a *access.Actor) (*access.Actor, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.checks++
	if d.broken {
		return nil, errBroken
	}
	if now := d.now[a.SessionID]; now != nil {
		return now, nil
	}
	return nil, fleet.Refuse("invalid_token", "", "Access token is expired or does not exist.")
}

// rig is a bus, a hub and an HTTP server on pipes: no network, and time that tests may own.
type rig struct {
	t        *testing.T
	dir      *directory
	bus      *bus.Bus
	hub      *Hub
	server   *http.Server
	listener *pipeListener
	served   chan struct{}
	closed   bool
}

// Tokens of the rig: viewer sees all, driver things only, guest nothing at all.
func newRig(t *testing.T, change func(*Options)) *rig {
	t.Helper()
	b, err := bus.Open(bus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{t: t, dir: newDirectory(), bus: b, listener: newPipeListener(), served: make(chan struct{})}
	r.dir.set("viewer-token", actor("viewer", "s-viewer", "thing:read", "incident:read", "closure:read"))
	r.dir.set("driver-token", actor("driver", "s-driver", "thing:read"))
	r.dir.set("guest-token", actor("guest", "s-guest"))
	opts := Options{Authenticate: r.dir.authenticate, Recheck: r.dir.recheck, Origins: []string{"https://lightbar.example"}}
	if change != nil {
		change(&opts)
	}
	r.hub = New(nil, b, opts)
	r.server = &http.Server{Handler: r.hub}
	go func() {
		defer close(r.served)
		_ = r.server.Serve(r.listener)
	}()
	return r
}

// close drains and stops everything.
func (r *rig) close() {
	r.t.Helper()
	if r.closed {
		return
	}
	r.closed = true
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := r.hub.Drain(ctx); err != nil {
		r.t.Errorf("drain: %v", err)
	}
	_ = r.server.Close()
	<-r.served
	if err := r.bus.Close(ctx); err != nil {
		r.t.Errorf("bus: %v", err)
	}
}

// publish hands the bus one event of a type about a key.
func (r *rig) publish(t fleet.MessageType, key string, n int, orgs ...string) {
	r.bus.Publish([]fleet.Message{{Type: t, Key: key, At: fleet.Instant(n), Audience: orgs,
		Body: fmt.Appendf(nil, `{"type":%q,"id":%q,"n":%d}`, t, key, n)}})
}

// flush waits until the waiting events have become a frame and everybody has read it.
func (r *rig) flush() {
	time.Sleep(260 * time.Millisecond)
	synctest.Wait()
}

// client is one socket's other end; a goroutine reads into lines.
type client struct {
	conn *websocket.Conn
	pipe net.Conn
	done chan struct{}

	mu    sync.Mutex
	lines []string // frames since the last look, pings left out
	pings []string
	all   []string
}

type dialing struct {
	token    string
	origin   string
	header   http.Header
	deflate  bool
	deaf     bool // never reads
	silent   bool // reads, but answers no pings
	protocol []string
}

// dial opens a socket; the response tells why when that fails.
func (r *rig) dial(d dialing) (*client, *http.Response, error) {
	h := http.Header{}
	for k, v := range d.header {
		h[k] = v
	}
	if d.origin != "" {
		h.Set("Origin", d.origin)
	}
	c := &client{done: make(chan struct{})}
	protocols := d.protocol
	if protocols == nil {
		protocols = []string{"datapumper", d.token}
	}
	dialer := websocket.Dialer{Subprotocols: protocols, EnableCompression: d.deflate,
		NetDialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			var err error
			c.pipe, err = r.listener.dial(ctx)
			return c.pipe, err
		}}
	conn, response, err := dialer.Dial("ws://lightbar.local:8080/cable", h)
	if err != nil {
		return nil, response, err
	}
	c.conn = conn
	if d.silent {
		conn.SetPingHandler(func(string) error { return nil })
	}
	if d.deaf {
		close(c.done)
	} else {
		go c.read()
	}
	return c, response, nil
}

func (r *rig) mustDial(token string) *client {
	r.t.Helper()
	c, _, err := r.dial(dialing{token: token})
	if err != nil {
		r.t.Fatal(err)
	}
	return c
}

func (c *client) read() {
	defer close(c.done)
	defer c.conn.Close()
	for {
		_, b, err := c.conn.ReadMessage()
		c.mu.Lock()
		if err != nil {
			var end *websocket.CloseError
			if errors.As(err, &end) && end.Code != websocket.CloseAbnormalClosure {
				c.lines = append(c.lines, fmt.Sprintf("closed %d %s", end.Code, end.Text))
			} else {
				c.lines = append(c.lines, "cut")
			}
			c.mu.Unlock()
			return
		}
		line := string(b)
		if strings.HasPrefix(line, `{"type":"ping"`) {
			c.pings = append(c.pings, line)
		} else {
			c.lines = append(c.lines, line)
		}
		c.all = append(c.all, line)
		c.mu.Unlock()
	}
}

// take answers the frames since the last look.
func (c *client) take() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	lines := c.lines
	c.lines = nil
	return lines
}

func (c *client) send(t *testing.T, text string) {
	t.Helper()
	if err := c.conn.WriteMessage(websocket.TextMessage, []byte(text)); err != nil {
		t.Fatalf("send: %v", err)
	}
}

func identifierOf(org string) string {
	return `{"channel":"EventsChannel","organization_id":"` + org + `"}`
}

// subscribeTo is the command; more is appended inside the object.
func subscribeTo(org, more string) string {
	return `{"command":"subscribe","identifier":` + quote(identifierOf(org)) + more + `}`
}

func (c *client) subscribe(t *testing.T, org, more string) {
	t.Helper()
	c.send(t, subscribeTo(org, more))
}

// pipeListener accepts in-memory connections.
type pipeListener struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func newPipeListener() *pipeListener {
	return &pipeListener{conns: make(chan net.Conn), closed: make(chan struct{})}
}

func (l *pipeListener) dial(ctx context.Context) (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case l.conns <- far:
		return near, nil
	case <-l.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error   { l.once.Do(func() { close(l.closed) }); return nil }
func (l *pipeListener) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1} }
