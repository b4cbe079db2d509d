package alerts

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"lightbar/internal/feed"
	"lightbar/internal/fleet"
)

// board holds what drivers can see now of one organization, and what has changed recently. Only its run checks and changes it;
// followers read.
type board struct {
	hub          *Hub
	organization string
	epoch        string

	followers int       // the hub's mu guards these two
	idleSince time.Time // when the last one left

	wake    chan struct{} // holds one
	notesMu sync.Mutex
	notes   noted

	// The run's own.
	again     map[string]fleet.Instant // alerts that change too often, and when they may be sent again; by source
	placesAt  fleet.Instant            // when the clock changes closures or hazards, 0 = never
	checkedAt fleet.Instant            // when everything was looked at last
	failedAt  time.Time                // when the store could not be asked, zero = it could

	begun         chan struct{} // closed when it shows what is
	mu            sync.RWMutex  // guards all below
	items         map[string]*item
	seq           uint64 // of the last event
	no            uint64 // of the last alert that was new
	log           []*batch
	first         uint64 // number of log[0]
	logBytes      int
	changed       chan struct{} // closed and replaced with each batch
	whole         []byte        // all items' events at wholeSeq; nil = not made
	wholeSeq      uint64
	audiences     map[string]*audience // by key
	cellFollowers int                  // for whom there are messages
}

// item is an alert that holds.
type item struct {
	no      uint64 // the same until it is gone: quicker to look up than an id
	alert   feed.Alert
	cells   []Cell
	data    []byte // its feature
	event   []byte
	message []byte // of those who follow cells; nil when nobody did
	seq     uint64
	sentAt  fleet.Instant
}

// noted is what must be checked.
type noted struct {
	things              map[string]struct{}
	places, all, access bool
}

// audience are the followers whom one key lets in, or none does.
type audience struct {
	followers int
	ended     chan struct{}
}

func newBoard(h *Hub, organizationID string) *board {
	b := &board{hub: h, organization: organizationID, epoch: newEpoch(), wake: make(chan struct{}, 1), again: map[string]fleet.Instant{},
		begun: make(chan struct{}), items: map[string]*item{}, changed: make(chan struct{}), audiences: map[string]*audience{}}
	b.notes = noted{things: map[string]struct{}{}, all: true}
	return b
}

// note records what must be checked, and wakes the run.
func (b *board) note(say func(*noted)) {
	b.notesMu.Lock()
	say(&b.notes)
	b.notesMu.Unlock()
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

func (b *board) takeNotes() noted {
	b.notesMu.Lock()
	defer b.notesMu.Unlock()
	out := b.notes
	b.notes = noted{things: map[string]struct{}{}}
	return out
}

// run checks whenever something was noted, and when time alone changes something, until nobody follows.
func (b *board) run() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	for {
		next := b.look(ctx)
		timer := time.NewTimer(next)
		if b.hub.opts.Ticks != nil {
			timer.Stop()
		}
		select {
		case <-b.hub.stop:
			timer.Stop()
			return
		case <-b.wake:
			timer.Stop()
		case <-timer.C:
		}
		if b.hub.retire(b) {
			return
		}
	}
}

// retryStore is how long a board waits for a store that could not be asked.
const retryStore = 5 * time.Second

// look applies what was noted and the passage of time, publishes it, and returns after how long to check again.
func (b *board) look(ctx context.Context) time.Duration {
	now, n := b.hub.now(), b.takeNotes()
	if now < b.checkedAt || now.Sub(b.checkedAt) >= recheckEvery { // or the clock was set back
		n.all, n.access = true, true
	}
	for source, at := range b.again {
		if it := b.items[source]; at <= now && it != nil {
			delete(b.again, source)
			n.see(it)
		} else if it == nil {
			delete(b.again, source)
		}
	}
	for _, it := range b.items {
		if it.alert.ExpiresAt <= now {
			n.see(it)
		}
	}
	if n.all {
		b.checkedAt = now
	}
	var d delta
	b.lookAtThings(&d, &n, now)
	if n.places || n.all || b.placesAt != 0 && b.placesAt <= now {
		b.lookAtPlaces(ctx, &d, now)
	}
	b.publish(&d)
	if n.access {
		b.recheck(ctx)
	}
	select {
	case <-b.begun:
	default:
		if b.failedAt.IsZero() {
			close(b.begun)
		}
	}
	return b.sleep(now)
}

// see notes that an alert must be checked.
func (n *noted) see(it *item) {
	if it.alert.Category == feed.AlertVehicle {
		n.things[it.alert.Source] = struct{}{}
	} else {
		n.places = true
	}
}

// sleep is the time until the clock has something to do.
func (b *board) sleep(now fleet.Instant) time.Duration {
	next := b.checkedAt.Add(recheckEvery)
	sooner := func(at fleet.Instant) {
		if at != 0 && at < next {
			next = at
		}
	}
	for _, it := range b.items {
		sooner(it.alert.ExpiresAt)
	}
	for _, at := range b.again {
		sooner(at)
	}
	sooner(b.placesAt)
	out := max(next.Sub(now), time.Millisecond)
	if !b.failedAt.IsZero() {
		out = min(out, retryStore)
	}
	return out
}

