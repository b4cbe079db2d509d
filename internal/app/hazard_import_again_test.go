package app_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

func hazardRows(n int) wire.HazardImport {
	var rows strings.Builder
	rows.WriteString("id,lat,lng,type\n")
	for i := range n {
		fmt.Fprintf(&rows, "H-%d,39.7,%v,ice\n", i, -75.5+float64(i)/1000)
	}
	return wire.HazardImport{Format: "csv", Name: "roads.csv", Content: rows.String()}
}

func textOf(t *testing.T, rows []wire.Hazard) string {
	t.Helper()
	text, err := json.Marshal(rows)
	must(t, err)
	return string(text)
}

// An import that was cut off and sent again has each hazard of its file once, and is undone as one.
func TestAnImportOfHazardsIsRepeatable(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		for _, percent := range []int{15, 45, 80} {
			admin := k.User(k.Organization(fmt.Sprint("O", percent)).ID, "administrator")
			in := hazardRows(100)
			cutAfter(t, k, percent, func(ctx context.Context) error { return second(k.ImportHazards(ctx, admin, in)) })
			before := len(hazardsOf(t, k, admin))
			if before >= 100 || percent > 25 && before == 0 {
				t.Fatalf("%d hazards after %d %%", before, percent)
			}
			k.Pass(time.Minute)
			rest, err := k.ImportHazards(t.Context(), admin, in)
			must(t, err)
			if rest.Kept != 100 || rest.ImportID == "" || len(hazardsOf(t, k, admin)) != 100 {
				t.Errorf("the rest: %+v", rest)
			}
			stand := textOf(t, hazardsOf(t, k, admin))
			in.Name = "the same by another name.csv"
			again, err := k.ImportHazards(t.Context(), admin, in)
			if must(t, err); again.Kept != 100 || again.ImportID != rest.ImportID || textOf(t, hazardsOf(t, k, admin)) != stand {
				t.Errorf("again: %+v", again)
			}
			imports, others := importsToUndo(t, k, admin)
			if len(imports) != 1 || others != 0 || imports[0].ID != rest.ImportID || imports[0].Noun != "hazard_import" || imports[0].Name != "roads.csv" {
				t.Fatalf("to undo: %+v, and %d", imports, others)
			}
			cutAfter(t, k, 60, func(ctx context.Context) error { return second(k.UndoHazardImport(ctx, admin, rest.ImportID)) })
			if n := len(hazardsOf(t, k, admin)); n == 0 || n == 100 {
				t.Errorf("an undo that was cut off leaves %d", n)
			}
			undone, err := k.UndoHazardImport(t.Context(), admin, rest.ImportID)
			must(t, err)
			if undone.Deleted != 100 || undone.Left != 0 || len(hazardsOf(t, k, admin)) != 0 {
				t.Errorf("undone %+v", undone)
			}
			if got := codeOfError(second(k.UndoHazardImport(t.Context(), admin, rest.ImportID))); got != "import_undone" {
				t.Errorf("twice: %s", got)
			}
			if imports, _ := importsToUndo(t, k, admin); len(imports) != 0 {
				t.Errorf("to undo afterwards: %+v", imports)
			}
			k.Pass(time.Minute)
			if anew, err := k.ImportHazards(t.Context(), admin, in); err != nil || anew.ImportID == rest.ImportID || len(hazardsOf(t, k, admin)) != 100 {
				t.Errorf("after the undo: %+v %v", anew, err)
			}
		}
	})
}

