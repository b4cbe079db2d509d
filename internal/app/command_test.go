package app_test

import (
	"context"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/feed"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/testkit/check"
	"lightbar/internal/wire"
)

// tester is an engine that stands by, and who may test it.
type tester struct {
	*apptest.Kit
	t         *testing.T
	user, key *access.Actor
	org       fleet.Organization
	thing     wire.Thing
}

func newTester(t *testing.T, s *store.Store) *tester {
	k := apptest.New(t, s)
	org := k.Organization("Engines")
	x := &tester{Kit: k, t: t, user: k.User(org.ID, "administrator"), key: k.Device(org.ID), org: org, thing: k.Things(org.ID, "HA7", 1)[0]}
	x.report(fleet.Report{Kind: fleet.ReportHeartbeat})
	return x
}

func (x *tester) report(r fleet.Report) {
	x.t.Helper()
	r.Asset, r.At = x.thing.HaasID, x.At()
	result, err := x.RecordPoints(x.t.Context(), x.key, app.ReportBatch{Reports: []fleet.Report{r}})
	must(x.t, err)
	if len(result.Refused) > 0 {
		x.t.Fatalf("refused: %+v", result.Refused)
	}
}

func (x *tester) toggle(key string) wire.Commanded {
	x.t.Helper()
	made, err := x.ToggleTestMode(x.t.Context(), x.user, x.thing.ID, key)
	must(x.t, err)
	return made
}

// fetch gives the device its commands, and says what it made of the last one; "" = nothing.
func (x *tester) fetch(word string) (found []wire.PolledCommand) {
	x.t.Helper()
	found, err := x.CommandsForKey(x.t.Context(), x.key, x.thing.HaasID)
	must(x.t, err)
	if word != "" {
		_, err = x.AcknowledgeCommand(x.t.Context(), x.key, found[len(found)-1].ID, fleet.CommandWord{Status: word, At: x.At()})
		must(x.t, err)
	}
	return found
}

func (x *tester) testMode() bool {
	t, _, _, _ := x.Live.Thing(x.thing.ID)
	return t.TestMode
}

func (x *tester) rows() []wire.DeviceCommand {
	x.t.Helper()
	rows, _, err := x.ListThingCommands(x.t.Context(), x.user, app.CommandQuery{ThingID: x.thing.ID})
	must(x.t, err)
	return rows
}

// A press whose answer was lost, with the server that knew it, is sent again: it never flips test mode back.
//
// spec: 4.test.01 7.thing.07
func TestAPressIsNeverDoneTwice(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		x := newTester(t, s)
		first := x.toggle("press")
		must(t, x.StopIngest(t.Context()))
		x.Open(s, live.Options{})
		again := x.toggle("press")
		if !again.TestMode || again.Command.ID != first.Command.ID || len(x.rows()) != 1 || !x.testMode() {
			t.Errorf("%+v, then %+v; %d rows", first, again, len(x.rows()))
		}
		_, err := x.SetLightIntensity(t.Context(), x.user, x.thing.ID, "press", "low")
		refused(t, err, "idempotency_key_reused")
		x.fetch("delivered")
		if off := x.toggle("another"); off.TestMode || x.testMode() || off.Command.Type != "test_mode" || *off.Command.Value != "off" {
			t.Errorf("off: %+v", off)
		}
		if again := x.toggle("press"); !again.TestMode || x.testMode() {
			t.Errorf("a late repeat answers %+v, and test mode is %v", again, x.testMode())
		}
	})
}

// Test mode ends by itself, also when the server was down at its end; the device is told, and the audit says that nobody did it.
//
// spec: 4.test.02 3.thing.17
func TestTestModeEndsByItself(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		x := newTester(t, s)
		x.toggle("on")
		x.fetch("delivered")
		x.Pass(time.Hour - time.Second)
		must(t, x.RunCommands(t.Context()))
		if !x.testMode() {
			t.Fatal("test mode ends before its time")
		}
		must(t, x.StopIngest(t.Context()))
		x.Open(s, live.Options{})
		x.Pass(time.Second)
		must(t, x.RunCommands(t.Context()))
		must(t, x.RunCommands(t.Context()))
		rows := x.rows()
		if x.testMode() || len(rows) != 2 || rows[0].Type != "test_mode" || *rows[0].Value != "off" || rows[0].IssuedBy != (fleet.Verifier{Kind: "system"}) {
			t.Fatalf("test mode %v: %+v", x.testMode(), rows)
		}
		if found := x.fetch(""); len(found) != 1 || found[0].ID != rows[0].ID {
			t.Errorf("the device is told %+v", found)
		}
		for verb, id := range map[string]string{"create": rows[0].ID, "deliver": rows[1].ID} {
			if check.Audited(t, s, x.org.ID, verb, "command", id) != 1 {
				t.Errorf("the audit has no %s of %s", verb, id)
			}
		}
	})
}

