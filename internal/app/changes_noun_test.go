package app

import (
	"slices"
	"testing"
)

// A listener who was away is told of every noun that the stream tells of.
func TestEveryStreamedNounIsToldToWhoWasAway(t *testing.T) {
	for _, s := range StreamedTypes() {
		if !slices.ContainsFunc(changingNouns, func(n changing) bool { return n.views == s.Requires }) {
			t.Errorf("nobody who was away learns of %s: add its noun to changingNouns", s.Type)
		}
	}
}
