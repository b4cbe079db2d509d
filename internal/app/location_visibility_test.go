package app_test

import (
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

// changed lists an organization's incidents that changed since an instant, by id.
func changed(t *testing.T, k *apptest.Kit, organizationID string, since fleet.Instant) (map[string]wire.Location, fleet.Instant) {
	t.Helper()
	rows, meta, err := k.ListLocations(t.Context(), k.User(organizationID, "viewer"), app.LocationQuery{Since: since})
	if err != nil || meta.Total != len(rows) {
		t.Fatalf("%d rows of %d: %v", len(rows), meta.Total, err)
	}
	byID := map[string]wire.Location{}
	for _, l := range rows {
		byID[l.ID] = l
	}
	return byID, meta.AsOf
}

func relate(t *testing.T, k *apptest.Kit, thingID, organizationID, kind string) {
	t.Helper()
	_, err := k.SetThingAssociations(t.Context(), access.System(), thingID, []wire.RelationshipWrite{{OrganizationUUID: wire.ID(organizationID), RelationshipType: kind}})
	must(t, err)
}

// activeAt is the one incident where an organization's assets are now.
func activeAt(t *testing.T, k *apptest.Kit, organizationID string) wire.Location {
	t.Helper()
	rows, _, err := k.ActiveLocations(t.Context(), k.User(organizationID, "viewer"), nil)
	if err != nil || len(rows) != 1 {
		t.Fatalf("%d active incidents, %v", len(rows), err)
	}
	return rows[0]
}

// With a relation an organization sees the asset's incidents, and without it no
// longer: stream and lists say so, a restart between changes nothing, and what
// the asset does afterwards is told to nobody.
//
// spec: D.wire.04 D.wire.05
func TestARelationBringsAnIncidentAndTakesItAway(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		a, b, stranger := k.Organization("A"), k.Organization("B"), k.Organization("C")
		id := k.Things(a.ID, "U", 1)[0].ID
		respond(t, k, a.ID, "U-0")
		incident := activeAt(t, k, a.ID).ID
		both := func(what string, look func()) {
			t.Helper()
			look()
			k.Pass(10 * time.Minute)
			must(t, k.Live.Flush(t.Context()))
			k.Open(s, live.Options{})
			t.Log(what, "after a restart")
			look()
		}
		k.Pass(10 * time.Minute)
		before, since := changed(t, k, b.ID, 0)
		if len(before) != 0 {
			t.Fatalf("seen without a relation: %+v", before)
		}
		k.Pass(time.Second)
		said := onTheStream(t, k, 2, func() { relate(t, k, id, b.ID, "accessor") })
		if said[b.ID] != "admin added with position,location  active" || said[a.ID] != "thing  with position" {
			t.Errorf("the relation: %q", said)
		}
		both("related", func() {
			rows, _ := changed(t, k, b.ID, since)
			if l := rows[incident]; len(rows) != 1 || l.IsDeleted || len(l.ThingsActive)+len(l.ThingsInactive) != 1 {
				t.Errorf("the incident that came into sight: %+v", rows)
			}
		})
		_, since = changed(t, k, b.ID, 0)
		k.Pass(time.Second)
		said = onTheStream(t, k, 2, func() { relate(t, k, id, b.ID, "delete") })
		if said[b.ID] != "admin removed gone,location  gone" || said[a.ID] != "thing  with position" {
			t.Errorf("the end of the relation: %q", said)
		}
		k.Pass(10 * time.Minute)
		respond(t, k, a.ID, "U-0") // at another incident: the one before has ended in quiet
		if next := activeAt(t, k, a.ID).ID; next == incident {
			t.Fatal("still the same incident")
		}
		both("unrelated", func() {
			rows, _ := changed(t, k, b.ID, since)
			if l := rows[incident]; len(rows) != 1 || !l.IsDeleted || len(l.ThingsActive)+len(l.ThingsInactive) != 0 || l.Street != "" || l.Lat != 0 {
				t.Errorf("the incident that went out of sight: %+v", rows)
			}
			if rows, _ := changed(t, k, b.ID, 0); len(rows) != 0 {
				t.Errorf("still listed: %+v", rows)
			}
			if rows, _ := changed(t, k, b.ID, k.At()); len(rows) != 0 {
				t.Errorf("told for ever: %+v", rows)
			}
			if rows, _ := changed(t, k, stranger.ID, 1); len(rows) != 0 {
				t.Errorf("a stranger is told: %+v", rows)
			}
			if rows, _ := changed(t, k, a.ID, 1); len(rows) != 2 || rows[incident].IsDeleted {
				t.Errorf("its owner is told: %+v", rows)
			}
		})
	})
}

