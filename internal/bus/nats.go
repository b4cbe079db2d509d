package bus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

const (
	// startWithin limits the start of the in-process server.
	startWithin = 10 * time.Second
	// frameBacklogBytes and frameBacklog bound what waits for a node's one consumer.
	// NATS drops beyond them; the hole in the numbers tells.
	frameBacklogBytes = 64 << 20
	frameBacklog      = 1 << 16
)

// nudge is a message that carries no fact: only "look again".
type nudge struct {
	Node           string `json:"node"`
	SessionID      string `json:"session_id,omitempty"`
	UserID         string `json:"user_id,omitempty"`
	OrganizationID string `json:"organization_id,omitempty"`
}

// connect starts the in-process server when no URL is set, and the client.
func (b *Bus) connect() error {
	opts := []nats.Option{
		nats.Name("lightbar"), nats.MaxReconnects(-1),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { b.lost(err) }),
		nats.ReconnectHandler(func(*nats.Conn) { b.lost(errors.New("the connection was interrupted")) }),
		nats.ClosedHandler(func(*nats.Conn) { close(b.closed) }),
	}
	if b.opts.URL == "" {
		s, err := server.NewServer(&server.Options{
			ServerName: "lightbar-" + b.node, DontListen: true, NoLog: true, NoSigs: true, NoSystemAccount: true,
		})
		if err != nil {
			return fmt.Errorf("bus: %w", err)
		}
		s.Start()
		if !s.ReadyForConnections(startWithin) {
			s.Shutdown()
			return errors.New("bus: the in-process server did not start")
		}
		b.server = s
		opts = append(opts, nats.InProcessServer(s))
	}
	conn, err := nats.Connect(b.opts.URL, opts...)
	if err != nil {
		if b.server != nil {
			b.server.Shutdown()
		}
		return fmt.Errorf("bus: connect: %w", err)
	}
	b.conn = conn
	return nil
}

// subscribe makes the node's one consumer of frames and the listeners of nudges.
func (b *Bus) subscribe() error {
	frames, err := b.conn.Subscribe(subjectFramesAll, func(m *nats.Msg) {
		if len(m.Data) > 0 && m.Data[0] == endOfFrames {
			b.sawEnd(string(m.Data[1:]))
			return
		}
		f, err := decodeFrame(m.Data)
		if err != nil {
			b.opts.Log.Error("bus: a frame of an unknown form was ignored", "subject", m.Subject)
			return
		}
		b.frames.each(func(fn func(Frame)) { fn(f) })
	})
	if err == nil {
		err = frames.SetPendingLimits(frameBacklog, frameBacklogBytes)
	}
	if err == nil {
		err = b.onNudge(subjectSessionEnded, func(n nudge) {
			b.sessions.each(func(fn func(string)) { fn(n.SessionID) })
		})
	}
	if err == nil {
		err = b.onNudge(subjectAccessChanged, func(n nudge) {
			b.access.each(func(fn func(string, string)) { fn(n.UserID, n.OrganizationID) })
		})
	}
	if err == nil && b.server == nil {
		err = b.conn.Flush() // others publish: be heard by the cluster before anybody relies on it
	}
	if err != nil {
		return fmt.Errorf("bus: subscribe: %w", err)
	}
	return nil
}

// onNudge listens to nudges of other nodes; this node's own have been delivered directly.
func (b *Bus) onNudge(subject string, fn func(nudge)) error {
	_, err := b.conn.Subscribe(subject, func(m *nats.Msg) {
		var n nudge
		if json.Unmarshal(m.Data, &n) == nil && n.Node != b.node {
			fn(n)
		}
	})
	return err
}

func (b *Bus) nudge(subject string, n nudge) {
	body, err := json.Marshal(n)
	if err == nil {
		err = b.conn.Publish(subject, body)
	}
	if err != nil {
		b.opts.Log.Error("bus: a nudge could not be sent; other nodes learn it at their next check", "subject", subject, "error", err)
	}
}

// lost reports that messages may be missing.
func (b *Bus) lost(err error) {
	b.opts.Log.Warn("bus: messages may be missing; readers fetch again", "error", err)
	b.losses.each(func(fn func()) { fn() })
}

// drain lets the consumer finish what has arrived, then closes. The server keeps
// the order of a publisher, so when this node's last word comes back, everything
// before it has been sent and taken.
func (b *Bus) drain(ctx context.Context) error {
	defer b.shutdown()
	if err := b.conn.Publish(subjectFrames(b.node), append([]byte{endOfFrames}, b.node...)); err != nil {
		return fmt.Errorf("bus: drain: %w", err)
	}
	select {
	case <-b.ended:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// sawEnd takes a node's last word.
func (b *Bus) sawEnd(node string) {
	if node == b.node {
		close(b.ended)
	}
}

func (b *Bus) shutdown() {
	b.conn.Close()
	<-b.closed
	if b.server != nil {
		b.server.Shutdown()
		b.server.WaitForShutdown()
	}
}
