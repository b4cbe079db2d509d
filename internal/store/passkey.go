package store

import (
	"context"

	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
)

// Passkey is a WebAuthn credential of a user.
type Passkey struct {
	ID         string // the credential's id, base64url without padding: unique among all users
	UserID     string
	Name       string
	Credential string // public key, flags and counter as JSON
	CreatedAt  fleet.Instant
	LastUsedAt fleet.Instant
}

var passkeys = table[Passkey]{name: "passkey", columns: func(p *Passkey) []column {
	return []column{
		{"id", &p.ID, once}, {"user_id", &p.UserID, once}, {"name", &p.Name, once},
		{"credential", &p.Credential, once}, {"created_at", &p.CreatedAt, once},
		{"last_used_at", &p.LastUsedAt, once},
	}
}}

var insertPasskey = passkeys.inserts("ON CONFLICT (id) DO NOTHING")

// InsertPasskey adds a credential; false when it belongs to somebody already.
func (tx *Tx) InsertPasskey(ctx context.Context, p Passkey) (bool, error) {
	return insertPasskey.run(ctx, tx, &p)
}

var passkeysOf = passkeys.selects("WHERE user_id = $1 ORDER BY created_at, id")

// PasskeysOf lists a user's credentials, oldest first.
func PasskeysOf(ctx context.Context, r Reader, userID string) ([]Passkey, error) {
	return passkeysOf.all(ctx, r, userID)
}

const usePasskey = `UPDATE passkey SET credential = $1, last_used_at = $2 WHERE id = $3 AND user_id = $4 AND credential = $5`

// UsePasskey stores the counter and flags after a use; false when the
// credential was used or removed meanwhile.
func (tx *Tx) UsePasskey(ctx context.Context, before Passkey, credential string, at fleet.Instant) (bool, error) {
	return engine.Changed(tx.ExecContext(ctx, usePasskey, credential, int64(at), before.ID, before.UserID, before.Credential))
}

const deletePasskey = `DELETE FROM passkey WHERE id = $1 AND user_id = $2`

// DeletePasskey removes a user's credential; false when there was none.
func (tx *Tx) DeletePasskey(ctx context.Context, id, userID string) (bool, error) {
	return engine.Changed(tx.ExecContext(ctx, deletePasskey, id, userID))
}

const deletePasskeys = `DELETE FROM passkey WHERE user_id = $1`

// DeletePasskeysOf removes all credentials of a user.
func (tx *Tx) DeletePasskeysOf(ctx context.Context, userID string) error {
	_, err := tx.ExecContext(ctx, deletePasskeys, userID)
	return err
}

const hasFactor = `SELECT (SELECT COUNT(*) FROM totp WHERE totp.user_id = $1 AND confirmed_at > 0)
+ (SELECT COUNT(*) FROM passkey WHERE passkey.user_id = $1)`

// HasFactor reports whether a user has an authenticator app or a passkey.
func HasFactor(ctx context.Context, r Reader, userID string) (bool, error) {
	var n int64
	err := r.QueryRowContext(ctx, hasFactor, userID).Scan(&n)
	return n > 0, err
}
