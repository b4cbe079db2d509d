package app_test

import (
	"strings"
	"testing"
	"time"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

func newClosure(description string) wire.ClosureWrite {
	return wire.ClosureWrite{Description: &description, UserRoute: &[]fleet.LatLng{{Lat: 39.7, Lng: -75.5}, {Lat: 39.71, Lng: -75.5}}}
}

// No job ends it: the first answer after the end says so.
//
// spec: 4.closure.02 4.toggle.03 7.closure.02 7.closure.03 7.closure.05
func TestAClosureIsActiveUntilItsEnd(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		a := k.Organization("A")
		admin := k.User(a.ID, "administrator")
		in := newClosure("Paving")
		in.IsActive, in.EndTime = ref(true), ref(k.At().Add(2*time.Hour))
		row, _, err := k.Closures.Create(t.Context(), admin, in)
		if err != nil || !row.IsActive || row.Status != "active" || row.StartTime != k.At() || row.Organization.Name != "A" {
			t.Fatalf("made %+v %v", row, err)
		}
		read := func() wire.Closure {
			t.Helper()
			rows, _, err := k.Closures.List(t.Context(), admin, app.Rows{})
			one := second2(k.Closures.Read(t.Context(), admin, row.ID))
			if err != nil || len(rows) != 1 || rows[0].IsActive != one.IsActive || rows[0].Status != one.Status {
				t.Fatalf("%+v and %+v %v", rows, one, err)
			}
			return one
		}
		k.Pass(2*time.Hour - time.Millisecond)
		if !read().IsActive {
			t.Error("it ended before its end")
		}
		k.Pass(time.Millisecond)
		if now := read(); now.IsActive || now.Status != "standby" || now.EndTime != row.EndTime {
			t.Errorf("after its end %+v", now)
		}
		on, err := k.Closures.Edit(t.Context(), admin, row.ID, 0, wire.ClosureWrite{IsActive: ref(true), EndTime: ref(k.At().Add(24 * time.Hour))})
		if err != nil || !on.IsActive || on.StartTime != k.At() {
			t.Errorf("activated %+v %v", on, err)
		}
		k.Pass(time.Minute)
		off, err := k.Closures.Edit(t.Context(), admin, row.ID, 0, wire.ClosureWrite{IsActive: ref(false), EndTime: ref(fleet.Instant(0))})
		if err != nil || off.IsActive || off.EndTime != 0 || off.StartTime != 0 || off.LastStartTime != on.StartTime {
			t.Errorf("deactivated %+v %v", off, err)
		}
		if err := k.Closures.Remove(t.Context(), admin, row.ID); err != nil {
			t.Fatal(err)
		}
		if refusal := refusalOf(t, second(k.Closures.Read(t.Context(), admin, row.ID))); refusal.Message != "Closure not found" {
			t.Errorf("deleted: %+v", refusal)
		}
	})
}

func second2[T any](v T, _ error) T { return v }

// The id of feeds is one closure's on the whole server, until that is deleted.
//
// spec: 5.closure.08
func TestIdsOfFeedsAreUnique(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		a, b := k.Organization("A"), k.Organization("B")
		mine, theirs := k.User(a.ID, "administrator"), k.User(b.ID, "administrator")
		in := newClosure("Paving")
		in.ExternalID = ref("DE-1")
		first, _, err := k.Closures.Create(t.Context(), mine, in)
		if err != nil {
			t.Fatal(err)
		}
		other, _, err := k.Closures.Create(t.Context(), theirs, newClosure("Milling"))
		if err != nil {
			t.Fatal(err)
		}
		named := wire.ClosureWrite{ExternalID: ref("DE-1")}
		_, _, made := k.Closures.Create(t.Context(), theirs, in)
		folded := wire.ClosureWrite{ExternalID: ref("de-1")}
		for what, err := range map[string]error{"made": made, "edited": second(k.Closures.Edit(t.Context(), theirs, other.ID, 0, named)),
			"in another case": second(k.Closures.Edit(t.Context(), theirs, other.ID, 0, folded))} {
			if refusal := refusalOf(t, err); !strings.Contains(refusal.Fields["external_id"], "unique") {
				t.Errorf("%s: %+v", what, refusal)
			}
		}
		if _, err := k.Closures.Edit(t.Context(), mine, first.ID, 0, named); err != nil {
			t.Errorf("its own id again: %v", err)
		}
		if _, err := k.Closures.Edit(t.Context(), mine, first.ID, 0, folded); err != nil {
			t.Errorf("its own id in another case: %v", err)
		}
		if err := k.Closures.Remove(t.Context(), mine, first.ID); err != nil {
			t.Fatal(err)
		}
		if _, err := k.Closures.Edit(t.Context(), theirs, other.ID, 0, named); err != nil {
			t.Errorf("an id that is free again: %v", err)
		}
	})
}

