package cable

import (
	"sync"
	"time"

	"lightbar/internal/bus"
)

// stream is one organization's messages on this node: the ring for resumes and
// the subscriptions, gathered by audience. Under mu both change together, so
// that a subscription sees every message once: from the ring, or live.
type stream struct {
	id           string
	organization string

	mu      sync.Mutex
	epoch   string // of the publisher; empty until one is known
	next    uint64 // offset of the next message
	entries []*entry
	groups  map[audience]*group
	// unheardFor is how long frames are stored after the last listener left; 0 = always, as listeners on another node may come back
	// to this one.
	unheardFor time.Duration
	heardAt    time.Time             // when the last subscription left
	replays    map[replayKey]*replay // of the current end; removed at the next frame, and when the ring is trimmed
}

// group is the subscriptions of one audience.
type group struct {
	audience audience
	subs     []*subscription
}

// subscription is one socket's part in a stream.
type subscription struct {
	socket *socket
	stream *stream
	group  *group
	slot   int // index in group.subs, guarded by stream.mu
}

// replaysKept bounds the replays that a stream shares: in a quiet organization no
// frame would end them.
const replaysKept = 4

type replayKey struct {
	audience audience
	from     uint64
}

// streamID names an organization's stream on the wire.
func streamID(organizationID string) string { return "events/" + organizationID }

func newStream(organizationID, epoch string) *stream {
	s := &stream{id: streamID(organizationID), organization: organizationID, epoch: epoch, groups: map[audience]*group{}}
	if epoch != "" {
		s.next = 1
	}
	return s
}

// take stores a frame and passes it to the subscriptions. It returns the entry to count in the node's ring (nil for a mark) and the
// bytes handed out. A frame that does not follow the last one restarts the stream: what was before cannot be resumed, and listeners
// are disconnected so that they fetch again.
func (s *stream) take(f *bus.Frame, now time.Time) (kept *entry, sent int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if f.Epoch == s.epoch && f.Next() <= s.next && len(f.Items) > 0 {
		return nil, 0 // already seen
	}
	if f.Epoch != s.epoch || f.First != s.next {
		s.restart(f.Epoch, f.First)
	}
	if len(f.Items) == 0 {
		return nil, 0
	}
	if len(s.groups) == 0 && s.unheardFor > 0 && now.Sub(s.heardAt) > s.unheardFor {
		s.entries, s.next, s.replays = nil, f.Next(), nil // nobody can come back to it
		return nil, 0
	}
	e := &entry{first: f.First, items: f.Items, size: sizeOf(f), at: now}
	s.entries = append(s.entries, e)
	s.next = f.Next()
	s.replays = nil
	spans := []span{{first: f.First, items: f.Items}}
	for _, g := range s.groups {
		b := g.audience.appendData(nil, s.id, s.epoch, spans)
		if len(b) == 0 {
			continue
		}
		for _, sub := range g.subs {
			sub.socket.pushShared(b, len(g.subs), now)
		}
		sent += len(b) * len(g.subs)
	}
	return e, sent
}

// restart begins at another epoch or behind a hole; mu is held. Listeners from before any epoch was known have missed nothing and
// stay.
func (s *stream) restart(epoch string, next uint64) {
	known := s.epoch != ""
	s.epoch, s.next, s.entries, s.replays = epoch, next, nil, nil
	if !known {
		return
	}
	for _, g := range s.groups {
		for _, sub := range g.subs {
			sub.socket.end(ReasonGap, 0)
		}
	}
}

// lose clears the ring because messages may be missing, and disconnects everybody so that they fetch again.
func (s *stream) lose() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.restart("", 0)
}

// forget drops the oldest entry if it is e.
func (s *stream) forget(e *entry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.replays = nil // they hold what the ring lets go of
	if len(s.entries) > 0 && s.entries[0] == e {
		s.entries[0] = nil
		s.entries = s.entries[1:]
	}
}

// subscribe registers the socket and queues the confirmation, what it missed since h, and whether that history is complete or
// cannot be given. All of it is in the queue before any later message.
func (s *stream) subscribe(sock *socket, a audience, h *History, now time.Time) *subscription {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.groups[a]
	if g == nil {
		g = &group{audience: a}
		s.groups[a] = g
	}
	sub := &subscription{socket: sock, stream: s, group: g, slot: len(g.subs)}
	g.subs = append(g.subs, sub)

	var at CurrentPosition
	if s.epoch != "" {
		last := s.next - 1
		at = CurrentPosition{StreamID: s.id, Epoch: s.epoch, Offset: &last}
	}
	sock.push(confirmSubscription(a.identifier, at), now)
	if h == nil {
		return sub
	}
	from := h.position(s.id)
	missed, ok := s.since(from)
	if !ok {
		sock.push(rejectHistory(a.identifier, at), now)
		return sub
	}
	if len(missed) > 0 {
		sock.pushReplay(s.replayOf(a, from.Offset+1, missed), now)
	}
	sock.push(confirmHistory(a.identifier), now)
	return sub
}

// since returns the entries with messages after p, false when the ring does not reach back so far, or when they are more than a
// socket should carry; mu is held.
func (s *stream) since(p StreamPosition) ([]*entry, bool) {
	if s.epoch == "" || p.Epoch != s.epoch || p.Offset >= s.next {
		return nil, false
	}
	floor := s.next
	if len(s.entries) > 0 {
		floor = s.entries[0].first
	}
	if p.Offset+1 < floor {
		return nil, false
	}
	from, size := len(s.entries), 0
	for from > 0 && s.entries[from-1].next() > p.Offset+1 {
		from--
		if size += s.entries[from].size; size > replaySocketBytes {
			return nil, false
		}
	}
	return append([]*entry(nil), s.entries[from:]...), true
}

// replayOf shares the replay of sockets that come back to the same place; mu is held.
func (s *stream) replayOf(a audience, from uint64, entries []*entry) *replay {
	k := replayKey{a, from}
	r := s.replays[k]
	if r == nil {
		r = &replay{audience: a, streamID: s.id, epoch: s.epoch, entries: entries, from: from}
		if s.replays == nil || len(s.replays) >= replaysKept {
			s.replays = map[replayKey]*replay{}
		}
		s.replays[k] = r
	}
	return r
}

// leave takes the subscription out; doing it twice is harmless.
func (sub *subscription) leave() {
	s := sub.stream
	s.mu.Lock()
	defer s.mu.Unlock()
	g := sub.group
	if sub.slot < 0 {
		return
	}
	last := len(g.subs) - 1
	g.subs[sub.slot] = g.subs[last]
	g.subs[sub.slot].slot = sub.slot
	g.subs[last] = nil
	g.subs = g.subs[:last]
	sub.slot = -1
	if len(g.subs) == 0 {
		delete(s.groups, g.audience)
		s.heardAt = time.Now()
	}
}
