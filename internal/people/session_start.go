package people

import (
	"context"

	"lightbar/internal/fleet"
	"lightbar/internal/secret"
	"lightbar/internal/store"
)

// Grant is a token pair on its way to the client.
type Grant struct {
	Access, Refresh string
	MadeAt          fleet.Instant // of the access token
	ExpiresAt       fleet.Instant // of the access token
	FamilyEndsAt    fleet.Instant // 0 = none (awareness mode)
	SessionID       string
	UserID          string
	Awareness       bool
	// Device is a new known-device cookie to store; empty when the old one stays.
	Device string
	// RecoveryCodes are new ones, shown only once; set when the sign-in set up a second factor.
	RecoveryCodes []string
}

// entry is how somebody signed in.
type entry struct {
	Method    string // password, totp, passkey, recovery, link, sso
	Awareness bool   // situational-awareness mode: neither idle nor absolute end
	// ProvedAt is when a provider last asked the user to sign in; 0 = unknown or long ago. It applies to sso only: every other
	// method asks here, except a link, which asks nobody.
	ProvedAt fleet.Instant
}

// The refusals of the token calls; texts are those of requirements 8.token.
func refuseCredentials() *fleet.Refusal {
	return fleet.Refuse("invalid_grant", "", "Email and/or password incorrect.")
}

func refuseToken() *fleet.Refusal {
	return fleet.Refuse("invalid_token", "", "Access token is expired or does not exist.")
}

// refuseRefresh is the answer to a refresh token that is not known or whose
// session has ended (requirements 8.token: 422).
func refuseRefresh() *fleet.Refusal { return refuseVerify("refresh_token") }

func refuseVerify(field string) *fleet.Refusal {
	return fleet.Refuse("token_not_verified", field, "Access token is expired or does not exist.")
}

func refuseSession() *fleet.Refusal {
	return fleet.Refuse("session_expired", "", "Please log in to Dashboard again")
}

// insertSession begins a family. A link does not prove who opened it, and
// neither does a provider that signs somebody in without asking. Such a session
// must step up before anything that requires a fresh proof.
func (a *Accounts) insertSession(ctx context.Context, tx *store.Tx, u fleet.User, how entry, c Caller) (Grant, error) {
	now := a.now()
	s := fleet.Session{ID: a.NewID(), UserID: u.ID, OrganizationID: u.OrganizationID, CreatedAt: now, LastUsedAt: now, Generation: 1,
		RotatedAt: now,
		Awareness: how.Awareness, Network: c.Network, UserAgent: cutText(c.UserAgent, 200), VerifiedAt: now, Method: how.Method}
	if !how.Awareness {
		s.AbsoluteAt = now.Add(absoluteLife)
	}
	switch how.Method {
	case "link":
		s.VerifiedAt = 0
	case "sso":
		s.VerifiedAt = how.ProvedAt
	}
	if err := tx.InsertSession(ctx, s); err != nil {
		return Grant{}, err
	}
	if err := tx.PurgeSessionTokens(ctx, now); err != nil {
		return Grant{}, err
	}
	return a.issue(ctx, tx, s, now)
}

// issue stores the hashes of the current generation's pair.
func (a *Accounts) issue(ctx context.Context, tx *store.Tx, s fleet.Session, now fleet.Instant) (Grant, error) {
	g := a.grantOf(s, s.Generation, now)
	for _, t := range []store.SessionToken{
		{Hash: secret.Hash(g.Access), SessionID: s.ID, Kind: "access", Generation: s.Generation, ExpiresAt: g.ExpiresAt},
		{Hash: secret.Hash(g.Refresh), SessionID: s.ID, Kind: "refresh", Generation: s.Generation, ExpiresAt: now.Add(refreshKept)},
	} {
		if err := tx.InsertSessionToken(ctx, t); err != nil {
			return Grant{}, err
		}
	}
	return g, nil
}

func (a *Accounts) grantOf(s fleet.Session, generation int64, madeAt fleet.Instant) Grant {
	access, refresh := a.pairOf(s.ID, generation)
	return Grant{Access: access, Refresh: refresh, MadeAt: madeAt, ExpiresAt: accessExpiry(s, madeAt), FamilyEndsAt: s.AbsoluteAt,
		SessionID: s.ID, UserID: s.UserID, Awareness: s.Awareness}
}
