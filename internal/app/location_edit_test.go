package app_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/bus"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

// reportAt lets an asset report at east meters from the base, and answers at once what it is now.
func reportAt(t testing.TB, k *apptest.Kit, organizationID, asset string, eastM float64, alerting bool) {
	t.Helper()
	p := point(k.At(), eastM, alerting)
	p.Asset = asset
	if r, err := k.RecordPoints(t.Context(), k.Device(organizationID), app.ReportBatch{Reports: []fleet.Report{p}}); err != nil || r.Accepted != 1 {
		t.Fatalf("%+v %v", r, err)
	}
}

// stood is an event that an asset opened at the base.
func stood(t testing.TB, k *apptest.Kit, organizationID, asset string) wire.Location {
	t.Helper()
	for range 3 {
		k.Pass(30 * time.Second)
		reportAt(t, k, organizationID, asset, 0, true)
	}
	rows, _, err := k.ActiveLocations(t.Context(), k.User(organizationID, "viewer"), nil)
	if err != nil || len(rows) != 1 {
		t.Fatalf("%+v %v", rows, err)
	}
	return rows[0]
}

// Whoever may edit incidents, or holds haas:manage, may; to read them is not enough.
//
// spec: 6.req.04
func TestEachPermissionThatEditsEventsSuffices(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o := k.Organization("A")
	k.Things(o.ID, "U", 1)
	opened := stood(t, k, o.ID, "U-0")
	for permission, may := range map[string]bool{"incident:update": true, "haas:manage": true, "incident:read": false, "thing:manage": false} {
		actor := k.User(o.ID, "viewer")
		actor.Permissions = map[string]bool{"incident:read": true, permission: true}
		_, err := k.UpdateLocation(t.Context(), actor, opened.ID, 0, movedTo(float64(len(permission)), 0))
		if may {
			must(t, err)
		} else {
			refused(t, err, "forbidden")
		}
	}
}

// movedTo is an edit of the marker to a place in meters from the base.
func movedTo(eastM, northM float64) wire.LocationWrite {
	lat, lng := fleet.Offset(39.7, -75.5, eastM, northM)
	return wire.LocationWrite{Lat: &lat, Lng: &lng}
}

// The marker stays where somebody put it, whatever its assets report and
// through a restart; who comes joins by its distance from there, and no edit ends a stay.
//
// spec: 7.location.04 6.location.01 5.location.01
func TestAnEditedEventStaysWhereItWasPut(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		roads := live.Options{Street: func(_, lng, _ float64) string { return fmt.Sprintf("street %.4f", lng) }}
		k := apptest.NewWith(t, s, roads)
		o := k.Organization("A")
		k.Things(o.ID, "U", 3)
		opened := stood(t, k, o.ID, "U-0")
		operator, viewer := k.User(o.ID, "operator"), k.User(o.ID, "viewer")
		said := movedTo(95, 0)
		said.RoadwayHeading, said.OrganizationID = ptr(360.0), idOf(o.ID)
		_, err := k.UpdateLocation(t.Context(), viewer, opened.ID, 0, said)
		refused(t, err, "forbidden")
		edited, err := k.UpdateLocation(t.Context(), operator, opened.ID, opened.Version, said)
		if err != nil || edited.Lng != fleet.FromFixed(fleet.ToFixed(*said.Lng)) || *edited.RoadwayHeading != 360 || edited.Version != opened.Version+1 {
			t.Fatalf("%+v %v", edited, err)
		}
		if edited.Street == opened.Street {
			t.Errorf("the street is still that of the old place: %s", edited.Street)
		}
		row := newestRow(t, s, "update")
		var before, after struct{ Lng float64 }
		must(t, errors.Join(json.Unmarshal(row.Before, &before), json.Unmarshal(row.After, &after)))
		if row.Noun != "location" || row.NounID != opened.ID || before.Lng != opened.Lng || after.Lng != edited.Lng {
			t.Errorf("the audit says %s → %s", row.Before, row.After)
		}
		now := func() wire.Location {
			t.Helper()
			l, err := k.Location(t.Context(), viewer, opened.ID)
			must(t, err)
			return l
		}
		check := func(what string, active int) {
			t.Helper()
			if l := now(); l.OriginLat != opened.Lat || l.OriginLng != opened.Lng {
				t.Errorf("%s: it began at %v, %v, not at %v, %v", what, l.OriginLat, l.OriginLng, opened.Lat, opened.Lng)
			} else if l.Lng != edited.Lng || l.Lat != edited.Lat || len(l.ThingsActive) != active || !l.IsActive {
				t.Errorf("%s: at %v, %v with %d assets, active %v", what, l.Lat, l.Lng, len(l.ThingsActive), l.IsActive)
			}
		}
		k.Pass(30 * time.Second)
		reportAt(t, k, o.ID, "U-0", -20, true)
		check("its asset moved about", 1)
		for range 3 { // 240 m from where it opened, 145 m from where it stands
			k.Pass(30 * time.Second)
			reportAt(t, k, o.ID, "U-1", 240, true)
		}
		check("another came near the new place", 2)
		k.Open(s, roads)
		check("after a restart", 2)
		k.Pass(30 * time.Second)
		reportAt(t, k, o.ID, "U-1", 240, true)
		reportAt(t, k, o.ID, "U-0", 0, true)
		check("and their next reports", 2)
		for range 3 { // it stands 149 m behind where it opened, before that is 244 m from the marker
			k.Pass(30 * time.Second)
			reportAt(t, k, o.ID, "U-0", -54, true)
		}
		edited, err = k.UpdateLocation(t.Context(), operator, opened.ID, 0, movedTo(100, 0))
		must(t, err)
		k.Pass(30 * time.Second)
		reportAt(t, k, o.ID, "U-0", -54, true)
		check("an edit that puts the marker far from an asset", 2)
		k.Pass(30 * time.Second)
		reportAt(t, k, o.ID, "U-0", -400, true)
		check("that asset left", 1)
	})
}

