package cable

import (
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"lightbar/internal/budget"
)

const (
	// endWithin limits the write of the last frame, lingerFor the wait for the
	// client's own goodbye: an ended session's socket is gone within 5 s.
	endWithin = 2 * time.Second
	lingerFor = time.Second
	// restartLinger is lingerFor when the server stops: everybody is notified at once then, and a client on a busy machine that
	// reads late would find a reset.
	restartLinger = 5 * time.Second
	// spareItems is the room an idle queue may keep.
	spareItems = 4
)

// item is something to write: whole frames, or a replay that makes them.
type item struct {
	bytes  []byte
	cost   int64 // of the budget: what the socket alone holds
	replay *replay
	at     time.Time // when it was queued
}

// socket is one connection. A goroutine reads; another writes only while there
// is something to write, so that an idle socket costs one.
//
// All writes are whole frames in one Write call on the connection itself: the
// bytes are shared with all sockets of the audience, and the library, which
// answers protocol errors of its own accord, can never land inside a frame.
type socket struct {
	hub     *Hub
	conn    *websocket.Conn // reads
	wire    net.Conn        // writes
	session *session
	deflate bool
	phase   int // of the pings
	slot    int // in the phase, guarded by the roster

	said     chan struct{} // closed when the last frame is written, or cannot be
	saidOnce sync.Once

	mu       sync.Mutex
	queue    []item
	queued   int // bytes in queue and being written
	writing  bool
	ending   bool // nothing more is queued
	gone     bool // the reader has left: the writer closes the connection
	reason   Reason
	hold     *budget.Hold
	subs     []*subscription
	commands int64 // since the last ping
}

// push queues frames of the socket's own.
func (s *socket) push(b []byte, now time.Time) { s.pushShared(b, 1, now) }

// pushShared queues frames that so many sockets share; a queue beyond its bound
// ends the socket as slow, and so does one that no budget is left for. Frames
// that find the queue empty always enter, however large.
func (s *socket) pushShared(b []byte, sockets int, now time.Time) {
	s.mu.Lock()
	if s.ending {
		s.mu.Unlock()
		return
	}
	cost := int64(len(b) / sockets)
	err := s.hold.Take(cost)
	if err != nil {
		cost = 0
	}
	if s.queued > 0 && (err != nil || s.queued+len(b) > queueBytes) {
		s.endLocked(ReasonSlow, 0)
	} else {
		s.queue = append(s.queue, item{bytes: b, cost: cost, at: now})
		s.queued += len(b)
	}
	s.wake()
}

// pushReplay queues a replay. It counts no bytes: its pieces are made as the socket takes them.
func (s *socket) pushReplay(r *replay, now time.Time) {
	s.mu.Lock()
	if s.ending {
		s.mu.Unlock()
		return
	}
	s.queue = append(s.queue, item{replay: r, at: now})
	s.wake()
}

// end sends the client the reason, then closes. Only the first reason counts.
func (s *socket) end(reason Reason, afterMs int64) {
	s.mu.Lock()
	if s.ending {
		s.mu.Unlock()
		return
	}
	s.endLocked(reason, afterMs)
	s.wake()
}

// endLocked queues the last frame; mu is held.
func (s *socket) endLocked(reason Reason, afterMs int64) {
	s.ending, s.reason = true, reason
	if !reason.keepsQueue() {
		s.queue = nil
	}
	s.queue = append(s.queue, item{bytes: disconnectFrame(reason, afterMs)})
	if s.writing { // a write that is stuck must not hold up the end
		_ = s.wire.SetWriteDeadline(time.Now().Add(endWithin))
	}
	s.hub.counts.ended(reason)
}

// wake starts the writer if it does not run, and releases mu.
func (s *socket) wake() {
	start := !s.writing
	s.writing = true
	s.mu.Unlock()
	if start {
		go s.write()
	}
}

// write takes what is queued until nothing is left.
func (s *socket) write() {
	var after time.Time // when the last replay was done: what waited behind it is not old
	var buffers net.Buffers
	for {
		s.mu.Lock()
		if len(s.queue) == 0 {
			if cap(s.queue) > spareItems {
				s.queue = nil
			}
			s.writing = false
			ending, gone := s.ending, s.gone
			s.mu.Unlock()
			if gone {
				_ = s.wire.Close()
			} else if ending {
				s.goodbye()
			}
			return
		}
		batch := s.queue
		s.queue = nil
		ending := s.ending
		s.mu.Unlock()

		err := s.writeBatch(batch, &buffers, &after, ending)
		if errors.Is(err, errOld) {
			s.end(ReasonSlow, 0) // the last frame is written in the next round
			continue
		}
		if err != nil {
			s.abort(err)
			return
		}
		s.written(batch)
	}
}

// written makes room for what has left, and gives a small queue its array back.
func (s *socket) written(batch []item) {
	n, cost := 0, int64(0)
	for i := range batch {
		n += len(batch[i].bytes)
		cost += batch[i].cost
	}
	clear(batch)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queued -= n
	if !s.gone {
		s.hold.Give(cost)
	}
	if s.queue == nil && cap(batch) <= spareItems {
		s.queue = batch[:0]
	}
}

// errOld means that an item waited longer than a queue may be old.
var errOld = errors.New("cable: older than the queue's bound")

