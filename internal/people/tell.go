package people

import (
	"context"
	"slices"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
)

// tellPeople queues one mail for each of an organization's users who is not suspended and whom told selects.
func (a *Accounts) tellPeople(ctx context.Context, tx *store.Tx, organizationID, kind string, data map[string]string,
	told func(store.Member) bool) error {
	members, err := store.MembersOf(ctx, tx, organizationID, a.now())
	if err != nil {
		return err
	}
	for _, m := range members {
		if m.Suspended || !told(m) {
			continue
		}
		if err := a.QueueMail(ctx, tx, Mail{Kind: kind, UserID: m.ID, To: m.Email, Data: data}); err != nil {
			return err
		}
	}
	return nil
}

// TellWhoMay mails those of an organization's users whose role fulfills a requirement of catalog/permissions.json.
func (a *Accounts) TellWhoMay(ctx context.Context, tx *store.Tx, organizationID, requirement, kind string, data map[string]string) error {
	return a.tellPeople(ctx, tx, organizationID, kind, data, func(m store.Member) bool {
		holder := access.Actor{Permissions: access.PermissionsOf(m.RoleID)}
		return holder.Meets(requirement)
	})
}

// tellAdministrators mails an organization's administrators about a change that
// an actor just made to it; the actor gets the mail too, since somebody else
// may be using the session. Changes by the system (the command line, the first
// start) are not mailed. about is the user whom the mail is about; they get
// none.
func (a *Accounts) tellAdministrators(ctx context.Context, tx *store.Tx, actor *access.Actor, organizationID, kind string,
	data map[string]string, about string) error {
	if actor.UserID == "" {
		return nil
	}
	o, err := store.OrganizationByID(ctx, tx, organizationID)
	if err != nil {
		return err
	}
	data["organization"] = o.Name
	if actor.Reach(organizationID) != access.None { // an actor who accepts an offer acts from outside
		if data["by"], err = store.ActorName(ctx, tx, actor.UserID, ""); err != nil {
			return err
		}
	}
	err = a.tellPeople(ctx, tx, organizationID, kind, data, func(m store.Member) bool {
		return m.ID != about && (Administers(m.RoleID) || m.ID == actor.UserID)
	})
	if err != nil || actor.OrganizationID == organizationID {
		return err
	}
	return a.tellPeople(ctx, tx, actor.OrganizationID, kind, data, func(m store.Member) bool { return m.ID == actor.UserID })
}

// tellNewAdministrator mails the news of a new administrator of an organization.
func (a *Accounts) tellNewAdministrator(ctx context.Context, tx *store.Tx, actor *access.Actor, u fleet.User) error {
	return a.tellAdministrators(ctx, tx, actor, u.OrganizationID, "new_administrator", map[string]string{"who": u.Email}, u.ID)
}

// TellRelation mails that another organization was given more access than before. The mail names it only if the actor reaches it: a
// mail must not reveal to whom an id belongs.
func (a *Accounts) TellRelation(ctx context.Context, tx *store.Tx, actor *access.Actor, organizationID, otherID, kind string) error {
	related, err := store.RelationsOf(ctx, tx, organizationID)
	if err != nil {
		return err
	}
	had := slices.ContainsFunc(related, func(r fleet.OrganizationRelation) bool {
		return r.OrganizationID == organizationID && r.OtherID == otherID && (r.Kind == kind || r.Kind == fleet.RelationManager)
	})
	if kind == fleet.RelationDelete || had {
		return nil
	}
	data := map[string]string{"manages": map[string]string{fleet.RelationManager: "yes"}[kind]}
	if actor.Reach(otherID) != access.None {
		other, err := store.OrganizationByID(ctx, tx, otherID)
		if err != nil {
			return err
		}
		data["other"] = other.Name
	}
	return a.tellAdministrators(ctx, tx, actor, organizationID, "new_relation", data, "")
}

// mayChangeRules requires a fresh proof for a different or weaker way of
// signing in, and mails the administrators. A stricter rule is an ordinary
// edit: it opens nothing and must not be held up in an emergency.
func (a *Accounts) mayChangeRules(ctx context.Context, tx *store.Tx, actor *access.Actor, o, next fleet.Organization) error {
	never := func(ms int64) bool { return ms == 0 }
	changed := map[string]bool{
		"factor_off": o.MFARequired && !next.MFARequired,
		"sso_off":    o.SSOOnly && !next.SSOOnly,
		"sso_on":     !o.SSOOnly && next.SSOOnly, // locks out everybody whom the provider does not know
		"lock_later": !never(o.LockScreenMs) && (never(next.LockScreenMs) || next.LockScreenMs > o.LockScreenMs),
		"no_end":     !o.InfiniteTimeout && next.InfiniteTimeout,
	}
	return a.mayAndTell(ctx, tx, actor, o.ID, "rules_changed", changed)
}

// mayMakePublic requires a fresh proof for what everyone may read from then on, and mails the administrators.
func (a *Accounts) mayMakePublic(ctx context.Context, tx *store.Tx, actor *access.Actor, o, next fleet.Organization) error {
	return a.mayAndTell(ctx, tx, actor, o.ID, "made_public", map[string]bool{
		"feeds":  next.WZDx && next.FeedsPublic && !(o.WZDx && o.FeedsPublic),
		"alerts": next.AlertsPublic && !o.AlertsPublic,
	})
}

// mayAndTell requires a fresh proof if something changed, and mails the change to the administrators.
func (a *Accounts) mayAndTell(ctx context.Context, tx *store.Tx, actor *access.Actor, organizationID, letter string,
	changed map[string]bool) error {
	data := map[string]string{}
	for what, is := range changed {
		if is {
			data[what] = "yes"
		}
	}
	if len(data) == 0 {
		return nil
	}
	if err := a.MustBeFreshIn(ctx, tx, actor); err != nil {
		return err
	}
	return a.tellAdministrators(ctx, tx, actor, organizationID, letter, data, "")
}
