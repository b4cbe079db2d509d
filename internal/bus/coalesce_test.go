package bus

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"lightbar/internal/fleet"
)

// said writes items as "type key body-at" for comparison.
func said(frames []Frame) string {
	var out []string
	for _, f := range frames {
		for _, i := range f.Items {
			out = append(out, fmt.Sprintf("%s %s %s", i.Type, i.Key, i.Body))
		}
	}
	return strings.Join(out, "; ")
}

func short(t fleet.MessageType, key string, at int64) fleet.Message {
	return fleet.Message{Type: t, Key: key, At: fleet.Instant(at), Audience: []string{"o"}, Body: fmt.Appendf(nil, "%d", at)}
}

func TestCoalescing(t *testing.T) {
	const p, h, th, l, ad = fleet.MessagePoint, fleet.MessageHeartbeat, fleet.MessageThing, fleet.MessageLocation, fleet.MessageAdmin
	for _, c := range []struct {
		name   string
		events []fleet.Message
		want   string
	}{
		{"only the newest point of a thing", []fleet.Message{short(p, "a", 1), short(p, "b", 1), short(p, "a", 2)}, "point b 1; point a 2"},
		{"only the newest heartbeat, apart from points", []fleet.Message{short(h, "a", 1), short(p, "a", 1), short(h, "a", 2)}, "point a 1; heartbeat a 2"},
		{"a late point loses", []fleet.Message{short(p, "a", 5), short(p, "a", 3)}, "point a 5"},
		{"of equal instants the later said wins", []fleet.Message{short(p, "a", 5), {Type: p, Key: "a", At: 5, Audience: []string{"o"}, Body: []byte("x")}}, "point a x"},
		{"nothing else is dropped or moved", []fleet.Message{short(th, "a", 1), short(th, "a", 2), short(l, "x", 1), short(ad, "a", 3), short(th, "a", 1)},
			"thing a 1; thing a 2; location x 1; admin a 3; thing a 1"},
		{"a newer point stands behind what was said between", []fleet.Message{short(p, "a", 1), short(th, "a", 2), short(p, "a", 3)}, "thing a 2; point a 3"},
	} {
		var co coalescer
		co.init()
		co.add(c.events)
		frames, _ := co.take("e", 1)
		if got := said(frames); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
		if co.bytes != 0 {
			t.Errorf("%s: %d bytes are still counted", c.name, co.bytes)
		}
	}
}

// Whatever comes: the messages that are no points or heartbeats all arrive in
// their order, of those the newest of each thing arrives, and numbers have no holes.
func TestCoalescingLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var co coalescer
		co.init()
		types := []fleet.MessageType{fleet.MessagePoint, fleet.MessageHeartbeat, fleet.MessageThing, fleet.MessageLocation, fleet.MessageClosure, fleet.MessageAdmin}
		next := uint64(1)
		for range rapid.IntRange(1, 4).Draw(t, "flushes") {
			var kept, newest = []string{}, map[string]int64{}
			for i := range rapid.IntRange(0, 40).Draw(t, "events") {
				ty := rapid.SampledFrom(types).Draw(t, "type")
				e := short(ty, rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "key"), int64(rapid.IntRange(1, 9).Draw(t, "at")))
				if ty == fleet.MessagePoint || ty == fleet.MessageHeartbeat {
					if k := string(ty) + e.Key; int64(e.At) >= newest[k] {
						newest[k] = int64(e.At)
					}
				} else {
					e.Body = fmt.Appendf(nil, "n%d", i)
					kept = append(kept, string(e.Body))
				}
				co.add([]fleet.Message{e})
			}
			frames, _ := co.take("e", 1)
			var gotKept []string
			gotNewest := map[string]int64{}
			for _, f := range frames {
				if f.First != next {
					t.Fatalf("first %d, want %d", f.First, next)
				}
				next = f.Next()
				for _, i := range f.Items {
					if i.Type == fleet.MessagePoint || i.Type == fleet.MessageHeartbeat {
						var at int64
						fmt.Sscan(string(i.Body), &at)
						if _, twice := gotNewest[string(i.Type)+i.Key]; twice {
							t.Fatalf("%s %s twice in a frame", i.Type, i.Key)
						}
						gotNewest[string(i.Type)+i.Key] = at
					} else {
						gotKept = append(gotKept, string(i.Body))
					}
				}
			}
			if fmt.Sprint(gotKept) != fmt.Sprint(kept) || fmt.Sprint(gotNewest) != fmt.Sprint(newest) {
				t.Fatalf("kept %v, want %v; newest %v, want %v", gotKept, kept, gotNewest, newest)
			}
		}
	})
}

func TestBigFramesAreSplitBelowThePayloadBound(t *testing.T) {
	var co coalescer
	co.init()
	var events []fleet.Message
	for i := range 30 {
		e := short(fleet.MessageThing, fmt.Sprint(i), 1)
		e.Body = bytes.Repeat([]byte("x"), 100_000)
		events = append(events, e)
	}
	co.add(events)
	frames, tooLarge := co.take("e", 1)
	if tooLarge != 0 || len(frames) != 3 {
		t.Fatalf("%d frames and %d too large, want 3 and 0", len(frames), tooLarge)
	}
	next := uint64(1)
	for i := range frames {
		if n := len(frames[i].encode()); n > 1<<20 {
			t.Errorf("frame %d takes %d bytes", i, n)
		}
		if frames[i].First != next {
			t.Errorf("frame %d begins at %d, want %d", i, frames[i].First, next)
		}
		next = frames[i].Next()
	}
}

func TestAMessageThatFitsNoFrameLeavesAHole(t *testing.T) {
	var co coalescer
	co.init()
	big := short(fleet.MessageThing, "big", 1)
	big.Body = bytes.Repeat([]byte("x"), 1<<20)
	co.add([]fleet.Message{short(fleet.MessageThing, "a", 1), big, short(fleet.MessageThing, "b", 1)})
	frames, tooLarge := co.take("e", 1)
	if tooLarge != 1 || len(frames) != 2 || frames[0].First != 1 || frames[1].First != 3 {
		t.Fatalf("%d too large, frames %+v: want one left out and offset 2 missing", tooLarge, frames)
	}
}

func TestWhatCannotBeSentIsDroppedWithAHole(t *testing.T) {
	var co coalescer
	co.init()
	body := bytes.Repeat([]byte("x"), 1<<20)
	dropped := false
	for i := 0; !dropped; i++ {
		e := short(fleet.MessageThing, fmt.Sprint(i), 1)
		e.Body = body
		if i > pendingBound>>20 {
			t.Fatal("the bound does not hold")
		}
		dropped = co.add([]fleet.Message{e})
	}
	if frames, _ := co.take("e", 1); len(frames) != 0 {
		t.Fatalf("%d frames after the drop", len(frames))
	}
	co.add([]fleet.Message{short(fleet.MessageThing, "a", 1)})
	frames, _ := co.take("e", 1)
	if len(frames) != 1 || frames[0].First < 3 {
		t.Fatalf("frames %+v: want a hole in the numbers", frames)
	}
}
