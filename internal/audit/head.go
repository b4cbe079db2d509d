package audit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
)

// The kinds of what a check of the audit finds, as `audit verify` names them.
const (
	FaultAltered   = "rows altered"
	FaultMoved     = "rows moved"
	FaultRemoved   = "rows removed"
	FaultPutIn     = "rows put in"
	FaultSeals     = "seals removed or altered"
	FaultRewritten = "chain rewritten"
	FaultCut       = "end cut off"
	FaultNoHead    = "head missing"
	FaultHead      = "head altered"
	FaultDatabase  = "head of another database"
)

// Fault is one thing that a check of the audit found.
type Fault struct {
	Kind string // one of the kinds above
	Text string // one sentence
}

// Error is the sentence.
func (f *Fault) Error() string { return f.Text }

func newFault(kind, format string, args ...any) *Fault {
	return &Fault{Kind: kind, Text: fmt.Sprintf(format, args...)}
}

// databaseName is the setting that names the database whose chain a head is of.
const databaseName = "audit.database"

// chain is what the process knows of the chain beside the database.
type chain struct {
	mu     sync.Mutex
	head   *fleet.AuditHead // nil until the first look
	kept   bool             // the file holds head
	broken atomic.Pointer[Fault]
	told   map[string]fleet.Instant // when letters of a kind were sent

	refused atomic.Int64
}

// Broken is why nothing is sealed; nil while the chain is the one that was sealed.
func (a *Trail) Broken() *Fault { return a.chain.broken.Load() }

// Refused counts the rows that were put in, altered or removed before they were sealed.
func (a *Trail) Refused() int64 { return a.chain.refused.Load() }

// missingFile tells that no head is kept in a file.
func missingFile(path string) bool {
	if path == "" {
		return true
	}
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// readHead reads the head from its file; nil when there is none.
func (a *Trail) readHead() (*fleet.AuditHead, error) {
	if a.HeadPath == "" {
		return nil, nil
	}
	h, err := store.ReadAuditHead(a.HeadPath)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return nil, nil
	case err != nil:
		return nil, err
	case h.MAC != h.Sum(a.sealKey()):
		return nil, newFault(FaultHead, "%s is not what a server with this key wrote: it was altered, or it is of another installation.",
			a.HeadPath)
	}
	return &h, nil
}

// keepHead writes the head that the database has committed. A full disk must
// not stop the sealing: then the file lags behind, and is written later.
func (a *Trail) keepHead(h *fleet.AuditHead) {
	c := &a.chain
	if c.head = h; a.HeadPath == "" {
		return
	}
	err := store.WriteAuditHead(a.HeadPath, *h)
	if err != nil && c.kept {
		a.Log.Warn("the audit's head could not be written beside the database; it is tried again", "file", a.HeadPath, "error", err)
	}
	c.kept = err == nil
}

// headOf makes the head of a chain whose newest seal is last.
func (a *Trail) headOf(database, first string, last fleet.Seal) *fleet.AuditHead {
	h := fleet.AuditHead{No: last.No, Hash: last.Hash, At: last.At, First: first, Database: database}
	h.MAC = h.Sum(a.sealKey())
	return &h
}

// headAsItStands makes the head of the chain whose newest seal is last, and a
// name for a database that has none (named tells).
func (a *Trail) headAsItStands(ctx context.Context, tx *store.Tx, last fleet.Seal) (h *fleet.AuditHead, named bool, err error) {
	name, err := store.Setting(ctx, tx, databaseName)
	named = err == nil
	if errors.Is(err, store.ErrNotFound) {
		name = a.NewID()
		err = tx.PutSetting(ctx, databaseName, name)
	}
	if err != nil {
		return nil, named, err
	}
	first, err := store.SealsAfter(ctx, tx, 0, 1)
	if err != nil {
		return nil, named, err
	}
	if len(first) == 0 {
		return a.headOf(name, "", last), named, nil
	}
	return a.headOf(name, first[0].Hash, last), named, nil
}

// adoptHead takes the chain as it stands for the one to go on with, where no
// head was kept: in a new installation, after an upgrade, on another machine,
// or when somebody took the file away. It must hold what a rotation of the key
// bound. It leaves a row unless all is new.
func (a *Trail) adoptHead(ctx context.Context, tx *store.Tx, last fleet.Seal) (*fleet.AuditHead, error) {
	past, err := a.readPast(ctx, tx)
	if err != nil {
		return nil, err
	}
	if past.Head.No > 0 {
		if fault, err := a.compareHead(ctx, tx, past.Head); err != nil || fault != nil {
			return nil, cmp.Or[error](err, fault)
		}
	}
	h, named, err := a.headAsItStands(ctx, tx, last)
	if err != nil || !named && last.No == 0 {
		return h, err
	}
	return h, a.Write(ctx, tx, access.System(), Row{Verb: "adopt", Noun: "audit_head",
		After: map[string]any{"no": last.No, "hash": last.Hash, "head_was_missing": named}})
}

