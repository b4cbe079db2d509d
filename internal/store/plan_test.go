package store_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"lightbar/internal/store"
	"lightbar/internal/store/engine"
	"lightbar/internal/store/storetest"
)

// A deletion reads the rows that were looked at and no others: it holds the writer, and the old rows may be millions.
func TestDeletionsSeekTheirRows(t *testing.T) {
	s := storetest.SQLite(t)
	for _, sweep := range store.Sweeps() {
		switch sweep.Table {
		case "hazard", "visit", "feed_fetch": // by a part of their key: few rows share it
			continue
		case "feed_subscription", "integration", "export": // all of an organization's are few
			continue
		}
		drop := sweep.Texts()[1]
		plan, err := planOf(t, s, drop)
		fine(t, err)
		key := strings.Join(sweep.Key, ",")
		if want := "(" + key + ")>("; len(sweep.Key) > 1 && (!strings.Contains(plan[0], want) || !strings.Contains(plan[0], "("+key+")<(")) ||
			len(sweep.Key) == 1 && !strings.Contains(plan[0], key+">? AND "+key+"<?") {
			t.Errorf("%s: %s", sweep.Table, plan[0])
		}
	}
}

// The keys of points and signals begin with the minute. Who reads those of an asset seeks once for each minute; SQLite knows
// nothing of how many there are and would rather look at every row of the table: it must be told the order of the join.
func TestReportsOfAnAssetAreSought(t *testing.T) {
	s, asked := storetest.SQLite(t), 0
	for _, st := range statements(t) {
		if st.only == engine.Postgres || !strings.HasPrefix(strings.TrimSpace(st.text), "WITH RECURSIVE m") {
			continue
		}
		asked++
		plan, err := planOf(t, s, st.text)
		fine(t, err)
		for _, step := range plan {
			if isWhole := strings.HasPrefix(step, "SCAN p") || strings.HasPrefix(step, "SCAN g"); isWhole || strings.Contains(step, "AUTOMATIC") {
				t.Errorf("%s: %s", st.where, step)
			}
		}
	}
	if asked < 8 {
		t.Errorf("only %d statements were looked at", asked)
	}
}

var named = regexp.MustCompile(`(?i)\b(?:FROM|JOIN|UPDATE|INTO)\s+([a-z_]+)(?:\s+(?:AS\s+)?([a-z_]+))?`)

// reported are the tables that grow with each report and each change.
var reported = []string{"point", "point_block", "point_intake", "signal", "run", "location", "location_thing", "visit", "driver_alert", "audit"}

// wholes are parts of the statements that look at all of such a table, and why they may.
var wholes = map[string]string{
	"FROM point_intake ORDER BY no":           "holds what a few seconds brought",
	"FROM point LIMIT $1":                     "counts so many at most",
	"SUM(n)":                                  "whoever asks how much is stored reads all of it",
	"WHERE is_active OR updated_at >= $1":     "a start reads the incidents that the picture holds, once",
	"WHERE l.is_active OR l.updated_at >= $1": "the same of their stays",
}

// A table that grows has millions of rows one day. A statement that looks at each of them is quick in tests, and holds up
// everybody then.
func TestTablesOfReportsAreSought(t *testing.T) {
	s, used, asked := storetest.SQLite(t), map[string]bool{}, 0
	for _, st := range statements(t) {
		plan, err := planOf(t, s, st.text)
		if st.only == engine.Postgres || err != nil { // a part of a statement
			continue
		}
		asked++
		tables := map[string]string{}
		for _, m := range named.FindAllStringSubmatch(st.text, -1) {
			tables[m[1]], tables[m[2]] = m[1], m[1]
		}
		for _, step := range plan {
			scanned, isScan := strings.CutPrefix(step, "SCAN ")
			if !isScan || !slices.Contains(reported, tables[strings.Fields(scanned)[0]]) ||
				strings.Contains(step, "USING INDEX") && strings.Contains(st.text, "LIMIT 1") { // the first one, in order
				continue
			}
			part := known(st.text)
			if used[part] = true; part == "" {
				t.Errorf("%s: %s\n\t%s", st.where, step, st.text)
			}
		}
	}
	for part, why := range wholes {
		if !used[part] {
			t.Errorf("no statement is as %q anymore (%s)", part, why)
		}
	}
	if asked < 400 {
		t.Errorf("only %d statements were looked at", asked)
	}
}

func known(text string) string {
	for part := range wholes {
		if strings.Contains(text, part) {
			return part
		}
	}
	return ""
}

// planOf is how SQLite would run a statement.
func planOf(t *testing.T, s *store.Store, text string) (plan []string, err error) {
	t.Helper()
	seen := map[string]bool{}
	for _, m := range number.FindAllString(text, -1) {
		seen[m] = true
	}
	rows, err := s.Reader().QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+text, make([]any, len(seen))...)
	if err != nil {
		return nil, err
	}
	for rows.Next() {
		var id, parent, unused int
		var step string
		fine(t, rows.Scan(&id, &parent, &unused, &step))
		plan = append(plan, step)
	}
	return plan, rows.Err()
}
