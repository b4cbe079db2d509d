package device_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/eclipse/paho.golang/paho"

	"lightbar/internal/app"
	"lightbar/internal/wire"
)

// What a device reports over MQTT is stored when it is acknowledged, whether it is one item or a list; what is refused is
// told on its topic.
func TestMQTTReports(t *testing.T) {
	r := newMQTTRoom(t)
	c := r.device("HA7-0")
	if err := c.subscribe("lightbar/v1/HA7-0/refused"); err != nil {
		t.Fatal(err)
	}
	point := `{"type": "point", "asset": "HA7-0", "at": "2026-11-21T11:59:58Z", "lat": 39.7447, "lng": -75.5484}`
	for _, body := range []string{point, "[" + strings.Replace(point, ":58Z", ":59Z", 1) + "]", `{"items": [` + point + `]}`} {
		if err := c.publish("lightbar/v1/HA7-0/report", body); err != nil {
			t.Fatalf("%s: %v", body, err)
		}
	}
	things, _, err := r.ListThings(t.Context(), r.user, app.ThingQuery{})
	if err != nil || things[0].Lat == nil || *things[0].Lat != 39.7447 {
		t.Fatalf("%+v %v", things[0].Live, err)
	}
	for body, code := range map[string]string{
		`{`: "invalid_request", `"x"`: "invalid_request", strings.Replace(point, "39.7447", "91", 1): "lat_out_of_range",
		strings.Replace(point, "HA7-0", "HA7-1", 1): "asset_unknown",
	} {
		if err := c.publish("lightbar/v1/HA7-0/report", body); err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		if said := string(c.next("lightbar/v1/HA7-0/refused")); !strings.Contains(said, code) {
			t.Errorf("%s: %s, want %s", body, said, code)
		}
	}
	if s := r.server.Stats(); s.Connected != 1 || s.Refused != 4 {
		t.Errorf("%+v", s)
	}
}

// A press reaches the device at once, and is delivered by its word alone.
//
// spec: D.alert.01
func TestMQTTCommands(t *testing.T) {
	r := newMQTTRoom(t)
	thing := r.thing("HA7-0")
	operator := r.User(r.org, "operator")
	c := r.device("HA7-0")
	if err := c.publish("lightbar/v1/HA7-0/report", `{"type": "point", "at": "2026-11-21T11:59:58Z", "lat": 39.7, "lng": -75.5, "alerting": false}`); err != nil {
		t.Fatal(err)
	}
	if err := c.subscribe("lightbar/v1/HA7-0/command"); err != nil {
		t.Fatal(err)
	}
	pressed, err := r.ToggleTestMode(t.Context(), operator, thing.ID, "press-1")
	if err != nil {
		t.Fatal(err)
	}
	var got wire.PolledCommand
	if err := json.Unmarshal(c.next("lightbar/v1/HA7-0/command"), &got); err != nil || got.ID != pressed.Command.ID || got.Type != "r2r_test" {
		t.Fatalf("%+v %v", got, err)
	}
	status := func() string {
		rows, _, err := r.ListThingCommands(t.Context(), operator, app.CommandQuery{ThingID: thing.ID})
		if err != nil || len(rows) == 0 {
			t.Fatal(err)
		}
		return rows[0].Status
	}
	if s := status(); s != "sent" {
		t.Errorf("handed to the device: %s", s)
	}
	if err := c.publish("lightbar/v1/HA7-0/ack", `{"id": "`+got.ID+`", "at": "2026-11-21T12:00:01Z", "status": "delivered"}`); err != nil {
		t.Fatal(err)
	}
	if s := status(); s != "delivered" {
		t.Errorf("acknowledged: %s", s)
	}
	// Another one, while the device is away, waits for it.
	_ = c.c.Disconnect(&paho.Disconnect{})
	c.mustEnd("a goodbye")
	if _, err := r.SetLightIntensity(t.Context(), r.user, thing.ID, "press-2", "high"); err != nil {
		t.Fatal(err)
	}
	again := r.device("HA7-0")
	if err := again.subscribe("lightbar/v1/HA7-0/command"); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(again.next("lightbar/v1/HA7-0/command"), &got); err != nil || got.Type != "light_intensity" {
		t.Fatalf("%+v %v", got, err)
	}
}

