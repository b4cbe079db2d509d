package store

import (
	"context"
	"database/sql"
	"errors"

	"lightbar/internal/fleet"
)

// ErrEmailInUse says that somebody who has not been removed has the address.
var ErrEmailInUse = errors.New("store: the e-mail address is in use")

const userColumns = `id, organization_id, email, email_key, first_name, last_name, phone, address1, address2, city, state, postal_code, country_code,
role_id, password_hash, password_changed_at, suspended, awareness, sign_in_count, last_sign_in_at, version, updated_at, deleted_at,
break_glass, invited_at, password_notice_at, shut_out`

const insertUser = `INSERT INTO app_user (` + userColumns + `)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25, $26, $27)
ON CONFLICT (email_key) WHERE deleted_at = 0 DO NOTHING`

// InsertUser adds a person. EmailKey is unique among those not removed, also
// for writers that do not see each other yet: ErrEmailInUse.
func (tx *Tx) InsertUser(ctx context.Context, u fleet.User) error {
	added, err := changed(tx.ExecContext(ctx, insertUser, u.ID, u.OrganizationID, u.Email, u.EmailKey, u.FirstName, u.LastName, u.Phone, u.Address1, u.Address2,
		u.City, u.State, u.PostalCode, u.CountryCode, u.RoleID, u.PasswordHash, int64(u.PasswordChangedAt), u.Suspended, u.Awareness,
		u.SignInCount, int64(u.LastSignInAt), u.Version, int64(u.UpdatedAt), int64(u.DeletedAt), u.BreakGlass, int64(u.InvitedAt), int64(u.PasswordNoticeAt), u.ShutOut))
	if err == nil && !added {
		return ErrEmailInUse
	}
	return err
}

const updateUser = `UPDATE app_user SET organization_id = $1, first_name = $2, last_name = $3, phone = $4, address1 = $5, address2 = $6, city = $7,
state = $8, postal_code = $9, country_code = $10, role_id = $11, suspended = $12, shut_out = (shut_out AND $12), awareness = $13, version = $14, updated_at = $15
WHERE id = $16 AND version = $17 AND deleted_at = 0`

// UpdateUser stores what an edit may change; false when the person has another
// version than from meanwhile, or has been removed. Who is reactivated is not
// shut out any more.
func (tx *Tx) UpdateUser(ctx context.Context, u fleet.User, from int64) (bool, error) {
	return changed(tx.ExecContext(ctx, updateUser, u.OrganizationID, u.FirstName, u.LastName, u.Phone, u.Address1, u.Address2, u.City, u.State,
		u.PostalCode, u.CountryCode, u.RoleID, u.Suspended, u.Awareness, u.Version, int64(u.UpdatedAt), u.ID, from))
}

const deleteUser = `UPDATE app_user SET deleted_at = $1, updated_at = $2, version = version + 1 WHERE id = $3 AND deleted_at = 0`

// DeleteUser removes a person; the row stays for the audit. False when it was removed before.
func (tx *Tx) DeleteUser(ctx context.Context, id string, at fleet.Instant) (bool, error) {
	return changed(tx.ExecContext(ctx, deleteUser, int64(at), int64(at), id))
}

const lockUser = `UPDATE app_user SET version = version WHERE id = $1 AND deleted_at = 0`

// LockUser makes other writers of the person's row wait for this transaction; false when there is none.
func (tx *Tx) LockUser(ctx context.Context, id string) (bool, error) {
	return changed(tx.ExecContext(ctx, lockUser, id))
}

// Member is a person with what an administrator is told beside the profile.
type Member struct {
	fleet.User
	OrganizationName string
	SecondFactor     bool  // an authenticator app or a passkey is set up
	HasEntered       bool  // has a password or an identity at a provider
	Keys             int64 // API keys that have neither been revoked nor expired
}

