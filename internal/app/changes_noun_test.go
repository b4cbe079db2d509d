package app

import (
	"slices"
	"testing"

	"lightbar/internal/fleet"
)

// A listener who was away is told of every noun that the stream tells of.
func TestEveryStreamedNounIsToldToWhoWasAway(t *testing.T) {
	for _, s := range StreamedTypes() {
		if s.Type == fleet.MessageExport || s.Type == fleet.MessageReport {
			continue // nothing of the fleet has changed; the lists of exports and reports say what became of each
		}
		if !slices.ContainsFunc(changingNouns, func(n changing) bool { return n.views == s.Requires }) {
			t.Errorf("nobody who was away learns of %s: add its noun to changingNouns", s.Type)
		}
	}
}
