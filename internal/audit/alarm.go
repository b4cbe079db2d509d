package audit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
)

// alarmEvery is how often a process sends letters of one kind.
const alarmEvery = 24 * time.Hour

// sealFailed takes in why nothing was sealed. Where the chain is not the one
// that was sealed before, it makes noise; ingest goes on, as an attack on the
// audit must not stop fire engines.
func (a *Trail) sealFailed(ctx context.Context, err error) error {
	var fault *Fault
	if !errors.As(err, &fault) {
		return err
	}
	if before := a.chain.broken.Swap(fault); before == nil || before.Kind != fault.Kind {
		a.Log.Error("the audit is no longer sealed", "found", fault.Kind, "text", fault.Text, "next",
			"run lightbar audit verify; docs/operations.md, Audit")
		a.alarm(ctx, fault)
	}
	return fault
}

// noteRefused tells of rows that somebody altered, removed or put in. chain.mu is held.
func (a *Trail) noteRefused(ctx context.Context, b *batch) {
	a.chain.refused.Add(int64(len(b.late) + len(b.altered) + len(b.removed)))
	var late, altered, removed []string
	for _, r := range b.late {
		late = append(late, rowWords(r.ID, r.At, r.Verb, r.Noun))
	}
	for _, id := range b.altered { // what they were, not what they say now
		altered = append(altered, rowWords(id, b.was[id].At, b.was[id].Verb, b.was[id].Noun))
	}
	for _, id := range b.removed {
		removed = append(removed, rowWords(id, b.was[id].At, b.was[id].Verb, b.was[id].Noun))
	}
	for _, found := range []struct {
		kind, what string
		rows       []string
	}{{FaultPutIn, "put in, or taken out of their seal", late}, {FaultAltered, "altered before they were sealed", altered},
		{FaultRemoved, "removed before they were sealed", removed}} {
		if len(found.rows) == 0 {
			continue
		}
		slices.Sort(found.rows)
		fault := newFault(found.kind, "%d rows were %s: %s.", len(found.rows), found.what,
			strings.Join(found.rows[:min(len(found.rows), maxNamed)], "; "))
		a.Log.Error("the audit's rows were changed in the database", "found", fault.Kind, "text", fault.Text)
		a.alarm(ctx, fault)
	}
}

// maxNamed bounds the rows that one alarm names.
const maxNamed = 50

func rowWords(id string, at fleet.Instant, verb, noun string) string {
	return fmt.Sprintf("%s (%s, %s %s)", id, at, verb, noun)
}

// alarm leaves a row that says what was found, and now and then lets people
// be told by mail. chain.mu is held.
func (a *Trail) alarm(ctx context.Context, fault *Fault) {
	c, now := &a.chain, a.now()
	at, told := c.told[fault.Kind]
	told = told && now.Sub(at) < alarmEvery
	err := a.Store.Write(ctx, func(tx *store.Tx) error {
		if !told && a.Alarm != nil {
			if err := a.Alarm(ctx, tx, fault); err != nil {
				return err
			}
		}
		return a.Write(ctx, tx, access.System(), Row{Verb: "alarm", Noun: "audit",
			After: map[string]string{"found": fault.Kind, "text": fault.Text}})
	})
	if err != nil {
		a.Log.Error("nobody could be told of the audit by mail", "error", err)
		return
	}
	if told {
		return
	}
	if c.told == nil {
		c.told = map[string]fleet.Instant{}
	}
	c.told[fault.Kind] = now
}

// SayHead writes the newest seal into the log, where another machine may
// keep it. It is called every hour and at the end.
func (a *Trail) SayHead(context.Context) error {
	c := &a.chain
	c.mu.Lock()
	h := c.head
	c.mu.Unlock()
	if fault := a.Broken(); fault != nil {
		a.Log.Error("the audit is not sealed", "found", fault.Kind, "text", fault.Text)
	} else if h != nil && h.No > 0 {
		a.Log.Info("audit head", "seal", h.No, "at", h.At.String(), "head", h.Hash, "database", h.Database)
	}
	return nil
}

// Close seals what waits as far as there is time, and says the head: rows
// that lie unsealed while the server is down can be changed unseen.
func (a *Trail) Close(ctx context.Context) error {
	var fault *Fault
	if err := a.Seal(ctx); err != nil && !errors.As(err, &fault) {
		a.Log.Warn("not all of the audit is sealed; the next start does it", "error", err)
	}
	return a.SayHead(ctx)
}
