package app_test

import (
	"context"
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

const (
	poiType     = "01900000-0000-7000-8000-500000000001"
	stationType = "01900000-0000-7000-8000-500000000002"
	avType      = "01900000-0000-7000-8000-500000000007"
)

func ref[T any](v T) *T { return &v }

func newArea(organizationID, name string) wire.AreaWrite {
	return wire.AreaWrite{OrganizationID: ref(wire.ID(organizationID)), Name: &name, EZTypeID: ref(wire.ID(poiType)),
		PointGeom: &wire.PointGeom{Lat: 39.7, Lon: -75.5}}
}

func madeArea(t *testing.T, k *apptest.Kit, in wire.AreaWrite) wire.Area {
	t.Helper()
	row, _, err := k.Areas.Create(t.Context(), access.System(), in)
	if err != nil {
		t.Fatal(err)
	}
	return row
}

// A list of changes brings everything from the instant that the list before it
// carried: made, edited and deleted, also while a change is being committed.
//
// spec: 7.area.02 7.area.03 7.area.04 7.area.05
func TestAreasAreMadeEditedAndDeleted(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		a := k.Organization("A")
		admin := k.User(a.ID, "administrator")
		kept := madeArea(t, k, newArea(a.ID, "Kept"))
		row := madeArea(t, k, newArea(a.ID, "Depot"))
		if row.Version != 1 || row.RadiusDist != 100 || !row.IsActive || row.OrganizationName != "A" || row.EZType.DBName != "poi" {
			t.Errorf("made %+v", row)
		}
		list := func(since fleet.Instant) ([]wire.Area, fleet.Instant) {
			t.Helper()
			rows, meta, err := k.Areas.List(t.Context(), admin, app.Rows{Since: since})
			if err != nil || meta.Total != len(rows) {
				t.Fatalf("%+v %v", meta, err)
			}
			return rows, meta.AsOf
		}
		k.Pass(time.Second)
		rows, asOf := list(0)
		if len(rows) != 2 {
			t.Fatalf("listed %+v", rows)
		}
		k.Pass(time.Second)
		edited, err := k.Areas.Edit(t.Context(), admin, row.ID, 1, wire.AreaWrite{Desc: ref("Gate 2")})
		if err != nil || edited.Version != 2 || edited.Desc != "Gate 2" || edited.Name != "Depot" {
			t.Fatalf("edited %+v %v", edited, err)
		}
		if rows, _ := list(asOf); len(rows) != 1 || rows[0].Version != 2 {
			t.Errorf("since the list: %+v", rows)
		}
		_, err = k.Areas.Edit(t.Context(), admin, row.ID, 1, wire.AreaWrite{Desc: ref("Gate 3")})
		if refusal := refusalOf(t, err); refusal.Code != "conflict" || refusal.Current.(wire.Area).Desc != "Gate 2" {
			t.Errorf("an edit of an older version: %+v", refusal)
		}
		k.Pass(time.Second)
		if err := k.Areas.Remove(t.Context(), admin, row.ID); err != nil {
			t.Fatal(err)
		}
		if rows, _ := list(asOf); len(rows) != 1 || !rows[0].IsDeleted || rows[0].ID != row.ID {
			t.Errorf("since the list: %+v", rows)
		}
		if rows, _ := list(0); len(rows) != 1 || rows[0].ID != kept.ID {
			t.Errorf("listed %+v", rows)
		}
		// Of the organizations that are named, and of none out of reach.
		b := k.Organization("B")
		both := k.User(a.ID, "administrator")
		both.Organizations[b.ID] = access.Full
		theirs := madeArea(t, k, newArea(b.ID, "Theirs"))
		for want, of := range map[string][]string{kept.ID: {a.ID}, theirs.ID: {b.ID}} {
			rows, meta, err := k.Areas.List(t.Context(), both, app.Rows{OrganizationIDs: of})
			if err != nil || meta.Total != 1 || len(rows) != 1 || rows[0].ID != want {
				t.Errorf("of %v: %+v %+v %v", of, rows, meta, err)
			}
		}
		if rows, _, err := k.Areas.List(t.Context(), admin, app.Rows{OrganizationIDs: []string{b.ID}}); err == nil {
			t.Errorf("out of reach: %+v", rows)
		}
		// spec: 8.area.05
		for what, err := range map[string]error{"again": k.Areas.Remove(t.Context(), admin, row.ID),
			"read": second(k.Areas.Read(t.Context(), admin, row.ID)), "edited": second(k.Areas.Edit(t.Context(), admin, row.ID, 0, wire.AreaWrite{}))} {
			if refusal := refusalOf(t, err); refusal.Code != "not_found" || refusal.Message != "Area not found" {
				t.Errorf("%s: %+v", what, refusal)
			}
		}
		doc, err := store.VersionAt(t.Context(), s.Reader(), "area", row.ID, edited.UpdatedAt)
		if err != nil || len(doc) == 0 {
			t.Errorf("its version then: %s %v", doc, err)
		}
	})
}

func second[T any](_ T, err error) error { return err }

