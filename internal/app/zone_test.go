package app_test

import (
	"strings"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

// Where the zones of these tests lie: shapes around a place and around another.
const (
	hereLat, thereLat = 39.7, 39.8
	hereShape         = `{"type":"FeatureCollection","features":[{"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":` +
		`[[[-75.501,39.699],[-75.499,39.699],[-75.499,39.701],[-75.501,39.701],[-75.501,39.699]]]}}]}`
	thereShape = `{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"radius_dist":50},` +
		`"geometry":{"type":"Point","coordinates":[-75.5,39.8]}}]}`
	lineShape = `{"type":"FeatureCollection","features":[{"type":"Feature","properties":{},"geometry":{"type":"LineString","coordinates":` +
		`[[-75.5003,39.69],[-75.5003,39.71]]}}]}`
)

// street is a test of zones: an organization, its assets U-0 and U-1, and one of another.
type street struct {
	*apptest.Kit
	t      *testing.T
	s      *store.Store
	admin  *access.Actor
	things []wire.Thing
	zone   string
	asOf   fleet.Instant
}

func newStreet(t *testing.T, s *store.Store) *street {
	k := apptest.New(t, s)
	a := k.Organization("A")
	st := &street{Kit: k, t: t, s: s, admin: k.User(a.ID, "administrator"), things: k.Things(a.ID, "U", 2)}
	st.zone = st.makeZone(hereShape)
	return st
}

func (s *street) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *street) makeZone(shape string) string {
	s.t.Helper()
	row, _, err := s.Zones.Create(s.t.Context(), s.admin, newZone(s.admin.OrganizationID, shape))
	s.must(err)
	return row.ID
}

func newZone(organizationID, shape string) wire.ZoneWrite {
	return wire.ZoneWrite{OrganizationID: ref(wire.ID(organizationID)), TypeName: ref("school"), Description: ref("School"),
		Features: wire.Geometry(shape)}
}

// at is a point of an asset some time ago; alerting is "on", "off" or "".
func (s *street) at(asset string, ago time.Duration, lat float64, alerting string) fleet.Report {
	return fleet.Report{Kind: fleet.ReportPoint, Asset: asset, At: s.At().Add(-ago), Lat: lat, Lng: -75.5, HasLat: true, HasLng: true,
		HasAlerting: alerting != "", Alerting: alerting == "on"}
}

func (s *street) send(reports ...fleet.Report) {
	s.t.Helper()
	r, err := s.RecordPoints(s.t.Context(), s.Device(s.admin.OrganizationID), app.ReportBatch{Reports: reports})
	if err != nil || r.Accepted != len(reports) {
		s.t.Fatalf("%+v %v", r, err)
	}
}

// tick is what the clock does each second; it answers what it tells of zones.
func (s *street) tick() (told []string) {
	s.t.Helper()
	s.must(s.Live.Age(s.t.Context(), func(messages []fleet.Message) {
		for _, m := range messages {
			if m.Type == fleet.MessageZone {
				told = append(told, string(m.Body))
			}
		}
	}))
	return told
}

// pass lets time go by with its ticks.
func (s *street) pass(d time.Duration) {
	s.t.Helper()
	for ; d > 0; d -= time.Second {
		s.Pass(time.Second)
		s.tick()
	}
}

// known begins to ask for changes after all that have been made.
func (s *street) known() {
	s.t.Helper()
	_, meta, err := s.Zones.List(s.t.Context(), s.admin, app.Rows{})
	s.must(err)
	s.Pass(10 * time.Millisecond)
	s.asOf = meta.AsOf + 1
}

// is checks the zone: "active U-0 U-1", "active", or "standby". It counts as
// changed, if it should, in the list of what changed since the last check.
func (s *street) is(when, want string, changed bool) {
	s.t.Helper()
	row, err := s.Zones.Read(s.t.Context(), s.admin, s.zone)
	s.must(err)
	got := "standby"
	if row.IsActive {
		got = "active"
	}
	for _, thing := range row.ActiveThings {
		got += " " + thing.HaasID
	}
	if got != want || (row.ActiveUntil != 0) != (got == "active") {
		s.t.Errorf("%s: %s until %v, want %s", when, got, row.ActiveUntil, want)
	}
	rows, meta, err := s.Zones.List(s.t.Context(), s.admin, app.Rows{Since: s.asOf})
	s.must(err)
	has := len(rows) == 1 && rows[0].ID == s.zone
	if has != changed {
		s.t.Errorf("%s: changed %v, want %v: %+v", when, has, changed, rows)
	}
	s.Pass(time.Millisecond)
	s.asOf = meta.AsOf + 1
}

