package people

import (
	"context"
	"errors"

	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
)

// SetBreakGlass allows a user to sign in by password although the organization manages access through its provider, or ends that.
// Such a sign-in raises an alarm. Requires MANAGE_PLATFORM and a fresh proof. Refusals: user_not_found, step_up_required.
func (a *Accounts) SetBreakGlass(ctx context.Context, actor *access.Actor, email string, on bool) error {
	if err := actor.Must("MANAGE_PLATFORM"); err != nil {
		return err
	}
	if err := a.MustBeFresh(ctx, actor); err != nil {
		return err
	}
	return a.Store.Write(ctx, func(tx *store.Tx) error {
		u, err := store.UserByEmailKey(ctx, tx, fleet.EmailKey(email))
		if errors.Is(err, store.ErrNotFound) {
			return fleet.Refuse("user_not_found", "email", "There's no user with such email.")
		}
		if err != nil || u.BreakGlass == on {
			return err
		}
		if err := tx.SetUserBreakGlass(ctx, u.ID, on, a.now()); err != nil {
			return err
		}
		return a.Audit.Write(ctx, tx, actor, audit.Row{Verb: "break_glass", Noun: "user", NounID: u.ID, OrganizationID: u.OrganizationID,
			Before: map[string]bool{"break_glass": u.BreakGlass}, After: map[string]bool{"break_glass": on}})
	})
}
