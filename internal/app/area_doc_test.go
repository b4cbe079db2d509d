package app_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

// round is a polygon of n corners about a place, as its coordinates.
func round(lat, lng, degrees float64, n int) string {
	var out []string
	for i := range n + 1 {
		turn := 2 * math.Pi * float64(i%n) / float64(n)
		out = append(out, fmt.Sprintf("[%.7f,%.7f]", lng+degrees*math.Cos(turn), lat+degrees*math.Sin(turn)))
	}
	return `{"type":"Polygon","coordinates":[[` + strings.Join(out, ",") + "]]}"
}

// auditOfAreas are the rows of an organization that tell of areas one by one, oldest first.
func auditOfAreas(t *testing.T, k *apptest.Kit, organization string) (out []fleet.AuditRow) {
	t.Helper()
	rows, err := store.ListAudit(t.Context(), k.App.Store.Reader(), organization, 0, 1000)
	must(t, err)
	for _, row := range rows {
		if row.Noun == "area" {
			out = append(out, row)
		}
	}
	return out
}

func shapeOf(t *testing.T, k *apptest.Kit, id string) string {
	t.Helper()
	x, err := store.Areas.ByID(t.Context(), k.App.Store.Reader(), id)
	must(t, err)
	if x.DeletedAt != 0 {
		return "deleted"
	}
	return x.Geometry
}

// The audit keeps no second copy of the shapes of a file, and all that can be undone is undone as before.
func TestTheAuditKeepsDigestsOfImportedShapes(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		o := k.Organization("A")
		admin := k.User(o.ID, "administrator")
		first, second := round(39.7, -75.5, 0.002, 100), round(39.7, -75.5, 0.003, 100)
		yard := newArea(o.ID, "Yard")
		yard.AreaGeom = wire.Geometry(first)
		kept, moved := madeArea(t, k, yard), madeArea(t, k, yard)
		was := shapeOf(t, k, kept.ID)
		byHand := len(auditOfAreas(t, k, o.ID))
		named := func(geometry, name, id string) string {
			return feature(geometry, `{"name":"`+name+`","ez_type":"poi","id":"`+id+`"}`)
		}
		made := "01910000-0000-7000-8000-00000000000a"
		in := wire.AreasImport{Content: collection(named(first, "New", made), named(first, "Renamed", kept.ID), named(second, "Moved", moved.ID))}
		done := importedAreas(t, k, admin, in)
		if counts(done) != "3: 1 made, 2 changed, 0 unchanged, 0 refused" {
			t.Fatalf("%+v", done)
		}
		after := map[string]string{}
		for _, row := range auditOfAreas(t, k, o.ID)[byHand:] {
			after[row.NounID] = shapeOf(t, k, row.NounID)
			whole := row.NounID == moved.ID // has another shape from then on
			if bytes.Contains(row.After, []byte("coordinates")) || bytes.Contains(row.Before, []byte("coordinates")) != whole ||
				!bytes.Contains(row.After, []byte(`"area_geom":{"sha256":"`)) || !bytes.Contains(row.After, []byte(`"name":`)) {
				t.Errorf("%s of %s: %s, %s", row.Verb, row.NounID, row.Before, row.After)
			}
		}
		imports := len(auditOfAreas(t, k, o.ID))
		undone, err := k.UndoAreaImport(t.Context(), admin, done.ImportID)
		must(t, err)
		if undone.Deleted != 1 || undone.Restored != 2 || undone.Left != 0 {
			t.Fatalf("undone: %+v", undone)
		}
		for id, want := range map[string]string{made: "deleted", kept.ID: was, moved.ID: was} {
			if got := shapeOf(t, k, id); got != want {
				t.Errorf("%s is %.60s, want %.60s", id, got, want)
			}
		}
		for _, row := range auditOfAreas(t, k, o.ID)[imports:] {
			if whole := row.NounID == moved.ID; bytes.Contains(row.Before, []byte("coordinates")) != whole || bytes.Contains(row.After, []byte("coordinates")) {
				t.Errorf("undo of %s: %s, %s", row.NounID, row.Before, row.After)
			}
		}
		// Each is brought back by hand to what the import had made of it, and the shape with it.
		for id, version := range map[string]int64{made: 2, kept.ID: 3, moved.ID: 3} {
			back, err := k.Areas.Undo(t.Context(), admin, id, version)
			must(t, err)
			if got := shapeOf(t, k, id); got != after[id] || back.Name == "Yard" {
				t.Errorf("%s came back as %.80s, want %.80s", back.Name, got, after[id])
			}
		}
	})
}

// An edit after an import has the shape that it replaced, and gives it back.
func TestAnEditAfterAnImportIsUndone(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o := k.Organization("A")
	admin := k.User(o.ID, "administrator")
	importedAreas(t, k, admin, wire.AreasImport{Content: collection(feature(round(39.7, -75.5, 0.002, 100), `{"name":"A","ez_type":"poi"}`))})
	list, err := k.ExportAreas(t.Context(), admin, nil)
	must(t, err)
	was := list[0]
	must(t, second(k.Areas.Edit(t.Context(), admin, was.ID, 0, wire.AreaWrite{AreaGeom: wire.Geometry(round(39.7, -75.5, 0.003, 60))})))
	if shapeOf(t, k, was.ID) == was.Geometry {
		t.Fatal("it was not edited")
	}
	must(t, second(k.Areas.Undo(t.Context(), admin, was.ID, 2)))
	if shapeOf(t, k, was.ID) != was.Geometry {
		t.Error("the shape of the import did not come back")
	}
}
