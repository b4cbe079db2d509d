package store_test

import (
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
		case "area", "zone", "hazard", "visit", "feed_fetch", "feed_subscription", "integration", "export": // by a part of their key: few rows share it
			continue
		}
		drop := sweep.Texts()[1]
		args := make([]any, 0, 20)
		for range strings.Count(drop, "$") {
			args = append(args, nil)
		}
		seen := map[string]bool{}
		for _, m := range number.FindAllString(drop, -1) {
			seen[m] = true
		}
		rows, err := s.Reader().QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+drop, args[:len(seen)]...)
		fine(t, err)
		var plan []string
		for rows.Next() {
			var id, parent, unused int
			var step string
			fine(t, rows.Scan(&id, &parent, &unused, &step))
			plan = append(plan, step)
		}
		fine(t, rows.Err())
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
		seen := map[string]bool{}
		for _, m := range number.FindAllString(st.text, -1) {
			seen[m] = true
		}
		rows, err := s.Reader().QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+st.text, make([]any, len(seen))...)
		fine(t, err)
		for rows.Next() {
			var id, parent, unused int
			var step string
			fine(t, rows.Scan(&id, &parent, &unused, &step))
			if isWhole := strings.HasPrefix(step, "SCAN p") || strings.HasPrefix(step, "SCAN g"); isWhole || strings.Contains(step, "AUTOMATIC") {
				t.Errorf("%s: %s", st.where, step)
			}
		}
		fine(t, rows.Err())
	}
	if asked < 8 {
		t.Errorf("only %d statements were looked at", asked)
	}
}
