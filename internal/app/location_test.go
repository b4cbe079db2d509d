package app_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/store/points"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

func point(at fleet.Instant, eastM float64, alerting bool) fleet.Report {
	lat, lng := fleet.Offset(39.7, -75.5, eastM, 0)
	return fleet.Report{Kind: fleet.ReportPoint, Asset: "U-0", At: at, Lat: lat, Lng: lng, HasLat: true, HasLng: true,
		HasAccuracy: true, AccuracyM: 5, HasAlerting: true, Alerting: alerting}
}

// A unit drives with lights on, arrives, stands there and goes: status, run,
// incident and its list follow; a restart without a last write changes nothing.
//
// spec: 7.location.01 7.location.02 7.location.03 9.limits.10 D.value.06 D.value.07
func TestIncidentFromPointToList(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		o := k.Organization("A")
		id := k.Things(o.ID, "U", 1)[0].ID
		device, user := k.Device(o.ID), k.User(o.ID, "viewer")
		send := func(eastM float64, alerting bool) {
			t.Helper()
			k.Pass(30 * time.Second)
			r, err := k.RecordPoints(t.Context(), device, app.ReportBatch{Reports: []fleet.Report{point(k.At(), eastM, alerting)}})
			if err != nil || r.Accepted != 1 {
				t.Fatalf("%+v %v", r, err)
			}
		}
		show := func() wire.Thing {
			t.Helper()
			th, err := k.Thing(t.Context(), user, id)
			if err != nil {
				t.Fatal(err)
			}
			return th
		}
		for i := range 4 {
			send(float64(i)*500, true)
		}
		started := show()
		if started.Status != "active" || started.RunPoints != 4 || started.RunStartAt == 0 {
			t.Fatalf("enroute: %+v", started.Live)
		}
		arrived := k.At()
		send(1505, true)
		if shown := show(); shown.RunPoints != 4 || shown.Status != "active" { // else they would fall with the stay
			t.Errorf("standing where an incident may open: %s with %d points", shown.Status, shown.RunPoints)
		}
		send(1510, true)
		at := show()
		if at.Status != "active_location" || at.Enroute || at.Location == nil || at.Location.StartTime != arrived {
			t.Fatalf("on scene: %+v", at.Live)
		}
		if at.RunID != started.RunID || at.RunPoints != 4 { // the run ends where the stay begins
			t.Errorf("run %s of %d points, was %s", at.RunID, at.RunPoints, started.RunID)
		}
		rows, _, err := k.ActiveLocations(t.Context(), user, nil)
		if err != nil || len(rows) != 1 || len(rows[0].ThingsActive) != 1 || rows[0].ThingsActive[0].Runtime != 60 {
			t.Fatalf("active: %+v %v", rows, err)
		}
		k.Open(s, live.Options{}) // killed: nothing was written lazily
		if again := show(); again.Status != "active_location" || again.RunPoints != 4 || again.Lng == nil || *again.Lng != *at.Lng {
			t.Errorf("after a restart: %+v", again.Live)
		}
		send(2500, true)
		rows, meta, err := k.ListLocations(t.Context(), user, app.LocationQuery{})
		if err != nil || meta.Total != 1 || rows[0].IsActive || len(rows[0].ThingsInactive) != 1 || rows[0].EndTime != k.At() {
			t.Fatalf("left: %+v %v", rows, err)
		}
		if got := show(); got.Status != "active" {
			t.Errorf("left: %s", got.Status)
		}
		k.Pass(8 * 24 * time.Hour)
		if rows, _, _ = k.ListLocations(t.Context(), user, app.LocationQuery{}); len(rows) != 0 {
			t.Errorf("8 days later: %+v", rows)
		}
		if rows, _, _ = k.ListLocations(t.Context(), user, app.LocationQuery{Start: arrived}); len(rows) != 1 {
			t.Errorf("asked for it: %+v", rows)
		}
		_, _, err = k.ListLocations(t.Context(), user, app.LocationQuery{Start: k.At().Add(-31*24*time.Hour - time.Millisecond)})
		if r := (*fleet.Refusal)(nil); !errors.As(err, &r) || r.Field != "start_date" {
			t.Errorf("32 days back: %v", err)
		}
		if _, _, err = k.ListLocations(t.Context(), user, app.LocationQuery{Start: k.At().Add(-31 * 24 * time.Hour)}); err != nil {
			t.Errorf("31 days back: %v", err)
		}
	})
}

