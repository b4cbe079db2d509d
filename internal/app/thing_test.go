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

func text(s string) *string { return &s }

// spec: 5.asset.01 5.asset.02 5.asset.03 5.asset.04 5.asset.05 5.asset.07 5.asset.08 5.asset.09 5.asset.10 8.asset.03 9.limits.14 9.limits.20 9.list.07
func TestThingEditRules(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o := k.Organization("Sample Fire")
	id := k.Things(o.ID, "U", 1)[0].ID
	user := k.User(o.ID, "manager")
	rows := func(r ...wire.ExternalIdentifierWrite) []wire.ExternalIdentifierWrite { return r }
	geotab, samsara := wire.ExternalIdentifierWrite{SystemName: "geotab", IdentifierID: "b1"}, wire.ExternalIdentifierWrite{SystemName: "samsara", IdentifierID: "s1"}
	const fire, police, engine = "01900000-0000-7000-8000-100000000001", "01900000-0000-7000-8000-100000000002", "01900000-0000-7000-8000-200000000001"
	const plow = "01900000-0000-7000-8000-200000000017"
	for _, c := range []struct {
		name, field, says string
		edit              wire.ThingWrite
	}{
		{"nickname 50", "", "", wire.ThingWrite{Nickname: text(strings.Repeat("ä", 50))}},
		{"nickname 51", "nickname", "Must be 50 or fewer characters", wire.ThingWrite{Nickname: text(strings.Repeat("ä", 51))}},
		{"nickname of spaces", "nickname", "Required", wire.ThingWrite{Nickname: text("  ")}},
		{"plate 51", "license_plate_number", "Must be 50 or fewer characters", wire.ThingWrite{LicensePlateNumber: text(strings.Repeat("x", 51))}},
		{"registry 51", "registry_number", "Must be 50 or fewer characters", wire.ThingWrite{RegistryNumber: text(strings.Repeat("x", 51))}},
		{"VIN 51", "vin_number", "Must be 50 or fewer characters", wire.ThingWrite{VINNumber: text(strings.Repeat("x", 51))}},
		{"VIN with a dash", "vin_number", "Please only use numbers or letters", wire.ThingWrite{VINNumber: text("1FT-2")}},
		{"VIN", "", "", wire.ThingWrite{VINNumber: text("1FTEW1E5")}},
		{"VIN cleared", "", "", wire.ThingWrite{VINNumber: text("")}},
		{"no type", "thing_type_id", "Required", wire.ThingWrite{ThingTypeID: idOf("")}},
		{"unknown type", "thing_type_id", "Unknown type.", wire.ThingWrite{ThingTypeID: idOf("x")}},
		{"subtype of the type", "", "", wire.ThingWrite{ThingTypeID: idOf(fire), ThingSubtypeID: idOf(engine)}},
		{"subtype of a type with the same emergency flag", "", "", wire.ThingWrite{ThingTypeID: idOf(police), ThingSubtypeID: idOf(engine)}},
		{"subtype of another kind", "thing_subtype_id", "The subtype doesn't match the type.", wire.ThingWrite{ThingSubtypeID: idOf(plow)}},
		{"two integrations", "", "", wire.ThingWrite{ExternalIdentifiers: rows(geotab, samsara)}},
		{"a provider twice", "external_identifiers", "Provider already used", wire.ThingWrite{ExternalIdentifiers: rows(geotab, geotab)}},
		{"no identifier", "external_identifiers", "Required", wire.ThingWrite{ExternalIdentifiers: rows(wire.ExternalIdentifierWrite{SystemName: "geotab"})}},
		{"no such provider", "external_identifiers", "Unknown provider.", wire.ThingWrite{ExternalIdentifiers: rows(wire.ExternalIdentifierWrite{SystemName: "x", IdentifierID: "1"})}},
	} {
		_, err := k.UpdateThing(t.Context(), user, id, c.edit)
		if c.field == "" {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		if err == nil {
			t.Errorf("%s: taken", c.name)
			continue
		}
		r := refusalOf(t, err)
		if r.Code != "validation_failed" || r.Fields[c.field] != c.says || strings.Contains(r.Message, "nickname") != (c.field == "nickname") {
			t.Errorf("%s: %+v", c.name, r)
		}
	}
}

// spec: 5.asset.06
func TestSubtypeIsClearedWithTheType(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o := k.Organization("Sample Fire")
	made, err := k.RegisterThing(t.Context(), access.System(), app.NewThing{OrganizationID: o.ID, SystemName: "E4", Type: "fire", Subtype: "fire-engine"})
	if err != nil || made.ThingSubtypeID == "" {
		t.Fatalf("%+v %v", made, err)
	}
	got, err := k.UpdateThing(t.Context(), k.User(o.ID, "operator"), made.ID, wire.ThingWrite{ThingTypeID: idOf("01900000-0000-7000-8000-100000000002")})
	if err != nil || got.ThingSubtypeID != "" {
		t.Errorf("subtype %q, %v", got.ThingSubtypeID, err)
	}
}

// spec: 8.asset.02 D.wire.08 6.thing.01
func TestWhoMayEdit(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	a, b := k.Organization("A"), k.Organization("B")
	id := k.Things(a.ID, "U", 1)[0].ID
	edit := wire.ThingWrite{Nickname: text("Engine 4")}
	if _, err := k.UpdateThing(t.Context(), k.User(a.ID, "viewer"), id, edit); refusalOf(t, err).Code != "forbidden" {
		t.Errorf("a viewer: %v", err)
	}
	if _, err := k.UpdateThing(t.Context(), k.User(b.ID, "manager"), id, edit); refusalOf(t, err).Code != "thing_not_found" || refusalOf(t, err).Message != "Asset not found" {
		t.Errorf("a stranger: %v", err)
	}
	if _, err := k.Thing(t.Context(), k.User(b.ID, "manager"), id); refusalOf(t, err).Code != "not_found" {
		t.Errorf("a stranger reads: %v", err)
	}
	for kind, want := range map[string]string{"accessor": "thing_not_found", "manager": ""} {
		if _, err := k.SetThingAssociations(t.Context(), access.System(), id, []wire.RelationshipWrite{{OrganizationUUID: wire.ID(b.ID), RelationshipType: kind}}); err != nil {
			t.Fatal(err)
		}
		if _, err := k.Thing(t.Context(), k.User(b.ID, "viewer"), id); err != nil {
			t.Errorf("%s reads: %v", kind, err)
		}
		_, err := k.UpdateThing(t.Context(), k.User(b.ID, "manager"), id, wire.ThingWrite{Nickname: text("by " + kind)})
		if want == "" && err != nil || want != "" && refusalOf(t, err).Code != want {
			t.Errorf("%s edits: %v", kind, err)
		}
	}
}

func TestIfMatch(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o := k.Organization("A")
	made := k.Things(o.ID, "U", 1)[0]
	user := k.User(o.ID, "manager")
	first, err := k.UpdateThing(t.Context(), user, made.ID, wire.ThingWrite{Nickname: text("One"), IfMatch: made.Version})
	if err != nil || first.Version != made.Version+1 {
		t.Fatalf("%+v %v", first, err)
	}
	_, err = k.UpdateThing(t.Context(), user, made.ID, wire.ThingWrite{Nickname: text("Two"), IfMatch: made.Version})
	r := refusalOf(t, err)
	if current, ok := r.Current.(wire.Thing); r.Code != "conflict" || !ok || current.Nickname != "One" {
		t.Errorf("%+v", r)
	}
	same, err := k.UpdateThing(t.Context(), user, made.ID, wire.ThingWrite{Nickname: text("One")})
	if err != nil || same.Version != first.Version {
		t.Errorf("an edit that changes nothing makes no version: %+v %v", same.Version, err)
	}
	audit, err := store.ListAudit(t.Context(), k.Store.Reader(), o.ID, 0, 100)
	if err != nil || len(audit) < 2 || audit[len(audit)-1].Verb != "update" || !strings.Contains(string(audit[len(audit)-1].After), "One") {
		t.Errorf("audit %+v %v", audit, err)
	}
}

// spec: 4.alerting.01 9.limits.04
func TestAlertingOffRevertsAfter60Minutes(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o := k.Organization("A")
	id := k.Things(o.ID, "U", 1)[0].ID
	off := false
	if _, err := k.UpdateThing(t.Context(), k.User(o.ID, "manager"), id, wire.ThingWrite{IsPubliclyAlerting: &off}); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		pass time.Duration
		want bool
	}{{time.Hour - time.Millisecond, false}, {time.Millisecond, true}} {
		k.Pass(step.pass)
		if err := k.ResetAlerting(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, _, shown, _ := k.Live.Thing(id); shown.IsPubliclyAlerting != step.want {
			t.Errorf("after %v: %v", step.pass, shown.IsPubliclyAlerting)
		}
	}
}

// spec: D.wire.04 D.wire.05 4.list.03 4.relation.01 7.thing.06
func TestIncrementalListTellsWhatHasGone(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		a, b := k.Organization("A"), k.Organization("B")
		id := k.Things(a.ID, "U", 2)[0].ID
		relate := func(kind string) {
			t.Helper()
			k.Pass(time.Second)
			if _, err := k.SetThingAssociations(t.Context(), access.System(), id, []wire.RelationshipWrite{{OrganizationUUID: wire.ID(b.ID), RelationshipType: kind}}); err != nil {
				t.Fatal(err)
			}
		}
		user := k.User(b.ID, "viewer")
		list := func(since fleet.Instant) ([]wire.Thing, wire.Meta) {
			t.Helper()
			rows, meta, err := k.ListThings(t.Context(), user, app.ThingQuery{Since: since})
			if err != nil {
				t.Fatal(err)
			}
			return rows, meta.Meta
		}
		rows, meta := list(0)
		if len(rows) != 0 {
			t.Fatalf("%d rows", len(rows))
		}
		relate("accessor")
		if rows, _ = list(meta.AsOf); len(rows) != 1 || rows[0].ID != id || rows[0].IsDeleted || rows[0].OrganizationRelations[0].OrganizationName != "B" {
			t.Fatalf("gained: %+v", rows)
		}
		_, meta = list(0)
		relate("delete")
		for _, restarted := range []bool{false, true} {
			if restarted {
				k.Open(s, live.Options{})
			}
			if rows, _ = list(meta.AsOf); len(rows) != 1 || rows[0].ID != id || !rows[0].IsDeleted {
				t.Errorf("lost (restarted %v): %+v", restarted, rows)
			}
			if rows, _ = list(0); len(rows) != 0 {
				t.Errorf("a whole list has no gone rows: %+v", rows)
			}
		}
	})
}