// spec: 5.closure.01 5.closure.02 5.closure.04 5.closure.10 3.enum.07 5.general.07
func TestWhatClosuresAreRefusedFor(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	a := k.Organization("A")
	admin := k.User(a.ID, "administrator")
	for name, c := range map[string]struct {
		change func(in *wire.ClosureWrite)
		wrong  map[string]string
	}{
		"good":         {change: func(in *wire.ClosureWrite) { in.GroupID = ref("Own words") }},
		"no direction": {change: func(in *wire.ClosureWrite) { in.Direction = ref("") }},
		"nothing": {change: func(in *wire.ClosureWrite) { *in = wire.ClosureWrite{} }, wrong: map[string]string{"description": "Required",
			"user_route": "ERROR: Please create new Closure on map. Click 'View Instructions' above if needed."}},
		"texts": {change: func(in *wire.ClosureWrite) {
			in.Description, in.AlertMessage = ref(strings.Repeat("x", 101)), ref(strings.Repeat("x", 41))
		}, wrong: map[string]string{"description": "100 Max Characters", "alert_message": "40 Max Characters"}},
		"values": {change: func(in *wire.ClosureWrite) {
			in.Direction, in.LocationMethod, in.VehicleImpact, in.ClosureType = ref("NE"), ref("x"), ref("x"), ref("feed")
		}, wrong: map[string]string{"direction": "N, E, S or W", "location_method": "Unknown value", "vehicle_impact": "Unknown value",
			"closure_type": "Unknown closure type"}},
	} {
		in := newClosure("Paving")
		c.change(&in)
		_, _, err := k.Closures.Create(t.Context(), admin, in)
		if c.wrong == nil {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		refusal := refusalOf(t, err)
		for field, sentence := range c.wrong {
			if refusal.Fields[field] != sentence {
				t.Errorf("%s: %s is %q", name, field, refusal.Fields[field])
			}
		}
	}
	if _, _, err := k.Closures.Create(t.Context(), access.System(), newClosure("Nobody's")); refusalOf(t, err).Code != "organization_not_found" {
		t.Errorf("of no organization: %v", err)
	}
}

// What a text, a lane, an end and a value of a list may be at most, each to the last one.
//
// spec: 9.limits.15 9.limits.16 9.limits.17 9.limits.18 9.list.03 9.list.04
func TestLimitsOfClosures(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	admin := k.User(k.Organization("A").ID, "administrator")
	try := func(change func(in *wire.ClosureWrite)) map[string]string {
		t.Helper()
		in := newClosure("Paving")
		change(&in)
		_, _, err := k.Closures.Create(t.Context(), admin, in)
		if err == nil {
			return nil
		}
		return refusalOf(t, err).Fields
	}
	text := func(n int) *string { return ref(strings.Repeat("x", n)) }
	until := func(end time.Time) func(in *wire.ClosureWrite) {
		return func(in *wire.ClosureWrite) { in.IsActive, in.EndTime = ref(true), ref(fleet.InstantOf(end)) }
	}
	last := k.At().Time().UTC().AddDate(0, 3, 0)
	for field, c := range map[string]struct{ most, over func(in *wire.ClosureWrite) }{
		"description":   {func(in *wire.ClosureWrite) { in.Description = text(100) }, func(in *wire.ClosureWrite) { in.Description = text(101) }},
		"external_id":   {func(in *wire.ClosureWrite) { in.ExternalID = text(100) }, func(in *wire.ClosureWrite) { in.ExternalID = text(101) }},
		"alert_message": {func(in *wire.ClosureWrite) { in.AlertMessage = text(40) }, func(in *wire.ClosureWrite) { in.AlertMessage = text(41) }},
		"end_time":      {until(last), until(last.AddDate(0, 0, 1))},
		"impacted_lanes": {func(in *wire.ClosureWrite) { in.ImpactedLanes = &[]int{1, 9} },
			func(in *wire.ClosureWrite) { in.ImpactedLanes = &[]int{10} }},
	} {
		if wrong := try(c.most); wrong != nil {
			t.Errorf("%s at its limit: %v", field, wrong)
		}
		if wrong := try(c.over); wrong[field] == "" {
			t.Errorf("%s over its limit: %v", field, wrong)
		}
	}
	if wrong := try(func(in *wire.ClosureWrite) { in.ImpactedLanes = &[]int{0} }); wrong["impacted_lanes"] == "" {
		t.Errorf("lane 0: %v", wrong)
	}
	methods := []string{"channel-device-method", "sign-method", "junction-method", "other", "unknown"}
	impacts := []string{"all-lanes-closed", "some-lanes-closed", "all-lanes-open", "alternating-one-way", "some-lanes-closed-merge-left",
		"some-lanes-closed-merge-right", "all-lanes-open-shift-left", "all-lanes-open-shift-right", "some-lanes-closed-split", "flagging",
		"temporary-traffic-signal", "unknown"}
	for i, impact := range impacts {
		method := methods[i%len(methods)]
		if wrong := try(func(in *wire.ClosureWrite) { in.VehicleImpact, in.LocationMethod = &impact, &method }); wrong != nil {
			t.Errorf("%s, %s: %v", impact, method, wrong)
		}
	}
	if wrong := try(func(in *wire.ClosureWrite) { in.VehicleImpact, in.LocationMethod = ref("merge"), ref("gps") }); len(wrong) != 2 {
		t.Errorf("values outside the lists: %v", wrong)
	}
	if all := catalog.AllEnums(); len(all.LocationMethods) != len(methods) || len(all.VehicleImpacts) != len(impacts) {
		t.Errorf("%d methods, %d impacts", len(all.LocationMethods), len(all.VehicleImpacts))
	}
}

// Every feed needs the name of the road: where nobody said it, it is that of the
// middle of the line; what somebody said stays, also when the line moves.
//
// spec: D.closure.01 D.closure.05
func TestAClosureIsNamedAfterItsRoad(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		a := k.Organization("A")
		admin := k.User(a.ID, "administrator")
		asked := 0
		k.App.RoadOf = func(line []fleet.LatLng) string {
			if asked++; line[0].Lat > 39.9 {
				return ""
			}
			return "Market Street"
		}
		row, _, err := k.Closures.Create(t.Context(), admin, newClosure("Paving"))
		if err != nil || row.RoadName != "Market Street" {
			t.Fatalf("made %q %v", row.RoadName, err)
		}
		edit := func(in wire.ClosureWrite, want string) {
			t.Helper()
			if row, err = k.Closures.Edit(t.Context(), admin, row.ID, 0, in); err != nil || row.RoadName != want {
				t.Errorf("%q %v, want %q", row.RoadName, err, want)
			}
		}
		edit(wire.ClosureWrite{RoadName: ref("Market St (bridge)")}, "Market St (bridge)")
		edit(wire.ClosureWrite{UserRoute: &[]fleet.LatLng{{Lat: 39.71, Lng: -75.5}, {Lat: 39.72, Lng: -75.5}}}, "Market St (bridge)")
		edit(wire.ClosureWrite{RoadName: ref(" ")}, "Market Street")
		before := asked
		edit(wire.ClosureWrite{IsActive: ref(true), EndTime: ref(k.At().Add(time.Hour))}, "Market Street")
		if asked != before {
			t.Error("a switch asked for the road")
		}
		edit(wire.ClosureWrite{RoadName: ref(""), UserRoute: &[]fleet.LatLng{{Lat: 39.91, Lng: -75.5}, {Lat: 39.92, Lng: -75.5}}}, "")
		k.App.RoadOf = nil
		if row, _, err := k.Closures.Create(t.Context(), admin, newClosure("Without a region")); err != nil || row.RoadName != "" {
			t.Errorf("%q %v", row.RoadName, err)
		}
	})
}

