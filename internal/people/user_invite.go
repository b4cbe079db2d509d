package people

import (
	"context"

	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// sendInvitation makes the link with which a new user chooses a password, notes when it was sent and queues its mail. The newest
// link invalidates older ones. Nobody is invited to choose a password that their organization would refuse (sso_only). The caller
// has checked that the actor may, and holds the lock of invitationsOf. Refusals: rate_limited.
func (a *Accounts) sendInvitation(ctx context.Context, tx *store.Tx, actor *access.Actor, u fleet.User) error {
	o, err := store.OrganizationByID(ctx, tx, u.OrganizationID)
	if err != nil {
		return err
	}
	if o.SSOOnly && !u.BreakGlass {
		return nil
	}
	err = a.countMail(ctx, tx, mailCount{mailsTo(letterInvitation, u.EmailKey), mailsPerAccount},
		mailCount{invitationsOf(actor), invitationsPerSender.Int()})
	if err != nil {
		return err
	}
	if err := tx.SetInvited(ctx, u.ID, a.now()); err != nil {
		return err
	}
	if err := a.oneTimeLink(ctx, tx, letterInvitation, u, map[string]string{"organization": o.Name}); err != nil {
		return err
	}
	return a.Audit.Write(ctx, tx, actor, audit.Row{Verb: "invite", Noun: "user", NounID: u.ID, OrganizationID: u.OrganizationID})
}

// invitationsOf names the counter of the invitations that a user sends.
func invitationsOf(actor *access.Actor) string { return "invitations of " + actor.UserID }

// InviteUser mails the invitation again to a user who has not accepted one yet, or lets a user who signs in through a provider
// choose a password; the newest link invalidates older ones. Requires ADD_USER and a fresh proof. Refusals: user_not_found,
// own_account, validation_failed (has a password already, or suspended), rate_limited, step_up_required, forbidden.
func (a *Accounts) InviteUser(ctx context.Context, actor *access.Actor, id string) (wire.Member, error) {
	err := a.invite(ctx, actor, id, func(tx *store.Tx, u fleet.User) error { return a.sendInvitation(ctx, tx, actor, u) })
	if err != nil {
		return wire.Member{}, err
	}
	return a.memberNow(ctx, actor, id)
}

// CopyInvitation makes the link of a new invitation that an administrator passes on by other means than mail. The newest link
// invalidates older ones: a mail that still waits for a mail server is rewritten with this link; one that a mail server already has
// is useless. Only the answer contains the link: no log, audit, or stored answer does. Requires and refuses what InviteUser does.
func (a *Accounts) CopyInvitation(ctx context.Context, actor *access.Actor, id string) (out wire.InvitationLink, err error) {
	err = a.invite(ctx, actor, id, func(tx *store.Tx, u fleet.User) error {
		out, err = a.copyInvitation(ctx, tx, actor, u)
		return err
	})
	return out, err
}

func (a *Accounts) copyInvitation(ctx context.Context, tx *store.Tx, actor *access.Actor, u fleet.User) (
	out wire.InvitationLink, err error) {
	o, err := store.OrganizationByID(ctx, tx, u.OrganizationID)
	if err != nil {
		return out, err
	}
	if err := a.countMail(ctx, tx, mailCount{invitationsOf(actor), invitationsPerSender.Int()}); err != nil {
		return out, err
	}
	before, err := store.MemberByID(ctx, tx, u.ID, a.now())
	if err != nil {
		return out, err
	}
	if err := tx.SetInvited(ctx, u.ID, a.now()); err != nil {
		return out, err
	}
	link, err := a.newLink(ctx, tx, letterInvitation, u)
	if err != nil {
		return out, err
	}
	out = wire.InvitationLink{Link: link.address, ExpiresAt: link.until}
	switch before.InvitationMail {
	case store.InvitationQueued, store.InvitationRetrying, store.InvitationUnsent:
		out.Mailed = true
		if _, err := a.mailNewLink(ctx, tx, letterInvitation, u, link, map[string]string{"organization": o.Name}); err != nil {
			return out, err
		}
	}
	return out, a.Audit.Write(ctx, tx, actor, audit.Row{Verb: "copy_invitation", Noun: "user", NounID: u.ID, OrganizationID: u.OrganizationID})
}

// invite runs do for a user who may be invited.
func (a *Accounts) invite(ctx context.Context, actor *access.Actor, id string, do func(*store.Tx, fleet.User) error) error {
	if err := actor.Must("ADD_USER"); err != nil {
		return err
	}
	defer a.memory.signIns.Lock(invitationsOf(actor))()
	return a.Store.Write(ctx, func(tx *store.Tx) error {
		u, err := lockedUser(ctx, tx, actor, id)
		if err != nil {
			return err
		}
		switch {
		case u.ID == actor.UserID:
			return fleet.Refuse("own_account", "", "You can't do this to your own account.")
		case u.PasswordHash != "":
			return fleet.Refuse("validation_failed", "", "This user already accepted the invitation.")
		case u.Suspended:
			return fleet.Refuse("validation_failed", "", "This user is suspended.")
		}
		managed, err := a.isManaged(ctx, tx, u)
		if err != nil {
			return err
		}
		if managed {
			return fleet.Refuse("validation_failed", "", "This organization signs in with its provider, so there's no password to choose.")
		}
		if err := a.MustBeFreshIn(ctx, tx, actor); err != nil {
			return err
		}
		return do(tx, u)
	})
}
