package app

import (
	"slices"
	"testing"

	"lightbar/catalog"
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

// Whoever may undo something of the map can open the list of it.
func TestTheListOfUndosIsOpenToAllWhoCanUndo(t *testing.T) {
	requirements := catalog.AllPermissions().Requirements
	for _, n := range undoables() {
		for _, permission := range requirements[n.edits] {
			if !slices.Contains(requirements["UNDO_ON_MAP"], permission) {
				t.Errorf("%s opens %s, but not the list of undos, which shows each %s: add it to UNDO_ON_MAP in catalog/permissions.json",
					permission, n.edits, n.noun)
			}
		}
	}
}
