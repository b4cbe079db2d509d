package app_test

import (
	"fmt"
	"testing"
	"time"

	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

// said is a report of an event at the base, now.
func said(k *apptest.Kit, id string) fleet.EventReport {
	return fleet.EventReport{MarkReport: fleet.MarkReport{ID: id, At: k.At(), Lat: 39.7, Lng: -75.5, HasLat: true, HasLng: true}}
}

// tellEvents sends reports with an organization's key.
func tellEvents(t testing.TB, k *apptest.Kit, organizationID string, events ...fleet.EventReport) app.ReportResult {
	t.Helper()
	for i := range events {
		events[i].Index = i
	}
	result, err := k.RecordPoints(t.Context(), k.Device(organizationID), app.ReportBatch{Events: events})
	must(t, err)
	return result
}

func took(t testing.TB, what string, got app.ReportResult, accepted, duplicates int, refused ...string) {
	t.Helper()
	var codes []string
	for _, r := range got.Refused {
		codes = append(codes, r.Error)
	}
	if got.Accepted != accepted || got.Duplicates != duplicates || fmt.Sprint(codes) != fmt.Sprint(refused) {
		t.Errorf("%s: %+v, want %d taken, %d known, refused %v", what, got, accepted, duplicates, refused)
	}
}

func triangle(t testing.TB) *fleet.FeatureCollection {
	t.Helper()
	c, refusal := fleet.ParseFeatures(`{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}}]}`)
	if refusal != nil {
		t.Fatal(refusal)
	}
	return c
}

// An event that a sender reports is on the map until its sender or the clock
// ends it; repeats and late reports change nothing, later ones update and extend
// it; each organization's senders have their own names.
func TestAnEventOfASenderFromBeginToEnd(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		o, other := k.Organization("A"), k.Organization("B")
		user := k.User(o.ID, "operator")
		event := func() wire.Location {
			t.Helper()
			rows, _, err := k.ListLocations(t.Context(), user, app.LocationQuery{})
			must(t, err)
			if len(rows) != 1 {
				t.Fatalf("%+v", rows)
			}
			return rows[0]
		}
		first := said(k, "CAD-7")
		first.HasFeatures, first.Features, first.HasMessage, first.AlertMessage, first.HasAlt, first.Alt = true, triangle(t), true, "Keep right", true, 12
		took(t, "new", tellEvents(t, k, o.ID, first), 1, 0)
		took(t, "again", tellEvents(t, k, o.ID, first), 0, 1)
		took(t, "another's", tellEvents(t, k, other.ID, first), 1, 0)
		begun := event()
		if !begun.IsGeoMarker || !begun.IsActive || begun.ExternalID != "CAD-7" || begun.AlertMessage != "Keep right" || *begun.Alt != 12 ||
			!begun.Features.Equal(first.Features) || begun.Version != 1 || begun.StartTime != first.At {
			t.Errorf("begun: %+v", begun)
		}
		_, err := k.UpdateLocation(t.Context(), user, begun.ID, 0, movedTo(10, 0))
		refused(t, err, "location_not_editable")

		k.Pass(7 * time.Hour)
		later := fleet.EventReport{MarkReport: fleet.MarkReport{ID: "CAD-7", At: k.At(), HasFeatures: true}}
		took(t, "later", tellEvents(t, k, o.ID, later), 1, 0)
		if now := event(); now.ID != begun.ID || now.Features != nil || now.AlertMessage != "Keep right" || now.Lat != begun.Lat || now.Version != 2 {
			t.Errorf("later: %+v", now)
		}
		late := first
		late.At = first.At.Add(time.Minute)
		took(t, "late", tellEvents(t, k, o.ID, late), 0, 1)
		k.Pass(8*time.Hour - time.Millisecond) // of the later report: it extended the event
		must(t, k.AgeDue(t.Context()))
		if now := event(); !now.IsActive {
			t.Errorf("8 h after the first report, before that of the last: %+v", now)
		}
		k.Open(s, live.Options{})
		if now := event(); !now.IsActive || now.Version != 2 || now.AlertMessage != "Keep right" || *now.Alt != 12 {
			t.Errorf("after a restart: %+v", now)
		}
		k.Pass(time.Millisecond)
		must(t, k.AgeDue(t.Context()))
		if now := event(); now.IsActive || now.EndTime != later.At.Add(8*time.Hour) {
			t.Errorf("8 h after the last: %+v", now)
		}
		k.Pass(time.Hour)
		again := said(k, "CAD-7")
		again.ExpiresAt, again.HasLat, again.HasLng = k.At().Add(time.Minute), false, false
		took(t, "opened again", tellEvents(t, k, o.ID, again), 1, 0)
		if now := event(); now.ID != begun.ID || !now.IsActive || now.EndTime != 0 || now.StartTime != begun.StartTime {
			t.Errorf("opened again: %+v", now)
		}
		k.Pass(time.Second)
		end := fleet.EventReport{MarkReport: fleet.MarkReport{ID: "CAD-7", At: k.At(), HasActive: true}}
		took(t, "ended", tellEvents(t, k, o.ID, end), 1, 0)
		if now := event(); now.IsActive || now.EndTime != end.At {
			t.Errorf("ended: %+v", now)
		}
		k.Pass(10 * 24 * time.Hour) // the picture has forgotten it, the database has not
		must(t, k.AgeDue(t.Context()))
		took(t, "long after", tellEvents(t, k, o.ID, said(k, "CAD-7")), 1, 0)
		if now := event(); now.ID != begun.ID || !now.IsActive {
			t.Errorf("long after: %+v", now)
		}
	})
}