func (b *board) lookAtThings(d *delta, n *noted, now fleet.Instant) {
	if !n.all && len(n.things) == 0 {
		return
	}
	var ids []string
	if !n.all {
		ids = make([]string, 0, len(n.things))
		for id := range n.things {
			ids = append(ids, id)
		}
		slices.Sort(ids) // the same alerts make the same events
	}
	concerned := func(it *item) bool {
		_, is := n.things[it.alert.Source]
		return it.alert.Category == feed.AlertVehicle && (n.all || is)
	}
	b.compare(d, b.hub.opts.Things(b.organization, ids), concerned, now)
}

func (b *board) lookAtPlaces(ctx context.Context, d *delta, now fleet.Instant) {
	found, until, err := b.hub.opts.Places(ctx, b.organization)
	if err != nil {
		if b.failedAt.IsZero() {
			b.hub.opts.Log.Error("alerts: closures and hazards could not be read", "organization", b.organization, "error", err)
		}
		b.failedAt, b.placesAt = time.Now(), now.Add(retryStore)
		found = nil // what has ended by the clock is over, whatever is stored
		b.compare(d, nil, func(it *item) bool { return it.alert.Category != feed.AlertVehicle && it.alert.ExpiresAt <= now }, now)
		return
	}
	b.failedAt, b.placesAt = time.Time{}, until
	b.compare(d, found, func(it *item) bool { return it.alert.Category != feed.AlertVehicle }, now)
}

// compare puts into d how the alerts found differ from those that are shown, as far as those are concerned.
func (b *board) compare(d *delta, found []feed.Alert, concerned func(*item) bool, now fleet.Instant) {
	holds := make(map[string]struct{}, len(found))
	for i := range found {
		a := &found[i]
		holds[a.Source] = struct{}{}
		old := b.items[a.Source]
		data := a.Feature()
		switch {
		case old == nil:
		case old.alert.ID != a.ID:
			d.gone = append(d.gone, old)
		case bytes.Equal(old.data, data):
			continue
		case now >= old.sentAt && now.Sub(old.sentAt) < everyMs:
			b.again[a.Source] = old.sentAt.Add(everyMs)
			continue
		}
		d.told = append(d.told, &item{alert: *a, cells: cellsOf(a), data: data, sentAt: now})
	}
	from := len(d.gone)
	for source, it := range b.items {
		if _, is := holds[source]; !is && concerned(it) {
			d.gone = append(d.gone, it)
		}
	}
	slices.SortFunc(d.gone[from:], func(x, y *item) int { return strings.Compare(x.alert.ID, y.alert.ID) })
}

// delta is what one check found.
type delta struct {
	gone []*item
	told []*item
}

// publish publishes the changes: encoded once, for all.
func (b *board) publish(d *delta) {
	if len(d.gone)+len(d.told) == 0 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	out := &batch{at: time.Now(), first: b.seq + 1}
	for _, it := range d.gone {
		b.seq++
		e := event{no: it.no, id: it.alert.ID, gone: true}
		if b.cellFollowers > 0 {
			e.message = goneMessage(it.alert.ID)
		}
		out.add(e, appendGone(nil, b.epoch, b.seq, it.alert.ID))
		if is := b.items[it.alert.Source]; is == it {
			delete(b.items, it.alert.Source)
		}
	}
	for _, it := range d.told {
		b.seq++
		it.seq, it.event = b.seq, appendAlert(nil, b.epoch, b.seq, it.data)
		if old := b.items[it.alert.Source]; old != nil {
			it.no = old.no
		} else {
			b.no++
			it.no = b.no
		}
		if b.cellFollowers > 0 {
			it.message = alertMessage(it.data)
		}
		out.add(event{no: it.no, id: it.alert.ID, alert: &it.alert, cells: it.cells, message: it.message}, it.event)
		b.items[it.alert.Source] = it
	}
	b.log, b.logBytes = append(b.log, out), b.logBytes+len(out.bytes)
	drop := 0
	for drop < len(b.log)-1 && (b.logBytes > queueBytes.Int() || time.Since(b.log[drop].at) > replayFor) {
		b.logBytes -= len(b.log[drop].bytes)
		b.log[drop] = nil
		drop++
	}
	b.log, b.first = b.log[drop:], b.first+uint64(drop)
	close(b.changed)
	b.changed, b.whole = make(chan struct{}), nil
	b.hub.counts.events.Add(int64(len(out.events)))
}

// recheck ends the followers who may not go on.
func (b *board) recheck(ctx context.Context) {
	b.mu.RLock()
	keys := make([]string, 0, len(b.audiences))
	for key := range b.audiences {
		keys = append(keys, key)
	}
	b.mu.RUnlock()
	for _, key := range keys {
		ok, err := b.hub.opts.StillFollows(ctx, b.organization, key)
		if err != nil { // the next check queries again
			b.hub.opts.Log.Warn("alerts: who follows could not be checked", "organization", b.organization, "error", err)
			continue
		}
		if !ok {
			b.mu.Lock()
			if a := b.audiences[key]; a != nil {
				close(a.ended)
				delete(b.audiences, key)
			}
			b.mu.Unlock()
		}
	}
}

// join counts a follower into the audience of its key.
func (b *board) join(key string) *audience {
	b.mu.Lock()
	defer b.mu.Unlock()
	a := b.audiences[key]
	if a == nil {
		a = &audience{ended: make(chan struct{})}
		b.audiences[key] = a
	}
	a.followers++
	return a
}

func (b *board) part(key string, a *audience) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if a.followers--; a.followers == 0 && b.audiences[key] == a {
		delete(b.audiences, key)
	}
}
