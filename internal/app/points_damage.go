package app

import (
	"context"
	"sync"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/store"
	"lightbar/internal/store/points"
)

// damageNamed bounds how many blocks a process remembers: a disk that loses more has been named by then.
const damageNamed = 1000

// damaged knows which blocks of points the audit names since the start; the zero value works.
type damaged struct {
	mu    sync.Mutex
	named map[points.Block]bool
}

// isNew reports whether a block was not named yet, and takes it for named.
func (d *damaged) isNew(b points.Block) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.named[b] || len(d.named) >= damageNamed {
		return false
	}
	if d.named == nil {
		d.named = map[points.Block]bool{}
	}
	d.named[b] = true
	return true
}

// nameDamaged leaves a row in the audit of their owners for blocks of points that cannot be read, each once after a start:
// whoever misses an hour of an asset's past learns why. That it could not be written stops nobody who reads the rest.
func (a *App) nameDamaged(ctx context.Context, blocks []points.Block) {
	for _, b := range blocks {
		id, known := a.Live.ThingByNo(b.ThingNo)
		if !known || !a.damaged.isNew(b) {
			continue
		}
		t, _, _, _ := a.Live.Thing(id)
		err := a.Store.Write(ctx, func(tx *store.Tx) error {
			return a.Audit.Write(ctx, tx, access.System(), audit.Row{Verb: "alarm", Noun: "thing", NounID: id, OrganizationID: t.OrganizationID,
				After: map[string]any{"found": "points_unreadable", "start_time": b.Start(), "end_time": b.Start().Add(time.Hour)}})
		})
		if err != nil {
			a.Log.Error("the audit could not name damaged points", "block", b.String(), "error", err)
		}
	}
}