// An edit moves the marker 100 m from where the event opened and no farther,
// however many edits there are; all else that is wrong is refused by name.
//
// spec: 5.location.01 5.location.02 8.location.02 8.location.03 8.location.04
func TestEditsOfEventsAreRefusedByName(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		o, other := k.Organization("A"), k.Organization("B")
		k.Things(o.ID, "U", 1)
		opened := stood(t, k, o.ID, "U-0")
		operator := k.User(o.ID, "operator")
		edit := func(actor *access.Actor, id string, seen int64, said wire.LocationWrite) error {
			_, err := k.UpdateLocation(t.Context(), actor, id, seen, said)
			return err
		}
		must(t, edit(operator, opened.ID, 0, movedTo(99.9, 0)))
		for _, far := range []wire.LocationWrite{movedTo(150, 0), movedTo(100.5, 0), movedTo(80, 80)} { // 100 m is from the origin, not from the last edit
			if r := refused(t, edit(operator, opened.ID, 0, far), "validation_failed"); r.Fields["lat"] == "" {
				t.Errorf("%+v", r)
			}
		}
		must(t, edit(operator, opened.ID, 0, movedTo(-99.9, 0)))
		nowhere := movedTo(0, 0)
		nowhere.Lng = nil
		for field, said := range map[string]wire.LocationWrite{"lng": nowhere, "roadway_heading": {RoadwayHeading: ptr(360.1)},
			"lat": {Lat: ptr(90.1), Lng: ptr(0.0)}} {
			if r := refused(t, edit(operator, opened.ID, 0, said), "validation_failed"); r.Fields[field] == "" {
				t.Errorf("%s: %+v", field, r)
			}
		}
		refused(t, edit(operator, opened.ID, 0, wire.LocationWrite{RoadwayHeading: ptr(-0.1)}), "validation_failed")
		says := func(err error, code, words string) {
			t.Helper()
			if r := refused(t, err, code); r.Message != words {
				t.Errorf("%s says %q", code, r.Message)
			}
		}
		ahead := wire.LocationWrite{RoadwayHeading: ptr(0.0)}
		says(edit(operator, k.NewID(), 0, ahead), "location_not_found", "Location not found")
		stranger := k.User(other.ID, "administrator")
		says(edit(stranger, opened.ID, 0, ahead), "location_not_found", "Location not found")
		_, err := k.Location(t.Context(), stranger, opened.ID)
		says(err, "not_found", "Location not found")
		stranger.Organizations[o.ID] = access.Read
		if _, err := k.Location(t.Context(), stranger, opened.ID); err != nil {
			t.Error(err)
		}
		says(edit(stranger, opened.ID, 0, ahead), "location_no_access", "User does not have access to Location")
		says(edit(operator, opened.ID, 0, wire.LocationWrite{RoadwayHeading: ptr(0.0), OrganizationID: idOf(other.ID)}), "location_no_access",
			"User does not have access to Location")

		must(t, edit(operator, opened.ID, 0, ahead))
		if r := refused(t, edit(operator, opened.ID, opened.Version, wire.LocationWrite{RoadwayHeading: ptr(9.0)}), "conflict"); r.Current.(wire.Location).ID != opened.ID {
			t.Errorf("%+v", r.Current)
		}
		now, err := k.Location(t.Context(), operator, opened.ID)
		must(t, err)
		k.Pass(30 * time.Second)
		reportAt(t, k, o.ID, "U-0", 0, false)
		k.Pass(5 * time.Minute)
		reportAt(t, k, o.ID, "U-0", 0, false) // quiet for 5 min: it leaves, and the event ends; no edit made that version
		says(edit(operator, opened.ID, now.Version, wire.LocationWrite{RoadwayHeading: ptr(9.0)}), "location_not_active", "Location no longer active")
		k.Pass(9 * 24 * time.Hour)
		must(t, k.AgeDue(t.Context()))
		says(edit(operator, opened.ID, 0, ahead), "location_not_active", "Location no longer active")
		if l, err := k.Location(t.Context(), operator, opened.ID); err != nil || l.IsActive || len(l.ThingsInactive) != 1 {
			t.Errorf("long ago: %+v %v", l, err)
		}
	})
}

