package people

import (
	"context"
	"errors"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/secret"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

var setupLinkLife = catalog.LimitMs("session", "setupLinkMs")

// FirstAdministratorLink makes the one-time link that creates the first organization and its administrator, and returns its
// address; empty when the installation already has users. The newest link invalidates older ones. Requires MANAGE_PLATFORM.
func (a *Accounts) FirstAdministratorLink(ctx context.Context, actor *access.Actor) (string, error) {
	if err := actor.Must("MANAGE_PLATFORM"); err != nil {
		return "", err
	}
	token := secret.RandomToken(prefixSetup, secretBytes)
	made := false
	err := a.Store.Write(ctx, func(tx *store.Tx) error {
		n, err := store.CountUsers(ctx, tx)
		if err != nil || n > 0 {
			return err
		}
		now := a.now()
		if err := tx.DropOneTimes(ctx, "setup", "", now); err != nil {
			return err
		}
		if err := tx.InsertOneTime(ctx, store.OneTime{Hash: secret.Hash(token), Purpose: "setup", CreatedAt: now,
			ExpiresAt: now.Add(setupLinkLife)}); err != nil {
			return err
		}
		made = true
		return a.Audit.Write(ctx, tx, actor, audit.Row{Verb: "create", Noun: "setup_link"})
	})
	if err != nil || !made {
		return "", err
	}
	return a.PublicURL + "/setup#" + token, nil // a fragment, as in mailLink
}

// Setup is the form of the first administrator.
type Setup struct {
	OrganizationName string
	Timezone         string
	Email            string
	FirstName        string
	LastName         string
	Password         string
	Confirmation     string
}

func refuseSetup() error {
	return fleet.Refuse("setup_link_expired", "", "This link was already used or has expired. Start the server again for a new one.")
}

// SetupDue refuses (setup_link_expired) when the installation already has users.
func (a *Accounts) SetupDue(ctx context.Context) error {
	n, err := store.CountUsers(ctx, a.Store.Reader())
	if err == nil && n > 0 {
		return refuseSetup()
	}
	return err
}

// SetupOpen reports whether a first administrator's link still works. Refusals: setup_link_expired.
func (a *Accounts) SetupOpen(ctx context.Context, token string) error {
	if !secret.WellFormed(prefixSetup, token) {
		return refuseSetup()
	}
	row, err := store.OneTimeByHash(ctx, a.Store.Reader(), secret.Hash(token), "setup")
	if errors.Is(err, store.ErrNotFound) || (err == nil && (row.UsedAt != 0 || a.now() >= row.ExpiresAt)) {
		return refuseSetup()
	}
	return err
}

// CompleteSetup creates the first organization and its administrator and consumes the link: all or nothing. Refusals:
// setup_link_expired, validation_failed, password_rules, password_common.
func (a *Accounts) CompleteSetup(ctx context.Context, token string, in Setup, c Caller) error {
	if err := a.SetupOpen(ctx, token); err != nil {
		return err
	}
	if in.Password != in.Confirmation {
		return fleet.Refuse("validation_failed", "confirmation", "Should match password")
	}
	o, err := a.newOrganization(fleet.Organization{Name: in.OrganizationName, Timezone: in.Timezone})
	if err != nil {
		return err
	}
	u, err := a.newUser(ctx, wire.UserCreate{OrganizationID: wire.ID(o.ID), Email: in.Email, FirstName: in.FirstName, LastName: in.LastName,
		RoleID: wire.ID(access.RoleID("administrator")), Password: &in.Password})
	if err != nil {
		return err
	}
	actor := c.as(u)
	err = a.Store.Write(ctx, func(tx *store.Tx) error {
		used, err := tx.UseOneTime(ctx, secret.Hash(token), "setup", a.now())
		if err != nil {
			return err
		}
		n, err := store.CountUsers(ctx, tx)
		if err != nil {
			return err
		}
		if !used || n > 0 {
			return refuseSetup()
		}
		if err := tx.InsertOrganization(ctx, o); err != nil {
			return err
		}
		if err := insertUser(ctx, tx, u); err != nil {
			return err
		}
		if err := a.Audit.Write(ctx, tx, actor, organizations.Made(o.ID, &o)); err != nil {
			return err
		}
		return a.Audit.Write(ctx, tx, actor, users.Made(u.ID, &u))
	})
	if err != nil {
		return err
	}
	return a.OrganizationsChanged(ctx)
}
