package store

import (
	"context"
	"database/sql"
	"encoding/hex"
	"strings"

	"lightbar/internal/fleet"
)

const keyColumns = `id, organization_id, user_id, description, hash, prefix, scopes, thing_id, created_at, expires_at, last_used_at, revoked_at`

const insertKey = `INSERT INTO api_key (` + keyColumns + `) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`

// InsertKey stores an API key; its hash as hexadecimal text.
func (tx *Tx) InsertKey(ctx context.Context, k fleet.Key) error {
	_, err := tx.ExecContext(ctx, insertKey, k.ID, k.OrganizationID, k.UserID, k.Description, hex.EncodeToString(k.Hash), k.Prefix, strings.Join(k.Scopes, " "), k.ThingID,
		int64(k.CreatedAt), int64(k.ExpiresAt), int64(k.LastUsedAt), int64(k.RevokedAt))
	return err
}

func scanKey(scan func(...any) error) (k fleet.Key, err error) {
	var hash, scopes string
	if err = scan(&k.ID, &k.OrganizationID, &k.UserID, &k.Description, &hash, &k.Prefix, &scopes, &k.ThingID, &k.CreatedAt, &k.ExpiresAt,
		&k.LastUsedAt, &k.RevokedAt); err != nil {
		return k, orNotFound(err)
	}
	k.Scopes = strings.Fields(scopes)
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

const countKeysOf = `SELECT COUNT(*) FROM api_key WHERE user_id = $1 AND revoked_at = 0 AND (expires_at = 0 OR expires_at > $2)`

// CountKeysOf counts the keys a user has made that have neither been revoked nor expired.
func CountKeysOf(ctx context.Context, r Reader, userID string, now fleet.Instant) (n int64, err error) {
	err = r.QueryRowContext(ctx, countKeysOf, userID, int64(now)).Scan(&n)
	return n, err
}

// KeyRow is a key with the names of its asset and of the user who made it.
type KeyRow struct {
	fleet.Key
	ThingName  string // nickname, else system name
	ThingOwner string // the asset's organization, "" when the asset has been removed
	UserName   string
}

const keyRows = `SELECT k.id, k.organization_id, k.user_id, k.description, k.prefix, k.scopes, k.thing_id, k.created_at, k.expires_at, k.last_used_at,
k.revoked_at, COALESCE(NULLIF(t.nickname, ''), t.system_name, ''), COALESCE(CASE WHEN t.deleted_at = 0 THEN t.organization_id END, ''), COALESCE(u.first_name, ''), COALESCE(u.last_name, '')
FROM api_key k LEFT JOIN thing t ON t.id = k.thing_id LEFT JOIN app_user u ON u.id = k.user_id`

func scanKeyRow(scan func(...any) error) (k KeyRow, err error) {
	var first, last, scopes string
	err = scan(&k.ID, &k.OrganizationID, &k.UserID, &k.Description, &k.Prefix, &scopes, &k.ThingID, &k.CreatedAt, &k.ExpiresAt, &k.LastUsedAt,
		&k.RevokedAt, &k.ThingName, &k.ThingOwner, &first, &last)
	k.Scopes, k.UserName = strings.Fields(scopes), strings.TrimSpace(first+" "+last)
	return k, orNotFound(err)
}

const keysOf = keyRows + ` WHERE k.organization_id = $1 AND (k.revoked_at = 0 OR k.revoked_at > $2) ORDER BY k.created_at DESC, k.id DESC`

// KeysOf lists an organization's keys, newest first, without those revoked
// before an instant. Hashes are not read.
func KeysOf(ctx context.Context, r Reader, organizationID string, revokedAfter fleet.Instant) ([]KeyRow, error) {
	rows, err := r.QueryContext(ctx, keysOf, organizationID, int64(revokedAfter))
	if err != nil {
		return nil, err
	}
	return collect(rows, func(rows *sql.Rows) (KeyRow, error) { return scanKeyRow(rows.Scan) })
}

const keyRowByID = keyRows + ` WHERE k.id = $1`

// KeyRowByID reads one key as KeysOf does.
func KeyRowByID(ctx context.Context, r Reader, id string) (KeyRow, error) {
	return scanKeyRow(r.QueryRowContext(ctx, keyRowByID, id).Scan)
}

const revokeKeysOf = `UPDATE api_key SET revoked_at = $1 WHERE revoked_at = 0 AND (user_id = $2 OR organization_id = $3)`

// RevokeKeysOf ends all keys of a user, or of an organization (either may be
// empty), and answers how many worked until now. Keys made on the server itself have no user.
func (tx *Tx) RevokeKeysOf(ctx context.Context, userID, organizationID string, at fleet.Instant) (int64, error) {
	if userID == "" {
		userID = "-"
	}
	res, err := tx.ExecContext(ctx, revokeKeysOf, int64(at), userID, organizationID)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
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
