package alerts

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"lightbar/catalog"
	"lightbar/internal/bus"
	"lightbar/internal/feed"
	"lightbar/internal/fleet"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const org = "01900000-0000-7000-8000-00000000000a"

// rig is a hub over alerts that the test says.
type rig struct {
	*Hub
	t      testing.TB
	ticks  chan time.Time
	mu     sync.Mutex
	at     time.Time
	alerts []feed.Alert
	places error
	ended  bool // who follows may not go on
	looks  int
}

func newRig(t testing.TB) *rig {
	t.Helper()
	r := &rig{t: t, ticks: make(chan time.Time), at: time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)}
	r.Hub = New(nil, nil, Options{
		Things: func(_ string, ids []string) (out []feed.Alert) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.looks++
			for _, a := range r.alerts {
				if a.ExpiresAt > fleet.InstantOf(r.at) {
					out = append(out, a)
				}
			}
			return out
		},
		Places: func(context.Context, string) ([]feed.Alert, fleet.Instant, error) {
			r.mu.Lock()
			defer r.mu.Unlock()
			return nil, 0, r.places
		},
		StillFollows: func(context.Context, string, string) (bool, error) {
			r.mu.Lock()
			defer r.mu.Unlock()
			return !r.ended, nil
		},
		Now: func() time.Time {
			r.mu.Lock()
			defer r.mu.Unlock()
			return r.at
		},
		Ticks: r.ticks,
	})
	t.Cleanup(func() {
		if err := r.Drain(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return r
}

// change lets n alerts be somewhere else a second later, and the boards hear of it.
func (r *rig) change(n int) {
	r.mu.Lock()
	r.at = r.at.Add(time.Second)
	now := fleet.InstantOf(r.at)
	r.alerts = make([]feed.Alert, n)
	for i := range r.alerts {
		r.alerts[i] = feed.Alert{ID: fmt.Sprintf("%024x", i), Source: fmt.Sprintf("thing-%d", i), Category: feed.AlertVehicle, Kind: "fire",
			Message: "Fire truck on scene ahead", Lat: 39 + float64(i)/1000, Lng: -75, Street: "I-95", Since: 1, UpdatedAt: now, ExpiresAt: now + 30_000}
	}
	r.mu.Unlock()
	frame := bus.Frame{Organization: org}
	for i := range n {
		frame.Items = append(frame.Items, bus.Item{Type: fleet.MessagePoint, Key: fmt.Sprintf("thing-%d", i)})
	}
	r.take(frame)
}

// A reader who does not keep up is dropped at a bounded backlog; the others notice nothing.
func TestSlowReadersAreDropped(t *testing.T) {
	if err := catalog.SetLimits(map[string]float64{"alerts.queueBytes": 262_144}); err != nil {
		t.Fatal(err)
	}
	r := newRig(t)
	slow, err := r.Join(t.Context(), Request{OrganizationID: org, Address: "192.0.2.1"})
	if err != nil {
		t.Fatal(err)
	}
	quick, err := r.Join(t.Context(), Request{OrganizationID: org, Address: "192.0.2.2"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	stuck, got, ended := make(chan struct{}), make(chan int, 1000), make(chan error, 2)
	go func() {
		ended <- slow.Run(ctx, func([]byte) error {
			<-stuck
			return nil
		})
	}()
	go func() {
		_ = quick.Run(ctx, func(out []byte) error {
			got <- strings.Count(string(out), "event: alert")
			return nil
		})
		ended <- nil
	}()
	<-got
	for range 20 { // 20 batches of 100 alerts are 700 kB
		r.change(100)
		for n := 0; n < 100; n += <-got {
		}
	}
	close(stuck)
	if err := <-ended; !errors.Is(err, ErrSlow) {
		t.Errorf("%v", err)
	}
	if st := r.Stats(); st.Slow != 1 || st.Followers != 1 {
		t.Errorf("%+v", st)
	}
	quick.board.mu.RLock()
	kept := quick.board.logBytes
	quick.board.mu.RUnlock()
	if kept > 262_144 {
		t.Errorf("%d bytes are kept", kept)
	}
	cancel()
	<-ended
}

// While closures cannot be read nobody is told half of it; what is over by the clock is over whatever the store says.
func TestAStreamWaitsForItsClosures(t *testing.T) {
	r := newRig(t)
	r.mu.Lock()
	r.places = errors.New("the database is away")
	r.mu.Unlock()
	ctx, cancel := context.WithCancel(t.Context())
	joined := make(chan error)
	go func() {
		_, err := r.Join(ctx, Request{OrganizationID: org, Address: "192.0.2.1"})
		joined <- err
	}()
	r.ticks <- time.Time{}
	cancel()
	if err := <-joined; !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if st := r.Stats(); st.Followers != 0 {
		t.Errorf("%+v", st)
	}
}

// Without news a board sleeps: a tick looks at no asset before the minute in which everything is looked at again.
func TestABoardDoesNotLookWithoutNews(t *testing.T) {
	r := newRig(t)
	f, err := r.Join(t.Context(), Request{OrganizationID: org, Address: "192.0.2.1"})
	if err != nil {
		t.Fatal(err)
	}
	for range 100 {
		r.ticks <- time.Time{}
	}
	f.leave()
	if err := r.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if r.looks != 1 {
		t.Errorf("%d looks", r.looks)
	}
}

// Ids of events that no board gave are known for it.
func FuzzEventID(f *testing.F) {
	for _, seed := range []string{"", "-", "a-1", "a-18446744073709551615", "a-b-1", "a--1"} {
		f.Add(seed)
	}
	b := &board{epoch: "a", seq: 5, log: []*batch{{first: 3, events: make([]event, 3)}}}
	f.Fuzz(func(t *testing.T, text string) {
		if seq, ok := b.resumes(text); ok && (seq > 5 || seq < 2 || !strings.HasPrefix(text, "a-")) {
			t.Errorf("%q: %d", text, seq)
		}
	})
}
