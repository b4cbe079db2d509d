package people

import (
	"cmp"
	"context"
	"errors"
	"net/url"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/secret"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

var linkLife = catalog.LimitMs("session", "linkTokenMs")

// The two tokens of a sign-in link (requirements 2.pub). They are valid
// only for SignInByLink, together, once, within a minute.
const (
	prefixLinkAccess  = "lb_lka_"
	prefixLinkRefresh = "lb_lkr_"
)

// linkOf says which session a link was made in, and with which password.
type linkOf struct {
	SessionID  string `json:"session_id"`
	PasswordAt int64  `json:"password_at"`
}

// MintSignInLink makes the address that signs this user in on another device. The newest link invalidates older ones. A user who
// still has to add a required second factor gets none: the new session would bypass the requirement. Refusals: step_up_required,
// validation_failed.
func (a *Accounts) MintSignInLink(ctx context.Context, actor *access.Actor) (wire.SignInLink, error) {
	u, o, err := a.changingFactors(ctx, actor)
	if err != nil {
		return wire.SignInLink{}, err
	}
	owes, err := a.owesFactor(ctx, a.Store.Reader(), actor.SessionID, o)
	if err != nil {
		return wire.SignInLink{}, err
	}
	if owes {
		return wire.SignInLink{}, fleet.Refuse("validation_failed", "", "Your organization requires two-factor authentication. Set it up first.")
	}
	access, refresh := secret.RandomToken(prefixLinkAccess, accessBytes), secret.RandomToken(prefixLinkRefresh, secretBytes)
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
		return a.Audit.Write(ctx, tx, actor, audit.Row{Verb: "create", Noun: "sign_in_link", NounID: u.ID, OrganizationID: u.OrganizationID})
	})
	query := url.Values{"access_token": {access}, "refresh_token": {refresh}}
	return wire.SignInLink{URL: a.PublicURL + "/welcome/signin?" + query.Encode(), ExpiresAt: now.Add(linkLife)}, err
}

func linkHash(access, refresh string) string { return secret.Hash(access + " " + refresh) }

// SignInByLink exchanges the two texts of a link for a session of its own (POST /user_token, grant_type link). That session ends
// with the session in which the link was made, and with the password. Refusals: session_expired, and those of mayBeIn.
func (a *Accounts) SignInByLink(ctx context.Context, access, refresh string, c Caller) (Grant, error) {
	row, u, _, err := a.openLink(ctx, access, refresh, c)
	if err != nil {
		return Grant{}, err
	}
	return a.startSession(ctx, u, entry{Method: "link"}, c, func(tx *store.Tx) error { return a.useLink(ctx, tx, row) })
}

// LookUpLink returns who a link would sign in, without using it up (auth.link_confirmation). It reveals nobody who could not sign
// in with it. Refusals: those of SignInByLink.
func (a *Accounts) LookUpLink(ctx context.Context, access, refresh string, c Caller) (wire.LinkOwner, error) {
	_, u, o, err := a.openLink(ctx, access, refresh, c)
	if err != nil {
		return wire.LinkOwner{}, err
	}
	return wire.LinkOwner{FirstName: u.FirstName, LastName: u.LastName, Email: u.Email, Organization: o.Name}, nil
}

// DiscardLink uses up a link without signing anybody in. Like Revoke it is
// idempotent: a link that no longer works is no error.
func (a *Accounts) DiscardLink(ctx context.Context, access, refresh string, c Caller) error {
	row, u, _, err := a.openLink(ctx, access, refresh, c)
	var refusal *fleet.Refusal
	if errors.As(err, &refusal) {
		return nil
	}
	if err != nil {
		return err
	}
	return a.Store.Write(ctx, func(tx *store.Tx) error {
		used, err := tx.UseOneTime(ctx, row.Hash, "link", a.now())
		if err != nil || !used {
			return err
		}
		return a.Audit.Write(ctx, tx, c.as(u), audit.Row{Verb: "discard_sign_in_link", Noun: "user", NounID: u.ID})
	})
}

// openLink finds the user of a link, if it is valid and they may sign in.
func (a *Accounts) openLink(ctx context.Context, access, refresh string,
	c Caller) (row store.OneTime, u fleet.User, o fleet.Organization, err error) {
	if !secret.WellFormed(prefixLinkAccess, access) || !secret.WellFormed(prefixLinkRefresh, refresh) {
		return row, u, o, refuseSession()
	}
	r := a.Store.Reader()
	row, err = store.OneTimeByHash(ctx, r, linkHash(access, refresh), "link")
	if errors.Is(err, store.ErrNotFound) || (err == nil && (row.UsedAt != 0 || a.now() >= row.ExpiresAt)) {
		return row, u, o, refuseSession()
	}
	if err != nil {
		return row, u, o, err
	}
	var of linkOf
	if err := decodePayload(row.Payload, &of); err != nil {
		return row, u, o, err
	}
	s, err := store.SessionByID(ctx, r, of.SessionID)
	if err != nil {
		return row, u, o, err
	}
	if u, o, err = a.userOfSession(ctx, r, s); err != nil {
		return row, u, o, err
	}
	if u.ID == "" || int64(u.PasswordChangedAt) != of.PasswordAt || outcomeOfRefresh(s, s.Generation, 0, a.now()) == refreshEnded {
		return row, u, o, refuseSession()
	}
	if owes, err := a.owesFactor(ctx, r, s.ID, o); err != nil || owes {
		return row, u, o, cmp.Or[error](err, refuseSession())
	}
	if err := a.mayBeIn(u, o); err != nil {
		return row, u, o, a.refusedEntry(ctx, u, err, c)
	}
	return row, u, o, nil
}

func (a *Accounts) useLink(ctx context.Context, tx *store.Tx, row store.OneTime) error {
	used, err := tx.UseOneTime(ctx, row.Hash, "link", a.now())
	if err == nil && !used {
		return fleet.Refuse("session_expired", "", refuseSession().Message)
	}
	return err
}
