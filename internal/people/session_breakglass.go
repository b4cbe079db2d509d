package people

import (
	"context"

	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
)

// alarmBreakGlass raises an alarm when somebody signs in by password to an
// organization that uses single sign-on: an audit row, and a mail to everybody
// who may administer its users, including the user who signed in.
func (a *Accounts) alarmBreakGlass(ctx context.Context, tx *store.Tx, u fleet.User, o fleet.Organization, c Caller) error {
	if !o.SSOOnly || !u.BreakGlass {
		return nil
	}
	alarm := Mail{Kind: "break_glass", Data: map[string]string{"who": u.Email, "network": c.Network}}
	if err := a.mailAdministrators(ctx, tx, o.ID, u.ID, alarm); err != nil {
		return err
	}
	return a.Audit.Write(ctx, tx, c.as(u), audit.Row{Verb: "break_glass", Noun: "user", NounID: u.ID})
}

// mailAdministrators mails everybody who may administer the users of an organization, and one more user of it (may be empty).
func (a *Accounts) mailAdministrators(ctx context.Context, tx *store.Tx, organizationID, also string, m Mail) error {
	return a.tellPeople(ctx, tx, organizationID, m.Kind, m.Data, func(one store.Member) bool {
		administers := access.Actor{UserID: one.ID, Permissions: access.PermissionsOf(one.RoleID)}
		return one.ID == also || administers.Meets("VIEW_AUDIT")
	})
}
