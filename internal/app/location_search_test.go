package app_test

import (
	"fmt"
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

// Events are found by their sender's id, their street and what is written on
// their assets, in any letter case; by an asset only where it may be seen.
func TestEventsAreSearched(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.NewWith(t, s, live.Options{Street: func(_, lng, _ float64) string {
			if lng > -75.45 {
				return "Königsallee"
			}
			return "W 9th St"
		}})
		o, other := k.Organization("A"), k.Organization("B")
		things := k.Things(o.ID, "U", 2)
		user := k.User(o.ID, "administrator")
		_, err := k.UpdateThing(t.Context(), user, things[0].ID, wire.ThingWrite{Nickname: ptr("Engine 4"), VINNumber: ptr("1FDXYZ"),
			LicensePlateNumber: ptr("FD 12"), RegistryNumber: ptr("R-77")})
		must(t, err)
		stood(t, k, o.ID, "U-0")
		for range 3 {
			k.Pass(30 * time.Second)
			reportAt(t, k, o.ID, "U-1", 0, true)
		}
		event := said(k, "CAD-7")
		event.Lng = -75.4
		took(t, "event", tellEvents(t, k, o.ID, event), 1, 0)
		find := func(actor *access.Actor, search string) int {
			t.Helper()
			rows, meta, err := k.ListLocations(t.Context(), actor, app.LocationQuery{OrganizationIDs: []string{actor.OrganizationID}, Search: search})
			if err != nil || meta.Total != len(rows) {
				t.Fatalf("%q: %+v %v", search, meta, err)
			}
			return len(rows)
		}
		for search, want := range map[string]int{"": 2, " ": 2, "cad-7": 1, "AD-": 1, "9TH": 1, "königs": 1, "KÖNIGS": 1, "engine": 1, "u-0": 1, "u-1": 1, "1fdx": 1,
			"fd 12": 1, "r-77": 1, "t": 1, "nothing": 0, "cad-7 ": 1, "\x00": 0, "%": 0} {
			if got := find(user, search); got != want {
				t.Errorf("%q finds %d, want %d", search, got, want)
			}
		}
		_, _, err = k.ListLocations(t.Context(), user, app.LocationQuery{Search: strings.Repeat("x", 101)})
		if r := refused(t, err, "validation_failed"); r.Field != "search" {
			t.Errorf("%+v", r)
		}
		_, err = k.SetThingAssociations(t.Context(), access.System(), things[1].ID, []wire.RelationshipWrite{
			{OrganizationUUID: wire.ID(other.ID), RelationshipType: "accessor"}})
		must(t, err)
		reader := k.User(other.ID, "viewer")
		if find(reader, "u-1") != 1 || find(reader, "u-0") != 0 || find(reader, "engine") != 0 {
			t.Error("an asset out of sight is found")
		}
	})
}

// BenchmarkSearchOfEvents searches the incidents of a week of a very large fleet.
func BenchmarkSearchOfEvents(b *testing.B) {
	s := storetest.SQLite(b)
	k := apptest.New(b, s)
	o := k.Organization("A")
	things := k.Things(o.ID, "U", 1000)
	err := s.Write(b.Context(), func(tx *store.Tx) error {
		for i := range 50_000 {
			l := fleet.NewLocation(k.NewID(), o.ID, fmt.Sprint("North King Street ", i), 39.7, -75.5, k.At().Add(-time.Duration(i)*10*time.Second))
			for n := range 3 {
				l.Join(things[(i+n)%1000].ID, o.ID, l.StartAt)
				l.Depart(things[(i+n)%1000].ID, l.StartAt.Add(time.Hour))
			}
			if err := tx.SaveLocation(b.Context(), s.Engine(), l); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	k.Open(s, live.Options{})
	user := k.User(o.ID, "viewer")
	for _, search := range []string{"street 49", "u-7", "nothing of that"} {
		b.Run(search, func(b *testing.B) {
			for b.Loop() {
				if _, _, err := k.ListLocations(b.Context(), user, app.LocationQuery{Search: search}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
