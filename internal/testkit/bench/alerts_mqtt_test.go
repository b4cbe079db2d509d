package bench_test

import (
	"bufio"
	"context"
	"encoding/binary"
	"net"
	"sync"
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
// packet by packet. An op ends when the last one has the last alert.
func BenchmarkAlertFollowersMQTT(b *testing.B) {
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
	_, address := serveMQTT(b, k.App, device.Options{Alerts: hub})
	var told sync.WaitGroup
	filter := mqttText("lightbar/v1/alerts/" + org.ID + "/#")
	told.Add(*alertFollowers)
	for range *alertFollowers {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { _ = conn.Close() })
		w := &mqttWire{conn: conn, r: bufio.NewReaderSize(conn, 32<<10)}
		if err := w.say(0x10, 0x20, mqttText("MQTT"), []byte{4, 2, 0, 0}, mqttText("x")); err != nil {
			b.Fatal(err)
		}
		if _, err := conn.Write(append([]byte{0x82, byte(3 + len(filter)), 0, 1}, append(filter, 0)...)); err != nil {
			b.Fatal(err)
		}
		go countAlerts(w.r, told.Done)
	}
	told.Wait()
	for b.Loop() {
		told.Add(*alertFollowers)
		clock.at.Add(60_000)
		ticks <- time.Time{}
		told.Wait()
	}
}

// countAlerts reads publications and calls done at each time that all alerts have come: at first they end with "ready".
func countAlerts(r *bufio.Reader, done func()) {
	for n, isReady := 0, false; ; {
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
