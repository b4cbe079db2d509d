package main

import (
	"context"

	"lightbar/internal/access"
	"lightbar/internal/app"
)

type userBreakGlassCmd struct {
	Email string `arg:"" help:"Address the user signs in with."`
	Off   bool   `help:"End it."`
}

// Help implements kong.HelpProvider.
func (userBreakGlassCmd) Help() string {
	return `An organization that manages access through its identity provider refuses passwords. Keep one user who can still sign in
with a password when the provider is down. Each such sign-in is audited and emailed to the organization's
administrators.

  lightbar user break-glass chief@example.org`
}

func (c *userBreakGlassCmd) Run(e *env) error {
	var none created
	return call(e, "user-break-glass", breakGlass{c.Email, !c.Off}, &none)
}

type breakGlass struct {
	Email string
	On    bool
}

func userBreakGlass(ctx context.Context, a *app.App, in breakGlass) (created, error) {
	return created{}, a.SetBreakGlass(ctx, access.System(), in.Email, in.On)
}
