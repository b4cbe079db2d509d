package store

import (
	"context"
	"database/sql"

	"lightbar/internal/fleet"
)

const sessionColumns = `id, user_id, organization_id, created_at, last_used_at, absolute_at, generation, rotated_at, successor_on, revoked_at, reason, awareness, network, user_agent, verified_at, method`

const insertSession = `INSERT INTO session (` + sessionColumns + `) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`

// InsertSession begins a family of token pairs.
func (tx *Tx) InsertSession(ctx context.Context, s fleet.Session) error {
	_, err := tx.ExecContext(ctx, insertSession, s.ID, s.UserID, s.OrganizationID, int64(s.CreatedAt), int64(s.LastUsedAt), int64(s.AbsoluteAt),
		s.Generation, int64(s.RotatedAt), s.SuccessorOn, int64(s.RevokedAt), s.Reason, s.Awareness, s.Network, s.UserAgent, int64(s.VerifiedAt), s.Method)
	return err
}

const getSession = `SELECT ` + sessionColumns + ` FROM session WHERE id = $1`

// SessionByID reads a family, an ended one too.
func SessionByID(ctx context.Context, r Reader, id string) (s fleet.Session, err error) {
	s, err = scanSession(r.QueryRowContext(ctx, getSession, id).Scan)
	return s, orNotFound(err)
}

func scanSession(scan func(...any) error) (s fleet.Session, err error) {
	err = scan(&s.ID, &s.UserID, &s.OrganizationID, &s.CreatedAt, &s.LastUsedAt, &s.AbsoluteAt,
		&s.Generation, &s.RotatedAt, &s.SuccessorOn, &s.RevokedAt, &s.Reason, &s.Awareness, &s.Network, &s.UserAgent, &s.VerifiedAt, &s.Method)
	return s, err
}

const rotateSession = `UPDATE session SET generation = $1, rotated_at = $2, last_used_at = $3, successor_on = $4, absolute_at = $5, awareness = $6
WHERE id = $7 AND generation = $8 AND revoked_at = 0`

// RotateSession moves the family from one generation to the next. It reports
// false when somebody else rotated or ended it first.
func (tx *Tx) RotateSession(ctx context.Context, s fleet.Session, from int64) (bool, error) {
	return changed(tx.ExecContext(ctx, rotateSession, s.Generation, int64(s.RotatedAt), int64(s.LastUsedAt), s.SuccessorOn, int64(s.AbsoluteAt),
		s.Awareness, s.ID, from))
}

const touchSession = `UPDATE session SET last_used_at = $1, successor_on = $2 WHERE id = $3 AND generation = $4 AND revoked_at = 0`

// TouchSession notes the use of an access token of the present generation.
func (tx *Tx) TouchSession(ctx context.Context, id string, generation int64, at fleet.Instant, successorOn bool) error {
	_, err := tx.ExecContext(ctx, touchSession, int64(at), successorOn, id, generation)
	return err
}

const endSession = `UPDATE session SET revoked_at = $1, reason = $2 WHERE id = $3 AND revoked_at = 0`

// EndSession ends a family; false when it had ended before.
func (tx *Tx) EndSession(ctx context.Context, id string, at fleet.Instant, reason string) (bool, error) {
	return changed(tx.ExecContext(ctx, endSession, int64(at), reason, id))
}

const endSessions = `UPDATE session SET revoked_at = $1, reason = $2 WHERE revoked_at = 0`

// EndSessions ends every family there is, and answers how many.
func (tx *Tx) EndSessions(ctx context.Context, at fleet.Instant, reason string) (int64, error) {
	done, err := tx.ExecContext(ctx, endSessions, int64(at), reason)
	if err != nil {
		return 0, err
	}
	return done.RowsAffected()
}

const liveSessionsOf = `SELECT id FROM session WHERE user_id = $1 AND revoked_at = 0`

// LiveSessionsOf lists the families of a user that have not been ended.
func LiveSessionsOf(ctx context.Context, r Reader, userID string) ([]string, error) {
	rows, err := r.QueryContext(ctx, liveSessionsOf, userID)
	if err != nil {
		return nil, err
	}
	return collect(rows, func(rows *sql.Rows) (id string, err error) {
		err = rows.Scan(&id)
		return id, err
	})
}

const sessionsOf = `SELECT ` + sessionColumns + ` FROM session WHERE user_id = $1 AND revoked_at = 0 ORDER BY last_used_at DESC, id`

// SessionsOf lists the families of a user that have not been ended, newest use first.
func SessionsOf(ctx context.Context, r Reader, userID string) ([]fleet.Session, error) {
	rows, err := r.QueryContext(ctx, sessionsOf, userID)
	if err != nil {
		return nil, err
	}
	return collect(rows, func(rows *sql.Rows) (fleet.Session, error) { return scanSession(rows.Scan) })
}

const verifySession = `UPDATE session SET verified_at = $1, absolute_at = $2 WHERE id = $3 AND revoked_at = 0`

// VerifySession notes when the user last proved who they are, and the family's absolute end.
func (tx *Tx) VerifySession(ctx context.Context, s fleet.Session) error {
	_, err := tx.ExecContext(ctx, verifySession, int64(s.VerifiedAt), int64(s.AbsoluteAt), s.ID)
	return err
}

// SessionToken is one stored token: the SHA-256 of its text and what it is for.
type SessionToken struct {
	Hash       string // hexadecimal SHA-256
	SessionID  string
	Kind       string // "access" or "refresh"
	Generation int64
	ExpiresAt  fleet.Instant
}

const insertSessionToken = `INSERT INTO session_token (hash, session_id, kind, generation, expires_at) VALUES ($1, $2, $3, $4, $5)`

// InsertSessionToken stores a token's hash.
func (tx *Tx) InsertSessionToken(ctx context.Context, t SessionToken) error {
	_, err := tx.ExecContext(ctx, insertSessionToken, t.Hash, t.SessionID, t.Kind, t.Generation, int64(t.ExpiresAt))
	return err
}

const getSessionToken = `SELECT hash, session_id, kind, generation, expires_at FROM session_token WHERE hash = $1`

// SessionTokenByHash finds a token.
func SessionTokenByHash(ctx context.Context, r Reader, hash string) (t SessionToken, err error) {
	err = r.QueryRowContext(ctx, getSessionToken, hash).Scan(&t.Hash, &t.SessionID, &t.Kind, &t.Generation, &t.ExpiresAt)
	return t, orNotFound(err)
}

const purgeSessionTokens = `DELETE FROM session_token WHERE expires_at < $1`

// PurgeSessionTokens forgets tokens that expired before an instant.
func (tx *Tx) PurgeSessionTokens(ctx context.Context, before fleet.Instant) error {
	_, err := tx.ExecContext(ctx, purgeSessionTokens, int64(before))
	return err
}
