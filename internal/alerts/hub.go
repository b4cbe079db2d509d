// Package alerts is the stream of alerts to drivers: one board an organization,
// whose events are encoded once a change and shared by all who follow it. A board
// lives while someone follows it, and a while longer for those who come back.
// docs/feeds.md describes what followers read.
package alerts

import (
	"context"
	"crypto/rand"
	"log/slog"
	"math/big"
	"net/netip"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"lightbar/catalog"
	"lightbar/internal/app"
	"lightbar/internal/budget"
	"lightbar/internal/bus"
	"lightbar/internal/feed"
	"lightbar/internal/fleet"
)

// The limits of the catalog's group alerts.
var (
	everyMs         = catalog.LimitMs("alerts", "everyMs")
	keepalive       = catalog.LimitMs("alerts", "keepaliveMs")
	retryMs         = catalog.LimitInt("alerts", "retryMs")
	replayFor       = catalog.LimitMs("alerts", "replayMs")
	recheckEvery    = catalog.LimitMs("alerts", "recheckMs")
	queueBytes      = catalog.Setting("alerts", "queueBytes")
	mostFollowers   = catalog.Setting("alerts", "followers")
	perOrganization = catalog.Setting("alerts", "followersPerOrganization")
	perAddress      = catalog.Setting("alerts", "followersPerAddress")
	restartJitter   = catalog.LimitInt("stream", "restartJitterMs")
)

// Options are the functions that the hub calls. Without functions in the options it calls the application.
type Options struct {
	// Things returns which of an organization's own assets alert drivers now: of some assets, nil = of all.
	Things func(organizationID string, ids []string) []feed.Alert
	// Places returns which closures and hazards do, and when time alone first changes that; 0 = never.
	Places func(ctx context.Context, organizationID string) ([]feed.Alert, fleet.Instant, error)
	// StillFollows reports whether who was let in with a key, or without one (empty), may go on.
	StillFollows func(ctx context.Context, organizationID, keyID string) (bool, error)
	// Now is the clock of alerts; nil = time.Now.
	Now func() time.Time
	// Ticks replaces the timers: all boards look at the clock at each tick. nil = timers.
	Ticks <-chan time.Time
	// Log receives what goes wrong; nil = slog.Default().
	Log *slog.Logger
}

// Hub is the room's one object: it receives the bus's frames and notifies the boards that they concern.
type Hub struct {
	opts  Options
	stops []func() // of the bus's listeners

	mu        sync.Mutex
	boards    map[string]*board
	followers int
	addresses map[netip.Prefix]int // followers of each
	leaving   bool

	stop    chan struct{} // closed at the end
	left    sync.WaitGroup
	running sync.WaitGroup
	counts  struct{ events, bytes, slow atomic.Int64 }
}

// Stats are the hub's figures.
type Stats struct {
	Followers, Boards   int
	Events, Bytes, Slow int64 // since the start
}

// New makes the hub and joins it to the bus, which may be nil.
func New(a *app.App, b *bus.Bus, opts Options) *Hub {
	if opts.Things == nil {
		opts.Things, opts.Places, opts.StillFollows = a.AlertsOfThings, a.AlertsOfPlaces, a.StillFollows
	}
	if opts.Now == nil {
		opts.Now = time.Now
		if a != nil {
			opts.Now = a.Now
		}
	}
	if opts.Log == nil {
		opts.Log = slog.Default()
	}
	h := &Hub{opts: opts, boards: map[string]*board{}, addresses: map[netip.Prefix]int{}, stop: make(chan struct{})}
	h.stops = []func(){b.Frames(h.take), b.OnAccessChanged(h.accessChanged), b.OnLoss(h.lookAgain)}
	if opts.Ticks != nil {
		h.running.Go(h.tick)
	}
	return h
}

// Stats returns the hub's figures.
func (h *Hub) Stats() Stats {
	h.mu.Lock()
	defer h.mu.Unlock()
	return Stats{Followers: h.followers, Boards: len(h.boards), Events: h.counts.events.Load(), Bytes: h.counts.bytes.Load(),
		Slow: h.counts.slow.Load()}
}

func (h *Hub) now() fleet.Instant { return fleet.InstantOf(h.opts.Now()) }

