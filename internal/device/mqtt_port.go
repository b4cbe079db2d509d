package device

import (
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"sync"
	"time"

	"github.com/mochi-mqtt/server/v2/listeners"
)

// mqttPort accepts connections for the broker. The broker's own listeners end at the first connection that they cannot accept, set
// no deadline before a client has connected, and do not survive a packet that makes their reader panic.
type mqttPort struct {
	from   net.Listener
	tls    *tls.Config    // nil on loopback
	attach func(net.Conn) // runs a connection to its end
	left   func(*mqttConn)
	log    *slog.Logger
	hellos chan struct{} // one for each connection that has not authenticated yet

	mu     sync.Mutex
	conns  map[*mqttConn]bool // that have not authenticated yet
	closed bool
}

func newMQTTPort(from net.Listener, tlsConfig *tls.Config, log *slog.Logger, attach func(net.Conn), left func(*mqttConn)) *mqttPort {
	return &mqttPort{from: from, tls: tlsConfig, attach: attach, left: left, log: log,
		hellos: make(chan struct{}, mqttHellos), conns: map[*mqttConn]bool{}}
}

const portID = "mqtt"

// ID, Address, Protocol and Init implement listeners.Listener.
func (p *mqttPort) ID() string              { return portID }
func (p *mqttPort) Address() string         { return p.from.Addr().String() }
func (p *mqttPort) Protocol() string        { return "tcp" }
func (p *mqttPort) Init(*slog.Logger) error { return nil }

// Serve accepts connections until the port is closed. While too many have not authenticated, the next one waits in the system's
// queue: a fleet that comes back after a restart is admitted one after the other.
func (p *mqttPort) Serve(listeners.EstablishFn) {
	for wait := acceptFirst; ; {
		p.hellos <- struct{}{}
		raw, err := p.from.Accept()
		if err != nil {
			<-p.hellos
			if errors.Is(err, net.ErrClosed) {
				return
			}
			p.log.Warn("a connection over MQTT could not be taken", "error", err) // no file descriptors, mostly
			time.Sleep(wait)
			wait = min(2*wait, acceptLongest)
			continue
		}
		wait = acceptFirst
		c := &mqttConn{Conn: raw, port: p}
		if !p.greet(c) {
			continue
		}
		go p.establish(c)
	}
}

// The waits before a connection is taken again after one could not be.
const acceptFirst, acceptLongest = 5 * time.Millisecond, time.Second

// establish runs a connection to its end.
func (p *mqttPort) establish(c *mqttConn) {
	var conn net.Conn = c
	if p.tls != nil {
		conn = tls.Server(c, p.tls)
	}
	defer func() {
		if r := recover(); r != nil {
			p.log.Error("a packet over MQTT could not be read; its connection ended", "error", r)
		}
		_ = conn.Close()
		c.welcome()
		p.left(c)
	}()
	p.attach(conn)
}

// greet gives a new connection its time to authenticate; false when the server stops.
func (p *mqttPort) greet(c *mqttConn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		<-p.hellos
		_ = c.Conn.Close()
		return false
	}
	_ = c.Conn.SetReadDeadline(time.Now().Add(mqttHello.Duration()))
	p.conns[c] = true
	return true
}

// Close implements listeners.Listener: it accepts nothing more, and ends connections that have not authenticated.
func (p *mqttPort) Close(listeners.CloseFn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	_ = p.from.Close()
	for c := range p.conns {
		_ = c.Conn.Close()
	}
}

// mqttConn is a connection whose deadlines are ours.
type mqttConn struct {
	net.Conn
	port *mqttPort
	// One of them, once it has authenticated.
	device   *mqttDevice
	follower *mqttFollower
}

// welcome ends the time of the hello.
func (c *mqttConn) welcome() {
	p := c.port
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.conns[c] {
		delete(p.conns, c)
		<-p.hellos
	}
}

// waiting counts the connections that have not authenticated.
func (p *mqttPort) waiting() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return int64(len(p.conns))
}

// SetDeadline takes the broker's deadline, which follows from the device's keepalive, for reading alone. Until the
// hello it counts for nothing.
func (c *mqttConn) SetDeadline(t time.Time) error {
	c.port.mu.Lock()
	isNew := c.port.conns[c]
	c.port.mu.Unlock()
	if isNew {
		return nil
	}
	return c.Conn.SetReadDeadline(t)
}

// Write gives a device that does not read a few seconds: nobody else is to wait for it, whatever its keepalive is.
func (c *mqttConn) Write(b []byte) (int, error) {
	if err := c.Conn.SetWriteDeadline(time.Now().Add(mqttWrites.Duration())); err != nil {
		return 0, err
	}
	return c.Conn.Write(b)
}

// below is our connection under what the broker has of it.
func below(c net.Conn) *mqttConn {
	if t, ok := c.(*tls.Conn); ok {
		c = t.NetConn()
	}
	own, _ := c.(*mqttConn)
	return own
}