// Paging counts raw rows, positions or not; several organizations share no row twice.
//
// spec: 7.thing.02 7.thing.03 7.thing.04 9.limits.11 D.wire.01
func TestPaging(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	a, b := k.Organization("A"), k.Organization("B")
	things := k.Things(a.ID, "U", 7)
	k.Things(b.ID, "V", 4)
	if _, err := k.SetThingAssociations(t.Context(), access.System(), things[6].ID, []wire.RelationshipWrite{{OrganizationUUID: wire.ID(b.ID), RelationshipType: "manager"}}); err != nil {
		t.Fatal(err)
	}
	user := k.User(a.ID, "viewer")
	user.Organizations[b.ID] = access.Read
	both := []string{a.ID, b.ID}
	seen := map[string]bool{}
	for page := 1; page <= 3; page++ {
		rows, meta, err := k.ListThings(t.Context(), user, app.ThingQuery{OrganizationIDs: both, Page: page, PerPage: 4})
		if err != nil || meta.Total != 11 || meta.PerPage != 4 || meta.Page != page {
			t.Fatalf("%+v %v", meta, err)
		}
		for _, r := range rows {
			seen[r.ID] = true
		}
	}
	if n, err := k.CountThings(t.Context(), user, both); len(seen) != 11 || n != 11 || err != nil {
		t.Errorf("%d rows, counted %d (%v)", len(seen), n, err)
	}
	if _, _, err := k.ListThings(t.Context(), k.User(a.ID, "viewer"), app.ThingQuery{OrganizationIDs: both}); refusalOf(t, err).Code != "not_found" {
		t.Errorf("out of reach: %v", err)
	}
	snapshot, err := k.ThingsSnapshot(t.Context(), user, both, 0)
	if err != nil || snapshot.Count != 11 || len(snapshot.VINNumber) != 11 || len(snapshot.Orgs) != 2 || snapshot.Relations[6] != 0 || snapshot.RelationSet[0][0].OrganizationName != "B" {
		t.Errorf("%+v %v", snapshot, err)
	}
}
