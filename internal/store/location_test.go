package store_test

import (
	"fmt"
	"slices"
	"testing"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
)

func change(t *testing.T, s *store.Store, do func(tx *store.Tx) error) {
	t.Helper()
	if err := s.Write(t.Context(), do); err != nil {
		t.Fatal(err)
	}
}

// Incidents are written together; of two stays that begin at the same instant the last one counts.
func TestIncidentsAreWrittenTogether(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		const o = "o1"
		change(t, s, func(tx *store.Tx) error { return tx.InsertOrganization(t.Context(), organization(o, "Alpha")) })
		var list []*fleet.Location
		for i := range 3 {
			l := fleet.NewLocation(fmt.Sprint("l", i), o, "", 39, -75, 10)
			for _, end := range []fleet.Instant{10, 0} {
				l.Presences = append(l.Presences, fleet.Presence{ThingID: "a", OrganizationID: o, StartAt: 10, EndAt: end})
			}
			l.Presences = append(l.Presences, fleet.Presence{ThingID: "b", OrganizationID: o, StartAt: 10, EndAt: 30})
			list = append(list, l)
		}
		for range 2 {
			change(t, s, func(tx *store.Tx) error { return tx.SaveLocations(t.Context(), s.Engine(), list) })
		}
		change(t, s, func(tx *store.Tx) error { return tx.SaveLocations(t.Context(), s.Engine(), nil) })
		for _, l := range list {
			got, err := store.LocationByID(t.Context(), s.Reader(), l.ID)
			if err != nil || !slices.Equal(got.Presences, l.Presences[1:]) {
				t.Errorf("%+v (%v)", got, err)
			}
		}
	})
}
