package app

import (
	"context"
	"errors"
	"regexp"
	"strings"

	"lightbar/catalog"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
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

// validEmail is the simple pattern of specification section 5: something, @, something with a dot or a host name; no spaces.
var validEmail = regexp.MustCompile(`^[^\s@<>"',;:\\]+@[^\s@<>"',;:\\]+$`)

func roleID(name string) string {
	r, ok := catalog.RoleByName(name)
	if !ok {
		panic("catalog: no role " + name)
	}
	return r.ID
}

// CreateUser adds a person who may sign in with the password. Requires
// ADD_USER and full reach of the organization; nobody grants more than they
// have. Refusals: email_in_use, password_rules, password_common, role_not_found.
func (a *App) CreateUser(ctx context.Context, actor *Actor, in NewUser) (fleet.User, error) {
	if err := actor.Must("ADD_USER"); err != nil {
		return fleet.User{}, err
	}
	if err := mustReachFully(actor, in.OrganizationID); err != nil {
		return fleet.User{}, err
	}
	if err := mayGrant(actor, in.RoleID); err != nil {
		return fleet.User{}, err
	}
	u, err := a.newUser(ctx, in)
	if err != nil {
		return fleet.User{}, err
	}
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		if err := mustBeOrganization(ctx, tx, in.OrganizationID); err != nil {
			return err
		}
		return a.insertUser(ctx, tx, actor, u)
	})
	return u, err
}

// mayGrant refuses roles that do not exist and roles that hold more than the actor has.
func mayGrant(actor *Actor, id string) error {
	role, ok := catalog.RoleByID(id)
	if !ok || (role.Order == nil && !actor.Super) {
		return fleet.Refuse("role_not_found", "role_id", "The role is not known.")
	}
	for p := range permissionsOf(id) {
		if !actor.Permissions[p] && !actor.Super {
			return fleet.Refuse("forbidden", "role_id", "You cannot give a role that holds more than your own.")
		}
	}
	return nil
}

func (a *App) newUser(ctx context.Context, in NewUser) (fleet.User, error) {
	u := fleet.User{ID: a.NewID(), OrganizationID: in.OrganizationID, Email: strings.TrimSpace(in.Email), EmailKey: emailKey(in.Email),
		FirstName: strings.TrimSpace(in.FirstName), LastName: strings.TrimSpace(in.LastName), Phone: strings.TrimSpace(in.Phone),
		RoleID: in.RoleID, Awareness: in.Awareness, CountryCode: "US", Version: 1, UpdatedAt: a.now(), PasswordChangedAt: a.now()}
	fields := map[string]string{}
	if u.FirstName == "" || len(u.FirstName) > 100 {
		fields["firstname"] = "Required"
	}
	if u.LastName == "" || len(u.LastName) > 100 {
		fields["lastname"] = "Required"
	}
	if len(u.Email) > 254 || !validEmail.MatchString(u.Email) {
		fields["email"] = "Must be a valid email"
	}
	if len(fields) > 0 {
		return u, &fleet.Refusal{Code: "validation_failed", Message: "Please check the marked fields.", Fields: fields}
	}
	if err := checkPassword(in.Password, u.FirstName, u.LastName, strings.Split(u.EmailKey, "@")[0]); err != nil {
		return u, err
	}
	var err error
	u.PasswordHash, err = a.hashPassword(ctx, in.Password)
	return u, err
}

func (a *App) insertUser(ctx context.Context, tx *store.Tx, actor *Actor, u fleet.User) error {
	_, err := store.UserByEmailKey(ctx, tx, u.EmailKey)
	if err == nil {
		return fleet.Refuse("email_in_use", "email", "Email is already in use. Please try another one.")
	}
	if !errors.Is(err, store.ErrNotFound) {
		return err
	}
	if err := tx.InsertUser(ctx, u); err != nil {
		return err
	}
	return a.writeAudit(ctx, tx, actor, audited{Verb: "create", Noun: "user", NounID: u.ID, OrganizationID: u.OrganizationID,
		After: map[string]any{"email": u.Email, "firstname": u.FirstName, "lastname": u.LastName, "role_id": u.RoleID}})
}

// SetUserPassword gives a user a new password and ends all of the user's
// sessions. Only the owner of the installation may: users change their own by
// mail. Requires MANAGE_PLATFORM. Refusals: user_not_found, password_rules, password_common.
func (a *App) SetUserPassword(ctx context.Context, actor *Actor, email, password string) error {
	if err := actor.Must("MANAGE_PLATFORM"); err != nil {
		return err
	}
	u, err := store.UserByEmailKey(ctx, a.Store.Reader(), emailKey(email))
	if errors.Is(err, store.ErrNotFound) {
		return fleet.Refuse("user_not_found", "email", "There's no user with such email.")
	}
	if err != nil {
		return err
	}
	if err := checkPassword(password, u.FirstName, u.LastName, strings.Split(u.EmailKey, "@")[0]); err != nil {
		return err
	}
	hash, err := a.hashPassword(ctx, password)
	if err != nil {
		return err
	}
	var ended []string
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		if err := tx.SetUserPassword(ctx, u.ID, hash, a.now()); err != nil {
			return err
		}
		if err := tx.ClearAccountAttempts(ctx, u.ID); err != nil {
			return err
		}
		if ended, err = store.LiveSessionsOf(ctx, tx, u.ID); err != nil {
			return err
		}
		for _, id := range ended {
			if _, err := tx.EndSession(ctx, id, a.now(), "password changed"); err != nil {
				return err
			}
		}
		return a.writeAudit(ctx, tx, actor, audited{Verb: "set_password", Noun: "user", NounID: u.ID, OrganizationID: u.OrganizationID})
	})
	if err != nil {
		return err
	}
	for _, id := range ended {
		a.sessionEnded(id)
	}
	return nil
}
