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

// Caller is what is known about a request before anybody has signed in.
type Caller struct {
	Network   string // address of the client, as text
	UserAgent string
	RequestID string
	// Device is the token of the cookie that marks a device known from an earlier sign-in.
	Device string
}

// Grant is a token pair on its way to the client.
type Grant struct {
	Access, Refresh string
	MadeAt          fleet.Instant // of the access token
	ExpiresAt       fleet.Instant // of the access token
	FamilyEndsAt    fleet.Instant // 0 = none (awareness mode)
	SessionID       string
	UserID          string
	Awareness       bool
	// Device is a new known-device token to store as a cookie; empty when the old one stays.
	Device string
}

// The refusals of the token calls; texts are those of specification section 8.
func refuseCredentials() *fleet.Refusal {
	return fleet.Refuse("invalid_grant", "", "Email and/or password incorrect.")
}

func refuseToken() *fleet.Refusal {
	return fleet.Refuse("invalid_token", "", "Access token is expired or does not exist.")
}

func refuseSession() *fleet.Refusal {
	return fleet.Refuse("session_expired", "", "Please log in to Dashboard again")
}

// startSession begins a family for a user who has proved who they are.
func (a *App) startSession(ctx context.Context, tx *store.Tx, u fleet.User, awareness bool, c Caller) (Grant, error) {
	now := a.now()
	s := fleet.Session{ID: a.NewID(), UserID: u.ID, OrganizationID: u.OrganizationID, CreatedAt: now, LastUsedAt: now, Generation: 1, RotatedAt: now,
		Awareness: awareness, Network: c.Network, UserAgent: cutText(c.UserAgent, 200), VerifiedAt: now, Method: "password"}
	if !awareness {
		s.AbsoluteAt = now.Add(absoluteLife)
	}
	if err := tx.InsertSession(ctx, s); err != nil {
		return Grant{}, err
	}
	if err := tx.PurgeSessionTokens(ctx, now); err != nil {
		return Grant{}, err
	}
	return a.issue(ctx, tx, s, now)
}

// issue stores the hashes of the present generation's pair.
func (a *App) issue(ctx context.Context, tx *store.Tx, s fleet.Session, now fleet.Instant) (Grant, error) {
	g := a.grantOf(s, s.Generation, now)
	for _, t := range []store.SessionToken{
		{Hash: hashOf(g.Access), SessionID: s.ID, Kind: "access", Generation: s.Generation, ExpiresAt: g.ExpiresAt},
		{Hash: hashOf(g.Refresh), SessionID: s.ID, Kind: "refresh", Generation: s.Generation, ExpiresAt: now.Add(refreshKept)},
	} {
		if err := tx.InsertSessionToken(ctx, t); err != nil {
			return Grant{}, err
		}
	}
	return g, nil
}

func (a *App) grantOf(s fleet.Session, generation int64, madeAt fleet.Instant) Grant {
	access, refresh := a.pairOf(s.ID, generation)
	return Grant{Access: access, Refresh: refresh, MadeAt: madeAt, ExpiresAt: accessExpiry(s, madeAt), FamilyEndsAt: s.AbsoluteAt,
		SessionID: s.ID, UserID: s.UserID, Awareness: s.Awareness}
}

// Refresh exchanges a refresh token for the next pair of its family
// (specification section 7, POST /user_token). awareness, when said, switches
// awareness mode on or off. Refusals: session_expired.
func (a *App) Refresh(ctx context.Context, token string, awareness *bool, c Caller) (Grant, error) {
	if !wellFormed(prefixRefresh, token) {
		return Grant{}, refuseSession()
	}
	row, err := store.SessionTokenByHash(ctx, a.Store.Reader(), hashOf(token))
	if errors.Is(err, store.ErrNotFound) || (err == nil && row.Kind != "refresh") {
		return Grant{}, refuseSession()
	}
	if err != nil {
		return Grant{}, err
	}
	defer a.people.families.lock(row.SessionID)()
	var g Grant
	var outcome presented
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		g, outcome, err = a.refreshIn(ctx, tx, row, awareness, c)
		return err
	})
	switch {
	case err != nil:
		return Grant{}, err
	case outcome == presentedReuse:
		a.sessionEnded(row.SessionID)
		return Grant{}, refuseSession()
	case outcome == presentedEnded:
		return Grant{}, refuseSession()
	}
	return g, nil
}