// compareHead reports whether the chain in the database holds the head: it may
// be longer (a crash before the file was written, another machine's turn), but
// then it must lead there, and its newest seal be made with this key. nil = it does.
func (a *Trail) compareHead(ctx context.Context, r store.Reader, h fleet.AuditHead) (*Fault, error) {
	newest, fault, err := a.leadsTo(ctx, r, h)
	if err != nil || fault != nil || newest.No == h.No {
		return fault, err
	}
	rows, err := store.AuditOfSeal(ctx, r, newest.No, sealRows)
	if err != nil {
		return nil, err
	}
	if fleet.SealBatch(a.sealKey(), newest.No, newest.At, newest.Previous, rows).Hash != newest.Hash {
		return newFault(FaultSeals, "Seal %d is newer than the newest that this server made (%d), and does not match its rows.", newest.No,
			h.No), nil
	}
	return nil, nil
}

// leadsTo reports whether the chain holds the head and leads from there to its newest seal, which it answers. It needs no key.
func (a *Trail) leadsTo(ctx context.Context, r store.Reader, h fleet.AuditHead) (last fleet.Seal, fault *Fault, err error) {
	name, err := store.Setting(ctx, r, databaseName)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return last, nil, err
	}
	if name != h.Database {
		return last, newFault(FaultDatabase, "The audit's head is of the database %s, and this one is %s: they do not belong together.",
			h.Database, orUnnamed(name)), nil
	}
	last, err = store.LastSeal(ctx, r)
	if err != nil || last.No == h.No && last.Hash == h.Hash {
		return last, nil, err
	}
	if h.No == 0 {
		return fleet.Seal{}, nil, nil // nothing was sealed, so any chain leads on from there
	}
	before, met := h.No-1, false
	previous := h.Hash
	for before < last.No {
		seals, err := store.SealsAfter(ctx, r, before, 500)
		if err != nil {
			return last, nil, err
		}
		if len(seals) == 0 {
			break
		}
		for _, s := range seals {
			switch {
			case s.No == h.No && s.Hash == h.Hash:
				met = true
			case !met:
				fault, err = a.whatBefell(ctx, r, h, last)
				return last, fault, err
			case s.No != before+1 || s.Previous != previous:
				return last, newFault(FaultSeals, "The seals after %d, the newest that this server made, do not follow each other: "+
					"seal %d was put in or altered.", h.No, s.No), nil
			}
			before, previous = s.No, s.Hash
		}
	}
	if !met {
		fault, err = a.whatBefell(ctx, r, h, last)
	}
	return last, fault, err
}

// whatBefell names what became of a chain that lacks the head.
func (a *Trail) whatBefell(ctx context.Context, r store.Reader, h fleet.AuditHead, last fleet.Seal) (*Fault, error) {
	first, err := store.SealsAfter(ctx, r, 0, 1)
	if err != nil {
		return nil, err
	}
	highest, err := store.HighestSealOfRows(ctx, r)
	sealed := fmt.Sprintf("this server sealed %d batches up to %s", h.No, h.At)
	switch {
	case err != nil:
		return nil, err
	case len(first) == 0 && highest > 0:
		return newFault(FaultSeals, "The database has no seals, and %s, which its rows still name: the seals were deleted.", sealed), nil
	case len(first) == 0:
		return newFault(FaultRewritten, "The chain in the database is not the one this server sealed: %s, "+
			"and the database has no seal at all.", sealed), nil
	case first[0].No != 1:
		return newFault(FaultSeals, "The database begins with seal %d, and %s: the seals before it were deleted.", first[0].No, sealed), nil
	case first[0].Hash != h.First:
		return newFault(FaultRewritten, "The chain in the database is not the one this server sealed: %s, "+
			"and the chain in the database was begun anew on %s.", sealed, first[0].At), nil
	case last.No < h.No:
		return newFault(FaultCut, "The end was cut off: %s, and the database ends with seal %d of %s. It is older than what was sealed: "+
			"an old copy, or rows and seals were deleted.", sealed, last.No, last.At), nil
	}
	return newFault(FaultRewritten, "The chain in the database is not the one this server sealed: "+
		"seal %d is missing there or has another hash.", h.No), nil
}

func orUnnamed(name string) string {
	if name == "" {
		return "without a name"
	}
	return name
}
