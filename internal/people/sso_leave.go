package people

import (
	"context"
	"errors"
	"slices"
	"time"

	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/sso"
	"lightbar/internal/store"
)

// shutOut suspends a user who is no longer in any mapped group at the provider: sessions end, passwords are refused and API keys
// stop working, until the provider admits the user again or an administrator does. Nothing is deleted, because a provider may be
// wrong for a day. Break-glass users keep their password for exactly that case.
func (a *Accounts) shutOut(ctx context.Context, p sso.Provider, u fleet.User, c Caller) error {
	var change userChange
	err := a.Store.Write(ctx, func(tx *store.Tx) (err error) {
		if change.ended, err = a.endSessionsOf(ctx, tx, u.ID, "", "no group of the sign-in provider is mapped"); err != nil {
			return err
		}
		if change.access, err = tx.ShutOutUser(ctx, u.ID, a.now()); err != nil || !change.access {
			return err
		}
		if err := a.QueueMail(ctx, tx, Mail{Kind: "suspended", UserID: u.ID, To: u.Email}); err != nil {
			return err
		}
		return a.auditStanding(ctx, tx, "suspend", p, u, c)
	})
	if err != nil {
		return err
	}
	a.userChanged(u.ID, change)
	return a.refusedEntry(ctx, u, errNoGroup, c)
}

// speaksFor reports whether the lack of a group at this provider means anything for an organization's people. It does not if this
// entry does not map the organization and another one of the same issuer does: then the user merely chose the wrong button.
func (a *Accounts) speaksFor(p sso.Provider, organizationID string) bool {
	return p.Maps(organizationID) || !slices.ContainsFunc(a.Providers, func(other *sso.Client) bool {
		return other.Issuer == p.Issuer && other.Maps(organizationID)
	})
}

// groupsTold is the pause between two mails to administrators that a provider's groups are missing.
const groupsTold = time.Hour

// tellGroupsMissing mails the administrators whom it concerns, at most once an hour, that a provider does not send the groups of
// its people: those of a known user's organization, else of each one that the provider is mapped to.
func (a *Accounts) tellGroupsMissing(ctx context.Context, p sso.Provider, u fleet.User, identity sso.Identity) error {
	concerned := []string{u.OrganizationID}
	if u.ID == "" {
		concerned = nil
		for _, m := range p.Mappings {
			if !slices.Contains(concerned, m.Organization) {
				concerned = append(concerned, m.Organization)
			}
		}
	}
	data := map[string]string{"who": u.Email, "provider": p.Title, "claim": p.ClaimOfGroups(), "reason": identity.GroupsMissing}
	return a.Store.Write(ctx, func(tx *store.Tx) error {
		for _, id := range concerned {
			letter := Mail{Kind: "groups_missing", Data: data}
			if err := a.mailSometimes(ctx, tx, "groups missing "+p.ID+" "+id, groupsTold, id, letter); err != nil {
				return err
			}
		}
		return nil
	})
}

// mailSometimes mails an organization's administrators, unless it did so for the same counter within a time.
func (a *Accounts) mailSometimes(ctx context.Context, tx *store.Tx, counter string, within time.Duration, organizationID string,
	m Mail) error {
	told, err := store.AttemptsSince(ctx, tx, counter, a.now().Add(-within))
	if err != nil || len(told) > 0 {
		return err
	}
	if err := tx.InsertAttempt(ctx, counter, "mail", a.now(), a.NewID()); err != nil {
		return err
	}
	return a.mailAdministrators(ctx, tx, organizationID, "", m)
}

// letIn undoes what shutOut did. Refusals: user_suspended (by somebody, meanwhile).
func (a *Accounts) letIn(ctx context.Context, tx *store.Tx, p sso.Provider, u fleet.User, c Caller) error {
	lifted, err := tx.LetInUser(ctx, u.ID, a.now())
	if err != nil {
		return err
	}
	if !lifted {
		return refuseSuspended()
	}
	return a.auditStanding(ctx, tx, "restore", p, u, c)
}

func (a *Accounts) auditStanding(ctx context.Context, tx *store.Tx, verb string, p sso.Provider, u fleet.User, c Caller) error {
	actor := c.as(u)
	after, err := docByProvider(ctx, tx, p, u.ID)
	if err != nil {
		return err
	}
	return a.Audit.Write(ctx, tx, actor, audit.Row{Verb: verb, Noun: "user", NounID: u.ID, OrganizationID: u.OrganizationID, After: after})
}

// docByProvider is what the audit stores about a user whom a provider has just changed.
func docByProvider(ctx context.Context, tx *store.Tx, p sso.Provider, id string) (map[string]any, error) {
	u, err := store.UserByID(ctx, tx, id)
	doc := userDoc(u)
	doc["provider"] = p.ID
	return doc, err
}

// comesByProvider reports whether a user came through a provider and was given no
// password: somebody who leaves there must not have created another way in. An
// administrator's invitation gives a password; break-glass users may choose
// one. For an unknown user it makes the same queries, so that the answer takes
// as long.
func comesByProvider(ctx context.Context, r store.Reader, u fleet.User) (bool, error) {
	issuers, err := store.IssuersOfUser(ctx, r, u.ID)
	return len(issuers) > 0 && u.PasswordHash == "" && !u.BreakGlass, err
}

// mailOfProvider explains, in place of a link, that there is no password to choose.
func (a *Accounts) mailOfProvider(ctx context.Context, tx *store.Tx, u fleet.User) error {
	return errors.Join(tx.SupersedeMail(ctx, u.ID, "no_password", a.now()),
		a.QueueMail(ctx, tx, Mail{Kind: "no_password", UserID: u.ID, To: u.Email, Link: a.PublicURL + "/welcome/signin"}))
}
