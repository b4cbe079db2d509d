package app_test

import (
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/wire"

	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
)

func TestADeletedAssetIsGoneForEverybodyAndItsHistoryStays(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		x := newTransferred(t, s)
		_, sinceA := x.list(t, x.a.ID, 0)
		x.Pass(time.Second)
		if err := x.DeleteThing(t.Context(), access.System(), x.id); err != nil {
			t.Fatal(err)
		}
		deleted := x.At()
		if _, err := x.AuthenticateKey(t.Context(), x.secret, "192.0.2.1"); refusalOf(t, err).Code != "invalid_key" {
			t.Errorf("its key lives on: %v", err)
		}
		if got := report(t, x.Kit, x.a.ID, lit("U-0", x.At(), 39.8)); got.Accepted != 0 || got.Refused[0].Error != "asset_unknown" {
			t.Errorf("it still reports: %+v", got)
		}
		for _, restarted := range []bool{false, true} {
			if restarted {
				x.Open(s, live.Options{})
			}
			for _, org := range []string{x.a.ID, x.c.ID} {
				if rows, _ := x.list(t, org, sinceA); len(rows) != 1 || rows[0].ID != x.id || !rows[0].IsDeleted {
					t.Errorf("restarted %v: %s is told %+v", restarted, org, rows)
				}
				if rows, _ := x.list(t, org, 0); len(rows) != 0 {
					t.Errorf("restarted %v: %s still lists it", restarted, org)
				}
			}
			old := x.locations(t, x.a.ID)
			if len(old) != 1 || old[0].IsActive || old[0].EndTime != deleted || len(old[0].ThingsInactive) != 1 || old[0].ThingsInactive[0].HaasID != "U-0" {
				t.Errorf("restarted %v: the incident it was at: %+v", restarted, old)
			}
			if seen := x.locations(t, x.c.ID); len(seen) != 0 {
				t.Errorf("restarted %v: others see it: %+v", restarted, seen)
			}
		}
		if owned, err := store.OwnersOfThing(t.Context(), s.Reader(), x.id); err != nil || len(owned) != 1 || owned[0].Until != deleted {
			t.Errorf("owners %+v %v", owned, err)
		}
		again := x.Things(x.a.ID, "u", 1)[0] // the name is free
		if again.ID == x.id {
			t.Error("an id was used twice")
		}
		if err := x.DeleteThing(t.Context(), access.System(), x.id); refusalOf(t, err).Code != "not_found" || refusalOf(t, err).Message != "Asset not found" {
			t.Errorf("twice: %v", err)
		}
	})
}

func TestWhoMayDelete(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	a, b := k.Organization("A"), k.Organization("B")
	id := k.Things(a.ID, "U", 1)[0].ID
	if _, err := k.SetThingAssociations(t.Context(), access.System(), id, []wire.RelationshipWrite{{OrganizationUUID: wire.ID(b.ID), RelationshipType: "manager"}}); err != nil {
		t.Fatal(err)
	}
	if err := k.DeleteThing(t.Context(), k.User(a.ID, "manager"), id); refusalOf(t, err).Code != "forbidden" {
		t.Errorf("a manager: %v", err)
	}
	administrator := k.User(a.ID, "administrator")
	k.Pass(10 * time.Minute)
	if err := k.DeleteThing(t.Context(), administrator, id); refusalOf(t, err).Code != "step_up_required" {
		t.Errorf("without a fresh proof: %v", err)
	}
	if _, _, _, ok := k.Live.Thing(id); !ok {
		t.Fatal("the asset has gone")
	}
	if err := k.DeleteThing(t.Context(), access.System(), id); err != nil {
		t.Error(err)
	}
}
