package api_test

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/alerts"
	"lightbar/internal/api"
	"lightbar/internal/app"
	"lightbar/internal/bus"
	"lightbar/internal/fleet"
	"lightbar/internal/testkit"
	"lightbar/internal/wire"
)

// drivers is a world whose alerts can be followed: a fire engine at a crossing, and whoever follows.
type drivers struct {
	*testkit.World
	t     *testing.T
	hub   *alerts.Hub
	ticks chan time.Time
	path  string
	token string // of an administrator
	made  wire.Thing
}

func newDrivers(t *testing.T, options ...testkit.Option) *drivers {
	t.Helper()
	messages, err := bus.Open(bus.Options{})
	must(t, err)
	d := &drivers{t: t, ticks: make(chan time.Time)}
	d.World = testkit.New(t, append(options, testkit.WithBus(messages), testkit.WithBuild(func(a *app.App, o *api.Options) {
		d.hub = alerts.New(a, messages, alerts.Options{Ticks: d.ticks, Log: a.Log})
		o.Alerts = d.hub
	}))...)
	t.Cleanup(func() {
		must(t, d.hub.Drain(context.WithoutCancel(t.Context())))
		must(t, messages.Close(context.WithoutCancel(t.Context())))
	})
	d.path = "/feeds/" + d.Own.ID + "/alerts/stream"
	d.set(true)
	d.made = d.asset("E-1", "fire")
	return d
}

// set makes the alerts public, or not.
func (d *drivers) set(public bool) {
	d.t.Helper()
	yes := true
	_, err := d.App.UpdateOrganization(d.t.Context(), access.System(), d.Own.ID, wire.OrganizationWrite{IsWZDxOrg: &yes, AlertsPublic: &public})
	must(d.t, err)
}

func (d *drivers) asset(name, kind string) wire.Thing {
	d.t.Helper()
	made, err := d.App.RegisterThing(d.t.Context(), access.System(), app.NewThing{OrganizationID: d.Own.ID, SystemName: name, Type: kind, DeviceType: "ha7"})
	must(d.t, err)
	d.edit(made.ID, wire.ThingWrite{})
	return made
}

// edit changes an asset; a switch that is not said is on.
func (d *drivers) edit(id string, said wire.ThingWrite) {
	d.t.Helper()
	for _, at := range []**bool{&said.InService, &said.IsPubliclyAlerting} {
		if *at == nil {
			*at = ptr(true)
		}
	}
	_, err := d.App.UpdateThing(d.t.Context(), access.System(), id, said)
	must(d.t, err)
}

func ptr[T any](v T) *T { return &v }

// report sends a point of an asset a second later.
func (d *drivers) report(name string, lat, lng float64, lights bool) {
	d.t.Helper()
	d.Clock.Advance(time.Second)
	device := &access.Actor{KeyID: "key", KeyScopes: access.AllScopes(), OrganizationID: d.Own.ID, Organizations: map[string]access.Reach{d.Own.ID: access.Full}}
	r, err := d.App.RecordPoints(d.t.Context(), device, app.ReportBatch{Reports: []fleet.Report{{Kind: fleet.ReportPoint, Asset: name,
		At: fleet.InstantOf(d.Clock.Now()), Lat: lat, Lng: lng, HasLat: true, HasLng: true, HasAccuracy: true, AccuracyM: 4, HasAlerting: true, Alerting: lights}}})
	if err != nil || r.Accepted != 1 {
		d.t.Fatalf("%+v %v", r, err)
	}
}

// later lets the clock go on, and the boards look at it.
func (d *drivers) later(by time.Duration) {
	d.Clock.Advance(by)
	d.ticks <- time.Time{}
}

// sent is one event as a reader got it.
type sent struct {
	Event, ID, Data string
	Feature         struct {
		ID         string
		Properties map[string]any
		Geometry   struct{ Type string }
	}
}

// following is a reader of a stream.
type following struct {
	t      *testing.T
	header http.Header
	events chan sent
	cancel context.CancelFunc
	last   string // id of the last event
}

// follow opens a stream; headers are pairs of name and value.
func (d *drivers) follow(query string, headers ...string) *following {
	d.t.Helper()
	return follow(d.t, d.Server, d.path+query, headers...)
}

