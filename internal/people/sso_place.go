package people

import (
	"context"
	"errors"
	"time"

	"lightbar/catalog"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/sso"
	"lightbar/internal/store"
)

type placement struct {
	organization fleet.Organization
	role         catalog.Role
}

// errNoGroup is the provider's own refusal: the person is in no mapped group.
var errNoGroup = fleet.Refuse("sso_not_mapped", "", "Your user is not authorized to access {brand} Dashboard.")

// errGroupsMissing is no answer at all: the provider did not send the person's groups. It means nothing about the person.
var errGroupsMissing = fleet.Refuse("sso_groups_missing", "", "Your sign-in provider didn't say which groups you're in. "+
	"Please contact your administrator.")

// placeOf fails closed: without a mapping, with an unknown or removed organization, or with a role that may not be assigned, nobody
// gets in. Organizations are matched by id only, because their administrators can change the name. Refusals: errNoGroup;
// errGroupsMissing and sso_misconfigured, which say nothing about the person.
func (a *Accounts) placeOf(ctx context.Context, p sso.Provider, identity sso.Identity) (placement, error) {
	if identity.GroupsMissing != "" {
		a.Log.Error("single sign-on: the provider does not say which groups a person is in", "provider", p.ID,
			"claim", p.ClaimOfGroups(), "reason", identity.GroupsMissing)
		return placement{}, errGroupsMissing
	}
	m, ok := p.Place(identity.Groups)
	if !ok {
		return placement{}, errNoGroup
	}
	misconfigured := fleet.Refuse("sso_misconfigured", "", "Single sign-on isn't set up correctly for your group. "+
		"Please contact your administrator.")
	role, ok := catalog.RoleByName(m.Role)
	if !ok || role.Order == nil {
		a.Log.Error("single sign-on maps to a role that cannot be assigned", "provider", p.ID, "group", m.Group, "role", m.Role)
		return placement{}, misconfigured
	}
	o, err := store.OrganizationByID(ctx, a.Store.Reader(), m.Organization)
	if errors.Is(err, store.ErrNotFound) || (err == nil && o.DeletedAt != 0) {
		a.Log.Error("single sign-on maps to an organization that is not there", "provider", p.ID, "group", m.Group, "organization",
			m.Organization)
		return placement{}, misconfigured
	}
	return placement{o, role}, err
}

// moveByProvider places a user again and ends open sessions. A move to another organization leaves a row in both and is mailed to
// the administrators of both.
func (a *Accounts) moveByProvider(ctx context.Context, tx *store.Tx, p sso.Provider, before, u fleet.User, c Caller) (userChange, error) {
	change := userChange{access: true}
	var err error
	if change.ended, err = a.endSessionsOf(ctx, tx, u.ID, "", "moved by the sign-in provider"); err != nil {
		return change, err
	}
	if err := tx.PlaceUser(ctx, u.ID, u.OrganizationID, u.RoleID, a.now()); err != nil {
		return change, err
	}
	actor := c.as(u)
	after, err := docByProvider(ctx, tx, p, u.ID)
	if err != nil {
		return change, err
	}
	row := audit.Row{Verb: "place", Noun: "user", NounID: u.ID, OrganizationID: u.OrganizationID,
		Before: userDoc(before), After: after}
	if err := a.Audit.Write(ctx, tx, actor, row); err != nil || before.OrganizationID == u.OrganizationID {
		return change, err
	}
	row.OrganizationID = before.OrganizationID
	return change, errors.Join(a.Audit.Write(ctx, tx, actor, row), a.tellOfMove(ctx, tx, p, before, u))
}

func (a *Accounts) tellOfMove(ctx context.Context, tx *store.Tx, p sso.Provider, before, u fleet.User) error {
	from, err := store.OrganizationByID(ctx, tx, before.OrganizationID)
	if err != nil {
		return err
	}
	to, err := store.OrganizationByID(ctx, tx, u.OrganizationID)
	if err != nil {
		return err
	}
	data := map[string]string{"who": u.Email, "provider": p.Title, "from": from.Name, "to": to.Name}
	for _, o := range []string{from.ID, to.ID} {
		if err := a.mailAdministrators(ctx, tx, o, u.ID, Mail{Kind: "moved_by_provider", Data: data}); err != nil {
			return err
		}
	}
	return nil
}

// refuseMove refuses to move a user out of an organization that the provider is
// not mapped to. The audit row names the destination; administrators get a mail
// at most once an hour, without the other organization's name.
func (a *Accounts) refuseMove(ctx context.Context, p sso.Provider, u fleet.User, to string, c Caller) error {
	refusal := fleet.Refuse("sso_other_organization", "", "Your sign-in provider doesn't belong to your organization. "+
		"Please contact your administrator.")
	a.Log.Error("single sign-on may not move a user between organizations", "provider", p.ID, "user", u.ID, "from", u.OrganizationID, "to", to)
	err := a.Store.Write(ctx, func(tx *store.Tx) error {
		row := audit.Row{Verb: "sign_in_refused", Noun: "user", NounID: u.ID,
			After: map[string]string{"code": refusal.Code, "provider": p.ID, "organization_id": to}}
		if err := a.Audit.Write(ctx, tx, c.as(u), row); err != nil {
			return err
		}
		return a.mailSometimes(ctx, tx, "move by provider "+u.ID, time.Hour, u.OrganizationID,
			Mail{Kind: "move_refused", Data: map[string]string{"who": u.Email, "provider": p.Title}})
	})
	if err != nil {
		return err
	}
	return refusal
}
