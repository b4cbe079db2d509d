package fleet_test

import (
	"testing"
	"time"

	"lightbar/internal/fleet"
)

// unit is one asset driven through the laws; seconds count from base.
type unit struct {
	t      *testing.T
	s      fleet.State
	around fleet.Surroundings
	place  *fleet.Location
	last   fleet.Outcome
}

func newUnit(t *testing.T) *unit {
	return &unit{t: t, s: fleet.State{ThingID: "u", Status: fleet.StatusOffline}}
}

func sec(s float64) fleet.Instant { return base + fleet.Instant(s*1000) }

// at reports a position east of the origin (meters) at a second; accuracy < 0 = not said.
func (u *unit) at(s, eastM, accuracy float64, alerting bool) {
	lat, lng := fleet.Offset(39.7, -75.5, eastM, 0)
	p := fleet.Point{At: sec(s), ReceivedAt: sec(s), Lat: lat, Lng: lng, HasAlerting: true, Alerting: alerting, HasAccuracy: accuracy >= 0, AccuracyM: accuracy}
	u.last = fleet.AdvancePoint(&u.s, &p, u.around)
	if u.last.Arrive {
		u.place = fleet.NewLocation("l", "o", "", u.last.ArriveLat, u.last.ArriveLng, u.last.ArriveAt)
		u.place.Join("u", "o", u.last.ArriveAt)
		fleet.Arrive(&u.s, u.place, u.last.ArriveAt)
	}
	u.leave()
	fleet.Settle(&u.s, u.around, sec(s))
}

// unsaid reports the same position without a word about the lights.
func (u *unit) unsaid(s float64) {
	p := fleet.Point{At: sec(s), ReceivedAt: sec(s), Lat: 39.7, Lng: -75.5}
	u.last = fleet.AdvancePoint(&u.s, &p, u.around)
	fleet.Settle(&u.s, u.around, sec(s))
}

func (u *unit) leave() {
	if u.last.LeaveID != "" {
		u.place.Depart("u", u.last.LeaveAt)
	}
}

func (u *unit) age(s float64) {
	u.last = fleet.Age(&u.s, sec(s))
	u.leave()
	fleet.Settle(&u.s, u.around, sec(s))
}

func (u *unit) signal(s float64, kind fleet.SignalKind, on bool) {
	u.last = fleet.AdvanceSignal(&u.s, &fleet.Signal{Kind: kind, At: sec(s), ReceivedAt: sec(s), On: on})
	fleet.Settle(&u.s, u.around, sec(s))
}

func (u *unit) want(status fleet.Status) {
	u.t.Helper()
	if u.s.Status != status {
		u.t.Errorf("status %s, want %s", u.s.Status.Wire(), status.Wire())
	}
}

const hour = 3600

// spec: 4.status.10 4.status.11 4.status.12 4.status.13 9.limits.01 9.limits.02 9.limits.03 D.value.01
func TestStatusAgesWithoutPackets(t *testing.T) {
	u := newUnit(t)
	u.at(0, 0, 5, false)
	u.want(fleet.StatusStandby)
	for _, step := range []struct {
		at   float64
		want fleet.Status
	}{{9 * 60, fleet.StatusStandby}, {10 * 60, fleet.StatusStationary}, {8 * hour, fleet.StatusStationary}, {8*hour + 0.001, fleet.StatusPending},
		{96*hour - 0.001, fleet.StatusPending}, {96 * hour, fleet.StatusOffline}} {
		u.age(step.at)
		u.want(step.want)
	}
	if u.s.DueAt != 0 {
		t.Errorf("an offline asset is due at %v", u.s.DueAt)
	}
}

// Each change by age comes at DueAt, so that a ticker needs no other hint.
func TestDueAtNamesEachChange(t *testing.T) {
	u := newUnit(t)
	u.at(0, 0, 5, true)
	var seen []string
	for i := 0; u.s.DueAt != 0 && i < 20; i++ {
		u.age(float64(u.s.DueAt-base) / 1000)
		if n := len(seen); n == 0 || seen[n-1] != u.s.Status.Wire() {
			seen = append(seen, u.s.Status.Wire())
		}
	}
	if len(seen) != 2 || seen[0] != "pending" || seen[1] != "offline" { // 2 h of silence after lights on, then the written order
		t.Errorf("active asset became %v", seen)
	}
}

