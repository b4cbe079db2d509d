package app

import (
	"errors"
	"testing"
	"time"

	"lightbar/internal/fleet"
)

// A scrape asks for each figure by itself: the accounts are counted once.
func TestTheHealthOfAccountsIsCountedOncePerScrape(t *testing.T) {
	var c integrationCounters
	asked, failure := 0, error(nil)
	count := func() (map[string]int, error) { asked++; return map[string]int{"good": asked}, failure }
	now := fleet.Instant(1_795_000_000_000)
	for _, step := range []struct {
		pass        time.Duration
		fails       bool
		good, asked int
	}{{0, false, 1, 1}, {0, false, 1, 1}, {14 * time.Second, false, 1, 1}, {time.Second, false, 2, 2}, {-time.Hour, false, 3, 3},
		{time.Minute, true, 4, 4}, {0, false, 5, 5}} {
		now = now.Add(step.pass)
		if failure = nil; step.fails {
			failure = errors.New("the database is gone")
		}
		health, err := c.healthNow(now, count)
		if health["good"] != step.good || asked != step.asked || (err != nil) != step.fails {
			t.Errorf("%+v: %v %v, asked %d times", step, health, err, asked)
		}
	}
}
