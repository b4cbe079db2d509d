package people

import (
	"context"
	"errors"

	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
)

// managedUser reads a user for somebody who manages users: in full reach, and with no permission that the actor lacks. Refusals:
// user_not_found (also out of reach), forbidden.
func (a *Accounts) managedUser(ctx context.Context, r store.Reader, actor *access.Actor, userID string) (fleet.User, error) {
	u, err := store.UserByID(ctx, r, userID)
	if errors.Is(err, store.ErrNotFound) || (err == nil && actor.Reach(u.OrganizationID) != access.Full) {
		return fleet.User{}, fleet.Refuse("user_not_found", "", "Couldn't find the selected user.")
	}
	if err != nil {
		return fleet.User{}, err
	}
	for p := range access.PermissionsOf(u.RoleID) {
		if !actor.Permissions[p] && !actor.Super {
			return fleet.User{}, fleet.Refuse("forbidden", "", "You can't change a user with more access than you.")
		}
	}
	return u, nil
}

// ResetSecondFactor removes all second factors of a user and ends the user's sessions: for a lost phone or key. Where the
// organization requires a second factor, the next sign-in sets up a new one. Requires EDIT_USER and full reach. Refusals:
// step_up_required, user_not_found, forbidden.
func (a *Accounts) ResetSecondFactor(ctx context.Context, actor *access.Actor, userID string) error {
	if err := actor.Must("EDIT_USER"); err != nil {
		return err
	}
	if err := a.MustBeFresh(ctx, actor); err != nil {
		return err
	}
	var ended []string
	err := a.Store.Write(ctx, func(tx *store.Tx) error {
		u, err := a.managedUser(ctx, tx, actor, userID)
		if err != nil {
			return err
		}
		if u.ID == actor.UserID {
			return fleet.Refuse("own_account", "", "You can't do this to your own account.")
		}
		if _, err := tx.DeleteTOTP(ctx, u.ID); err != nil {
			return err
		}
		if err := tx.DeletePasskeysOf(ctx, u.ID); err != nil {
			return err
		}
		if err := tx.PutRecoveryCodes(ctx, u.ID, nil); err != nil {
			return err
		}
		for _, purpose := range []string{"mfa", "totp", "passkey", "step_up"} {
			if err := tx.DropOneTimes(ctx, purpose, u.ID, a.now()); err != nil {
				return err
			}
		}
		if ended, err = a.endSessionsOf(ctx, tx, u.ID, "", "second factor reset"); err != nil {
			return err
		}
		if err := a.Audit.Write(ctx, tx, actor, audit.Row{Verb: "second_factor_reset", Noun: "user", NounID: u.ID,
			OrganizationID: u.OrganizationID}); err != nil {
			return err
		}
		return a.tellFactorChanged(ctx, tx, u, "it was reset by an administrator")
	})
	if err == nil {
		a.sessionsEnded(ended)
	}
	return err
}
