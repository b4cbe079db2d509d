package store

import (
	"context"
	"errors"

	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
)

// ErrEmailInUse means that somebody who has not been removed has the address.
var ErrEmailInUse = errors.New("store: the e-mail address is in use")

var users = table[fleet.User]{name: "app_user", columns: func(u *fleet.User) []column {
	return []column{
		{"id", &u.ID, keyed},
		{"organization_id", &u.OrganizationID, edit},
		{"email", &u.Email, once},
		{"email_key", &u.EmailKey, once},
		{"first_name", &u.FirstName, edit},
		{"last_name", &u.LastName, edit},
		{"phone", &u.Phone, edit},
		{"address1", &u.Address1, edit},
		{"address2", &u.Address2, edit},
		{"city", &u.City, edit},
		{"state", &u.State, edit},
		{"postal_code", &u.PostalCode, edit},
		{"country_code", &u.CountryCode, edit},
		{"role_id", &u.RoleID, edit},
		{"password_hash", &u.PasswordHash, once},
		{"password_changed_at", &u.PasswordChangedAt, once},
		{"suspended", &u.Suspended, edit},
		{"shut_out", &u.ShutOut, edit},
		{"awareness", &u.Awareness, edit},
		{"break_glass", &u.BreakGlass, once},
		{"invited_at", &u.InvitedAt, once},
		{"password_notice_at", &u.PasswordNoticeAt, once},
		{"sign_in_count", &u.SignInCount, once},
		{"last_sign_in_at", &u.LastSignInAt, once},
		{"version", &u.Version, edit},
		{"updated_at", &u.UpdatedAt, edit},
		{"deleted_at", &u.DeletedAt, once},
	}
}}

var insertUser = users.inserts("ON CONFLICT (email_key) WHERE deleted_at = 0 DO NOTHING")

// InsertUser adds a person. EmailKey is unique among those not removed, also
// for writers that do not see each other yet: ErrEmailInUse.
func (tx *Tx) InsertUser(ctx context.Context, u fleet.User) error {
	added, err := insertUser.run(ctx, tx, &u)
	if err == nil && !added {
		return ErrEmailInUse
	}
	return err
}

var updateUser = users.updates(edit, "version", "AND deleted_at = 0")

// UpdateUser stores what an edit may change; false when the person now has another version than from, or has been removed. A user
// who is reactivated is no longer shut out.
func (tx *Tx) UpdateUser(ctx context.Context, u fleet.User, from int64) (bool, error) {
	u.ShutOut = u.ShutOut && u.Suspended
	return updateUser.run(ctx, tx, &u, from)
}

const deleteUser = `UPDATE app_user SET deleted_at = $1, updated_at = $2, version = version + 1 WHERE id = $3 AND deleted_at = 0`

// DeleteUser removes a person; the row stays for the audit. False when it was removed before.
func (tx *Tx) DeleteUser(ctx context.Context, id string, at fleet.Instant) (bool, error) {
	return engine.Changed(tx.ExecContext(ctx, deleteUser, int64(at), int64(at), id))
}

const lockUser = `UPDATE app_user SET version = version WHERE id = $1 AND deleted_at = 0`

// LockUser makes other writers of the person's row wait for this transaction; false when there is none.
func (tx *Tx) LockUser(ctx context.Context, id string) (bool, error) {
	return engine.Changed(tx.ExecContext(ctx, lockUser, id))
}

// Member is a person with what an administrator sees beside the profile.
type Member struct {
	fleet.User
	OrganizationName string
	SecondFactor     bool  // an authenticator app or a passkey is set up
	HasEntered       bool  // has a password or an identity at a provider
	Keys             int64 // API keys that have neither been revoked nor expired
	// InvitationMail is the state of the mail with the last invitation (InvitationQueued, …); empty = there is none.
	InvitationMail string
}

// The states of the mail with an invitation.
const (
	InvitationQueued   = "queued"
	InvitationRetrying = "retrying" // a mail server did not take it yet
	InvitationUnsent   = "unsent"   // in the outbox folder: there is no mail server
	InvitationSent     = "sent"     // a mail server has it
	InvitationFailed   = "failed"   // given up
)

