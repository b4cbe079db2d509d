package store_test

import (
	"testing"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
)

func TestWhatFollowsFromElsewhereIsNoEdit(t *testing.T) {
	was := fleet.Zone{ID: "1", Description: "School", Version: 1}
	for name, to := range map[string]struct {
		next fleet.Zone
		same bool
	}{
		"active":        {fleet.Zone{ID: "1", Description: "School", Active: true, BeganAt: 1, LeftAt: 2, Version: 1}, true},
		"a new version": {fleet.Zone{ID: "2", Description: "School", Version: 2, UpdatedAt: 3, DeletedAt: 4}, true},
		"another text":  {fleet.Zone{ID: "1", Description: "Depot", Version: 1}, false},
		"a shape":       {fleet.Zone{ID: "1", Description: "School", Features: &fleet.FeatureCollection{}, Version: 1}, false},
	} {
		if store.Zones.Same(&was, &to.next) != to.same {
			t.Errorf("%s: want the same %v", name, to.same)
		}
	}
	read, said := fleet.FeedSubscription{Name: "a"}, fleet.FeedSubscription{Name: "a", Types: map[string]string{}}
	if !store.FeedSubscriptions.Same(&read, &said) {
		t.Error("an empty list is another than none")
	}
	if said.Types["crash"] = "accident"; store.FeedSubscriptions.Same(&read, &said) {
		t.Error("another list is the same")
	}
	large, small, again := true, false, true
	if store.SameOrganization(&fleet.Organization{Large: &large}, &fleet.Organization{Large: &small}) ||
		!store.SameOrganization(&fleet.Organization{Large: &large}, &fleet.Organization{Large: &again}) {
		t.Error("what a pointer points to is not compared")
	}
}
