package audit

import (
	"context"
	"crypto/hkdf"
	"crypto/sha256"
	"slices"
	"time"

	"lightbar/internal/fleet"
	"lightbar/internal/secret"
	"lightbar/internal/store"
)

// sealBatch bounds a batch of the audit chain, and with it one transaction:
// reports that come meanwhile wait for it.
const sealBatch = 250

// sealRows bounds what is read of one seal; more than sealBatch were put in.
const sealRows = 10_000

func (a *Trail) sealKey() []byte { return sealKeyOf(a.ServerKey) }

// sealKeyOf is what a server key's seals are computed with.
func sealKeyOf(serverKey secret.Key) []byte {
	key, err := hkdf.Key(sha256.New, serverKey, nil, "lightbar audit chain 1", sha256.Size)
	if err != nil {
		panic("audit: the key: " + err.Error()) // only for impossible lengths
	}
	return key
}

// IsSealedBy reports whether the newest seal was made with a server key; true when nothing was sealed yet.
func IsSealedBy(ctx context.Context, r store.Reader, key secret.Key) (bool, error) {
	last, err := store.LastSeal(ctx, r)
	if err != nil || last.No == 0 {
		return err == nil, err
	}
	// Any of its rows will do: one that was tampered with is not to lock the owner out.
	rows, err := store.AuditOfSeal(ctx, r, last.No, sealBatch)
	if err != nil || len(rows) == 0 {
		return err == nil, err
	}
	seal := sealKeyOf(key)
	return slices.ContainsFunc(rows, func(row fleet.AuditRow) bool { return fleet.SealRow(seal, last.No, row) == row.MAC }), nil
}

