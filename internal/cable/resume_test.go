package cable

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"lightbar/internal/bus"
	"lightbar/internal/fleet"
)

// told is a data frame as a client reads it, either form.
type told struct {
	Type     string          `json:"type"`
	Reason   string          `json:"reason"`
	Epoch    string          `json:"epoch"`
	Offset   uint64          `json:"offset"`
	Message  json.RawMessage `json:"message"`
	Messages []struct {
		Offset  uint64          `json:"offset"`
		Message json.RawMessage `json:"message"`
	} `json:"messages"`
}

// listener keeps what a client was told over all its sockets, and where it stands.
type listener struct {
	got    []string
	epoch  string
	offset uint64
	reject int
}

func (l *listener) hear(t *testing.T, lines []string) {
	t.Helper()
	for _, line := range lines {
		var f told
		if json.Unmarshal([]byte(line), &f) != nil {
			continue // "cut"
		}
		switch {
		case f.Type == "reject_history":
			l.reject++
		case f.Type == "confirm_subscription" && l.epoch == "":
			l.epoch, l.offset = f.Epoch, f.Offset
		case f.Type != "":
		case f.Messages != nil:
			for _, m := range f.Messages {
				l.take(t, m.Offset, string(m.Message))
			}
		default:
			l.take(t, f.Offset, string(f.Message))
		}
	}
}

func (l *listener) take(t *testing.T, offset uint64, body string) {
	if offset <= l.offset {
		t.Fatalf("offset %d came after %d", offset, l.offset)
	}
	l.offset = offset
	l.got = append(l.got, fmt.Sprintf("%d %s", offset, body))
}

// A socket cut more than a thousand times, at any instant and even inside a
// frame, beside an uncut one: both saw the same messages in the same order.
// One cut client takes single messages, one batches compressed.
//
// spec: D.ws.04
func TestACutSocketSeesWhatAnUncutOneSees(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, nil)
		defer r.close()
		random := rand.New(rand.NewPCG(1, 2))
		whole := &listener{}
		uncut := r.mustDial("driver-token")
		uncut.subscribe(t, orgA, "")
		cuts := []*cutting{{more: ""}, {more: `,"batch":true`, deflate: true}}
		synctest.Wait()
		whole.hear(t, uncut.take())
		for _, c := range cuts { // all begin at the same place
			c.epoch, c.offset = whole.epoch, whole.offset
		}
		n := 0
		for range 600 {
			for range random.IntN(4) {
				n++
				r.publish(fleet.MessageThing, fmt.Sprint(random.IntN(20)), n, orgA)
				r.publish(fleet.MessagePoint, fmt.Sprint(random.IntN(20)), n, orgA)
			}
			for _, c := range cuts {
				c.cutAndComeBack(t, r, random)
			}
			time.Sleep(time.Duration(random.IntN(300)) * time.Millisecond)
		}
		r.flush()
		whole.hear(t, uncut.take())
		for i, c := range cuts {
			c.hear(t, c.now.take())
			if c.reject != 0 {
				t.Errorf("client %d: history was rejected %d times", i, c.reject)
			}
			if len(whole.got) < 500 || fmt.Sprint(c.got) != fmt.Sprint(whole.got) {
				t.Errorf("client %d saw %d messages, the uncut one %d; or in another order", i, len(c.got), len(whole.got))
			}
			if c.cuts < 500 {
				t.Errorf("only %d cuts", c.cuts)
			}
		}
		if total := cuts[0].cuts + cuts[1].cuts; total < 1000 {
			t.Errorf("only %d cuts in all", total)
		}
	})
}

// cutting is a client that loses its socket again and again.
type cutting struct {
	listener
	more    string
	deflate bool
	now     *client
	cuts    int
}

func (c *cutting) cutAndComeBack(t *testing.T, r *rig, random *rand.Rand) {
	t.Helper()
	if c.now != nil {
		if random.IntN(2) == 0 {
			synctest.Wait() // else the cut may fall inside a frame, or between two
		}
		_ = c.now.pipe.Close()
		<-c.now.done
		c.hear(t, c.now.take())
		c.cuts++
	}
	var err error
	if c.now, _, err = r.dial(dialing{token: "driver-token", deflate: c.deflate}); err != nil {
		t.Fatal(err)
	}
	c.now.subscribe(t, orgA, fmt.Sprintf(`%s,"history":{"epoch":%q,"offset":%d}`, c.more, c.epoch, c.offset))
}

