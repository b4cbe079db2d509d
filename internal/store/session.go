package store

import (
	"context"

	"lightbar/internal/fleet"
	"lightbar/internal/store/engine"
)

var sessions = table[fleet.Session]{name: "session", columns: func(s *fleet.Session) []column {
	return []column{
		{"id", &s.ID, keyed},
		{"user_id", &s.UserID, once},
		{"organization_id", &s.OrganizationID, once},
		{"created_at", &s.CreatedAt, once},
		{"last_used_at", &s.LastUsedAt, edit},
		{"absolute_at", &s.AbsoluteAt, edit},
		{"generation", &s.Generation, edit},
		{"rotated_at", &s.RotatedAt, edit},
		{"successor_on", &s.SuccessorOn, edit},
		{"revoked_at", &s.RevokedAt, once},
		{"reason", &s.Reason, once},
		{"awareness", &s.Awareness, edit},
		{"network", &s.Network, once},
		{"user_agent", &s.UserAgent, once},
		{"verified_at", &s.VerifiedAt, once},
		{"method", &s.Method, once},
	}
}}

var insertSession = sessions.inserts("")

// InsertSession begins a family of token pairs.
func (tx *Tx) InsertSession(ctx context.Context, s fleet.Session) error {
	_, err := insertSession.run(ctx, tx, &s)
	return err
}

var sessionByID = sessions.selects("WHERE id = $1")

// SessionByID reads a family, an ended one too.
func SessionByID(ctx context.Context, r Reader, id string) (fleet.Session, error) {
	return sessionByID.one(ctx, r, id)
}

var rotateSession = sessions.updates(edit, "generation", "AND revoked_at = 0")

// RotateSession moves the family from one generation to the next. It reports
// false when somebody else rotated or ended it first.
func (tx *Tx) RotateSession(ctx context.Context, s fleet.Session, from int64) (bool, error) {
	return rotateSession.run(ctx, tx, &s, from)
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
	return engine.Changed(tx.ExecContext(ctx, endSession, int64(at), reason, id))
}

const endSessions = `UPDATE session SET revoked_at = $1, reason = $2 WHERE revoked_at = 0`

// EndSessions ends all families, and returns how many.
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
	return engine.List(ctx, r, engine.Text, liveSessionsOf, userID)
}

var sessionsOf = sessions.selects("WHERE user_id = $1 AND revoked_at = 0 ORDER BY last_used_at DESC, id")

// SessionsOf lists the families of a user that have not been ended, newest use first.
func SessionsOf(ctx context.Context, r Reader, userID string) ([]fleet.Session, error) {
	return sessionsOf.all(ctx, r, userID)
}

const verifySession = `UPDATE session SET verified_at = $1, absolute_at = $2 WHERE id = $3 AND revoked_at = 0`

// VerifySession records when the user last proved their identity, and the family's absolute end.
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

var sessionTokens = table[SessionToken]{name: "session_token", columns: func(t *SessionToken) []column {
	return []column{
		{"hash", &t.Hash, once}, {"session_id", &t.SessionID, once}, {"kind", &t.Kind, once},
		{"generation", &t.Generation, once}, {"expires_at", &t.ExpiresAt, once},
	}
}}

var insertSessionToken = sessionTokens.inserts("")

// InsertSessionToken stores a token's hash.
func (tx *Tx) InsertSessionToken(ctx context.Context, t SessionToken) error {
	_, err := insertSessionToken.run(ctx, tx, &t)
	return err
}

var sessionTokenByHash = sessionTokens.selects("WHERE hash = $1")

// SessionTokenByHash finds a token.
func SessionTokenByHash(ctx context.Context, r Reader, hash string) (SessionToken, error) {
	return sessionTokenByHash.one(ctx, r, hash)
}

const purgeSessionTokens = `DELETE FROM session_token WHERE expires_at < $1`

// PurgeSessionTokens deletes tokens that expired before an instant.
func (tx *Tx) PurgeSessionTokens(ctx context.Context, before fleet.Instant) error {
	_, err := tx.ExecContext(ctx, purgeSessionTokens, int64(before))
	return err
}
