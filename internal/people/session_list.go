package people

import (
	"context"

	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// Sessions lists the signed-in user's sessions, last used first. It needs no permission: everybody sees their own.
func (a *Accounts) Sessions(ctx context.Context, actor *access.Actor) ([]wire.SessionRow, wire.Meta, error) {
	if err := mustBePerson(actor); err != nil {
		return nil, wire.Meta{}, err
	}
	return a.sessionRows(ctx, actor, actor.UserID)
}

// UserSessions lists another user's sessions. Requires EDIT_USER and full reach. Refusals: not_found, forbidden.
func (a *Accounts) UserSessions(ctx context.Context, actor *access.Actor, userID string) ([]wire.SessionRow, wire.Meta, error) {
	if err := actor.Must("EDIT_USER"); err != nil {
		return nil, wire.Meta{}, err
	}
	u, err := store.UserByID(ctx, a.Store.Reader(), userID)
	if err != nil && err != store.ErrNotFound {
		return nil, wire.Meta{}, err
	}
	if err != nil || actor.Reach(u.OrganizationID) != access.Full {
		return nil, wire.Meta{}, fleet.Refuse("not_found", "", "User not found")
	}
	if _, err := a.managedUser(ctx, a.Store.Reader(), actor, userID); err != nil {
		return nil, wire.Meta{}, err
	}
	return a.sessionRows(ctx, actor, userID)
}

func (a *Accounts) sessionRows(ctx context.Context, actor *access.Actor, userID string) ([]wire.SessionRow, wire.Meta, error) {
	r := a.Store.Reader()
	all, err := store.SessionsOf(ctx, r, userID)
	if err != nil {
		return nil, wire.Meta{}, err
	}
	u, err := store.UserByID(ctx, r, userID)
	if err != nil {
		return nil, wire.Meta{}, err
	}
	o, err := store.OrganizationByID(ctx, r, u.OrganizationID)
	if err != nil {
		return nil, wire.Meta{}, err
	}
	out := []wire.SessionRow{}
	for _, s := range all {
		s, over, err := a.standing(ctx, r, s, u, o)
		if err != nil {
			return nil, wire.Meta{}, err
		}
		if over || outcomeOfRefresh(s, s.Generation, 0, a.now()) == refreshEnded {
			continue // it has expired, though nothing recorded that yet
		}
		out = append(out, wire.SessionRow{ID: s.ID, CreatedAt: s.CreatedAt, LastUsedAt: s.LastUsedAt, Network: s.Network, UserAgent: s.UserAgent,
			Method: s.Method, AwarenessMode: s.Awareness, Current: s.ID == actor.SessionID})
	}
	return out, wire.SinglePage(len(out), a.now()), nil
}

// EndSession ends one of one's own sessions, including the current one. Refusals: session_not_found.
func (a *Accounts) EndSession(ctx context.Context, actor *access.Actor, sessionID string) error {
	if err := mustBePerson(actor); err != nil {
		return err
	}
	err := a.Store.Write(ctx, func(tx *store.Tx) error {
		s, err := store.SessionByID(ctx, tx, sessionID)
		if err == store.ErrNotFound || (err == nil && (s.UserID != actor.UserID || s.RevokedAt != 0)) {
			return fleet.Refuse("session_not_found", "", "Session not found")
		}
		if err != nil {
			return err
		}
		if _, err := tx.EndSession(ctx, s.ID, a.now(), "ended by its user"); err != nil {
			return err
		}
		return a.Audit.Write(ctx, tx, actor, audit.Row{Verb: "end", Noun: "session", NounID: s.ID})
	})
	if err == nil {
		a.sessionEnded(sessionID)
	}
	return err
}

// EndOtherSessions ends all of one's own sessions but the current one.
func (a *Accounts) EndOtherSessions(ctx context.Context, actor *access.Actor) error {
	if err := mustBePerson(actor); err != nil {
		return err
	}
	return a.endAllOf(ctx, actor, func(*store.Tx) (fleet.User, error) {
		return fleet.User{ID: actor.UserID, OrganizationID: actor.OrganizationID}, nil
	}, actor.SessionID)
}

// EndUserSessions signs another user out everywhere. Requires EDIT_USER and
// full reach. Refusals: user_not_found, forbidden.
func (a *Accounts) EndUserSessions(ctx context.Context, actor *access.Actor, userID string) error {
	if err := actor.Must("EDIT_USER"); err != nil {
		return err
	}
	return a.endAllOf(ctx, actor, func(tx *store.Tx) (fleet.User, error) { return a.managedUser(ctx, tx, actor, userID) }, "")
}

// endAllOf ends a user's sessions but one, with one audit row that names them.
func (a *Accounts) endAllOf(ctx context.Context, actor *access.Actor, whose func(*store.Tx) (fleet.User, error), keep string) error {
	var ended []string
	err := a.Store.Write(ctx, func(tx *store.Tx) error {
		u, err := whose(tx)
		if err != nil {
			return err
		}
		if ended, err = a.endSessionsOf(ctx, tx, u.ID, keep, "ended by "+actor.UserID); err != nil || len(ended) == 0 {
			return err
		}
		return a.Audit.Write(ctx, tx, actor, audit.Row{Verb: "end_sessions", Noun: "user", NounID: u.ID, OrganizationID: u.OrganizationID,
			After: map[string][]string{"sessions": ended}})
	})
	if err == nil {
		a.sessionsEnded(ended)
	}
	return err
}