// The list has the events of the organizations that are named (without any: one's own), that were not over before a date, or changed since an instant.
//
// spec: 7.location.01
func TestEachParameterNarrowsTheListOfEvents(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	a, b := k.Organization("A"), k.Organization("B")
	k.Things(a.ID, "U", 2)
	k.Things(b.ID, "V", 1)
	user := k.User(a.ID, "viewer")
	user.Organizations[b.ID] = access.Full
	theirs := stood(t, k, b.ID, "V-0")
	over := stood(t, k, a.ID, "U-0")
	k.Pass(30 * time.Second)
	reportAt(t, k, a.ID, "U-0", 900, true)
	k.Pass(time.Hour)
	list := func(q app.LocationQuery, want ...string) fleet.Instant {
		t.Helper()
		rows, meta, err := k.ListLocations(t.Context(), user, q)
		must(t, err)
		var got []string
		for _, row := range rows {
			got = append(got, row.ID)
		}
		if !slices.Equal(got, want) || meta.Total != len(want) {
			t.Errorf("%+v: %v, want %v", q, got, want)
		}
		return meta.AsOf
	}
	both := []string{a.ID, b.ID}
	asOf := list(app.LocationQuery{OrganizationIDs: both}, theirs.ID, over.ID)
	list(app.LocationQuery{}, over.ID)
	list(app.LocationQuery{OrganizationIDs: []string{b.ID}}, theirs.ID)
	list(app.LocationQuery{OrganizationIDs: both, Start: k.At().Add(-59 * time.Minute)}, theirs.ID)
	k.Pass(time.Second)
	list(app.LocationQuery{OrganizationIDs: both, Since: asOf})
	reportAt(t, k, b.ID, "V-0", 900, true)
	list(app.LocationQuery{OrganizationIDs: both, Since: asOf}, theirs.ID)
}

// The asset itself says since when it is at an incident, when its stay ended, and nothing of the one before while it is at the next.
//
// spec: 3.thing.06 3.thing.15
func TestAnAssetTellsTheEndOfItsStay(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		o := k.Organization("A")
		id := k.Things(o.ID, "U", 1)[0].ID
		device, user := k.Device(o.ID), k.User(o.ID, "viewer")
		send := func(eastM float64) wire.Live {
			t.Helper()
			k.Pass(30 * time.Second)
			if _, err := k.RecordPoints(t.Context(), device, app.ReportBatch{Reports: []fleet.Report{point(k.At(), eastM, true)}}); err != nil {
				t.Fatal(err)
			}
			th, err := k.Thing(t.Context(), user, id)
			if err != nil {
				t.Fatal(err)
			}
			return th.Live
		}
		arrived := k.At().Add(30 * time.Second)
		if l := send(0); l.Location != nil || l.IncidentEnd != 0 {
			t.Errorf("under way: %+v", l)
		}
		send(0)
		if l := send(0); l.Location == nil || l.Location.ID == "" || l.Location.StartTime != arrived || l.IncidentEnd != 0 {
			t.Errorf("at the first: %+v", l)
		}
		left := k.At().Add(30 * time.Second)
		if l := send(900); l.Location != nil || l.IncidentEnd != left {
			t.Errorf("after the first: %+v, left at %v", l, left)
		}
		k.Open(s, live.Options{})
		if l := send(900); l.Location != nil || l.IncidentEnd != left {
			t.Errorf("after a restart: %+v, left at %v", l, left)
		}
		send(900)
		if l := send(900); l.Location == nil || l.Location.StartTime <= left || l.IncidentEnd != 0 {
			t.Errorf("at the second: %+v", l)
		}
	})
}