// A device has the topics of its own asset and no others; whoever tries is cut off.
func TestMQTTTopicsOfOthers(t *testing.T) {
	r := newMQTTRoom(t)
	const point = `{"type": "point", "asset": "HA7-1", "at": "2026-11-21T11:59:58Z", "lat": 1, "lng": 1}`
	for name, try := range map[string]func(c *mqttClient) error{
		"another's reports":  func(c *mqttClient) error { return c.publish("lightbar/v1/HA7-1/report", point) },
		"another's words":    func(c *mqttClient) error { return c.publish("lightbar/v1/HA7-1/ack", "{}") },
		"a forged command":   func(c *mqttClient) error { return c.publish("lightbar/v1/HA7-1/command", "{}") },
		"its own command":    func(c *mqttClient) error { return c.publish("lightbar/v1/HA7-0/command", "{}") },
		"another's commands": func(c *mqttClient) error { return c.subscribe("lightbar/v1/HA7-1/command") },
		"the broker's own":   func(c *mqttClient) error { return c.subscribe("$SYS/broker/version") },
	} {
		c := r.device("HA7-0")
		if err := try(c); err == nil {
			t.Errorf("%s: taken", name)
		}
		c.mustEnd(name)
	}
	r.wasRefused("forbidden", 6)
	things, _, err := r.ListThings(t.Context(), r.user, app.ThingQuery{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range things {
		if things[i].Lat != nil {
			t.Errorf("%+v", things[i])
		}
	}
}

// Only an asset's own key opens a connection, and only under its name; a client id that others use as well takes nothing
// from them, and a will is not passed on.
func TestMQTTConnections(t *testing.T) {
	r := newMQTTRoom(t)
	secret := r.Key(r.org, r.thing("HA7-0").ID)
	for name, try := range map[string][2]string{
		"the organization's key": {"HA7-0", r.key}, "another's name": {"HA7-1", secret}, "no key": {"HA7-0", ""}, "a wrong key": {"HA7-0", secret + "x"},
	} {
		if _, err := r.connect(try[0], try[1]); err == nil {
			t.Errorf("%s: let in", name)
		}
	}
	r.wasRefused("invalid_key", 3) // the broker has no question about a key that is not there
	victim := r.device("HA7-1")
	if err := victim.subscribe("lightbar/v1/HA7-1/command"); err != nil {
		t.Fatal(err)
	}
	forger, err := r.connect("HA7-0", secret, func(hello *paho.Connect) {
		hello.WillMessage = &paho.WillMessage{Topic: "lightbar/v1/HA7-1/command", QoS: 1, Payload: []byte(`{"id": "forged"}`)}
	})
	if err != nil {
		t.Fatal(err)
	}
	second, err := r.connect("HA7-0", secret)
	if err != nil {
		t.Fatal(err)
	}
	forger.mustEnd("a second connection of the same asset")
	if err := second.publish("lightbar/v1/HA7-0/report", `{"type": "heartbeat", "at": "2026-11-21T11:59:58Z"}`); err != nil {
		t.Error(err)
	}
	if err := victim.publish("lightbar/v1/HA7-1/report", `{"type": "heartbeat", "at": "2026-11-21T11:59:58Z"}`); err != nil {
		t.Errorf("the other asset: %v", err)
	}
	select {
	case p := <-victim.heard:
		t.Errorf("%s %s", p.Topic, p.Payload)
	default:
	}
	revoke(r, r.thing("HA7-1").ID)
	if err := victim.publish("lightbar/v1/HA7-1/report", `{"type": "heartbeat", "at": "2026-11-21T11:59:59Z"}`); err == nil {
		t.Error("a revoked key still reports")
	}
	victim.mustEnd("a revoked key")
}

// System names are unique in an organization only: what one asset is told never reaches its namesake of another.
func TestMQTTNamesakes(t *testing.T) {
	r := newMQTTRoom(t)
	other := r.Organization("Another Fire")
	namesake := r.Things(other.ID, "HA7", 1)[0]
	c := r.device("HA7-0")
	stranger, err := r.connect("HA7-0", r.Key(other.ID, namesake.ID))
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range []*mqttClient{c, stranger} {
		if err := one.publish("lightbar/v1/HA7-0/report", `{"type": "point", "at": "2026-11-21T11:59:58Z", "lat": 39.7, "lng": -75.5}`); err != nil {
			t.Fatal(err)
		}
		if err := one.subscribe("lightbar/v1/HA7-0/command"); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := r.SetLightIntensity(t.Context(), r.user, r.thing("HA7-0").ID, "press-1", "low"); err != nil {
		t.Fatal(err)
	}
	c.next("lightbar/v1/HA7-0/command")
	if _, err := r.SetLightIntensity(t.Context(), r.User(other.ID, "manager"), namesake.ID, "press-2", "high"); err != nil {
		t.Fatal(err)
	}
	if got := string(stranger.next("lightbar/v1/HA7-0/command")); !strings.Contains(got, `"value":"high"`) {
		t.Errorf("a namesake was told %s", got)
	}
}

// A word that comes twice, too late, or on another's command changes nothing; only the last is refused.
func TestMQTTWords(t *testing.T) {
	r := newMQTTRoom(t)
	c := r.device("HA7-0")
	if err := c.subscribe("lightbar/v1/HA7-0/refused"); err != nil {
		t.Fatal(err)
	}
	press := func(name, key string) string {
		r.post(`{"items": [{"type": "point", "asset": "` + name + `", "at": "2026-11-21T11:59:58Z", "lat": 39.7, "lng": -75.5}]}`)
		p, err := r.SetLightIntensity(t.Context(), r.user, r.thing(name).ID, key, "low")
		if err != nil {
			t.Fatal(err)
		}
		return p.Command.ID
	}
	say := func(id, status string) {
		t.Helper()
		if err := c.publish("lightbar/v1/HA7-0/ack", `{"id": "`+id+`", "at": "2026-11-21T12:00:01Z", "status": "`+status+`"}`); err != nil {
			t.Fatal(err)
		}
	}
	is := func(name, want string) {
		t.Helper()
		rows, _, err := r.ListThingCommands(t.Context(), r.user, app.CommandQuery{ThingID: r.thing(name).ID})
		if err != nil || len(rows) == 0 || rows[0].Status != want {
			t.Errorf("%s: %+v %v, want %s", name, rows, err, want)
		}
	}
	first := press("HA7-0", "press-1")
	say(first, "delivered")
	say(first, "failed")
	is("HA7-0", "delivered")
	late := press("HA7-0", "press-2")
	r.Pass(61 * time.Second)
	if err := r.RunCommands(t.Context()); err != nil {
		t.Fatal(err)
	}
	say(late, "delivered")
	is("HA7-0", "expired")
	others := press("HA7-1", "press-3")
	for _, try := range [][3]string{{others, "delivered", "command_unknown"}, {"x", "delivered", "command_unknown"}, {others, "perhaps", "status"}} {
		say(try[0], try[1])
		if said := string(c.next("lightbar/v1/HA7-0/refused")); !strings.Contains(said, try[2]) {
			t.Errorf("%v: %s", try, said)
		}
	}
	is("HA7-1", "accepted")
	if err := c.publish("lightbar/v1/HA7-0/ack", `[]`); err != nil {
		t.Fatal(err)
	}
	if said := string(c.next("lightbar/v1/HA7-0/refused")); !strings.Contains(said, "invalid_request") {
		t.Error(said)
	}
}

// After a restart a whole fleet comes back at once, and says again what was not acknowledged.
func TestMQTTFleetComesBack(t *testing.T) {
	r := newMQTTRoom(t)
	const n = 200
	var keys [n]string
	for i, x := range r.Things(r.org, "T", n) {
		keys[i] = r.Key(r.org, x.ID)
	}
	before := r.device("HA7-0")
	r.stop()
	before.mustEnd("the server's stop")
	r.listen()
	var all sync.WaitGroup
	errs := make(chan error, n)
	for i := range n {
		all.Go(func() {
			name := fmt.Sprintf("T-%d", i)
			c, err := r.connect(name, keys[i])
			if err == nil {
				err = c.publish("lightbar/v1/"+name+"/report", `{"type": "point", "at": "2026-11-21T11:59:58Z", "lat": 39.7, "lng": -75.5}`)
			}
			errs <- err
		})
	}
	all.Wait()
	close(errs)
	for err := range errs {
		if err != nil {
			t.Error(err)
		}
	}
	if s := r.server.Stats(); s.Connected != n || s.Taken != n {
		t.Errorf("%+v", s)
	}
}