// spec: D.value.02 4.status.18 9.limits.05
func TestActiveWindow(t *testing.T) {
	u := newUnit(t)
	u.at(0, 0, -1, true)
	u.want(fleet.StatusActive)
	u.age(2 * hour)
	u.want(fleet.StatusActive)
	u.age(2*hour + 0.001)
	u.want(fleet.StatusPending)
	u.at(3*hour, 0, -1, false)
	u.want(fleet.StatusStationary) // false ends ACTIVE at once; it has not moved for 3 h
}

// Any sign of life keeps the window open as long as nobody says that the lights are off.
//
// spec: D.value.02
func TestActiveWindowCountsFromTheLastSignOfLife(t *testing.T) {
	for name, hears := range map[string]func(*unit){
		"a heartbeat":                      func(u *unit) { u.signal(hour, fleet.SignalHeartbeat, false) },
		"a point that says nothing of it":  func(u *unit) { u.unsaid(hour) },
		"a board's word about its closure": func(u *unit) { u.signal(hour, fleet.SignalClosure, false) },
	} {
		u := newUnit(t)
		u.at(0, 0, -1, true)
		hears(u)
		if !u.s.Alerting {
			t.Errorf("%s puts the lights out", name)
		}
		u.age(hour + 2*hour - 60)
		u.want(fleet.StatusActive)
		u.age(hour + 2*hour)
		u.want(fleet.StatusActive)
		u.age(hour + 2*hour + 60)
		u.want(fleet.StatusPending)
	}
}

// spec: 4.live.04 4.status.16
func TestArrowBoardClosure(t *testing.T) {
	u := newUnit(t)
	u.signal(0, fleet.SignalClosure, true)
	u.want(fleet.StatusActive)
	u.signal(60, fleet.SignalHeartbeat, false)
	u.want(fleet.StatusActive)
	u.signal(120, fleet.SignalClosure, false)
	u.signal(130, fleet.SignalHeartbeat, false)
	u.want(fleet.StatusStandby)
	u.signal(200, fleet.SignalClosure, true)
	u.age(200 + 8*hour + 0.001)
	u.want(fleet.StatusPending) // a board silent for 8 h closes no road
}

// spec: 9.limits.25 4.live.01 4.live.02 D.value.05
func TestAccuracyBounds(t *testing.T) {
	stationAtOrigin := stationsAround(fleet.Area{ID: "s", IsStation: true, HasCenter: true, Lat: 39.7, Lng: -75.5})
	for _, c := range []struct {
		name     string
		around   fleet.Surroundings
		eastM    float64
		accuracy float64
		moves    bool
	}{
		{"on the road, 100 m", fleet.Surroundings{}, 0, 100, true}, {"on the road, 101 m", fleet.Surroundings{}, 0, 101, false},
		{"not said", fleet.Surroundings{}, 0, -1, true}, {"at a station, 30 m", stationAtOrigin, 0, 30, true},
		{"at a station, 31 m", stationAtOrigin, 0, 31, false}, {"its circle touches a station", stationAtOrigin, 140, 50, false},
		{"clearly away from it", stationAtOrigin, 160, 50, true},
	} {
		u := newUnit(t)
		u.around = c.around
		u.at(0, c.eastM, c.accuracy, false)
		if u.s.HasPosition != c.moves {
			t.Errorf("%s: moved %v", c.name, u.s.HasPosition)
		}
		if u.s.HeartbeatAt != sec(0) {
			t.Errorf("%s: it counts as a heartbeat", c.name)
		}
	}
}

// spec: D.value.06 D.value.07
func TestIncidentOpensAndCloses(t *testing.T) {
	u := newUnit(t)
	u.at(0, 0, 5, true)
	u.at(59, 20, 5, true)
	u.want(fleet.StatusActive)
	u.at(60, 25, 5, true)
	u.want(fleet.StatusLocation)
	if u.s.ArrivedAt != sec(0) || !u.place.IsActive {
		t.Errorf("arrived %v", u.s.ArrivedAt)
	}
	u.at(300, 149, 5, true)
	u.want(fleet.StatusLocation)
	u.at(310, 151, 5, true)
	u.want(fleet.StatusActive)
	if u.place.IsActive || u.place.EndAt != sec(310) {
		t.Errorf("place %+v", u.place)
	}
}