// A unit that arrives with its lights off, and lights them at the scene, has no
// run: the one that brought it to its last incident is not shown again, and the
// old figures do not come back when it stands there for long or starts anew.
func TestAnOldRunIsNotShownAtANewIncident(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		o := k.Organization("A")
		id := k.Things(o.ID, "U", 1)[0].ID
		device, user := k.Device(o.ID), k.User(o.ID, "viewer")
		send := func(eastM float64, alerting bool) wire.Thing {
			t.Helper()
			k.Pass(30 * time.Second)
			if _, err := k.RecordPoints(t.Context(), device, app.ReportBatch{Reports: []fleet.Report{point(k.At(), eastM, alerting)}}); err != nil {
				t.Fatal(err)
			}
			th, err := k.Thing(t.Context(), user, id)
			if err != nil {
				t.Fatal(err)
			}
			return th
		}
		for i := range 5 {
			send(float64(i)*500, true)
		}
		first := k.At()
		for range 20 {
			send(2000, true)
		}
		if at := send(2000, true); at.Status != "active_location" || at.Location.StartTime != first || at.RunStartAt != first-120_000 || at.RunPoints != 5 {
			t.Fatalf("at the first incident: %+v", at.Live)
		}
		if gone := send(2500, false); gone.Status == "active_location" || gone.RunID != "" || gone.RunStartAt != 0 || gone.RunPoints != 0 {
			t.Errorf("on the way with lights off: %+v", gone.Live)
		}
		send(3500, false)
		for range 3 {
			send(4000, true)
		}
		at := send(4000, true)
		if at.Status != "active_location" || at.RunID != "" || at.RunStartAt != 0 || at.RunPoints != 0 {
			t.Errorf("at the second incident: %+v", at.Live)
		}
		k.Open(s, live.Options{}) // killed: nothing was written lazily
		if again := send(4000, true); again.Status != "active_location" || again.RunID != "" || again.RunStartAt != 0 {
			t.Errorf("after a restart: %+v", again.Live)
		}
	})
}

// What was acknowledged is in the picture again after a kill, runs included,
// although no state had been written.
func TestPictureComesBackFromPoints(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		o := k.Organization("A")
		k.Things(o.ID, "U", 1)
		for i := range 50 {
			k.Pass(time.Second)
			if _, err := k.RecordPoints(t.Context(), k.Device(o.ID), app.ReportBatch{Reports: []fleet.Report{point(k.At(), float64(i)*20, i > 10)}}); err != nil {
				t.Fatal(err)
			}
			if i == 30 {
				k.Pass(6 * time.Second)
				if err := k.FlushStates(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
		}
		user := k.User(o.ID, "viewer")
		before, _, _ := k.ListThings(t.Context(), user, app.ThingQuery{})
		k.Open(s, live.Options{})
		after, _, _ := k.ListThings(t.Context(), user, app.ThingQuery{})
		a, b := before[0].Live, after[0].Live
		if *a.Lng != *b.Lng || a.At != b.At || a.Status != b.Status || a.RunID != b.RunID || a.RunPoints != b.RunPoints || b.RunPoints != 39 || a.HeartbeatAt != b.HeartbeatAt {
			t.Errorf("before %+v\nafter  %+v", a, b)
		}
	})
}