// A test that was not delivered ends test mode at its instant: a real alert must not stay hidden.
func TestATestThatIsNotDeliveredEndsTestMode(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		x := newTester(t, s)
		x.toggle("on")
		x.fetch("")
		x.Pass(time.Minute - time.Millisecond)
		must(t, x.RunCommands(t.Context()))
		if !x.testMode() || len(x.fetch("")) != 1 {
			t.Error("it ends before its time")
		}
		x.Pass(time.Millisecond)
		if found := x.fetch(""); len(found) != 0 { // the clock has not run yet
			t.Errorf("handed out after its end: %+v", found)
		}
		must(t, x.RunCommands(t.Context()))
		if x.testMode() || x.rows()[0].Status != "expired" {
			t.Errorf("test mode %v: %+v", x.testMode(), x.rows())
		}
		if check.Audited(t, s, x.org.ID, "expire", "command", x.rows()[0].ID) != 1 {
			t.Error("the audit does not say what became of it")
		}
	})
}

// What an asset in test mode shows is no alert to anybody: no incident opens, no zone warns, no feed tells drivers.
//
// spec: D.alert.01 D.alert.02 D.alert.04
func TestLightsInTestModeAreNoAlert(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		x := newTester(t, s)
		shape := wire.Geometry(`{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"radius_dist":200},"geometry":{"type":"Point","coordinates":[-75.5,39.7]}}]}`)
		zone, _, err := x.Zones.Create(t.Context(), x.user, wire.ZoneWrite{Description: ptr("School"), TypeName: ptr("school"), Features: shape})
		must(t, err)
		stand := func() (incidents int, active, told bool) {
			for range 8 {
				x.report(fleet.Report{Kind: fleet.ReportPoint, Lat: 39.7, Lng: -75.5, HasLat: true, HasLng: true, HasAccuracy: true, AccuracyM: 5, HasAlerting: true, Alerting: true})
				x.Pass(20 * time.Second)
			}
			rows, _, err := x.ListLocations(context.Background(), x.user, app.LocationQuery{})
			must(t, err)
			z, err := x.Zones.Read(t.Context(), x.user, zone.ID)
			must(t, err)
			thing, state, _, _ := x.Live.Thing(x.thing.ID)
			_, told = feed.AlertOf(&thing, &state, x.At(), &feed.Naming{Name: func(string) string { return "" }})
			return len(rows), z.IsActive, told
		}
		x.toggle("on")
		x.fetch("delivered")
		if incidents, active, told := stand(); incidents != 0 || active || told {
			t.Errorf("a test: %d incidents, zone %v, told drivers %v", incidents, active, told)
		}
		x.toggle("off")
		if incidents, active, told := stand(); incidents != 1 || !active || !told {
			t.Errorf("after it: %d incidents, zone %v, told drivers %v", incidents, active, told)
		}
	})
}

// A former owner's commands are nobody else's: not to fetch, not to acknowledge, not to read.
func TestCommandsStayWithTheirOwner(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		x := newTester(t, s)
		made, err := x.SetLightIntensity(t.Context(), x.user, x.thing.ID, "", "high")
		must(t, err)
		next := x.Organization("Next")
		_, err = x.TransferThing(t.Context(), access.System(), x.thing.ID, next.ID, 0)
		must(t, err)
		key, user := x.Device(next.ID), x.User(next.ID, "administrator")
		found, err := x.CommandsForKey(t.Context(), key, x.thing.HaasID)
		must(t, err)
		rows, _, err := x.ListThingCommands(t.Context(), user, app.CommandQuery{ThingID: x.thing.ID})
		must(t, err)
		if len(found)+len(rows) != 0 {
			t.Errorf("the next owner gets %v and reads %v", found, rows)
		}
		for _, by := range []*access.Actor{key, x.key} {
			_, err = x.AcknowledgeCommand(t.Context(), by, made.Command.ID, fleet.CommandWord{Status: "delivered", At: x.At()})
			refused(t, err, "command_unknown")
		}
	})
}
