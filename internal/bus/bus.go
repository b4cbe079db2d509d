// Package bus carries live messages and nudges between the rooms of a node and,
// for scale, between nodes. It is never the only copy of anything and can be
// wiped at any moment.
package bus

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"lightbar/catalog"
	"lightbar/internal/fleet"
)

// frameEvery is how long messages wait for company: one frame an organization and period.
var frameEvery = catalog.LimitMs("stream", "frameMs")

// Options say how a bus runs. The zero value is the default: in process, no listener.
type Options struct {
	// URL names an external NATS server or cluster; empty runs one in this process without a listener.
	URL string
	// Ticks replaces the clock of the frames: one frame for each tick. nil = every stream.frameMs.
	Ticks <-chan time.Time
	// Now is the clock that stamps frames; nil = time.Now.
	Now func() time.Time
	// Log receives what goes wrong; nil = slog.Default().
	Log *slog.Logger
}

// Bus takes committed messages and hands out frames. A nil or zero Bus takes
// everything and does nothing, so that rooms can run without one.
type Bus struct {
	epoch   string
	node    string
	opts    Options
	server  *server.Server // nil with an external cluster
	conn    *nats.Conn
	ended   chan struct{} // closed when this node's last word has come back
	closed  chan struct{} // closed when the connection is
	pending coalescer
	flushMu sync.Mutex // one flush at a time: frames leave in the order of their numbers
	stop    chan struct{}
	stopped sync.WaitGroup
	once    sync.Once

	frames   listeners[func(Frame)]
	sessions listeners[func(sessionID string)]
	access   listeners[func(userID, organizationID string)]
	losses   listeners[func()]
}

// Open starts the in-process server or connects to the cluster.
func Open(opts Options) (*Bus, error) {
	if opts.Now == nil {
		opts.Now = time.Now
	}
	if opts.Log == nil {
		opts.Log = slog.Default()
	}
	b := &Bus{epoch: randomID(), node: randomID(), opts: opts, stop: make(chan struct{}),
		ended: make(chan struct{}), closed: make(chan struct{})}
	b.pending.init()
	if err := b.connect(); err != nil {
		return nil, err
	}
	if err := b.subscribe(); err != nil {
		b.shutdown()
		return nil, err
	}
	b.stopped.Add(1)
	go b.run()
	return b, nil
}

// Epoch names this process as a publisher: random at every start. Offsets
// compare only within an epoch.
func (b *Bus) Epoch() string {
	if b == nil {
		return ""
	}
	return b.epoch
}

// Alone tells that no other node can publish: an organization this process has
// not yet published for stands at offset 0 of Epoch.
func (b *Bus) Alone() bool { return b != nil && b.server != nil }

// Publish takes messages after their commit. It never blocks on readers. The
// bodies belong to the bus from then on and must not be changed.
func (b *Bus) Publish(messages []fleet.Message) {
	if b == nil || b.conn == nil || len(messages) == 0 {
		return
	}
	if dropped := b.pending.add(messages); dropped {
		b.opts.Log.Error("bus: messages waiting for a frame exceed the bound; readers fetch again", "boundBytes", pendingBound)
	}
}

// EndSession tells every node that a session's family has ended: its sockets close.
func (b *Bus) EndSession(sessionID string) {
	if b == nil || b.conn == nil {
		return
	}
	b.sessions.each(func(fn func(string)) { fn(sessionID) })
	b.nudge(subjectSessionEnded, nudge{Node: b.node, SessionID: sessionID})
}

// AccessChanged tells every node that a user's permissions or reach, or those
// of everybody in an organization, may have changed: sockets check again.
// Either id may be empty.
func (b *Bus) AccessChanged(userID, organizationID string) {
	if b == nil || b.conn == nil {
		return
	}
	b.access.each(func(fn func(string, string)) { fn(userID, organizationID) })
	b.nudge(subjectAccessChanged, nudge{Node: b.node, UserID: userID, OrganizationID: organizationID})
}

// Frames calls fn for every frame of every publisher, one at a time and in the
// order of each organization's numbers. fn must not block. stop ends it.
func (b *Bus) Frames(fn func(Frame)) (stop func()) {
	if b == nil {
		return func() {}
	}
	return b.frames.add(fn)
}

// OnEndSession calls fn for every ended session, on every node; fn must not
// block and may be called from any goroutine.
func (b *Bus) OnEndSession(fn func(sessionID string)) (stop func()) {
	if b == nil {
		return func() {}
	}
	return b.sessions.add(fn)
}

// OnAccessChanged calls fn for every AccessChanged, on every node; fn must not block.
func (b *Bus) OnAccessChanged(fn func(userID, organizationID string)) (stop func()) {
	if b == nil {
		return func() {}
	}
	return b.access.add(fn)
}

// OnLoss calls fn when the connection to the cluster dropped messages without
// saying which: every stream of this node may have a hole. fn must not block.
func (b *Bus) OnLoss(fn func()) (stop func()) {
	if b == nil {
		return func() {}
	}
	return b.losses.add(fn)
}

// Close sends what waits, lets the listeners finish what has arrived and stops.
// It answers the context's error when that took too long.
func (b *Bus) Close(ctx context.Context) error {
	if b == nil || b.conn == nil {
		return nil
	}
	var err error
	b.once.Do(func() {
		close(b.stop)
		b.stopped.Wait()
		b.flush()
		err = b.drain(ctx)
	})
	return err
}

// run flushes at every tick until Close.
func (b *Bus) run() {
	defer b.stopped.Done()
	ticks := b.opts.Ticks
	if ticks == nil {
		t := time.NewTicker(frameEvery)
		defer t.Stop()
		ticks = t.C
	}
	for {
		select {
		case <-b.stop:
			return
		case <-ticks:
			b.flush()
		}
	}
}

// flush turns what waits into frames and sends them.
func (b *Bus) flush() {
	b.flushMu.Lock()
	defer b.flushMu.Unlock()
	frames, tooLarge := b.pending.take(b.epoch, fleet.InstantOf(b.opts.Now()))
	if tooLarge > 0 {
		b.opts.Log.Error("bus: messages above the payload bound were left out; readers fetch again", "messages", tooLarge)
	}
	for i := range frames {
		if err := b.conn.Publish(subjectFrames(frames[i].Organization), frames[i].encode()); err != nil {
			b.opts.Log.Error("bus: a frame could not be sent; readers fetch again", "error", err)
		}
	}
}

// randomID is 96 random bits as text.
func randomID() string {
	var b [12]byte
	if _, err := rand.Read(b[:]); err != nil {
		panic(fmt.Sprintf("bus: no randomness: %v", err))
	}
	return hex.EncodeToString(b[:])
}

// listeners is a set of callbacks read far more often than changed.
type listeners[F any] struct {
	mu  sync.RWMutex
	fns map[int]F
	n   int
}

func (l *listeners[F]) add(fn F) (stop func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.fns == nil {
		l.fns = map[int]F{}
	}
	id := l.n
	l.n++
	l.fns[id] = fn
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.fns, id)
	}
}

func (l *listeners[F]) each(call func(F)) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	for _, fn := range l.fns {
		call(fn)
	}
}
