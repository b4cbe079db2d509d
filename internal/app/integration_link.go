package app

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/audit"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

var mostVehicles = int(catalog.LimitInt("integrations", "vehicles"))

// LinkVehicles assigns vehicles of an account to assets of its organization, by the assets' identifiers: from then on the vehicles'
// reports belong to the assets. A vehicle that is assigned to no asset is unlinked; vehicles that are not named stay as they are.
// For a vehicle with wire.NewAsset a new asset is made from the provider's data, unless one is linked with it already; the answer
// has its id. Everything is done, or nothing. Requires ADD_INTEGRATION, EDIT_THING, for new assets ADD_THING, and full reach.
// Refusals: not_found, too_many_items, validation_failed (vehicles.N.…), asset_limit, provider_….
func (a *App) LinkVehicles(ctx context.Context, actor *access.Actor, id string, in wire.IntegrationLinks) (wire.IntegrationLinks, error) {
	for _, requirement := range []string{"ADD_INTEGRATION", "EDIT_THING"} {
		if err := actor.Must(requirement); err != nil {
			return in, err
		}
	}
	if len(in.Vehicles) > mostVehicles {
		return in, fleet.Refuse("too_many_items", "vehicles", "At most "+strconv.Itoa(mostVehicles)+" vehicles can be linked at once.")
	}
	links, err := checkLinks(in.Vehicles)
	if err != nil {
		return in, err
	}
	vehicles, err := a.vehiclesToMake(ctx, actor, id, links)
	if err != nil {
		return in, err
	}
	out := wire.IntegrationLinks{Vehicles: slices.Clone(in.Vehicles)}
	err = a.Change(ctx, func(c *live.Change, tx *store.Tx) error {
		x, err := integrations.Load(ctx, tx, actor, id)
		if err != nil {
			return err
		}
		accounts, err := store.IntegrationsOf(ctx, tx, x.OrganizationID)
		if err != nil {
			return err
		}
		l := linking{&x, accounts, out.Vehicles, links, vehicles}
		made, err := a.makeAssets(ctx, tx, c, actor, &l)
		if err != nil {
			return err
		}
		changed, err := a.linked(&l)
		if err != nil {
			return err
		}
		for _, t := range changed {
			if err := a.saveLinked(ctx, tx, c, actor, &t); err != nil {
				return err
			}
		}
		if len(changed)+made == 0 {
			return nil
		}
		x.Press(a.now())
		if _, err := tx.SaveIntegrationState(ctx, &x); err != nil {
			return err
		}
		return a.Audit.Write(ctx, tx, actor, audit.Row{Verb: "link", Noun: integrations.Name, NounID: id, OrganizationID: x.OrganizationID,
			After: map[string]any{"vehicles": len(in.Vehicles), "changed": len(changed), "created": made}})
	})
	return out, err
}

// checkLinks returns the assets of vehicles by their ids, "" = none; the text laws of identifiers apply.
func checkLinks(sent []wire.IntegrationLink) (map[string]string, error) {
	links, things, wrong := map[string]string{}, map[string]bool{}, map[string]string{}
	for i, v := range sent {
		at := "vehicles." + strconv.Itoa(i) + "."
		id := strings.TrimSpace(v.ExternalID)
		_, twice := links[id]
		switch {
		case id == "":
			wrong[at+"external_id"] = "Required"
		case utf8.RuneCountInString(id) > vehicleIDMax:
			wrong[at+"external_id"] = tooLong(vehicleIDMax)
		case twice:
			wrong[at+"external_id"] = "Name each vehicle only once"
		}
		sent[i].ExternalID, links[id] = id, ""
		if v.ThingID == nil {
			continue
		}
		if links[id] = *v.ThingID; *v.ThingID == wire.NewAsset {
			continue
		}
		if things[*v.ThingID] {
			wrong[at+"thing_id"] = "Provider already used"
		}
		things[*v.ThingID] = true
	}
	if len(wrong) > 0 {
		return nil, fleet.RefuseFields(wrong)
	}
	return links, nil
}

// relinked is an asset that has other identifiers than before.
type relinked struct{ old, next fleet.Thing }

// linked returns the assets that links change, by number. An identifier of another existing account stays.
func (a *App) linked(l *linking) (out []relinked, err error) {
	x, links, isThere, isOnly := l.x, l.links, map[string]bool{}, l.isOnly()
	for _, other := range l.accounts {
		isThere[other.ID] = true
	}
	vehicleOf, wrong := map[string]string{}, map[string]string{}
	for vehicle, thing := range links {
		if thing != "" {
			vehicleOf[thing] = vehicle
		}
	}
	for _, t := range a.Live.Owned([]string{x.OrganizationID}) {
		vehicle, isNamed := vehicleOf[t.ID]
		delete(vehicleOf, t.ID)
		next := slices.DeleteFunc(slices.Clone(t.Integrations), func(i fleet.Identifier) bool {
			to, isSaid := links[i.ID]
			return i.Names(x, isOnly) && (isNamed || isSaid && to != t.ID)
		})
		if isNamed {
			if slices.ContainsFunc(next, func(i fleet.Identifier) bool { return i.Provider == x.Provider && isThere[i.Account] }) {
				wrong[t.ID] = "Provider already used"
			}
			next = slices.DeleteFunc(next, func(i fleet.Identifier) bool { return i.Provider == x.Provider })
			next = append(next, fleet.Identifier{Provider: x.Provider, ID: vehicle, Account: x.ID})
			slices.SortFunc(next, func(a, b fleet.Identifier) int { return strings.Compare(a.Provider, b.Provider) })
		}
		if !slices.Equal(next, t.Integrations) {
			one := relinked{*t, *t}
			one.next.Integrations = next
			out = append(out, one)
		}
	}
	for thing := range vehicleOf {
		wrong[thing] = "Asset not found"
	}
	if len(wrong) == 0 {
		return out, nil
	}
	fields := map[string]string{}
	for i, v := range l.said {
		if v.ThingID != nil && wrong[*v.ThingID] != "" {
			fields["vehicles."+strconv.Itoa(i)+".thing_id"] = wrong[*v.ThingID]
		}
	}
	return nil, fleet.RefuseFields(fields)
}

// saveLinked writes an asset with its new identifiers, and publishes it to everybody who sees it.
func (a *App) saveLinked(ctx context.Context, tx *store.Tx, c *live.Change, actor *access.Actor, t *relinked) error {
	t.next.Version, t.next.UpdatedAt = t.old.Version+1, c.Now()
	if err := tx.UpdateThing(ctx, &t.next); err != nil {
		return err
	}
	if err := a.Audit.Write(ctx, tx, actor, audit.Row{Verb: "update", Noun: things.Name, NounID: t.next.ID,
		OrganizationID: t.next.OrganizationID, Before: thingDoc(&t.old), After: thingDoc(&t.next)}); err != nil {
		return err
	}
	sayThing(c, &t.old, &t.next, a.Live.Describe(&t.next))
	c.Put(&t.next)
	return nil
}
