package app_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

// manyAssets is a file of new assets, and of the rows that follow them.
func manyAssets(n int, rows ...string) string {
	var csv strings.Builder
	csv.WriteString("haas_id,thing_type,external_id\n")
	for i := range n {
		fmt.Fprintf(&csv, "NEW-%d,fire,\n", i)
	}
	return csv.String() + strings.Join(rows, "\n")
}

// importUnderWay previews a file and applies it in the background.
func importUnderWay(t *testing.T, k *apptest.Kit, actor *access.Actor, in app.ThingImport) <-chan error {
	t.Helper()
	preview, err := k.ImportThings(t.Context(), actor, in)
	if err != nil {
		t.Fatal(err)
	}
	in.Digest = preview.Digest
	done := make(chan error, 1)
	go func() {
		_, err := k.ImportThings(t.Context(), actor, in)
		done <- err
	}()
	return done
}

func TestReportsAreTakenDuringAnImportOfAssets(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o := k.Organization("A")
	admin := k.User(o.ID, "administrator")
	k.Things(o.ID, "U", 1)
	done := importUnderWay(t, k, admin, app.ThingImport{CSV: manyAssets(1000)})
	among := map[int]bool{} // how many assets there were when a report was taken
	for {
		select {
		case err := <-done:
			if err != nil || k.Live.CountOwned(o.ID) != 1001 {
				t.Errorf("%d assets, %v", k.Live.CountOwned(o.ID), err)
			}
			if delete(among, 1); len(among) < 3 {
				t.Errorf("reports were taken among %v assets: the import did not give way", among)
			}
			return
		default:
			k.Pass(time.Second)
			report(t, k, o.ID, lit("U-0", k.At(), 39.7))
			among[k.Live.CountOwned(o.ID)] = true
		}
	}
}

// What an import has done when it ends in the middle stays, the same file does the rest, and each is undone by itself.
func TestAnImportOfAssetsThatIsCutOffGoesOn(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o := k.Organization("A")
	admin := k.User(o.ID, "administrator")
	threeThings(t, k, admin, o.ID)
	before := csvOf(t, k, admin)
	in := app.ThingImport{CSV: manyAssets(200, "U-0,police,", "U-1,,EXT-1", "")}
	preview, err := k.ImportThings(t.Context(), admin, in)
	if err != nil {
		t.Fatal(err)
	}
	cut := in
	cut.Digest = preview.Digest
	cutAfter(t, k, 200+200, func(ctx context.Context) error { // an id for each row that is planned, two for each that is stored
		_, err := k.ImportThings(ctx, admin, cut)
		return err
	})
	made := k.Live.CountOwned(o.ID) - 3
	if made == 0 || made%50 != 0 || made > 150 {
		t.Fatalf("%d assets were made before it was cut off", made)
	}
	rest := imported(t, k, admin, in)
	if rest.Unchanged != made || rest.Create != 200-made || rest.Update != 2 {
		t.Errorf("the rest: %+v", counts3(rest))
	}
	k.Prove(admin)
	for _, row := range importsOf(t, k, o.ID) {
		if got := undone(t, k, admin, row); len(got.Left) != 0 {
			t.Errorf("%+v", got)
		}
	}
	if after := csvOf(t, k, admin); after != before {
		t.Errorf("after both are undone:\n%s\nbefore:\n%s", after, before)
	}
}

func counts3(r wire.ImportResult) string { return fmt.Sprint(r.Create, r.Update, r.Unchanged) }

// importsOf are the ids of an organization's imports, oldest first.
func importsOf(t *testing.T, k *apptest.Kit, organizationID string) (ids []string) {
	t.Helper()
	rows, err := store.ListAudit(t.Context(), k.Store.Reader(), organizationID, 0, 10_000)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		if row.Verb == "import" {
			ids = append(ids, row.ID)
		}
	}
	return ids
}

// An asset that somebody changes while a file is imported is not overwritten: the import says how far it came.
func TestAnAssetThatChangesDuringAnImport(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o := k.Organization("A")
	admin := k.User(o.ID, "administrator")
	k.Things(o.ID, "U", 1)
	id := byName(t, k, o.ID, "U-0").ID
	in := app.ThingImport{CSV: manyAssets(1000, "U-0,police,\n")}
	preview, err := k.ImportThings(t.Context(), admin, in)
	if err != nil {
		t.Fatal(err)
	}
	in.Digest = preview.Digest
	next, ids, edited := k.NewID, 0, make(chan error, 1)
	counted := func() string {
		if ids++; ids == 1000+50 { // the first piece is being stored: the edit waits for its end
			go func() {
				_, err := k.UpdateThing(t.Context(), admin, id, wire.ThingWrite{Nickname: text("By hand")})
				edited <- err
			}()
		}
		return next()
	}
	k.App.NewID = counted
	_, err = k.ImportThings(t.Context(), admin, in)
	k.App.NewID = next
	if err := <-edited; err != nil {
		t.Fatal(err)
	}
	refusal := refusalOf(t, err)
	if refusal.Code != "import_changed" ||
		refusal.Message != "The import stopped after 1000 of 1001 changes. The assets changed after the preview. Review the new preview." {
		t.Errorf("%+v", refusal)
	}
	if got := byName(t, k, o.ID, "U-0"); got.Nickname != "By hand" || got.TypeID != byName(t, k, o.ID, "NEW-0").TypeID {
		t.Errorf("the edit was overwritten: %+v", got)
	}
}

