package app_test

import (
	"strings"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

// A vehicle that stands with its lights on is in CIFS beside the closures, where alerts are public, and nowhere else; one
// that drives, is dark, or is silent is not.
func TestVehiclesThatStandAreInCIFS(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.NewWith(t, s, live.Options{Street: func(_, _, _ float64) string { return "Main Street" }})
		o, _ := publishing(t, k)
		if _, err := k.RegisterThing(t.Context(), access.System(), app.NewThing{OrganizationID: o.ID, SystemName: "engine", Type: "fire", DeviceType: "api"}); err != nil {
			t.Fatal(err)
		}
		reader := consumer(t, k, o.ID, "Waze")
		says := func(speed float64, lights bool) {
			t.Helper()
			k.Pass(time.Second)
			report(t, k, o.ID, fleet.Report{Asset: "engine", Kind: fleet.ReportPoint, At: k.At(), Lat: 39.7, Lng: -75.5, HasLat: true, HasLng: true,
				HasSpeed: true, SpeedMS: speed, HasAlerting: true, Alerting: lights})
		}
		tags := map[string]string{}
		wants := func(what string, vehicles int) {
			t.Helper()
			for _, path := range []string{"cifs.json", "cifs.xml", "wzdx-4.2.geojson", "closures.geojson"} {
				out, err := k.Feed(t.Context(), reader, o.ID, path)
				if err != nil {
					t.Fatal(path, err)
				}
				text, n := string(out.Body), 0
				if strings.HasPrefix(path, "cifs") {
					n = vehicles
				}
				if strings.Count(text, "HAZARD_ON_ROAD_EMERGENCY_VEHICLE") != n || strings.Count(text, "Main Street") != n || !strings.Contains(text, "I-95") {
					t.Errorf("%s: %s says %s", what, path, text)
				}
				if n == 0 {
					tags[path] = out.ETag
				} else if out.ETag == tags[path] {
					t.Errorf("%s: %s has the tag that it has without it", what, path)
				}
			}
		}
		public := func(is bool) {
			t.Helper()
			if _, err := k.UpdateOrganization(t.Context(), access.System(), o.ID, wire.OrganizationWrite{AlertsPublic: &is}); err != nil {
				t.Fatal(err)
			}
		}
		says(0, true)
		wants("alerts are not public", 0)
		public(true)
		wants("it stands", 1)
		says(25, true)
		wants("it drives", 0)
		says(0, false)
		wants("it is dark", 0)
		says(0, true)
		wants("it stands again", 1)
		k.Pass(29 * time.Second)
		wants("half a minute without a word", 1)
		k.Pass(2 * time.Second)
		wants("it is silent", 0)
		says(0, true)
		wants("it is heard again", 1)
		public(false)
		wants("alerts are not public anymore", 0)
	})
}
