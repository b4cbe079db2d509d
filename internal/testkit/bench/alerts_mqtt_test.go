package bench_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"net"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/alerts"
	"lightbar/internal/device"
	"lightbar/internal/feed"
	"lightbar/internal/fleet"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

// BenchmarkAlertFollowersMQTT is BenchmarkAlertFollowers over MQTT: followers of all of the organization, at QoS 0, which read
// packet by packet. An op ends when the last one has the last alert. /raw writes the same bytes to as many such readers.
func BenchmarkAlertFollowersMQTT(b *testing.B) {
	var same bytes.Buffer // what the first follower got in the last op
	b.Run("told", func(b *testing.B) {
		org, address, change := followedMQTT(b)
		var told sync.WaitGroup
		filter := mqttText("lightbar/v1/alerts/" + org + "/#")
		told.Add(*alertFollowers)
		for i := range *alertFollowers {
			conn, err := net.Dial("tcp", address)
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(func() { _ = conn.Close() })
			w := &mqttWire{conn: conn, r: bufio.NewReaderSize(conn, 32<<10)}
			if err := w.say(0x10, 0x20, mqttText("MQTT"), []byte{4, 2, 0, 0}, mqttText("x")); err != nil {
				b.Fatal(err)
			}
			if i == 0 {
				w.r = bufio.NewReaderSize(io.TeeReader(conn, &same), 32<<10)
			}
			if _, err := conn.Write(append([]byte{0x82, byte(3 + len(filter)), 0, 1}, append(filter, 0)...)); err != nil {
				b.Fatal(err)
			}
			go countAlerts(w.r, false, told.Done)
		}
		told.Wait()
		began := processorTime()
		for b.Loop() {
			same.Reset() // nothing comes between two ops
			told.Add(*alertFollowers)
			change()
			told.Wait()
		}
		reportProcessor(b, began)
		b.ReportMetric(float64(same.Len()), "bytes/follower")
	})
	b.Run("raw", func(b *testing.B) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { _ = l.Close() })
		var told sync.WaitGroup
		next := make([]chan struct{}, *alertFollowers)
		for i := range next {
			reader, err := net.Dial("tcp", l.Addr().String())
			if err != nil {
				b.Fatal(err)
			}
			writer, err := l.Accept()
			if err != nil {
				b.Fatal(err)
			}
			c := make(chan struct{}, 1)
			b.Cleanup(func() {
				close(c)
				_ = reader.Close()
				_ = writer.Close()
			})
			next[i] = c
			go countAlerts(bufio.NewReaderSize(reader, 32<<10), true, told.Done)
			go func() {
				for range c {
					for out := range slices.Chunk(same.Bytes(), 32<<10) {
						_, _ = writer.Write(out) // a reader that has gone is not counted
					}
				}
			}()
		}
		began := processorTime()
		for b.Loop() {
			told.Add(*alertFollowers)
			for _, c := range next {
				c <- struct{}{}
			}
			told.Wait()
		}
		reportProcessor(b, began)
	})
}

// followedMQTT is an organization whose alerts anyone may follow over MQTT, and what changes them all.
func followedMQTT(b *testing.B) (organizationID, address string, change func()) {
	b.Helper()
	b.Cleanup(func() { _ = catalog.SetLimits(nil) })
	if err := catalog.SetLimits(map[string]float64{"alerts.followersPerAddress": 20_000}); err != nil {
		b.Fatal(err)
	}
	k := apptest.New(b, storetest.SQLite(b))
	org, yes := k.Organization("Bench"), true
	if _, err := k.UpdateOrganization(b.Context(), access.System(), org.ID, wire.OrganizationWrite{AlertsPublic: &yes}); err != nil {
		b.Fatal(err)
	}
	clock, ticks := &alertClock{}, make(chan time.Time)
	clock.at.Store(time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC).UnixMilli())
	hub := alerts.New(nil, nil, alerts.Options{Things: clock.alerts, Now: clock.now, Ticks: ticks, Log: quiet(),
		Places:       func(context.Context, string) ([]feed.Alert, fleet.Instant, error) { return nil, 0, nil },
		StillFollows: func(context.Context, string, string) (bool, error) { return true, nil }})
	b.Cleanup(func() {
		if err := hub.Drain(context.Background()); err != nil {
			b.Error(err)
		}
	})
	_, address = serveMQTT(b, k.App, device.Options{Alerts: hub})
	return org.ID, address, func() {
		clock.at.Add(60_000) // everything is looked at again
		ticks <- time.Time{}
	}
}

// processorTime is what this process has taken of the processors.
func processorTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func reportProcessor(b *testing.B, began time.Duration) {
	b.Helper()
	b.ReportMetric((processorTime()-began).Seconds()*1000/float64(b.N), "cpu-ms/op")
}

// countAlerts reads publications and calls done at each time that all alerts have come: those of a follower that is not ready
// end with "ready".
func countAlerts(r *bufio.Reader, isReady bool, done func()) {
	for n := 0; ; {
		first, err := r.ReadByte()
		if err != nil {
			return
		}
		size, err := binary.ReadUvarint(r)
		if err != nil {
			return
		}
		if _, err := r.Discard(int(size)); err != nil {
			return
		}
		if first&0xf0 != 0x30 {
			continue
		}
		n++
		if !isReady && n == *alertsAtOnce+1 || isReady && n == *alertsAtOnce {
			n, isReady = 0, true
			done()
		}
	}
}
