package app_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

// A file is read row by row: what cannot be taken is counted by its reason, a
// preview writes nothing, and the same file again changes nothing, whether it says when or not.
func TestHazardsAreImportedFromAFile(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		o := k.Organization("A")
		admin := k.User(o.ID, "administrator")
		file := wire.HazardImport{Format: "csv", Name: "roads.csv", TimeFormat: "yyyy-MM-dd HH:mm", Timezone: "America/New_York",
			Content: "id,lat,lng,type,description,updated\n" +
				"R-1,39.7,-75.5,ice,Bridge,2026-11-21 06:30\n" + // 11:30 UTC; the clock says 12:00
				"R-2,39.8,-75.5,snow,,\n" +
				"R-3,39.8,-75.5,snow,,2026-11-21 05:00\n" +
				"R-2,39.8,-75.5,snow,,\n" +
				",39.8,-75.5,snow,,\n"}
		counts := func(what string, in wire.HazardImport) wire.HazardImported {
			t.Helper()
			out, err := k.ImportHazards(t.Context(), admin, in)
			must(t, err)
			if out.Total != 5 || out.Kept != 2 || out.Refused != 3 || fmt.Sprint(out.Reasons) != "[{too_old 1} {id_repeated 1} {id_missing 1}]" ||
				len(out.Problems) != 3 || out.Problems[0].Row != 4 {
				t.Errorf("%s: %+v", what, out)
			}
			return out
		}
		file.Preview = true
		if out := counts("preview", file); len(out.Rows) != 2 || out.Rows[0].Source != "import: roads.csv" || out.Rows[0].ExpiresAt != k.At().Add(30*time.Minute) {
			t.Errorf("preview: %+v", out.Rows)
		}
		if rows := hazardsOf(t, k, admin); len(rows) != 0 {
			t.Errorf("a preview wrote %+v", rows)
		}
		file.Preview = false
		counts("import", file)
		rows := hazardsOf(t, k, admin)
		if len(rows) != 2 || rows[0].Type != "ice" || rows[0].Description != "Bridge" || rows[1].ExpiresAt != k.At().Add(time.Hour) {
			t.Errorf("imported: %+v", rows)
		}
		audited := func() int {
			list, err := store.SearchAudit(t.Context(), s.Reader(), store.AuditQuery{OrganizationID: o.ID, To: 1 << 60, Noun: "hazard_import", Verb: "import", Limit: 10})
			must(t, err)
			return len(list)
		}
		k.Pass(time.Minute)
		counts("again", file)
		if again := hazardsOf(t, k, admin); fmt.Sprintf("%+v", again) != fmt.Sprintf("%+v", rows) || audited() != 1 {
			t.Errorf("the same file again made %+v, %d rows of the audit", again, audited())
		}
		must(t, second(k.ClearHazard(t.Context(), admin, rows[0].ID)))
		counts("after one was cleared", file)
		if h := hazardsOf(t, k, admin)[0]; h.IsActive {
			t.Errorf("the same file opened what was cleared: %+v", h)
		}

		var full strings.Builder
		full.WriteString("id,lat,lng\n")
		for i := range 2001 {
			fmt.Fprintf(&full, "F-%d,39.7,-75.5\n", i)
		}
		many := wire.HazardImport{Format: "csv", Name: "many.csv", Content: full.String()}
		out, err := k.ImportHazards(t.Context(), admin, many)
		if err != nil || out.Kept != 1999 || out.Refused != 2 || fmt.Sprint(out.Reasons) != "[{too_many 2}]" {
			t.Errorf("beside one that is active: kept %d, refused %v, %v", out.Kept, out.Reasons, err)
		}
	})
}

// Only who may edit an organization imports into it, and what cannot be understood is refused by its field.
func TestImportsOfHazardsAreRefused(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o, other := k.Organization("A"), k.Organization("B")
	admin := k.User(o.ID, "administrator")
	good := wire.HazardImport{Format: "csv", Name: "a.csv", Content: "id,lat,lng\n"}
	_, err := k.ImportHazards(t.Context(), k.User(o.ID, "manager"), good)
	refused(t, err, "forbidden")
	theirs := good
	theirs.OrganizationID = wire.ID(other.ID)
	_, err = k.ImportHazards(t.Context(), admin, theirs)
	refused(t, err, "organization_not_found")
	accessed := k.User(o.ID, "administrator")
	accessed.Organizations[other.ID] = access.Read
	_, err = k.ImportHazards(t.Context(), accessed, theirs)
	refused(t, err, "organization_not_found")
	for field, with := range map[string]func(*wire.HazardImport){
		"name":       func(in *wire.HazardImport) { in.Name = " " },
		"format":     func(in *wire.HazardImport) { in.Format = "xml" },
		"timezone":   func(in *wire.HazardImport) { in.Timezone = "Mars/Olympus" },
		"types.x":    func(in *wire.HazardImport) { in.Types = map[string]string{"x": "moose"} },
		"content":    func(in *wire.HazardImport) { in.Content = "" },
		"columns.id": func(in *wire.HazardImport) { in.Columns = &wire.HazardColumns{ID: "Ref"} },
	} {
		in := good
		with(&in)
		_, err := k.ImportHazards(t.Context(), admin, in)
		if refusal := refusalOf(t, err); refusal.Code != "validation_failed" || refusal.Fields[field] == "" {
			t.Errorf("%s: %+v", field, refusal)
		}
	}
	large := good
	large.Content += strings.Repeat(" ", 10<<20)
	_, err = k.ImportHazards(t.Context(), admin, large)
	refused(t, err, "too_large")
}
