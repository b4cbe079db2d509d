package app

import (
	"context"
	"encoding/json"
	"errors"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
)

// auditPastName is the setting that keeps what earlier server keys sealed of the
// audit, itself sealed under the present key.
const (
	auditPastName    = "audit.past"
	auditPastPurpose = "lightbar audit past 1"
)

// auditEra is a stretch of the chain that was sealed under an earlier server key.
type auditEra struct {
	Fingerprint string `json:"fingerprint"` // of that server key
	Key         []byte `json:"key"`         // what its seals are computed with; it opens nothing else
	Last        int64  `json:"last"`        // its newest seal
	Hash        string `json:"hash"`        // of that seal
}

// auditPast is what rotations of the server key bound. Who holds an earlier key
// can compute its seals, but none that ends in the hash that is kept here, and
// cannot write another one without the present key. The zero value is the past
// of a chain whose key was never rotated.
type auditPast struct {
	Eras []auditEra      `json:"eras"` // oldest first
	Head fleet.AuditHead `json:"head"` // the chain as the newest rotation left it
}

// keyOf is what seal no is computed with.
func (p auditPast) keyOf(no int64, present []byte) []byte {
	for _, e := range p.Eras {
		if no <= e.Last {
			return e.Key
		}
	}
	return present
}

// bound are the seals whose hashes rotations bound, by number.
func (p auditPast) bound() map[int64]string {
	out := map[int64]string{p.Head.No: p.Head.Hash}
	for _, e := range p.Eras {
		out[e.Last] = e.Hash
	}
	return out
}

// auditPast reads the past; a text that is not this key's is an *AuditFault.
func (a *App) auditPast(ctx context.Context, r store.Reader) (p auditPast, err error) {
	sealed, err := store.Setting(ctx, r, auditPastName)
	if errors.Is(err, store.ErrNotFound) || err == nil && sealed == "" {
		return p, nil
	}
	if err != nil {
		return p, err
	}
	name, err := store.Setting(ctx, r, auditDatabase)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return p, err
	}
	text, err := a.ServerKey.Open(auditPastPurpose, name, sealed)
	if err == nil {
		err = json.Unmarshal(text, &p)
	}
	if err != nil {
		return auditPast{}, auditFault(FaultSeals, "What the change of the server key bound of the audit (setting %s) was altered: what earlier keys sealed cannot be checked.", auditPastName)
	}
	return p, nil
}

// mostBatches bounds what one rotation seals; the server does the rest.
const mostBatches = 40

// erasWith are the eras up to now, that of this App's key, which ends, among them.
func (a *App) erasWith(ctx context.Context, tx *store.Tx) ([]auditEra, error) {
	past, err := a.auditPast(ctx, tx)
	var fault *AuditFault
	if err != nil && !errors.As(err, &fault) { // a fault was named by the check before; what cannot be opened is lost
		return nil, err
	}
	last, err := store.LastSeal(ctx, tx)
	return append(past.Eras, auditEra{Fingerprint: a.ServerKey.Fingerprint(), Key: a.sealKey(), Last: last.No, Hash: last.Hash}), err
}

// bindPast seals what waits under this App's key, which is new, and binds the
// chain as it stands by it. eras are those of earlier keys, as far as they are known.
func (a *App) bindPast(ctx context.Context, tx *store.Tx, eras []auditEra) error {
	last, err := store.LastSeal(ctx, tx)
	if err != nil {
		return err
	}
	head, _, err := a.headAsItStands(ctx, tx, last)
	if err != nil {
		return err
	}
	for range mostBatches {
		b := batch{mark: a.Store.AuditMark(), was: map[string]store.OpenAudit{}}
		if head, err = a.sealBatch(ctx, tx, head, &b); err != nil {
			return err
		}
		if b.taken < sealBatch {
			break
		}
	}
	text, err := json.Marshal(auditPast{Eras: eras, Head: *head})
	if err != nil {
		return err
	}
	sealed, err := a.ServerKey.Seal(auditPastPurpose, head.Database, text)
	if err != nil {
		return err
	}
	return tx.PutSetting(ctx, auditPastName, sealed)
}
