package app

import (
	"slices"
	"time"

	"lightbar/internal/fleet"
)

// TurnsWaiting is how many pieces of long work wait for their turn.
func (a *App) TurnsWaiting() (n int) {
	a.turns.mu.Lock()
	defer a.turns.mu.Unlock()
	for _, list := range a.turns.waiting {
		n += len(list)
	}
	return n
}

// KnownAccounts is how many accounts at providers have a client, which knows their secret.
func (a *App) KnownAccounts() int {
	a.telematics.mu.Lock()
	defer a.telematics.mu.Unlock()
	return len(a.telematics.accounts)
}

// Tell is tell.
var Tell = tell

// ThingDoc is thingDoc.
var ThingDoc = thingDoc

// TurnsOfExports are the ids of exports in the order in which they are made.
func TurnsOfExports(waiting []fleet.Export) (ids []string) {
	var e exporting
	for len(waiting) > 0 {
		next := e.next(waiting)
		ids = append(ids, next.ID)
		waiting = slices.DeleteFunc(slices.Clone(waiting), func(x fleet.Export) bool { return x.ID == next.ID })
	}
	return ids
}

// PutBack is putBack.
func (a *App) PutBack(id string) { a.putBack(id) }

// MarkExports makes a mark wherever one can be made, and tells of each behind how many days of assets it is.
func (a *App) MarkExports(told func(next int)) { a.exporting.every, a.exporting.marked = -1, told }

// AgainEncoded decodes a mark of an export and encodes it again.
func AgainEncoded(b []byte) ([]byte, error) {
	m, err := decodeExportMark(b)
	if err != nil {
		return nil, err
	}
	return m.encode()
}

// RestOf is restOf.
var RestOf = restOf

// QuietFor is how long no reports were committed.
func (a *App) QuietFor() time.Duration { return a.ingest.quietFor(time.Now()) }

// CutSome is cutSome, and what waits to be tried again behind it; again is who was cut meanwhile.
func (a *App) CutSome(some, again map[string]fleet.Instant) (done bool, waits map[string]fleet.Instant) {
	a.cuts.ends = again
	done = a.cutSome(some)
	return done, a.cuts.ends
}
