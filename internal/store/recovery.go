package store

import (
	"context"

	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
)

const (
	deleteRecoveryCodes = `DELETE FROM recovery_code WHERE user_id = $1`
	insertRecoveryCode  = `INSERT INTO recovery_code (user_id, hash, used_at) VALUES ($1, $2, 0)`
)

// PutRecoveryCodes replaces a user's recovery codes; no hashes removes them all.
func (tx *Tx) PutRecoveryCodes(ctx context.Context, userID string, hashes []string) error {
	if _, err := tx.ExecContext(ctx, deleteRecoveryCodes, userID); err != nil {
		return err
	}
	for _, h := range hashes {
		if _, err := tx.ExecContext(ctx, insertRecoveryCode, userID, h); err != nil {
			return err
		}
	}
	return nil
}

const useRecoveryCode = `UPDATE recovery_code SET used_at = $1 WHERE user_id = $2 AND hash = $3 AND used_at = 0`

// UseRecoveryCode consumes a code; false when it is unknown or used.
func (tx *Tx) UseRecoveryCode(ctx context.Context, userID, hash string, at fleet.Instant) (bool, error) {
	return engine.Changed(tx.ExecContext(ctx, useRecoveryCode, int64(at), userID, hash))
}

const countRecoveryCodes = `SELECT COUNT(*) FROM recovery_code WHERE user_id = $1 AND used_at = 0`

// RecoveryCodesLeft counts a user's unused codes.
func RecoveryCodesLeft(ctx context.Context, r Reader, userID string) (n int, err error) {
	err = r.QueryRowContext(ctx, countRecoveryCodes, userID).Scan(&n)
	return n, err
}