// What a sender may not say is refused by name, one by one.
func TestReportsOfEventsAreRefusedOneByOne(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		o := k.Organization("A")
		things := k.Things(o.ID, "U", 1)
		change := func(with func(*fleet.EventReport)) fleet.EventReport {
			r := said(k, "E")
			with(&r)
			return r
		}
		long := make([]rune, 101)
		for i := range long {
			long[i] = 'é'
		}
		took(t, "hostile", tellEvents(t, k, o.ID,
			change(func(r *fleet.EventReport) { r.ID = " " }),
			change(func(r *fleet.EventReport) { r.ID = string(long) }),
			change(func(r *fleet.EventReport) { r.ID = "a\x00" }),
			change(func(r *fleet.EventReport) { r.AlertMessage = string(long[:41]) }),
			change(func(r *fleet.EventReport) { r.At = 0 }),
			change(func(r *fleet.EventReport) { r.At = k.At().Add(25 * time.Hour) }),
			change(func(r *fleet.EventReport) { r.HasLng = false }),
			change(func(r *fleet.EventReport) { r.HasLat = false }),
			change(func(r *fleet.EventReport) { r.HasLat, r.HasLng = false, false }),
			change(func(r *fleet.EventReport) { r.Lat = 90.1 }),
			change(func(r *fleet.EventReport) { r.Lng = -180.1 }),
			change(func(r *fleet.EventReport) { r.ExpiresAt = k.At().Add(7*24*time.Hour + time.Millisecond) }),
			change(func(r *fleet.EventReport) { r.ID, r.HasAlt, r.Alt = "good", true, 20_001 }), // what can't be true is left out
		), 1, 0, "id_missing", "id_invalid", "id_invalid", "alert_message_invalid", "at_missing", "at_too_far_ahead", "lng_missing", "lat_missing",
			"lat_out_of_range", "lng_out_of_range", "expires_at_too_far_ahead", "lat_missing")
		ofOne := k.Device(o.ID)
		ofOne.KeyThingID = things[0].ID
		result, err := k.RecordPoints(t.Context(), ofOne, app.ReportBatch{Events: []fleet.EventReport{said(k, "E")}})
		must(t, err)
		took(t, "a key of one asset", result, 0, 0, "event_key")
		without := k.Device(o.ID)
		without.KeyScopes = []string{"register"}
		_, err = k.RecordPoints(t.Context(), without, app.ReportBatch{Events: []fleet.EventReport{said(k, "E")}})
		refused(t, err, "scope_ingest_missing")

		many := make([]fleet.EventReport, 505)
		for i := range many {
			many[i] = said(k, fmt.Sprint("M-", i))
		}
		got := tellEvents(t, k, o.ID, many...)
		if got.Accepted != 499 || len(got.Refused) != 6 || got.Refused[0].Error != "event_limit" || got.Refused[0].Index != 499 {
			t.Errorf("beside one there were %d taken, %d refused", got.Accepted, len(got.Refused))
		}
		k.Pass(time.Second)
		ended := fleet.EventReport{MarkReport: fleet.MarkReport{ID: "M-0", At: k.At(), HasActive: true}}
		took(t, "one ends, one begins", tellEvents(t, k, o.ID, ended, said(k, "N")), 2, 0)
	})
}

// Assets stand at events of their own: one that a sender reported takes none in, and does not end with them.
func TestAssetsDoNotJoinTheEventOfASender(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o := k.Organization("A")
	k.Things(o.ID, "U", 1)
	took(t, "event", tellEvents(t, k, o.ID, said(k, "E")), 1, 0)
	for range 3 {
		k.Pass(30 * time.Second)
		reportAt(t, k, o.ID, "U-0", 0, true)
	}
	k.Pass(30 * time.Second)
	reportAt(t, k, o.ID, "U-0", 900, true)
	rows, _, err := k.ListLocations(t.Context(), k.User(o.ID, "viewer"), app.LocationQuery{})
	must(t, err)
	if len(rows) != 2 || !rows[0].IsGeoMarker || !rows[0].IsActive || rows[1].IsActive || len(rows[1].ThingsInactive) != 1 {
		t.Errorf("%+v", rows)
	}
}

// Everybody who listens hears of an event's begin, its change and its end, as lists show it.
func TestListenersHearOfEventsOfSenders(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o := k.Organization("A")
	told := listenTo(t, k)
	user := k.User(o.ID, "viewer")
	for i, step := range []func(*fleet.EventReport){
		func(*fleet.EventReport) {},
		func(r *fleet.EventReport) { r.HasFeatures, r.Features = true, triangle(t) },
		func(r *fleet.EventReport) { r.ExpiresAt = k.At().Add(time.Hour) },
	} {
		k.Pass(time.Second)
		r := said(k, "E")
		step(&r)
		took(t, "step", tellEvents(t, k, o.ID, r), 1, 0)
		if i == 2 {
			k.Pass(time.Hour)
			must(t, k.AgeDue(t.Context()))
		}
		rows, _, err := k.ListLocations(t.Context(), user, app.LocationQuery{})
		must(t, err)
		if last := lastToldOf(t, told(o.ID)[o.ID], rows[0].ID); timeless(last) != timeless(rows[0]) || last.IsActive != (i < 2) {
			t.Errorf("step %d: heard %s, listed %s", i, timeless(last), timeless(rows[0]))
		}
	}
}
