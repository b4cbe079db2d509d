package device_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/eclipse/paho.golang/paho"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/alerts"
	"lightbar/internal/feed"
	"lightbar/internal/fleet"
	"lightbar/internal/wire"
)

// drivers is a port at which alerts are followed that the test says.
type drivers struct {
	*mqttRoom
	hub    *alerts.Hub
	ticks  chan time.Time
	mu     sync.Mutex
	at     time.Time
	alerts map[string]feed.Alert
	closed bool // who follows may not go on
}

func newDrivers(t *testing.T) *drivers {
	t.Helper()
	r := newMQTTRoom(t)
	r.stop()
	d := &drivers{mqttRoom: r, ticks: make(chan time.Time), at: time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC), alerts: map[string]feed.Alert{}}
	d.hub = alerts.New(nil, nil, alerts.Options{Ticks: d.ticks, Log: r.Log,
		Now: func() time.Time { d.mu.Lock(); defer d.mu.Unlock(); return d.at },
		Things: func(string, []string) (out []feed.Alert) {
			d.mu.Lock()
			defer d.mu.Unlock()
			for _, a := range d.alerts {
				out = append(out, a)
			}
			return out
		},
		Places: func(context.Context, string) ([]feed.Alert, fleet.Instant, error) { return nil, 0, nil },
		StillFollows: func(context.Context, string, string) (bool, error) {
			d.mu.Lock()
			defer d.mu.Unlock()
			return !d.closed, nil
		}})
	t.Cleanup(func() {
		if err := d.hub.Drain(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
	r.options.Alerts = d.hub
	r.listen()
	yes := true
	if _, err := r.UpdateOrganization(t.Context(), access.System(), r.org, wire.OrganizationWrite{IsWZDxOrg: &yes, AlertsPublic: &yes}); err != nil {
		t.Fatal(err)
	}
	return d
}

// put says where alerts are now, and the boards look at it; lat 0 = it is over.
func (d *drivers) put(source string, lat, lng float64) {
	d.mu.Lock()
	d.at = d.at.Add(2 * time.Minute)
	now := fleet.InstantOf(d.at)
	delete(d.alerts, source)
	if lat != 0 {
		d.alerts[source] = feed.Alert{ID: "a" + source, Source: source, Category: feed.AlertVehicle, Kind: "fire", Message: "Fire truck ahead",
			Lat: lat, Lng: lng, Since: 1, UpdatedAt: now, ExpiresAt: now + 600_000}
	}
	d.mu.Unlock()
	d.ticks <- time.Time{}
}

// anonymous connects without a name and a key.
func (d *drivers) anonymous(edit ...func(*paho.Connect)) *mqttClient {
	d.t.Helper()
	c, err := d.connect("", "", append(edit, func(h *paho.Connect) { h.UsernameFlag, h.PasswordFlag = false, false })...)
	if err != nil {
		d.t.Fatal(err)
	}
	return c
}

func topicOf(org, cell string) string { return "lightbar/v1/alerts/" + org + "/" + cell }

// is expects the next message: its topic, event, and the alert's id.
func (c *mqttClient) is(topic, event, id string) {
	c.t.Helper()
	body := c.next(topic)
	var got struct {
		Event string
		Data  struct {
			ID, Type string
			Geometry struct{ Type string }
		}
	}
	if err := json.Unmarshal(body, &got); err != nil || got.Event != event || got.Data.ID != id ||
		event == "alert" && (got.Data.Type != "Feature" || got.Data.Geometry.Type != "Point") {
		c.t.Fatalf("%s %v, want %s of %s", body, err, event, id)
	}
}

const hereCell, thereCell, farCell = "dr45d", "dr45e", "dr4e5" // names are checked below

func center(t *testing.T, name string) (lat, lng float64) {
	t.Helper()
	for x := 38.0; x < 42; x += 0.01 {
		for y := -77.0; y < -73; y += 0.01 {
			if alerts.CellAt(x, y).String() == name && alerts.CellAt(x+0.005, y+0.005).String() == name {
				return x, y
			}
		}
	}
	t.Fatal("nowhere")
	return 0, 0
}

// Whoever follows two cells is told that an asset is in the other; whoever follows one, that it is gone.
func TestAnAssetDrivesFromCellToCell(t *testing.T) {
	d := newDrivers(t)
	lat, lng := center(t, hereCell)
	lat2, lng2 := center(t, thereCell)
	here, there, far := topicOf(d.org, hereCell), topicOf(d.org, thereCell), topicOf(d.org, farCell)
	both, one, all := d.anonymous(), d.anonymous(), d.anonymous()
	for _, x := range []struct {
		c      *mqttClient
		topics []string
	}{{both, []string{here, there}}, {one, []string{here}}} {
		for _, topic := range x.topics {
			if err := x.c.subscribe(topic); err != nil {
				t.Fatal(err)
			}
			x.c.is(topic, "ready", "")
		}
	}
	d.put("1", lat, lng)
	both.is(here, "alert", "a1")
	one.is(here, "alert", "a1")
	if err := all.subscribe(topicOf(d.org, "#")); err != nil {
		t.Fatal(err)
	}
	all.is(here, "alert", "a1")
	all.is(topicOf(d.org, "all"), "ready", "")
	d.put("1", lat2, lng2)
	both.is(there, "alert", "a1")
	one.is(here, "gone", "a1")
	all.is(there, "alert", "a1")
	if err := both.unsubscribe(there); err != nil { // it is told of it no more, not even its end
		t.Fatal(err)
	}
	d.put("1", 0, 0)
	all.is(there, "gone", "a1")
	d.put("2", lat, lng)
	both.is(here, "alert", "a2")
	one.is(here, "alert", "a2")
	if err := one.subscribe(far); err != nil {
		t.Fatal(err)
	}
	one.is(far, "ready", "")
	if got := d.hub.Stats().Followers; got != 3 {
		t.Errorf("%d followers", got)
	}
	if got := d.server.Stats().Followers; got != 3 {
		t.Errorf("%d connections", got)
	}
}

func (c *mqttClient) unsubscribe(topic string) error {
	ctx, cancel := c.while()
	defer cancel()
	_, err := c.c.Unsubscribe(ctx, &paho.Unsubscribe{Topics: []string{topic}})
	return err
}

// What an app may not do ends its connection: it publishes nothing, and reads nothing that is not its to read.
func TestAFollowerMayFollowAlone(t *testing.T) {
	d := newDrivers(t)

	no := false
	closedOrg := d.Organization("Closed").ID
	if _, err := d.UpdateOrganization(t.Context(), access.System(), closedOrg, wire.OrganizationWrite{AlertsPublic: &no}); err != nil {
		t.Fatal(err)
	}
	for _, topic := range []string{"lightbar/v1/HA7-0/report", topicOf(d.org, hereCell), "$SYS/x"} {
		c := d.anonymous()
		if err := c.publish(topic, `{"type": "point"}`); err == nil {
			t.Error("published: " + topic)
		}
		c.mustEnd(topic)
	}
	for _, topic := range []string{"lightbar/v1/HA7-0/command", "lightbar/v1/alerts/#", "lightbar/v1/alerts/+/" + hereCell, "#", topicOf(d.org, "dr45"),
		topicOf(d.org, "dr45dd"), topicOf(d.org, "DR45D"), topicOf(d.org, hereCell+"/#"), topicOf(d.org, "dr4+"), topicOf(closedOrg, hereCell),
		topicOf("01900000-0000-7000-8000-0000000000ff", hereCell), topicOf("", hereCell)} {
		c := d.anonymous()
		if err := c.subscribe(topic); err == nil {
			t.Error("subscribed: " + topic)
		}
		c.mustEnd(topic)
	}
	if _, err := d.connect("HA7-0", ""); err == nil {
		t.Error("a device without a key was let in")
	}
	if got := d.hub.Stats().Followers; got != 0 {
		t.Errorf("%d followers", got)
	}
}

// A key of an organization with the scope alerts follows where alerts are not public, with any name; its end ends the connection.
func TestAKeyFollows(t *testing.T) {
	d := newDrivers(t)
	no := false
	if _, err := d.UpdateOrganization(t.Context(), access.System(), d.org, wire.OrganizationWrite{AlertsPublic: &no}); err != nil {
		t.Fatal(err)
	}
	key := d.alertKey("alerts")
	if _, err := d.connect("app", d.alertKey("feeds")); err == nil {
		t.Error("a key for something else was let in")
	}
	c, err := d.connect("any name", key)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.subscribe(topicOf(d.org, "+")); err != nil {
		t.Fatal(err)
	}
	c.is(topicOf(d.org, "all"), "ready", "")
	d.mu.Lock()
	d.closed = true
	d.mu.Unlock()
	d.put("1", 39.7, -75.5) // the boards look again who may follow
	c.mustEnd("the key was revoked")
}

// alertKey is a new key of the organization with one scope.
func (d *drivers) alertKey(scope string) string {
	d.t.Helper()
	_, secret, err := d.CreateKey(d.t.Context(), access.System(), wire.KeyCreate{OrganizationID: wire.ID(d.org), Description: "App", Scopes: []string{scope}})
	if err != nil {
		d.t.Fatal(err)
	}
	return secret
}

// Beyond the limit of cells a subscription has a code that says so; those before it stay.
func TestCellsAreLimited(t *testing.T) {
	d := newDrivers(t)
	c := d.anonymous()
	most := int(catalog.LimitInt("alerts", "cells"))
	var list []paho.SubscribeOptions
	for i := range most + 1 {
		list = append(list, paho.SubscribeOptions{Topic: topicOf(d.org, alerts.CellAt(-80+float64(i)/20, 10).String()), QoS: 1})
	}
	if _, err := c.c.Subscribe(t.Context(), &paho.Subscribe{Subscriptions: list[:most]}); err != nil {
		t.Fatal(err)
	}
	for range most {
		<-c.heard
	}
	ctx, cancel := c.while()
	defer cancel()
	answer, err := c.c.Subscribe(ctx, &paho.Subscribe{Subscriptions: list[most:]})
	if answer == nil || answer.Reasons[0] != 0x97 {
		t.Errorf("%+v %v", answer, err)
	}
}

// More than may be unacknowledged at once is told, too: one after the other, QoS 1, no more than the app takes.
func TestManyAlertsAreAcknowledged(t *testing.T) {
	d := newDrivers(t)
	d.mu.Lock()
	for i := range 200 {
		d.alerts[fmt.Sprint(i)] = feed.Alert{ID: fmt.Sprintf("a%d", i), Source: fmt.Sprint(i), Category: feed.AlertVehicle, Lat: 39.7, Lng: -75.5,
			ExpiresAt: fleet.InstantOf(d.at) + 600_000}
	}
	d.mu.Unlock()
	receive := uint16(5)
	c := d.anonymous(func(h *paho.Connect) { h.Properties = &paho.ConnectProperties{ReceiveMaximum: &receive} })
	if err := c.subscribe(topicOf(d.org, "#")); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for range 201 {
		p := <-c.heard
		if p.QoS != 1 || strings.Contains(string(p.Payload), `"gone"`) {
			t.Errorf("%+v", p)
		}
		seen[string(p.Payload)] = true
	}
	if len(seen) != 201 {
		t.Errorf("%d messages", len(seen))
	}
}

// An app that reads nothing is ended, and nobody waits for it.
func TestAFollowerThatReadsNothingIsEnded(t *testing.T) {
	t.Cleanup(func() { _ = catalog.SetLimits(nil) })
	if err := catalog.SetLimits(map[string]float64{"mqtt.writeMs": 500, "alerts.queueBytes": 262_144}); err != nil {
		t.Fatal(err)
	}
	d := newDrivers(t)
	quick := d.anonymous()
	slow := d.dial()
	slow.send(packet(0x10, text("MQTT"), []byte{4, 2, 0, 0}, text("x")))
	if first, body, err := slow.next(); err != nil || first != 0x20 || body[1] != 0 {
		t.Fatalf("%x %x %v", first, body, err)
	}
	slow.send(packet(0x82, []byte{0, 7}, text(topicOf(d.org, "#")), []byte{1})) // and acknowledges nothing
	if first, _, err := slow.next(); err != nil || first != 0x30 && first != 0x32 && first != 0x90 {
		t.Fatalf("%x %v", first, err)
	}
	if err := quick.subscribe(topicOf(d.org, "#")); err != nil {
		t.Fatal(err)
	}
	quick.is(topicOf(d.org, "all"), "ready", "")
	for i := range 40 {
		d.put(fmt.Sprint(i), 39.7, -75.5)
		for <-quick.heard; len(quick.heard) > 0; {
			<-quick.heard
		}
	}
	for {
		if _, _, err := slow.next(); err != nil {
			if !isEnd(err) {
				t.Error(err)
			}
			break
		}
	}
}
