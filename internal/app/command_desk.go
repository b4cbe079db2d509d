package app

import (
	"context"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"lightbar/catalog"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
)

// desk knows for which assets commands wait, so that neither a report nor the clock queries the database while there are none. It
// is never the source of truth: commands are handed out from the database, and after each change an asset's entry is read again.
type desk struct {
	settled atomic.Bool  // lines are up to date: false at startup, and when one must be read again
	count   atomic.Int64 // of lines
	mu      sync.Mutex
	loaded  bool
	ends    map[string]fleet.Instant // by asset: when the first of its open commands expires
	dirty   map[string]bool          // assets whose line must be read again
	polls   map[string]*poll         // devices that wait, by asset
	follows map[string]*Following    // devices that are connected, by asset
	closed  bool
}

// poll is a device that waits for its asset's commands.
type poll struct{ wake chan struct{} }

var pollsMost = catalog.Setting("command", "polls")

// stirLines notes that commands of assets may have changed, after the commit (and after one whose outcome is unknown).
func (d *desk) stirLines(thingIDs ...string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.dirty == nil {
		d.dirty = map[string]bool{}
	}
	for _, id := range thingIDs {
		d.dirty[id] = true
		d.settled.Store(false)
	}
}

// stir is stirLines for when a new command may wait: it wakes the asset's device.
func (d *desk) stir(thingID string) {
	d.stirLines(thingID)
	d.mu.Lock()
	defer d.mu.Unlock()
	if p := d.polls[thingID]; p != nil {
		delete(d.polls, thingID)
		close(p.wake)
	}
	if f := d.follows[thingID]; f != nil {
		f.wake()
	}
}

// nudge only wakes a connected device: something may have become due for it.
func (d *desk) nudge(thingID string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if f := d.follows[thingID]; f != nil {
		f.wake()
	}
}

// isEmpty reports, without a lock, whether it is certain that no command waits for any device.
func (d *desk) isEmpty() bool { return d.settled.Load() && d.count.Load() == 0 }

// first returns when the first open command of an asset expires, of all assets for ""; 0 = there is none.
func (d *desk) first(ctx context.Context, r store.Reader, thingID string) (fleet.Instant, error) {
	if d.isEmpty() {
		return 0, nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.settle(ctx, r); err != nil {
		return 0, err
	}
	if thingID != "" {
		return d.ends[thingID], nil
	}
	ends := slices.Collect(maps.Values(d.ends))
	if len(ends) == 0 {
		return 0, nil
	}
	return slices.Min(ends), nil
}

// settle reads the entries that are not known.
func (d *desk) settle(ctx context.Context, r store.Reader) error {
	if !d.loaded {
		open, err := store.OpenCommands(ctx, r)
		if err != nil {
			return err
		}
		d.ends = map[string]fleet.Instant{}
		d.note(open)
		d.loaded = true
		clear(d.dirty)
	}
	for id := range d.dirty {
		open, err := store.OpenCommandsOf(ctx, r, id)
		if err != nil {
			return err
		}
		delete(d.ends, id)
		d.note(open)
		delete(d.dirty, id)
	}
	d.count.Store(int64(len(d.ends)))
	d.settled.Store(true)
	return nil
}

func (d *desk) note(open []fleet.Command) {
	for i := range open {
		if end, known := d.ends[open[i].ThingID]; !known || open[i].ExpiresAt < end {
			d.ends[open[i].ThingID] = open[i].ExpiresAt
		}
	}
}

// enter lets a device wait. A request that already waits for the same asset is woken: its caller has gone or sent a second request.
// Nil when the server stops.
func (d *desk) enter(thingID string) (*poll, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	before := d.polls[thingID]
	switch {
	case d.closed:
		return nil, nil
	case before != nil:
		close(before.wake)
	case len(d.polls) >= pollsMost.Int():
		return nil, &fleet.Refusal{Code: "busy", RetryAfterS: 30}
	case d.polls == nil:
		d.polls = map[string]*poll{}
	}
	p := &poll{wake: make(chan struct{})}
	d.polls[thingID] = p
	return p, nil
}

// leave ends a wait.
func (d *desk) leave(thingID string, p *poll) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.polls[thingID] == p {
		delete(d.polls, thingID)
	}
}

// close ends all waits: the server stops.
func (d *desk) close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	clear(d.follows)
	for id, p := range d.polls {
		delete(d.polls, id)
		close(p.wake)
	}
}

// StopCommands ends all waits of devices: the server stops.
func (a *App) StopCommands() { a.desk.close() }

// WaitingDevices counts the devices that wait for commands now.
func (a *App) WaitingDevices() int {
	a.desk.mu.Lock()
	defer a.desk.mu.Unlock()
	return len(a.desk.polls) + len(a.desk.follows)
}
