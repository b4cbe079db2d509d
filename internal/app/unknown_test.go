package app

import (
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/people"
	"lightbar/internal/record"
	"lightbar/internal/store"
	"lightbar/internal/store/points"
	"lightbar/internal/store/storetest"
)

// After a commit whose outcome was not known, the repeat that a device sends
// brings into the picture what the database holds already.
func TestRepeatAfterAnUnknownOutcome(t *testing.T) {
	ctx := t.Context()
	s, err := store.Open(ctx, store.Options{Path: storetest.SQLitePath(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	a := New(people.Options{
		Base: record.Base{Store: s, Live: live.New(s, live.Options{NewID: people.NewID}), Now: time.Now, NewID: people.NewID, ServerKey: make([]byte, 32)},
	})
	o, err := a.CreateOrganization(ctx, access.System(), fleet.Organization{Name: "A", Timezone: "UTC", CountryCode: "US", TypeName: "fire",
		EventWording: "default"})
	if err != nil {
		t.Fatal(err)
	}
	made, err := a.RegisterThings(ctx, access.System(), []NewThing{{OrganizationID: o.ID, SystemName: "U-0", Type: "fire"}})
	if err != nil {
		t.Fatal(err)
	}
	now := fleet.InstantOf(time.Now())
	report := fleet.Report{Kind: fleet.ReportPoint, Asset: "U-0", At: now, Lat: 39.7, Lng: -75.5, HasLat: true, HasLng: true, HasAlerting: true, Alerting: true}
	no, _ := a.Live.Find(o.ID, "U-0")
	stored := []fleet.Point{report.Point(no, now)} // by the commit that was not answered
	if err := s.Write(ctx, func(tx *store.Tx) error { return tx.InsertPoints(ctx, s.Engine(), stored, make([]points.Taken, 1)) }); err != nil {
		t.Fatal(err)
	}
	a.ingest.unknown = true
	for range 2 { // the second repeat changes nothing more
		r, err := a.RecordPoints(ctx, &access.Actor{KeyID: "key", KeyScopes: access.AllScopes(), OrganizationID: o.ID}, ReportBatch{Reports: []fleet.Report{report}})
		if err != nil || r.Duplicates != 1 {
			t.Fatalf("%+v %v", r, err)
		}
		if _, state, _, _ := a.Live.Thing(made[0].ID); state.At != now || state.RunPointsCount != 1 {
			t.Errorf("the picture shows a position of %v and a run of %d points", state.At, state.RunPointsCount)
		}
	}
	if err := a.StopIngest(ctx); err != nil {
		t.Fatal(err)
	}
}
