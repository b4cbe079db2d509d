package app_test

import (
	"testing"

	"lightbar/internal/access"
	"lightbar/internal/wire"

	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
)

// Who edits an asset may give relations only to organizations that manage or
// access the owner, or have one to the asset already: nobody learns by trying
// which other organizations exist.
func TestRelationsOfAnAssetStayAmongRelatives(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	owner, relative, stranger := k.Organization("Owner"), k.Organization("Relative"), k.Organization("Stranger")
	must(t, k.RelateOrganizations(t.Context(), access.System(), owner.ID, relative.ID, "accessor"))
	must(t, k.RelateOrganizations(t.Context(), access.System(), stranger.ID, owner.ID, "accessor")) // the other way round gives nothing
	id := k.Things(owner.ID, "U", 1)[0].ID
	user := k.User(owner.ID, "administrator")
	relate := func(actor *access.Actor, edits ...wire.RelationshipWrite) error {
		_, err := k.SetThingAssociations(t.Context(), actor, id, edits)
		return err
	}
	manager := func(org string) wire.RelationshipWrite {
		return wire.RelationshipWrite{OrganizationUUID: wire.ID(org), RelationshipType: "manager"}
	}
	must(t, relate(user, manager(relative.ID)))
	for _, org := range []string{stranger.ID, k.NewID(), ""} {
		refused(t, relate(user, manager(org)), "organization_not_found")
	}
	refused(t, relate(access.System(), manager(k.NewID())), "organization_not_found")
	for _, actor := range []*access.Actor{user, access.System()} {
		if r := refused(t, relate(actor, manager(owner.ID)), "validation_failed"); r.Fields["organization_uuid"] != "The owner can't also be a manager or accessor." {
			t.Errorf("%+v", r)
		}
		if r := refused(t, relate(actor, manager(relative.ID), manager(relative.ID)), "validation_failed"); r.Fields["organization_uuid"] == "" {
			t.Errorf("%+v", r)
		}
		if r := refused(t, relate(actor, wire.RelationshipWrite{OrganizationUUID: wire.ID(relative.ID), RelationshipType: "owner"}), "validation_failed"); r.Fields["relationship_type"] == "" {
			t.Errorf("%+v", r)
		}
	}
	thing := func() fleet.Thing { th, _, _, _ := k.Live.Thing(id); return th }
	if got := thing().Relations; len(got) != 1 || got[0] != (fleet.Relation{OrganizationID: relative.ID, Kind: "manager"}) {
		t.Errorf("a refused edit changed something: %+v", got)
	}
	// What stands can be changed and taken away by who edits the asset, though the organizations are not related.
	must(t, relate(access.System(), manager(stranger.ID)))
	must(t, relate(user, wire.RelationshipWrite{OrganizationUUID: wire.ID(stranger.ID), RelationshipType: "accessor"}))
	must(t, relate(user, wire.RelationshipWrite{OrganizationUUID: wire.ID(stranger.ID), RelationshipType: "delete"}))
	refused(t, relate(user, manager(stranger.ID)), "organization_not_found")
	// With the relation of the organizations its own ends.
	must(t, k.RelateOrganizations(t.Context(), access.System(), owner.ID, relative.ID, "delete"))
	if got := thing().Relations; len(got) != 0 {
		t.Errorf("left: %+v", got)
	}
	refused(t, relate(user, manager(relative.ID)), "organization_not_found")
}

// All or none: a batch that names an asset twice, whatever the letter case, makes nothing.
func TestABatchNamesEachAssetOnce(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o := k.Organization("Owner")
	_, err := k.RegisterThings(t.Context(), access.System(), []app.NewThing{{OrganizationID: o.ID, SystemName: "Unit 1", Type: "fire"}, {OrganizationID: o.ID, SystemName: " unit 1", Type: "fire"}})
	if r := refused(t, err, "validation_failed"); r.Fields["1.haas_id"] != "This system name is already in use." {
		t.Errorf("%+v", r)
	}
	if n := k.Live.Count([]string{o.ID}); n != 0 {
		t.Errorf("%d assets were made", n)
	}
	// Its own name belongs to each organization.
	other := k.Organization("Other")
	if _, err := k.RegisterThings(t.Context(), access.System(), []app.NewThing{{OrganizationID: o.ID, SystemName: "Unit 1", Type: "fire"}, {OrganizationID: other.ID, SystemName: "Unit 1", Type: "fire"}}); err != nil {
		t.Error(err)
	}
}

// A gateway's key makes assets of its own organization alone, whatever it says.
func TestAGatewayRegistersForItsOwnOrganizationAlone(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	own, other := k.Organization("Own"), k.Organization("Other")
	gateway := k.Device(own.ID)
	made, err := k.RegisterByKey(t.Context(), gateway, []app.NewThing{{OrganizationID: other.ID, SystemName: "G-1", Type: "fire",
		Relations: []fleet.Relation{{OrganizationID: other.ID, Kind: "manager"}}}, {SystemName: " g-1 ", Type: "fire"}})
	if err != nil || made.Created != 1 || made.Known != 1 || k.Live.Count([]string{own.ID}) != 1 || k.Live.Count([]string{other.ID}) != 0 {
		t.Errorf("%+v made: %v", made, err)
	}
	if th := byName(t, k, own.ID, "G-1"); len(th.Relations) != 0 {
		t.Errorf("related: %+v", th.Relations)
	}
	tracker := *gateway
	tracker.KeyThingID = k.NewID()
	for name, actor := range map[string]*access.Actor{"a key of one asset": &tracker, "a user": k.User(own.ID, "administrator")} {
		if _, err := k.RegisterByKey(t.Context(), actor, []app.NewThing{{SystemName: "G-2", Type: "fire"}}); codeOf(t, err) != "forbidden" {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err = k.RegisterByKey(t.Context(), gateway, make([]app.NewThing, 10_001))
	refused(t, err, "too_many_items")
}
