package app

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"lightbar/catalog"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/store/engine"
)

// PurgeEvery is how often data past its retention is deleted.
const PurgeEvery = time.Hour

var deviceKnown = catalog.LimitMs("session", "knownDeviceMs")

// purged is what the last purge deleted. The zero value works.
type purged struct {
	mu    sync.Mutex
	at    fleet.Instant // when it began; 0 = not since the start
	kinds map[string]engine.Swept
}

func (p *purged) note(at fleet.Instant, kinds map[string]engine.Swept) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.at, p.kinds = at, kinds
}

// last returns when the next purge is, and what the last one deleted.
func (p *purged) last(now fleet.Instant) (next fleet.Instant, kinds map[string]engine.Swept) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.at == 0 {
		return now.Add(PurgeEvery), nil
	}
	return max(now, p.at.Add(PurgeEvery)), p.kinds
}

// Purge deletes data that is past its retention and under no legal hold, one kind of data after the other; a kind that fails does
// not stop the others. It runs in many short transactions, each of which leaves whole rows: after a crash the next purge does the
// rest. Exports have a verb of their own (PurgeExports).
func (a *App) Purge(ctx context.Context) error {
	now, did := a.now(), map[string]engine.Swept{}
	var failed []error
	for _, k := range fleet.DataKinds() {
		if k.Limit == nil || k.Name == fleet.DataExports {
			continue
		}
		swept, err := a.Store.PurgeKind(ctx, k.Name, now.Add(-k.Retention()), now, a.changeOf(k.Name))
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", k.Name, err))
		}
		did[k.Name] = swept
	}
	if err := a.Store.PurgeKnownDevices(ctx, now.Add(-deviceKnown)); err != nil {
		failed = append(failed, err)
	}
	a.ledger.mu.Lock()
	a.ledger.known = nil
	a.ledger.mu.Unlock()
	a.purged.note(now, did)
	return errors.Join(failed...)
}

// changeOf runs the transactions of a purge. Nouns that reports and feeds look up are deleted while the picture's writer is held,
// so that no lookup finds a row that is being deleted.
func (a *App) changeOf(kind string) func(ctx context.Context, fn func(tx *engine.Tx) error) error {
	switch kind {
	case fleet.DataHazards, fleet.DataClosures, fleet.DataEvents, fleet.DataDeleted:
	default:
		return nil
	}
	return func(ctx context.Context, fn func(tx *engine.Tx) error) error {
		return a.Change(ctx, func(_ *live.Change, tx *store.Tx) error { return fn(tx.Tx.Tx) })
	}
}
