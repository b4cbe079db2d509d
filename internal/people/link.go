package people

import (
	"context"
	"errors"
	"time"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/secret"
	"lightbar/internal/store"
)

var (
	mailsPerAccount = int(catalog.LimitInt("session", "mailsPerAccountHour"))
	mailsPerNetwork = int(catalog.LimitInt("session", "mailsPerNetworkHour"))

	invitationsPerSender = catalog.Setting("session", "invitationsPerSenderHour")
)

// ForgotPassword sends the link with which a person chooses a new password (requirements 7.auth). Refusals: rate_limited, and,
// unless HideUnknownEmail, user_not_known and not_authorized_method (the organization signs in through its provider: no mail is
// sent in either case).
func (a *Accounts) ForgotPassword(ctx context.Context, email string, c Caller) error {
	return a.mailLinkTo(ctx, email, letterReset, c)
}

// UnlockAccount sends the link that lets a person sign in although there were
// too many wrong passwords (POST /unlock_account). Refusals as ForgotPassword.
func (a *Accounts) UnlockAccount(ctx context.Context, email string, c Caller) error {
	return a.mailLinkTo(ctx, email, letterUnlock, c)
}

// mailLinkTo does the same work whether or not the account exists: the same lookups, counters, token and mail, and one commit; the
// mail is sent later. For an unknown account everything is rolled back before the commit. A user of single sign-on without a
// password gets a mail that explains this.
func (a *Accounts) mailLinkTo(ctx context.Context, email string, l linkLetter, c Caller) error {
	key := fleet.EmailKey(email)
	if !fleet.ValidEmail(key) {
		return fleet.Refuse("validation_failed", "email", "Must be a valid email")
	}
	u, err := store.UserByEmailKey(ctx, a.Store.Reader(), key)
	known := err == nil
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	if !known {
		u = fleet.User{Email: key}
	}
	managed, err := a.isManaged(ctx, a.Store.Reader(), u)
	if err != nil {
		return err
	}
	byProvider, err := comesByProvider(ctx, a.Store.Reader(), u)
	if err != nil {
		return err
	}
	account, network := mailsTo(l, key), "mails of "+fleet.LimitNetwork(c.Network)
	defer a.memory.signIns.Lock(account)()
	defer a.memory.signIns.Lock(network)()
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		if err := a.countMail(ctx, tx, mailCount{account, mailsPerAccount}, mailCount{network, mailsPerNetwork}); err != nil {
			return err
		}
		if err := a.linkOrWords(ctx, tx, l, u, known && !managed, byProvider); err != nil || !known || managed {
			return err
		}
		return a.Audit.Write(ctx, tx, &access.Actor{OrganizationID: u.OrganizationID, Network: c.Network, RequestID: c.RequestID},
			audit.Row{Verb: l.purpose + "_requested", Noun: "user", NounID: u.ID})
	})
	switch {
	case err != nil || a.HideUnknownEmail:
		return err
	case !known:
		return fleet.Refuse("user_not_known", "email", "There's no user with such email.")
	case managed:
		return refuseMethod()
	}
	return nil
}

// mailsTo names the counter of the mails of one purpose to an address, known or not.
func mailsTo(l linkLetter, key string) string { return "mail " + l.purpose + " " + secret.Hash(key) }

// linkOrWords queues the mail with a link, or the mail that explains to a user of single sign-on that there is no password. If no
// mail may be sent, everything is rolled back.
func (a *Accounts) linkOrWords(ctx context.Context, tx *store.Tx, l linkLetter, u fleet.User, letter, byProvider bool) error {
	if letter && byProvider {
		return a.mailOfProvider(ctx, tx, u)
	}
	hash, mailID, err := a.oneTimeLinkIDs(ctx, tx, l, u, nil)
	if err != nil || letter {
		return err
	}
	return errors.Join(tx.DropOneTime(ctx, hash), tx.DropMail(ctx, mailID))
}

// isManaged reports whether a user's organization uses single sign-on, so that passwords are refused, except for break-glass users.
// For an unknown user it makes the same query, so that the answer takes as long.
func (a *Accounts) isManaged(ctx context.Context, r store.Reader, u fleet.User) (bool, error) {
	o, err := store.OrganizationByID(ctx, r, u.OrganizationID)
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return o.SSOOnly && !u.BreakGlass, err
}

// mailCount is one of the counters of a mail, and how many per hour it allows.
type mailCount struct {
	name string
	most int
}