func follow(t *testing.T, server *httptest.Server, path string, headers ...string) *following {
	t.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+path, http.NoBody)
	must(t, err)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	answer, err := http.DefaultTransport.RoundTrip(r)
	must(t, err)
	if answer.StatusCode != 200 {
		t.Fatalf("%s: %d", path, answer.StatusCode)
	}
	f := &following{t: t, header: answer.Header, events: make(chan sent, 1000), cancel: cancel}
	go func() {
		defer close(f.events)
		defer func() { _ = answer.Body.Close() }()
		var e sent
		for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
			name, value, _ := strings.Cut(lines.Text(), ": ")
			switch name {
			case "event":
				e.Event = value
			case "id":
				e.ID = value
			case "data":
				e.Data = value
				_ = json.Unmarshal([]byte(value), &e.Feature) // hello and ready are no features
			case "":
				if e.Event != "" {
					f.events <- e
				}
				e = sent{}
			}
		}
	}()
	return f
}

// next is the next event, which must have that name.
func (f *following) next(name string) sent {
	f.t.Helper()
	select {
	case e, ok := <-f.events:
		if !ok || e.Event != name {
			f.t.Fatalf("got %+v (open: %v), want %s", e, ok, name)
		}
		if e.ID != "" {
			f.last = e.ID
		}
		return e
	case <-time.After(30 * time.Second):
		f.t.Fatalf("no %s came", name)
	}
	return sent{}
}

// until reads on to an event of that name and answers it.
func (f *following) until(name string) sent {
	f.t.Helper()
	for {
		select {
		case e, ok := <-f.events:
			if !ok {
				f.t.Fatalf("the stream ended before %s", name)
			}
			if f.last = e.ID; e.Event == name {
				return e
			}
		case <-time.After(30 * time.Second):
			f.t.Fatalf("no %s came", name)
		}
	}
}

// ready reads what the stream begins with; it answers the ids of the alerts.
func (f *following) ready() (ids []string) {
	f.t.Helper()
	f.next("hello")
	for {
		select {
		case e := <-f.events:
			if e.ID != "" {
				f.last = e.ID
			}
			switch e.Event {
			case "alert":
				ids = append(ids, e.Feature.ID)
			case "ready":
				return ids
			default:
				f.t.Fatalf("%+v", e)
			}
		case <-time.After(30 * time.Second):
			f.t.Fatal("it is never ready")
		}
	}
}

// A driver's app follows the alerts: it is told of what holds, of what changes, and of what is over, in each of
// the ways in which an alert can be over.
//
// spec: D.alert.03
func TestDriversFollowAlerts(t *testing.T) {
	d := newDrivers(t)
	f := d.follow("")
	if h := f.header; h.Get("Content-Type") != "text/event-stream" || h.Get("Cache-Control") != "no-store" || h.Get("X-Accel-Buffering") != "no" ||
		h.Get("Access-Control-Allow-Origin") != "*" || h.Get("Content-Encoding") != "" {
		t.Errorf("%v", h)
	}
	hello := f.next("hello")
	var said struct {
		ServerTime string `json:"server_time"`
		RetryMs    int    `json:"retry_ms"`
	}
	if err := json.Unmarshal([]byte(hello.Data), &said); err != nil || said.ServerTime != "2026-11-21T10:00:00.000Z" || said.RetryMs < 1000 {
		t.Errorf("%s %v", hello.Data, err)
	}
	f.next("ready")
	d.report("E-1", 39.74, -75.55, true)
	on := f.next("alert")
	if p := on.Feature.Properties; p["category"] != "vehicle" || p["message"] != "Fire truck with lights on ahead" || p["traffic_bearing"] != nil ||
		p["expires_at"] != "2026-11-21T10:00:31.000Z" || on.Feature.Geometry.Type != "Point" {
		t.Errorf("%s", on.Data)
	}
	d.report("E-1", 39.75, -75.55, true)
	if moved := f.next("alert"); moved.Feature.ID != on.Feature.ID || !strings.Contains(moved.Data, "39.75") {
		t.Errorf("%s", moved.Data)
	}
	gone := func(how string, do, back func()) {
		t.Helper()
		do()
		e := f.next("gone")
		if e.Data != `{"id":"`+on.Feature.ID+`"}` {
			t.Errorf("%s: %s, want %s", how, e.Data, on.Feature.ID)
		}
		back()
		on = f.next("alert")
	}
	profile := func(how string, off, again wire.ThingWrite) {
		t.Helper()
		gone(how, func() { d.edit(d.made.ID, off) }, func() { d.edit(d.made.ID, again) })
	}
	gone("its lights go off", func() { d.report("E-1", 39.75, -75.55, false) }, func() { d.report("E-1", 39.75, -75.55, true) })
	profile("hidden", wire.ThingWrite{IsPubliclyAlerting: ptr(false)}, wire.ThingWrite{})
	profile("out of service", wire.ThingWrite{InService: ptr(false)}, wire.ThingWrite{})
	test := func(is bool) {
		change := d.App.Live.Begin()
		thing, _, _, _ := d.App.Live.Thing(d.made.ID)
		thing.TestMode = is
		change.Put(&thing)
		change.Apply(nil)
		d.report("E-1", 39.75, -75.55, true)
	}
	gone("under test", func() { test(true) }, func() { test(false) })
	gone("it falls silent", func() { d.later(30 * time.Second) }, func() { d.report("E-1", 39.75, -75.55, true) })
	gone("its connection is lost", func() { d.App.NoteCut(d.made.ID) }, func() { d.report("E-1", 39.75, -75.55, true) })
	before := on.Feature.ID
	d.report("E-1", 39.75, -75.55, false)
	f.next("gone")
	d.report("E-1", 39.75, -75.55, true)
	if next := f.next("alert"); next.Feature.ID == before {
		t.Error("the next time has the same id")
	}
}

