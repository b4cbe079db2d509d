package people

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/record"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// CreateUser adds a person (requirements 7.user) and mails the invitation: the account works once the person has chosen a password.
// A person who is given one may sign in at once. Requires ADD_USER, full reach of the organization and a fresh proof, whatever the
// role: inviting gives access. Nobody grants more than they have. A new administrator who is invited is announced to the others by
// mail. Refusals: email_in_use, role_not_found, organization_not_found, validation_failed, password_rules, password_common,
// rate_limited, step_up_required, forbidden.
func (a *Accounts) CreateUser(ctx context.Context, actor *access.Actor, in wire.UserCreate) (wire.Member, error) {
	u, err := record.Create(ctx, a, actor, &users, func(e *record.Editing[*Accounts, fleet.User]) (err error) {
		in.OrganizationID = cmp.Or(in.OrganizationID, wire.ID(actor.OrganizationID))
		if err := actor.MustReachFully(in.OrganizationID.String()); err != nil {
			return err
		}
		if err := mayGrant(actor, in.RoleID.String()); err != nil {
			return err
		}
		if e.Next, err = a.newUser(ctx, in); err != nil {
			return err
		}
		if e.ID = e.Next.ID; in.Password == nil {
			e.Hold(a.memory.signIns.Lock(invitationsOf(actor)))
			e.Follow(func() error { return a.welcomeUser(e, e.Tx, e.Actor, e.Next) })
		}
		return nil
	}, func(e *record.Editing[*Accounts, fleet.User]) error {
		if err := record.LockOrganizations(ctx, e.Tx, e.Next.OrganizationID); err != nil {
			return err
		}
		return insertUser(ctx, e.Tx, e.Next)
	})
	if err != nil {
		return wire.Member{}, err
	}
	return a.memberNow(ctx, actor, u.ID)
}

// welcomeUser mails the invitation, and announces a new administrator.
func (a *Accounts) welcomeUser(ctx context.Context, tx *store.Tx, actor *access.Actor, u fleet.User) error {
	if Administers(u.RoleID) {
		if err := a.tellNewAdministrator(ctx, tx, actor, u); err != nil {
			return err
		}
	}
	return a.sendInvitation(ctx, tx, actor, u)
}

// newUser applies the rules of requirements 5.user (User) and the defaults;
// without a password nobody can sign in as this user.
func (a *Accounts) newUser(ctx context.Context, in wire.UserCreate) (fleet.User, error) {
	u := fleet.User{ID: a.NewID(), CountryCode: "US", Version: 1, UpdatedAt: a.now()}
	wire.Same(&u, &in)
	fields := map[string]string{}
	wire.Texts(fields, &u, &in)
	if u.Email = strings.TrimSpace(in.Email); !fleet.ValidEmail(u.Email) {
		fields["email"] = "Must be a valid email"
	}
	if len(fields) > 0 {
		return u, &fleet.Refusal{Code: "validation_failed", Message: "Please check the marked fields.", Fields: fields}
	}
	u.EmailKey = fleet.EmailKey(u.Email)
	if in.Password == nil {
		return u, nil
	}
	if err := a.checkPassword(*in.Password, ownNames(u)...); err != nil {
		return u, err
	}
	u.PasswordChangedAt = a.now()
	hash, err := a.hashPassword(ctx, *in.Password)
	u.PasswordHash = hash
	return u, err
}

const emailInUse = "Email is already in use. Please try another one."

func insertUser(ctx context.Context, tx *store.Tx, u fleet.User) error {
	err := tx.InsertUser(ctx, u)
	if errors.Is(err, store.ErrEmailInUse) {
		return fleet.Refuse("email_in_use", "email", emailInUse)
	}
	return err
}
