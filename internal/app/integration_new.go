package app

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// vehicleType is the type of an asset that is made from a vehicle: providers do not send one.
const vehicleType = "default"

// linking is what links do to one account: links are the assets of vehicles, "" = none, wire.NewAsset = one is created.
type linking struct {
	x        *fleet.Integration
	accounts []fleet.Integration
	said     []wire.IntegrationLink // answered with the ids of new assets
	links    map[string]string
	vehicles map[string]fleet.Vehicle // the provider's data about those that become new assets
}

// isOnly reports whether the account is its organization's only one at its provider.
func (l *linking) isOnly() bool {
	return !slices.ContainsFunc(l.accounts, func(o fleet.Integration) bool { return o.ID != l.x.ID && o.Provider == l.x.Provider })
}

// vehiclesToMake returns the vehicles that become new assets, with the provider's data; it is polled only if there are any.
func (a *App) vehiclesToMake(ctx context.Context, actor *access.Actor, id string, links map[string]string) (
	map[string]fleet.Vehicle, error) {
	if !slices.Contains(slices.Collect(maps.Values(links)), wire.NewAsset) {
		return nil, nil
	}
	if err := actor.Must("ADD_THING"); err != nil {
		return nil, err
	}
	x, err := integrations.Load(ctx, a.Store.Reader(), actor, id)
	if err != nil {
		return nil, err
	}
	found, err := a.vehiclesOf(ctx, &x)
	out := make(map[string]fleet.Vehicle, len(found))
	for _, v := range found {
		out[v.ExternalID] = v
	}
	return out, err
}

// makeAssets creates the new assets of links, all or none, and removes those links: the assets have their identifiers. If an asset
// of the organization already has a vehicle's identifier, the vehicle stays linked with it, so that the same call can be repeated.
func (a *App) makeAssets(ctx context.Context, tx *store.Tx, c *live.Change, actor *access.Actor, l *linking) (made int, err error) {
	linkedTo := map[string]string{}
	if l.vehicles != nil {
		isOnly, isNamed := l.isOnly(), map[string]bool{}
		for _, thing := range l.links {
			isNamed[thing] = true // it becomes another vehicle's
		}
		for _, t := range a.Live.Owned([]string{l.x.OrganizationID}) {
			for _, i := range t.Integrations {
				if i.Names(l.x, isOnly) && !isNamed[t.ID] {
					linkedTo[i.ID] = t.ID
				}
			}
		}
	}
	given, wrong := newNames{}, map[string]string{}
	var next []*fleet.Thing
	for i := range l.said {
		id := l.said[i].ExternalID
		if letOthers(i); l.links[id] != wire.NewAsset {
			continue
		}
		if there := linkedTo[id]; there != "" {
			l.said[i].ThingID = &there
			delete(l.links, id)
			continue
		}
		t, err := a.assetOfVehicle(actor, l, i, given, wrong, c.Now())
		if err != nil {
			return 0, err
		}
		if t == nil {
			continue
		}
		l.said[i].ThingID = &t.ID
		delete(l.links, id)
		next = append(next, t)
	}
	if len(wrong) > 0 {
		return 0, fleet.RefuseFields(wrong)
	}
	if err := a.mustHaveRoom(l.x.OrganizationID, len(next)); err != nil {
		return 0, err
	}
	for i, t := range next {
		letOthers(i)
		if err := a.insertNew(ctx, tx, actor, t); err != nil {
			return 0, err
		}
		a.putNew(c, t)
	}
	return len(next), nil
}

// assetOfVehicle returns the asset that is made from the vehicle of a row; nil = it can't be made, and the reason is noted.
func (a *App) assetOfVehicle(actor *access.Actor, l *linking, row int, given newNames, wrong map[string]string, now fleet.Instant) (
	*fleet.Thing, error) {
	id, at := l.said[row].ExternalID, "vehicles."+strconv.Itoa(row)+"."
	v, known := l.vehicles[id]
	if !known {
		wrong[at+"external_id"] = "The account doesn't have this vehicle"
		return nil, nil
	}
	name, vin, plate := v.AsAsset()
	asked := NewThing{OrganizationID: l.x.OrganizationID, SystemName: name, VIN: vin, Plate: plate, Type: vehicleType}
	t, err := a.newThing(actor, &asked, now)
	if err == nil {
		err = a.mustBeFree(given, t, row)
	}
	if refusal := (*fleet.Refusal)(nil); errors.As(err, &refusal) && len(refusal.Fields) > 0 {
		wrong[at+"thing_id"] = refusal.Fields[slices.Min(slices.Collect(maps.Keys(refusal.Fields)))]
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	t.Integrations = []fleet.Identifier{{Provider: l.x.Provider, ID: id, Account: l.x.ID}}
	return t, nil
}