// An alert is told at most once a second, with what holds then.
func TestAnAlertIsToldOnceASecondAtMost(t *testing.T) {
	d := newDrivers(t)
	f := d.follow("")
	f.ready()
	d.report("E-1", 39.74, -75.55, true)
	f.next("alert")
	d.Clock.Advance(-900 * time.Millisecond) // the next report is 0.1 s later
	d.report("E-1", 39.75, -75.55, true)
	d.asset("E-2", "police")
	d.Clock.Advance(-999 * time.Millisecond)
	d.report("E-2", 39.70, -75.50, true)
	if e := f.next("alert"); !strings.Contains(e.Data, "police") {
		t.Errorf("within the second: %s", e.Data)
	}
	d.later(time.Second)
	if e := f.next("alert"); !strings.Contains(e.Data, "39.75") {
		t.Errorf("after it: %s", e.Data)
	}
}

// Closures and hazards are told while they hold.
func TestDriversLearnOfClosuresAndHazards(t *testing.T) {
	d := newDrivers(t)
	f := d.follow("")
	f.ready()
	row, _, err := d.App.Closures.Create(t.Context(), access.System(), published(d.World, "Paving", "DE-1"))
	must(t, err)
	e := f.next("alert")
	if p := e.Feature.Properties; p["category"] != "closure" || e.Feature.Geometry.Type != "LineString" || p["message"] == "" ||
		p["traffic_bearing"] == nil || p["expires_at"] != "2026-11-21T12:00:00.000Z" || strings.Contains(e.Data, row.ID) {
		t.Errorf("%s", e.Data)
	}
	device := &access.Actor{KeyID: "key", KeyScopes: access.AllScopes(), OrganizationID: d.Own.ID, Organizations: map[string]access.Reach{d.Own.ID: access.Full}}
	taken, err := d.App.RecordPoints(t.Context(), device, app.ReportBatch{Hazards: []fleet.HazardReport{{MarkReport: fleet.MarkReport{ID: "H-1",
		At: fleet.InstantOf(d.Clock.Now()), HasLat: true, HasLng: true, Lat: 39.7, Lng: -75.5}, HasKind: true, Kind: "debris", HasDescription: true, Description: "call 555-0100"}}})
	must(t, err)
	if taken.Accepted != 1 {
		t.Fatalf("%+v", taken)
	}
	h := f.next("alert")
	if p := h.Feature.Properties; p["category"] != "hazard" || p["message"] != "Debris ahead" || strings.Contains(h.Data, "555-0100") || p["hazard_type"] != "debris" {
		t.Errorf("%s", h.Data)
	}
	if r := d.Get("/feeds/"+d.Own.ID+"/alerts.geojson", ""); strings.Contains(r.Text, "closure") || strings.Contains(r.Text, "hazard") {
		t.Errorf("the document carries vehicles alone: %s", r.Text)
	}
	d.later(time.Hour)
	if e := f.next("gone"); !strings.Contains(e.Data, h.Feature.ID) {
		t.Errorf("the hazard is over: %s", e.Data)
	}
	d.later(time.Hour)
	if over := f.next("gone"); !strings.Contains(over.Data, e.Feature.ID) {
		t.Errorf("the closure is over: %s", over.Data)
	}
}