// While a change is open a list carries no instant later than the stamp of its rows.
func TestAListBesideAnOpenChangeMissesNothing(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	a := k.Organization("A")
	admin := k.User(a.ID, "administrator")
	row := madeArea(t, k, newArea(a.ID, "Depot"))
	var asOf fleet.Instant
	err := k.Change(t.Context(), func(c *live.Change, tx *store.Tx) error {
		k.Pass(time.Second)
		_, meta, err := k.Areas.List(t.Context(), admin, app.Rows{})
		if asOf = meta.AsOf; err != nil {
			return err
		}
		x, err := store.Areas.ByID(t.Context(), tx, row.ID)
		if err != nil {
			return err
		}
		x.Name, x.Version, x.UpdatedAt = "Yard", 2, c.Stamp()
		_, err = store.Areas.Update(t.Context(), tx, &x, 1)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if rows, _, err := k.Areas.List(t.Context(), admin, app.Rows{Since: asOf}); err != nil || len(rows) != 1 || rows[0].Name != "Yard" {
		t.Errorf("since the list: %+v %v", rows, err)
	}
}

// What is sent again makes no second area.
func TestAnAreaSentAgainIsTheSame(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		a := k.Organization("A")
		in := newArea(a.ID, "Depot")
		in.ID = ref(wire.ID(k.NewID()))
		send := func() (wire.Area, bool, error) { return k.Areas.Create(t.Context(), access.System(), in) }
		first, again, err := send()
		if err != nil || again {
			t.Fatal(again, err)
		}
		if row, again, err := send(); err != nil || !again || row.ID != first.ID || row.Version != 1 {
			t.Errorf("sent again: %+v %v %v", row, again, err)
		}
		in.Name = ref("Other")
		if _, _, err := send(); refusalOf(t, err).Code != "conflict" {
			t.Errorf("another one under its id: %v", err)
		}
		if err := k.Areas.Remove(t.Context(), access.System(), first.ID); err != nil {
			t.Fatal(err)
		}
		in.Name = ref("Depot")
		if _, _, err := send(); refusalOf(t, err).Code != "conflict" {
			t.Errorf("under the id of a deleted one: %v", err)
		}
	})
}

// spec: 5.area.01 5.area.02 5.area.03
func TestTheLawOfAreas(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	a, b := k.Organization("A"), k.Organization("B")
	foreign := k.Things(b.ID, "B", 1)[0].ID
	for _, c := range []struct {
		what, field, sentence string
		change                func(*wire.AreaWrite)
	}{
		{"no name", "name", "Required", func(in *wire.AreaWrite) { in.Name = nil }},
		{"an empty name", "name", "Required", func(in *wire.AreaWrite) { in.Name = ref(" ") }},
		{"a long name", "name", "100 Max Characters", func(in *wire.AreaWrite) { in.Name = ref(strings.Repeat("ä", 101)) }},
		{"no type", "ez_type_id", "Required", func(in *wire.AreaWrite) { in.EZTypeID = nil }},
		{"an unknown type", "ez_type_id", "Unknown type", func(in *wire.AreaWrite) { in.EZTypeID = ref(wire.ID(a.ID)) }},
		{"no position", "point_geom", "ERROR: Please set new map location. Click 'View Instructions' above if needed",
			func(in *wire.AreaWrite) { in.PointGeom = nil }},
		{"a radius without a circle's size", "radius_dist", "The radius must be from 1 to 641 meters",
			func(in *wire.AreaWrite) { in.RadiusDist = ref(1e9) }},
		{"a radius of nothing", "radius_dist", "The radius must be from 1 to 641 meters",
			func(in *wire.AreaWrite) { in.RadiusDist = ref(0.0) }},
		{"a shape that is none", "area_geom", "Exclusion shape is invalid: it must be a GeoJSON Polygon, MultiPolygon or LineString",
			func(in *wire.AreaWrite) { in.AreaGeom = wire.Geometry(`{"type":"Elephant"}`) }},
	} {
		in := newArea(a.ID, "Depot")
		c.change(&in)
		_, _, err := k.Areas.Create(t.Context(), access.System(), in)
		if refusal := refusalOf(t, err); refusal.Code != "validation_failed" || refusal.Fields[c.field] != c.sentence {
			t.Errorf("%s: %+v", c.what, refusal)
		}
	}
	in := newArea(a.ID, "Depot")
	in.ThingID = ref(wire.ID(foreign))
	if _, _, err := k.Areas.Create(t.Context(), access.System(), in); refusalOf(t, err).Code != "thing_not_found" {
		t.Errorf("with an asset of another organization: %v", err)
	}
}

