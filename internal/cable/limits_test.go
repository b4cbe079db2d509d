package cable

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gorilla/websocket"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/budget"
	"lightbar/internal/bus"
	"lightbar/internal/fleet"
)

// A client that never reads is dropped after 5 s by age; its neighbors get
// every frame within the frame's own period and do not notice.
func TestADeafClientDisturbsNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		defer r.close()
		deaf, _, err := r.dial(dialing{token: "viewer-token", deaf: true})
		if err != nil {
			t.Fatal(err)
		}
		neighbor := r.mustDial("driver-token")
		neighbor.subscribe(t, orgA, "")
		go func() { // a pipe has no room: its command goes through as long as the hub reads
			_ = deaf.conn.WriteMessage(websocket.TextMessage, []byte(subscribeTo(orgA, "")))
		}()
		synctest.Wait()
		neighbor.take()
		var dropped time.Duration
		start := time.Now()
		for i := range 40 {
			r.publish(fleet.MessageThing, "u", i, orgA)
			r.flush()
			if got := neighbor.take(); len(got) != 1 {
				t.Fatalf("frame %d: the neighbor got %q", i, got)
			}
			if dropped == 0 && r.hub.Stats().Ends[ReasonSlow] == 1 {
				dropped = time.Since(start)
			}
		}
		if dropped == 0 || dropped > 6*time.Second {
			t.Errorf("the deaf client was dropped after %v, want about 5 s", dropped)
		}
		if st := r.hub.Stats(); st.Sockets != 1 || st.Sessions != 1 {
			t.Errorf("%d sockets of %d sessions are left, want the neighbor's", st.Sockets, st.Sessions)
		}
		_ = deaf.conn.Close()
	})
}

// stuck is a socket whose writer never comes to an end, for looking at its queue.
func stuck(h *Hub) *socket {
	return &socket{hub: h, writing: true, wire: noConn{}, said: make(chan struct{}), hold: (&budget.Budget{}).Open("")}
}

func TestTheQueueIsBoundedInBytes(t *testing.T) {
	h := &Hub{}
	s := stuck(h)
	s.push(make([]byte, 3*queueBytes), time.Now()) // alone anything enters: a frame may be larger than the bound
	if s.ending {
		t.Fatal("a single frame was refused")
	}
	s.push([]byte("x"), time.Now())
	if !s.ending || s.reason != ReasonSlow || len(s.queue) != 1 || !bytes.Contains(s.queue[0].bytes, []byte(`"reason":"slow","reconnect":true`)) {
		t.Fatalf("ending %v, reason %s, %d in the queue", s.ending, s.reason, len(s.queue))
	}
	s.push([]byte("y"), time.Now())
	s.end(ReasonUnauthorized, 0)
	if len(s.queue) != 1 || s.reason != ReasonSlow || h.counts.ends[ReasonSlow] != 1 || h.counts.ends[ReasonUnauthorized] != 0 {
		t.Error("something followed the last frame")
	}
}

// Sockets of one user that do not read hold no more than the user's part of the
// budget, however many they are; what they share with others is counted once.
func TestDeafSocketsShareTheBudget(t *testing.T) {
	h, b := &Hub{}, &budget.Budget{}
	part := catalog.Setting("http", "heldBytes").Int() / 4
	frame := make([]byte, queueBytes/2)
	sockets := make([]*socket, 4*part/queueBytes)
	for i := range sockets {
		sockets[i] = stuck(h)
		sockets[i].hold = b.Open("192.0.2.1")
		sockets[i].hold.SetHolder("ann")
		sockets[i].pushShared(frame, len(sockets), time.Now())
		sockets[i].push(frame, time.Now())
	}
	slow := 0
	for _, s := range sockets {
		if s.ending && s.reason == ReasonSlow {
			slow++
		}
	}
	if held := b.Stats().Held; held > int64(part) || held < int64(part-queueBytes) || slow != len(sockets)-int(held/int64(len(frame))) {
		t.Errorf("%d bytes held, %d of %d sockets ended", held, slow, len(sockets))
	}
	for _, s := range sockets {
		s.leave()
	}
	if st := b.Stats(); st.Held != 0 || st.Calls != 0 {
		t.Errorf("not given back: %+v", st)
	}
}

