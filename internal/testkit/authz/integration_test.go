package authz_test

import (
	"context"
	"errors"
	"net/netip"

	"lightbar/internal/access"
	"lightbar/internal/wire"
)

// noServer is a name server that knows no name: no walk asks a provider.
func noServer(context.Context, string) ([]netip.Addr, error) {
	return nil, errors.New("no server has a name here")
}

// account gives the fixture's organization an account at a provider. It can have so
// many: of those that last the one before goes.
func (w *walk) account(f *fixture, name, relation string) {
	w.t.Helper()
	of, provider, secret := wire.ID(f.organization), "geotab", "secret"
	row, _, err := w.App.Integrations.Create(w.t.Context(), access.System(), wire.IntegrationWrite{OrganizationID: &of, Name: &name, Provider: &provider,
		Database: &name, User: &name, Secret: &secret})
	w.must(err)
	if before := w.integrations[relation]; before != "" {
		_ = w.App.Integrations.Remove(w.t.Context(), access.System(), before) // a walk may have deleted it
	}
	if f.integration = row.ID; w.lasting[relation] != nil {
		w.integrations[relation] = f.integration
	}
}
