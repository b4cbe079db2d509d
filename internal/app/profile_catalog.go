package app

import (
	"sort"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/wire"
)

// ThingTypes lists the types of assets, "other" last. Requires VIEW_THINGS.
func (a *App) ThingTypes(actor *access.Actor) ([]wire.ThingType, wire.Meta, error) {
	if err := actor.Must("VIEW_THINGS"); err != nil {
		return nil, wire.Meta{}, err
	}
	out := []wire.ThingType{}
	for _, t := range catalog.AllEnums().ThingTypes {
		name := t.DisplayName
		if name == "" {
			name = t.Name
		}
		out = append(out, wire.ThingType{ID: t.ID, Name: t.Name, DisplayName: name, IsEmergency: t.IsEmergency})
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Name != "other" && out[j].Name == "other" })
	return out, wire.SinglePage(len(out), a.now()), nil
}

// ThingSubtypes lists the subtypes of assets, "Other" last. Requires VIEW_THINGS.
func (a *App) ThingSubtypes(actor *access.Actor) ([]wire.ThingSubtype, wire.Meta, error) {
	if err := actor.Must("VIEW_THINGS"); err != nil {
		return nil, wire.Meta{}, err
	}
	ids := map[string]string{}
	for _, t := range catalog.AllEnums().ThingTypes {
		ids[t.Name] = t.ID
	}
	out := []wire.ThingSubtype{}
	for _, t := range catalog.AllEnums().ThingSubtypes {
		out = append(out, wire.ThingSubtype{ID: t.ID, DisplayName: t.DisplayName, ThingTypeID: ids[t.ThingType]})
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].DisplayName != "Other" && out[j].DisplayName == "Other" })
	return out, wire.SinglePage(len(out), a.now()), nil
}
