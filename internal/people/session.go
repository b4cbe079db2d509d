package people

import (
	"context"
	"errors"

	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/secret"
	"lightbar/internal/store"
)

// Refresh exchanges a refresh token for the next pair of its family (requirements 7.auth). awareness, if given, switches awareness
// mode on or off. Refusals: token_not_verified, awareness_not_allowed, step_up_required.
func (a *Accounts) Refresh(ctx context.Context, token string, awareness *bool, c Caller) (Grant, error) {
	if !secret.WellFormed(prefixRefresh, token) {
		return Grant{}, refuseRefresh()
	}
	row, err := store.SessionTokenByHash(ctx, a.Store.Reader(), secret.Hash(token))
	if errors.Is(err, store.ErrNotFound) || (err == nil && row.Kind != "refresh") {
		return Grant{}, refuseRefresh()
	}
	if err != nil {
		return Grant{}, err
	}
	defer a.memory.families.Lock(row.SessionID)()
	var g Grant
	var outcome refreshOutcome
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		g, outcome, err = a.refreshIn(ctx, tx, row, awareness, c)
		return err
	})
	switch {
	case err != nil:
		return Grant{}, err
	case outcome == refreshReuse:
		a.sessionEnded(row.SessionID)
		return Grant{}, refuseRefresh()
	case outcome == refreshEnded:
		return Grant{}, refuseRefresh()
	}
	return g, nil
}

// SessionOfRefresh is the id of the session that a refresh token belongs to, empty for any other text.
func (a *Accounts) SessionOfRefresh(ctx context.Context, token string) string {
	if !secret.WellFormed(prefixRefresh, token) {
		return ""
	}
	row, err := store.SessionTokenByHash(ctx, a.Store.Reader(), secret.Hash(token))
	if err != nil || row.Kind != "refresh" {
		return ""
	}
	return row.SessionID
}

func (a *Accounts) refreshIn(ctx context.Context, tx *store.Tx, row store.SessionToken, awareness *bool,
	c Caller) (Grant, refreshOutcome, error) {
	now := a.now()
	s, err := store.SessionByID(ctx, tx, row.SessionID)
	if err != nil {
		return Grant{}, refreshEnded, err
	}
	var successorAt fleet.Instant
	if row.Generation < s.Generation {
		_, successor := a.pairOf(s.ID, row.Generation+1)
		next, err := store.SessionTokenByHash(ctx, tx, secret.Hash(successor))
		if err == nil {
			successorAt = next.ExpiresAt.Add(-refreshKept)
		} else if !errors.Is(err, store.ErrNotFound) {
			return Grant{}, refreshEnded, err
		}
	}
	outcome := outcomeOfRefresh(s, row.Generation, successorAt, now)
	switch outcome {
	case refreshRepeat:
		g, err := a.sameGrant(ctx, tx, s, row.Generation+1, successorAt)
		return g, outcome, err
	case refreshReuse:
		return Grant{}, outcome, a.endReused(ctx, tx, s, c)
	case refreshEnded:
		return Grant{}, outcome, nil
	}
	u, o, err := a.userOfSession(ctx, tx, s)
	if err != nil || u.ID == "" {
		return Grant{}, refreshEnded, err
	}
	s = lawful(s, u, o)
	due, err := a.factorDue(ctx, tx, s, o)
	if err != nil {
		return Grant{}, refreshEnded, err
	}
	if end := endingAt(s, due).AbsoluteAt; end != 0 && now >= end {
		return Grant{}, refreshEnded, nil
	}
	from := s.Generation
	s.Generation, s.RotatedAt, s.LastUsedAt, s.SuccessorOn = from+1, now, now, false
	if awareness != nil && *awareness != s.Awareness {
		if err := mayUseAwareness(u, o, *awareness); err != nil {
			return Grant{}, refreshEnded, err
		}
		if s, err = a.switchAwareness(ctx, tx, s, *awareness, c); err != nil {
			return Grant{}, refreshEnded, err
		}
	}
	if ok, err := tx.RotateSession(ctx, s, from); err != nil || !ok {
		return Grant{}, refreshEnded, err
	}
	g, err := a.issue(ctx, tx, endingAt(s, due), now)
	return g, outcome, err
}

