package app

import (
	"context"
	"errors"
	"net/url"
	"time"

	"lightbar/catalog"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

var linkLife = time.Duration(catalog.LimitInt("session", "linkTokenMs")) * time.Millisecond

// The two texts of a sign-in link (specification section 2). They open nothing
// but SignInByLink, together, once, for a minute.
const (
	prefixLinkAccess  = "lb_lka_"
	prefixLinkRefresh = "lb_lkr_"
)

// linkOf says which session a link was made in, and with which password.
type linkOf struct {
	SessionID  string `json:"session_id"`
	PasswordAt int64  `json:"password_at"`
}

// MintSignInLink makes the address that signs this user in on another device.
// The newest link makes older ones useless. Refusals: step_up_required.
func (a *App) MintSignInLink(ctx context.Context, actor *Actor) (wire.SignInLink, error) {
	u, _, err := a.changingFactors(ctx, actor)
	if err != nil {
		return wire.SignInLink{}, err
	}
	access, refresh := randomToken(prefixLinkAccess, accessBytes), randomToken(prefixLinkRefresh, secretBytes)
	payload, err := encodePayload(linkOf{SessionID: actor.SessionID, PasswordAt: int64(u.PasswordChangedAt)})
	if err != nil {
		return wire.SignInLink{}, err
	}
	now := a.now()
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.PurgeOneTimes(ctx, "link", now); err != nil {
			return err
		}
		if err := tx.DropOneTimes(ctx, "link", u.ID, now); err != nil {
			return err
		}
		if err := tx.InsertOneTime(ctx, store.OneTime{Hash: linkHash(access, refresh), Purpose: "link", UserID: u.ID, CreatedAt: now,
			ExpiresAt: now.Add(linkLife), Payload: payload}); err != nil {
			return err
		}
		return a.writeAudit(ctx, tx, actor, audited{Verb: "create", Noun: "sign_in_link", NounID: u.ID, OrganizationID: u.OrganizationID})
	})
	query := url.Values{"access_token": {access}, "refresh_token": {refresh}}
	return wire.SignInLink{URL: a.PublicURL + "/welcome/signin?" + query.Encode(), ExpiresAt: now.Add(linkLife)}, err
}

func linkHash(access, refresh string) string { return hashOf(access + " " + refresh) }

// SignInByLink exchanges the two texts of a link for a session of its own (POST
// /user_token, grant_type link). It ends with the session it was made in, and
// with the password. Refusals: session_expired, and those of mayBeIn.
func (a *App) SignInByLink(ctx context.Context, access, refresh string, c Caller) (Grant, error) {
	if !wellFormed(prefixLinkAccess, access) || !wellFormed(prefixLinkRefresh, refresh) {
		return Grant{}, refuseSession()
	}
	r := a.Store.Reader()
	row, err := store.OneTimeByHash(ctx, r, linkHash(access, refresh), "link")
	if errors.Is(err, store.ErrNotFound) {
		return Grant{}, refuseSession()
	}
	if err != nil {
		return Grant{}, err
	}
	var of linkOf
	if err := decodePayload(row.Payload, &of); err != nil {
		return Grant{}, err
	}
	s, err := store.SessionByID(ctx, r, of.SessionID)
	if err != nil {
		return Grant{}, err
	}
	u, o, err := a.userOfSession(ctx, r, s)
	if err != nil {
		return Grant{}, err
	}
	if u.ID == "" || int64(u.PasswordChangedAt) != of.PasswordAt || presentRefresh(s, s.Generation, 0, a.now()) == presentedEnded {
		return Grant{}, refuseSession()
	}
	if err := a.mayBeIn(u, o); err != nil {
		return Grant{}, a.refusedEntry(ctx, u, err, c)
	}
	return a.welcome(ctx, u, entry{Method: "link"}, c, func(tx *store.Tx) error { return a.useLink(ctx, tx, row) })
}

func (a *App) useLink(ctx context.Context, tx *store.Tx, row store.OneTime) error {
	used, err := tx.UseOneTime(ctx, row.Hash, "link", a.now())
	if err == nil && !used {
		return fleet.Refuse("session_expired", "", refuseSession().Message)
	}
	return err
}