func TestIncidentEndsFiveMinutesAfterTheLights(t *testing.T) {
	u := newUnit(t)
	u.at(0, 0, 5, true)
	u.at(60, 0, 5, true)
	u.at(100, 0, 5, false)
	u.want(fleet.StatusLocation)
	if u.s.DueAt != sec(400) {
		t.Errorf("due at %v, want 5 min after the lights went off", u.s.DueAt)
	}
	u.at(200, 0, 5, true) // on again in between
	u.at(210, 0, 5, false)
	u.age(509.999)
	u.want(fleet.StatusLocation)
	u.age(510)
	u.want(fleet.StatusStandby)
	if u.place.IsActive || u.place.EndAt != sec(510) {
		t.Errorf("place %+v", u.place)
	}
}

func TestNoIncident(t *testing.T) {
	atStation := stationsAround(fleet.Area{ID: "s", IsStation: true, HasCenter: true, Lat: 39.7, Lng: -75.5})
	for _, c := range []struct {
		name     string
		around   fleet.Surroundings
		accuracy float64
		eastM    float64
		alerting bool
	}{
		{"without accuracy", fleet.Surroundings{}, -1, 0, true}, {"not alerting", fleet.Surroundings{}, 5, 0, false},
		{"moving", fleet.Surroundings{}, 5, 31, true}, {"at its own station", atStation, 5, 0, true}, {"in test mode", fleet.Surroundings{Testing: true}, 5, 0, true}, {"accuracy above 100 m", fleet.Surroundings{}, 150, 0, true},
	} {
		u := newUnit(t)
		u.around = c.around
		for i := range 5 {
			u.at(float64(i)*60, float64(i)*c.eastM, c.accuracy, c.alerting)
		}
		if u.s.LocationID != "" {
			t.Errorf("%s: an incident opened", c.name)
		}
	}
}

// A late point opens no incident.
func TestLatePointOpensNoIncident(t *testing.T) {
	u := newUnit(t)
	u.at(0, 0, 5, true)
	u.at(30, 0, 5, true)
	u.signal(100, fleet.SignalHeartbeat, false)
	u.at(70, 0, 5, true) // older than the heartbeat
	if u.s.LocationID != "" {
		t.Error("a late point opened an incident")
	}
}

// spec: 4.station.01 4.station.02 4.station.03 4.station.04 9.limits.24
func TestStation(t *testing.T) {
	polygon, err := fleet.ReadShape([]byte(`{"type":"Polygon","coordinates":[[[-75.51,39.79],[-75.49,39.79],[-75.49,39.81],[-75.51,39.81],[-75.51,39.79]]]}`))
	if err != nil {
		t.Fatal(err)
	}
	around := stationsAround(fleet.Area{ID: "circle", IsStation: true, HasCenter: true, Lat: 39.7, Lng: -75.5},
		fleet.Area{ID: "polygon", IsStation: true, Shape: polygon})
	for _, c := range []struct {
		lat, eastM float64
		alerting   bool
		want       string
	}{{39.7, 99, false, "circle"}, {39.7, 101, false, ""}, {39.8, 0, false, "polygon"}, {39.9, 0, false, ""}, {39.7, 0, true, ""}} {
		u := newUnit(t)
		u.around = around
		lat, lng := fleet.Offset(c.lat, -75.5, c.eastM, 0)
		p := fleet.Point{At: sec(0), ReceivedAt: sec(0), Lat: lat, Lng: lng, HasAlerting: true, Alerting: c.alerting}
		fleet.AdvancePoint(&u.s, &p, around)
		fleet.Settle(&u.s, around, sec(1))
		if u.s.StationID != c.want {
			t.Errorf("%+v: station %q", c, u.s.StationID)
		}
	}
	u := newUnit(t)
	u.around = around
	u.at(0, 0, 5, false)
	u.at(10, 500, 5, false)
	if u.s.StationID != "" {
		t.Error("the asset left its station")
	}
}

