package app

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
)

// audited is the part of an audit row that a verb says; the rest comes from the actor.
type audited struct {
	ID                 string // empty = a new one
	Verb, Noun, NounID string
	OrganizationID     string // empty = the actor's own
	Before, After      any    // encoded as JSON; nil = nothing
}

// writeAudit leaves an audit row in the transaction of the change.
func (a *App) writeAudit(ctx context.Context, tx *store.Tx, actor *Actor, r audited) error {
	if r.ID == "" {
		r.ID = a.NewID()
	}
	row := fleet.AuditRow{ID: r.ID, At: a.now(), ActorUserID: actor.UserID, ActorKeyID: actor.KeyID, OrganizationID: r.OrganizationID,
		Network: actor.Network, Verb: r.Verb, Noun: r.Noun, NounID: r.NounID, RequestID: actor.RequestID}
	if row.OrganizationID == "" {
		row.OrganizationID = actor.OrganizationID
	}
	var err error
	if r.Before != nil {
		if row.Before, err = json.Marshal(r.Before); err != nil {
			return err
		}
	}
	if r.After != nil {
		if row.After, err = json.Marshal(r.After); err != nil {
			return err
		}
	}
	return tx.InsertAudit(ctx, row)
}

// WithReserve marks a call whose writes may use what is kept for a full disk: people sign in and out even then.
func WithReserve(ctx context.Context) context.Context { return store.WithReserve(ctx) }

// Probe writes one row and waits until it is on the disk.
func (a *App) Probe(ctx context.Context) error {
	return a.Store.Write(ctx, func(tx *store.Tx) error { return tx.PutSetting(ctx, "probe.readyz", a.now().String()) })
}

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
func (a *App) NoteRefusal(network, code string) {
	f := &a.people.refusals
	k := refusalKey{int64(a.now()) / time.Minute.Milliseconds(), limitNetwork(network), code}
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
func (a *App) FlushRefusals(ctx context.Context) error {
	f := &a.people.refusals
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
