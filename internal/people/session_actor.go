package people

import (
	"context"
	"errors"

	"lightbar/internal/access"
	"lightbar/internal/store"
)

// ActorNow answers a signed-in actor as it stands now: the family's end,
// permissions and reach read afresh, whatever became of the access token it
// began with (renewal replaces the token, not the family). Long-lived
// connections ask it again and again. Refusals: invalid_token,
// organization_changed; API keys are refused: they open none.
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