// frame is a bus frame as another publisher would send it.
func frame(epoch string, first uint64, keys ...string) bus.Frame {
	f := bus.Frame{Organization: orgA, Epoch: epoch, First: first, At: 1}
	for _, k := range keys {
		f.Items = append(f.Items, bus.Item{Type: fleet.MessageThing, Key: k, Body: []byte(`{"id":"` + k + `"}`)})
	}
	return f
}

// Loss is never silent: a hole in the numbers, another epoch, a mark that says
// more was sent, or a loss nobody can measure end the sockets that listen, and
// what was before cannot be resumed.
func TestLossEndsTheSocketAndRejectsHistory(t *testing.T) {
	for name, lose := range map[string]func(r *rig, epoch string){
		"a hole":             func(r *rig, epoch string) { r.hub.take(frame(epoch, 5, "e")) },
		"another epoch":      func(r *rig, _ string) { r.hub.take(frame("other", 3, "c")) },
		"a mark":             func(r *rig, epoch string) { r.hub.take(frame(epoch, 4)) },
		"an unmeasured loss": func(r *rig, _ string) { r.hub.lose() },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, nil)
				defer r.close()
				epoch := r.bus.Epoch()
				c, other := r.mustDial("driver-token"), r.mustDial("viewer-token")
				c.subscribe(t, orgA, "")
				other.subscribe(t, orgB, "")
				synctest.Wait()
				r.hub.take(frame(epoch, 1, "a", "b"))
				r.hub.take(frame(epoch, 1, "a", "b")) // a repeat changes nothing
				r.hub.take(frame(epoch, 3))           // nor does a mark that agrees
				synctest.Wait()
				if got := c.take(); len(got) != 4 {
					t.Fatalf("before the loss: %q", got)
				}
				lose(r, epoch)
				synctest.Wait()
				got := c.take()
				if len(got) < 2 || got[0] != `{"type":"disconnect","reason":"gap","reconnect":true}` {
					t.Fatalf("after the loss: %q", got)
				}
				if len(other.take()) != 2 && name != "an unmeasured loss" {
					t.Error("a listener of another organization was disturbed")
				}
				c = r.mustDial("driver-token")
				c.subscribe(t, orgA, fmt.Sprintf(`,"history":{"epoch":%q,"offset":2}`, epoch))
				synctest.Wait()
				var l listener
				l.hear(t, c.take())
				if l.reject != 1 {
					t.Error("history before the loss was accepted")
				}
			})
		})
	}
}

// Who subscribes before a publisher is known has missed nothing when its first frame comes.
func TestAFirstFrameOfACluster(t *testing.T) {
	s := newStream(orgA, "")
	f := frame("e", 70, "a")
	if kept, _ := s.take(&f, time.Now()); kept == nil || s.next != 71 || s.epoch != "e" {
		t.Fatalf("next %d epoch %q", s.next, s.epoch)
	}
}

// spec: the ring is bounded by bytes first, then by time, over all organizations.
func TestTheRingIsBounded(t *testing.T) {
	now := time.Unix(0, 0)
	r := ring{maxBytes: 10 * (2*itemOverhead + 11), maxAge: time.Minute}
	a, b := newStream("a", "e"), newStream("b", "e")
	for i := range 20 {
		s := []*stream{a, b}[i%2]
		f := frame("e", uint64(i/2+1), "x")
		kept, _ := s.take(&f, now)
		r.add(s, kept)
	}
	if len(a.entries) != 5 || len(b.entries) != 5 || r.bytes > r.maxBytes || a.entries[0].first != 6 {
		t.Fatalf("%d and %d entries, %d of %d bytes", len(a.entries), len(b.entries), r.bytes, r.maxBytes)
	}
	if _, ok := a.since(StreamPosition{"e", 4}); ok {
		t.Error("history below the floor was given")
	}
	if e, ok := a.since(StreamPosition{"e", 5}); !ok || len(e) != 5 {
		t.Error("history at the floor was refused")
	}
	r.expire(now.Add(time.Minute + 1))
	if len(a.entries)+len(b.entries) != 0 || r.size() != 0 {
		t.Error("old entries are kept")
	}
	if _, ok := a.since(StreamPosition{"e", 10}); !ok {
		t.Error("who missed nothing needs no ring")
	}
	for i := range 5000 { // the list of what is kept does not grow without end
		f := frame("e", uint64(11+i), "x")
		kept, _ := a.take(&f, now)
		r.add(a, kept)
	}
	if len(r.kept) > 2100 {
		t.Errorf("%d places for %d entries", len(r.kept), len(a.entries))
	}
}

