package store

import (
	"context"
	"encoding/hex"
	"strings"
	"time"

	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
)

// shownKeys are keys without their hashes.
var shownKeys = table[fleet.Key]{name: "api_key", columns: func(k *fleet.Key) []column {
	return []column{
		{"id", &k.ID, once},
		{"organization_id", &k.OrganizationID, once},
		{"user_id", &k.UserID, once},
		{"description", &k.Description, once},
		{"prefix", &k.Prefix, once},
		{"scopes", asText{func() string { return strings.Join(k.Scopes, " ") }, func(text string) error {
			k.Scopes = strings.Fields(text)
			return nil
		}}, once},
		{"thing_id", &k.ThingID, once},
		{"created_at", &k.CreatedAt, once},
		{"expires_at", &k.ExpiresAt, once},
		{"last_used_at", &k.LastUsedAt, once},
		{"revoked_at", &k.RevokedAt, once},
		{"notice_at", &k.NoticeAt, once},
	}
}}

var keys = table[fleet.Key]{name: "api_key", columns: func(k *fleet.Key) []column {
	hash := asText{func() string { return hex.EncodeToString(k.Hash) }, func(text string) (err error) {
		k.Hash, err = hex.DecodeString(text)
		return err
	}}
	return append(shownKeys.columns(k), column{"hash", hash, once})
}}

var insertKey = keys.inserts("")

// InsertKey stores an API key; its hash as hexadecimal text.
func (tx *Tx) InsertKey(ctx context.Context, k fleet.Key) error {
	_, err := insertKey.run(ctx, tx, &k)
	return err
}

var keyByHash = keys.selects("WHERE hash = $1")

// KeyByHash finds a key by the SHA-256 of its secret, a revoked one too.
func KeyByHash(ctx context.Context, r Reader, hash []byte) (fleet.Key, error) {
	return keyByHash.one(ctx, r, hex.EncodeToString(hash))
}

var keyByID = keys.selects("WHERE id = $1")

// KeyByID finds a key.
func KeyByID(ctx context.Context, r Reader, id string) (fleet.Key, error) {
	return keyByID.one(ctx, r, id)
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

var keyRows = table[KeyRow]{
	noun:  "api_key",
	alias: "k",
	name:  "api_key k LEFT JOIN thing t ON t.id = k.thing_id LEFT JOIN app_user u ON u.id = k.user_id",
	columns: func(k *KeyRow) []column {
		return append(shownKeys.columns(&k.Key),
			column{"COALESCE(NULLIF(t.nickname, ''), t.system_name, '')", &k.ThingName, once},
			column{"COALESCE(CASE WHEN t.deleted_at = 0 THEN t.organization_id END, '')", &k.ThingOwner, once},
			column{"TRIM(COALESCE(u.first_name, '') || ' ' || COALESCE(u.last_name, ''))", &k.UserName, once})
	},
}

var keysOf = keyRows.selects(`WHERE k.organization_id = $1 AND (k.revoked_at = 0 OR k.revoked_at > $2)
ORDER BY k.created_at DESC, k.id DESC`)

// KeysOf lists an organization's keys, newest first, without those revoked
// before an instant. Hashes are not read.
func KeysOf(ctx context.Context, r Reader, organizationID string, revokedAfter fleet.Instant) ([]KeyRow, error) {
	return keysOf.all(ctx, r, organizationID, int64(revokedAfter))
}

var keyRowByID = keyRows.selects("WHERE k.id = $1")

// KeyRowByID reads one key as KeysOf does.
func KeyRowByID(ctx context.Context, r Reader, id string) (KeyRow, error) {
	return keyRowByID.one(ctx, r, id)
}

const revokeKeysOf = `UPDATE api_key SET revoked_at = $1 WHERE revoked_at = 0 AND (user_id = $2 OR organization_id = $3)`

// RevokeKeysOf ends all keys of a user, or of an organization (either may be empty), and returns how many were valid until now.
// Keys made on the server itself have no user.
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
	return engine.Changed(tx.ExecContext(ctx, revokeKey, int64(at), id))
}

const touchKey = `UPDATE api_key SET last_used_at = $1 WHERE id = $2`

// TouchKey notes the use of a key.
func (tx *Tx) TouchKey(ctx context.Context, id string, at fleet.Instant) error {
	_, err := tx.ExecContext(ctx, touchKey, int64(at), id)
	return err
}

const countEndingKeys = `SELECT COUNT(*) FROM api_key WHERE revoked_at = 0 AND expires_at > $1 AND expires_at <= $2`

// CountEndingKeys counts the keys that work and end after one instant and at most at another.
func CountEndingKeys(ctx context.Context, r Reader, now, until fleet.Instant) (n int64, err error) {
	err = r.QueryRowContext(ctx, countEndingKeys, int64(now), int64(until)).Scan(&n)
	return n, engine.Classify(err)
}

var keysToTellOf = shownKeys.selects(`WHERE revoked_at = 0 AND expires_at > $1 AND (
	expires_at <= $2 AND created_at <= expires_at - $3 AND notice_at < expires_at - $3
	OR expires_at <= $4 AND created_at <= expires_at - $5 AND notice_at < expires_at - $5)
ORDER BY organization_id, expires_at, id LIMIT $6`)

// KeysToTellOf lists, by organization and without hashes, the keys that end within one of two times from now, were made before that
// time began, and about which no notice was sent since it began.
func KeysToTellOf(ctx context.Context, r Reader, now fleet.Instant, first, last time.Duration, limit int) ([]fleet.Key, error) {
	return keysToTellOf.all(ctx, r, int64(now), int64(now.Add(first)), first.Milliseconds(), int64(now.Add(last)), last.Milliseconds(), limit)
}

const noteKeyNotice = `UPDATE api_key SET notice_at = $1 WHERE id = $2 AND revoked_at = 0 AND notice_at = $3`

// NoteKeyNotice records that a notice about a key's end was sent; false when it was revoked, or a notice was sent, since it was
// read.
func (tx *Tx) NoteKeyNotice(ctx context.Context, k *fleet.Key, at fleet.Instant) (bool, error) {
	return engine.Changed(tx.ExecContext(ctx, noteKeyNotice, int64(at), k.ID, int64(k.NoticeAt)))
}

const thingOrganization = `SELECT organization_id FROM thing WHERE id = $1 AND deleted_at = 0`

// OrganizationOfThing returns the owner of an asset that has not been removed.
func OrganizationOfThing(ctx context.Context, r Reader, thingID string) (id string, err error) {
	err = r.QueryRowContext(ctx, thingOrganization, thingID).Scan(&id)
	return id, engine.OrNotFound(err)
}
