package people

import (
	"cmp"
	"context"
	"errors"

	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
)

// SetUserPassword gives a user a new password and ends all of the user's sessions. Only the owner of the installation may do it:
// users change their own. Requires MANAGE_PLATFORM and a fresh proof. Refusals: user_not_found, password_rules, password_common,
// step_up_required.
func (a *Accounts) SetUserPassword(ctx context.Context, actor *access.Actor, email, password string) error {
	if err := actor.Must("MANAGE_PLATFORM"); err != nil {
		return err
	}
	u, err := store.UserByEmailKey(ctx, a.Store.Reader(), fleet.EmailKey(email))
	if errors.Is(err, store.ErrNotFound) {
		return fleet.Refuse("user_not_found", "email", "There's no user with such email.")
	}
	if err != nil {
		return err
	}
	if err := a.checkPassword(password, ownNames(u)...); err != nil {
		return err
	}
	if err := a.MustBeFresh(ctx, actor); err != nil {
		return err
	}
	hash, err := a.hashPassword(ctx, password)
	if err != nil {
		return err
	}
	var ended []string
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		if ended, err = a.storePassword(ctx, tx, u, hash, ""); err != nil {
			return err
		}
		if err := a.QueueMail(ctx, tx, Mail{Kind: "password_changed", UserID: u.ID, To: u.Email}); err != nil {
			return err
		}
		return a.Audit.Write(ctx, tx, actor, audit.Row{Verb: "set_password", Noun: "user", NounID: u.ID, OrganizationID: u.OrganizationID})
	})
	return a.passwordStored(ended, err)
}

// passwordStored ends the sockets of ended sessions after a commit.
func (a *Accounts) passwordStored(ended []string, err error) error {
	if err != nil {
		return err
	}
	for _, id := range ended {
		a.sessionEnded(id)
	}
	return nil
}

// ChangePassword replaces the signed-in user's own password and ends the user's other sessions; a mail notifies the user. Everybody
// may call it. A wrong current password counts like a wrong sign-in. A user with a second factor needs a fresh proof of identity.
// Refusals: step_up_required, password_wrong, rate_limited, password_rules, password_common, password_reused.
func (a *Accounts) ChangePassword(ctx context.Context, actor *access.Actor, current, password string) error {
	if actor.UserID == "" || actor.SessionID == "" {
		return fleet.Refuse("forbidden", "", "Only a signed-in user has a password.")
	}
	defer a.memory.passwords.Lock(actor.UserID)()
	u, err := store.UserByID(ctx, a.Store.Reader(), actor.UserID)
	if errors.Is(err, store.ErrNotFound) {
		return refuseToken()
	}
	if err != nil {
		return err
	}
	if has, err := store.HasFactor(ctx, a.Store.Reader(), u.ID); err != nil {
		return err
	} else if has { // a password alone is not enough to change it
		if err := a.MustBeFresh(ctx, actor); err != nil {
			return err
		}
	}
	if err := a.mustKnowPassword(ctx, actor, u, current); err != nil {
		return err
	}
	hash, err := a.newPasswordHash(ctx, u, password)
	if err != nil {
		return err
	}
	var ended []string
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		now, err := store.UserByID(ctx, tx, u.ID)
		if err != nil || now.PasswordHash != u.PasswordHash {
			return cmp.Or[error](err, refuseWrongPassword()) // another request changed it in the meantime
		}
		if ended, err = a.storePassword(ctx, tx, u, hash, actor.SessionID); err != nil {
			return err
		}
		if err := a.QueueMail(ctx, tx, Mail{Kind: "password_changed", UserID: u.ID, To: u.Email}); err != nil {
			return err
		}
		return a.Audit.Write(ctx, tx, actor, audit.Row{Verb: "change_password", Noun: "user", NounID: u.ID})
	})
	return a.passwordStored(ended, err)
}

func refuseWrongPassword() error {
	return fleet.Refuse("password_wrong", "current_password", "The current password is incorrect.")
}

// mustKnowPassword compares under the limits of sign-in.
func (a *Accounts) mustKnowPassword(ctx context.Context, actor *access.Actor, u fleet.User, password string) error {
	from := attemptFrom{account: u.ID, network: fleet.LimitNetwork(actor.Network)}
	defer a.memory.signIns.Lock(from.queue())()
	var refusal *fleet.Refusal
	switch err := a.mayAttempt(ctx, from); {
	case errors.As(err, &refusal): // a 401 would end the session
		return &fleet.Refusal{Code: "rate_limited", Message: refusal.Message, RetryAfterS: refusal.RetryAfterS}
	case err != nil:
		return err
	}
	match := false
	if len(password) <= passwordMax {
		var err error
		if match, _, err = a.matchPassword(ctx, knownDevice, password, u.PasswordHash); err != nil {
			return err
		}
	}
	if match {
		return a.Store.Write(ctx, func(tx *store.Tx) error { return tx.ClearAttempts(ctx, from.account, from.source()) })
	}
	err := a.Store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.InsertAttempt(ctx, from.account, from.source(), a.now(), a.NewID()); err != nil {
			return err
		}
		return a.Audit.Write(ctx, tx, actor, audit.Row{Verb: "change_password_refused", Noun: "user", NounID: u.ID})
	})
	if err != nil {
		return err
	}
	return refuseWrongPassword()
}

// noticeBatch limits the mails of one pass.
const noticeBatch = 200

// NoticePasswords mails users once, 14 days before their password expires. The server's own clock calls it every minute.
func (a *Accounts) NoticePasswords(ctx context.Context) error {
	if a.Passwords == PasswordsNIST {
		return nil
	}
	now := a.now()
	due, err := store.ExpiringPasswords(ctx, a.Store.Reader(), now.Add(-passwordLife), now.Add(passwordNotice-passwordLife), noticeBatch)
	if err != nil {
		return err
	}
	return store.EachOf(ctx, due, func(u fleet.User) error { return a.noticePassword(ctx, u) })
}

func (a *Accounts) noticePassword(ctx context.Context, u fleet.User) error {
	o, err := store.OrganizationByID(ctx, a.Store.Reader(), u.OrganizationID)
	if err != nil {
		return err
	}
	return a.Store.Write(ctx, func(tx *store.Tx) error {
		now, err := store.UserByID(ctx, tx, u.ID)
		if errors.Is(err, store.ErrNotFound) || (err == nil && now.PasswordChangedAt != u.PasswordChangedAt) {
			return nil // removed, or changed in the meantime
		}
		if err != nil {
			return err
		}
		if err := tx.NotePasswordNotice(ctx, u.ID, a.now()); err != nil {
			return err
		}
		if o.DeletedAt != 0 || (o.SSOOnly && !u.BreakGlass) {
			return nil // nobody signs in with this password
		}
		return a.QueueMail(ctx, tx, Mail{Kind: "password_expires", UserID: u.ID, To: u.Email, Link: a.PublicURL + "/welcome/forgot",
			Until: a.passwordExpiresAt(u)})
	})
}
