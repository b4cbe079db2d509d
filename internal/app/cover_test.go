package app_test

import (
	"fmt"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

const (
	fireType   = "01900000-0000-7000-8000-100000000001"
	policeType = "01900000-0000-7000-8000-100000000002"
)

// coverOf is a cover in short: "covered", "12:00:00 fire", "not since 12:00:00 fire", "unknown".
func coverOf(row wire.Cover) string {
	if row.IsCovered == nil {
		return "unknown"
	}
	out := ""
	if row.Since != 0 {
		out = row.Since.Time().Format("15:04:05")
	}
	if row.MissingType != nil {
		out += " " + *row.MissingType
	}
	switch {
	case !*row.IsCovered:
		return "not since " + out
	case out == "":
		return "covered"
	}
	return out
}

// A station is covered while a unit of each type is there that is in service
// and heard of, and for some minutes after the last one left.
func TestCover(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		o := k.Organization("A")
		thing := k.Things(o.ID, "E", 1)[0]
		viewer, station := k.User(o.ID, "viewer"), stationAt(t, k, o.ID, "Station 9", 39.7)
		ask := func(after int64, types ...wire.ID) {
			t.Helper()
			_, err := k.SetCover(t.Context(), viewer, app.CoverRequest{AreaID: station.ID, CoverWrite: wire.CoverWrite{ThingTypeIDs: types, AfterMinutes: after}})
			must(t, err)
		}
		check := func(when, want string) {
			t.Helper()
			row, err := k.Cover(t.Context(), viewer, station.ID)
			must(t, err)
			rows, _, err := k.Covers(t.Context(), viewer)
			must(t, err)
			if got := coverOf(row); got != want || len(rows) != 1 || coverOf(rows[0]) != want || rows[0].AreaName != "Station 9" {
				t.Errorf("%s: %s, want %s; listed %+v", when, got, want, rows)
			}
		}
		refused(t, k.DeleteCover(t.Context(), viewer, station.ID), "no_cover")
		_, err := k.Cover(t.Context(), viewer, station.ID)
		refused(t, err, "no_cover")

		k.Pass(time.Minute)
		ask(0)
		check("nobody was ever there", "not since 12:01:00")
		k.Pass(time.Minute)
		heardFrom(t, k, o.ID, standing("E-0", k.At(), 39.7, false))
		check("an engine is there", "covered")
		ask(10, fireType, policeType, fireType)
		check("no police car has been there for a minute", "12:01:00 police")
		k.Pass(9 * time.Minute)
		check("no police car has been there for 10 minutes", "not since 12:01:00 police")
		ask(2, fireType)
		check("fire alone", "covered")
		heardFrom(t, k, o.ID, standing("E-0", k.At(), 39.9, false))
		check("left", "12:11:00 fire")
		k.Pass(2*time.Minute - time.Millisecond)
		check("left almost 2 minutes ago", "12:11:00 fire")
		k.Pass(time.Millisecond)
		check("left 2 minutes ago", "not since 12:11:00 fire")
		heardFrom(t, k, o.ID, standing("E-0", k.At(), 39.7, false))
		check("back", "covered")

		ask(0)
		off, on := false, true
		_, err = k.UpdateThing(t.Context(), access.System(), thing.ID, wire.ThingWrite{InService: &off})
		must(t, err)
		check("out of service", "not since 12:13:00")
		k.Pass(time.Minute)
		_, err = k.UpdateThing(t.Context(), access.System(), thing.ID, wire.ThingWrite{Nickname: ref("Engine 9"), InService: &off})
		must(t, err)
		check("renamed while out of service", "not since 12:13:00")
		_, err = k.UpdateThing(t.Context(), access.System(), thing.ID, wire.ThingWrite{InService: &on})
		must(t, err)
		check("in service again", "covered")
		k.Pass(96 * time.Hour)
		must(t, k.AgeDue(t.Context()))
		check("not heard of for 96 hours", "not since 12:14:00")
		_, err = k.Areas.Edit(t.Context(), access.System(), station.ID, 0, wire.AreaWrite{IsActive: &off})
		must(t, err)
		check("the station is inactive", "unknown")
		must(t, k.DeleteCover(t.Context(), viewer, station.ID))
		refused(t, k.DeleteCover(t.Context(), viewer, station.ID), "no_cover")
	})
}