// countMail counts a mail in each of its counters, or refuses it (rate_limited) when one of them has reached its limit for the last
// hour.
func (a *Accounts) countMail(ctx context.Context, tx *store.Tx, counts ...mailCount) error {
	now := a.now()
	if err := tx.PurgeAttempts(ctx, now.Add(-2*time.Hour)); err != nil {
		return err
	}
	for _, limit := range counts {
		rows, err := store.AttemptsSince(ctx, tx, limit.name, now.Add(-time.Hour))
		if err != nil {
			return err
		}
		if len(rows) >= limit.most {
			wait := rows[limit.most-1].At.Add(time.Hour).Sub(now)
			return &fleet.Refusal{Code: "rate_limited", Message: "Too many requests. Please wait a moment.", RetryAfterS: int(wait/time.Second) + 1}
		}
		if err := tx.InsertAttempt(ctx, limit.name, "mail", now, a.NewID()); err != nil {
			return err
		}
	}
	return nil
}

// The refusals of links; texts are those of requirements 8.token.
func refuseResetUnknown() error {
	return fleet.Refuse("reset_token_unknown", "token", "Reset token is expired or does not exist.")
}

func refuseResetExpired() error {
	return fleet.Refuse("reset_token_expired", "token", "Reset token is expired or does not exist.")
}

func refuseInvitation() error {
	return fleet.Refuse("invitation_expired", "token", "This invitation was already used or has expired. "+
		"Ask your administrator for a new one.")
}

// choice holds the differences between the two ways to choose a password by
// link.
type choice struct {
	letter           linkLetter
	verb             string
	unknown, expired func() error
	tell             bool // a mail notifies the user
}

// ResetPassword consumes the link of ForgotPassword and replaces the password: all sessions end, a mail notifies the user, nobody
// is signed in, and the second factor stays as it is (requirements 7.auth). Refusals: reset_token_unknown, reset_token_expired,
// user_suspended, not_authorized_method, password_rules, password_common, password_reused.
func (a *Accounts) ResetPassword(ctx context.Context, token, password string, c Caller) error {
	return a.choosePassword(ctx, token, password, choice{letterReset, "reset_password", refuseResetUnknown, refuseResetExpired, true}, c)
}

// AcceptInvitation consumes the link of an invitation and sets the first
// password; nobody is signed in. Refusals: invitation_expired, user_suspended,
// not_authorized_method, password_rules, password_common, password_reused.
func (a *Accounts) AcceptInvitation(ctx context.Context, token, password string, c Caller) error {
	return a.choosePassword(ctx, token, password, choice{letterInvitation, "accept_invitation", refuseInvitation, refuseInvitation, false}, c)
}

func (a *Accounts) choosePassword(ctx context.Context, token, password string, by choice, c Caller) error {
	if !secret.WellFormed(by.letter.prefix, token) {
		return by.unknown()
	}
	u, err := a.ownerOfLink(ctx, a.Store.Reader(), token, by)
	if err != nil {
		return err
	}
	defer a.memory.passwords.Lock(u.ID)()
	hash, err := a.newPasswordHash(ctx, u, password)
	if err != nil {
		return err
	}
	var ended []string
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		now, err := a.ownerOfLink(ctx, tx, token, by) // check again: hashing the password took time
		if err != nil {
			return err
		}
		used, err := tx.UseOneTime(ctx, secret.Hash(token), by.letter.purpose, a.now())
		if err != nil {
			return err
		}
		if !used || now.PasswordHash != u.PasswordHash {
			return by.unknown()
		}
		if ended, err = a.storePassword(ctx, tx, now, hash, ""); err != nil {
			return err
		}
		if by.tell {
			if err := a.QueueMail(ctx, tx, Mail{Kind: "password_changed", UserID: u.ID, To: u.Email}); err != nil {
				return err
			}
		}
		return a.Audit.Write(ctx, tx, c.as(u),
			audit.Row{Verb: by.verb, Noun: "user", NounID: u.ID})
	})
	return a.passwordStored(ended, err)
}

// ownerOfLink finds whose link this is, if it still works.
func (a *Accounts) ownerOfLink(ctx context.Context, r store.Reader, token string, by choice) (fleet.User, error) {
	row, err := store.OneTimeByHash(ctx, r, secret.Hash(token), by.letter.purpose)
	switch {
	case errors.Is(err, store.ErrNotFound) || (err == nil && row.UsedAt != 0):
		return fleet.User{}, by.unknown()
	case err != nil:
		return fleet.User{}, err
	case a.now() >= row.ExpiresAt:
		return fleet.User{}, by.expired()
	}
	u, err := store.UserByID(ctx, r, row.UserID)
	if errors.Is(err, store.ErrNotFound) {
		return u, by.unknown()
	}
	if err == nil && u.Suspended {
		return u, fleet.Refuse("user_suspended", "", "User is suspended. Please contact support")
	}
	if err != nil {
		return u, err
	}
	managed, err := a.isManaged(ctx, r, u)
	if err != nil {
		return u, err
	}
	byProvider, err := comesByProvider(ctx, r, u)
	if err == nil && (managed || (byProvider && by.letter == letterReset)) {
		return u, refuseMethod()
	}
	return u, err
}
