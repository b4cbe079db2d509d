package store

import (
	"context"

	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
)

const userOfIdentity = `SELECT user_id FROM identity WHERE issuer = $1 AND subject = $2`

// UserOfIdentity finds the user whom a provider's subject was bound to, a removed one too.
func UserOfIdentity(ctx context.Context, r Reader, issuer, subject string) (userID string, err error) {
	err = r.QueryRowContext(ctx, userOfIdentity, issuer, subject).Scan(&userID)
	return userID, engine.OrNotFound(err)
}

const issuersOfUser = `SELECT DISTINCT issuer FROM identity WHERE user_id = $1 ORDER BY issuer`

// IssuersOfUser lists the providers that know a user.
func IssuersOfUser(ctx context.Context, r Reader, userID string) ([]string, error) {
	return engine.List(ctx, r, engine.Text, issuersOfUser, userID)
}

const insertIdentity = `INSERT INTO identity (issuer, subject, user_id, created_at, last_used_at) VALUES ($1, $2, $3, $4, $5)`

// InsertIdentity binds a provider's subject to a user, for good.
func (tx *Tx) InsertIdentity(ctx context.Context, issuer, subject, userID string, at fleet.Instant) error {
	_, err := tx.ExecContext(ctx, insertIdentity, issuer, subject, userID, int64(at), int64(at))
	return err
}

const touchIdentity = `UPDATE identity SET last_used_at = $1 WHERE issuer = $2 AND subject = $3`

// TouchIdentity notes a sign-in.
func (tx *Tx) TouchIdentity(ctx context.Context, issuer, subject string, at fleet.Instant) error {
	_, err := tx.ExecContext(ctx, touchIdentity, int64(at), issuer, subject)
	return err
}

const placeUser = `UPDATE app_user SET organization_id = $1, role_id = $2, version = version + 1, updated_at = $3 WHERE id = $4`

// PlaceUser moves a user to an organization and a role.
func (tx *Tx) PlaceUser(ctx context.Context, userID, organizationID, roleID string, at fleet.Instant) error {
	_, err := tx.ExecContext(ctx, placeUser, organizationID, roleID, int64(at), userID)
	return err
}

const shutOutUser = `UPDATE app_user SET suspended = TRUE, shut_out = TRUE, version = version + 1, updated_at = $1
WHERE id = $2 AND NOT suspended AND NOT break_glass AND deleted_at = 0`

// ShutOutUser suspends a user because of the provider's answer; false for break-glass users and users who were already suspended.
func (tx *Tx) ShutOutUser(ctx context.Context, userID string, at fleet.Instant) (bool, error) {
	return engine.Changed(tx.ExecContext(ctx, shutOutUser, int64(at), userID))
}

const letInUser = `UPDATE app_user SET suspended = FALSE, shut_out = FALSE, version = version + 1, updated_at = $1
WHERE id = $2 AND shut_out`

// LetInUser lifts what ShutOutUser did; false when somebody else has suspended the user.
func (tx *Tx) LetInUser(ctx context.Context, userID string, at fleet.Instant) (bool, error) {
	return engine.Changed(tx.ExecContext(ctx, letInUser, int64(at), userID))
}

const setBreakGlass = `UPDATE app_user SET break_glass = $1, version = version + 1, updated_at = $2 WHERE id = $3`

// SetUserBreakGlass lets a user sign in by password where the provider is the way in.
func (tx *Tx) SetUserBreakGlass(ctx context.Context, userID string, on bool, at fleet.Instant) error {
	_, err := tx.ExecContext(ctx, setBreakGlass, on, int64(at), userID)
	return err
}