// invitationMail is about the mails since the last invitation: a link that was copied instead has none.
const invitationMail = `COALESCE((SELECT CASE WHEN l.failed_at <> 0 THEN '` + InvitationFailed + `'
WHEN l.sent_at <> 0 AND l.in_folder THEN '` + InvitationUnsent + `' WHEN l.sent_at <> 0 THEN '` + InvitationSent + `'
WHEN l.attempts > 0 THEN '` + InvitationRetrying + `' ELSE '` + InvitationQueued + `' END
FROM mail l WHERE l.user_id = u.id AND l.kind = 'invitation' AND l.created_at >= u.invited_at
ORDER BY l.created_at DESC, l.id DESC LIMIT 1), '')`

// members takes an instant as $1, for the keys that have expired.
var members = table[Member]{
	noun:  "app_user",
	alias: "u",
	name:  "app_user u JOIN organization o ON o.id = u.organization_id",
	columns: func(m *Member) []column {
		return append(users.columns(&m.User),
			column{"o.name", &m.OrganizationName, once},
			column{`(EXISTS (SELECT 1 FROM totp t WHERE t.user_id = u.id AND t.confirmed_at > 0)
OR EXISTS (SELECT 1 FROM passkey p WHERE p.user_id = u.id))`, &m.SecondFactor, once},
			column{"(u.password_hash <> '' OR EXISTS (SELECT 1 FROM identity i WHERE i.user_id = u.id))", &m.HasEntered, once},
			column{`(SELECT COUNT(*) FROM api_key k WHERE k.user_id = u.id AND k.revoked_at = 0
AND (k.expires_at = 0 OR k.expires_at > $1))`, &m.Keys, once},
			column{invitationMail, &m.InvitationMail, once})
	},
}

var membersOf = members.selects("WHERE u.organization_id = $2 AND u.deleted_at = 0 AND o.deleted_at = 0 ORDER BY u.id")

// MembersOf reads the people of an organization with their state at an instant.
func MembersOf(ctx context.Context, r Reader, organizationID string, now fleet.Instant) ([]Member, error) {
	return membersOf.all(ctx, r, int64(now), organizationID)
}

var membersOfRole = members.selects("WHERE u.role_id = $2 AND u.deleted_at = 0 AND o.deleted_at = 0 ORDER BY u.id")

// MembersOfRole reads the people of all organizations who have a role.
func MembersOfRole(ctx context.Context, r Reader, roleID string, now fleet.Instant) ([]Member, error) {
	return membersOfRole.all(ctx, r, int64(now), roleID)
}

var memberByID = members.selects("WHERE u.id = $2 AND u.deleted_at = 0 AND o.deleted_at = 0")

// MemberByID reads one person with their state at an instant.
func MemberByID(ctx context.Context, r Reader, id string, now fleet.Instant) (Member, error) {
	return memberByID.one(ctx, r, int64(now), id)
}

const otherRoles = `SELECT DISTINCT u.role_id FROM app_user u WHERE u.organization_id = $1 AND u.id <> $2 AND u.deleted_at = 0
AND NOT u.suspended AND (u.password_hash <> '' OR EXISTS (SELECT 1 FROM identity i WHERE i.user_id = u.id))`

// RolesBeside lists the roles of an organization's people but one, who are not
// suspended and have a way to sign in.
func RolesBeside(ctx context.Context, r Reader, organizationID, userID string) ([]string, error) {
	return engine.List(ctx, r, engine.Text, otherRoles, organizationID, userID)
}

var userByID = users.selects("WHERE id = $1 AND deleted_at = 0")

// UserByID reads a person who has not been removed.
func UserByID(ctx context.Context, r Reader, id string) (fleet.User, error) {
	return userByID.one(ctx, r, id)
}

var userByEmailKey = users.selects("WHERE email_key = $1 AND deleted_at = 0")

// UserByEmailKey reads a person by the canonical form of the e-mail address.
func UserByEmailKey(ctx context.Context, r Reader, emailKey string) (fleet.User, error) {
	return userByEmailKey.one(ctx, r, emailKey)
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