// Who follows a circle is told of what enters and leaves it, and nothing of the rest.
func TestDriversFollowACircle(t *testing.T) {
	d := newDrivers(t)
	d.asset("E-2", "police")
	d.report("E-1", 39.74, -75.55, true)
	d.report("E-2", 40.74, -75.55, true)
	f := d.follow("?lat=39.74&lng=-75.55&radius_m=1000")
	ids := f.ready()
	if len(ids) != 1 {
		t.Fatalf("%v", ids)
	}
	d.report("E-2", 40.75, -75.55, true)
	d.report("E-1", 39.76, -75.55, true) // 2.2 km
	if e := f.next("gone"); !strings.Contains(e.Data, ids[0]) {
		t.Errorf("it left the circle: %s", e.Data)
	}
	d.report("E-1", 39.77, -75.55, false)
	d.report("E-2", 39.745, -75.55, true)
	if e := f.next("alert"); e.Feature.Properties["thing_type"] != "police" {
		t.Errorf("it entered the circle: %s", e.Data)
	}
}

// On a divided road a driver of the other carriageway is not alerted; where the road is not divided, both are.
func TestTheOtherCarriagewayIsNotAlerted(t *testing.T) {
	var oneWay atomic.Bool // the hub asks on its own
	oneWay.Store(true)
	d := newDrivers(t, testkit.WithCarriageways(func(_, _, _ float64) (float64, bool) { return 350, oneWay.Load() }))
	d.report("E-1", 39.74, -75.55, true)
	here := "?lat=39.74&lng=-75.55&radius_m=1000&heading="
	for heading, told := range map[string]int{"350": 1, "80": 1, "81": 0, "260": 1, "259": 0, "170": 0, "0": 1, "360": 1} {
		if ids := d.follow(here + heading).ready(); len(ids) != told {
			t.Errorf("heading %s: %v", heading, ids)
		}
	}
	f := d.follow("?heading=170")
	f.ready()
	oneWay.Store(false)
	d.report("E-1", 39.741, -75.55, true)
	if e := f.next("alert"); e.Feature.Properties["traffic_bearing"] != nil {
		t.Errorf("%s", e.Data)
	}
	oneWay.Store(true)
	d.report("E-1", 39.742, -75.55, true)
	f.next("gone")
}

// Who lost the connection goes on from the last event; from one that nobody knows anymore it begins anew.
func TestAlertsResume(t *testing.T) {
	d := newDrivers(t)
	d.asset("E-2", "police")
	d.report("E-1", 39.74, -75.55, true)
	f := d.follow("")
	first, last := f.ready(), f.last
	d.report("E-2", 39.7, -75.5, true)
	f.next("alert")
	d.report("E-1", 39.74, -75.55, false)
	f.next("gone")
	again := d.follow("", "Last-Event-ID", last)
	again.next("hello")
	if e := again.next("alert"); e.Feature.Properties["thing_type"] != "police" {
		t.Errorf("%s", e.Data)
	}
	if e := again.next("gone"); !strings.Contains(e.Data, first[0]) {
		t.Errorf("%s", e.Data)
	}
	again.next("ready")
	part := d.follow("?lat=39.74&lng=-75.55&radius_m=1000", "Last-Event-ID", last)
	part.next("hello")
	part.next("gone") // of what is not within, too: nobody knows whether it was
	part.next("gone")
	part.next("ready")
	none := d.follow("", "Last-Event-ID", f.last)
	none.next("hello")
	none.next("ready")
	for _, unknown := range []string{"x-1", "nonsense", strings.Split(again.last, "-")[0] + "-999999"} {
		anew := d.follow("", "Last-Event-ID", unknown)
		anew.next("hello")
		anew.next("reset")
		if e := anew.next("alert"); e.Feature.Properties["thing_type"] != "police" {
			t.Errorf("%s", e.Data)
		}
		anew.next("ready")
	}
}