// What is being written counts: a deaf client never holds more than the bound and one frame.
func TestBytesUnderWayCount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near, far := net.Pipe() // nobody reads from far
		defer far.Close()
		h := &Hub{}
		s := &socket{hub: h, wire: near, said: make(chan struct{}), hold: (&budget.Budget{}).Open("")}
		frame := make([]byte, queueBytes/4)
		for i := range 4 {
			s.push(frame, time.Now())
			synctest.Wait() // the writer has taken it, or waits with an earlier one
			if s.ending {
				t.Fatalf("ended at frame %d", i)
			}
		}
		_, _ = io.ReadFull(far, make([]byte, len(frame))) // one of the four leaves
		synctest.Wait()
		s.push(frame, time.Now())
		if s.ending {
			t.Fatal("there was room for a frame")
		}
		s.push(frame, time.Now())
		if !s.ending || s.reason != ReasonSlow {
			t.Fatal("a fifth quarter was taken")
		}
		time.Sleep(endWithin)
		synctest.Wait()
		if _, err := near.Write(nil); err == nil {
			t.Error("the connection is still open")
		}
	})
}

func TestFramesAreMadeOnceForAnAudience(t *testing.T) {
	h := &Hub{}
	st := newStream(orgA, "e")
	assets := app.Sees(actor("u", "s", "thing:read"), orgA)
	same := audience{sees: app.Sees(actor("u", "s", "thing:read", "incident:read"), orgA), identifier: "i"}
	var sockets []*socket
	for _, a := range []audience{same, same, {sees: assets, identifier: "i"}, {sees: same.sees, identifier: "i", deflate: true}} {
		s := stuck(h)
		st.subscribe(s, a, nil, time.Now())
		sockets = append(sockets, s)
	}
	f := frame("e", 1, strings.Repeat("k", 300))
	st.take(&f, time.Now())
	at := func(i int) *byte { q := sockets[i].queue; return &q[len(q)-1].bytes[0] }
	if at(0) != at(1) {
		t.Error("two sockets of one audience have bytes of their own")
	}
	if at(0) == at(2) || at(0) == at(3) {
		t.Error("another audience shares them")
	}
}

func TestEightSocketsAUser(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		defer r.close()
		r.dir.set("viewer-token-2", actor("viewer", "s-viewer-2", "thing:read"))
		var open []*client
		for i := range socketsPerUser.Int() {
			open = append(open, r.mustDial([]string{"viewer-token", "viewer-token-2"}[i%2]))
		}
		_, response, err := r.dial(dialing{token: "viewer-token"})
		if err == nil || response.StatusCode != http.StatusTooManyRequests || response.Header.Get("Retry-After") == "" {
			t.Fatalf("the ninth: %v %v", response, err)
		}
		r.mustDial("driver-token") // somebody else may
		_ = open[0].pipe.Close()
		synctest.Wait()
		r.mustDial("viewer-token")
	})
}

func TestTooMuchFromAClient(t *testing.T) {
	const tooBig, policy = "closed 1009", "closed 1008 invalid_request"
	for name, act := range map[string]func(c *client) string{
		"a long frame": func(c *client) string {
			c.conn.EnableWriteCompression(false)
			_ = c.conn.WriteMessage(websocket.TextMessage, make([]byte, readBytes+1))
			return tooBig
		},
		"a compressed bomb": func(c *client) string {
			c.conn.EnableWriteCompression(true)
			_ = c.conn.WriteMessage(websocket.TextMessage, append([]byte(`{"command":"unsubscribe","identifier":""}`), bytes.Repeat([]byte(" "), 4<<20)...))
			return policy
		},
		"binary": func(c *client) string {
			_ = c.conn.WriteMessage(websocket.BinaryMessage, []byte("{}"))
			return policy
		},
		"a flood": func(c *client) string {
			for range commandsPerPing + 1 {
				_ = c.conn.WriteMessage(websocket.TextMessage, []byte(`{"command":"unsubscribe","identifier":""}`))
			}
			return policy
		},
		"a flood of pings": func(c *client) string {
			for range commandsPerPing + 1 {
				_ = c.conn.WriteControl(websocket.PingMessage, nil, time.Time{})
			}
			return policy
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, nil)
				defer r.close()
				c, _, err := r.dial(dialing{token: "viewer-token", deflate: true})
				if err != nil {
					t.Fatal(err)
				}
				want := act(c)
				<-c.done
				if got := strings.Join(c.take(), " "); !strings.Contains(got, want) {
					t.Errorf("got %q, want %q", got, want)
				}
				synctest.Wait()
				if n := r.hub.Stats().Sockets; n != 0 {
					t.Errorf("%d sockets are open", n)
				}
			})
		})
	}
}