// writeBatch writes items in order; frames between two replays leave in one call.
func (s *socket) writeBatch(batch []item, buffers *net.Buffers, after *time.Time, ending bool) error {
	for i := 0; i < len(batch); {
		if r := batch[i].replay; r != nil {
			if err := s.writeReplay(r); err != nil {
				return err
			}
			*after = time.Now()
			i++
			continue
		}
		j := i + 1
		for j < len(batch) && batch[j].replay == nil {
			j++
		}
		deadline, err := deadlineOf(batch[i].at, *after, ending)
		if err != nil {
			return err
		}
		_ = s.wire.SetWriteDeadline(deadline)
		if j == i+1 {
			_, err = s.wire.Write(batch[i].bytes)
		} else {
			b := (*buffers)[:0]
			for _, it := range batch[i:j] {
				b = append(b, it.bytes)
			}
			*buffers = b
			_, err = b.WriteTo(s.wire)
		}
		if err != nil {
			return err
		}
		i = j
	}
	return nil
}

// deadlineOf is when an item must have been written; errOld when that has passed.
func deadlineOf(at, after time.Time, ending bool) (time.Time, error) {
	now := time.Now()
	if ending {
		return now.Add(endWithin), nil
	}
	if at.Before(after) {
		at = after
	}
	deadline := at.Add(queueAge)
	if !deadline.After(now) {
		return deadline, errOld
	}
	return deadline, nil
}

func (s *socket) writeReplay(r *replay) error {
	for i := 0; ; i++ {
		b := r.chunk(i)
		if b == nil {
			return nil
		}
		s.mu.Lock()
		stop := s.ending && !s.reason.keepsQueue()
		s.mu.Unlock()
		if stop {
			return nil
		}
		_ = s.wire.SetWriteDeadline(time.Now().Add(queueAge))
		if _, err := s.wire.Write(b); err != nil {
			return err
		}
	}
}

// abort closes at once: a write failed, perhaps inside a frame. What the kernel still holds is discarded: it would only be old
// positions.
func (s *socket) abort(err error) {
	s.mu.Lock()
	if !s.ending {
		s.ending = true
		if errors.Is(err, os.ErrDeadlineExceeded) {
			s.reason = ReasonSlow
			s.hub.counts.ended(ReasonSlow)
		}
	}
	s.queue, s.writing = nil, false
	s.mu.Unlock()
	if c := tcpOf(s.wire); c != nil {
		_ = c.SetLinger(0)
	}
	_ = s.wire.Close()
}

// goodbye closes our side after the last frame and leaves the client a moment to
// close its own, so that the last frame is not lost to a reset.
func (s *socket) goodbye() {
	defer s.saidOnce.Do(func() { close(s.said) })
	if c, ok := s.wire.(interface{ CloseWrite() error }); ok {
		_ = c.CloseWrite()
	}
	linger := lingerFor
	if s.reason == ReasonServerRestart {
		linger = restartLinger
	}
	_ = s.wire.SetReadDeadline(time.Now().Add(linger))
}

// read serves the client's commands until the connection ends.
func (s *socket) read() {
	defer s.hub.forget(s)
	s.conn.SetReadLimit(int64(readBytes))
	s.conn.SetPingHandler(s.onPing)
	s.conn.SetPongHandler(func(string) error { s.heard(); return nil })
	s.conn.SetCloseHandler(s.onClose)
	s.heard()
	for {
		kind, r, err := s.conn.NextReader()
		if err != nil {
			return
		}
		body, err := readAll(r)
		if err != nil && !errors.Is(err, errTooLarge) {
			return
		}
		s.heard()
		if kind != websocket.TextMessage || err != nil || !s.spend() {
			s.end(ReasonInvalidRequest, 0)
			continue
		}
		s.hub.handle(s, body)
	}
}

var errTooLarge = errors.New("cable: message too large")

// readAll reads a message; the bound holds for what compression unfolds, too.
func readAll(r io.Reader) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(r, int64(readBytes)+1))
	if err == nil && len(b) > readBytes {
		err = errTooLarge
	}
	return b, err
}

// heard notes a sign of life: a client that is silent for so long, without even the pongs that every library sends by itself, is
// gone.
func (s *socket) heard() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.ending {
		_ = s.wire.SetReadDeadline(time.Now().Add(silentAfter))
	}
}

// spend counts a command; false when there are too many between two pings.
func (s *socket) spend() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.commands++
	return s.commands <= commandsPerPing
}

func (s *socket) onPing(data string) error {
	s.heard()
	if !s.spend() {
		s.end(ReasonInvalidRequest, 0)
		return nil
	}
	s.push(appendFrame(nil, frameFinal|websocket.PongMessage, []byte(data)), time.Now())
	return nil
}

// onClose answers the client's closing frame with the same code.
func (s *socket) onClose(code int, _ string) error {
	s.mu.Lock()
	if s.ending {
		s.mu.Unlock()
		return nil
	}
	s.ending = true
	s.queue = []item{{bytes: appendFrame(nil, frameFinal|websocket.CloseMessage, websocket.FormatCloseMessage(code, ""))}}
	s.wake()
	return nil
}

// leave ends the connection when the reader is done: at once, or as soon as the
// writer has finished its last frame.
func (s *socket) leave() []*subscription {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ending, s.gone = true, true
	s.saidOnce.Do(func() { close(s.said) })
	if s.writing {
		_ = s.wire.SetWriteDeadline(time.Now().Add(lingerFor))
	} else {
		_ = s.wire.Close()
	}
	s.hold.Close()
	subs := s.subs
	s.subs = nil
	return subs
}

// tcpOf finds the TCP connection below TLS; nil when there is none.
func tcpOf(c net.Conn) *net.TCPConn {
	if t, ok := c.(interface{ NetConn() net.Conn }); ok {
		c = t.NetConn()
	}
	tcp, _ := c.(*net.TCPConn)
	return tcp
}
