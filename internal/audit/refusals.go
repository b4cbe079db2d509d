package audit

import (
	"context"
	"sync"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// refusals counts what was refused, in memory first: an attacker must not make
// the server write a row for each attempt.
type refusals struct {
	mu     sync.Mutex
	counts map[refusalKey]int64
}

type refusalKey struct {
	minute        int64
	network, code string
}

// refusalKinds bounds the memory; beyond it networks are counted together as "other".
const refusalKinds = 10_000

// CodeOutOfReach is what looking for ids of other organizations is counted
// under; who looks is told that there are none.
const CodeOutOfReach = "out_of_reach"

// NoteRefusal counts a refusal (401, 403, 429, ids out of reach) of a network under its machine
// code. FlushRefusals writes the counts.
func (a *Trail) NoteRefusal(network, code string) {
	f := &a.refusals
	k := refusalKey{int64(a.now()) / time.Minute.Milliseconds(), fleet.LimitNetwork(network), code}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.counts == nil {
		f.counts = map[refusalKey]int64{}
	}
	if _, ok := f.counts[k]; !ok && len(f.counts) >= refusalKinds {
		k.network = "other"
	}
	f.counts[k]++
}

// FlushRefusals writes the counted refusals. It is called every minute and at the end.
func (a *Trail) FlushRefusals(ctx context.Context) error {
	f := &a.refusals
	f.mu.Lock()
	counts := f.counts
	f.counts = nil
	f.mu.Unlock()
	if len(counts) == 0 {
		return nil
	}
	rows := make([]store.RefusalCount, 0, len(counts))
	for k, n := range counts {
		rows = append(rows, store.RefusalCount{Minute: k.minute, Network: k.network, Code: k.code, Count: n})
	}
	err := a.Store.Write(ctx, func(tx *store.Tx) error { return tx.AddRefusals(ctx, rows) })
	if err != nil {
		f.mu.Lock()
		defer f.mu.Unlock()
		for k, n := range counts {
			if f.counts == nil {
				f.counts = map[refusalKey]int64{}
			}
			f.counts[k] += n
		}
	}
	return err
}

// Refusals answers how often networks were refused since an instant. Requires MANAGE_PLATFORM.
func (a *Trail) Refusals(ctx context.Context, actor *access.Actor, since fleet.Instant) ([]wire.RefusalCount, error) {
	if err := actor.Must("MANAGE_PLATFORM"); err != nil {
		return nil, err
	}
	minute := time.Minute.Milliseconds()
	rows, err := store.ListRefusals(ctx, a.Store.Reader(), int64(since)/minute)
	if err != nil {
		return nil, err
	}
	out := make([]wire.RefusalCount, 0, len(rows))
	for _, r := range rows {
		out = append(out, wire.RefusalCount{Minute: fleet.Instant(r.Minute * minute), Network: r.Network, Code: r.Code, Count: r.Count})
	}
	return out, nil
}
