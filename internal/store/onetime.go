package store

import (
	"context"

	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
)

// OneTime is a secret that works once, for one purpose.
type OneTime struct {
	Hash      string // hexadecimal SHA-256
	Purpose   string // "setup", "unlock", …
	UserID    string // empty for setup
	CreatedAt fleet.Instant
	ExpiresAt fleet.Instant
	UsedAt    fleet.Instant
	Payload   string // what the purpose needs to remember, JSON or empty
}

var oneTimes = table[OneTime]{name: "one_time", columns: func(o *OneTime) []column {
	return []column{
		{"hash", &o.Hash, once}, {"purpose", &o.Purpose, once}, {"user_id", &o.UserID, once},
		{"created_at", &o.CreatedAt, once}, {"expires_at", &o.ExpiresAt, once}, {"used_at", &o.UsedAt, once},
		{"payload", &o.Payload, once},
	}
}}

var insertOneTime = oneTimes.inserts("")

// InsertOneTime stores a secret's hash.
func (tx *Tx) InsertOneTime(ctx context.Context, o OneTime) error {
	_, err := insertOneTime.run(ctx, tx, &o)
	return err
}

var oneTimeByHash = oneTimes.selects("WHERE hash = $1 AND purpose = $2")

// OneTimeByHash finds a secret of a purpose, a used or expired one too.
func OneTimeByHash(ctx context.Context, r Reader, hash, purpose string) (OneTime, error) {
	return oneTimeByHash.one(ctx, r, hash, purpose)
}

const useOneTime = `UPDATE one_time SET used_at = $1 WHERE hash = $2 AND purpose = $3 AND used_at = 0 AND expires_at > $4`

// UseOneTime consumes a secret; false when it is unknown, used or expired.
func (tx *Tx) UseOneTime(ctx context.Context, hash, purpose string, at fleet.Instant) (bool, error) {
	return engine.Changed(tx.ExecContext(ctx, useOneTime, int64(at), hash, purpose, int64(at)))
}

const dropOneTimes = `UPDATE one_time SET used_at = $1 WHERE purpose = $2 AND user_id = $3 AND used_at = 0`

// DropOneTimes makes a user's older secrets of a purpose useless: the newest kills the others.
func (tx *Tx) DropOneTimes(ctx context.Context, purpose, userID string, at fleet.Instant) error {
	_, err := tx.ExecContext(ctx, dropOneTimes, int64(at), purpose, userID)
	return err
}

const forgetOneTimes = `DELETE FROM one_time WHERE purpose = $1`

// ForgetOneTimes removes everybody's secrets for a purpose, with the data stored with them.
func (tx *Tx) ForgetOneTimes(ctx context.Context, purpose string) error {
	_, err := tx.ExecContext(ctx, forgetOneTimes, purpose)
	return err
}

var latestOneTime = oneTimes.selects(`WHERE purpose = $1 AND user_id = $2 AND used_at = 0 AND expires_at > $3
ORDER BY created_at DESC, hash LIMIT 1`)

// LatestOneTime finds a user's newest secret of a purpose that still works.
func LatestOneTime(ctx context.Context, r Reader, purpose, userID string, now fleet.Instant) (OneTime, error) {
	return latestOneTime.one(ctx, r, purpose, userID, int64(now))
}

const purgeOneTimes = `DELETE FROM one_time WHERE purpose = $1 AND expires_at < $2`

// PurgeOneTimes deletes secrets for a purpose that expired before an instant.
func (tx *Tx) PurgeOneTimes(ctx context.Context, purpose string, before fleet.Instant) error {
	_, err := tx.ExecContext(ctx, purgeOneTimes, purpose, int64(before))
	return err
}

const dropOneTime = `DELETE FROM one_time WHERE hash = $1`

// DropOneTime removes a secret that nobody shall have.
func (tx *Tx) DropOneTime(ctx context.Context, hash string) error {
	_, err := tx.ExecContext(ctx, dropOneTime, hash)
	return err
}
