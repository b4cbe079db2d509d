package live_test

import (
	"os"
	"regexp"
	"testing"

	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
)

// What follows the assets is one list: the path of a report, of the clock and of
// a start knows none of it by name, so that a new follower is a file and a line.
func TestTheCoreKnowsNoFollowerByName(t *testing.T) {
	byName := regexp.MustCompile(`\b(stations|zones|closures|stopped)\b`)
	comment := regexp.MustCompile(`//.*`)
	for _, file := range []string{"change.go", "arrive.go", "apply.go", "tick.go", "load.go", "replay.go", "save.go", "follower.go"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if found := byName.FindString(comment.ReplaceAllString(string(text), "")); found != "" {
			t.Errorf("%s names %s", file, found)
		}
	}
}

// What follows from a change is written under the writer's lock, so it is written once.
func TestAChangeIsSavedOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		c := apptest.New(t, s).Live.Begin()
		defer c.Abort()
		err := s.Write(t.Context(), func(tx *store.Tx) error {
			if err := c.Save(t.Context(), tx); err != nil {
				t.Error(err)
			}
			return c.Save(t.Context(), tx)
		})
		if err == nil {
			t.Error("a change was saved twice")
		}
	})
}
