package app_test

import (
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
)

// A day of the past is kept whole or not at all, and only by the owner of the installation; its incidents of the last
// days are in the picture at once, as after a start.
func TestKeepPastDay(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o := k.Organization("A")
	thing := k.Things(o.ID, "E", 1)[0]
	present, _, _, _ := k.Live.Thing(thing.ID)
	at := k.At().Add(-30 * time.Hour)
	incident := func(id string, at fleet.Instant) *fleet.Location {
		l := fleet.NewLocation(id, o.ID, "Main Street", 39, -75, at)
		l.Join(thing.ID, o.ID, at)
		l.Depart(thing.ID, at.Add(time.Hour))
		l.UpdatedAt = at.Add(time.Hour)
		l.Learn(l.UpdatedAt)
		return l
	}
	day := &app.PastDay{Points: []fleet.Point{{ThingNo: present.No, At: at, ReceivedAt: at, Lat: 39, Lng: -75}},
		Runs:      []fleet.Run{{ID: "r", ThingNo: present.No, OrganizationID: o.ID, StartAt: at, EndAt: at, Points: 1}},
		Incidents: []*fleet.Location{incident("new", at), incident("old", at.Add(-20*24*time.Hour))},
		EndAt:     at.Add(2 * time.Hour), Setting: "past", Value: "1"}
	if err := k.StorePastDay(t.Context(), k.User(o.ID, "administrator"), day); err == nil {
		t.Error("a user keeps a past")
	}
	young := *day
	young.Points = append(young.Points, fleet.Point{ThingNo: present.No, At: k.At().Add(-5 * time.Hour), Lat: 39, Lng: -75})
	if err := k.StorePastDay(t.Context(), access.System(), &young); err == nil {
		t.Error("an hour that does not rest was kept")
	}
	if runs, err := store.RunsBetween(t.Context(), k.Store.Reader(), present.No, 0, k.At()); err != nil || len(runs) > 0 {
		t.Errorf("a part of the day was kept: %v (%v)", runs, err)
	}
	if err := k.StorePastDay(t.Context(), access.System(), day); err != nil {
		t.Fatal(err)
	}
	rows, _, err := k.ListLocations(t.Context(), k.User(o.ID, "viewer"), app.LocationQuery{})
	if err != nil || len(rows) != 1 || rows[0].ID != "new" {
		t.Errorf("events of the last days: %+v (%v)", rows, err)
	}
	for _, l := range day.Incidents {
		found, err := store.LocationByID(t.Context(), k.Store.Reader(), l.ID)
		if err != nil || found.IsActive || found.LearnedEndAt != l.StartAt.Add(time.Hour) || len(found.Presences) != 1 {
			t.Errorf("%+v (%v)", found, err)
		}
	}
	if text, err := store.Setting(t.Context(), k.Store.Reader(), "past"); err != nil || text != "1" {
		t.Errorf("%q %v", text, err)
	}
}