const memberColumns = `u.id, u.organization_id, u.email, u.email_key, u.first_name, u.last_name, u.phone, u.address1, u.address2, u.city, u.state, u.postal_code,
u.country_code, u.role_id, u.password_hash, u.password_changed_at, u.suspended, u.awareness, u.sign_in_count, u.last_sign_in_at, u.version, u.updated_at,
u.deleted_at, u.break_glass, u.invited_at, u.password_notice_at, u.shut_out, o.name,
EXISTS (SELECT 1 FROM totp t WHERE t.user_id = u.id AND t.confirmed_at > 0) OR EXISTS (SELECT 1 FROM passkey p WHERE p.user_id = u.id),
u.password_hash <> '' OR EXISTS (SELECT 1 FROM identity i WHERE i.user_id = u.id),
(SELECT COUNT(*) FROM api_key k WHERE k.user_id = u.id AND k.revoked_at = 0 AND (k.expires_at = 0 OR k.expires_at > $1))
FROM app_user u JOIN organization o ON o.id = u.organization_id`

func scanMember(scan func(...any) error) (m Member, err error) {
	u := &m.User
	err = scan(&u.ID, &u.OrganizationID, &u.Email, &u.EmailKey, &u.FirstName, &u.LastName, &u.Phone, &u.Address1, &u.Address2, &u.City, &u.State,
		&u.PostalCode, &u.CountryCode, &u.RoleID, &u.PasswordHash, &u.PasswordChangedAt, &u.Suspended, &u.Awareness, &u.SignInCount,
		&u.LastSignInAt, &u.Version, &u.UpdatedAt, &u.DeletedAt, &u.BreakGlass, &u.InvitedAt, &u.PasswordNoticeAt, &u.ShutOut, &m.OrganizationName,
		&m.SecondFactor, &m.HasEntered, &m.Keys)
	return m, orNotFound(err)
}

const membersOf = `SELECT ` + memberColumns + ` WHERE u.organization_id = $2 AND u.deleted_at = 0 AND o.deleted_at = 0 ORDER BY u.id`

// MembersOf reads the people of an organization as they stand at an instant.
func MembersOf(ctx context.Context, r Reader, organizationID string, now fleet.Instant) ([]Member, error) {
	rows, err := r.QueryContext(ctx, membersOf, int64(now), organizationID)
	if err != nil {
		return nil, err
	}
	return collect(rows, func(rows *sql.Rows) (Member, error) { return scanMember(rows.Scan) })
}

const membersOfRole = `SELECT ` + memberColumns + ` WHERE u.role_id = $2 AND u.deleted_at = 0 AND o.deleted_at = 0 ORDER BY u.id`

// MembersOfRole reads the people of all organizations who have a role.
func MembersOfRole(ctx context.Context, r Reader, roleID string, now fleet.Instant) ([]Member, error) {
	rows, err := r.QueryContext(ctx, membersOfRole, int64(now), roleID)
	if err != nil {
		return nil, err
	}
	return collect(rows, func(rows *sql.Rows) (Member, error) { return scanMember(rows.Scan) })
}

const getMember = `SELECT ` + memberColumns + ` WHERE u.id = $2 AND u.deleted_at = 0 AND o.deleted_at = 0`

// MemberByID reads one person as it stands at an instant.
func MemberByID(ctx context.Context, r Reader, id string, now fleet.Instant) (Member, error) {
	return scanMember(r.QueryRowContext(ctx, getMember, int64(now), id).Scan)
}

const otherRoles = `SELECT DISTINCT u.role_id FROM app_user u WHERE u.organization_id = $1 AND u.id <> $2 AND u.deleted_at = 0 AND NOT u.suspended
AND (u.password_hash <> '' OR EXISTS (SELECT 1 FROM identity i WHERE i.user_id = u.id))`

// RolesBeside lists the roles of an organization's people but one, who are not
// suspended and have a way to sign in.
func RolesBeside(ctx context.Context, r Reader, organizationID, userID string) ([]string, error) {
	rows, err := r.QueryContext(ctx, otherRoles, organizationID, userID)
	if err != nil {
		return nil, err
	}
	return collect(rows, scanText)
}

func scanUser(scan func(...any) error) (u fleet.User, err error) {
	err = scan(&u.ID, &u.OrganizationID, &u.Email, &u.EmailKey, &u.FirstName, &u.LastName, &u.Phone, &u.Address1, &u.Address2, &u.City, &u.State,
		&u.PostalCode, &u.CountryCode, &u.RoleID, &u.PasswordHash, &u.PasswordChangedAt, &u.Suspended, &u.Awareness, &u.SignInCount,
		&u.LastSignInAt, &u.Version, &u.UpdatedAt, &u.DeletedAt, &u.BreakGlass, &u.InvitedAt, &u.PasswordNoticeAt, &u.ShutOut)
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