// take handles every frame: it notes what the boards must look at, and returns.
func (h *Hub) take(f bus.Frame) {
	h.mu.Lock()
	b := h.boards[f.Organization]
	h.mu.Unlock()
	if b == nil {
		return
	}
	b.note(func(n *noted) {
		for i := range f.Items {
			switch f.Items[i].Type {
			case fleet.MessagePoint, fleet.MessageHeartbeat, fleet.MessageThing, fleet.MessageThingFull, fleet.MessageThingPart,
				fleet.MessageAdmin, fleet.MessageAdminFull, fleet.MessageAdminPart:
				n.things[f.Items[i].Key] = struct{}{}
			case fleet.MessageClosure, fleet.MessageClosureFull, fleet.MessageClosurePart,
				fleet.MessageHazard, fleet.MessageHazardFull, fleet.MessageHazardPart:
				n.places = true
			}
		}
	})
}

// accessChanged is called when permissions or an organization's settings change; an empty id means all organizations.
func (h *Hub) accessChanged(_, organizationID string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for id, b := range h.boards {
		if organizationID == "" || organizationID == id {
			b.note(func(n *noted) { n.access = true })
		}
	}
}

// lookAgain looks at everything: messages were lost.
func (h *Hub) lookAgain() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, b := range h.boards {
		b.note(func(n *noted) { n.all = true })
	}
}

func (h *Hub) tick() {
	for {
		select {
		case <-h.stop:
			return
		case <-h.opts.Ticks:
			h.mu.Lock()
			for _, b := range h.boards {
				b.note(func(*noted) {})
			}
			h.mu.Unlock()
		}
	}
}

// enter takes a place for a follower. Refusals: busy, rate_limited.
func (h *Hub) enter(organizationID, address string) (*board, error) {
	household := budget.Household(address)
	h.mu.Lock()
	defer h.mu.Unlock()
	b := h.boards[organizationID]
	switch {
	case h.leaving, h.followers >= mostFollowers.Int(), b != nil && b.followers >= perOrganization.Int():
		return nil, &fleet.Refusal{Code: "busy", RetryAfterS: retryLater}
	case h.addresses[household] >= perAddress.Int():
		return nil, &fleet.Refusal{Code: "rate_limited", RetryAfterS: retryLater,
			Message: "Too many readers of this address follow alerts. Please end one."}
	}
	if b == nil {
		b = newBoard(h, organizationID)
		h.boards[organizationID] = b
		h.running.Go(b.run)
	}
	b.followers++
	h.followers++
	h.addresses[household]++
	h.left.Add(1)
	return b, nil
}

// retryLater is how long those stay away for whom there is no place (s).
const retryLater = 30

func (h *Hub) leave(b *board, address string) {
	household := budget.Household(address)
	h.mu.Lock()
	h.followers--
	if h.addresses[household]--; h.addresses[household] == 0 {
		delete(h.addresses, household)
	}
	if b.followers--; b.followers == 0 {
		b.idleSince = time.Now()
	}
	h.mu.Unlock()
	b.note(func(*noted) {}) // it looks when it may end
	h.left.Done()
}

// retire takes away a board that nobody has followed for a while.
func (h *Hub) retire(b *board) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if b.followers > 0 || time.Since(b.idleSince) < replayFor {
		return false
	}
	delete(h.boards, b.organization)
	return true
}

// Tell ends every follower: the server restarts, and they reconnect at a time spread over stream.restartJitterMs. New ones are
// refused from then on.
func (h *Hub) Tell() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.leaving {
		return
	}
	h.leaving = true
	for _, stop := range h.stops {
		stop()
	}
	close(h.stop)
}

// Drain calls Tell, and waits until all have gone or ctx ends.
func (h *Hub) Drain(ctx context.Context) error {
	h.Tell()
	h.running.Wait()
	gone := make(chan struct{})
	go func() {
		h.left.Wait()
		close(gone)
	}()
	select {
	case <-gone:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// newEpoch names a board's run of event ids.
func newEpoch() string {
	n, err := rand.Int(rand.Reader, big.NewInt(1<<40))
	if err != nil {
		panic("alerts: no randomness: " + err.Error())
	}
	return strconv.FormatInt(n.Int64(), 36)
}