// What others did to hazards after an import stands: when the file is sent again, and when the import is undone. What
// time alone did is undone with the rest.
func TestWhatOthersDidAfterAnImportOfHazardsStands(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		o := k.Organization("A")
		admin, stranger := k.User(o.ID, "administrator"), k.User(k.Organization("B").ID, "administrator")
		old := danger(k, "OLD", "debris")
		old.HasDescription, old.Description = true, "A ladder"
		tellHazards(t, k, o.ID, old, danger(k, "BY-KEY", "debris"))
		byID := func() map[string]wire.Hazard {
			t.Helper()
			out := map[string]wire.Hazard{}
			for _, h := range hazardsOf(t, k, admin) {
				out[h.ExternalID] = h
			}
			return out
		}
		k.Pass(time.Minute)
		before := byID()
		in := wire.HazardImport{Format: "csv", Name: "roads.csv", Timezone: "UTC", TimeFormat: "yyyy-MM-dd HH:mm", Content: "id,lat,lng,type,updated\n" +
			"CONFIRMED,39.7,-75.5,ice,\nCLEARED,39.7,-75.5,ice,\nSAID,39.7,-75.5,ice,\nUNTOUCHED,39.7,-75.5,ice,\nOLD,39.8,-75.5,ice,\n" +
			"TIMED,39.7,-75.5,ice," + k.Now().UTC().Format("2006-01-02 15:04") + "\n"}
		first, err := k.ImportHazards(t.Context(), admin, in)
		must(t, err)
		if first.Kept != 6 || first.ImportID == "" || first.UndoUntil != k.At().Add(24*time.Hour) {
			t.Fatalf("%+v", first)
		}
		now := byID()
		if now["OLD"].Type != "ice" || now["OLD"].Lat != 39.8 {
			t.Errorf("imported: %+v", now["OLD"])
		}
		k.Pass(time.Minute)
		must(t, second(k.ConfirmHazard(t.Context(), admin, now["CONFIRMED"].ID)))
		must(t, second(k.ClearHazard(t.Context(), admin, now["CLEARED"].ID)))
		timed := danger(k, "TIMED", "fog") // of the same instant, by another
		timed.At = timed.At.Add(-time.Minute)
		tellHazards(t, k, o.ID, danger(k, "SAID", "crash"), timed)
		k.Pass(time.Minute)
		stand := textOf(t, hazardsOf(t, k, admin))
		again, err := k.ImportHazards(t.Context(), admin, in)
		must(t, err)
		if again.Kept != 6 || again.ImportID != first.ImportID || textOf(t, hazardsOf(t, k, admin)) != stand {
			t.Errorf("again %+v: %+v", again, byID())
		}
		if got := codeOfError(second(k.UndoHazardImport(t.Context(), stranger, first.ImportID))); got != "not_found" {
			t.Errorf("a stranger: %s", got)
		}
		if got := codeOfError(second(k.UndoHazardImport(t.Context(), k.User(o.ID, "manager"), first.ImportID))); got != "forbidden" {
			t.Errorf("a manager: %s", got)
		}
		if got := codeOfError(second(k.UndoAreaImport(t.Context(), admin, first.ImportID))); got != "not_found" {
			t.Errorf("as an import of areas: %s", got)
		}
		k.Pass(59 * time.Minute)
		must(t, k.AgeDue(t.Context()))
		if h := byID()["UNTOUCHED"]; h.IsActive {
			t.Fatalf("it has not expired: %+v", h)
		}
		undone, err := k.UndoHazardImport(t.Context(), admin, first.ImportID)
		must(t, err)
		reasons := map[string]string{}
		for _, left := range undone.Reasons {
			reasons[left.Name] = left.Reason
		}
		want := map[string]string{"CONFIRMED": "It was confirmed in the meantime.", "CLEARED": "It was cleared in the meantime.",
			"SAID": "It was changed in the meantime.", "TIMED": "It was changed in the meantime."}
		if undone.Deleted != 1 || undone.Restored != 1 || undone.Left != 4 || fmt.Sprint(reasons) != fmt.Sprint(want) {
			t.Errorf("undone %+v", undone)
		}
		after := byID()
		back, was := after["OLD"], before["OLD"]
		if _, there := after["UNTOUCHED"]; there || len(after) != 6 || back.Type != "debris" || back.Description != "A ladder" || back.Lat != was.Lat ||
			back.Source != was.Source || back.ExpiresAt != was.ExpiresAt {
			t.Errorf("after the undo: %+v", after)
		}
		gone, err := k.Hazards.Read(t.Context(), admin, now["UNTOUCHED"].ID)
		if err != nil || gone.IsActive || reasonOf(gone) != fleet.HazardExpired {
			t.Errorf("what was undone: %+v %v", gone, err)
		}
		late, err := k.ImportHazards(t.Context(), admin, hazardRows(1))
		must(t, err)
		k.Pass(24*time.Hour + time.Second)
		if got := codeOfError(second(k.UndoHazardImport(t.Context(), admin, late.ImportID))); got != "import_final" {
			t.Errorf("a day later: %s", got)
		}
	})
}

// A hazard that a unit drove through stays withdrawn; one that two files have told of is what the first file said.
func TestUndoneImportsOfHazardsLeaveWhatUnitsAndOtherFilesSaid(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o := k.Organization("A")
	admin := k.User(o.ID, "administrator")
	file := func(kind string) string {
		out, err := k.ImportHazards(t.Context(), admin, wire.HazardImport{Format: "csv", Name: kind, Content: "id,lat,lng,type\nQ,39.7,-75.5," + kind + "\n"})
		must(t, err)
		k.Pass(time.Minute)
		return out.ImportID
	}
	undone := func(id string) string {
		out, err := k.UndoHazardImport(t.Context(), admin, id)
		must(t, err)
		return fmt.Sprint(out)
	}
	ice, fog := file("ice"), file("fog")
	if got := undone(fog); got != "{0 1 0 []}" || onlyHazard(t, k, admin).Type != "ice" || onlyHazard(t, k, admin).Source != "import: ice" {
		t.Errorf("the second: %s, %+v", got, onlyHazard(t, k, admin))
	}
	if got := undone(ice); got != "{1 0 0 []}" || len(hazardsOf(t, k, admin)) != 0 {
		t.Errorf("then the first: %s, %+v", got, hazardsOf(t, k, admin))
	}
	queue := file("stopped_traffic")
	k.Things(o.ID, "E", 1)
	drive(t, k, o.ID, "E-0", -20, 48)
	drive(t, k, o.ID, "E-0", 20, 48)
	if got := undone(queue); !strings.Contains(got, "It was withdrawn in the meantime.") || reasonOf(onlyHazard(t, k, admin)) != "withdrawn" {
		t.Errorf("what a unit drove through: %s, %+v", got, onlyHazard(t, k, admin))
	}
}
