package store

import (
	"context"
	"encoding/hex"

	"lightbar/internal/fleet"
)

const keyColumns = `id, organization_id, user_id, description, hash, prefix, scope, thing_id, created_at, expires_at, last_used_at, revoked_at`

const insertKey = `INSERT INTO api_key (` + keyColumns + `) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`

// InsertKey stores an API key; its hash as hexadecimal text.
func (tx *Tx) InsertKey(ctx context.Context, k fleet.Key) error {
	_, err := tx.ExecContext(ctx, insertKey, k.ID, k.OrganizationID, k.UserID, k.Description, hex.EncodeToString(k.Hash), k.Prefix, k.Scope, k.ThingID,
		int64(k.CreatedAt), int64(k.ExpiresAt), int64(k.LastUsedAt), int64(k.RevokedAt))
	return err
}

func scanKey(scan func(...any) error) (k fleet.Key, err error) {
	var hash string
	if err = scan(&k.ID, &k.OrganizationID, &k.UserID, &k.Description, &hash, &k.Prefix, &k.Scope, &k.ThingID, &k.CreatedAt, &k.ExpiresAt,
		&k.LastUsedAt, &k.RevokedAt); err != nil {
		return k, orNotFound(err)
	}
	k.Hash, err = hex.DecodeString(hash)
	return k, err
}

const getKeyByHash = `SELECT ` + keyColumns + ` FROM api_key WHERE hash = $1`

// KeyByHash finds a key by the SHA-256 of its secret, a revoked one too.
func KeyByHash(ctx context.Context, r Reader, hash []byte) (fleet.Key, error) {
	return scanKey(r.QueryRowContext(ctx, getKeyByHash, hex.EncodeToString(hash)).Scan)
}

const getKey = `SELECT ` + keyColumns + ` FROM api_key WHERE id = $1`

// KeyByID finds a key.
func KeyByID(ctx context.Context, r Reader, id string) (fleet.Key, error) {
	return scanKey(r.QueryRowContext(ctx, getKey, id).Scan)
}

const countKeysOf = `SELECT COUNT(*) FROM api_key WHERE user_id = $1 AND revoked_at = 0`

// CountKeysOf counts the keys a user has made and that still work.
func CountKeysOf(ctx context.Context, r Reader, userID string) (n int64, err error) {
	err = r.QueryRowContext(ctx, countKeysOf, userID).Scan(&n)
	return n, err
}

const revokeKey = `UPDATE api_key SET revoked_at = $1 WHERE id = $2 AND revoked_at = 0`

// RevokeKey ends a key; false when it had ended before.
func (tx *Tx) RevokeKey(ctx context.Context, id string, at fleet.Instant) (bool, error) {
	return changed(tx.ExecContext(ctx, revokeKey, int64(at), id))
}

const touchKey = `UPDATE api_key SET last_used_at = $1 WHERE id = $2`

// TouchKey notes the use of a key.
func (tx *Tx) TouchKey(ctx context.Context, id string, at fleet.Instant) error {
	_, err := tx.ExecContext(ctx, touchKey, int64(at), id)
	return err
}

const thingOrganization = `SELECT organization_id FROM thing WHERE id = $1 AND deleted_at = 0`

// OrganizationOfThing tells who owns an asset that has not been removed.
func OrganizationOfThing(ctx context.Context, r Reader, thingID string) (id string, err error) {
	err = r.QueryRowContext(ctx, thingOrganization, thingID).Scan(&id)
	return id, orNotFound(err)
}
