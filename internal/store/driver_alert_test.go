package store_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
)

// A reader counts once for an alert, and once for an event however many of its alerts are shown; what was not told of is
// not measured. On both engines.
func TestDriversOfAlerts(t *testing.T) {
	const hour = fleet.Instant(3_600_000)
	at := fleet.InstantOf(time.Date(2026, 11, 21, 10, 30, 0, 0, time.UTC))
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		put(t, s, "organization", cells{"id": "A"})
		put(t, s, "location", cells{"id": "scene", "organization_id": "A"})
		measured := func(from, to fleet.Instant) int64 {
			t.Helper()
			n, err := store.DriversAlerted(t.Context(), s.Reader(), "A", from, to)
			fine(t, err)
			if n == nil {
				return -1
			}
			return *n
		}
		if n := measured(0, at+hour); n != -1 {
			t.Errorf("before anything was told: %d", n)
		}
		fine(t, s.Write(t.Context(), func(tx *store.Tx) error {
			for _, id := range []string{"a", "b"} {
				fine(t, tx.PutDriverAlert(t.Context(), &store.DriverAlert{OrganizationID: "A", ID: id, Category: "vehicle", SourceID: "t", BeganAt: at, FirstAt: at}))
				fine(t, tx.PutDriverAlert(t.Context(), &store.DriverAlert{OrganizationID: "A", ID: id, LocationID: "scene", FirstAt: at + 1}))
			}
			for _, c := range []struct {
				consumer, alert, location string
				isNew, isNewThere         bool
			}{
				{"1", "a", "scene", true, true}, {"1", "a", "scene", false, false}, {"1", "b", "scene", true, false}, {"2", "b", "scene", true, true},
				{"3", "a", "", true, false},
			} {
				isNew, isNewThere, err := tx.AddImpression(t.Context(), "A", c.consumer, c.alert, c.location, at)
				if err != nil || isNew != c.isNew || isNewThere != c.isNewThere {
					t.Errorf("%+v: %t %t %v", c, isNew, isNewThere, err)
				}
			}
			fine(t, tx.AddDrivers(t.Context(), "A", "a", 2))
			fine(t, tx.AddLocationDrivers(t.Context(), "scene", 2))
			fine(t, tx.EndDriverAlert(t.Context(), "A", "a", at+5))
			fine(t, tx.AddDriverHour(t.Context(), "A", at))
			return tx.AddDriverHour(t.Context(), "A", at+1)
		}))
		begun := at / hour * hour
		for span, want := range map[[2]fleet.Instant]int64{{begun, begun + hour}: 2, {at + 1, begun + hour}: 0, {begun + hour, begun + 2*hour}: -1, {begun - hour, begun}: -1} {
			if n := measured(span[0], span[1]); n != want {
				t.Errorf("%v: %d, want %d", span, n, want)
			}
		}
		l, err := store.LocationByID(t.Context(), s.Reader(), "scene")
		if err != nil || !l.DriversMeasured || l.DriversAlerted != 2 {
			t.Errorf("%+v %v", l, err)
		}
		fine(t, s.Write(t.Context(), func(tx *store.Tx) error {
			fine(t, tx.PurgeDriverHours(t.Context(), begun+hour))
			return tx.PurgeImpressions(t.Context(), at+1)
		}))
		var n int
		fine(t, s.Reader().QueryRowContext(t.Context(), "SELECT (SELECT COUNT(*) FROM driver_impression) + (SELECT COUNT(*) FROM driver_hour)").Scan(&n))
		if n != 0 || measured(0, at+hour) != -1 {
			t.Errorf("%d rows stay", n)
		}
	})
}

// Of an asset's alerts and of the hours those are read that lie in the asked time, each organization's own.
func TestAlertsShownAreRead(t *testing.T) {
	const hour = fleet.Instant(3_600_000)
	at := 500_000 * hour
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		fine(t, s.Write(t.Context(), func(tx *store.Tx) error {
			for i, a := range []store.DriverAlert{
				{OrganizationID: "A", ID: "late", SourceID: "t", BeganAt: at - 1, FirstAt: at + 5},
				{OrganizationID: "A", ID: "early", SourceID: "t", BeganAt: at - 2, FirstAt: at},
				{OrganizationID: "A", ID: "before", SourceID: "t", BeganAt: at - 2, FirstAt: at - 1},
				{OrganizationID: "A", ID: "after", SourceID: "t", BeganAt: at - 2, FirstAt: at + hour},
				{OrganizationID: "A", ID: "other", SourceID: "u", BeganAt: at - 2, FirstAt: at},
				{OrganizationID: "B", ID: "late", SourceID: "t", BeganAt: at - 2, FirstAt: at},
			} {
				fine(t, tx.PutDriverAlert(t.Context(), &a))
				fine(t, tx.AddDrivers(t.Context(), a.OrganizationID, a.ID, int64(i+1)))
			}
			fine(t, tx.EndDriverAlert(t.Context(), "A", "early", at+7))
			for _, told := range []fleet.Instant{at - 1, at, at + 1, at + hour, at + 2*hour} {
				fine(t, tx.AddDriverHour(t.Context(), "A", told))
			}
			return tx.AddDriverHour(t.Context(), "B", at)
		}))
		span := fleet.Stretch{Start: at, End: at + hour}
		shown, err := store.AlertsShown(t.Context(), s.Reader(), "A", "t", span)
		fine(t, err)
		if diff := cmp.Diff([]fleet.ShownAlert{{BeganAt: at - 2, EndedAt: at + 7, Drivers: 2}, {BeganAt: at - 1, Drivers: 1}}, shown); diff != "" {
			t.Error(diff)
		}
		hours, err := store.ImpressionHours(t.Context(), s.Reader(), "A", span)
		fine(t, err)
		if diff := cmp.Diff([]fleet.Instant{at, at + hour}, hours); diff != "" {
			t.Error(diff)
		}
	})
}
