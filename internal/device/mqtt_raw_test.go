package device_test

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"net"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"lightbar/catalog"
	"lightbar/internal/app"
	"lightbar/internal/store"
	"lightbar/internal/wire"
)

// rawMQTT speaks MQTT 3.1.1 byte by byte: it says what no client of good manners does.
type rawMQTT struct {
	t    *testing.T
	conn net.Conn
	r    *bufio.Reader
}

func text(s string) []byte { return append(binary.BigEndian.AppendUint16(nil, uint16(len(s))), s...) }

func packet(first byte, parts ...[]byte) []byte {
	body := slices.Concat(parts...)
	return slices.Concat([]byte{first}, binary.AppendUvarint(nil, uint64(len(body))), body)
}

func (r *mqttRoom) dial() *rawMQTT {
	r.t.Helper()
	conn, err := net.Dial("tcp", r.port.Addr().String())
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { _ = conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(30 * time.Second)); err != nil {
		r.t.Fatal(err)
	}
	return &rawMQTT{t: r.t, conn: conn, r: bufio.NewReader(conn)}
}

func (c *rawMQTT) send(b []byte) {
	c.t.Helper()
	if _, err := c.conn.Write(b); err != nil {
		c.t.Fatal(err)
	}
}

// next reads one packet; io.EOF is the end of the connection.
func (c *rawMQTT) next() (first byte, body []byte, err error) {
	if first, err = c.r.ReadByte(); err != nil {
		return 0, nil, err
	}
	n, err := binary.ReadUvarint(c.r)
	if err != nil {
		return 0, nil, err
	}
	body = make([]byte, n)
	_, err = io.ReadFull(c.r, body)
	return first, body, err
}

// raw signs in with MQTT 3.1.1.
func (r *mqttRoom) raw(name, secret string) *rawMQTT {
	r.t.Helper()
	c := r.dial()
	c.send(packet(0x10, text("MQTT"), []byte{4, 0xc2, 0, 30}, text("tracker"), text(name), text(secret)))
	if first, body, err := c.next(); err != nil || first != 0x20 || body[1] != 0 {
		r.t.Fatalf("%x %x %v", first, body, err)
	}
	return c
}

// isEnd reports whether the server ended the connection; what it had not read yet makes a reset of it.
func isEnd(err error) bool { return err == io.EOF || errors.Is(err, syscall.ECONNRESET) }

func subscription(topic string) []byte { return packet(0x82, []byte{0, 7}, text(topic), []byte{1}) }

func publication(first byte, topic, body string) []byte {
	return packet(first, text(topic), []byte{0, 9}, []byte(body))
}

// MQTT 3.1.1 does what 5 does: reports, commands, words.
func TestMQTT311(t *testing.T) {
	r := newMQTTRoom(t)
	thing := r.thing("HA7-0")
	c := r.raw("HA7-0", r.Key(r.org, thing.ID))
	c.send(publication(0x32, "lightbar/v1/HA7-0/report", `{"type": "point", "at": "2026-11-21T11:59:58Z", "lat": 39.7, "lng": -75.5}`))
	if first, body, err := c.next(); err != nil || first != 0x40 || !bytes.Equal(body, []byte{0, 9}) {
		t.Fatalf("%x %x %v", first, body, err)
	}
	c.send(subscription("lightbar/v1/HA7-0/command"))
	if first, body, err := c.next(); err != nil || first != 0x90 || !bytes.Equal(body, []byte{0, 7, 1}) {
		t.Fatalf("%x %x %v", first, body, err)
	}
	if _, err := r.SetLightIntensity(t.Context(), r.user, thing.ID, "press-1", "high"); err != nil {
		t.Fatal(err)
	}
	first, body, err := c.next()
	topic, rest := text("lightbar/v1/HA7-0/command"), []byte(nil)
	if err != nil || first != 0x32 || !bytes.HasPrefix(body, topic) {
		t.Fatalf("%x %s %v", first, body, err)
	}
	rest = body[len(topic)+2:]
	var got wire.PolledCommand
	if err := json.Unmarshal(rest, &got); err != nil || got.Type != "light_intensity" {
		t.Fatalf("%s %v", rest, err)
	}
	c.send(packet(0x40, body[len(topic):len(topic)+2]))
	c.send(publication(0x32, "lightbar/v1/HA7-0/ack", `{"id": "`+got.ID+`", "at": "2026-11-21T12:00:00Z", "status": "delivered"}`))
	if first, _, err := c.next(); err != nil || first != 0x40 {
		t.Fatalf("%x %v", first, err)
	}
	rows, _, err := r.ListThingCommands(t.Context(), r.user, app.CommandQuery{ThingID: thing.ID})
	if err != nil || len(rows) != 1 || rows[0].Status != "delivered" {
		t.Errorf("%+v %v", rows, err)
	}
	r.stop()
	if first, _, err := c.next(); !isEnd(err) {
		t.Errorf("at the stop: %x %v; only a client says goodbye in 3.1.1", first, err)
	}
}

