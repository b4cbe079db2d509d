package store_test

import (
	"strings"
	"testing"

	"lightbar/internal/store"
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
