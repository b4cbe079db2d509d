package app_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

// cutAfter ends what a call does once it has asked for so many ids.
func cutAfter(t *testing.T, k *apptest.Kit, ids int, call func(ctx context.Context) error) {
	t.Helper()
	ctx, cut := context.WithCancel(t.Context())
	defer cut()
	next := k.NewID
	defer func() { k.App.NewID, k.App.Audit.NewID = next, next }()
	counted := func() string {
		if ids--; ids == 0 {
			cut()
		}
		return next()
	}
	k.App.NewID, k.App.Audit.NewID = counted, counted
	if err := call(ctx); !errors.Is(err, context.Canceled) {
		t.Fatalf("it was not cut off: %v", err)
	}
}

func manyCircles(n int) string {
	var features []string
	for i := range n {
		features = append(features, feature(fmt.Sprintf(`{"type":"Point","coordinates":[%v,39.7]}`, -75.5+float64(i)/100),
			fmt.Sprintf(`{"name":"Post %d","ez_type":"poi"}`, i)))
	}
	return collection(features...)
}

func codeOfError(err error) string {
	if refusal := (*fleet.Refusal)(nil); errors.As(err, &refusal) {
		return refusal.Code
	}
	return fmt.Sprint(err)
}

// importsToUndo are the imports that are offered, and how many other changes.
func importsToUndo(t *testing.T, k *apptest.Kit, actor *access.Actor) (imports []wire.Undoable, others int) {
	t.Helper()
	rows, _, err := k.ListUndo(t.Context(), actor, nil)
	must(t, err)
	for _, row := range rows {
		if row.Verb == "import" {
			imports = append(imports, row)
		} else {
			others++
		}
	}
	return imports, others
}

func areasNow(t *testing.T, k *apptest.Kit, actor *access.Actor) int {
	t.Helper()
	list, err := k.ExportAreas(t.Context(), actor, nil)
	must(t, err)
	return len(list)
}

// An import that was cut off and sent again has each area of its file once, and is undone as one.
func TestAnImportOfAreasIsRepeatable(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		for _, percent := range []int{15, 45, 80} {
			admin := k.User(k.Organization(fmt.Sprint("O", percent)).ID, "administrator")
			in := wire.AreasImport{Content: manyCircles(100)}
			cutAfter(t, k, percent, func(ctx context.Context) error { return second(k.ImportAreas(ctx, admin, in)) })
			before := areasNow(t, k, admin)
			if before >= 100 || percent > 25 && before == 0 {
				t.Fatalf("%d areas after %d %%", before, percent)
			}
			rest := importedAreas(t, k, admin, in)
			if want := fmt.Sprintf("100: %d made, 0 changed, %d unchanged, 0 refused", 100-before, before); counts(rest) != want || rest.ImportID == "" {
				t.Errorf("the rest: %+v, want %s", rest, want)
			}
			again := importedAreas(t, k, admin, in)
			if counts(again) != "100: 0 made, 0 changed, 100 unchanged, 0 refused" || again.ImportID != rest.ImportID || areasNow(t, k, admin) != 100 {
				t.Errorf("again: %+v", again)
			}
			imports, others := importsToUndo(t, k, admin)
			if len(imports) != 1 || others != 0 || imports[0].ID != rest.ImportID || imports[0].Verb != "import" ||
				imports[0].Name != "100 areas" {
				t.Fatalf("to undo: %+v, and %d", imports, others)
			}
			cutAfter(t, k, 60, func(ctx context.Context) error { return second(k.UndoAreaImport(ctx, admin, rest.ImportID)) })
			if n := areasNow(t, k, admin); n == 0 || n == 100 {
				t.Errorf("an undo that was cut off leaves %d", n)
			}
			undone, err := k.UndoAreaImport(t.Context(), admin, rest.ImportID)
			must(t, err)
			if undone.Deleted != 100 || undone.Left != 0 || areasNow(t, k, admin) != 0 {
				t.Errorf("undone %+v, and %d are there", undone, areasNow(t, k, admin))
			}
			if got := codeOfError(second(k.UndoAreaImport(t.Context(), admin, rest.ImportID))); got != "import_undone" {
				t.Errorf("twice: %s", got)
			}
			if imports, others := importsToUndo(t, k, admin); len(imports) != 0 || others > 100 {
				t.Errorf("to undo afterwards: %+v, and %d", imports, others)
			}
			if got := importedAreas(t, k, admin, in); counts(got) != "100: 100 made, 0 changed, 0 unchanged, 0 refused" {
				t.Errorf("after the undo: %+v", got)
			}
		}
	})
}

// What people did to areas after an import stands: when the file is sent again, and when the import is undone.
func TestWhatPeopleDidAfterAnImportStands(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		o := k.Organization("A")
		admin, stranger := k.User(o.ID, "administrator"), k.User(k.Organization("B").ID, "administrator")
		yard := madeArea(t, k, newArea(o.ID, "Yard"))
		in := wire.AreasImport{Content: collection(
			feature(`{"type":"Point","coordinates":[-75.5,39.7]}`, `{"name":"A","ez_type":"poi"}`),
			feature(`{"type":"Point","coordinates":[-75.5,39.7]}`, `{"name":"B","ez_type":"poi"}`),
			feature(`{"type":"Point","coordinates":[-75.5,39.7]}`, `{"name":"C","ez_type":"poi"}`),
			feature(`{"type":"Point","coordinates":[-75.4,39.7]}`, `{"name":"New yard","id":"`+yard.ID+`"}`))}
		first := importedAreas(t, k, admin, in)
		if counts(first) != "4: 3 made, 1 changed, 0 unchanged, 0 refused" {
			t.Fatalf("%+v", first)
		}
		list, err := k.ExportAreas(t.Context(), admin, nil)
		must(t, err)
		ids := map[string]string{}
		for _, x := range list {
			ids[x.Name] = x.ID
		}
		must(t, k.Areas.Remove(t.Context(), admin, ids["A"]))
		must(t, second(k.Areas.Edit(t.Context(), admin, ids["B"], 0, wire.AreaWrite{Name: ref("B by hand")})))
		again := importedAreas(t, k, admin, in)
		if counts(again) != "4: 0 made, 0 changed, 3 unchanged, 1 refused" || again.Problems[0].Field != "id" || areasNow(t, k, admin) != 3 {
			t.Errorf("again %+v", again)
		}
		if got := codeOfError(second(k.UndoAreaImport(t.Context(), stranger, first.ImportID))); got != "not_found" {
			t.Errorf("a stranger: %s", got)
		}
		if got := codeOfError(second(k.UndoAreaImport(t.Context(), k.User(o.ID, "viewer"), first.ImportID))); got != "forbidden" {
			t.Errorf("a viewer: %s", got)
		}
		undone, err := k.UndoAreaImport(t.Context(), admin, first.ImportID)
		must(t, err)
		if undone.Deleted != 1 || undone.Restored != 1 || undone.Left != 2 || len(undone.Reasons) != 2 {
			t.Errorf("undone %+v", undone)
		}
		back, err := k.Areas.Read(t.Context(), admin, yard.ID)
		must(t, err)
		if back.Name != "Yard" || back.PointGeom != yard.PointGeom || areasNow(t, k, admin) != 2 {
			t.Errorf("the yard is %+v", back)
		}
		late := importedAreas(t, k, admin, wire.AreasImport{Content: manyCircles(1)})
		k.Pass(24*time.Hour + time.Second)
		if got := codeOfError(second(k.UndoAreaImport(t.Context(), admin, late.ImportID))); got != "import_final" {
			t.Errorf("a day later: %s", got)
		}
	})
}