// A unit that does not count, as it is out of service or was not heard of, neither covers its station nor moves the
// time since when it is without one, when it comes and when it goes.
func TestWhatDoesNotCountMovesNoCover(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		o := k.Organization("A")
		things := k.Things(o.ID, "E", 3)
		viewer, station := k.User(o.ID, "viewer"), stationAt(t, k, o.ID, "Station 9", 39.7)
		_, err := k.SetCover(t.Context(), viewer, app.CoverRequest{AreaID: station.ID, CoverWrite: wire.CoverWrite{ThingTypeIDs: []wire.ID{fireType}}})
		must(t, err)
		inService := func(n int, on bool) {
			t.Helper()
			must(t, second(k.UpdateThing(t.Context(), access.System(), things[n].ID, wire.ThingWrite{InService: &on})))
		}
		check := func(when, want string) {
			t.Helper()
			row, err := k.Cover(t.Context(), viewer, station.ID)
			must(t, err)
			if got := coverOf(row); got != want {
				t.Errorf("%s: %s, want %s", when, got, want)
			}
		}
		there, away := 39.7, 39.8
		moves := func(n int, lat float64) {
			t.Helper()
			heardFrom(t, k, o.ID, standing(fmt.Sprint("E-", n), k.At(), lat, false))
		}
		moves(0, there)
		moves(1, there)
		moves(2, there)
		k.Pass(time.Minute)
		inService(1, false)
		k.Pass(time.Minute)
		moves(0, away)
		k.Pass(time.Minute)
		inService(2, false)
		check("one left at 12:02, one out since 12:01, one since 12:03", "not since 12:03:00 fire")
		k.Pass(time.Minute)
		moves(1, away)
		check("one that was out drives off", "not since 12:03:00 fire")
		k.Pass(time.Minute)
		moves(1, there)
		check("and comes back", "not since 12:03:00 fire")
		k.Pass(time.Minute)
		moves(2, away)
		check("the other drives off", "not since 12:03:00 fire")
		inService(1, true)
		check("one is in service again", "covered")
		k.Pass(96 * time.Hour)
		must(t, k.AgeDue(t.Context()))
		check("and is not heard of", "not since 12:06:00 fire")
		k.Pass(time.Hour)
		moves(1, away)
		check("before it drives off", "not since 12:06:00 fire")
		k.Open(s, live.Options{})
		check("after a start", "not since 12:06:00 fire")
	})
}

// What is no station, unknown or foreign is refused; a cover is its user's own,
// and is not shown any more where the area has gone from their sight.
func TestCoversAreTheirUsersOwn(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	a, b := k.Organization("A"), k.Organization("B")
	station, place := stationAt(t, k, a.ID, "Station 9", 39.7), madeArea(t, k, newArea(a.ID, "Depot"))
	viewer, other, stranger := k.User(a.ID, "viewer"), k.User(a.ID, "viewer"), k.User(b.ID, "administrator")
	set := func(actor *access.Actor, areaID string, in wire.CoverWrite) error {
		_, err := k.SetCover(t.Context(), actor, app.CoverRequest{AreaID: areaID, CoverWrite: in})
		return err
	}
	must(t, set(viewer, station.ID, wire.CoverWrite{}))
	refused(t, set(stranger, station.ID, wire.CoverWrite{}), "not_found")
	key := k.Device(a.ID)
	key.Permissions["exclusion:read"] = true
	refused(t, set(key, station.ID, wire.CoverWrite{}), "forbidden")
	for field, err := range map[string]error{
		"id":             set(viewer, place.ID, wire.CoverWrite{}),
		"after_minutes":  set(viewer, station.ID, wire.CoverWrite{AfterMinutes: 1441}),
		"thing_type_ids": set(viewer, station.ID, wire.CoverWrite{ThingTypeIDs: []wire.ID{stationType}}),
	} {
		if refusal := refusalOf(t, err); refusal.Code != "validation_failed" || refusal.Fields[field] == "" {
			t.Errorf("%s: %+v", field, refusal)
		}
	}
	_, err := k.Cover(t.Context(), other, station.ID)
	refused(t, err, "no_cover")
	if rows, _, err := k.Covers(t.Context(), other); err != nil || len(rows) > 0 {
		t.Errorf("another user's: %v %v", rows, err)
	}
	viewer.Organizations[a.ID] = access.None
	if rows, _, err := k.Covers(t.Context(), viewer); err != nil || len(rows) > 0 {
		t.Errorf("out of reach: %v %v", rows, err)
	}
	refused(t, k.DeleteCover(t.Context(), viewer, station.ID), "not_found")
	viewer.Organizations[a.ID] = access.Full
	must(t, k.DeleteCover(t.Context(), viewer, station.ID))
	last := ""
	for i := range 100 {
		last = stationAt(t, k, a.ID, "S", 30+float64(i)/10).ID
		must(t, set(viewer, last, wire.CoverWrite{}))
	}
	refused(t, set(viewer, station.ID, wire.CoverWrite{}), "validation_failed")
	// What has gone from their sight, where they cannot end it, takes no place.
	must(t, k.Areas.Remove(t.Context(), access.System(), last))
	must(t, set(viewer, station.ID, wire.CoverWrite{}))
	if rows, _, err := k.Covers(t.Context(), viewer); err != nil || len(rows) != 100 {
		t.Errorf("%d are asked for, %v", len(rows), err)
	}
	refused(t, set(viewer, stationAt(t, k, a.ID, "S", 29).ID, wire.CoverWrite{}), "validation_failed")
}
