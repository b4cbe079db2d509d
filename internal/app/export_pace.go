package app

import (
	"runtime"
	"time"
)

// An export would keep a processor busy for minutes. While reports come it works for a moment and rests for longer, so that
// few of them meet it; on a server to which nobody reports it does not rest.
const (
	// exportWork is how long it works at a stretch.
	exportWork = time.Millisecond
	// exportRest is how many times as long as it worked it rests. It worked longer than it meant to where the machine is busy, or
	// for a mark: then it rests longer, too.
	exportRest = 8
	// exportRestMost bounds a rest after something slow, such as a sync.
	exportRestMost = 100 * time.Millisecond
	// reportsLast is how long after a commit of reports the next are expected.
	reportsLast = time.Second
)

// restOf is how long an export rests after so much work, if reports were committed so long ago.
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
		time.Sleep(rest) // too short to be worth a way out
		now = time.Now()
	}
	m.rested = now
}
