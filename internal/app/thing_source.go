package app

import (
	"context"
	"slices"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// sourcesOf returns how an asset's reports arrive. Actors who may read its owner's integrations also see which ones.
func (a *App) sourcesOf(ctx context.Context, actor *access.Actor, t *fleet.Thing, state *fleet.State) ([]wire.ThingSource, error) {
	var out []wire.ThingSource
	var accounts []fleet.Integration
	for _, row := range fleet.SourcesOf(state) {
		one := wire.ThingSource{Source: row.Source.String(), LastAt: row.LastAt, ReceivedAt: row.ReceivedAt, IsShown: row.IsShown, Why: row.Why}
		if slices.Contains(catalog.AllEnums().Providers, one.Source) && actor.Meets(integrations.Views) &&
			(actor.Super || actor.Organizations[t.OrganizationID] != access.None) {
			if accounts == nil {
				var err error
				if accounts, err = store.IntegrationsOf(ctx, a.Store.Reader(), t.OrganizationID); err != nil {
					return nil, err
				}
			}
			one.Name = accountOf(t, accounts, one.Source)
		}
		out = append(out, one)
	}
	return out, nil
}

// accountOf is the name of the account to which an asset's identifier at a provider belongs; nil = no existing account.
func accountOf(t *fleet.Thing, accounts []fleet.Integration, provider string) *string {
	of := slices.DeleteFunc(slices.Clone(accounts), func(x fleet.Integration) bool { return x.Provider != provider })
	for i := range of {
		if slices.ContainsFunc(t.Integrations, func(id fleet.Identifier) bool { return id.Names(&of[i], len(of) == 1) }) {
			return &of[i].Name
		}
	}
	return nil
}