// A commit that fails takes nothing: the device is told to come again, and the picture shows nothing of it.
//
// spec: D.ingest.05 D.wire.13
func TestFailedCommitChangesNothing(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o := k.Organization("A")
	k.Things(o.ID, "U", 1)
	device := k.Device(o.ID)
	if _, err := k.RecordPoints(t.Context(), device, app.ReportBatch{Reports: []fleet.Report{point(k.At(), 0, false)}}); err != nil {
		t.Fatal(err)
	}
	_, was, _, _ := k.Live.Thing(firstOf(t, k, o.ID))
	if err := k.Store.Write(t.Context(), func(tx *store.Tx) error {
		_, err := tx.ExecContext(t.Context(), `CREATE TRIGGER no_points BEFORE INSERT ON point_intake BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END`)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	k.Pass(time.Second)
	if _, err := k.RecordPoints(t.Context(), device, app.ReportBatch{Reports: []fleet.Report{point(k.At(), 500, true)}}); err == nil {
		t.Fatal("taken")
	}
	if _, is, _, _ := k.Live.Thing(firstOf(t, k, o.ID)); is != was {
		t.Errorf("the picture moved: %+v", is)
	}
	if err := k.Store.Write(t.Context(), func(tx *store.Tx) error {
		_, err := tx.ExecContext(t.Context(), `DROP TRIGGER no_points`)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if r, err := k.RecordPoints(t.Context(), device, app.ReportBatch{Reports: []fleet.Report{point(k.At(), 500, true)}}); err != nil || r.Accepted != 1 {
		t.Errorf("afterwards: %+v %v", r, err)
	}
}

// The same instant with other content goes under the receive instant; a key of one asset reports for it alone.
func TestClockSetBackAndKeyOfOneAsset(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		o := k.Organization("A")
		things := k.Things(o.ID, "U", 2)
		device := k.Device(o.ID)
		device.KeyThingID = things[0].ID
		at := k.At() - 5000
		unnamed, other := point(at, 0, false), point(at, 0, false)
		unnamed.Asset, other.Asset = "", "U-1"
		batch := app.ReportBatch{Reports: []fleet.Report{point(at, 0, false), point(at, 700, false), unnamed, other}}
		r, err := k.RecordPoints(t.Context(), device, batch)
		if err != nil || r.Accepted != 2 || r.Duplicates != 1 || len(r.Refused) != 1 || r.Refused[0].Error != "asset_unknown" {
			t.Fatalf("%+v %v", r, err)
		}
		points, _, err := points.OfThing(t.Context(), s.Reader(), 1, at, k.At())
		if err != nil || len(points) != 2 || points[1].At != k.At() {
			t.Errorf("%+v %v", points, err)
		}
	})
}

// Tickers end what time ends: an incident is closed after 8 h.
func TestIncidentExpires(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o := k.Organization("A")
	k.Things(o.ID, "U", 1)
	for range 3 {
		k.Pass(30 * time.Second)
		if _, err := k.RecordPoints(t.Context(), k.Device(o.ID), app.ReportBatch{Reports: []fleet.Report{point(k.At(), 0, true)}}); err != nil {
			t.Fatal(err)
		}
	}
	user := k.User(o.ID, "viewer")
	for _, step := range []struct {
		pass time.Duration
		want int
	}{{8*time.Hour - 61*time.Second, 1}, {time.Second, 0}} {
		k.Pass(step.pass)
		if err := k.AgeDue(context.Background()); err != nil {
			t.Fatal(err)
		}
		if rows, _, err := k.ActiveLocations(t.Context(), user, nil); err != nil || len(rows) != step.want {
			t.Errorf("after %v: %d active (%v)", step.pass, len(rows), err)
		}
	}
	if things, _, _ := k.ListThings(t.Context(), user, app.ThingQuery{}); things[0].Location != nil || things[0].Status != "pending" {
		t.Errorf("%+v", things[0].Live)
	}
}

func firstOf(t *testing.T, k *apptest.Kit, organizationID string) string {
	t.Helper()
	things, _, err := k.ListThings(t.Context(), k.User(organizationID, "viewer"), app.ThingQuery{})
	if err != nil || len(things) == 0 {
		t.Fatal(err)
	}
	return things[0].ID
}

// An incident has the direction of the traffic where its first unit stopped, as far as it is known, and keeps it.
func TestIncidentHasTheHeadingOfItsRoad(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		asked := map[float64]bool{}
		roads := live.Options{Street: func(_, _, heading float64) string { return "North King Street" },
			Roadway: func(_, _, heading float64) (float64, bool) {
				asked[heading] = true
				return 31.5, heading == 30
			}}
		k := apptest.NewWith(t, s, roads)
		for _, c := range []struct {
			name   string
			course float64 // negative = not said
			want   *float64
		}{{"along the road", 30, new(float64)}, {"no course", -1, nil}} {
			o := k.Organization(c.name)
			k.Things(o.ID, "U", 1)
			user := k.User(o.ID, "viewer")
			for range 3 {
				k.Pass(30 * time.Second)
				p := point(k.At(), 0, true)
				p.HasCourse, p.CourseDeg = c.course >= 0, max(c.course, 0)
				if _, err := k.RecordPoints(t.Context(), k.Device(o.ID), app.ReportBatch{Reports: []fleet.Report{p}}); err != nil {
					t.Fatal(err)
				}
			}
			for range 2 {
				rows, _, err := k.ActiveLocations(t.Context(), user, nil)
				if err != nil || len(rows) != 1 || !asked[c.course] {
					t.Fatalf("%s: %+v %v, asked for %v", c.name, rows, err, asked)
				}
				if got := rows[0].RoadwayHeading; (got == nil) != (c.want == nil) || got != nil && *got != 31.5 {
					t.Errorf("%s: %v", c.name, got)
				}
				k.Open(s, roads) // it is stored, not computed anew
			}
		}
	})
}
