package work_test

import (
	"slices"
	"testing"

	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/work"
)

// Every task is started once, and only what sums up the past waits for it.
func TestSplit(t *testing.T) {
	all := work.Tasks(apptest.New(t, storetest.SQLite(t)).App)
	now, later := work.Split(all)
	var names []string
	for _, task := range later {
		names = append(names, task.Name)
	}
	if len(now)+len(later) != len(all) || !slices.Equal(names, []string{"exports", "monthly reports"}) {
		t.Errorf("%d of %d tasks begin at once, %v later", len(now), len(all), names)
	}
}
