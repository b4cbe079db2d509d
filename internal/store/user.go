package store

import (
	"context"

	"lightbar/internal/fleet"
)

const userColumns = `id, organization_id, email, email_key, first_name, last_name, phone, address1, address2, city, state, postal_code, country_code,
role_id, password_hash, password_changed_at, suspended, awareness, sign_in_count, last_sign_in_at, version, updated_at, deleted_at,
break_glass, invited_at, password_notice_at`

const insertUser = `INSERT INTO app_user (` + userColumns + `)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26)`

// InsertUser adds a person. EmailKey is unique among those not removed: look
// with UserByEmailKey in the same transaction first.
func (tx *Tx) InsertUser(ctx context.Context, u fleet.User) error {
	_, err := tx.ExecContext(ctx, insertUser, u.ID, u.OrganizationID, u.Email, u.EmailKey, u.FirstName, u.LastName, u.Phone, u.Address1, u.Address2,
		u.City, u.State, u.PostalCode, u.CountryCode, u.RoleID, u.PasswordHash, int64(u.PasswordChangedAt), u.Suspended, u.Awareness,
		u.SignInCount, int64(u.LastSignInAt), u.Version, int64(u.UpdatedAt), int64(u.DeletedAt), u.BreakGlass, int64(u.InvitedAt), int64(u.PasswordNoticeAt))
	return err
}

func scanUser(scan func(...any) error) (u fleet.User, err error) {
	err = scan(&u.ID, &u.OrganizationID, &u.Email, &u.EmailKey, &u.FirstName, &u.LastName, &u.Phone, &u.Address1, &u.Address2, &u.City, &u.State,
		&u.PostalCode, &u.CountryCode, &u.RoleID, &u.PasswordHash, &u.PasswordChangedAt, &u.Suspended, &u.Awareness, &u.SignInCount,
		&u.LastSignInAt, &u.Version, &u.UpdatedAt, &u.DeletedAt, &u.BreakGlass, &u.InvitedAt, &u.PasswordNoticeAt)
	return u, orNotFound(err)
}

const getUser = `SELECT ` + userColumns + ` FROM app_user WHERE id = $1 AND deleted_at = 0`

// UserByID reads a person who has not been removed.
func UserByID(ctx context.Context, r Reader, id string) (fleet.User, error) {
	return scanUser(r.QueryRowContext(ctx, getUser, id).Scan)
}

const getUserByEmail = `SELECT ` + userColumns + ` FROM app_user WHERE email_key = $1 AND deleted_at = 0`

// UserByEmailKey reads a person by the canonical form of the e-mail address.
func UserByEmailKey(ctx context.Context, r Reader, emailKey string) (fleet.User, error) {
	return scanUser(r.QueryRowContext(ctx, getUserByEmail, emailKey).Scan)
}

const countUsers = `SELECT COUNT(*) FROM app_user WHERE deleted_at = 0`

// CountUsers counts those not removed.
func CountUsers(ctx context.Context, r Reader) (n int64, err error) {
	err = r.QueryRowContext(ctx, countUsers).Scan(&n)
	return n, err
}

const setPassword = `UPDATE app_user SET password_hash = $1, password_changed_at = $2, version = version + 1, updated_at = $3 WHERE id = $4`

// SetUserPassword stores a new password and its instant.
func (tx *Tx) SetUserPassword(ctx context.Context, userID, hash string, at fleet.Instant) error {
	_, err := tx.ExecContext(ctx, setPassword, hash, int64(at), int64(at), userID)
	return err
}

const rehashPassword = `UPDATE app_user SET password_hash = $1 WHERE id = $2 AND password_hash = $3`

// RehashUserPassword replaces the hash of the same password, unless it has been changed meanwhile.
func (tx *Tx) RehashUserPassword(ctx context.Context, userID, hash, old string) error {
	_, err := tx.ExecContext(ctx, rehashPassword, hash, userID, old)
	return err
}

const noteSignIn = `UPDATE app_user SET sign_in_count = sign_in_count + 1, last_sign_in_at = $1 WHERE id = $2`

// NoteSignIn counts a sign-in.
func (tx *Tx) NoteSignIn(ctx context.Context, userID string, at fleet.Instant) error {
	_, err := tx.ExecContext(ctx, noteSignIn, int64(at), userID)
	return err
}