// What goes beyond the topics of the asset, or beyond the protocol, ends the connection, and nothing of it is confirmed.
func TestMQTTForgeries(t *testing.T) {
	r := newMQTTRoom(t)
	secret := r.Key(r.org, r.thing("HA7-0").ID)
	const point = `{"type": "point", "at": "2026-11-21T11:59:58Z", "lat": 1, "lng": 1}`
	large := `{"type": "point", "at": "2026-11-21T11:59:58Z", "lat": 1, "lng": 1, "x": "`
	large += strings.Repeat("x", 65535-2-len("lightbar/v1/HA7-0/report")-2-len(large)-1) + `"}`
	for name, sent := range map[string][]byte{
		"everything":                   subscription("#"),
		"all commands":                 subscription("lightbar/v1/+/command"),
		"below its own":                subscription("lightbar/v1/HA7-0/#"),
		"a share":                      subscription("$share/x/lightbar/v1/HA7-0/command"),
		"the broker's own":             subscription("$SYS/#"),
		"a retained command":           publication(0x33, "lightbar/v1/HA7-0/command", "{}"),
		"a report for all":             publication(0x32, "lightbar/v1/+/report", point),
		"a report of the broker":       publication(0x32, "$SYS/broker/uptime", point),
		"a report of nobody":           publication(0x32, "lightbar/v1//report", point),
		"a report below its own":       publication(0x32, "lightbar/v1/HA7-0/report/report", point),
		"a report in another's letter": publication(0x32, "lightbar/v1/ha7-0/report", point),
		"another's reports at QoS 0":   packet(0x30, text("lightbar/v1/HA7-1/report"), []byte(point)),
		"a second hello":               packet(0x10, text("MQTT"), []byte{4, 2, 0, 30}, text("tracker")),
		"a byte too many":              publication(0x32, "lightbar/v1/HA7-0/report", large),
		"no packet":                    packet(0xf0, []byte("GET / HTTP/1.1")),
	} {
		c := r.raw("HA7-0", secret)
		c.send(sent)
		switch first, body, err := c.next(); {
		case isEnd(err):
		case err == nil && first == 0x90 && body[2] == 0x80: // a refusal
			if first, _, err := c.next(); !isEnd(err) {
				t.Errorf("%s: %x %v", name, first, err)
			}
		default:
			t.Errorf("%s: %x %x %v", name, first, body, err)
		}
	}
	things, _, err := r.ListThings(t.Context(), r.user, app.ThingQuery{})
	if err != nil || slices.ContainsFunc(things, func(x wire.Thing) bool { return x.Lat != nil }) {
		t.Errorf("%+v %v", things, err)
	}
	c := r.raw("HA7-0", secret)
	fits := strings.Replace(large, "x\"}", "\"}", 1)
	for _, sent := range [][]byte{publication(0x32, "lightbar/v1/HA7-0/report", fits), publication(0x33, "lightbar/v1/HA7-0/report", point)} {
		c.send(sent) // the largest, and a retained one: both are reports like any other
		if first, _, err := c.next(); err != nil || first != 0x40 {
			t.Errorf("%x %v", first, err)
		}
	}
}

// Who does not say hello in time loses the connection, and so does who says it wrongly.
func TestMQTTHello(t *testing.T) {
	if err := catalog.SetLimits(map[string]float64{"mqtt.helloMs": 500}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := catalog.SetLimits(nil); err != nil {
			t.Error(err)
		}
	})
	r := newMQTTRoom(t)
	for name, sent := range map[string][]byte{
		"silence": nil, "half a hello": packet(0x10, text("MQTT"), []byte{4, 2, 0, 0}, text("tracker"))[:9],
		"a ping first": packet(0xc0), "a report first": publication(0x32, "lightbar/v1/HA7-0/report", "{}"),
		"MQTT 3.1": packet(0x10, text("MQIsdp"), []byte{3, 2, 0, 30}, text("tracker")), "another protocol": []byte("GET / HTTP/1.1\r\n\r\n"),
	} {
		c := r.dial()
		c.send(sent)
		if first, body, err := c.next(); err == nil && (first != 0x20 || body[1] == 0) {
			t.Errorf("%s: %x %x", name, first, body)
		} else if ne, late := err.(net.Error); late && ne.Timeout() {
			t.Errorf("%s: the connection stays", name)
		}
	}
}

