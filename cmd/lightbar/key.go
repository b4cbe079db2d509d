package main

import (
	"context"
	"fmt"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/config"
	"lightbar/internal/fleet"
	"lightbar/internal/wire"
)

type keyCmd struct {
	Create keyCreateCmd `cmd:"" help:"Create an API key and print its secret, once."`
	Revoke keyRevokeCmd `cmd:"" help:"Revoke an API key immediately."`
}

type keyCreateCmd struct {
	Description  string        `arg:"" help:"What the key is for, such as \"AVL gateway\"."`
	Organization string        `help:"Name or id of the organization whose assets it reports for. Optional if there is only one." placeholder:"NAME"`
	Scope        []string      `help:"What it can do: ingest (report), register (add assets), feeds, alerts. Separate several with commas." default:"ingest" placeholder:"SCOPE"`
	Lives        time.Duration `help:"How long it works, such as 8760h; 0 = until revoked." default:"0" placeholder:"DURATION"`
}

// Help implements kong.HelpProvider.
func (keyCreateCmd) Help() string {
	return "The key reports for all assets of the organization (POST /api/ingest). With --scope ingest,register it also\n" +
		"adds assets (POST /api/ingest/assets). Only its digest is stored, so keep the printed secret. For one phone or\n" +
		"tracker use lightbar asset key.\n\n  lightbar key create \"AVL gateway\""
}

// Validate implements kong's check of the flags: an end in the past must not become no end at all.
func (c *keyCreateCmd) Validate() error {
	if c.Lives < 0 {
		return config.Error("--lives must be above 0, such as 8760h, or 0 for a key that works until it is revoked.")
	}
	return nil
}

func (c *keyCreateCmd) Run(e *env) error {
	in := wire.KeyCreate{Description: c.Description, Scopes: c.Scope}
	if c.Lives > 0 {
		ends := fleet.InstantOf(time.Now().Add(c.Lives)).String()
		in.ExpiresAt = &ends
	}
	var made created
	if err := call(e, "key-create", within[wire.KeyCreate]{c.Organization, in}, &made); err != nil {
		return err
	}
	_, err := fmt.Fprintf(e.stdout, "id: %s\nkey: %s\n", made.ID, made.Secret)
	return err
}

func keyCreate(ctx context.Context, a *app.App, in within[wire.KeyCreate]) (created, error) {
	org, err := theOrganization(ctx, a, in.Organization)
	if err != nil {
		return created{}, err
	}
	in.Body.OrganizationID = wire.ID(org)
	k, secret, err := a.CreateKey(ctx, access.System(), in.Body)
	return created{ID: k.ID, Secret: secret}, err
}

type keyRevokeCmd struct {
	ID string `arg:"" help:"Id of the key, as key create printed it."`
}

func (c *keyRevokeCmd) Run(e *env) error {
	var none created
	return call(e, "key-revoke", created{ID: c.ID}, &none)
}

func keyRevoke(ctx context.Context, a *app.App, in created) (created, error) {
	return created{}, a.RevokeKey(ctx, access.System(), in.ID)
}