func (s *street) edit(in wire.ZoneWrite) {
	s.t.Helper()
	_, err := s.Zones.Edit(s.t.Context(), s.admin, s.zone, 0, in)
	s.must(err)
}

func (s *street) restart(away time.Duration) {
	s.t.Helper()
	s.must(s.StopIngest(s.t.Context()))
	s.Pass(away)
	s.Open(s.s, live.Options{})
}

// An asset makes a zone active with the very point that says so, and for the
// expiry after the last one; what time alone ends is told by the tick.
//
// spec: 3.zone.01
func TestAZoneFollowsAlertingAssets(t *testing.T) {
	const far = 39.75
	for name, steps := range map[string]func(s *street){
		"in and out": func(s *street) {
			s.send(s.at("U-0", 0, hereLat, ""))
			s.is("not alerting", "standby", false)
			s.send(s.at("U-0", 0, hereLat, "on"))
			s.is("alerting", "active U-0", true)
			s.Pass(10 * time.Second)
			s.send(s.at("U-1", 0, hereLat, "on"), s.at("U-0", 0, hereLat, "on"))
			s.is("both", "active U-0 U-1", true)
			s.send(s.at("U-0", 0, far, "on"))
			s.is("one left", "active U-1", true)
			s.send(s.at("U-1", 0, hereLat, "off"))
			s.is("the other is off", "active", true)
			s.pass(299 * time.Second)
			s.is("before it expires", "active", false)
			s.Pass(time.Second)
			s.is("expired, before the tick", "standby", false)
			if told := s.tick(); len(told) != 1 || !strings.Contains(told[0], `"is_active":false`) {
				s.t.Errorf("the tick tells %v", told)
			}
			s.is("expired", "standby", true)
			if told := s.tick(); len(told) != 0 {
				s.t.Errorf("the next tick tells %v", told)
			}
		},
		"an alert without a point": func(s *street) {
			s.send(s.at("U-0", 0, hereLat, ""))
			s.send(fleet.Report{Kind: fleet.ReportAlert, Asset: "U-0", At: s.At(), HasAlerting: true, Alerting: true})
			s.is("on", "active U-0", true)
			s.Pass(time.Second)
			s.send(fleet.Report{Kind: fleet.ReportAlert, Asset: "U-0", At: s.At(), HasAlerting: true})
			s.is("off", "active", true)
		},
		"crossed within one batch": func(s *street) {
			s.send(s.at("U-0", 20*time.Second, far, "on"), s.at("U-0", 10*time.Second, hereLat, "on"), s.at("U-0", 0, far, "on"))
			s.is("crossed", "active", true)
		},
		"reports of long ago": func(s *street) {
			s.send(s.at("U-0", time.Hour, hereLat, "on"))
			s.is("an hour old", "standby", false)
			s.send(s.at("U-0", 5*time.Minute, hereLat, "on"))
			s.is("within the time-out and the expiry", "active", true)
			s.pass(31 * time.Second)
			s.is("later", "standby", true)
		},
		"not heard any more": func(s *street) {
			s.send(s.at("U-0", 0, hereLat, "on"))
			s.is("alerting", "active U-0", true)
			s.Pass(30 * time.Second)
			s.is("stale, before the tick", "active", false)
			if told := s.tick(); len(told) != 1 || !strings.Contains(told[0], `"active_things":[]`) {
				s.t.Errorf("the tick tells %v", told)
			}
			s.is("stale", "active", true)
			s.pass(301 * time.Second)
			s.is("expired", "standby", true)
		},
		"heard again elsewhere": func(s *street) {
			s.send(s.at("U-0", 0, hereLat, "on"))
			s.Pass(310 * time.Second)
			s.send(s.at("U-0", 0, far, "on"))
			s.is("it counted for 30 s more", "active", true)
			s.Pass(21 * time.Second)
			s.is("but not until it was heard", "standby", false)
		},
		"a zone around what alerts": func(s *street) {
			s.send(s.at("U-0", 0, thereLat, "on"))
			s.zone = s.makeZone(thereShape)
			s.asOf = s.At()
			s.is("made", "active U-0", true)
		},
		"beside a line": func(s *street) {
			s.zone = s.makeZone(lineShape)
			s.known()
			s.edit(wire.ZoneWrite{Description: ref("A road, 26 m to the west")})
			s.send(s.at("U-0", 0, far, "on"))
			s.is("past its end", "standby", true)
			s.send(s.at("U-0", 0, hereLat-0.005, "on"))
			s.is("beside it", "active U-0", true)
		},
		"edited": func(s *street) {
			s.send(s.at("U-0", 0, hereLat, "on"))
			s.is("alerting", "active U-0", true)
			s.edit(wire.ZoneWrite{Description: ref("Another name")})
			s.is("renamed", "active U-0", true)
			s.send(s.at("U-0", 0, far, "on"))
			s.is("left", "active", true)
			s.pass(100 * time.Second)
			s.edit(wire.ZoneWrite{DefaultExpiry: ref(int64(60))})
			s.is("a shorter expiry", "standby", true)
			s.edit(wire.ZoneWrite{DefaultExpiry: ref(int64(600))})
			s.is("a longer one", "active", true)
			s.edit(wire.ZoneWrite{Features: wire.Geometry(thereShape)})
			s.is("elsewhere: nothing was there", "standby", true)
			s.send(s.at("U-0", 0, thereLat, "on"))
			s.is("there", "active U-0", true)
			s.edit(wire.ZoneWrite{Features: wire.Geometry(hereShape)})
			s.is("moved away", "standby", true)
			s.send(s.at("U-0", 0, thereLat, "on"))
			s.is("what stands in its old place", "standby", false)
		},
		"deleted": func(s *street) {
			s.send(s.at("U-0", 0, hereLat, "on"))
			s.is("alerting", "active U-0", true)
			gone := s.zone
			s.zone = s.makeZone(hereShape)
			s.must(s.Zones.Remove(s.t.Context(), s.admin, gone))
			s.send(s.at("U-0", 0, far, "on"), s.at("U-0", 0, hereLat, "off"))
			s.pass(301 * time.Second)
			rows, _, err := s.Zones.List(s.t.Context(), s.admin, app.Rows{Since: s.asOf})
			if err != nil || len(rows) != 2 || !rows[0].IsDeleted || rows[0].ID != gone || rows[0].IsActive {
				s.t.Errorf("%+v %v", rows, err)
			}
		},
		"an asset taken out of service, hidden from drivers, removed": func(s *street) {
			s.send(s.at("U-0", 0, hereLat, "on"))
			s.is("alerting", "active U-0", true)
			put := func(in wire.ThingWrite) {
				s.t.Helper()
				_, err := s.UpdateThing(s.t.Context(), s.admin, s.things[0].ID, in)
				s.must(err)
			}
			put(wire.ThingWrite{InService: ref(false)})
			s.is("out of service", "active", true)
			put(wire.ThingWrite{InService: ref(true)})
			s.is("in service", "active U-0", true)
			put(wire.ThingWrite{IsPubliclyAlerting: ref(false)})
			s.is("hidden", "active", true)
			put(wire.ThingWrite{IsPubliclyAlerting: ref(true)})
			s.is("shown", "active U-0", true)
			s.must(s.DeleteThing(s.t.Context(), s.admin, s.things[0].ID))
			s.is("removed", "active", true)
		},
		"an asset that moves to another organization": func(s *street) {
			b := s.Organization("B")
			s.send(s.at("U-0", 0, hereLat, "on"))
			s.is("alerting", "active U-0", true)
			super := s.User(s.admin.OrganizationID, "super")
			super.Organizations[b.ID] = access.Full
			_, err := s.TransferThing(s.t.Context(), super, s.things[0].ID, b.ID, 0)
			s.must(err)
			s.is("moved", "active", true)
			s.pass(301 * time.Second)
			if _, err := s.RecordPoints(s.t.Context(), s.Device(b.ID), app.ReportBatch{Reports: []fleet.Report{s.at("U-0", 0, hereLat, "on")}}); err != nil {
				s.t.Fatal(err)
			}
			s.is("it alerts there for its new owner", "standby", true)
		},
		"a restart": func(s *street) {
			s.send(s.at("U-0", 0, hereLat, "on"))
			s.is("alerting", "active U-0", true)
			s.restart(5 * time.Second)
			s.is("an asset alerts in it", "active U-0", true)
			s.send(s.at("U-0", 0, far, "on"))
			s.is("left", "active", true)
			s.restart(time.Minute)
			s.is("within the expiry", "active", true)
			s.send(s.at("U-0", 0, hereLat, "on"))
			s.is("back", "active U-0", true)
			s.restart(time.Hour)
			s.is("an hour without reports", "standby", true)
			s.restart(time.Second)
			s.is("nothing new", "standby", false)
		},
	} {
		t.Run(name, func(t *testing.T) {
			storetest.Each(t, func(t *testing.T, db *store.Store) {
				s := newStreet(t, db)
				s.known()
				steps(s)
			})
		})
	}
}