// Only somebody else's edit is a conflict: assets that come and go meanwhile raise the version, too.
func TestWhatAssetsDoIsNoConflictOfAnEdit(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o := k.Organization("A")
	k.Things(o.ID, "U", 2)
	opened := stood(t, k, o.ID, "U-0")
	for range 3 {
		k.Pass(30 * time.Second)
		reportAt(t, k, o.ID, "U-1", 0, true)
	}
	operator := k.User(o.ID, "operator")
	first, err := k.UpdateLocation(t.Context(), operator, opened.ID, opened.Version, movedTo(10, 0))
	if err != nil || first.Version != opened.Version+2 || len(first.ThingsActive) != 2 {
		t.Fatalf("%+v %v", first, err)
	}
	k.Pass(30 * time.Second)
	reportAt(t, k, o.ID, "U-1", 900, true)
	if _, err := k.UpdateLocation(t.Context(), operator, opened.ID, first.Version, movedTo(20, 0)); err != nil {
		t.Error(err)
	}
	_, err = k.UpdateLocation(t.Context(), operator, opened.ID, first.Version, movedTo(30, 0))
	refused(t, err, "conflict")
	_, err = k.UpdateLocation(t.Context(), operator, opened.ID, 99, movedTo(30, 0))
	refused(t, err, "conflict")
}

// timeless is a row without what the clock alone changes.
func timeless(l wire.Location) string {
	for _, things := range [][]wire.LocationThing{l.ThingsActive, l.ThingsInactive} {
		for i := range things {
			things[i].Runtime = 0
		}
	}
	text, _ := json.Marshal(l)
	return string(text)
}

// Any order of reports, edits and time: a marker stays where it was put, a
// version never falls and grows with what the row says, and everybody who sees
// an event has been told of it by the stream as the list shows it.
//
// spec: 7.stream.03
func TestEventsKeepTheirPromises(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	run, told := 0, listenTo(t, k)
	rapid.Check(t, func(r *rapid.T) {
		run++
		o, m := k.Organization(fmt.Sprintf("A%d", run)), k.Organization(fmt.Sprintf("B%d", run))
		things := k.Things(o.ID, "U", 2)
		owner, manager := k.User(o.ID, "administrator"), k.User(m.ID, "viewer")
		_, err := k.SetThingAssociations(t.Context(), access.System(), things[0].ID, []wire.RelationshipWrite{
			{OrganizationUUID: wire.ID(m.ID), RelationshipType: "manager"}})
		must(t, err)
		stood(t, k, o.ID, "U-0")
		playedEvents(t, r, k, o.ID, owner)
		heard := told(o.ID, m.ID)
		for _, actor := range []*access.Actor{owner, manager} {
			rows, _, err := k.ListLocations(t.Context(), actor, app.LocationQuery{})
			must(t, err)
			if len(rows) == 0 {
				r.Fatal("nothing to see")
			}
			for _, row := range rows {
				if last := lastToldOf(t, heard[actor.OrganizationID], row.ID); timeless(last) != timeless(row) {
					r.Fatalf("the stream said last\n%s\nthe list says\n%s", timeless(last), timeless(row))
				}
			}
		}
	})
}

