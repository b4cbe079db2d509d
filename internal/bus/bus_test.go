package bus

import (
	"context"
	"fmt"
	"net"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"go.uber.org/goleak"

	"lightbar/internal/fleet"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// collector gathers frames.
type collector struct {
	mu     sync.Mutex
	frames []Frame
}

func (c *collector) take(f Frame) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.frames = append(c.frames, f)
}

// of answers an organization's frames with items.
func (c *collector) of(org string) []Frame {
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []Frame
	for _, f := range c.frames {
		if f.Organization == org && len(f.Items) > 0 {
			out = append(out, f)
		}
	}
	return out
}

func open(t *testing.T, opts Options) *Bus {
	t.Helper()
	b, err := Open(opts)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func closeBus(t *testing.T, b *Bus) {
	t.Helper()
	if err := b.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
}

// externalServer runs a NATS server with a listener that can be stopped and started at the same address.
func externalServer(t *testing.T) (url string, stop, start func()) {
	t.Helper()
	opts := server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoLog: true, NoSigs: true}
	var s *server.Server
	start = func() {
		var err error
		copied := opts
		if s, err = server.NewServer(&copied); err != nil {
			t.Fatal(err)
		}
		s.Start()
		if !s.ReadyForConnections(5 * time.Second) {
			t.Fatal("the NATS server did not start")
		}
		opts.Port = s.Addr().(*net.TCPAddr).Port // the next start is at the same address
	}
	stop = func() { s.Shutdown(); s.WaitForShutdown() }
	start()
	t.Cleanup(func() { stop() })
	return s.ClientURL(), stop, start
}

func event(t fleet.MessageType, key string, at int64, orgs ...string) fleet.Message {
	return fleet.Message{Type: t, Key: key, At: fleet.Instant(at), Audience: orgs,
		Body: fmt.Appendf(nil, `{"type":%q,"id":%q,"at":%d}`, t, key, at)}
}

func TestOneFrameAnOrganizationEvery250ms(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, Options{})
		defer closeBus(t, b)
		var c collector
		defer b.Frames(c.take)()
		b.Publish([]fleet.Message{event(fleet.MessagePoint, "a", 1, "o1", "o2")})
		b.Publish([]fleet.Message{event(fleet.MessagePoint, "b", 1, "o1")})
		time.Sleep(frameEvery - time.Millisecond)
		synctest.Wait()
		if n := len(c.of("o1")); n != 0 {
			t.Fatalf("%d frames before the period was over", n)
		}
		time.Sleep(time.Millisecond)
		synctest.Wait()
		o1, o2 := c.of("o1"), c.of("o2")
		if len(o1) != 1 || len(o1[0].Items) != 2 || len(o2) != 1 || len(o2[0].Items) != 1 {
			t.Fatalf("o1 %v, o2 %v: want one frame each with 2 and 1 messages", o1, o2)
		}
		if o1[0].First != 1 || o1[0].Next() != 3 || o1[0].Epoch != b.Epoch() || len(b.Epoch()) < 16 {
			t.Fatalf("numbers: first %d, next %d, epoch %q", o1[0].First, o1[0].Next(), o1[0].Epoch)
		}
	})
}

func TestFramesAreStampedNumberedAndContinue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, Options{})
		defer closeBus(t, b)
		var c collector
		defer b.Frames(c.take)()
		time.Sleep(frameEvery / 2) // never at the instant of a tick
		for i := range 3 {
			b.Publish([]fleet.Message{event(fleet.MessageThing, "a", int64(i), "o"), event(fleet.MessageAdmin, "a", int64(i), "o")})
			time.Sleep(frameEvery)
		}
		synctest.Wait()
		frames := c.of("o")
		if len(frames) != 3 {
			t.Fatalf("%d frames, want 3", len(frames))
		}
		next := uint64(1)
		for _, f := range frames {
			if f.First != next || f.At == 0 {
				t.Fatalf("first %d at %d, want %d", f.First, f.At, next)
			}
			next = f.Next()
		}
	})
}

