package app_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

// contentOf is what somebody sees of an area, "gone" where it is deleted.
func contentOf(t testing.TB, row wire.Area) string {
	t.Helper()
	if row.IsDeleted {
		return "gone"
	}
	row.Version, row.UpdatedAt = 0, 0
	text, err := json.Marshal(row)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Whatever people do to an area, the last change can be undone, and that undone
// again: the area is what it was one change before, as a new version.
func TestAnyLastChangeOfAnAreaIsUndone(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		a := k.Organization("A")
		admin := k.User(a.ID, "administrator")
		thing := k.Things(a.ID, "U", 1)[0].ID
		polygon := wire.Geometry(`{"type":"Polygon","coordinates":[[[-75.502,39.698],[-75.498,39.698],[-75.498,39.702],[-75.502,39.698]]]}`)
		edits := []func(n int) wire.AreaWrite{
			func(n int) wire.AreaWrite { return wire.AreaWrite{Name: ref(fmt.Sprintf("Depot %d", n))} },
			func(n int) wire.AreaWrite {
				return wire.AreaWrite{AreaGeom: polygon, PointGeom: &wire.PointGeom{Lat: 39.7 + float64(n)/1e4, Lon: -75.5}}
			},
			func(n int) wire.AreaWrite {
				return wire.AreaWrite{AreaGeom: wire.Geometry("null"), RadiusDist: ref(float64(100 + n))}
			},
			func(n int) wire.AreaWrite {
				return wire.AreaWrite{IsActive: ref(n%2 == 0), ThingID: ref(wire.ID(thing)), Desc: ref(fmt.Sprint(n)), EZTypeID: ref(wire.ID(stationType))}
			},
			func(n int) wire.AreaWrite {
				return wire.AreaWrite{ThingID: ref(wire.ID("")), City: ref(fmt.Sprintf("City %d", n)), State: ref("DE"), PostalCode: ref("19801"), CountryCode: ref("US"), EZTypeID: ref(wire.ID(poiType))}
			},
		}
		rapid.Check(t, func(rt *rapid.T) {
			row := madeArea(t, k, newArea(a.ID, "Depot"))
			id, version := row.ID, row.Version
			states := []string{"none", contentOf(t, row)} // the last is what it is now, the one before what an undo makes of it
			for n := range rapid.IntRange(1, 6).Draw(rt, "changes") {
				k.Pass(time.Second)
				now, gone := states[len(states)-1], states[len(states)-1] == "gone"
				what := rapid.IntRange(0, len(edits)+2).Draw(rt, "change")
				switch {
				case what < len(edits) && !gone:
					out, err := k.Areas.Edit(t.Context(), admin, id, 0, edits[what](n))
					must(t, err)
					if out.Version == version { // it said nothing new
						continue
					}
					row = out
				case what == len(edits) && !gone:
					must(t, k.Areas.Remove(t.Context(), admin, id))
					row = wire.Gone[wire.Area](id)
				case len(states) > 2:
					_, err := k.Areas.Undo(t.Context(), admin, id, version-1)
					if refusalOf(t, err).Code != "conflict" {
						rt.Fatalf("an undo of an earlier change: %v", err)
					}
					out, err := k.Areas.Undo(t.Context(), admin, id, version)
					must(t, err)
					if contentOf(t, out) != states[len(states)-2] {
						rt.Fatalf("undone\n%s\nis\n%s\nnot\n%s", now, contentOf(t, out), states[len(states)-2])
					}
					row = out
				default:
					_, err := k.Areas.Undo(t.Context(), admin, id, version)
					if refusalOf(t, err).Code != "undo_nothing" {
						rt.Fatalf("an undo of the creation: %v", err)
					}
					continue
				}
				version++
				if stored, err := store.Areas.ByID(t.Context(), s.Reader(), id); err != nil || stored.Version != version || (stored.DeletedAt != 0) != row.IsDeleted {
					rt.Fatalf("stored %+v %v, version %d", stored, err, version)
				}
				doc, err := store.VersionAt(t.Context(), s.Reader(), "area", id, math.MaxInt64)
				if row.IsDeleted != errors.Is(err, store.ErrNotFound) || !row.IsDeleted && err != nil {
					rt.Fatalf("its newest version: %s %v", doc, err)
				}
				states = append(states, contentOf(t, row))
			}
		})
	})
}

