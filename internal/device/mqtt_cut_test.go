package device_test

import (
	"net"
	"runtime"
	"strconv"
	"sync"
	"testing"

	"lightbar/internal/fleet"
)

// reported is a device over MQTT that has reported once.
func (r *mqttRoom) reported(name string) *rawMQTT {
	r.t.Helper()
	c := r.raw(name, r.Key(r.org, r.thing(name).ID))
	c.publish(name, `{"type": "point", "at": "2026-11-21T11:59:58Z", "lat": 39.7, "lng": -75.5, "alerting": true}`)
	return c
}

// publish reports, and waits until that is stored.
func (c *rawMQTT) publish(name, body string) {
	c.t.Helper()
	c.send(publication(0x32, "lightbar/v1/"+name+"/report", body))
	if first, _, err := c.next(); err != nil || first != 0x40 {
		c.t.Fatalf("%s: %x %v", name, first, err)
	}
}

// until waits for what nothing tells of.
func (r *mqttRoom) until(what string, happened func() bool) {
	r.t.Helper()
	for !happened() {
		select {
		case <-r.t.Context().Done():
			r.t.Fatal(what + " does not happen")
		default:
			runtime.Gosched()
		}
	}
}

// cutAt is since when an asset is cut off; 0 = it is not.
func (r *mqttRoom) cutAt(name string) fleet.Instant {
	_, _, shown, _ := r.Live.Thing(r.thing(name).ID)
	if shown.CutAt != 0 && shown.StaleAt != shown.CutAt {
		r.t.Errorf("%s: cut at %s, stale at %s", name, shown.CutAt, shown.StaleAt)
	}
	return shown.CutAt
}

// drop lets the network fail: nothing says goodbye.
func (c *rawMQTT) drop() {
	c.t.Helper()
	if tcp, ok := c.conn.(*net.TCPConn); ok {
		if err := tcp.SetLinger(0); err != nil {
			c.t.Fatal(err)
		}
	}
	if err := c.conn.Close(); err != nil {
		c.t.Fatal(err)
	}
}

// A connection that ends without a goodbye makes its asset silent at once, until its next report; a goodbye, another
// connection of the same asset, a revoked key and a server that stops do not.
func TestMQTTCut(t *testing.T) {
	r := newMQTTRoom(t)
	cut := r.reported("HA7-0")
	cut.drop()
	r.until("the cut", func() bool { return r.cutAt("HA7-0") != 0 })
	if at := r.cutAt("HA7-0"); at != r.At() {
		t.Errorf("silent since %s", at)
	}
	again := r.raw("HA7-0", r.Key(r.org, r.thing("HA7-0").ID))
	if r.cutAt("HA7-0") == 0 {
		t.Error("connected, and not silent, without a report")
	}
	if again.publish("HA7-0", `{"type": "heartbeat", "at": "2026-11-21T11:58:00Z"}`); r.cutAt("HA7-0") != 0 {
		t.Error("it reports what is old, and is silent")
	}

	again.send([]byte{0xe0, 0})
	r.until("the goodbye", func() bool { return r.server.Stats().Connected == 0 })
	first := r.reported("HA7-1")
	second := r.raw("HA7-1", r.Key(r.org, r.thing("HA7-1").ID))
	if _, _, err := first.next(); !isEnd(err) {
		t.Errorf("taken over: %v", err)
	}
	second.send([]byte{0xe0, 0})
	r.until("its goodbye", func() bool { return r.server.Stats().Connected == 0 })
	revoked := r.reported("HA7-2")
	revoke(r, r.thing("HA7-2").ID)
	revoked.send(publication(0x32, "lightbar/v1/HA7-2/report", `{"type": "heartbeat", "at": "2026-11-21T11:59:59Z"}`))
	if _, _, err := revoked.next(); !isEnd(err) {
		t.Errorf("revoked: %v", err)
	}
	r.until("the end of a revoked key", func() bool { return r.server.Stats().Connected == 0 })
	stopped := r.reported("HA7-1")
	r.stop()
	if _, _, err := stopped.next(); !isEnd(err) {
		t.Errorf("the server's stop: %v", err)
	}

	// What follows a cut of another one has not been silenced with it.
	r.listen()
	before := r.CutStats()
	r.reported("HA7-0").drop()
	r.until("the last cut", func() bool { return r.CutStats().Assets > before.Assets })
	for _, name := range []string{"HA7-1", "HA7-2"} {
		if at := r.cutAt(name); at != 0 {
			t.Errorf("%s is silent since %s", name, at)
		}
	}
}

// A device whose keepalive is over is cut; one whose MQTT 5 goodbye asks for its will is, too.
func TestMQTTCutWithoutAWord(t *testing.T) {
	r := newMQTTRoom(t)
	quiet := r.dial()
	quiet.send(packet(0x10, text("MQTT"), []byte{4, 0xc2, 0, 1}, text("tracker"), text("HA7-0"), text(r.Key(r.org, r.thing("HA7-0").ID))))
	if first, body, err := quiet.next(); err != nil || first != 0x20 || body[1] != 0 {
		t.Fatalf("%x %x %v", first, body, err)
	}
	quiet.publish("HA7-0", `{"type": "heartbeat", "at": "2026-11-21T11:59:58Z"}`)
	willing := r.dial()
	willing.send(packet(0x10, text("MQTT"), []byte{5, 0xc2, 0, 30, 0}, text("tracker"), text("HA7-1"), text(r.Key(r.org, r.thing("HA7-1").ID))))
	if first, _, err := willing.next(); err != nil || first != 0x20 {
		t.Fatalf("%x %v", first, err)
	}
	willing.send(packet(0x32, text("lightbar/v1/HA7-1/report"), []byte{0, 9, 0}, []byte(`{"type": "heartbeat", "at": "2026-11-21T11:59:58Z"}`)))
	if first, _, err := willing.next(); err != nil || first != 0x40 {
		t.Fatalf("%x %v", first, err)
	}
	willing.send([]byte{0xe0, 2, 4, 0})
	r.until("both cuts", func() bool { return r.cutAt("HA7-0") != 0 && r.cutAt("HA7-1") != 0 })
}

// A mast that fails: many connections end at once, and few transactions tell of it.
func TestMQTTCutOfMany(t *testing.T) {
	r := newMQTTRoom(t)
	const n = 300
	all := r.Things(r.org, "T", n)
	r.things = append(r.things, all...)
	devices := make([]*rawMQTT, n)
	for i := range devices {
		devices[i] = r.reported("T-" + strconv.Itoa(i))
	}
	var ends sync.WaitGroup
	for _, c := range devices {
		ends.Go(c.drop)
	}
	ends.Wait()
	r.until("the cuts", func() bool { return r.CutStats().Assets == n })
	if s := r.CutStats(); s.Commits > 3 {
		t.Errorf("%d transactions for %d assets", s.Commits, n)
	}
	for i := range n {
		if r.cutAt("T-"+strconv.Itoa(i)) == 0 {
			t.Fatalf("T-%d is not silent", i)
		}
	}
}