// A device that acknowledges nothing, or reads nothing, loses its connection, and holds nobody up.
func TestMQTTSlowReader(t *testing.T) {
	if err := catalog.SetLimits(map[string]float64{"mqtt.writeMs": 500}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := catalog.SetLimits(nil); err != nil {
			t.Error(err)
		}
	})
	r := newMQTTRoom(t)
	secret := r.Key(r.org, r.thing("HA7-0").ID)
	wrong := publication(0x32, "lightbar/v1/HA7-0/report", "["+strings.Repeat("1,", 200)+"1]")
	for name, qos := range map[string]byte{"acknowledges nothing": 1, "reads nothing": 0} {
		c := r.raw("HA7-0", secret)
		c.send(packet(0x82, []byte{0, 7}, text("lightbar/v1/HA7-0/refused"), []byte{qos}))
		told, largest := 0, 0
		if qos == 1 {
			c.send(bytes.Repeat(wrong, 40))
			for {
				first, body, err := c.next()
				if err != nil {
					break
				}
				if largest = max(largest, len(body)); first == 0x32 {
					told++
				}
			}
			if told != 32 || largest > 12_000 {
				t.Errorf("%s: told %d, at most %d bytes", name, told, largest)
			}
			continue
		}
		for err := error(nil); err == nil; _, err = c.conn.Write(wrong) {
		}
		if s := r.server.Stats(); s.Refused < 100 {
			t.Errorf("%s: %+v", name, s)
		}
	}
	if err := r.device("HA7-1").publish("lightbar/v1/HA7-1/report", `{"type": "heartbeat", "at": "2026-11-21T11:59:58Z"}`); err != nil {
		t.Error(err)
	}
}

// A report that the database refuses is not acknowledged, and is stored once when it is sent again.
func TestMQTTAcknowledgesAfterTheCommit(t *testing.T) {
	r := newMQTTRoom(t)
	do := func(sql string) {
		if err := r.Store.Write(t.Context(), func(tx *store.Tx) error {
			_, err := tx.ExecContext(t.Context(), sql)
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	do(`CREATE TRIGGER full BEFORE INSERT ON point_intake BEGIN SELECT RAISE(ABORT, 'no'); END`)
	const point = `{"type": "point", "at": "2026-11-21T11:59:58Z", "lat": 39.7, "lng": -75.5}`
	secret := r.Key(r.org, r.thing("HA7-0").ID)
	five := r.device("HA7-0")
	if err := five.publish("lightbar/v1/HA7-0/report", point); err == nil {
		t.Error("acknowledged what was not stored")
	}
	five.mustEnd("a report that was not stored")
	three := r.raw("HA7-0", secret)
	three.send(publication(0x32, "lightbar/v1/HA7-0/report", point))
	if first, _, err := three.next(); !isEnd(err) {
		t.Errorf("%x %v", first, err)
	}
	do(`DROP TRIGGER full`)
	again := r.device("HA7-0")
	for range 2 {
		if err := again.publish("lightbar/v1/HA7-0/report", point); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := r.Store.CountPoints(t.Context()); err != nil || n != 1 {
		t.Errorf("%d points, %v", n, err)
	}
}

// A stop waits for the report that is being stored: it is acknowledged, and then the device is told.
func TestMQTTStopLetsFinish(t *testing.T) {
	r := newMQTTRoom(t)
	c := r.device("HA7-0")
	held := r.Live.Begin() // nothing is stored before it is given back
	sent := make(chan error, 1)
	go func() {
		sent <- c.publish("lightbar/v1/HA7-0/report", `{"type": "point", "at": "2026-11-21T11:59:58Z", "lat": 39.7, "lng": -75.5}`)
	}()
	for r.Live.Waiting() == 0 {
		runtime.Gosched()
	}
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		r.stop()
	}()
	for {
		conn, err := net.Dial("tcp", r.port.Addr().String())
		if err != nil {
			break // the port is closed
		}
		_ = conn.Close()
	}
	held.Abort()
	if err := <-sent; err != nil {
		t.Errorf("a report that was stored: %v", err)
	}
	<-stopped
	c.mustEnd("the server's stop")
	if n, err := r.Store.CountPoints(t.Context()); err != nil || n != 1 {
		t.Errorf("%d points, %v", n, err)
	}
}