// A client that has vanished does not answer WebSocket's own pings; one that answers stays for hours.
func TestAVanishedClientIsNoticed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		defer r.close()
		alive := r.mustDial("viewer-token")
		vanished, _, err := r.dial(dialing{token: "driver-token", silent: true})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(silentAfter + time.Second)
		synctest.Wait()
		if got := vanished.take(); len(got) != 2 || got[1] != "cut" {
			t.Errorf("the vanished client: %q", got)
		}
		time.Sleep(2 * time.Hour)
		synctest.Wait()
		if got := alive.take(); len(got) != 1 {
			t.Errorf("the other: %q", got)
		}
	})
}

// Renewal of the token is no reason to close: the socket belongs to the family.
func TestRenewalOfTheTokenKeepsTheSocket(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		defer r.close()
		c := r.mustDial("viewer-token")
		r.dir.mu.Lock()
		delete(r.dir.tokens, "viewer-token")
		r.dir.mu.Unlock()
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		if got := c.take(); len(got) != 1 {
			t.Errorf("got %q", got)
		}
		if r.dir.checks < 9 {
			t.Errorf("%d checks in 10 minutes", r.dir.checks)
		}
	})
}

// What happens between the look at the token and the socket's entry is not lost.
func TestANudgeDuringTheUpgradeCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var r *rig
		r = newRig(t, func(o *Options) {
			inner := o.Authenticate
			o.Authenticate = func(ctx context.Context, token, network string) (*access.Actor, error) {
				a, err := inner(ctx, token, network)
				r.dir.end(a.SessionID)
				r.bus.EndSession(a.SessionID)
				return a, err
			}
		})
		defer r.close()
		start := time.Now()
		c := r.mustDial("viewer-token")
		<-c.done
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("closed after %v", took)
		}
		if got := c.take(); got[len(got)-1] != "closed 1008 unauthorized" {
			t.Errorf("got %q", got)
		}
	})
}

func TestDrain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		polite := r.mustDial("viewer-token")
		deaf, _, err := r.dial(dialing{token: "driver-token", deaf: true})
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
		defer cancel()
		drained := make(chan error)
		go func() { drained <- r.hub.Drain(ctx) }()
		synctest.Wait()
		if _, response, err := r.dial(dialing{token: "viewer-token"}); err == nil || response.StatusCode != http.StatusServiceUnavailable {
			t.Errorf("a new socket: %v %v", response, err)
		}
		if err := <-drained; err == nil {
			t.Error("the deaf client was waited for")
		}
		<-polite.done
		if got := polite.take(); !strings.Contains(got[1], "server_restart") {
			t.Errorf("got %q", got)
		}
		synctest.Wait()
		if n := r.hub.Stats().Sockets; n != 0 {
			t.Errorf("%d sockets are open", n)
		}
		_ = deaf.conn.Close()
		r.close()
	})
}

// A hub without a bus and with a nil application serves nobody but harms nothing.
func TestAHubWithoutABus(t *testing.T) {
	h := New(nil, (*bus.Bus)(nil), Options{})
	if err := h.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(h.Stats().Sockets) != "0" {
		t.Fatal("sockets")
	}
}
