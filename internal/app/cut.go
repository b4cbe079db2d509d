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
	// cutsGather is how long a cut waits for others: a mast that fails takes a fleet with it, and a device whose connection
	// is made anew at once was not away.
	cutsGather = 250 * time.Millisecond
	// cutsAgain is how long they wait after a commit that failed.
	cutsAgain = time.Second
	// cutsAtOnce bounds what one transaction silences.
	cutsAtOnce = 2000
)

// cuts are the assets whose connections have ended without a goodbye and that are not silent yet.
type cuts struct {
	mu      sync.Mutex
	ends    map[string]fleet.Instant // by asset
	running chan struct{}            // closed when nobody silences any longer; nil = nobody does
	stop    chan struct{}
	stopped bool
	stats   CutStats
}

// CutStats are the figures since the start.
type CutStats struct {
	Assets  int64 // that were silenced
	Commits int64 // in which they were
}

// CutStats are the figures of connections that ended without a goodbye.
func (a *App) CutStats() CutStats {
	a.cuts.mu.Lock()
	defer a.cuts.mu.Unlock()
	return a.cuts.stats
}

// NoteCut says that the connection of an asset's device has ended without a goodbye: the asset is silent from now on. Only
// who saw the end says so: of a server that dies nobody learns that its devices are gone, and they are not.
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

// NoteBack says that a device has connected again.
func (a *App) NoteBack(thingID string) {
	a.cuts.mu.Lock()
	defer a.cuts.mu.Unlock()
	delete(a.cuts.ends, thingID)
}

// stopCuts forgets what waits: the server stops, and what ends with it is no device's silence.
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

// silence makes the assets silent whose connections were cut, all that wait in one transaction, until none waits.
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

// take answers what waits, as much as one transaction may hold; nil = nothing, and nobody silences any longer.
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

// cutSome silences assets; false when that is to be tried again.
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
	maps.Copy(some, d.ends) // whoever was cut again meanwhile is silent since then
	d.ends = some
	return false
}