// Who sees an incident by another asset too goes on seeing it, without the asset that it lost.
//
// spec: D.wire.04
func TestAnIncidentStaysInSightByAnotherAsset(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	a, b := k.Organization("A"), k.Organization("B")
	things := k.Things(a.ID, "U", 2)
	for _, th := range things {
		relate(t, k, th.ID, b.ID, "manager")
	}
	for range 3 {
		report(t, k, a.ID, lit("U-0", k.At(), 39.7), lit("U-1", k.At(), 39.7))
		k.Pass(40 * time.Second)
	}
	_, since := changed(t, k, b.ID, 0)
	k.Pass(time.Second)
	said := onTheStream(t, k, 2, func() { relate(t, k, things[0].ID, b.ID, "delete") })
	if said[b.ID] != "admin removed gone,location  active" {
		t.Errorf("said %q", said)
	}
	rows, _ := changed(t, k, b.ID, since)
	l := rows[activeAt(t, k, a.ID).ID]
	if len(rows) != 1 || l.IsDeleted || len(l.ThingsActive) != 1 || l.ThingsActive[0].ID != things[1].ID {
		t.Errorf("listed %+v", rows)
	}
	if l := activeAt(t, k, a.ID); len(l.ThingsActive) != 2 {
		t.Errorf("its owner sees %+v", l)
	}
}

// Incidents stay with the owner of then, also where who managed the asset becomes
// its owner; and there and back tells the owner between nothing of the others'.
//
// spec: D.wire.04
func TestIncidentsAcrossOwners(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		a, b, between := k.Organization("A"), k.Organization("B"), k.Organization("C")
		id := k.Things(a.ID, "U", 1)[0].ID
		relate(t, k, id, b.ID, "manager")
		respond(t, k, a.ID, "U-0")
		incident := activeAt(t, k, b.ID).ID
		start := k.At()
		transfer := func(to string) map[string]string {
			t.Helper()
			k.Pass(10 * time.Minute)
			return onTheStream(t, k, 2, func() {
				_, err := k.TransferThing(t.Context(), access.System(), id, to, 0)
				must(t, err)
			})
		}
		if said := transfer(b.ID); said[b.ID] != "location  gone,thing " {
			t.Errorf("the manager who became the owner hears %q", said[b.ID])
		}
		for _, restarted := range []bool{false, true} {
			if restarted {
				must(t, k.Live.Flush(t.Context()))
				k.Open(s, live.Options{})
			}
			if rows, _ := changed(t, k, b.ID, start); len(rows) != 1 || !rows[incident].IsDeleted {
				t.Errorf("the manager who became the owner, restarted %v: %+v", restarted, rows)
			}
		}
		if said := transfer(between.ID); said[between.ID] != "admin added" {
			t.Errorf("the owner between hears %q", said[between.ID])
		}
		if said := transfer(a.ID); said[between.ID] != "admin removed gone" || said[a.ID] != "admin added" {
			t.Errorf("back at its first owner: %q", said)
		}
		for _, restarted := range []bool{false, true} {
			if restarted {
				must(t, k.Live.Flush(t.Context()))
				k.Open(s, live.Options{})
			}
			if rows, _ := changed(t, k, between.ID, start); len(rows) != 0 {
				t.Errorf("the owner between is told of others' incidents, restarted %v: %+v", restarted, rows)
			}
			if rows, _ := changed(t, k, a.ID, start); len(rows) != 1 || rows[incident].IsDeleted {
				t.Errorf("the first owner, restarted %v: %+v", restarted, rows)
			}
		}
	})
}
