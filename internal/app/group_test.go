package app

import (
	"testing"
	"time"
)

// The group follows the work on a quick disk and grows where a commit is slow;
// a handful of reports tells nothing.
func TestGroupsFollowTheDisk(t *testing.T) {
	settled := func(size int, work, commit time.Duration) int {
		g := ingest{most: pointsPerCommit}
		for range 100 {
			g.measure(size, work, commit)
		}
		return g.most
	}
	const us = time.Microsecond
	for _, row := range []struct {
		name         string
		size         int
		work, commit time.Duration
		least, most  int
	}{
		{"quick disk: 10 ms of work", 1000, 10_000 * us, 300 * us, 990, 1000},
		{"slow disk: eight times the commit", 1000, 10_000 * us, 5000 * us, 3990, 4000},
		{"very slow disk: all that one commit takes", 1000, 10_000 * us, 100_000 * us, pointsPerCommit - 5, pointsPerCommit},
		{"slow processor: never below the smallest", 1000, 90_000 * us, 300 * us, smallestGroup - 5, smallestGroup + 5},
		{"a few reports tell nothing", 50, 1000 * us, 5000 * us, pointsPerCommit, pointsPerCommit},
	} {
		if got := settled(row.size, row.work, row.commit); got < row.least || got > row.most {
			t.Errorf("%s: groups of %d, want %d to %d", row.name, got, row.least, row.most)
		}
	}
}
