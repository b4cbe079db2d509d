package people

import (
	"cmp"
	"context"
	"errors"
	"maps"

	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/record"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// userChange is what must be done after the commit of an edit.
type userChange struct {
	ended  []string // families that ended
	access bool     // role, reach or suspension changed
}

// UpdateUser edits a user's profile, role, suspension, awareness mode or
// organization (requirements 7.user); one's own profile
// too. Nobody can edit a user who has more rights, grant more than they have,
// or change role, suspension or organization of their own account. Those three
// act on live sessions at once and, like the awareness mode, need a fresh
// proof. The other administrators get a mail about a new administrator.
// Requires EDIT_USER. Refusals: user_not_found, conflict, validation_failed,
// own_account, role_not_found, organization_not_found, last_administrator,
// step_up_required, forbidden.
func (a *Accounts) UpdateUser(ctx context.Context, actor *access.Actor, id string, said wire.UserWrite) (wire.Member, error) {
	return record.Edit(ctx, a, actor, &users, id, record.VersionSeen(said.IfMatch), func(e *record.Editing[*Accounts, fleet.User]) error {
		if err := applyProfile(&e.Next, said); err != nil {
			return err
		}
		if err := applyStanding(actor, &e.Next, said); err != nil {
			return err
		}
		if err := guardOrganizations(ctx, e.Tx, e.Old, e.Next); err != nil || !changesAccess(e.Old, e.Next) {
			return err
		}
		return e.Prove()
	})
}

var users = record.Noun[*Accounts, fleet.User, wire.Member]{
	Name: "user", Word: "user", Requires: "EDIT_USER", Adds: "ADD_USER", Removes: "DELETE_USER", Proved: true,
	Load: func(e *record.Editing[*Accounts, fleet.User]) (fleet.User, error) {
		return lockedUser(e, e.Tx, e.Actor, e.ID)
	},
	Of: func(u *fleet.User) record.Header {
		return record.Header{Owner: u.OrganizationID, Version: &u.Version, UpdatedAt: &u.UpdatedAt}
	},
	Same: func(x, y *fleet.User) bool { return *x == *y },
	Save: func(e *record.Editing[*Accounts, fleet.User]) (bool, error) {
		return e.Tx.UpdateUser(e, e.Next, e.Old.Version)
	},
	Saved: savedUser,
	Doc:   func(u *fleet.User) any { return userDoc(*u) },
	Show: func(ctx context.Context, a *Accounts, actor *access.Actor, id string) (wire.Member, error) {
		return a.memberNow(ctx, actor, id)
	},
}

// savedUser ends sessions, sends mails and chooses the audit's verb, as the
// edit requires.
func savedUser(e *record.Editing[*Accounts, fleet.User]) (err error) {
	u, next := e.Old, e.Next
	change := userChange{access: next.RoleID != u.RoleID || next.Suspended != u.Suspended || next.OrganizationID != u.OrganizationID ||
		next.Awareness != u.Awareness}
	if change.ended, err = e.By.endByEdit(e, e.Tx, u, next); err != nil {
		return err
	}
	if next.Suspended && !u.Suspended {
		if err := e.By.QueueMail(e, e.Tx, Mail{Kind: "suspended", UserID: u.ID, To: u.Email}); err != nil {
			return err
		}
	}
	if runs(next) && (!runs(u) || next.OrganizationID != u.OrganizationID) {
		if err := e.By.tellNewAdministrator(e, e.Tx, e.Actor, next); err != nil {
			return err
		}
	}
	e.Verb = verbOfUserEdit(u, next)
	e.Afterwards(func() error {
		if e.By.userChanged(u.ID, change); !change.access {
			e.By.AccessChanged(u.ID, "") // a new name, too, is shown on all open pages
		}
		return nil
	})
	return nil
}

// userChanged applies an edit to sessions, sockets and keys; call it after the commit.
func (a *Accounts) userChanged(id string, change userChange) {
	a.sessionsEnded(change.ended)
	if change.access {
		a.AccessChanged(id, "")
		a.memory.tokens.drop(func(x *access.Actor) bool { return x.KeyID != "" }) // the user's keys among them
	}
}

// lockedUser reads a user for a change. A user out of full reach is refused as if there were none, and so is one with more rights
// than the actor.
func lockedUser(ctx context.Context, tx *store.Tx, actor *access.Actor, id string) (fleet.User, error) {
	none := fleet.Refuse("user_not_found", "", "Couldn't find the selected user.")
	if _, err := tx.LockUser(ctx, id); err != nil {
		return fleet.User{}, err
	}
	u, err := store.UserByID(ctx, tx, id)
	if errors.Is(err, store.ErrNotFound) || (err == nil && actor.Reach(u.OrganizationID) != access.Full) {
		return fleet.User{}, none
	}
	if err != nil {
		return fleet.User{}, err
	}
	return u, mayTouch(actor, u)
}

// changesAccess reports whether an edit gives or takes access: what needs a fresh
// proof. Taking the awareness mode away is an ordinary edit.
func changesAccess(u, next fleet.User) bool {
	return next.RoleID != u.RoleID || next.Suspended != u.Suspended || next.OrganizationID != u.OrganizationID ||
		(next.Awareness && !u.Awareness)
}

// runs reports whether a user administers their organization and may sign in.
func runs(u fleet.User) bool { return Administers(u.RoleID) && !u.Suspended }

// applyProfile is the law of the profile (requirements 5.user and 5.address Address): the address is checked as a whole as soon as
// a part of it is sent.
func applyProfile(u *fleet.User, e wire.UserWrite) error {
	fields := map[string]string{}
	wire.Texts(fields, u, &e)
	SetAddress(fields, u, &e)
	if len(fields) > 0 {
		return fleet.RefuseFields(fields)
	}
	return nil
}

// SetAddress writes the address fields of a write shape over a noun's, and applies the law of addresses; both are pointers.
func SetAddress(fields map[string]string, noun, said any) {
	var address fleet.Address
	wire.Same(&address, noun)
	if !wire.Take(&address, said) {
		return
	}
	checked, wrong := fleet.CheckAddress(address)
	wire.Same(noun, &checked)
	maps.Copy(fields, wrong)
}

// SetOptionalAddress is SetAddress for nouns that need none: an address whose
// texts are all empty is no address, whatever country it was in.
func SetOptionalAddress(fields map[string]string, noun, said any) {
	var address fleet.Address
	wire.Same(&address, noun)
	if !wire.Take(&address, said) || !address.IsEmpty() {
		SetAddress(fields, noun, said)
		return
	}
	if _, wrong := fleet.CheckAddress(address); address.CountryCode != "" && wrong["country_code"] != "" {
		fields["country_code"] = wrong["country_code"]
		return
	}
	wire.Same(noun, &fleet.Address{})
}

// applyStanding applies the fields that only others may change, within the
// actor's own rights: role, suspension, organization.
func applyStanding(actor *access.Actor, u *fleet.User, e wire.UserWrite) error {
	own := u.ID == actor.UserID
	refuseOwn := func(field string) error {
		return fleet.Refuse("own_account", field, "You can't do this to your own account.")
	}
	if e.RoleID.IsSent() && e.RoleID.String() != u.RoleID {
		if own {
			return refuseOwn("role_id")
		}
		if err := mayGrant(actor, e.RoleID.String()); err != nil {
			return err
		}
		u.RoleID = e.RoleID.String()
	}
	if e.Suspended != nil && *e.Suspended != u.Suspended {
		if own {
			return refuseOwn("suspended")
		}
		u.Suspended = *e.Suspended
	}
	if e.OrganizationID.IsSent() && e.OrganizationID.String() != u.OrganizationID {
		if err := actor.MustReachFully(e.OrganizationID.String()); err != nil {
			return err
		}
		if own {
			return refuseOwn("organization_id")
		}
		u.OrganizationID = e.OrganizationID.String()
	}
	if e.AwarenessModeAccess != nil {
		u.Awareness = *e.AwarenessModeAccess
	}
	return nil
}

// guardOrganizations locks the organizations that a change concerns: the one a
// user goes to must exist, the one that loses an administrator must keep another.
func guardOrganizations(ctx context.Context, tx *store.Tx, u, next fleet.User) error {
	moved := next.OrganizationID != u.OrganizationID
	loses := runs(u) && (moved || next.Suspended || !Administers(next.RoleID))
	if moved {
		if err := record.LockOrganizations(ctx, tx, u.OrganizationID, next.OrganizationID); err != nil {
			return err
		}
	} else if loses {
		if err := record.LockOrganizations(ctx, tx, u.OrganizationID); err != nil {
			return err
		}
	}
	if loses {
		return mustKeepAdministrator(ctx, tx, u, moved)
	}
	return nil
}

// endByEdit ends the families of a suspended or moved user. If the awareness mode is withdrawn, its family continues under the
// ordinary absolute end.
func (a *Accounts) endByEdit(ctx context.Context, tx *store.Tx, u, next fleet.User) ([]string, error) {
	switch {
	case next.Suspended && !u.Suspended:
		return a.endSessionsOf(ctx, tx, u.ID, "", "suspended")
	case next.OrganizationID != u.OrganizationID:
		return a.endSessionsOf(ctx, tx, u.ID, "", "moved to another organization")
	}
	return nil, nil
}

// verbOfUserEdit is the audit's verb for the most important change.
func verbOfUserEdit(u, next fleet.User) string {
	switch {
	case next.OrganizationID != u.OrganizationID:
		return "move"
	case next.Suspended && !u.Suspended:
		return "suspend"
	case u.Suspended && !next.Suspended:
		return "restore"
	case next.RoleID != u.RoleID:
		return "change_role"
	}
	return "update"
}

// userDoc is what the audit and conflicts show of a user: never a secret.
func userDoc(u fleet.User) map[string]any {
	return map[string]any{"email": u.Email, "firstname": u.FirstName, "lastname": u.LastName, "phone": u.Phone, "address1": u.Address1,
		"address2": u.Address2, "city": u.City, "state": u.State, "postal_code": u.PostalCode, "country_code": u.CountryCode, "role_id": u.RoleID,
		"organization_id": u.OrganizationID, "suspended": u.Suspended, "awareness_mode_access": u.Awareness, "version": u.Version}
}

// DeleteUser removes a user: sessions and API keys end, the address is free
// again, the row stays for the audit. Requires DELETE_USER and a fresh proof.
// Refusals: not_found, own_account, last_administrator, step_up_required, forbidden.
func (a *Accounts) DeleteUser(ctx context.Context, actor *access.Actor, id string) error {
	return record.Remove(ctx, a, actor, &users, id, func(*record.Editing[*Accounts, fleet.User]) error {
		if id == actor.UserID {
			return fleet.Refuse("own_account", "", "You can't do this to your own account.")
		}
		return nil
	}, removeUser)
}

func removeUser(e *record.Editing[*Accounts, fleet.User]) (err error) {
	u, change := e.Old, userChange{access: true}
	if runs(u) {
		if err := record.LockOrganizations(e, e.Tx, u.OrganizationID); err != nil {
			return err
		}
		if err := mustKeepAdministrator(e, e.Tx, u, true); err != nil {
			return err
		}
	}
	if change.ended, err = e.By.endSessionsOf(e, e.Tx, u.ID, "", "user removed"); err != nil {
		return err
	}
	keys, err := e.Tx.RevokeKeysOf(e, u.ID, "", e.At)
	if err != nil {
		return err
	}
	if gone, err := e.Tx.DeleteUser(e, u.ID, e.At); err != nil || !gone {
		return cmp.Or[error](err, refuseNoUser())
	}
	e.Rows = []audit.Row{{Verb: e.Verb, OrganizationID: u.OrganizationID, Before: userDoc(u),
		After: map[string]any{"sessions_ended": len(change.ended), "keys_revoked": keys}}}
	e.Afterwards(func() error { e.By.userChanged(u.ID, change); return nil })
	return nil
}
