package store

import (
	"context"

	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
)

const setInvited = `UPDATE app_user SET invited_at = $1, version = version + 1, updated_at = $2 WHERE id = $3`

// SetInvited records when a user's last invitation was sent.
func (tx *Tx) SetInvited(ctx context.Context, userID string, at fleet.Instant) error {
	_, err := tx.ExecContext(ctx, setInvited, int64(at), int64(at), userID)
	return err
}

const insertPasswordHistory = `INSERT INTO password_history (user_id, at, hash) VALUES ($1, $2, $3)
ON CONFLICT (user_id, at) DO UPDATE SET hash = excluded.hash`

// RememberPassword stores the hash of a password that is being replaced; at is when it had been set, or the present when that is
// not known.
func (tx *Tx) RememberPassword(ctx context.Context, userID, hash string, at fleet.Instant) error {
	_, err := tx.ExecContext(ctx, insertPasswordHistory, userID, int64(at), hash)
	return err
}

const listPasswordHistory = `SELECT hash FROM password_history WHERE user_id = $1 ORDER BY at DESC LIMIT $2`

// PasswordHistory lists the hashes of a user's former passwords, newest first.
func PasswordHistory(ctx context.Context, r Reader, userID string, limit int) ([]string, error) {
	return engine.List(ctx, r, engine.Text, listPasswordHistory, userID, limit)
}

const trimPasswordHistory = `DELETE FROM password_history WHERE user_id = $1 AND at NOT IN
(SELECT at FROM password_history WHERE user_id = $1 ORDER BY at DESC LIMIT $2)`

// TrimPasswordHistory deletes all but a user's newest former passwords.
func (tx *Tx) TrimPasswordHistory(ctx context.Context, userID string, keep int) error {
	_, err := tx.ExecContext(ctx, trimPasswordHistory, userID, keep)
	return err
}

var expiringPasswords = users.selects(`WHERE deleted_at = 0 AND suspended = FALSE AND password_hash <> '' AND password_changed_at > $1
AND password_changed_at <= $2 AND password_notice_at <= password_changed_at ORDER BY password_changed_at, id LIMIT $3`)

// ExpiringPasswords lists the users whose password was set after one instant
// and not after another, and who have had no notice since.
func ExpiringPasswords(ctx context.Context, r Reader, after, until fleet.Instant, limit int) ([]fleet.User, error) {
	return expiringPasswords.all(ctx, r, int64(after), int64(until), limit)
}

const notePasswordNotice = `UPDATE app_user SET password_notice_at = $1 WHERE id = $2`

// NotePasswordNotice records that a user was notified of an expiring password.
func (tx *Tx) NotePasswordNotice(ctx context.Context, userID string, at fleet.Instant) error {
	_, err := tx.ExecContext(ctx, notePasswordNotice, int64(at), userID)
	return err
}
