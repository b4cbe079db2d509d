package app

import (
	"context"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
)

// alarmBreakGlass makes noise when a password opens an organization that signs
// in by its provider: an audit row, and a mail to everybody who may administer
// its users, the one who came in among them.
func (a *App) alarmBreakGlass(ctx context.Context, tx *store.Tx, u fleet.User, o fleet.Organization, c Caller) error {
	if !o.SSOOnly || !u.BreakGlass {
		return nil
	}
	members, err := store.MembersOf(ctx, tx, o.ID, a.now())
	if err != nil {
		return err
	}
	for _, m := range members {
		administers := Actor{UserID: m.ID, Permissions: permissionsOf(m.RoleID)}
		if m.Suspended || (m.ID != u.ID && !administers.Meets("VIEW_AUDIT")) {
			continue
		}
		if err := a.queueMail(ctx, tx, Mail{Kind: "break_glass", UserID: m.ID, To: m.Email,
			Data: map[string]string{"who": u.Email, "network": c.Network}}); err != nil {
			return err
		}
	}
	return tx.InsertAudit(ctx, a.signInRow(u, "break_glass", nil, c))
}
