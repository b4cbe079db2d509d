package people

import (
	"context"
	"errors"

	"lightbar/internal/access"
	"lightbar/internal/store"
)

// ActorNow returns the current state of a signed-in actor: the family's end, permissions and reach are read again, whatever
// happened to the access token that it began with (renewal replaces the token, not the family). Long-lived connections call it
// repeatedly. Refusals: invalid_token, organization_changed; API keys are refused, because they cannot open such connections.
func (a *Accounts) ActorNow(ctx context.Context, actor *access.Actor) (*access.Actor, error) {
	if actor.SessionID == "" {
		return nil, refuseToken()
	}
	r, now := a.Store.Reader(), a.now()
	s, err := store.SessionByID(ctx, r, actor.SessionID)
	if errors.Is(err, store.ErrNotFound) {
		return nil, refuseToken()
	}
	if err != nil {
		return nil, err
	}
	if outcomeOfRefresh(s, s.Generation, 0, now) == refreshEnded {
		return nil, refuseToken()
	}
	u, o, err := a.userOfSession(ctx, r, s)
	if err != nil {
		return nil, err
	}
	if u.ID == "" {
		return nil, a.refuseMoved(ctx, s)
	}
	_, over, err := a.standing(ctx, r, s, u, o)
	if err != nil {
		return nil, err
	}
	if over {
		return nil, refuseToken()
	}
	relations, err := store.RelationsOf(ctx, r, o.ID)
	if err != nil {
		return nil, err
	}
	fresh := access.Of(u, s.ID, relations)
	fresh.Network, fresh.RequestID = actor.Network, actor.RequestID
	return fresh, nil
}
