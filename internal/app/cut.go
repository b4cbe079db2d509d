package app

import (
	"context"
	"maps"
	"sync"
	"time"

	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
)

const (
	// cutsGather is how long a cut waits for others: a failing radio mast cuts off a whole fleet, and a device that reconnects at
	// once was not away.
	cutsGather = 250 * time.Millisecond
	// cutsAgain is how long cuts wait after a failed commit.
	cutsAgain = time.Second
	// cutsAtOnce limits how many assets one transaction silences.
	cutsAtOnce = 2000
)

// cuts are the assets whose connections ended without a normal disconnect and that are not marked silent yet.
type cuts struct {
	mu      sync.Mutex
	ends    map[string]fleet.Instant // by asset
	running chan struct{}            // closed when the task that silences ends; nil = it does not run
	stop    chan struct{}
	stopped bool
	stats   CutStats
}

// CutStats are the figures since the start.
type CutStats struct {
	Assets  int64 // that were marked silent
	Commits int64 // in which they were
}

// CutStats returns the figures of connections that ended without a normal disconnect.
func (a *App) CutStats() CutStats {
	a.cuts.mu.Lock()
	defer a.cuts.mu.Unlock()
	return a.cuts.stats
}

// NoteCut notes that the connection of an asset's device ended without a normal disconnect: the asset is silent from now on. Only
// the server that saw the end calls it: when a server dies, nobody learns that its devices are gone, and they are not.
func (a *App) NoteCut(thingID string) {
	d := &a.cuts
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.stopped {
		return
	}
	if d.ends == nil {
		d.ends, d.stop = map[string]fleet.Instant{}, make(chan struct{})
	}
	d.ends[thingID] = a.now()
	if d.running == nil {
		d.running = make(chan struct{})
		go a.silence(d.running)
	}
}

// NoteBack notes that a device has connected again.
func (a *App) NoteBack(thingID string) {
	a.cuts.mu.Lock()
	defer a.cuts.mu.Unlock()
	delete(a.cuts.ends, thingID)
}

// stopCuts drops the cuts that wait: when the server stops, its connections end, and no device is silent because of that.
func (a *App) stopCuts() {
	d := &a.cuts
	d.mu.Lock()
	running := d.running
	if !d.stopped && d.stop != nil {
		close(d.stop)
	}
	d.stopped = true
	d.mu.Unlock()
	if running != nil {
		<-running
	}
}

// silence marks as silent the assets whose connections were cut, all that wait in one transaction, until none waits.
func (a *App) silence(done chan struct{}) {
	d := &a.cuts
	defer close(done)
	for wait := cutsGather; ; {
		if !d.pause(wait) {
			return
		}
		some := d.take()
		if some == nil {
			return
		}
		if wait = cutsGather; !a.cutSome(some) {
			wait = cutsAgain
		}
	}
}

// pause waits; false when the server stops.
func (d *cuts) pause(wait time.Duration) bool {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-d.stop:
		return false
	}
}

// take returns the cuts that wait, as many as one transaction may hold; nil = there are none, and the task ends.
func (d *cuts) take() map[string]fleet.Instant {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.ends) == 0 {
		d.running = nil
		return nil
	}
	some := map[string]fleet.Instant{}
	for id, at := range d.ends {
		if len(some) == cutsAtOnce {
			break
		}
		some[id] = at
		delete(d.ends, id)
	}
	return some
}

// cutSome silences assets; false when that must be tried again.
func (a *App) cutSome(some map[string]fleet.Instant) bool {
	err := a.Change(context.Background(), func(c *live.Change, _ *store.Tx) error {
		c.Cut(some)
		return nil
	})
	d := &a.cuts
	d.mu.Lock()
	defer d.mu.Unlock()
	if err == nil {
		d.stats.Assets, d.stats.Commits = d.stats.Assets+int64(len(some)), d.stats.Commits+1
		return true
	}
	a.Log.Warn("assets whose connections were cut are not silent yet", "assets", len(some), "error", err)
	maps.Copy(some, d.ends) // an asset that was cut again in the meantime is silent since then
	d.ends = some
	return false
}
