package people

import (
	"context"
	"errors"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/secret"
	"lightbar/internal/store"
)

// Authenticate turns an access token into an actor, looked up at most every
// few seconds. network is the client's address. Refusals: invalid_token,
// organization_changed.
func (a *Accounts) Authenticate(ctx context.Context, token, network string) (*access.Actor, error) {
	if !secret.WellFormed(prefixAccess, token) {
		return nil, refuseToken()
	}
	now, hash := a.now(), secret.Hash(token)
	t, ok := a.memory.tokens.get(hash, now)
	if !ok {
		began := a.memory.tokens.begin()
		var err error
		if t, err = a.lookUpAccess(ctx, hash, now); err != nil {
			return nil, err
		}
		a.memory.tokens.put(hash, t, began)
	}
	actor := *t.actor
	actor.Network = network
	return &actor, nil
}

func (a *Accounts) lookUpAccess(ctx context.Context, hash string, now fleet.Instant) (cachedToken, error) {
	r := a.Store.Reader()
	row, err := store.SessionTokenByHash(ctx, r, hash)
	if errors.Is(err, store.ErrNotFound) || (err == nil && (row.Kind != "access" || now >= row.ExpiresAt)) {
		return cachedToken{}, refuseToken()
	}
	if err != nil {
		return cachedToken{}, err
	}
	s, err := store.SessionByID(ctx, r, row.SessionID)
	if err != nil {
		return cachedToken{}, err
	}
	if s.RevokedAt != 0 {
		return cachedToken{}, a.refuseMoved(ctx, s)
	}
	if s.AbsoluteAt != 0 && now >= s.AbsoluteAt {
		return cachedToken{}, refuseToken()
	}
	u, o, err := a.userOfSession(ctx, r, s)
	if err != nil {
		return cachedToken{}, err
	}
	if u.ID == "" {
		return cachedToken{}, a.refuseMoved(ctx, s)
	}
	s, over, err := a.standing(ctx, r, s, u, o)
	if err != nil {
		return cachedToken{}, err
	}
	if over {
		return cachedToken{}, refuseToken()
	}
	until := row.ExpiresAt
	if s.AbsoluteAt != 0 {
		until = min(until, s.AbsoluteAt)
	}
	relations, err := store.RelationsOf(ctx, r, o.ID)
	if err != nil {
		return cachedToken{}, err
	}
	a.noteUse(ctx, s, row.Generation, now)
	return cachedToken{actor: access.Of(u, s.ID, relations), loadedAt: now, expiresAt: until}, nil
}

// refuseMoved returns why a family has ended: a user who was moved to another organization gets a refusal that explains it
// (requirements 8.session).
func (a *Accounts) refuseMoved(ctx context.Context, s fleet.Session) error {
	u, err := store.UserByID(ctx, a.Store.Reader(), s.UserID)
	if err == nil && u.OrganizationID != s.OrganizationID {
		return fleet.Refuse("organization_changed", "", "Organization was changed, please log back in.")
	}
	return refuseToken()
}

// noteUse remembers that the newest pair has reached its client, and when the
// family was last used. It is a hint: a full disk must not end sessions.
func (a *Accounts) noteUse(ctx context.Context, s fleet.Session, generation int64, now fleet.Instant) {
	arrived := generation == s.Generation && generation > 1 && !s.SuccessorOn
	if generation != s.Generation || (!arrived && now.Sub(s.LastUsedAt) < touchSessionEvery) {
		return
	}
	err := a.Store.Write(ctx, func(tx *store.Tx) error {
		return tx.TouchSession(ctx, s.ID, generation, now, s.SuccessorOn || arrived)
	})
	if err != nil {
		a.Log.Warn("session use not noted", "session", s.ID, "error", err)
	}
}

// userOfSession reads the user and organization behind a family; a zero user
// when either has gone, was suspended or moved.
func (a *Accounts) userOfSession(ctx context.Context, r store.Reader, s fleet.Session) (fleet.User, fleet.Organization, error) {
	u, err := store.UserByID(ctx, r, s.UserID)
	if errors.Is(err, store.ErrNotFound) {
		return fleet.User{}, fleet.Organization{}, nil
	}
	if err != nil {
		return fleet.User{}, fleet.Organization{}, err
	}
	o, err := store.OrganizationByID(ctx, r, u.OrganizationID)
	if err != nil || u.Suspended || o.DeletedAt != 0 || u.OrganizationID != s.OrganizationID {
		return fleet.User{}, o, err
	}
	return u, o, nil
}
