package audit

import (
	"context"
	"encoding/json"
	"errors"

	"lightbar/internal/fleet"
	"lightbar/internal/secret"
	"lightbar/internal/store"
)

// pastName is the setting that keeps what earlier server keys sealed of the
// audit, itself sealed under the present key.
const (
	pastName    = "audit.past"
	pastPurpose = "lightbar audit past 1"
)

// Era is a stretch of the chain that was sealed under an earlier server key.
type Era struct {
	Fingerprint string `json:"fingerprint"` // of that server key
	Key         []byte `json:"key"`         // what its seals are computed with; it opens nothing else
	Last        int64  `json:"last"`        // its newest seal
	Hash        string `json:"hash"`        // of that seal

	// Of a key that was lost: when it was replaced, and the sums, made with Key, of what it had sealed until then.
	Lost  fleet.Instant `json:"lost,omitempty"`
	Marks []Mark        `json:"marks,omitempty"`
}

// past is what rotations of the server key bound. Who holds an earlier key
// can compute its seals, but none that ends in the hash that is kept here, and
// cannot write another one without the present key. The zero value is the past
// of a chain whose key was never rotated.
type past struct {
	Eras []Era           `json:"eras"` // oldest first
	Head fleet.AuditHead `json:"head"` // the chain as the newest rotation left it
}

// keyOf is what seal no is computed with.
func (p past) keyOf(no int64, present []byte) []byte {
	for _, e := range p.Eras {
		if no <= e.Last {
			return e.Key
		}
	}
	return present
}

// bound are the seals whose hashes rotations bound, by number.
func (p past) bound() map[int64]string {
	out := map[int64]string{p.Head.No: p.Head.Hash}
	for _, e := range p.Eras {
		out[e.Last] = e.Hash
	}
	return out
}

// readPast reads the past; a text that is not this key's is an *Fault.
func (a *Trail) readPast(ctx context.Context, r store.Reader) (p past, err error) {
	sealed, err := store.Setting(ctx, r, pastName)
	if errors.Is(err, store.ErrNotFound) || err == nil && sealed == "" {
		return p, nil
	}
	if err != nil {
		return p, err
	}
	name, err := store.Setting(ctx, r, databaseName)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return p, err
	}
	text, err := a.ServerKey.Open(pastPurpose, name, sealed)
	if err == nil {
		err = json.Unmarshal(text, &p)
	}
	if err != nil {
		return past{}, newFault(FaultSeals, "What the change of the server key bound of the audit (setting %s) was altered: "+
			"what earlier keys sealed cannot be checked.", pastName)
	}
	return p, nil
}

// mostBatches bounds what one rotation seals; the server does the rest.
const mostBatches = 40

// ErasWith are the eras up to now, that of this trail's key, which ends, among them.
func (a *Trail) ErasWith(ctx context.Context, tx *store.Tx) ([]Era, error) {
	past, err := a.readPast(ctx, tx)
	var fault *Fault
	if err != nil && !errors.As(err, &fault) { // a fault was named by the check before; what cannot be opened is lost
		return nil, err
	}
	last, err := store.LastSeal(ctx, tx)
	return append(past.Eras, Era{Fingerprint: a.ServerKey.Fingerprint(), Key: a.sealKey(), Last: last.No, Hash: last.Hash}), err
}

// BindPast seals what waits under this trail's key, which is new, and binds the
// chain as it stands by it. eras are those of earlier keys, as far as they are known.
func (a *Trail) BindPast(ctx context.Context, tx *store.Tx, eras []Era) error {
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
	text, err := json.Marshal(past{Eras: eras, Head: *head})
	if err != nil {
		return err
	}
	sealed, err := a.ServerKey.Seal(pastPurpose, head.Database, text)
	if err != nil {
		return err
	}
	return tx.PutSetting(ctx, pastName, sealed)
}

// Under is a trail of the same database under another server key.
func (a *Trail) Under(key secret.Key) *Trail {
	return &Trail{Store: a.Store, Log: a.Log, Now: a.Now, NewID: a.NewID, ServerKey: key, HeadPath: a.HeadPath, Alarm: a.Alarm}
}

// KeepRotatedHead writes the audit's head as the change to this trail's key left
// it, where the file is still of the earlier key. It may be called again. An
// *Fault says that the database was altered since.
func (a *Trail) KeepRotatedHead(ctx context.Context) error {
	if h, err := a.readHead(); err == nil && h != nil {
		return nil
	}
	past, err := a.readPast(ctx, a.Store.Reader())
	if err != nil || past.Head.No == 0 {
		return err
	}
	return store.WriteAuditHead(a.HeadPath, past.Head)
}