func (a *App) refreshIn(ctx context.Context, tx *store.Tx, row store.SessionToken, awareness *bool, c Caller) (Grant, presented, error) {
	now := a.now()
	s, err := store.SessionByID(ctx, tx, row.SessionID)
	if err != nil {
		return Grant{}, presentedEnded, err
	}
	var successorAt fleet.Instant
	if row.Generation < s.Generation {
		_, successor := a.pairOf(s.ID, row.Generation+1)
		next, err := store.SessionTokenByHash(ctx, tx, hashOf(successor))
		if err == nil {
			successorAt = next.ExpiresAt.Add(-refreshKept)
		} else if !errors.Is(err, store.ErrNotFound) {
			return Grant{}, presentedEnded, err
		}
	}
	outcome := presentRefresh(s, row.Generation, successorAt, now)
	switch outcome {
	case presentedRepeat:
		return a.grantOf(s, row.Generation+1, successorAt), outcome, nil
	case presentedReuse:
		return Grant{}, outcome, a.endSessionIn(ctx, tx, s, "refresh token used again", "session_reuse", c)
	case presentedEnded:
		return Grant{}, outcome, nil
	}
	u, o, err := a.userOfSession(ctx, tx, s)
	if err != nil || u.ID == "" {
		return Grant{}, presentedEnded, err
	}
	from := s.Generation
	s.Generation, s.RotatedAt, s.LastUsedAt, s.SuccessorOn = from+1, now, now, false
	if awareness != nil && *awareness != s.Awareness {
		if err := mayUseAwareness(u, o, *awareness); err != nil {
			return Grant{}, presentedEnded, err
		}
		s.Awareness, s.AbsoluteAt = *awareness, 0
		if !s.Awareness {
			s.AbsoluteAt = now.Add(absoluteLife)
		}
	}
	if ok, err := tx.RotateSession(ctx, s, from); err != nil || !ok {
		return Grant{}, presentedEnded, err
	}
	g, err := a.issue(ctx, tx, s, now)
	return g, outcome, err
}

func mayUseAwareness(u fleet.User, o fleet.Organization, want bool) error {
	if want && !(u.Awareness && o.InfiniteTimeout) {
		return fleet.Refuse("awareness_not_allowed", "awareness_mode", "Your organization does not offer the situational-awareness mode.")
	}
	return nil
}

