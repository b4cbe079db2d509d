package device_test

import (
	"testing"
	"time"
)

// A hello that the protocol forbids is refused with its own code, whoever says it, and whatever else is right.
func TestMQTTHellosThatAreWrong(t *testing.T) {
	r := newMQTTRoom(t)
	key := r.Key(r.org, r.thing("HA7-0").ID)
	who := append(text("HA7-0"), text(key)...)
	for name, x := range map[string]struct {
		sent []byte
		code byte
	}{
		"MQTT 3.1": {packet(0x10, text("MQIsdp"), []byte{3, 0xc2, 0, 30}, text("tracker"), who), 1},
		"a retained will": {packet(0x10, text("MQTT"), []byte{5, 0xe6, 0, 30, 0}, text("tracker"), []byte{0}, text("w"),
			text("gone"), who), 0x9a},
		"no client id, and no new start": {packet(0x10, text("MQTT"), []byte{4, 0xc0, 0, 30}, text(""), who), 0x80},
		"a wrong key": {packet(0x10, text("MQTT"), []byte{5, 0xc2, 0, 30, 0}, text("tracker"), text("HA7-0"),
			text("lb_key_wrong")), 0x86},
	} {
		c := r.dial()
		c.send(x.sent)
		first, body, err := c.next()
		if err != nil || first != 0x20 || body[1] != x.code {
			t.Errorf("%s: %x %x %v, want %x", name, first, body, err, x.code)
		}
		if _, _, err := c.next(); !isEnd(err) {
			t.Errorf("%s: it goes on: %v", name, err)
		}
	}
	if st := r.server.Stats(); st.Connected != 0 {
		t.Errorf("%+v", st)
	}
}

// A second hello ends the connection, and MQTT 5 is told why.
func TestMQTTASecondHello(t *testing.T) {
	r := newMQTTRoom(t)
	hello := packet(0x10, text("MQTT"), []byte{5, 0xc2, 0, 30, 0}, text("tracker"), text("HA7-0"), text(r.Key(r.org, r.thing("HA7-0").ID)))
	c := r.dial()
	c.send(hello)
	if first, body, err := c.next(); err != nil || first != 0x20 || body[1] != 0 {
		t.Fatalf("%x %x %v", first, body, err)
	}
	c.send(hello)
	if first, body, err := c.next(); err != nil || first != 0xe0 || body[0] != 0x82 {
		t.Errorf("%x %x %v", first, body, err)
	}
	if _, _, err := c.next(); !isEnd(err) {
		t.Errorf("it goes on: %v", err)
	}
}

// A device that says nothing for longer than its keepalive loses its connection.
func TestMQTTKeepalive(t *testing.T) {
	r := newMQTTRoom(t)
	c := r.dial()
	c.send(packet(0x10, text("MQTT"), []byte{4, 0xc2, 0, 1}, text("tracker"), text("HA7-0"), text(r.Key(r.org, r.thing("HA7-0").ID))))
	if first, body, err := c.next(); err != nil || first != 0x20 || body[1] != 0 {
		t.Fatalf("%x %x %v", first, body, err)
	}
	if err := c.conn.SetDeadline(time.Now().Add(30 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, _, err := c.next(); !isEnd(err) {
		t.Errorf("the connection stays: %v", err)
	}
}