// Each permission that adds or edits closures suffices, a phone's too; reading them or the other verb does not.
//
// spec: 6.closure.01 6.closure.02
func TestEachPermissionThatWritesClosuresSuffices(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o := k.Organization("A")
	row, _, err := k.Closures.Create(t.Context(), k.User(o.ID, "administrator"), newClosure("Paving"))
	must(t, err)
	for permission, may := range map[string][2]bool{"closure:manage": {true, true}, "closure:create": {true, false}, "closure:update": {false, true},
		"mobile:closure:manage": {true, true}, "mobile:closure:create": {true, false}, "mobile:closure:update": {false, true},
		"closure:read": {}, "closure:delete": {}, "exclusion:manage": {}} {
		actor := k.User(o.ID, "viewer")
		actor.Permissions = map[string]bool{"closure:read": true, permission: true}
		_, _, added := k.Closures.Create(t.Context(), actor, newClosure("With "+permission))
		_, edited := k.Closures.Edit(t.Context(), actor, row.ID, 0, wire.ClosureWrite{AlertMessage: ref("With " + permission)})
		for verb, err := range []error{added, edited} {
			if !may[verb] {
				refused(t, err, "forbidden")
			} else if err != nil {
				t.Errorf("%s, %d: %v", permission, verb, err)
			}
		}
	}
}
