package app

import (
	"context"
	"slices"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/provider"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

var checkIntegrationMs = catalog.LimitMs("integrations", "checkMs")

// uncheckable are the catalog's codes for why a provider could not be reached.
var uncheckable = map[string]string{provider.Unauthorized: "provider_unauthorized", provider.OverLimit: "provider_over_limit",
	provider.Unavailable: "provider_unavailable", provider.Unreadable: "provider_unreadable"}

// CheckIntegration requests from a provider now which vehicles an account has, and returns the assets of the organization that they
// seem to be; nothing is changed. Requires ADD_INTEGRATION and full reach. Refusals: not_found, provider_…
func (a *App) CheckIntegration(ctx context.Context, actor *access.Actor, id string) (wire.IntegrationCheck, error) {
	out := wire.IntegrationCheck{Vehicles: []wire.IntegrationVehicle{}}
	if err := actor.Must("ADD_INTEGRATION"); err != nil {
		return out, err
	}
	x, err := integrations.Load(ctx, a.Store.Reader(), actor, id)
	if err != nil {
		return out, err
	}
	vehicles, err := a.vehiclesOf(ctx, &x)
	if err != nil {
		return out, err
	}
	isOnly, err := isOnlyAccount(ctx, a.Store.Reader(), &x)
	if err != nil {
		return out, err
	}
	for _, m := range fleet.MatchVehicles(vehicles, a.Live.Owned([]string{x.OrganizationID}), &x, isOnly) {
		var row wire.IntegrationVehicle
		wire.Same(&row, &m.Vehicle)
		if row.Match = m.Match; m.ThingID != "" {
			row.ThingID = &m.ThingID
		}
		out.Vehicles = append(out.Vehicles, row)
	}
	return out, nil
}

// vehiclesOf requests an account's vehicles from a provider, within the time that a person waits.
func (a *App) vehiclesOf(ctx context.Context, x *fleet.Integration) ([]fleet.Vehicle, error) {
	asking, cancel := context.WithTimeout(ctx, checkIntegrationMs)
	defer cancel()
	one := a.telematics.account(x.ID)
	select {
	case <-one.turn:
	case <-asking.Done():
		return nil, refuseUnchecked(ctx, asking.Err())
	}
	defer one.give()
	client, err := a.clientOf(one, x)
	if err != nil {
		return nil, refuseUnchecked(ctx, err)
	}
	found, err := client.Vehicles(asking)
	if err != nil {
		return nil, refuseUnchecked(ctx, err)
	}
	out := make([]fleet.Vehicle, len(found))
	for i, v := range found {
		out[i] = fleet.Vehicle(v)
	}
	return out, nil
}

// refuseUnchecked returns the refusal for a provider that could not be reached.
func refuseUnchecked(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	problem := problemOf(err)
	code, field := uncheckable[problem.Reason], ""
	if code == "" {
		code = "provider_unavailable"
	}
	if problem.Reason == provider.Unauthorized {
		field = "secret"
	}
	refusal := fleet.Refuse(code, field, problem.Message)
	refusal.RetryAfterS = int(problem.RetryAfter.Seconds())
	return refusal
}

// isOnlyAccount reports whether an account is its organization's only one at its provider.
func isOnlyAccount(ctx context.Context, r store.Reader, x *fleet.Integration) (bool, error) {
	all, err := store.IntegrationsOf(ctx, r, x.OrganizationID)
	return !slices.ContainsFunc(all, func(o fleet.Integration) bool { return o.ID != x.ID && o.Provider == x.Provider }), err
}