// An undo acts on the picture and is told as any other change is.
func TestAnUndoneStationActsAgain(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	a := k.Organization("A")
	admin := k.User(a.ID, "administrator")
	id := k.Things(a.ID, "U", 1)[0].ID
	standing := lit("U-0", k.At(), 39.7)
	standing.Alerting = false
	report(t, k, a.ID, standing)
	in := newArea(a.ID, "Station 9")
	in.EZTypeID = ref(wire.ID(stationType))
	row := madeArea(t, k, in)
	check := func(what, want string) {
		t.Helper()
		if _, state, _, _ := k.Live.Thing(id); state.StationID != want {
			t.Errorf("%s: it stands in %q", what, state.StationID)
		}
	}
	must(t, k.Areas.Remove(t.Context(), admin, row.ID))
	check("deleted", "")
	heard := itemsOnTheStream(t, k, 1, func() {
		must(t, second(k.Areas.Undo(t.Context(), admin, row.ID, 2)))
		check("back", row.ID)
		must(t, second(k.Areas.Undo(t.Context(), admin, row.ID, 3)))
		check("deleted again", "")
	})[a.ID]
	var areas []string
	for _, item := range heard {
		var said struct{ Area wire.Area }
		if item.Type == fleet.MessageArea && json.Unmarshal(item.Body, &said) == nil {
			areas = append(areas, fmt.Sprint(said.Area.IsDeleted, said.Area.Version))
		}
	}
	if fmt.Sprint(areas) != "[false 3 true 0]" {
		t.Errorf("heard %v", areas)
	}
	if row := newestRow(t, k.Store, "undo"); row.Noun != "area" || row.NounID == "" || len(row.Before) == 0 || len(row.After) != 0 {
		t.Errorf("the audit says %+v", row)
	}
}

// Who may not edit may not undo, who may not delete may not bring back, and what
// the law refuses now is not put back.
func TestUndosAreRefusedByName(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		a, b := k.Organization("A"), k.Organization("B")
		admin, operator, viewer, super := k.User(a.ID, "administrator"), k.User(a.ID, "operator"), k.User(a.ID, "viewer"), k.User(a.ID, "super")
		undo := func(actor *access.Actor, id string, version int64) error {
			return second(k.Areas.Undo(t.Context(), actor, id, version))
		}
		row := madeArea(t, k, newArea(a.ID, "Depot"))
		must(t, second(k.Areas.Edit(t.Context(), admin, row.ID, 1, wire.AreaWrite{Name: ref("Yard")})))
		refused(t, undo(viewer, row.ID, 2), "forbidden")
		refused(t, undo(k.User(b.ID, "administrator"), row.ID, 2), "not_found")
		refused(t, undo(admin, k.NewID(), 2), "not_found")
		reader := k.User(b.ID, "administrator")
		reader.Organizations[a.ID] = access.Read
		refused(t, undo(reader, row.ID, 2), "not_found")

		editor := *operator
		editor.Permissions = map[string]bool{"exclusion:update": true, "exclusion:read": true}
		k.Pass(time.Second)
		must(t, k.Areas.Remove(t.Context(), admin, row.ID))
		if r := refused(t, undo(&editor, row.ID, 2), "conflict"); !r.Current.(wire.Area).IsDeleted || r.ChangedAt != k.At() || r.ChangedBy == "" {
			t.Errorf("deleted since: %+v", r)
		}
		refused(t, undo(&editor, row.ID, 3), "forbidden")
		k.Pass(24*time.Hour + time.Second)
		refused(t, undo(admin, row.ID, 3), "undo_expired")

		thing := k.Things(a.ID, "U", 1)[0].ID
		with := newArea(a.ID, "With")
		with.ThingID = ref(wire.ID(thing))
		row = madeArea(t, k, with)
		must(t, second(k.Areas.Edit(t.Context(), admin, row.ID, 1, wire.AreaWrite{ThingID: ref(wire.ID(""))})))
		must(t, k.DeleteThing(t.Context(), access.System(), thing))
		refused(t, undo(admin, row.ID, 2), "thing_not_found")

		automated := newArea(a.ID, "AV")
		automated.EZTypeID = ref(wire.ID(avType))
		row, _, err := k.Areas.Create(t.Context(), super, automated)
		must(t, err)
		must(t, second(k.Areas.Edit(t.Context(), super, row.ID, 1, wire.AreaWrite{EZTypeID: ref(wire.ID(poiType))})))
		refused(t, undo(admin, row.ID, 2), "forbidden")
		must(t, undo(super, row.ID, 2))
		refused(t, undo(admin, row.ID, 3), "forbidden")
	})
}