// Whether an asset is another organization's is not to be learned by naming both.
func TestTheLawSaysNothingOfOrganizationsOutOfReach(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	a, b := k.Organization("A"), k.Organization("B")
	admin := k.User(a.ID, "administrator")
	own := madeArea(t, k, newArea(a.ID, "Depot"))
	for what, thing := range map[string]string{"theirs": k.Things(b.ID, "B", 1)[0].ID, "ours": k.Things(a.ID, "A", 1)[0].ID} {
		in := newArea(b.ID, "Depot")
		in.ThingID, in.Name = ref(wire.ID(thing)), ref("")
		refused(t, third(k.Areas.Create(t.Context(), admin, in)), "organization_not_found")
		in.Name = nil
		if err := second(k.Areas.Edit(t.Context(), admin, own.ID, 0, in)); refusalOf(t, err).Code != "organization_not_found" {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func third[T, U any](_ T, _ U, err error) error { return err }

// Areas for automated vehicles are changed by haas:manage alone.
//
// spec: 6.area.04
func TestAreasForAutomatedVehicles(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	a := k.Organization("A")
	admin, super := k.User(a.ID, "administrator"), k.User(a.ID, "super")
	in := newArea(a.ID, "AV")
	in.EZTypeID = ref(wire.ID(avType))
	forbidden := func(what string, err error) {
		t.Helper()
		if refusalOf(t, err).Code != "forbidden" {
			t.Errorf("%s: %v", what, err)
		}
	}
	_, _, err := k.Areas.Create(t.Context(), admin, in)
	forbidden("made", err)
	row, _, err := k.Areas.Create(t.Context(), super, in)
	if err != nil {
		t.Fatal(err)
	}
	forbidden("edited", second(k.Areas.Edit(t.Context(), admin, row.ID, 0, wire.AreaWrite{Name: ref("X")})))
	forbidden("deleted", k.Areas.Remove(t.Context(), admin, row.ID))
	poi := madeArea(t, k, newArea(a.ID, "POI"))
	forbidden("made one by an edit", second(k.Areas.Edit(t.Context(), admin, poi.ID, 0, wire.AreaWrite{EZTypeID: ref(wire.ID(avType))})))
}

// Every change is told to its organization as lists show the row.
func TestAreasAreToldOnTheStream(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	a := k.Organization("A")
	var row wire.Area
	heard := itemsOnTheStream(t, k, 1, func() {
		row = madeArea(t, k, newArea(a.ID, "Depot"))
		if _, err := k.Areas.Edit(t.Context(), access.System(), row.ID, 0, wire.AreaWrite{Name: ref("Yard")}); err != nil {
			t.Error(err)
		}
		if err := k.Areas.Remove(context.WithoutCancel(t.Context()), access.System(), row.ID); err != nil {
			t.Error(err)
		}
	})[a.ID]
	want := []string{string(wire.EncodeRow(fleet.MessageArea, row)), "", string(wire.EncodeRow(fleet.MessageArea, wire.Gone[wire.Area](row.ID)))}
	if len(heard) != 3 || !strings.Contains(string(heard[1].Body), `"name":"Yard"`) || string(heard[0].Body) != want[0] || string(heard[2].Body) != want[2] {
		t.Errorf("heard %+v", heard)
	}
}

// A station that is made, moved or deleted acts at once on the units that stand
// in it, told with the same change.
func TestAStationActsOnWhatStandsInIt(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		a := k.Organization("A")
		id := k.Things(a.ID, "U", 1)[0].ID
		standing := lit("U-0", k.At(), 39.7)
		standing.Alerting = false
		report(t, k, a.ID, standing)
		stationOf := func() string {
			t.Helper()
			_, state, _, _ := k.Live.Thing(id)
			return state.StationID
		}
		in := newArea(a.ID, "Station 9")
		in.EZTypeID = ref(wire.ID(stationType))
		row := madeArea(t, k, in)
		if stationOf() != row.ID {
			t.Errorf("made around it: %q", stationOf())
		}
		edit := func(w wire.AreaWrite) {
			t.Helper()
			if _, err := k.Areas.Edit(t.Context(), access.System(), row.ID, 0, w); err != nil {
				t.Fatal(err)
			}
		}
		edit(wire.AreaWrite{PointGeom: &wire.PointGeom{Lat: 39.8, Lon: -75.5}})
		if stationOf() != "" {
			t.Errorf("moved away: %q", stationOf())
		}
		edit(wire.AreaWrite{AreaGeom: wire.Geometry(`{"type":"Polygon","coordinates":[[[-75.502,39.698],[-75.498,39.698],[-75.498,39.702],[-75.502,39.702],[-75.502,39.698]]]}`)})
		if stationOf() != row.ID {
			t.Errorf("drawn around it: %q", stationOf())
		}
		edit(wire.AreaWrite{IsActive: ref(false)})
		if stationOf() != "" {
			t.Errorf("not active: %q", stationOf())
		}
		edit(wire.AreaWrite{IsActive: ref(true), Name: ref("Station 9a")})
		if stationOf() != row.ID {
			t.Errorf("active again: %q", stationOf())
		}
		k.Open(s, live.Options{})
		if stationOf() != row.ID {
			t.Errorf("after a start: %q", stationOf())
		}
		if err := k.Areas.Remove(t.Context(), access.System(), row.ID); err != nil {
			t.Fatal(err)
		}
		if stationOf() != "" {
			t.Errorf("deleted: %q", stationOf())
		}
	})
}
