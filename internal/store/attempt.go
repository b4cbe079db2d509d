package store

import (
	"context"
	"database/sql"

	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
)

const insertAttempt = `INSERT INTO sign_in_attempt (account, network, at, id) VALUES ($1, $2, $3, $4)`

// InsertAttempt records one wrong password. Account is a user id or a digest of what was typed.
func (tx *Tx) InsertAttempt(ctx context.Context, account, network string, at fleet.Instant, id string) error {
	_, err := tx.ExecContext(ctx, insertAttempt, account, network, int64(at), id)
	return err
}

// Attempt is one wrong password.
type Attempt struct {
	Network string
	At      fleet.Instant
}

const listAttempts = `SELECT network, at FROM sign_in_attempt WHERE account = $1 AND at > $2 ORDER BY at DESC LIMIT 1000`

// AttemptsSince lists the wrong passwords of an account after an instant, newest first.
func AttemptsSince(ctx context.Context, r Reader, account string, after fleet.Instant) ([]Attempt, error) {
	return engine.List(ctx, r, func(rows *sql.Rows) (a Attempt, err error) {
		err = rows.Scan(&a.Network, &a.At)
		return a, err
	}, listAttempts, account, int64(after))
}

const clearAttempts = `DELETE FROM sign_in_attempt WHERE account = $1 AND network = $2`

// ClearAttempts deletes the wrong passwords of an account from one network.
func (tx *Tx) ClearAttempts(ctx context.Context, account, network string) error {
	_, err := tx.ExecContext(ctx, clearAttempts, account, network)
	return err
}

const clearAccountAttempts = `DELETE FROM sign_in_attempt WHERE account = $1`

// ClearAccountAttempts deletes all wrong passwords of an account.
func (tx *Tx) ClearAccountAttempts(ctx context.Context, account string) error {
	_, err := tx.ExecContext(ctx, clearAccountAttempts, account)
	return err
}

const purgeAttempts = `DELETE FROM sign_in_attempt WHERE at < $1`

// PurgeAttempts deletes what no limit counts any more.
func (tx *Tx) PurgeAttempts(ctx context.Context, before fleet.Instant) error {
	_, err := tx.ExecContext(ctx, purgeAttempts, int64(before))
	return err
}

const insertKnownDevice = `INSERT INTO known_device (hash, user_id, created_at) VALUES ($1, $2, $3) ON CONFLICT (hash) DO NOTHING`

// InsertKnownDevice remembers a device a user has signed in from.
func (tx *Tx) InsertKnownDevice(ctx context.Context, hash, userID string, at fleet.Instant) error {
	_, err := tx.ExecContext(ctx, insertKnownDevice, hash, userID, int64(at))
	return err
}

const getKnownDevice = `SELECT user_id FROM known_device WHERE hash = $1 AND created_at > $2`

// IsKnownDevice reports whether the user signed in from this device after an instant.
func IsKnownDevice(ctx context.Context, r Reader, hash, userID string, after fleet.Instant) (bool, error) {
	var id string
	err := engine.OrNotFound(r.QueryRowContext(ctx, getKnownDevice, hash, int64(after)).Scan(&id))
	if err == ErrNotFound {
		return false, nil
	}
	return err == nil && id == userID, err
}
