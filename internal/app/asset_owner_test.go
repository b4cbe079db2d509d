package app_test

import (
	"strings"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/wire"

	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
)

// Every position of the verb with an id from elsewhere.
//
// spec: 8.asset.02 D.wire.08
func TestWhoMayTransfer(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	a, b, foreign := k.Organization("A"), k.Organization("B"), k.Organization("Foreign")
	id := k.Things(a.ID, "U", 2)[0].ID
	theirs := k.Things(foreign.ID, "F", 1)[0].ID
	k.Things(b.ID, "u", 2)
	if _, err := k.SetThingAssociations(t.Context(), access.System(), theirs, []wire.RelationshipWrite{{OrganizationUUID: wire.ID(a.ID), RelationshipType: "manager"}}); err != nil {
		t.Fatal(err)
	}
	reading := func(org, role string, more ...access.Reach) *access.Actor {
		u := k.User(org, role)
		for _, r := range more {
			u.Organizations[b.ID] = r
		}
		return u
	}
	free, err := k.RegisterThing(t.Context(), access.System(), app.NewThing{OrganizationID: a.ID, SystemName: "FREE", Type: "fire"})
	if err != nil {
		t.Fatal(err)
	}
	const nobody = "01900000-0000-7000-8000-0000000fffff"
	for _, c := range []struct {
		name         string
		actor        *access.Actor
		thing, to    string
		code, field  string
		sentencePart string
	}{
		{"a manager", reading(a.ID, "manager", access.Full), id, b.ID, "forbidden", "", ""},
		{"no such asset", reading(a.ID, "administrator", access.Full), nobody, b.ID, "thing_not_found", "", "found"},
		{"no id at all", reading(a.ID, "administrator", access.Full), "", "", "thing_not_found", "", "found"},
		{"an asset that is only managed", reading(a.ID, "administrator", access.Full), theirs, b.ID, "thing_not_found", "", "found"},
		{"a stranger takes it", reading(foreign.ID, "administrator", access.Full), id, foreign.ID, "thing_not_found", "", "found"},
		{"to an organization out of reach", reading(a.ID, "administrator"), id, b.ID, "organization_not_found", "organization_id", "found"},
		{"to one that is only read", reading(a.ID, "administrator", access.Read), id, b.ID, "organization_not_found", "organization_id", "found"},
		{"to no organization", reading(a.ID, "administrator"), id, nobody, "organization_not_found", "organization_id", "found"},
		{"to its owner", reading(a.ID, "administrator"), id, a.ID, "validation_failed", "", "already belongs to this organization"},
		{"the name is taken there, in another case", reading(a.ID, "administrator", access.Full), id, b.ID, "validation_failed", "", "already has an asset with the same system name"},
		{"free", reading(a.ID, "administrator", access.Full), free.ID, b.ID, "", "", ""},
		{"and not again", reading(a.ID, "administrator"), free.ID, b.ID, "thing_not_found", "", "found"},
	} {
		_, err := k.TransferThing(t.Context(), c.actor, c.thing, c.to, 0)
		if c.code == "" {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		if err == nil {
			t.Errorf("%s: taken", c.name)
			continue
		}
		if r := refusalOf(t, err); r.Code != c.code || r.Field != c.field || !strings.Contains(r.Message, c.sentencePart) {
			t.Errorf("%s: %+v", c.name, r)
		}
	}
	_, err = k.TransferThing(t.Context(), access.System(), id, foreign.ID, 99)
	if r := refusalOf(t, err); r.Code != "conflict" || r.Current == nil {
		t.Errorf("another version: %+v", r)
	}
}

// There and back: each owner keeps its own stretches, and points are told apart by time.
func TestOwnersOverTime(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		x := newTransferred(t, s)
		never := x.Things(x.a.ID, "V", 1)[0].ID
		var moved []fleet.Instant
		for _, to := range []string{x.b.ID, x.a.ID} {
			x.Pass(time.Hour)
			x.Prove(x.admin)
			if _, err := x.TransferThing(t.Context(), x.admin, x.id, to, 0); err != nil {
				t.Fatal(err)
			}
			moved = append(moved, x.At())
		}
		owners, err := store.OwnersOfThing(t.Context(), s.Reader(), x.id)
		if err != nil || len(owners) != 3 {
			t.Fatalf("%+v %v", owners, err)
		}
		for i, want := range []fleet.Ownership{{OrganizationID: x.a.ID, Until: moved[0]}, {OrganizationID: x.b.ID, From: moved[0], Until: moved[1]}, {OrganizationID: x.a.ID, From: moved[1]}} {
			got := owners[i]
			if got.OrganizationID != want.OrganizationID || got.From != want.From || got.Until != want.Until || (got.Doc == nil) != (want.Until == 0) {
				t.Errorf("stretch %d: %+v", i, got)
			}
		}
		if always, err := store.OwnersOfThing(t.Context(), s.Reader(), never); err != nil || len(always) != 1 || always[0].OrganizationID != x.a.ID || !always[0].Covers(1) {
			t.Errorf("never transferred: %+v %v", always, err)
		}
		if _, err := store.OwnersOfThing(t.Context(), s.Reader(), "x"); err != store.ErrNotFound {
			t.Errorf("no asset: %v", err)
		}
		for _, c := range []struct {
			org      string
			from, to fleet.Instant
			want     int
		}{{x.a.ID, 0, moved[0], 2}, {x.a.ID, moved[0], moved[1], 1}, {x.a.ID, 0, moved[1] + 1, 3}, {x.b.ID, 0, moved[0], 0}, {x.b.ID, moved[0], moved[1], 1}, {x.b.ID, moved[1], moved[1] + 1, 0}, {x.c.ID, 0, moved[1], 0}} {
			got, err := store.OwnedBetween(t.Context(), s.Reader(), c.org, c.from, c.to)
			if err != nil || len(got) != c.want {
				t.Errorf("%s from %d to %d: %+v %v", c.org, c.from, c.to, got, err)
			}
		}
		if old := x.locations(t, x.a.ID); len(old) != 1 || len(old[0].ThingsInactive) != 1 {
			t.Errorf("back with its first owner: %+v", old)
		}
	})
}
