package app_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/bus"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

func saving(ids ...string) (in wire.SavedAreasWrite) {
	for _, id := range ids {
		in.AreaIDs = append(in.AreaIDs, wire.ID(id))
	}
	return in
}

// Bookmarks are the user's own, in the user's order, and of areas in reach.
func TestSavedAreasAreOfTheUserAndInReach(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		a, b := k.Organization("A"), k.Organization("B")
		user, other := k.User(a.ID, "viewer"), k.User(a.ID, "viewer")
		depot, yard := madeArea(t, k, newArea(a.ID, "Depot")), madeArea(t, k, newArea(a.ID, "Yard"))
		foreign := madeArea(t, k, newArea(b.ID, "Foreign"))
		save := func(ids ...string) ([]string, error) {
			out, err := k.SaveAreas(t.Context(), user, saving(ids...))
			return out.AreaIDs, err
		}
		wants := func(actor *access.Actor, ids ...string) {
			t.Helper()
			got, err := k.SavedAreas(t.Context(), actor)
			if err != nil || got.AreaIDs == nil || !slices.Equal(got.AreaIDs, ids) {
				t.Errorf("saved: %v %v, want %v", got.AreaIDs, err, ids)
			}
		}
		wants(user)
		if got, err := save(yard.ID, depot.ID, yard.ID); err != nil || !slices.Equal(got, []string{yard.ID, depot.ID}) {
			t.Errorf("answered %v %v", got, err)
		}
		wants(user, yard.ID, depot.ID)
		wants(other)

		for _, id := range []string{foreign.ID, k.NewID()} {
			_, err := save(depot.ID, id)
			if refusal := refusalOf(t, err); refusal.Code != "area_not_found" || refusal.Field != "area_ids" {
				t.Errorf("an area out of reach: %+v", refusal)
			}
		}
		wants(user, yard.ID, depot.ID)

		// One that has gone is not answered, and does not hinder the next change.
		if err := k.Areas.Remove(t.Context(), access.System(), yard.ID); err != nil {
			t.Fatal(err)
		}
		wants(user, depot.ID)
		if got, err := save(yard.ID, depot.ID); err != nil || !slices.Equal(got, []string{depot.ID}) {
			t.Errorf("with one that has gone: %v %v", got, err)
		}
		if _, err := save(yard.ID); err == nil {
			t.Error("one that has gone was saved anew")
		}

		// Those of an organization that is no longer in reach are not answered.
		reach := *user
		reach.Organizations = map[string]access.Reach{}
		wants(&reach)
		if _, err := save(); err != nil {
			t.Fatal(err)
		}
		wants(user)
	})
}

// What a user has changed of their own is told to their other pages, and not when nothing came of it.
func TestOtherPagesOfAUserHearOfTheirOwn(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	a := k.Organization("A")
	user, station := k.User(a.ID, "viewer"), stationAt(t, k, a.ID, "Station 9", 39.7).ID
	b, err := bus.Open(bus.Options{})
	must(t, err)
	t.Cleanup(func() { must(t, b.Close(context.Background())) })
	k.App.Bus = b
	told := 0
	defer b.OnAccessChanged(func(userID, organizationID string) {
		if userID == user.UserID && organizationID == "" {
			told++
		}
	})()
	save := func() error { _, err := k.SaveAreas(t.Context(), user, saving(station)); return err }
	watch := func() error {
		_, err := k.SetCover(t.Context(), user, app.CoverRequest{AreaID: station})
		return err
	}
	end := func() error { return k.DeleteCover(t.Context(), user, station) }
	for i, step := range []func() error{save, watch, end} {
		if err := step(); err != nil || told != i+1 {
			t.Errorf("step %d: %v, told %d times", i, err, told)
		}
	}
	if err := end(); err == nil || told != 3 {
		t.Errorf("nothing to end: %v, told %d times", err, told)
	}
}

func TestSavedAreasHaveALimitAndNeedAUserWhoSeesAreas(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	a := k.Organization("A")
	user := k.User(a.ID, "viewer")
	ids := make([]string, 101)
	for i := range ids {
		ids[i] = madeArea(t, k, newArea(a.ID, fmt.Sprint("Area ", i))).ID
	}
	if _, err := k.SaveAreas(t.Context(), user, saving(ids[1:]...)); err != nil {
		t.Fatal(err)
	}
	_, err := k.SaveAreas(t.Context(), user, saving(ids...))
	if refusal := refusalOf(t, err); refusal.Fields["area_ids"] != "At most 100 areas can be saved." {
		t.Errorf("101 areas: %+v", refusal)
	}
	for _, actor := range []*access.Actor{{UserID: user.UserID, OrganizationID: a.ID}, {KeyID: "k", OrganizationID: a.ID, Super: true,
		Permissions: user.Permissions}} {
		if _, err := k.SavedAreas(t.Context(), actor); refusalOf(t, err).Code != "forbidden" {
			t.Errorf("read by %+v: %v", actor, err)
		}
		if _, err := k.SaveAreas(t.Context(), actor, saving()); refusalOf(t, err).Code != "forbidden" {
			t.Errorf("saved by %+v: %v", actor, err)
		}
	}
}

// An address is whole or not there; one that is emptied goes, and its country with it.
func TestAreaAddressCanBeCleared(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	a := k.Organization("A")
	in := newArea(a.ID, "Depot")
	in.Address1, in.City, in.State, in.PostalCode, in.CountryCode = ref("22 W 2nd St"), ref("Wilmington"), ref("DE"), ref("19801"), ref("US")
	row := madeArea(t, k, in)
	change := func(in wire.AreaWrite) (wire.Area, error) {
		return k.Areas.Edit(t.Context(), access.System(), row.ID, 0, in)
	}
	_, err := change(wire.AreaWrite{State: ref(""), PostalCode: ref("")})
	if refusal := refusalOf(t, err); refusal.Fields["state"] != "Required" {
		t.Errorf("half an address: %+v", refusal)
	}
	none := ref("")
	got, err := change(wire.AreaWrite{Address1: none, Address2: none, City: none, State: none, PostalCode: ref(" "), CountryCode: ref("US")})
	address := fleet.Address{}
	wire.Same(&address, &got)
	if err != nil || address != (fleet.Address{}) {
		t.Errorf("cleared: %+v %v", address, err)
	}
}
