package people

import (
	"context"
	"crypto/subtle"
	"errors"

	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/secret"
	"lightbar/internal/store"
)

// serverKeyName is the setting with the fingerprint of the key to which a database belongs.
const serverKeyName = "server_key.fingerprint"

// Why a database and a server key cannot be used together.
var (
	ErrKeyMissing = errors.New("app: the database belongs to a server key that is not there")
	ErrKeyForeign = errors.New("app: the database belongs to another server key")
)

// KeyFingerprint identifies a key for people without revealing anything of it.
func KeyFingerprint(key []byte) string { return secret.Key(key).Fingerprint() }

// WantedKey is the fingerprint of the key that a database belongs to, "" where none is noted.
func WantedKey(ctx context.Context, r store.Reader) (string, error) {
	have, err := store.Setting(ctx, r, serverKeyName)
	if errors.Is(err, store.ErrNotFound) {
		err = nil
	}
	return have, err
}

// sealsSince is the schema whose audit rows are sealed first.
const sealsSince = 2

// CheckServerKey compares a key (nil = there is none) with the database that it
// is to open: nil, ErrKeyMissing or ErrKeyForeign. A database from before
// fingerprints is judged by its newest seals. If nothing has been sealed yet
// any key will do, and if nobody was ever registered none is needed. It only
// reads, and reads schemas of every version.
func CheckServerKey(ctx context.Context, r store.Reader, schema int64, key []byte) error {
	have, err := store.Setting(ctx, r, serverKeyName)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return checkUnmarked(ctx, r, schema, key)
	case err != nil:
		return err
	case key == nil:
		return ErrKeyMissing
	case subtle.ConstantTimeCompare([]byte(have), []byte(secret.Key(key).Fingerprint())) != 1:
		return ErrKeyForeign
	}
	return nil
}

func checkUnmarked(ctx context.Context, r store.Reader, schema int64, key []byte) error {
	if key == nil {
		if any, err := store.AnyOrganization(ctx, r); err != nil || !any {
			return err
		}
		return ErrKeyMissing
	}
	if schema < sealsSince {
		return nil
	}
	if own, err := audit.IsSealedBy(ctx, r, key); err != nil || own {
		return err
	}
	return ErrKeyForeign
}

// KeepServerKey notes in the database which key it belongs to, where that is
// not noted yet; true when it did.
func (a *Accounts) KeepServerKey(ctx context.Context) (noted bool, err error) {
	_, err = store.Setting(ctx, a.Store.Reader(), serverKeyName)
	if !errors.Is(err, store.ErrNotFound) {
		return false, err
	}
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		return tx.PutSetting(ctx, serverKeyName, a.ServerKey.Fingerprint())
	})
	return err == nil, err
}

// ReplaceServerKey makes the database belong to this installation's key in place of one that was lost. The audit records it and
// continues under the new key (afterwards see KeepRotatedHead); the proof is what can be verified of the chain without its key.
// Data sealed with the lost key stays unreadable. Requires MANAGE_PLATFORM.
func (a *Accounts) ReplaceServerKey(ctx context.Context, actor *access.Actor) (proof audit.Proof, err error) {
	if err := actor.Must("MANAGE_PLATFORM"); err != nil {
		return proof, err
	}
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		lost, err := store.Setting(ctx, tx, serverKeyName)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
		var eras []audit.Era
		if eras, proof, err = a.Audit.EndLost(ctx, tx, lost); err != nil {
			return err
		}
		if err := tx.PutSetting(ctx, serverKeyName, a.ServerKey.Fingerprint()); err != nil {
			return err
		}
		after := map[string]any{"fingerprint": a.ServerKey.Fingerprint(), "rows_not_checkable": proof.Unchecked}
		if after["sessions_ended"], err = a.endDerived(ctx, tx); err != nil {
			return err
		}
		noteFaults(after, proof)
		row := audit.Row{Verb: "replace", Noun: "server_key", Before: map[string]string{"fingerprint": lost}, After: after}
		if err := a.Audit.Write(ctx, tx, actor, row); err != nil {
			return err
		}
		return a.Audit.BindPast(ctx, tx, eras)
	})
	return proof, err
}

// noteFaults adds to an audit row the faults that were found in the chain.
func noteFaults(after map[string]any, proof audit.Proof) {
	if faults := proof.Faults; len(faults) > 0 {
		after["audit_found"], after["audit_first"] = proof.Kinds(), faults[0].Text
	}
}
