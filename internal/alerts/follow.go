package alerts

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"lightbar/catalog"
	"lightbar/internal/feed"
	"lightbar/internal/fleet"
)

var headingWithin = catalog.Limit("alerts", "headingWithin")

// Circle is the part of the world that a follower wants to know of.
type Circle struct{ Lat, Lng, RadiusM float64 }

// Request is a follower's request. Its position is not stored beyond the follower's own time.
type Request struct {
	OrganizationID string
	KeyID          string // that lets it in; empty = none is needed
	Address        string // of its client, for limits
	Circle         *Circle
	Heading        *float64 // only alerts of traffic that goes this way, degrees; nil = all
	LastEventID    string   // of the last event that it has; empty = none
}

// concerns reports whether a follower wants to know of an alert.
func (r *Request) concerns(a *feed.Alert) bool {
	if r.Heading != nil && a.Bearing != nil && math.Abs(math.Remainder(*r.Heading-*a.Bearing, 360)) > headingWithin {
		return false
	}
	switch c := r.Circle; {
	case c == nil:
		return true
	case len(a.Line) > 0:
		return fleet.DistanceFromLineM(c.Lat, c.Lng, a.Line) <= c.RadiusM
	default:
		return fleet.DistanceM(c.Lat, c.Lng, a.Lat, a.Lng) <= c.RadiusM
	}
}

// seat is a follower's place at a board, and how far it has read there.
type seat struct {
	request  Request
	board    *board
	audience *audience
	next     uint64
}

// Follower reads one board, from its position.
type Follower struct {
	seat
	isPart bool // it follows a part of the organization
	// For followers of a part: the alerts that they were sent, by number.
	knows map[uint64]struct{}
	out   []byte
}

var (
	// ErrSlow is the end of a follower who does not keep up.
	ErrSlow = errors.New("alerts: the reader is too slow")
	// ErrOver is the end of a follower whom nothing was wrong with: the server stops, or its key counts no longer.
	ErrOver = errors.New("alerts: over")
)

// Join takes a place for a follower; Run gives it back. Refusals: busy, rate_limited.
func (h *Hub) Join(ctx context.Context, r Request) (*Follower, error) {
	s, err := h.sit(ctx, r)
	if err != nil {
		return nil, err
	}
	return &Follower{seat: s, isPart: r.Circle != nil || r.Heading != nil}, nil
}

// sit takes a place, and waits until the board shows what is.
func (h *Hub) sit(ctx context.Context, r Request) (seat, error) {
	b, err := h.enter(r.OrganizationID, r.Address)
	if err != nil {
		return seat{}, err
	}
	s := seat{request: r, board: b, audience: b.join(r.KeyID)}
	select {
	case <-b.begun:
		return s, nil
	case <-h.stop:
		err = &fleet.Refusal{Code: "busy", RetryAfterS: retryLater}
	case <-time.After(retryStore):
		err = &fleet.Refusal{Code: "busy", RetryAfterS: retryLater} // its closures cannot be read: no stream is better than half of one
	case <-ctx.Done():
		err = ctx.Err()
	}
	s.leave()
	return seat{}, err
}

func (s *seat) leave() {
	s.board.part(s.request.KeyID, s.audience)
	s.board.hub.leave(s.board, s.request.Address)
}

// news are the batches that the follower has not read; the board's mu is held.
func (s *seat) news() ([]*batch, error) {
	if s.next < s.board.first {
		return nil, ErrSlow
	}
	out := s.board.log[s.next-s.board.first:]
	s.next += uint64(len(out))
	return out, nil
}

// Run hands events to send, which writes and flushes them, until ctx ends, send
// fails, the reader falls behind, or the server stops.
func (f *Follower) Run(ctx context.Context, send func([]byte) error) error {
	defer f.leave()
	h := f.board.hub
	put := func(out []byte) error {
		h.counts.bytes.Add(int64(len(out)))
		return send(out)
	}
	if err := put(f.begin()); err != nil {
		return err
	}
	f.out = nil // the first was much larger than what follows
	quiet := time.NewTimer(keepalive)
	defer quiet.Stop()
	for {
		out, changed, err := f.read()
		if err != nil {
			h.counts.slow.Add(1)
			return err
		}
		if len(out) > 0 {
			if err := put(out); err != nil {
				return err
			}
			quiet.Reset(keepalive)
			continue // there may be more by now
		}
		select {
		case <-changed:
		case <-quiet.C:
			if err := put([]byte(":\n\n")); err != nil {
				return err
			}
			quiet.Reset(keepalive)
		case <-ctx.Done():
			return ctx.Err()
		case <-f.audience.ended:
			return ErrOver
		case <-h.stop:
			_ = put([]byte("retry: " + strconv.FormatInt(1+rand.Int64N(restartJitter), 10) + "\n\n")) // it has gone if this fails
			return ErrOver
		}
	}
}