// listenTo hears everything; what it answers waits until all that was said to
// organizations so far has come, and tells it.
func listenTo(t *testing.T, k *apptest.Kit) func(organizations ...string) map[string][]bus.Item {
	t.Helper()
	ticks := make(chan time.Time)
	b, err := bus.Open(bus.Options{Ticks: ticks, Now: k.Now})
	must(t, err)
	t.Cleanup(func() { _ = b.Close(context.Background()) })
	k.App.Bus = b
	frames := make(chan bus.Frame, 1024)
	t.Cleanup(b.Frames(func(f bus.Frame) { frames <- f }))
	heard := map[string][]bus.Item{}
	return func(organizations ...string) map[string][]bus.Item {
		t.Helper()
		change := k.Live.Begin()
		app.Tell(change, fleet.MessageClosure, "end", organizations, []byte(`{}`))
		change.Apply(b.Publish)
		ticks <- time.Time{}
		for ends := 0; ends < len(organizations); {
			select {
			case f := <-frames:
				heard[f.Organization] = append(heard[f.Organization], f.Items...)
				if slices.ContainsFunc(f.Items, func(i bus.Item) bool { return i.Type == fleet.MessageClosure }) {
					ends++
				}
			case <-time.After(time.Minute): // only guards against hanging
				t.Fatal("the stream is silent")
			}
		}
		return heard
	}
}

func lastToldOf(t *testing.T, items []bus.Item, id string) (last wire.Location) {
	t.Helper()
	for _, item := range items {
		var said struct{ Location wire.Location }
		if item.Type == fleet.MessageLocation {
			must(t, json.Unmarshal(item.Body, &said))
			if said.Location.ID == id {
				last = said.Location
			}
		}
	}
	return last
}

// playedEvents lets assets, people and time do something to events, and looks after each step.
func playedEvents(t *testing.T, r *rapid.T, k *apptest.Kit, organizationID string, actor *access.Actor) {
	t.Helper()
	put := map[string][2]float64{}
	seen := map[string]wire.Location{}
	look := func() []wire.Location {
		t.Helper()
		rows, _, err := k.ListLocations(t.Context(), actor, app.LocationQuery{})
		must(t, err)
		for _, l := range rows {
			if at, edited := put[l.ID]; edited && at != [2]float64{l.Lat, l.Lng} {
				r.Fatalf("the marker was put at %v and is at %v, %v", at, l.Lat, l.Lng)
			}
			was, known := seen[l.ID]
			if known && (l.Version < was.Version || l.Version == was.Version && timeless(l) != timeless(was)) {
				r.Fatalf("version %d:\n%s\nbefore, version %d:\n%s", l.Version, timeless(l), was.Version, timeless(was))
			}
			seen[l.ID] = l
		}
		return rows
	}
	for range rapid.IntRange(1, 20).Draw(r, "steps") {
		rows := look()
		switch rapid.SampledFrom([]string{"report", "report", "report", "edit", "edit", "wait"}).Draw(r, "step") {
		case "report":
			k.Pass(time.Duration(rapid.IntRange(10, 90).Draw(r, "seconds")) * time.Second)
			asset := rapid.SampledFrom([]string{"U-0", "U-1"}).Draw(r, "asset")
			reportAt(t, k, organizationID, asset, rapid.SampledFrom([]float64{0, 20, 90, 140, 170, 400}).Draw(r, "east"), rapid.Bool().Draw(r, "lights"))
		case "edit":
			l := rapid.SampledFrom(rows).Draw(r, "event")
			said := movedTo(rapid.Float64Range(-120, 120).Draw(r, "to east"), rapid.Float64Range(-120, 120).Draw(r, "to north"))
			after, err := k.UpdateLocation(t.Context(), actor, l.ID, l.Version, said)
			if err == nil {
				put[l.ID] = [2]float64{after.Lat, after.Lng}
			} else if refusal := (*fleet.Refusal)(nil); !errors.As(err, &refusal) || refusal.Code == "conflict" {
				r.Fatal(err)
			}
		case "wait":
			k.Pass(time.Duration(rapid.IntRange(1, 300).Draw(r, "minutes")) * time.Minute)
			must(t, k.AgeDue(t.Context()))
		}
	}
	look()
}