// switchAwareness turns the awareness mode of a session family on or off, and
// leaves an audit row. On removes the absolute end, so it needs a fresh proof.
// Off restores the end set at sign-in; if that has passed, only a fresh proof
// gives a new one. So the end never moves without a proof.
func (a *Accounts) switchAwareness(ctx context.Context, tx *store.Tx, s fleet.Session, on bool, c Caller) (fleet.Session, error) {
	now, before := a.now(), s.AbsoluteAt
	s.Awareness, s.AbsoluteAt = on, 0
	verb := "awareness_on"
	if !on {
		verb, s.AbsoluteAt = "awareness_off", s.CreatedAt.Add(absoluteLife)
	}
	if over := !on && now >= s.AbsoluteAt; on || over {
		if !isFresh(s, now) {
			return s, refuseStale()
		}
		if over {
			s.AbsoluteAt = s.VerifiedAt.Add(absoluteLife)
		}
	}
	actor := &access.Actor{UserID: s.UserID, OrganizationID: s.OrganizationID, SessionID: s.ID, Network: c.Network, RequestID: c.RequestID}
	return s, a.Audit.Write(ctx, tx, actor, audit.Row{Verb: verb, Noun: "session", NounID: s.ID,
		Before: map[string]fleet.Instant{"ends_at": before}, After: map[string]fleet.Instant{"ends_at": s.AbsoluteAt}})
}

// sameGrant returns again a pair that was made before. Its access token keeps its original expiry, whatever has happened to the
// family since.
func (a *Accounts) sameGrant(ctx context.Context, tx *store.Tx, s fleet.Session, generation int64, madeAt fleet.Instant) (Grant, error) {
	g := a.grantOf(s, generation, madeAt)
	row, err := store.SessionTokenByHash(ctx, tx, secret.Hash(g.Access))
	if errors.Is(err, store.ErrNotFound) {
		return g, nil // expired and deleted
	}
	g.ExpiresAt = row.ExpiresAt
	return g, err
}

// endReused ends a family whose refresh token was used by two parties; it is
// audited, and the user gets a mail.
func (a *Accounts) endReused(ctx context.Context, tx *store.Tx, s fleet.Session, c Caller) error {
	if err := a.endSessionIn(ctx, tx, s, "refresh token used again", "session_reuse", c); err != nil {
		return err
	}
	u, err := store.UserByID(ctx, tx, s.UserID)
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	return a.QueueMail(ctx, tx, Mail{Kind: "session_reuse", UserID: u.ID, To: u.Email})
}

// lawful is a family as its user and organization allow it now: if the user
// lost the awareness mode, the ordinary absolute end applies.
func lawful(s fleet.Session, u fleet.User, o fleet.Organization) fleet.Session {
	if s.Awareness && mayUseAwareness(u, o, true) != nil {
		s.Awareness, s.AbsoluteAt = false, s.CreatedAt.Add(absoluteLife)
	}
	return s
}

func mayUseAwareness(u fleet.User, o fleet.Organization, want bool) error {
	if want && !(u.Awareness && o.InfiniteTimeout) {
		return fleet.Refuse("awareness_not_allowed", "awareness_mode", "Your organization doesn't allow situational-awareness mode.")
	}
	return nil
}

// Revoke ends the family of an access or refresh token. It is idempotent: an
// unknown or ended token is no error (requirements 7.auth).
func (a *Accounts) Revoke(ctx context.Context, token string, c Caller) error {
	if !secret.WellFormed(prefixAccess, token) && !secret.WellFormed(prefixRefresh, token) {
		return nil
	}
	row, err := store.SessionTokenByHash(ctx, a.Store.Reader(), secret.Hash(token))
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		s, err := store.SessionByID(ctx, tx, row.SessionID)
		if err != nil || s.RevokedAt != 0 {
			return err
		}
		return a.endSessionIn(ctx, tx, s, "signed out", "sign_out", c)
	})
	if err == nil {
		a.sessionEnded(row.SessionID)
	}
	return err
}

// Verify returns the owner and the end of an access token. Refusals: invalid_token (the 422 of POST /verify_token).
func (a *Accounts) Verify(ctx context.Context, token string, c Caller) (Grant, error) {
	actor, err := a.Authenticate(ctx, token, c.Network)
	var refusal *fleet.Refusal
	if errors.As(err, &refusal) {
		return Grant{}, refuseVerify("access_token")
	}
	if err != nil {
		return Grant{}, err
	}
	row, err := store.SessionTokenByHash(ctx, a.Store.Reader(), secret.Hash(token))
	if err != nil {
		return Grant{}, err
	}
	s, err := store.SessionByID(ctx, a.Store.Reader(), row.SessionID)
	if err != nil {
		return Grant{}, err
	}
	_, refresh := a.pairOf(s.ID, row.Generation)
	made, err := store.SessionTokenByHash(ctx, a.Store.Reader(), secret.Hash(refresh))
	if err != nil {
		return Grant{}, err
	}
	return Grant{MadeAt: made.ExpiresAt.Add(-refreshKept), ExpiresAt: row.ExpiresAt, SessionID: s.ID, UserID: actor.UserID}, nil
}