func TestStationaryNeedsTenMinutesWithin100M(t *testing.T) {
	for _, c := range []struct {
		name string
		step float64
		want fleet.Status
	}{{"parked", 0, fleet.StatusStationary}, {"creeps 5 m a minute", 5, fleet.StatusStationary}, {"crawls 50 m a minute", 50, fleet.StatusStandby}} {
		u := newUnit(t)
		for i := range 12 {
			u.at(float64(i)*60, float64(i)*c.step, 5, false)
		}
		if u.s.Status != c.want {
			t.Errorf("%s: %s", c.name, u.s.Status.Wire())
		}
	}
	u := newUnit(t) // an asset heard after an hour at another place has not stood there
	u.at(0, 0, 5, false)
	u.at(hour, 5000, 5, false)
	u.want(fleet.StatusStandby)
}

// A clock in the future never freezes the marker.
//
// spec: D.ingest.08
func TestClockAhead(t *testing.T) {
	u := newUnit(t)
	ahead := fleet.Point{At: sec(hour), ReceivedAt: sec(0), Lat: 1, Lng: 1}
	fleet.AdvancePoint(&u.s, &ahead, u.around)
	u.at(10, 0, 5, false)
	if u.s.At != sec(10) || u.s.Lat == 1 {
		t.Errorf("the marker is frozen at %v", u.s.At)
	}
	r := fleet.Report{At: sec(61)}
	if p := r.Point(1, sec(0)); !p.ClockSkew {
		t.Error("61 s ahead is flagged")
	}
	r.At = sec(60)
	if p := r.Point(1, sec(0)); p.ClockSkew {
		t.Error("60 s ahead is not flagged")
	}
}

// spec: D.ingest.06
func TestReportWindow(t *testing.T) {
	for _, c := range []struct {
		ago  time.Duration
		code string
	}{{30 * 24 * time.Hour, ""}, {30*24*time.Hour + time.Millisecond, "at_too_old"}, {-24 * time.Hour, ""}, {-24*time.Hour - time.Millisecond, "at_too_far_ahead"}} {
		r := fleet.Report{Kind: fleet.ReportHeartbeat, Asset: "a", At: base.Add(-c.ago)}
		code := ""
		if refusal := r.Check(base); refusal != nil {
			code = refusal.Code
		}
		if code != c.code {
			t.Errorf("%v ago: %q, want %q", c.ago, code, c.code)
		}
	}
}

// spec: D.value.08
func TestRunsOf(t *testing.T) {
	on := func(s float64) fleet.RunPoint { return fleet.RunPoint{At: sec(s), HasAlerting: true, Alerting: true} }
	runs := fleet.RunsOf(fleet.RunHistory{Points: []fleet.RunPoint{on(0), on(300), on(600.001), {At: sec(610)}, {At: sec(640), HasAlerting: true}, {At: sec(650)}}})
	if len(runs) != 2 || runs[0].Points != 2 || runs[1].Points != 2 || runs[1].EndAt != sec(610) {
		t.Errorf("%+v", runs)
	}
	runs = fleet.RunsOf(fleet.RunHistory{Points: []fleet.RunPoint{on(0), on(10), on(20)}, Stays: []fleet.Presence{{StartAt: sec(10)}}})
	if len(runs) != 1 || runs[0].Points != 2 || runs[0].EndAt != sec(10) {
		t.Errorf("a run ends with the arrival: %+v", runs)
	}
	runs = fleet.RunsOf(fleet.RunHistory{Points: []fleet.RunPoint{on(0), on(301), on(310)}, Stays: []fleet.Presence{{StartAt: sec(301)}}})
	if len(runs) != 1 || runs[0].Points != 1 || runs[0].EndAt != sec(0) {
		t.Errorf("an arrival begins no run: %+v", runs)
	}
}

func TestTrailText(t *testing.T) {
	var a, b fleet.Trail
	for i := range 20 {
		a.Add(base+fleet.Instant(i)*45_000, 39.7+float64(i)*1e-4, -75.5)
	}
	text, err := a.MarshalText()
	if err != nil || b.UnmarshalText(text) != nil || a != b {
		t.Errorf("%s: %v", text, err)
	}
	if b.UnmarshalText([]byte("AgAA")) == nil {
		t.Error("another version is refused")
	}
}

func FuzzTrailText(f *testing.F) {
	f.Add("")
	f.Add("AQ")
	f.Fuzz(func(t *testing.T, text string) {
		var a, b fleet.Trail
		if a.UnmarshalText([]byte(text)) != nil {
			return
		}
		again, _ := a.MarshalText()
		if b.UnmarshalText(again) != nil || a != b {
			t.Fatalf("%q does not come back", text)
		}
	})
}