// Seal closes the audit rows that are not in the chain yet. It is called
// by the clock: a chain per row would queue all writes behind each other
// (decisions.md, "Tokens, sessions, passwords"). It refuses with an *Fault
// when the database's chain is not the one that was sealed before.
func (a *Trail) Seal(ctx context.Context) error {
	for {
		began := time.Now()
		taken, err := a.sealOnce(ctx)
		if err != nil || taken < sealBatch {
			return err
		}
		// After an import 100 000 rows wait: reports that come meanwhile get three quarters of the writer.
		select {
		case <-time.After(3 * time.Since(began)):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// sealOnce closes one batch and answers how many rows it took.
func (a *Trail) sealOnce(ctx context.Context) (taken int, err error) {
	c := &a.chain
	c.mu.Lock()
	defer c.mu.Unlock()
	if idle, err := a.nothingToSeal(ctx); err != nil || idle {
		return 0, err
	}
	known := c.head
	if known == nil {
		if known, err = a.readHead(); err != nil {
			return 0, a.sealFailed(ctx, err)
		}
	}
	var next *fleet.AuditHead
	b := batch{mark: a.Store.AuditMark(), was: map[string]store.OpenAudit{}}
	err = a.Store.Write(ctx, func(tx *store.Tx) (err error) {
		next, err = a.sealBatch(ctx, tx, known, &b)
		return err
	})
	if err != nil {
		return 0, a.sealFailed(ctx, err)
	}
	a.Store.ForgetAudit(b.closed)
	if c.broken.Swap(nil) != nil {
		a.Log.Info("the audit's chain is again the one that was sealed")
	}
	a.noteRefused(ctx, &b)
	if c.head == nil {
		a.Log.Info("the audit goes on", "seal", next.No, "head", next.Hash, "head_was_kept", known != nil)
	}
	a.keepHead(next)
	return b.taken, nil
}

// batch is what one pass found among the rows that wait.
type batch struct {
	mark    int64 // what this process had committed before
	taken   int
	late    []fleet.AuditRow           // of a time that is sealed
	altered []string                   // ids of rows that are other than they were committed
	removed []string                   // ids that are gone
	closed  []string                   // ids that wait no longer
	was     map[string]store.OpenAudit // altered and removed ones as they were committed
}

// nothingToSeal is a look aside first: mostly nothing waits, the chain ends
// where it did, and then nobody should wait for a transaction.
func (a *Trail) nothingToSeal(ctx context.Context) (bool, error) {
	r, head := a.Store.Reader(), a.chain.head
	waiting, err := store.AuditOfSeal(ctx, r, 0, 1)
	if err != nil || len(waiting) > 0 || len(a.Store.OpenAuditUpTo(a.Store.AuditMark())) > 0 {
		return false, err
	}
	last, err := store.LastSeal(ctx, r)
	if err != nil {
		return false, err
	}
	if head == nil {
		return last.No == 0 && missingFile(a.HeadPath), nil
	}
	if last.No != head.No || last.Hash != head.Hash || a.Broken() != nil {
		return false, nil
	}
	if a.HeadPath != "" && !a.chain.kept {
		a.keepHead(head)
	}
	return true, nil
}

// sealBatch checks the chain, closes the rows that wait and answers the new head.
func (a *Trail) sealBatch(ctx context.Context, tx *store.Tx, known *fleet.AuditHead, b *batch) (*fleet.AuditHead, error) {
	last, err := store.LastSeal(ctx, tx)
	if err != nil {
		return nil, err
	}
	if known == nil {
		known, err = a.adoptHead(ctx, tx, last)
	} else if fault, e := a.compareHead(ctx, tx, *known); e != nil || fault != nil {
		err = e
		if fault != nil {
			err = fault
		}
	}
	if err != nil {
		return nil, err
	}
	waiting, err := store.AuditOfSeal(ctx, tx, 0, sealBatch)
	if err != nil {
		return nil, err
	}
	b.taken = len(waiting)
	rows, err := a.refuse(ctx, tx, waiting, b)
	if err != nil {
		return nil, err
	}
	first := known.First
	if len(rows) > 0 {
		last = fleet.SealBatch(a.sealKey(), last.No+1, a.now(), last.Hash, rows)
		if err := tx.SealAudit(ctx, rows); err != nil {
			return nil, err
		}
		if err := tx.InsertSeal(ctx, last); err != nil {
			return nil, err
		}
	}
	if last.No == 1 {
		first = last.Hash
	}
	return a.headOf(known.Database, first, last), nil
}

// refuse takes out the rows that somebody put in, took out of their seal or
// altered: those that must have been in the chain when nothing waited the last
// time, and those that are not as this process committed them. It notes which
// are gone. When the clock was set back, nothing can be said of the rows' times.
func (a *Trail) refuse(ctx context.Context, tx *store.Tx, waiting []fleet.AuditRow, b *batch) (rows []fleet.AuditRow, err error) {
	nothingWaited, err := store.LastShortSeal(ctx, tx, sealBatch)
	if err != nil {
		return nil, err
	}
	setBack := a.now() < nothingWaited
	there := map[string]bool{}
	for _, r := range waiting {
		there[r.ID] = true
		b.closed = append(b.closed, r.ID)
		switch was, known := a.Store.OpenAuditOf(r.ID); {
		case known && was.Sum == store.AuditSum(r):
			rows = append(rows, r)
			continue
		case known:
			b.altered = append(b.altered, r.ID)
			b.was[r.ID] = was
		case setBack || !r.LateFor(nothingWaited):
			rows = append(rows, r)
			continue
		default:
			b.late = append(b.late, r)
		}
		if err := tx.RefuseAudit(ctx, r.ID); err != nil {
			return nil, err
		}
	}
	if len(waiting) == sealBatch {
		return rows, nil // more wait: what is not among these may be among them
	}
	for id, was := range a.Store.OpenAuditUpTo(b.mark) {
		if there[id] {
			continue
		}
		is, err := store.AuditRowIsThere(ctx, tx, id)
		if err != nil {
			return nil, err
		}
		if b.closed = append(b.closed, id); !is {
			b.removed = append(b.removed, id)
			b.was[id] = was
		}
	}
	return rows, nil
}
