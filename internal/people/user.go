package people

import (
	"context"
	"errors"
	"strings"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// NewUser is a person to add. Profile fields other than the names may be empty.
type NewUser struct {
	OrganizationID string
	Email          string
	FirstName      string
	LastName       string
	Phone          string
	RoleID         string
	Password       string
	Awareness      bool
}

// CreateUser adds a person who may sign in with the password. Requires
// ADD_USER, full reach of the organization and a fresh proof; nobody grants
// more than they have. Refusals: email_in_use, password_rules, password_common,
// role_not_found, step_up_required.
func (a *Accounts) CreateUser(ctx context.Context, actor *access.Actor, in NewUser) (fleet.User, error) {
	if err := actor.Must("ADD_USER"); err != nil {
		return fleet.User{}, err
	}
	if err := actor.MustReachFully(in.OrganizationID); err != nil {
		return fleet.User{}, err
	}
	if err := mayGrant(actor, in.RoleID); err != nil {
		return fleet.User{}, err
	}
	u, err := a.newUser(ctx, in)
	if err != nil {
		return fleet.User{}, err
	}
	if err := a.MustBeFresh(ctx, actor); err != nil {
		return fleet.User{}, err
	}
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		if err := LockOrganizations(ctx, tx, in.OrganizationID); err != nil {
			return err
		}
		if err := insertUser(ctx, tx, u); err != nil {
			return err
		}
		return a.Audit.Write(ctx, tx, actor, users.made(u.ID, &u))
	})
	return u, err
}

// newUser applies the rules to somebody who gets a password at once.
func (a *Accounts) newUser(ctx context.Context, in NewUser) (fleet.User, error) {
	u, err := a.newPerson(in)
	if err != nil {
		return u, err
	}
	if err := a.checkPassword(in.Password, ownNames(u)...); err != nil {
		return u, err
	}
	u.PasswordChangedAt = a.now()
	u.PasswordHash, err = a.hashPassword(ctx, in.Password)
	return u, err
}

// newPerson applies the rules of specification section 5 (User) and the
// defaults; without a password nobody can sign in as this user.
func (a *Accounts) newPerson(in NewUser) (fleet.User, error) {
	u := fleet.User{ID: a.NewID(), OrganizationID: in.OrganizationID, RoleID: in.RoleID, Awareness: in.Awareness, CountryCode: "US",
		Version: 1, UpdatedAt: a.now()}
	fields := map[string]string{}
	setText(fields, "firstname", &u.FirstName, &in.FirstName, nameMax, true)
	setText(fields, "lastname", &u.LastName, &in.LastName, nameMax, true)
	setText(fields, "phonenumber", &u.Phone, &in.Phone, phoneMax, false)
	email := strings.TrimSpace(in.Email)
	if !fleet.ValidEmail(email) {
		fields["email"] = "Must be a valid email"
	}
	if len(fields) > 0 {
		return u, &fleet.Refusal{Code: "validation_failed", Message: "Please check the marked fields.", Fields: fields}
	}
	u.Email, u.EmailKey = email, fleet.EmailKey(email)
	return u, nil
}

// AddUser adds a person and mails the invitation: the account works once the
// person has chosen a password (specification section 7, POST /users/).
// Requires ADD_USER, full reach of the organization and a fresh proof, whatever
// the role: inviting gives access. Nobody grants more than they have. A new
// administrator is told to the others by mail. Refusals: email_in_use,
// role_not_found, organization_not_found, validation_failed,
// rate_limited, step_up_required, forbidden.
func (a *Accounts) AddUser(ctx context.Context, actor *access.Actor, in NewUser) (wire.Member, error) {
	if err := actor.Must("ADD_USER"); err != nil {
		return wire.Member{}, err
	}
	if in.OrganizationID == "" {
		in.OrganizationID = actor.OrganizationID
	}
	if err := actor.MustReachFully(in.OrganizationID); err != nil {
		return wire.Member{}, err
	}
	if err := mayGrant(actor, in.RoleID); err != nil {
		return wire.Member{}, err
	}
	u, err := a.newPerson(in)
	if err != nil {
		return wire.Member{}, err
	}
	if err := a.MustBeFresh(ctx, actor); err != nil {
		return wire.Member{}, err
	}
	defer a.memory.signIns.lock(invitationsOf(actor))()
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		if err := LockOrganizations(ctx, tx, in.OrganizationID); err != nil {
			return err
		}
		if err := insertUser(ctx, tx, u); err != nil {
			return err
		}
		if err := a.Audit.Write(ctx, tx, actor, users.made(u.ID, &u)); err != nil {
			return err
		}
		if Administers(u.RoleID) {
			if err := a.tellNewAdministrator(ctx, tx, actor, u); err != nil {
				return err
			}
		}
		return a.sendInvitation(ctx, tx, actor, u)
	})
	if err != nil {
		return wire.Member{}, err
	}
	return a.memberNow(ctx, actor, u.ID)
}

func insertUser(ctx context.Context, tx *store.Tx, u fleet.User) error {
	err := tx.InsertUser(ctx, u)
	if errors.Is(err, store.ErrEmailInUse) {
		return fleet.Refuse("email_in_use", "email", "Email is already in use. Please try another one.")
	}
	return err
}
