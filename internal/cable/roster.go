package cable

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"
)

// phases spread the pings: a twelfth of the sockets every 250 ms instead of all at once.
const phases = 12

// probeEvery is how many pings lie between two of WebSocket's own, which every
// client library answers by itself: so a vanished client is noticed.
const probeEvery = 10

// roster holds the open sockets by the phase of their pings.
type roster struct {
	mu     sync.Mutex
	phases [phases][]*socket
	turn   int
}

func (r *roster) add(s *socket) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s.phase = r.turn % phases
	r.turn++
	s.slot = len(r.phases[s.phase])
	r.phases[s.phase] = append(r.phases[s.phase], s)
}

func (r *roster) remove(s *socket) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.phases[s.phase]
	last := len(p) - 1
	p[s.slot] = p[last]
	p[s.slot].slot = s.slot
	p[last] = nil
	r.phases[s.phase] = p[:last]
}

// of returns the sockets of a phase.
func (r *roster) of(phase int) []*socket {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]*socket(nil), r.phases[phase]...)
}

// tick sends pings, requests due checks and expires the ring.
func (h *Hub) tick() {
	defer h.running.Done()
	t := time.NewTicker(pingEvery / phases)
	defer t.Stop()
	for n := 0; ; n++ {
		select {
		case <-h.stop:
			return
		case now := <-t.C:
			h.ping(n%phases, (n/phases)%probeEvery == probeEvery-1, now)
			if n%phases == 0 {
				h.ring.expire(now)
				h.askDue(now)
			}
		}
	}
}

// ping sends the sockets of a phase the server's time; probe requests a pong, too.
func (h *Hub) ping(phase int, probe bool, now time.Time) {
	sockets := h.roster.of(phase)
	if len(sockets) == 0 {
		return
	}
	b := pingFrame(h.now())
	if probe {
		b = appendFrame(b, frameFinal|websocket.PingMessage, nil)
	}
	for _, s := range sockets {
		s.mu.Lock()
		s.commands = 0
		s.mu.Unlock()
		s.push(b, now)
	}
}

// jitter is a random number of milliseconds from 0 to limit.
func jitter(limit int64) int64 { return rand.Int64N(limit + 1) }

// counts are the hub's figures since its start.
type counts struct {
	sockets, frames, bytes atomic.Int64
	mu                     sync.Mutex
	ends                   map[Reason]int64
}

func (c *counts) ended(r Reason) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ends == nil {
		c.ends = map[Reason]int64{}
	}
	c.ends[r]++
}

// Stats are the hub's figures: sockets open now, sessions and streams known,
// bytes the ring holds; frames taken and bytes handed to sockets since the
// start; and how often sockets were ended for which reason.
type Stats struct {
	Sockets, Sessions, Streams, RingBytes int
	Frames, Bytes                         int64
	Ends                                  map[Reason]int64
}

// Stats returns the current figures.
func (h *Hub) Stats() Stats {
	st := Stats{
		Sockets: int(h.counts.sockets.Load()), RingBytes: h.ring.size(),
		Frames: h.counts.frames.Load(), Bytes: h.counts.bytes.Load(), Ends: map[Reason]int64{},
	}
	h.mu.Lock()
	st.Sessions = len(h.sessions)
	h.mu.Unlock()
	h.streamsMu.RLock()
	st.Streams = len(h.streams)
	h.streamsMu.RUnlock()
	h.counts.mu.Lock()
	defer h.counts.mu.Unlock()
	for r, n := range h.counts.ends {
		st.Ends[r] = n
	}
	return st
}
