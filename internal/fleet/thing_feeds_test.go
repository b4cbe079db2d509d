package fleet

import (
	"slices"
	"testing"

	"lightbar/catalog"
)

// spec: 3.thing.07
func TestAnAssetIsInTheFeedsThatTellOfIt(t *testing.T) {
	kind := func(name string) string {
		of := slices.IndexFunc(catalog.AllEnums().ThingTypes, func(x catalog.ThingType) bool { return x.Name == name })
		return catalog.AllEnums().ThingTypes[of].ID
	}
	shown := func(name string, but func(*Thing)) *Thing {
		thing := &Thing{TypeID: kind(name), InService: true, PubliclyAlerting: true}
		if but != nil {
			but(thing)
		}
		return thing
	}
	zones, alerts, none := Organization{WZDx: true}, Organization{AlertsPublic: true}, Organization{}
	gone := Organization{WZDx: true, AlertsPublic: true, DeletedAt: 1}
	for name, c := range map[string]struct {
		of    Organization
		thing *Thing
		want  []string
	}{
		"engine":              {zones, shown("fire", nil), []string{FeedAlerts}},
		"board":               {zones, shown("arrow_board", nil), []string{FeedAlerts, FeedDevices}},
		"truck":               {zones, shown("maintenance", nil), []string{FeedAlerts, FeedDevices}},
		"no work zones":       {alerts, shown("arrow_board", nil), []string{FeedAlerts}},
		"nothing public":      {none, shown("arrow_board", nil), []string{}},
		"organization gone":   {gone, shown("arrow_board", nil), []string{}},
		"hidden from drivers": {zones, shown("fire", func(t *Thing) { t.PubliclyAlerting = false }), []string{}},
		"out of service":      {zones, shown("fire", func(t *Thing) { t.InService = false }), []string{}},
		"test mode":           {zones, shown("arrow_board", func(t *Thing) { t.TestMode = true }), []string{}},
	} {
		if got := c.thing.Feeds(c.of.Publishes()); got == nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
