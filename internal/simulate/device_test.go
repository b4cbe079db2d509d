package simulate_test

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"testing"
	"time"

	"lightbar/internal/app"
	"lightbar/internal/device"
	"lightbar/internal/fleet"
	"lightbar/internal/simulate"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
)

// A device executes an id once, nothing after its end, and never something old after something new.
//
// spec: 5.device.03
func TestADeviceExecutesOnce(t *testing.T) {
	now, off, low := time.Now(), "off", "low"
	d := simulate.Device{Asset: "HA7-0"}
	for _, c := range []struct {
		name     string
		command  simulate.Command
		left     time.Duration
		said     string
		testMode bool
	}{
		{"expired", simulate.Command{ID: "a", Type: "r2r_test", IssuedAt: now}, 0, "", false},
		{"new", simulate.Command{ID: "b", Type: "r2r_test", IssuedAt: now}, time.Second, "delivered", true},
		{"off", simulate.Command{ID: "c", Type: "test_mode", Value: &off, IssuedAt: now.Add(time.Second)}, time.Second, "delivered", false},
		{"again", simulate.Command{ID: "b", Type: "r2r_test", IssuedAt: now}, time.Second, "delivered", false},
		{"older than what was done", simulate.Command{ID: "d", Type: "r2r_test", IssuedAt: now}, time.Second, "failed", false},
		{"another matter", simulate.Command{ID: "e", Type: "light_intensity", Value: &low, IssuedAt: now}, time.Second, "delivered", false},
		{"unknown", simulate.Command{ID: "f", Type: "explode", IssuedAt: now.Add(time.Hour)}, time.Second, "failed", false},
		{"without its value", simulate.Command{ID: "g", Type: "light_intensity", IssuedAt: now.Add(time.Hour)}, time.Second, "failed", false},
	} {
		if said, _ := d.Execute(c.command, c.left); said != c.said || d.InTestMode() != c.testMode {
			t.Errorf("%s: %q, test mode %v", c.name, said, d.InTestMode())
		}
	}
}

// A configuration changes how often the device reports; an older one, and what is none, changes nothing.
func TestADeviceTakesItsConfiguration(t *testing.T) {
	now := time.Now()
	d := simulate.Device{Asset: "HA7-0"}
	changed := d.Reconfigured()
	if d.ConfigVersion() != 0 || d.Every(10*time.Second) != 10*time.Second {
		t.Error("it has one from the start")
	}
	for _, c := range []struct {
		name, value, said string
		version           int64
		every             time.Duration
		changes           bool
	}{
		{"a configuration", `{"version": 2, "heartbeat_interval": 60, "model": "HA7-N"}`, "delivered", 2, time.Minute, true},
		{"an older one", `{"version": 1, "heartbeat_interval": 5}`, "failed", 2, time.Minute, false},
		{"a text", `"60"`, "failed", 2, time.Minute, false},
		{"nothing", `null`, "failed", 2, time.Minute, false},
		{"no interval", `{"version": 3}`, "failed", 2, time.Minute, false},
		{"a newer one", `{"version": 3, "heartbeat_interval": 5}`, "delivered", 3, 5 * time.Second, true},
	} {
		command := simulate.Command{ID: c.name, Type: "config", Config: json.RawMessage(c.value), IssuedAt: now}
		if said, _ := d.Execute(command, time.Second); said != c.said || d.ConfigVersion() != c.version || d.Every(time.Hour) != c.every {
			t.Errorf("%s: %q, has %d", c.name, said, d.ConfigVersion())
		}
		select {
		case <-changed:
			if !c.changes {
				t.Errorf("%s: changes how it reports", c.name)
			}
		default:
			if c.changes {
				t.Errorf("%s: changes nothing", c.name)
			}
		}
	}
}

// A press reaches the device and its word comes back, over the network.
func TestADeviceAnswersAPress(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		org := k.Organization("Engines")
		thing := k.Things(org.ID, "HA7", 1)[0]
		if _, err := k.RecordPoints(t.Context(), k.Device(org.ID), app.ReportBatch{Reports: []fleet.Report{{Kind: fleet.ReportHeartbeat, Asset: "HA7-0", At: k.At()}}}); err != nil {
			t.Fatal(err)
		}
		server := httptest.NewServer(device.New(k.App, device.Options{}))
		defer server.Close()
		said := make(chan string, 1)
		d := simulate.Device{Asset: "HA7-0", OnCommand: func(c simulate.Command, status string) { said <- c.Type + " " + status }}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- d.Answer(ctx, simulate.NewClient(server.URL, k.Key(org.ID, ""), 2)) }()
		user := k.User(org.ID, "administrator")
		if _, err := k.ToggleTestMode(t.Context(), user, thing.ID, "press"); err != nil {
			t.Fatal(err)
		}
		if got := <-said; got != "r2r_test delivered" || !d.InTestMode() {
			t.Errorf("the device says %q", got)
		}
		rows, _, err := k.ListThingCommands(t.Context(), user, app.CommandQuery{ThingID: thing.ID})
		if err != nil || rows[0].Status != "delivered" {
			t.Errorf("%+v, %v", rows, err)
		}
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if err := (&simulate.Device{Asset: "X"}).Answer(t.Context(), simulate.NewClient(server.URL, "lb_key_x", 1)); err == nil {
			t.Error("a device with a wrong key waits for ever")
		}
	})
}