// Rows that pass names on may be far from each other; none is given twice in between, and an undo gives all back.
func TestNamesThatAnImportPassesOn(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		o := k.Organization("A")
		admin := k.User(o.ID, "administrator")
		threeThings(t, k, admin, o.ID)
		imported(t, k, admin, app.ThingImport{CSV: "haas_id,external_id\nU-0,ONE\nU-1,TWO\nU-2,THREE\n"})
		before := csvOf(t, k, admin)
		k.Pass(time.Minute)
		csv := manyAssets(70, "TAKES,fire,THREE", "U-0,,TWO")
		for i := range 70 {
			csv += fmt.Sprintf("\nMORE-%d,fire,", i)
		}
		result := imported(t, k, admin, app.ThingImport{CSV: csv + "\nU-1,,ONE\nU-2,,FOUR\n"})
		for name, want := range map[string]string{"U-0": "TWO", "U-1": "ONE", "U-2": "FOUR", "TAKES": "THREE"} {
			if got := byName(t, k, o.ID, name).ExternalID; got != want {
				t.Errorf("%s is called %q, want %q", name, got, want)
			}
		}
		k.Prove(admin)
		if got := undone(t, k, admin, result.ImportID); got.Deleted != 141 || got.Restored != 3 || len(got.Left) != 0 {
			t.Errorf("%+v", got)
		}
		if after := csvOf(t, k, admin); after != before {
			t.Errorf("after the undo:\n%s\nbefore:\n%s", after, before)
		}
	})
}

// An asset that an undo leaves keeps its name, and the one that gave it away is named, not given it twice.
func TestAnUndoGivesNoNameTwice(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o := k.Organization("A")
	admin := k.User(o.ID, "administrator")
	k.Things(o.ID, "U", 1)
	imported(t, k, admin, app.ThingImport{CSV: "haas_id,external_id\nU-0,ONE\n"})
	k.Pass(time.Minute)
	result := imported(t, k, admin, app.ThingImport{CSV: "haas_id,thing_type,external_id\nU-0,,OTHER\nNEW,fire,ONE\n"})
	hears(t, k, o.ID, "NEW")
	k.Prove(admin)
	got := undone(t, k, admin, result.ImportID)
	reasons := map[string]string{}
	for _, left := range got.Left {
		reasons[left.HaasID] = left.Reason
	}
	if got.Deleted+got.Restored != 0 || reasons["NEW"] != "It has reported in the meantime." ||
		reasons["U-0"] != "Its external ID is in use by another asset now." {
		t.Errorf("%+v", got)
	}
	if found := k.Live.Named(o.ID, "ONE"); len(found) != 1 {
		t.Errorf("%d assets are called ONE", len(found))
	}
}

// An undo that was cut off is sent again: what is back already is counted, and not called changed by others.
func TestAnUndoOfAssetsThatIsCutOffGoesOn(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o := k.Organization("A")
	admin := k.User(o.ID, "administrator")
	k.Things(o.ID, "U", 120)
	before := csvOf(t, k, admin)
	var csv strings.Builder
	csv.WriteString("haas_id,nickname\n")
	for i := range 120 {
		fmt.Fprintf(&csv, "U-%d,Ladder %d\n", i, i)
	}
	k.Pass(time.Minute)
	result := imported(t, k, admin, app.ThingImport{CSV: csv.String()})
	k.Prove(admin)
	cutAfter(t, k, 60, func(ctx context.Context) error {
		_, err := k.UndoImport(ctx, admin, result.ImportID)
		return err
	})
	if byName(t, k, o.ID, "U-0").Nickname == "Ladder 0" || byName(t, k, o.ID, "U-119").Nickname != "Ladder 119" {
		t.Fatal("it was not cut off in the middle")
	}
	if got := undone(t, k, admin, result.ImportID); got.Restored != 120 || len(got.Left) != 0 {
		t.Errorf("%d restored, %d left", got.Restored, len(got.Left))
	}
	if after := csvOf(t, k, admin); after != before {
		t.Error("not all is what it was")
	}
}
