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

// damageNamed limits how many blocks a process remembers: if a disk loses more, it is known by then.
const damageNamed = 1000

// damaged remembers which blocks of points were audited as damaged since the start; the zero value works.
type damaged struct {
	mu    sync.Mutex
	named map[points.Block]bool
}

// isNew reports whether a block was not audited yet, and remembers it as audited.
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

// nameDamaged writes a row to the audit of their owners for blocks of points that cannot be read, once for each block after a
// start: people who miss an hour of an asset's past learn why. If it cannot be written, readers of the rest are not affected.
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
