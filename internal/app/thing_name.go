package app

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"lightbar/catalog"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
)

// Devices identify an asset by its system name or its external id, so neither may belong to another asset of the same organization.
// newNames finds those that do.

const nameTaken = "This system name is already in use."

// namedNow returns what is wrong with an asset's names compared with the existing assets: sentences by field, none when all is
// well. free are assets whose names do not count, as they change in the same request.
func (a *App) namedNow(t *fleet.Thing, free map[string]bool) map[string]string {
	wrong := map[string]string{}
	for field, name := range map[string]string{"haas_id": t.SystemName, "external_id": t.ExternalID} {
		for _, id := range a.Live.Named(t.OrganizationID, name) {
			if id == t.ID || free[id] {
				continue
			}
			other, _, _, _ := a.Live.Thing(id)
			wrong[field] = takenBy(field, name, &other)
			break
		}
		if wrong[field] == "" {
			if other, looks := a.looksLike(t, name, free); looks {
				wrong[field] = "This looks the same as a name of " + shownName(&other) + "."
			}
		}
	}
	return wrong
}

// looksLike finds another asset with a name that people cannot tell from this one.
func (a *App) looksLike(t *fleet.Thing, name string, free map[string]bool) (other fleet.Thing, found bool) {
	for _, like := range fleet.LookAlikes(name) {
		for _, id := range a.Live.Named(t.OrganizationID, like) {
			if id != t.ID && !free[id] {
				other, _, _, _ = a.Live.Thing(id)
				return other, true
			}
		}
	}
	return other, false
}

func shownName(t *fleet.Thing) string {
	if t.Nickname != "" {
		return t.Nickname + " (" + t.SystemName + ")"
	}
	return t.SystemName
}

// takenBy returns the message that names the asset which already has a name.
func takenBy(field, name string, other *fleet.Thing) string {
	same := store.SystemKey(name) == store.SystemKey(other.SystemName)
	shown := shownName(other)
	switch {
	case field == "haas_id" && same:
		return nameTaken
	case field == "haas_id":
		return "This is the external ID of " + shown + "."
	case same:
		return "This is the system name of " + shown + "."
	}
	return "This external ID is already in use by " + shown + "."
}

// newNames are the names that the rows of one request give, by organization and key.
type newNames map[string]namedRow

type namedRow struct{ row, place int }

// take notes the names of a row's asset. It returns the field whose name an earlier row gave to another asset, and the place of
// that row; 0 = none.
func (n newNames) take(t *fleet.Thing, row, place int) (field string, earlier int) {
	for _, f := range [2][2]string{{"haas_id", t.SystemName}, {"external_id", t.ExternalID}} {
		if f[1] == "" {
			continue
		}
		key := t.OrganizationID + "|" + fleet.LookOf(f[1])
		if first, said := n[key]; said && first.row != row {
			if field == "" {
				field, earlier = f[0], first.place
			}
			continue
		}
		n[key] = namedRow{row, place}
	}
	return field, earlier
}

func takenByRow(field, word string, place int) string {
	if field == "haas_id" {
		return fmt.Sprintf("%s %d already has this system name.", word, place)
	}
	return fmt.Sprintf("%s %d already has this external ID.", word, place)
}

// nameProblem is the law of the names that devices use; "" = fine.
func nameProblem(name string) string {
	switch {
	case utf8.RuneCountInString(name) > int(catalog.LimitInt("text", "name")):
		return "100 Max Characters"
	case !utf8.ValidString(name) || strings.ContainsFunc(name, fleet.Invisible):
		return "Please use printable characters"
	}
	return fleet.CheckLookAlike(name)
}

// unnamed returns why no asset matches a name.
func unnamed(names live.Resolver, said string) *fleet.Refusal {
	if names.Shared(said) {
		row, _ := catalog.ErrorByCode("asset_ambiguous")
		return fleet.Refuse("asset_ambiguous", "asset", row.Message)
	}
	return fleet.Refuse("asset_unknown", "asset", "This key has no asset with that system name or external ID.")
}
