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
	"lightbar/internal/wire"
)

// Warnings tell of incidents, zones, and hazards, and of none where only assets are that drivers may not learn of.
func TestWarningsTellWhatDriversMayLearn(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		x := newStreet(t, s)
		own := x.admin.OrganizationID
		_, err := x.UpdateOrganization(t.Context(), access.System(), own, wire.OrganizationWrite{IsWZDxOrg: ref(true)})
		x.must(err)
		reader, foreign := consumer(t, x.Kit, own, "County", "alerts"), x.Organization("B")
		is := func(what string, incidents, zones, hazards int) {
			t.Helper()
			out, err := x.Feed(t.Context(), reader, own, "alerts.atom")
			x.must(err)
			text := string(out.Body)
			for event, want := range map[string]int{"Responders on the road": incidents, "Alerting zone": zones, "Debris ahead": hazards} {
				if got := strings.Count(text, "<event>"+event+"</event>"); got != want {
					t.Errorf("%s: %d of %s, want %d: %s", what, got, event, want, text)
				}
			}
			if out.MediaType != "application/atom+xml; charset=utf-8" || out.Fresh != 0 || strings.Contains(text, x.things[0].ID) {
				t.Errorf("%s: %+v", what, out)
			}
		}
		is("nothing happens", 0, 0, 0)
		arrive := func() {
			t.Helper()
			p := x.at("U-0", 0, 39.7, "on")
			p.HasAccuracy, p.AccuracyM = true, 5
			x.send(p, fleet.Report{Kind: fleet.ReportOnScene, Asset: "U-0", At: x.At()})
		}
		arrive()
		is("on scene, in the zone", 1, 1, 0)
		_, err = x.UpdateThing(t.Context(), access.System(), x.things[0].ID, wire.ThingWrite{IsPubliclyAlerting: ref(false)})
		x.must(err)
		is("hidden from drivers", 0, 0, 0)
		_, err = x.UpdateThing(t.Context(), access.System(), x.things[0].ID, wire.ThingWrite{IsPubliclyAlerting: ref(true)})
		x.must(err)
		x.Pass(31 * time.Second) // the clock has not seen it yet
		is("silent", 0, 0, 0)
		_, err = x.RecordPoints(t.Context(), x.Device(own), app.ReportBatch{Hazards: []fleet.HazardReport{{MarkReport: fleet.MarkReport{ID: "H-1",
			At: x.At(), HasLat: true, HasLng: true, Lat: 39.7, Lng: -75.5}, HasKind: true, Kind: "debris"}}})
		x.must(err)
		is("a hazard", 0, 0, 1)
		if _, err := x.Feed(t.Context(), reader, foreign.ID, "alerts.atom"); err == nil {
			t.Error("another organization's warnings are read")
		}
	})
}

// The warning of a zone is one for as long as the zone is active, whoever comes and goes, and over a restart; the next time it is another.
func TestAZonesWarningIsOneActivity(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		x := newStreet(t, s)
		own := x.admin.OrganizationID
		_, err := x.UpdateOrganization(t.Context(), access.System(), own, wire.OrganizationWrite{IsWZDxOrg: ref(true)})
		x.must(err)
		reader := consumer(t, x.Kit, own, "County", "alerts")
		id := func() string {
			t.Helper()
			out, err := x.Feed(t.Context(), reader, own, "alerts.atom")
			x.must(err)
			_, rest, ok := strings.Cut(string(out.Body), "<identifier>")
			if !ok || strings.Count(rest, "<identifier>") != 0 {
				t.Fatalf("%s", out.Body)
			}
			name, _, _ := strings.Cut(rest, ".")
			return name
		}
		x.send(x.at("U-0", 0, 39.7, "on"))
		first := id()
		x.Pass(5 * time.Second)
		x.send(x.at("U-0", 0, 39.7, "on"), x.at("U-1", 0, 39.7, "on"))
		x.Pass(5 * time.Second)
		x.send(x.at("U-0", 0, 39.7, "off"), x.at("U-1", 0, 39.7, "on"))
		if got := id(); got != first {
			t.Errorf("the first one left: %s, want %s", got, first)
		}
		x.Open(s, live.Options{}) // a restart
		if got := id(); got != first {
			t.Errorf("after a restart: %s, want %s", got, first)
		}
		x.Pass(time.Second) // another report of the same instant would be a repeat
		x.send(x.at("U-1", 0, 39.7, "off"))
		x.Pass(time.Hour)
		x.send(x.at("U-0", 0, 39.7, "on"))
		if id() == first {
			t.Error("the next time it is the same")
		}
	})
}