// An organization that falls quiet is marked, so that a lost last frame is noticed; then silence.
func TestMarksFollowTheLastFrameThenStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, Options{})
		defer closeBus(t, b)
		var c collector
		defer b.Frames(c.take)()
		b.Publish([]fleet.Message{event(fleet.MessageThing, "a", 1, "o")})
		time.Sleep(time.Minute)
		synctest.Wait()
		c.mu.Lock()
		defer c.mu.Unlock()
		if want := 1 + markFor/markEach; len(c.frames) != want {
			t.Fatalf("%d frames, want %d", len(c.frames), want)
		}
		for _, f := range c.frames[1:] {
			if len(f.Items) != 0 || f.First != 2 {
				t.Fatalf("mark %+v, want no items and next 2", f)
			}
		}
	})
}

func TestNudgesReachTheirNodeAndOthers(t *testing.T) {
	b := open(t, Options{})
	defer closeBus(t, b)
	ended, changed := make(chan string, 4), make(chan string, 4)
	stop := b.OnEndSession(func(id string) { ended <- id })
	defer b.OnAccessChanged(func(user, org string) { changed <- user + "/" + org })()
	b.EndSession("s1")
	b.AccessChanged("u1", "o1")
	if got := <-ended; got != "s1" {
		t.Fatalf("ended %q", got)
	}
	if got := <-changed; got != "u1/o1" {
		t.Fatalf("changed %q", got)
	}
	// Another node's nudge comes over the wire; this node's own is not repeated.
	other := &Bus{node: "other", conn: b.conn, opts: b.opts}
	other.EndSession("s2")
	other.AccessChanged("", "o2")
	if got := <-ended; got != "s2" {
		t.Fatalf("ended %q", got)
	}
	if got := <-changed; got != "/o2" {
		t.Fatalf("changed %q", got)
	}
	stop()
	b.EndSession("s3")
	closeBus(t, b)
	if len(ended) != 0 {
		t.Fatal("a stopped listener was called")
	}
}

func TestCloseSendsWhatWaits(t *testing.T) {
	b := open(t, Options{Ticks: make(chan time.Time)}) // the clock never ticks
	var c collector
	b.Frames(c.take)
	b.Publish([]fleet.Message{event(fleet.MessageThing, "a", 1, "o")})
	closeBus(t, b)
	closeBus(t, b) // twice is harmless
	if n := len(c.of("o")); n != 1 {
		t.Fatalf("%d frames, want the one that waited", n)
	}
	b.Publish([]fleet.Message{event(fleet.MessageThing, "a", 2, "o")})
}

func TestWithoutABusEverythingIsHarmless(t *testing.T) {
	for _, b := range []*Bus{nil, {}} {
		b.Publish([]fleet.Message{event(fleet.MessageThing, "a", 1, "o")})
		b.EndSession("s")
		b.AccessChanged("u", "o")
		b.Frames(func(Frame) {})()
		b.OnEndSession(func(string) {})()
		b.OnAccessChanged(func(string, string) {})()
		b.OnLoss(func() {})()
		closeBus(t, b)
		if b.Alone() || b.Epoch() != "" {
			t.Fatal("an absent bus publishes nothing")
		}
	}
}

func TestPublishNeverWaitsForReaders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, Options{})
		defer closeBus(t, b)
		stuck := make(chan struct{})
		defer b.Frames(func(Frame) { <-stuck })()
		time.Sleep(frameEvery / 2)
		for i := range 200 {
			b.Publish([]fleet.Message{event(fleet.MessageThing, "a", int64(i), "o")})
			time.Sleep(frameEvery)
		}
		close(stuck) // reached although nobody read
	})
}

// With an external server two nodes see the same frames; a server that went
// away and came back is reported as a loss.
func TestTwoNodesShareAnExternalServer(t *testing.T) {
	url, stopServer, startServer := externalServer(t)
	a, b := open(t, Options{URL: url, Ticks: make(chan time.Time)}), open(t, Options{URL: url, Ticks: make(chan time.Time)})
	if a.Alone() || b.Alone() {
		t.Fatal("a node of a cluster is not alone")
	}
	got, lost := make(chan Frame, 4), make(chan struct{}, 64)
	b.Frames(func(f Frame) { got <- f })
	b.OnLoss(func() { lost <- struct{}{} })
	a.Publish([]fleet.Message{event(fleet.MessageThing, "a", 1, "o")})
	a.flush()
	if f := <-got; f.Epoch != a.Epoch() || len(f.Items) != 1 {
		t.Fatalf("frame %+v, want the publisher's epoch %s", f, a.Epoch())
	}
	stopServer()
	startServer()
	<-lost
	closeBus(t, a)
	closeBus(t, b)
}