// What moved to another organization goes back to where it was, by who reaches both in full.
func TestAnUndoneMoveReachesBothOrganizations(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	a, b := k.Organization("A"), k.Organization("B")
	admin, there := k.User(a.ID, "administrator"), k.User(b.ID, "administrator")
	admin.Organizations[b.ID] = access.Full
	row := madeArea(t, k, newArea(a.ID, "Depot"))
	must(t, second(k.Areas.Edit(t.Context(), admin, row.ID, 1, wire.AreaWrite{OrganizationID: ref(wire.ID(b.ID))})))
	refused(t, second(k.Areas.Undo(t.Context(), there, row.ID, 2)), "organization_not_found")
	if back, err := k.Areas.Undo(t.Context(), admin, row.ID, 2); err != nil || back.OrganizationID != a.ID {
		t.Errorf("%+v %v", back, err)
	}
}

// The list has the last change of each record that the caller may undo, and none out of reach.
func TestTheListOfWhatCanBeUndone(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		a, b := k.Organization("A"), k.Organization("B")
		admin, other := k.User(a.ID, "administrator"), k.User(b.ID, "administrator")
		list := func(actor *access.Actor, organizations ...string) (out []string) {
			t.Helper()
			rows, meta, err := k.ListUndo(t.Context(), actor, organizations)
			must(t, err)
			if meta.Total != len(rows) {
				t.Errorf("%+v", meta)
			}
			for _, row := range rows {
				out = append(out, fmt.Sprintf("%s %s %s %d by %s", row.Verb, row.Noun, row.Name, row.Version, row.By))
			}
			return out
		}
		expect := func(what string, got []string, want ...string) {
			t.Helper()
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s: %q, want %q", what, got, want)
			}
		}
		old := madeArea(t, k, newArea(a.ID, "Old"))
		must(t, second(k.Areas.Edit(t.Context(), admin, old.ID, 1, wire.AreaWrite{Name: ref("Older")})))
		k.Pass(24*time.Hour + time.Minute)
		made := madeArea(t, k, newArea(a.ID, "Made"))
		edited := madeArea(t, k, newArea(a.ID, "First"))
		must(t, second(k.Areas.Edit(t.Context(), admin, edited.ID, 1, wire.AreaWrite{Name: ref("Second")})))
		k.Pass(time.Second)
		must(t, second(k.Areas.Edit(t.Context(), admin, edited.ID, 2, wire.AreaWrite{Name: ref("Third")})))
		foreign := madeArea(t, k, newArea(b.ID, "Foreign"))
		must(t, k.Areas.Remove(t.Context(), other, foreign.ID))
		k.Pass(time.Second)
		must(t, k.Areas.Remove(t.Context(), admin, made.ID))
		expect("newest first", list(admin), "delete area Made 2 by You", "edit area Third 3 by You")
		expect("of another organization", list(other), "delete area Foreign 2 by You")
		if _, _, err := k.ListUndo(t.Context(), admin, []string{b.ID}); refusalOf(t, err).Code != "not_found" && refusalOf(t, err).Code != "organization_not_found" {
			t.Errorf("asked for another organization: %v", err)
		}
		reader := k.User(b.ID, "administrator")
		reader.Organizations[a.ID] = access.Read
		expect("to read is not to undo", list(reader, a.ID))
		if _, _, err := k.ListUndo(t.Context(), k.User(a.ID, "viewer"), nil); refusalOf(t, err).Code != "forbidden" {
			t.Errorf("a viewer asked: %v", err)
		}
		editor := *admin
		editor.Permissions = map[string]bool{"exclusion:update": true}
		expect("without the right to delete", list(&editor), "edit area Third 3 by You")
		must(t, second(k.Areas.Undo(t.Context(), admin, made.ID, 2)))
		expect("it came back", list(admin), "restore area Made 3 by You", "edit area Third 3 by You")

		k.Things(a.ID, "U", 1)
		opened := stood(t, k, a.ID, "U-0")
		moved, err := k.UpdateLocation(t.Context(), k.User(a.ID, "operator"), opened.ID, 0, movedTo(50, 0))
		must(t, err)
		if rows := list(k.User(a.ID, "operator")); len(rows) != 1 {
			t.Errorf("an operator undoes events alone: %q", rows)
		}
		must(t, second(k.UndoLocation(t.Context(), k.User(a.ID, "operator"), opened.ID, moved.Version)))
	})
}

