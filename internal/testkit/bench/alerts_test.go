package bench_test

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"lightbar/internal/alerts"
	"lightbar/internal/feed"
	"lightbar/internal/fleet"
)

var (
	alertFollowers = flag.Int("followers", 1000, "how many follow alerts, at most 5000")
	alertsAtOnce   = flag.Int("alerts", 500, "how many alerts change at once")
)

// alertClock is the clock of alerts that all change each second.
type alertClock struct{ at atomic.Int64 }

func (c *alertClock) now() time.Time { return time.UnixMilli(c.at.Load()) }

func (c *alertClock) alerts(string, []string) []feed.Alert {
	now := fleet.Instant(c.at.Load())
	out := make([]feed.Alert, *alertsAtOnce)
	for i := range out {
		out[i] = feed.Alert{ID: fmt.Sprintf("%024x", i), Source: fmt.Sprint(i), Category: feed.AlertVehicle, Kind: "fire", Message: "Fire truck on scene ahead",
			Lat: 39 + float64(now%1000)/1e6, Lng: -75, Street: "I-95", Since: 1, UpdatedAt: now, ExpiresAt: now + 30_000}
	}
	return out
}

// follow opens connections to an address that read and throw away.
func follow(b *testing.B, address string, n int) {
	b.Helper()
	for range n {
		c, err := net.Dial("tcp", address)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := fmt.Fprintf(c, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"); err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { _ = c.Close() })
		go func() { _, _ = io.Copy(io.Discard, c) }()
	}
}

// BenchmarkAlertFollowers: 1000 followers (-followers) are told of 500 alerts (-alerts) that have all changed; an op is one second of that, which
// /raw spends on writing the same bytes to as many readers.
func BenchmarkAlertFollowers(b *testing.B) {
	var sent sync.WaitGroup
	var size atomic.Int64
	write := func(w http.ResponseWriter, out []byte) error {
		_, err := w.Write(out)
		if err == nil {
			err = http.NewResponseController(w).Flush()
		}
		return err
	}
	serve := func(b *testing.B, h http.HandlerFunc) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			b.Fatal(err)
		}
		server := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
		go func() { _ = server.Serve(l) }()
		b.Cleanup(func() { _ = server.Close() })
		follow(b, l.Addr().String(), *alertFollowers)
	}
	tell := func(part bool) func(*testing.B) {
		return func(b *testing.B) {
			var isOver atomic.Bool
			clock, ticks := &alertClock{}, make(chan time.Time)
			clock.at.Store(time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC).UnixMilli())
			hub := alerts.New(nil, nil, alerts.Options{Things: clock.alerts, Now: clock.now, Ticks: ticks, Log: quiet(),
				Places:       func(context.Context, string) ([]feed.Alert, fleet.Instant, error) { return nil, 0, nil },
				StillFollows: func(context.Context, string, string) (bool, error) { return true, nil }})
			sent.Add(*alertFollowers)
			serve(b, func(w http.ResponseWriter, r *http.Request) {
				in := alerts.Request{OrganizationID: "o", Address: fmt.Sprintf("10.%d.%d.1", time.Now().UnixNano()%256, time.Now().UnixNano()/256%256)}
				if part {
					in.Circle = &alerts.Circle{Lat: 39, Lng: -75, RadiusM: 50_000}
				}
				f, err := hub.Join(r.Context(), in)
				if err != nil {
					b.Error(err)
					return
				}
				_ = f.Run(r.Context(), func(out []byte) error {
					err := write(w, out)
					if !isOver.Load() {
						size.Store(int64(len(out)))
						sent.Done()
					}
					return err
				})
			})
			sent.Wait()
			began := processorTime()
			for b.Loop() {
				sent.Add(*alertFollowers)
				clock.at.Add(60_000) // everything is looked at again
				ticks <- time.Time{}
				sent.Wait()
			}
			reportProcessor(b, began)
			b.ReportMetric(float64(size.Load()), "bytes/follower")
			isOver.Store(true)
			if err := hub.Drain(context.Background()); err != nil {
				b.Error(err)
			}
		}
	}
	b.Run("all", tell(false))
	b.Run("circle", tell(true))
	b.Run("raw", func(b *testing.B) {
		out := make([]byte, size.Load())
		var mu sync.Mutex
		next := make(chan struct{})
		wait := func() <-chan struct{} {
			mu.Lock()
			defer mu.Unlock()
			return next
		}
		sent.Add(*alertFollowers)
		serve(b, func(w http.ResponseWriter, r *http.Request) {
			news := wait()
			_ = write(w, []byte(":\n\n"))
			sent.Done()
			for {
				select {
				case <-news:
					news = wait()
					_ = write(w, out)
					sent.Done()
				case <-r.Context().Done():
					return
				}
			}
		})
		sent.Wait()
		began := processorTime()
		for b.Loop() {
			sent.Add(*alertFollowers)
			mu.Lock()
			close(next)
			next = make(chan struct{})
			mu.Unlock()
			sent.Wait()
		}
		reportProcessor(b, began)
	})
}
