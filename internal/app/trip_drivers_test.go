package app_test

import (
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

// warns lets everyone read an organization's alerts, and all its assets alert.
func warns(t *testing.T, k *apptest.Kit, organizationID string) {
	t.Helper()
	yes := true
	if _, err := k.UpdateOrganization(t.Context(), access.System(), organizationID, wire.OrganizationWrite{IsWZDxOrg: &yes, AlertsPublic: &yes}); err != nil {
		t.Fatal(err)
	}
	things, _, err := k.ListThings(t.Context(), k.User(organizationID, "administrator"), app.ThingQuery{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range things {
		if _, err := k.UpdateThing(t.Context(), access.System(), things[i].ID, wire.ThingWrite{InService: &yes, IsPubliclyAlerting: &yes}); err != nil {
			t.Fatal(err)
		}
	}
}

// showDrivers lets apps show all alerts of an organization to drivers; without drivers an app tells that it has shown none.
func showDrivers(t *testing.T, k *apptest.Kit, organizationID string, drivers ...string) {
	t.Helper()
	said := wire.AlertImpressions{Consumer: "nobody", Alerts: []string{}}
	shown := k.AlertsOfThings(organizationID, nil)
	if len(drivers) > 0 && len(shown) == 0 {
		t.Fatal("nothing alerts")
	}
	for i := range shown {
		said.Alerts = append(said.Alerts, shown[i].ID)
	}
	if len(drivers) == 0 {
		said.Alerts, drivers = []string{}, []string{"nobody"}
	}
	for _, said.Consumer = range drivers {
		if _, err := k.RecordImpressions(t.Context(), nil, organizationID, said); err != nil {
			t.Fatal(err)
		}
	}
	if err := k.CountDrivers(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// onRun drives on with the lights on, for so many minutes, with a report each 15 seconds.
func onRun(t *testing.T, k *apptest.Kit, organizationID string, lat *float64, minutes int) {
	t.Helper()
	for range 4 * minutes {
		*lat += 0.002
		report(t, k, organizationID, lit("U-0", k.At(), *lat))
		k.Pass(15 * time.Second)
	}
}

func drivers(trip *wire.Trip) int64 {
	if trip.Drivers == nil {
		return -1
	}
	return *trip.Drivers
}

// A run tells how many drivers were alerted on it: whole on both of its days, nothing where no app told, and 0 where one
// told of none. Movement without lights alerts nobody.
//
// spec: D.alert.03
func TestDriversAreToldOfRuns(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		o := k.Organization("Wilmington")
		id := k.Things(o.ID, "U", 1)[0].ID
		warns(t, k, o.ID)
		lat := 39.7
		onRun(t, k, o.ID, &lat, 4)
		if got := tripsOf(t, k, k.User(o.ID, "operator"), id); len(got.Runs) != 1 || drivers(&got.Runs[0]) != -1 {
			t.Fatalf("before an app told of any: %+v", got.Runs)
		}
		day := fleet.InstantOf(k.At().Time().Truncate(24*time.Hour)) + 24*3_600_000
		k.Pass(day.Sub(k.At()) - 2*time.Minute)
		onRun(t, k, o.ID, &lat, 1)
		showDrivers(t, k, o.ID, "car 1", "car 2", "car 1")
		onRun(t, k, o.ID, &lat, 3)
		showDrivers(t, k, o.ID, "car 2", "car 3")
		k.Pass(20 * time.Minute)
		for range 10 {
			lat += 0.002
			p := lit("U-0", k.At(), lat)
			p.Alerting = false
			report(t, k, o.ID, p)
			k.Pass(15 * time.Second)
		}
		k.Pass(20 * time.Minute)
		showDrivers(t, k, o.ID)
		onRun(t, k, o.ID, &lat, 1)
		k.Pass(time.Second)
		trips := func(from, to fleet.Instant) wire.ThingTrips {
			t.Helper()
			out, err := k.Trips(t.Context(), k.User(o.ID, "operator"), app.TripQuery{ThingID: id, Stretch: fleet.Stretch{Start: from, End: to}})
			if err != nil {
				t.Fatal(err)
			}
			return out.Data
		}
		before, after := trips(day.Add(-time.Hour), day), trips(day, k.At())
		if len(before.Runs) != 1 || drivers(&before.Runs[0]) != 3 || !before.Runs[0].IsClipped {
			t.Errorf("before midnight: %+v", before.Runs)
		}
		if len(after.Runs) != 2 || drivers(&after.Runs[1]) != 3 || drivers(&after.Runs[0]) != 0 || after.Runs[0].RunStart < day {
			t.Errorf("after midnight: %+v", after.Runs)
		}
		if len(after.Other) != 1 || drivers(&after.Other[0]) != -1 {
			t.Errorf("without lights: %+v", after.Other)
		}
		// Alerts are deleted before runs may be: then it is not known any more.
		k.Pass(fleet.KindOfData(fleet.DataEvents).Retention())
		if got := trips(day, day.Add(time.Hour)); len(got.Runs) != 2 || drivers(&got.Runs[0]) != -1 || drivers(&got.Runs[1]) != -1 {
			t.Errorf("two years later: %+v", got.Runs)
		}
	})
}

// Each owner is told of the drivers that its own alerts were shown to.
func TestDriversOfAnAssetThatChangedHands(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		a, b := k.Organization("A"), k.Organization("B")
		id := k.Things(a.ID, "U", 1)[0].ID
		warns(t, k, a.ID)
		admin := k.User(a.ID, "administrator")
		admin.Organizations[b.ID] = access.Full
		lat := 39.7
		onRun(t, k, a.ID, &lat, 2)
		showDrivers(t, k, a.ID, "car 1", "car 2")
		check := func(organizationID string, want ...int64) {
			t.Helper()
			got := tripsOf(t, k, k.User(organizationID, "operator"), id).Runs
			if len(got) != len(want) {
				t.Fatalf("%d runs: %+v", len(got), got)
			}
			for i := range want {
				if n := drivers(&got[i]); n != want[i] {
					t.Errorf("run %d: %d drivers instead of %d", i, n, want[i])
				}
			}
		}
		if _, err := k.TransferThing(t.Context(), admin, id, b.ID, 0); err != nil {
			t.Fatal(err)
		}
		warns(t, k, b.ID)
		k.Pass(time.Minute)
		onRun(t, k, b.ID, &lat, 2)
		check(a.ID, 2)
		check(b.ID, -1)
		showDrivers(t, k, b.ID, "car 1")
		check(a.ID, 2)
		check(b.ID, 1)
	})
}
