package app

import (
	"runtime"
	"time"
)

// An export would keep a processor busy for minutes. While reports arrive, it works for a moment and rests for longer, so that few
// reports are delayed by it; on a server without reports it does not rest.
const (
	// exportWork is how long it works at a stretch.
	exportWork = time.Millisecond
	// exportRest is how long it rests, as a multiple of how long it worked. On a busy machine, or for a mark, it works longer than
	// intended: then it also rests longer.
	exportRest = 8
	// exportRestMost bounds a rest after something slow, such as a sync.
	exportRestMost = 100 * time.Millisecond
	// reportsLast is how long after a commit of reports more are expected.
	reportsLast = time.Second
)

// restOf is how long an export rests after working for a while, given how long ago reports were committed.
func restOf(worked, ago time.Duration) time.Duration {
	if worked < exportWork || ago > reportsLast {
		return 0
	}
	return min(exportRest*worked, exportRestMost)
}

// pace lets others work, and rests when it is time to.
func (m *exportMaker) pace() {
	runtime.Gosched()
	now := time.Now()
	worked := now.Sub(m.rested)
	if worked < exportWork {
		return
	}
	if rest := restOf(worked, m.ingest.quietFor(now)); rest > 0 && !m.rested.IsZero() {
		time.Sleep(rest) // too short to need a way to cancel it
		now = time.Now()
	}
	m.rested = now
}
