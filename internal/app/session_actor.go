package app

import (
	"context"
	"errors"
	"slices"
	"strings"

	"lightbar/catalog"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
)

// ActorNow answers a signed-in actor as it stands now: the family's end,
// permissions and reach read afresh, whatever became of the access token it
// began with (renewal replaces the token, not the family). Long-lived
// connections ask it again and again. Refusals: invalid_token,
// organization_changed; API keys are refused: they open none.
func (a *App) ActorNow(ctx context.Context, actor *Actor) (*Actor, error) {
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
	if presentRefresh(s, s.Generation, 0, now) == presentedEnded {
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
	fresh := actorOf(u, s.ID, relations)
	fresh.Network, fresh.RequestID = actor.Network, actor.RequestID
	return fresh, nil
}

// actorOf makes the actor of a signed-in user: own and managed organizations
// in full, accessed ones for reading, every one for haas:manage.
func actorOf(u fleet.User, sessionID string, relations []fleet.OrganizationRelation) *Actor {
	actor := &Actor{UserID: u.ID, SessionID: sessionID, OrganizationID: u.OrganizationID, RoleID: u.RoleID,
		Permissions: permissionsOf(u.RoleID), Organizations: map[string]Reach{u.OrganizationID: ReachFull}}
	actor.Super = actor.Permissions["haas:manage"]
	for _, rel := range relations {
		switch {
		case rel.OtherID != u.OrganizationID:
		case rel.Kind == "manager":
			actor.Organizations[rel.OrganizationID] = ReachFull
		default:
			actor.Organizations[rel.OrganizationID] = ReachRead
		}
	}
	return actor
}

// permissionsOf expands a role: manage grants read, create, update and delete
// of its resource, as far as the catalog knows them (specification section 6).
func permissionsOf(roleID string) map[string]bool {
	out := map[string]bool{}
	role, ok := catalog.RoleByID(roleID)
	if !ok {
		return out
	}
	for _, p := range catalog.Granted(role) {
		out[p] = true
		if resource, ok := strings.CutSuffix(p, ":manage"); ok {
			for _, action := range []string{"read", "create", "update", "delete"} {
				if q := resource + ":" + action; slices.Contains(catalog.AllPermissions().Permissions, q) {
					out[q] = true
				}
			}
		}
	}
	return out
}
