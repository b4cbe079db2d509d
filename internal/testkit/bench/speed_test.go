package bench_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"time"
)

// seen tells when a line first told of a place.
type seen struct {
	mu    sync.Mutex
	waits map[string]chan time.Time
}

// of is told the instant at which a place is seen.
func (s *seen) of(lng float64) <-chan time.Time {
	c := make(chan time.Time, 1)
	s.mu.Lock()
	s.waits[strconv.FormatFloat(lng, 'f', -1, 64)] = c
	s.mu.Unlock()
	return c
}

var alertPlace = []byte(`"coordinates":[-70.`) // the load has no assets there

// line looks for a place in what a reader got.
func (s *seen) line(b []byte) {
	_, rest, ok := bytes.Cut(b, alertPlace)
	if !ok {
		return
	}
	now := time.Now()
	digits, _, _ := bytes.Cut(rest, []byte(","))
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.waits["-70."+string(digits)]; c != nil {
		select {
		case c <- now:
		default:
		}
	}
}

// followStream reads the alerts of a room as a driver's app does, over HTTP.
func (r *room) followStream(b *testing.B) *seen {
	b.Helper()
	s := &seen{waits: map[string]chan time.Time{}}
	res, err := http.Get(r.url + "/feeds/" + r.organization + "/alerts/stream")
	if err != nil || res.StatusCode != http.StatusOK {
		b.Fatal(res, err)
	}
	b.Cleanup(func() { _ = res.Body.Close() })
	go func() {
		for lines := bufio.NewReaderSize(res.Body, 64<<10); ; {
			line, err := lines.ReadBytes('\n')
			if err != nil {
				return
			}
			s.line(line)
		}
	}()
	return s
}

// followMQTT is followStream over MQTT, at QoS 0.
func (r *room) followMQTT(b *testing.B) *seen {
	b.Helper()
	s := &seen{waits: map[string]chan time.Time{}}
	conn, err := net.Dial("tcp", r.mqtt)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = conn.Close() })
	w := &mqttWire{conn: conn, r: bufio.NewReaderSize(conn, 32<<10)}
	if err := w.say(0x10, 0x20, mqttText("MQTT"), []byte{4, 2, 0, 0}, mqttText("x")); err != nil {
		b.Fatal(err)
	}
	filter := mqttText("lightbar/v1/alerts/" + r.organization + "/#")
	if _, err := conn.Write(append([]byte{0x82, byte(3 + len(filter)), 0, 1}, append(filter, 0)...)); err != nil {
		b.Fatal(err)
	}
	ready := make(chan struct{})
	go func() {
		for isReady := false; ; {
			_, body, err := w.next()
			if err != nil {
				return
			}
			if !isReady && bytes.Contains(body, []byte(`"event":"ready"`)) {
				isReady = true
				close(ready)
			}
			s.line(body)
		}
	}()
	<-ready
	return s
}

// pauseAtMost spreads what is measured over the frames of 0.25 s in which changes are told.
const pauseAtMost = 300 * time.Millisecond

// BenchmarkLightsOn measures the time from a report that an asset's lights are on to its alert at a driver's app, by how the
// report comes and how the app follows, with 50 other alerts that change each second beside the load.
func BenchmarkLightsOn(b *testing.B) {
	const lights, samples = 50, 100
	for _, load := range []bool{false, true} {
		for _, way := range []string{"http", "mqtt"} {
			b.Run(fmt.Sprintf("beside=%t/from=%s", load, way), func(b *testing.B) {
				r := newRoom(b)
				ids := r.lights(b, lights)
				devices := make([]*mqttWire, lights)
				for i := range devices {
					devices[i] = r.light(b, i, ids[i])
					go func() { _, _ = io.Copy(io.Discard, devices[i].r) }()
				}
				client := &http.Client{}
				byHTTP := func(i int, lng float64, on bool) {
					if err := postPoints(client, r.url, r.key, "["+point(lightName(i), lng, on)+"]"); err != nil {
						b.Fatal(err)
					}
				}
				stream, mqtt := r.followStream(b), r.followMQTT(b)
				var toStream, toMQTT []time.Duration
				number := 0
				wait := func(c <-chan time.Time, began time.Time) time.Duration {
					select {
					case at := <-c:
						return at.Sub(began)
					case <-time.After(20 * time.Second):
						b.Fatal("an alert has not come in 20 s")
					}
					return 0
				}
				for b.Loop() {
					r.beside(b, load, func() {
						for k := range samples {
							number++
							i, lng := k%lights, -70-float64(number)/1e5
							one, two := stream.of(lng), mqtt.of(lng)
							began := time.Now()
							if way == "http" {
								byHTTP(i, lng, true)
							} else if err := devices[i].publish("/report", uint16(1+k%60_000), []byte(point(lightName(i), lng, true))); err != nil {
								b.Fatal(err)
							}
							toStream, toMQTT = append(toStream, wait(one, began)), append(toMQTT, wait(two, began))
							byHTTP(i, lng, false)
							time.Sleep(rand.N(pauseAtMost))
						}
					})
				}
				reportTimes(b, "sse-", toStream)
				reportTimes(b, "mqtt-", toMQTT)
			})
		}
	}
}

// BenchmarkPress measures the time from a press of "test" until the presser's stream tells that the device has done it. The
// device is connected over MQTT, and says so at once.
func BenchmarkPress(b *testing.B) {
	const pressed, samples = 20, 100
	for _, row := range []struct {
		connected int
		load      bool
	}{{1, false}, {1000, false}, {1000, true}} {
		b.Run(fmt.Sprintf("connected=%d/beside=%t", row.connected, row.load), func(b *testing.B) {
			r := newRoom(b)
			ids := r.lights(b, row.connected)
			for i, id := range ids {
				w := r.light(b, i, id)
				if err := w.say(0x82, 0x90, []byte{0, 1}, mqttText("lightbar/v1/"+w.name+"/command"), []byte{1}); err != nil {
					b.Fatal(err)
				}
				go deliver(w)
			}
			press, told := r.presser(b)
			client := &http.Client{}
			var took []time.Duration
			one := func(i int) {
				if err := postPoints(client, r.url, r.key, "["+point(lightName(i), -70, false)+"]"); err != nil {
					b.Fatal(err)
				}
				began := time.Now()
				id := press(ids[i])
				for late := time.After(20 * time.Second); ; {
					select {
					case line := <-told:
						if bytes.Contains(line, []byte(id)) {
							took = append(took, time.Since(began))
							return
						}
					case <-late:
						b.Fatal("a press was not delivered in 20 s")
					}
				}
			}
			for b.Loop() {
				r.beside(b, row.load, func() {
					for k := range samples {
						one(k % min(pressed, row.connected))
						time.Sleep(rand.N(pauseAtMost))
					}
				})
			}
			reportTimes(b, "", took)
		})
	}
}

// deliver is a device that does at once what it is told.
func deliver(w *mqttWire) {
	for number := uint16(1); ; number++ {
		first, body, err := w.next()
		if err != nil {
			return
		}
		if first&0xf0 != 0x30 {
			continue
		}
		rest := body[2+int(body[0])<<8+int(body[1]):]
		var command struct{ ID string }
		if json.Unmarshal(rest[2:], &command) != nil {
			return
		}
		word := fmt.Appendf(nil, `{"id":%q,"at":"%s","status":"delivered"}`, command.ID, time.Now().UTC().Format("2006-01-02T15:04:05.000Z"))
		if _, err := w.conn.Write([]byte{0x40, 2, rest[0], rest[1]}); err != nil {
			return
		}
		if w.publish("/ack", max(1, number), word) != nil {
			return
		}
	}
}