// An edit of an event is undone as far as the law of edits goes: marker and heading are where they were, also where there was none.
func TestAnEditOfAnEventIsUndone(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		o, foreign := k.Organization("A"), k.Organization("B")
		k.Things(o.ID, "U", 2)
		opened := stood(t, k, o.ID, "U-0")
		operator := k.User(o.ID, "operator")
		undo := func(actor *access.Actor, id string, version int64) (wire.Location, error) {
			return k.UndoLocation(t.Context(), actor, id, version)
		}
		refused(t, second(undo(operator, opened.ID, opened.Version)), "undo_nothing")
		said := movedTo(60, 0)
		said.RoadwayHeading = ptr(90.0)
		first, err := k.UpdateLocation(t.Context(), operator, opened.ID, 0, said)
		must(t, err)
		refused(t, second(undo(k.User(o.ID, "viewer"), opened.ID, first.Version)), "forbidden")
		refused(t, second(undo(k.User(foreign.ID, "administrator"), opened.ID, first.Version)), "location_not_found")
		back, err := undo(operator, opened.ID, first.Version)
		must(t, err)
		if back.Lng != opened.Lng || back.RoadwayHeading != nil && opened.RoadwayHeading == nil || back.Version != first.Version+1 {
			t.Errorf("back %+v, opened %+v", back, opened)
		}
		for range 3 { // what assets do makes versions, too, and takes no undo away
			k.Pass(30 * time.Second)
			reportAt(t, k, o.ID, "U-1", 0, true)
		}
		again, err := undo(operator, opened.ID, back.Version)
		must(t, err)
		if again.Lng != first.Lng || again.RoadwayHeading == nil || *again.RoadwayHeading != 90 || len(again.ThingsActive) != 2 {
			t.Errorf("undone twice: %+v", again)
		}
		if r := refused(t, second(undo(operator, opened.ID, first.Version)), "conflict"); r.Current.(wire.Location).Version != again.Version || r.ChangedBy != "You" {
			t.Errorf("%+v", r)
		}
		if row := newestRow(t, s, "undo"); row.Noun != "location" || row.NounID != opened.ID {
			t.Errorf("%+v", row)
		}
		k.Pass(9 * 24 * time.Hour)
		must(t, k.AgeDue(t.Context()))
		refused(t, second(undo(operator, opened.ID, again.Version)), "location_not_active")
	})
}