func TestAReplayTooLargeIsRejected(t *testing.T) {
	s := newStream("a", "e")
	for i := range 20 {
		f := bus.Frame{Organization: "a", Epoch: "e", First: uint64(i + 1), Items: []bus.Item{{Type: fleet.MessageThing, Body: make([]byte, 1<<20)}}}
		s.take(&f, time.Now())
	}
	if _, ok := s.since(StreamPosition{"e", 1}); ok {
		t.Error("19 MiB were promised to one socket")
	}
	if _, ok := s.since(StreamPosition{"e", 10}); !ok {
		t.Error("10 MiB were refused")
	}
}

// Replays are shared by who comes back to the same place, and go with the ring
// also where nothing new comes: a quiet organization holds only a few of them.
func TestSharedReplaysAreFewAndGoWithTheRing(t *testing.T) {
	now := time.Unix(0, 0)
	s, r := newStream("a", "e"), ring{maxBytes: 1 << 30, maxAge: time.Minute}
	for i := range 50 {
		f := frame("e", uint64(i+1), "x")
		kept, _ := s.take(&f, now)
		r.add(s, kept)
	}
	resume := func(identifier string, offset uint64) *replay {
		t.Helper()
		missed, ok := s.since(StreamPosition{"e", offset})
		if !ok {
			t.Fatalf("history from %d was refused", offset)
		}
		return s.replayOf(audience{identifier: identifier}, offset+1, missed)
	}
	if resume("i", 3) != resume("i", 3) {
		t.Error("two that come back to the same place share nothing")
	}
	for i := range 40 {
		resume("i", uint64(i))
		resume(fmt.Sprint("other ", i), 3)
		if len(s.replays) > replaysKept {
			t.Fatalf("%d replays are kept", len(s.replays))
		}
	}
	if len(s.replays) == 0 {
		t.Error("none is shared")
	}
	r.expire(now.Add(time.Minute + 1))
	if len(s.replays) != 0 {
		t.Errorf("%d replays outlive the ring", len(s.replays))
	}
}

// Frames that nobody can come back to are not kept, where this node is the
// only one; who listened lately finds all of it, without a hole.
func TestFramesOfNobodyAreNotKept(t *testing.T) {
	s := newStream("a", "e")
	s.unheardFor = time.Minute
	begin := time.Now()
	next := uint64(1)
	take := func(at time.Time) *entry {
		f := frame("e", next, "x")
		next = f.Next()
		kept, _ := s.take(&f, at)
		return kept
	}
	if take(begin) != nil {
		t.Error("kept before anybody listened")
	}
	sub := &subscription{stream: s, group: &group{}, slot: 0}
	sub.group.subs = []*subscription{sub}
	s.groups[audience{}] = sub.group
	s.heardAt = begin
	sub.leave()
	from := next - 1
	if take(begin.Add(time.Second)) == nil || take(begin.Add(30*time.Second)) == nil {
		t.Error("not kept for who listened lately")
	}
	if missed, ok := s.since(StreamPosition{"e", from}); !ok || len(missed) != 2 {
		t.Errorf("%d entries, %v", len(missed), ok)
	}
	if take(begin.Add(time.Hour)) != nil {
		t.Error("kept for who cannot come back")
	}
	if _, ok := s.since(StreamPosition{"e", from}); ok {
		t.Error("a hole was promised to be whole")
	}
	s.heardAt = begin.Add(2 * time.Hour)
	if take(begin.Add(2*time.Hour)) == nil {
		t.Error("not kept again")
	}
	if _, ok := s.since(StreamPosition{"e", from}); ok {
		t.Error("a hole was promised to be whole")
	}
}