// userOfSession reads the user and organization behind a family; a zero user
// when either has gone, was suspended or moved.
func (a *App) userOfSession(ctx context.Context, r store.Reader, s fleet.Session) (fleet.User, fleet.Organization, error) {
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

// endSessionIn ends a family and leaves an audit row; sockets and cached
// look-ups are ended by sessionEnded after the commit.
func (a *App) endSessionIn(ctx context.Context, tx *store.Tx, s fleet.Session, reason, verb string, c Caller) error {
	ended, err := tx.EndSession(ctx, s.ID, a.now(), reason)
	if err != nil || !ended {
		return err
	}
	return tx.InsertAudit(ctx, fleet.AuditRow{ID: a.NewID(), At: a.now(), ActorUserID: s.UserID, OrganizationID: s.OrganizationID,
		Network: c.Network, Verb: verb, Noun: "session", NounID: s.ID, RequestID: c.RequestID})
}

// sessionEnded makes the end of a family act: no cached look-up, no socket survives it.
func (a *App) sessionEnded(sessionID string) {
	a.people.tokens.drop(func(actor *Actor) bool { return actor.SessionID == sessionID })
	a.Bus.EndSession(sessionID)
}

// Revoke ends the family of an access or refresh token. It is idempotent: an
// unknown or ended token is no error (specification section 7, POST /revoke_token).
func (a *App) Revoke(ctx context.Context, token string, c Caller) error {
	if !wellFormed(prefixAccess, token) && !wellFormed(prefixRefresh, token) {
		return nil
	}
	row, err := store.SessionTokenByHash(ctx, a.Store.Reader(), hashOf(token))
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

// Verify answers whose access token this is and when it ends. Refusals:
// invalid_token (the 422 of POST /verify_token).
func (a *App) Verify(ctx context.Context, token string, c Caller) (Grant, error) {
	actor, err := a.Authenticate(ctx, token, c.Network)
	var refusal *fleet.Refusal
	if errors.As(err, &refusal) {
		return Grant{}, fleet.Refuse("token_not_verified", "access_token", "Access token is expired or does not exist.")
	}
	if err != nil {
		return Grant{}, err
	}
	row, err := store.SessionTokenByHash(ctx, a.Store.Reader(), hashOf(token))
	if err != nil {
		return Grant{}, err
	}
	s, err := store.SessionByID(ctx, a.Store.Reader(), row.SessionID)
	if err != nil {
		return Grant{}, err
	}
	_, refresh := a.pairOf(s.ID, row.Generation)
	made, err := store.SessionTokenByHash(ctx, a.Store.Reader(), hashOf(refresh))
	if err != nil {
		return Grant{}, err
	}
	return Grant{MadeAt: made.ExpiresAt.Add(-refreshKept), ExpiresAt: row.ExpiresAt, SessionID: s.ID, UserID: actor.UserID}, nil
}

// Authenticate turns an access token into an actor, looked up at most every
// few seconds. network is the client's address. Refusals: invalid_token,
// organization_changed.
func (a *App) Authenticate(ctx context.Context, token, network string) (*Actor, error) {
	if !wellFormed(prefixAccess, token) {
		return nil, refuseToken()
	}
	now, hash := a.now(), hashOf(token)
	t, ok := a.people.tokens.get(hash, now)
	if !ok {
		began := a.people.tokens.begin()
		var err error
		if t, err = a.lookUpAccess(ctx, hash, now); err != nil {
			return nil, err
		}
		a.people.tokens.put(hash, t, began)
	}
	actor := *t.actor
	actor.Network = network
	return &actor, nil
}

func (a *App) lookUpAccess(ctx context.Context, hash string, now fleet.Instant) (trusted, error) {
	r := a.Store.Reader()
	row, err := store.SessionTokenByHash(ctx, r, hash)
	if errors.Is(err, store.ErrNotFound) || (err == nil && (row.Kind != "access" || now >= row.ExpiresAt)) {
		return trusted{}, refuseToken()
	}
	if err != nil {
		return trusted{}, err
	}
	s, err := store.SessionByID(ctx, r, row.SessionID)
	if err != nil {
		return trusted{}, err
	}
	if s.RevokedAt != 0 || (s.AbsoluteAt != 0 && now >= s.AbsoluteAt) {
		return trusted{}, refuseToken()
	}
	u, o, err := a.userOfSession(ctx, r, s)
	if err != nil {
		return trusted{}, err
	}
	if u.ID == "" {
		return trusted{}, a.refuseMoved(ctx, s)
	}
	relations, err := store.RelationsOf(ctx, r, o.ID)
	if err != nil {
		return trusted{}, err
	}
	a.noteUse(ctx, s, row.Generation, now)
	return trusted{actor: actorOf(u, s.ID, relations), loadedAt: now, expiresAt: row.ExpiresAt}, nil
}

// refuseMoved says why a family that has not ended does not work: a user who
// now belongs to another organization is told so (specification section 8, Session).
func (a *App) refuseMoved(ctx context.Context, s fleet.Session) error {
	u, err := store.UserByID(ctx, a.Store.Reader(), s.UserID)
	if err == nil && u.OrganizationID != s.OrganizationID {
		return fleet.Refuse("organization_changed", "", "Organization was changed, please log back in.")
	}
	return refuseToken()
}

// noteUse remembers that the newest pair has reached its client, and when the
// family was last used. It is a hint: a full disk must not end sessions.
func (a *App) noteUse(ctx context.Context, s fleet.Session, generation int64, now fleet.Instant) {
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
// of its resource, as far as the catalogue knows them (specification section 6).
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

func cutText(s string, max int) string {
	if len(s) <= max {
		return strings.ToValidUTF8(s, "")
	}
	return strings.ToValidUTF8(s[:max], "")
}