// begin is what a follower reads first: hello, what it does not know yet, ready.
func (f *Follower) begin() []byte {
	b := f.board
	b.mu.Lock()
	defer b.mu.Unlock()
	f.next = b.first + uint64(len(b.log))
	retry := strconv.FormatInt(retryMs, 10)
	out := append([]byte("retry: "+retry+"\nevent: hello\ndata: {\"server_time\":\""), feed.Moment(b.hub.now())...)
	out = append(out, "\",\"retry_ms\":"+retry+"}\n\n"...)
	if f.isPart {
		f.knows = map[uint64]struct{}{}
	}
	if seq, ok := b.resumes(f.request.LastEventID); ok {
		out = f.resume(out, seq)
	} else {
		if f.request.LastEventID != "" {
			out = append(out, "event: reset\nid:\ndata: {}\n\n"...) // what came before is void, its id too
		}
		out = f.everything(out)
	}
	return append(appendHead(out, "ready", b.epoch, b.seq), "{}\n\n"...)
}

// resumes reports whether the log still has all that came after an event.
func (b *board) resumes(lastEventID string) (seq uint64, ok bool) {
	epoch, seq, ok := parseEventID(lastEventID)
	if !ok || epoch != b.epoch || seq > b.seq {
		return 0, false
	}
	return seq, seq == b.seq || len(b.log) > 0 && seq+1 >= b.log[0].first
}

// resume appends what came after an event. A follower of a part was sent what was within it then; for what is not within it now it
// gets "gone", whether it knew of it or not.
func (f *Follower) resume(out []byte, seq uint64) []byte {
	b := f.board
	if f.isPart {
		for _, it := range b.items {
			if it.seq <= seq && f.request.concerns(&it.alert) {
				f.knows[it.no] = struct{}{}
			}
		}
	}
	for _, batch := range b.log {
		for i := range batch.events {
			e, at := &batch.events[i], batch.first+uint64(i)
			if at <= seq {
				continue
			}
			if f.isPart && e.alert != nil && !f.request.concerns(e.alert) {
				delete(f.knows, e.no)
				out = appendGone(out, b.epoch, at, e.id)
				continue
			}
			if f.isPart && !e.gone {
				f.knows[e.no] = struct{}{}
			} else {
				delete(f.knows, e.no)
			}
			out = append(out, batch.bytes[e.from:e.to]...)
		}
	}
	return out
}

// everything appends all active alerts, in the order in which they were published: a follower that is interrupted resumes from
// there.
func (f *Follower) everything(out []byte) []byte {
	b := f.board
	if !f.isPart && b.whole != nil && b.wholeSeq == b.seq {
		return append(out, b.whole...)
	}
	items := make([]*item, 0, len(b.items))
	for _, it := range b.items {
		if f.request.concerns(&it.alert) {
			items = append(items, it)
		}
	}
	slices.SortFunc(items, func(x, y *item) int { return cmp.Compare(x.seq, y.seq) })
	from := len(out)
	for _, it := range items {
		if f.isPart {
			f.knows[it.no] = struct{}{}
		}
		out = append(out, it.event...)
	}
	if !f.isPart {
		b.whole, b.wholeSeq = slices.Clone(out[from:]), b.seq
	}
	return out
}

// read returns what is new for the follower, nothing when nothing is, and what is closed when there is more. The bytes are shared,
// or the follower's own until the next read.
func (f *Follower) read() (out []byte, changed <-chan struct{}, err error) {
	b := f.board
	b.mu.RLock()
	defer b.mu.RUnlock()
	news, err := f.news()
	if err != nil {
		return nil, nil, err
	}
	if len(news) == 1 && !f.isPart {
		return news[0].bytes, b.changed, nil
	}
	out = f.out[:0]
	for _, batch := range news {
		if !f.isPart {
			out = append(out, batch.bytes...)
			continue
		}
		var rest []byte
		if out, rest = f.pick(out, batch); len(rest) == len(batch.bytes) && len(news) == 1 {
			return rest, b.changed, nil
		}
		out = append(out, rest...)
	}
	f.out = out
	return out, b.changed, nil
}

// pick appends the events of a batch that concern the follower of a part, but for the last that follow each other: the rest.
func (f *Follower) pick(out []byte, batch *batch) (_, rest []byte) {
	from, to := 0, 0 // what is picked and not appended yet: events that follow each other are copied at once
	for i := range batch.events {
		e := &batch.events[i]
		_, known := f.knows[e.no]
		switch {
		case e.gone && known:
			delete(f.knows, e.no)
		case e.gone:
			continue
		case f.request.concerns(e.alert):
			if !known {
				f.knows[e.no] = struct{}{}
			}
		case known:
			delete(f.knows, e.no)
			out = append(out, batch.bytes[from:to]...)
			out = appendGone(out, f.board.epoch, batch.first+uint64(i), e.id)
			from, to = e.to, e.to
			continue
		default:
			continue
		}
		if e.from != to {
			out = append(out, batch.bytes[from:to]...)
			from = e.from
		}
		to = e.to
	}
	return out, batch.bytes[from:to]
}