// An asset acts on the zones of its owner alone, and nobody else learns of them.
//
// spec: 7.zone.01
func TestZonesAreOfTheirOrganizationAlone(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.Store) {
		s := newStreet(t, db)
		b := s.Organization("B")
		s.Things(b.ID, "V", 1)
		other := s.User(b.ID, "administrator")
		row, _, err := s.Zones.Create(t.Context(), other, newZone(b.ID, hereShape))
		s.must(err)
		s.known()
		if _, err := s.RecordPoints(t.Context(), s.Device(b.ID), app.ReportBatch{Reports: []fleet.Report{s.at("V-0", 0, hereLat, "on")}}); err != nil {
			t.Fatal(err)
		}
		s.is("an asset of another organization", "standby", false)
		theirs, err := s.Zones.Read(t.Context(), other, row.ID)
		if err != nil || !theirs.IsActive || len(theirs.ActiveThings) != 1 || theirs.ActiveThings[0].HaasID != "V-0" {
			t.Errorf("%+v %v", theirs, err)
		}
		rows, _, err := s.Zones.List(t.Context(), s.admin, app.Rows{})
		if err != nil || len(rows) != 1 || rows[0].ID != s.zone {
			t.Errorf("%+v %v", rows, err)
		}
		for what, err := range map[string]error{"read": second(s.Zones.Read(t.Context(), s.admin, row.ID)), "deleted": s.Zones.Remove(t.Context(), s.admin, row.ID),
			"edited": second(s.Zones.Edit(t.Context(), s.admin, row.ID, 0, wire.ZoneWrite{Description: ref("Ours")}))} {
			if refusal := refusalOf(t, err); refusal.Code != "not_found" || refusal.Message != "Zone not found" {
				t.Errorf("%s: %+v", what, refusal)
			}
		}
		_, err = s.Zones.Edit(t.Context(), s.admin, s.zone, 0, wire.ZoneWrite{OrganizationID: ref(wire.ID(b.ID))})
		if refusal := refusalOf(t, err); refusal.Code != "organization_not_found" {
			t.Errorf("given away: %+v", refusal)
		}
		// Who reaches both may move it: what stands there alerts for the new owner.
		both := s.User(b.ID, "administrator")
		both.Organizations[s.admin.OrganizationID] = access.Full
		moved, err := s.Zones.Edit(t.Context(), both, s.zone, 0, wire.ZoneWrite{OrganizationID: ref(wire.ID(b.ID))})
		if err != nil || !moved.IsActive || len(moved.ActiveThings) != 1 || moved.OrganizationName != "B" {
			t.Errorf("moved %+v %v", moved, err)
		}
		ours := s.makeZone(thereShape)
		for name, of := range map[string]struct {
			organizations []string
			zones         int
		}{"none named": {nil, 2}, "both": {[]string{b.ID, s.admin.OrganizationID}, 3}, "ours": {[]string{s.admin.OrganizationID}, 1}} {
			rows, meta, err := s.Zones.List(t.Context(), both, app.Rows{OrganizationIDs: of.organizations})
			if err != nil || len(rows) != of.zones || meta.Total != of.zones || of.zones == 1 && rows[0].ID != ours {
				t.Errorf("%s: %+v %+v %v", name, rows, meta, err)
			}
		}
	})
}
