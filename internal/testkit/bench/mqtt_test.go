package bench_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"lightbar/internal/app"
	"lightbar/internal/device"
	"lightbar/internal/fleet"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
)

// mqttDevices is how many devices send at once.
const mqttDevices = 50

// mqttWire is a device that speaks MQTT 3.1.1 with as little as it takes.
type mqttWire struct {
	conn net.Conn
	r    *bufio.Reader
	name string
}

func mqttText(s string) []byte {
	return append(binary.BigEndian.AppendUint16(nil, uint16(len(s))), s...)
}

// say sends a packet and waits for its answer.
func (w *mqttWire) say(first, answer byte, parts ...[]byte) error {
	body := slices.Concat(parts...)
	if _, err := w.conn.Write(slices.Concat([]byte{first}, binary.AppendUvarint(nil, uint64(len(body))), body)); err != nil {
		return err
	}
	got, err := w.r.ReadByte()
	if err != nil {
		return err
	}
	n, err := binary.ReadUvarint(w.r)
	if err != nil {
		return err
	}
	if _, err := io.CopyN(io.Discard, w.r, int64(n)); err != nil {
		return err
	}
	if got&0xf0 != answer {
		return fmt.Errorf("%#x answers %#x", got, first)
	}
	return nil
}

func dialWire(b *testing.B, address, name, key string) *mqttWire {
	b.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		b.Fatal(err)
	}
	w := &mqttWire{conn: conn, r: bufio.NewReaderSize(conn, 16), name: name}
	if err := w.say(0x10, 0x20, mqttText("MQTT"), []byte{4, 0xc2, 0, 0}, mqttText("x"), mqttText(name), mqttText(key)); err != nil {
		b.Fatal(err)
	}
	return w
}

func serveMQTT(b *testing.B, a *app.App, o device.Options) (s *device.MQTTServer, address string) {
	b.Helper()
	port, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	if s, err = device.NewMQTT(a, o, port, nil); err != nil {
		b.Fatal(err)
	}
	l := s.Listener()
	go func() {
		if err := l.Serve(); err != nil {
			b.Error(err)
		}
	}()
	b.Cleanup(func() {
		if err := l.Stop(context.Background()); err != nil {
			b.Error(err)
		}
	})
	return s, port.Addr().String()
}

// points is a list of points whose instants never repeat.
func points(n int, counter *atomic.Int64) string {
	var out bytes.Buffer
	for i := range n {
		at := (apptest.Noon - fleet.Instant(7_200_000-counter.Add(1))).Time()
		out.WriteString([]string{"[", ","}[min(i, 1)])
		fmt.Fprintf(&out, `{"type":"point","at":"%s","lat":39.7447,"lng":-75.5484,"course":38,"speed":15.2,"accuracy":4}`,
			at.Format("2006-01-02T15:04:05.000Z"))
	}
	return out.String() + "]"
}

// BenchmarkMQTT measures durable ingest over MQTT beside the same points over HTTP, each device with its own key and
// connection, one message at a time.
func BenchmarkMQTT(b *testing.B) {
	for _, each := range []int{1, 10} {
		rate := map[string]float64{}
		for _, protocol := range []string{"http", "mqtt"} {
			b.Run(fmt.Sprintf("%s/%d", protocol, each), func(b *testing.B) {
				k := apptest.New(b, storetest.SQLite(b))
				org := k.Organization("Bench")
				send := make([]func(string) error, mqttDevices)
				server := httptest.NewServer(device.New(k.App, device.Options{}))
				b.Cleanup(server.Close)
				client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: mqttDevices}}
				_, address := serveMQTT(b, k.App, device.Options{})
				for i, x := range k.Things(org.ID, "A", mqttDevices) {
					name, key := fmt.Sprintf("A-%d", i), k.Key(org.ID, x.ID)
					if protocol == "http" {
						send[i] = func(list string) error { return postPoints(client, server.URL, key, list) }
						continue
					}
					w := dialWire(b, address, name, key)
					topic := mqttText("lightbar/v1/" + name + "/report")
					send[i] = func(list string) error { return w.say(0x32, 0x40, topic, []byte{0, 1}, []byte(list)) }
				}
				rate[protocol] = closedLoop(b, send, each)
				b.ReportMetric(rate[protocol], "points/s")
				if protocol == "mqtt" && rate["http"] > 0 {
					b.ReportMetric(rate["mqtt"]/rate["http"], "of-http")
				}
			})
		}
	}
}

func postPoints(client *http.Client, url, key, list string) error {
	req, err := http.NewRequest(http.MethodPost, url+"/api/ingest", bytes.NewReader([]byte(`{"items":`+list+"}")))
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+key)
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	if _, err := io.Copy(io.Discard, res.Body); err != nil {
		return err
	}
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("the server answered %d", res.StatusCode)
	}
	return nil
}

// closedLoop lets all devices send, each when it was answered, and answers points a second.
func closedLoop(b *testing.B, send []func(string) error, each int) float64 {
	var counter, sent atomic.Int64
	var all sync.WaitGroup
	began := time.Now()
	end := began.Add(time.Duration(*seconds * float64(time.Second)))
	for _, one := range send {
		all.Go(func() {
			for time.Now().Before(end) {
				if err := one(points(each, &counter)); err != nil {
					b.Error(err)
					return
				}
				sent.Add(int64(each))
			}
		})
	}
	all.Wait()
	return float64(sent.Load()) / time.Since(began).Seconds()
}

// inUse is what the heap and the stacks hold after a collection.
func inUse() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc + m.StackInuse)
}
