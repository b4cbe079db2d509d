package app_test

import (
	"slices"
	"strings"
	"testing"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/providertest"
	"lightbar/internal/wire"
)

// made links vehicles with new assets.
func (c *atSamsara) made(vehicles ...string) ([]string, error) {
	in := wire.IntegrationLinks{}
	for _, id := range vehicles {
		in.Vehicles = append(in.Vehicles, wire.IntegrationLink{ExternalID: id, ThingID: ptr(wire.NewAsset)})
	}
	out, err := c.LinkVehicles(c.t.Context(), c.admin, c.id, in)
	var ids []string
	for _, v := range out.Vehicles {
		ids = append(ids, *v.ThingID)
	}
	return ids, err
}

// spec: 1.feat.08
func TestANewAssetIsMadeOfAVehicle(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		c := connected(t, s)
		c.AddTruck(providertest.Truck{ID: "5", Name: "Plow 5", VIN: "1FV-ACW 5", Plate: "de 123"})
		c.AddTruck(providertest.Truck{ID: "6", VIN: "0000000000", Plate: "unknown"})
		ids, err := c.made("5", "6", truckID)
		must(t, err)
		if ids[2] != c.thing {
			t.Errorf("a vehicle that is linked becomes %s, not %s", ids[2], c.thing)
		}
		for i, want := range []fleet.Thing{{SystemName: "Plow 5", VIN: "1FVACW5", Plate: "de 123"}, {SystemName: "6"}} {
			th, _, _, _ := c.Live.Thing(ids[i])
			if th.SystemName != want.SystemName || th.VIN != want.VIN || th.Plate != want.Plate || th.OrganizationID != c.o.ID || th.DeviceType != "api" ||
				!slices.Equal(th.Integrations, []fleet.Identifier{{Provider: "samsara", ID: []string{"5", "6"}[i], Account: c.id}}) {
				t.Errorf("%+v", th)
			}
		}
		// What it reports is the new asset's.
		c.GPS("5", c.Now(), 39.71, -75.5, 90, 30)
		c.poll()
		if _, state, _, _ := c.Live.Thing(ids[0]); state.Lat != 39.71 {
			t.Errorf("%+v", state)
		}
		// The same again makes no second one.
		again, err := c.made("5", "6", truckID)
		must(t, err)
		if n := c.Live.CountOwned(c.o.ID); !slices.Equal(again, ids) || n != 3 {
			t.Errorf("%v, %v: %d assets", again, ids, n)
		}
		if th, _, _, _ := c.Live.Thing(ids[0]); th.Version != 1 {
			t.Error("nothing changes, and yet its version is", th.Version)
		}
		var made int
		must(t, s.Reader().QueryRowContext(t.Context(), "SELECT COUNT(*) FROM audit WHERE verb = 'create' AND noun = 'thing' AND actor_user_id = $1",
			c.admin.UserID).Scan(&made))
		if made != 2 {
			t.Errorf("%d are in the audit", made)
		}
		// An asset that gets another vehicle leaves its own to a new one.
		c.AddTruck(providertest.Truck{ID: "7", Name: "Plow 7"})
		out, err := c.LinkVehicles(t.Context(), c.admin, c.id, wire.IntegrationLinks{Vehicles: []wire.IntegrationLink{
			{ExternalID: truckID, ThingID: ptr(wire.NewAsset)}, {ExternalID: "7", ThingID: &c.thing}}})
		must(t, err)
		if th, _, _, _ := c.Live.Thing(*out.Vehicles[0].ThingID); th.ID == c.thing || th.SystemName != "Engine 4" {
			t.Errorf("%+v", th)
		}
		if th, _, _, _ := c.Live.Thing(c.thing); len(th.Integrations) != 1 || th.Integrations[0].ID != "7" {
			t.Errorf("%+v", th)
		}
	})
}

func TestNewAssetsAreMadeAllOrNone(t *testing.T) {
	c := connected(t, storetest.SQLite(t))
	for _, truck := range []providertest.Truck{{ID: "5", Name: "Plow 5"}, {ID: "6", Name: "u-0"}, {ID: "7", Name: " plow 5 "},
		{ID: "8", Name: "Plow 8", VIN: strings.Repeat("X1", 40), Plate: strings.Repeat("p", 80)}} {
		c.AddTruck(truck)
	}
	_, err := c.made("5", "6", "7", "8", "9")
	refusal := refusalOf(t, err)
	for field, want := range map[string]string{"vehicles.1.thing_id": "This system name is already in use.", "vehicles.2.thing_id": "This system name is already in use.",
		"vehicles.4.external_id": "The account doesn't have this vehicle"} {
		if refusal.Fields[field] != want {
			t.Errorf("%s: %q, want %q", field, refusal.Fields[field], want)
		}
	}
	if n := c.Live.CountOwned(c.o.ID); len(refusal.Fields) != 3 || n != 1 {
		t.Errorf("%d assets: %+v", n, refusal.Fields)
	}
	// What an asset can't have is left out.
	ids, err := c.made("8")
	must(t, err)
	if th, _, _, _ := c.Live.Thing(ids[0]); th.SystemName != "Plow 8" || th.VIN != "" || th.Plate != "" {
		t.Errorf("%+v", th)
	}
	// Who may not create assets makes none, and the provider isn't asked.
	c.admin.Permissions = map[string]bool{"integration_configuration:manage": true, "thing:update": true}
	asked := c.Calls(providertest.VehiclesPath)
	if _, err := c.made("5"); refusalOf(t, err).Code != "forbidden" || c.Calls(providertest.VehiclesPath) != asked {
		t.Error(err)
	}
}
