package store_test

import (
	"fmt"
	"testing"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
)

// What happened to a file is found by its id, however many rows the audit has beside it, and where a server of before wrote
// it without its mark, too.
func TestImportsOfAFileAreFound(t *testing.T) {
	const day = fleet.Instant(86_400_000)
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		write := func(id, organization, noun, file, verb string, at fleet.Instant) {
			t.Helper()
			fine(t, s.Write(t.Context(), func(tx *store.Tx) error {
				return tx.InsertAudit(t.Context(), fleet.AuditRow{ID: id, OrganizationID: organization, Noun: noun, NounID: file, Verb: verb, At: at,
					After: []byte(`{"count":1}`)})
			}))
		}
		found := func() (ids string) {
			t.Helper()
			rows, err := store.ImportsOf(t.Context(), s.Reader(), "A", "area_import", "f", 10*day, 3)
			fine(t, err)
			for i := range rows {
				ids += rows[i].ID + " "
			}
			return ids
		}
		write("1", "A", "area_import", "f", "import", 10*day-1)
		write("2", "A", "area_import", "f", "import", 10*day)
		write("3", "A", "area_import", "f", "undo", 10*day+5)
		write("4", "A", "area_import", "f", "import", 10*day+5)
		write("5", "A", "area_import", "g", "import", 10*day)
		write("6", "A", "hazard_import", "f", "import", 10*day)
		write("7", "B", "area_import", "f", "import", 10*day)
		write("8", "A", "area", "f", "update", 10*day)
		if got := found(); got != "4 3 2 " {
			t.Errorf("marked: %s", got)
		}
		fine(t, s.Write(t.Context(), func(tx *store.Tx) error {
			_, err := tx.ExecContext(t.Context(), "UPDATE audit SET whole = FALSE WHERE noun = 'area_import'")
			return err
		}))
		if got := found(); got != "4 3 2 " {
			t.Errorf("of before: %s", got)
		}
		write("9", "A", "area_import", "h", "import", 10*day-1)
		if got := found(); got != "" { // by now all of this day are marked
			t.Errorf("not by the index: %s", got)
		}
	})
}

// An asset that is shared with several who ask counts once, and one of their own not again; a page reads no more than it shows.
func TestFindingsAreCounted(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		for _, id := range []string{"A", "B", "C"} {
			put(t, s, "organization", cells{"id": id})
		}
		for i, thing := range []string{"both", "one", "own"} {
			owner := "C"
			if thing == "own" {
				owner = "A"
			}
			put(t, s, "thing", cells{"id": thing, "organization_id": owner, "thing_no": i + 1, "system_key": thing})
			put(t, s, "thing_relation", cells{"thing_id": thing, "organization_id": "B", "kind": fleet.RelationAccessor})
			if thing == "both" {
				put(t, s, "thing_relation", cells{"thing_id": thing, "organization_id": "A", "kind": fleet.RelationAccessor})
			}
			fine(t, s.Write(t.Context(), func(tx *store.Tx) error {
				for n := range i + 2 {
					f := fleet.Finding{ID: fmt.Sprint(thing, n), ThingID: thing, OrganizationID: owner, Rule: fleet.RuleAlertingAtStation,
						FoundAt: fleet.Instant(10*i + n), BeganAt: 1}
					if n == 0 {
						f.EndedAt = 5
					}
					fine(t, tx.PutFinding(t.Context(), &f))
				}
				return nil
			}))
		}
		for name, c := range map[string]struct {
			organizations []string
			state         string
			want          int
		}{
			"one who shares nothing but one":   {[]string{"A"}, "", 2 + 4},
			"the other":                        {[]string{"B"}, "", 2 + 3 + 4},
			"both":                             {[]string{"A", "B"}, "", 2 + 3 + 4},
			"both, the other way around":       {[]string{"B", "A"}, "", 2 + 3 + 4},
			"the owner of most, and a partner": {[]string{"C", "B"}, "", 2 + 3 + 4},
			"both, what is open":               {[]string{"A", "B"}, "open", 1 + 2 + 3},
			"both, what is over":               {[]string{"A", "B"}, "ended", 3},
		} {
			rows, total, err := store.FindingsPage(t.Context(), s.Reader(), store.FindingQuery{Organizations: c.organizations,
				Full: func(string) bool { return true }, State: c.state, First: 1, Most: 2})
			if err != nil || total != c.want || len(rows) != 2 || rows[0].FoundAt < rows[1].FoundAt {
				t.Errorf("%s: %d of %d %+v %v", name, len(rows), total, rows, err)
			}
		}
	})
}
