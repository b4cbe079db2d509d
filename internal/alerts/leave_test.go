package alerts

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"lightbar/internal/feed"
	"lightbar/internal/fleet"
)

func (r *rig) join(in Request) *Follower {
	r.t.Helper()
	in.OrganizationID = org
	f, err := r.Join(r.t.Context(), in)
	if err != nil {
		r.t.Fatal(err)
	}
	return f
}

// Who leaves leaves nothing behind but the board, which waits for those who come back.
func TestFollowersLeaveNothing(t *testing.T) {
	r := newRig(t)
	one, two := r.join(Request{Address: "192.0.2.1", KeyID: "k"}), r.join(Request{Address: "192.0.2.1", KeyID: "k"})
	b := one.board
	one.leave()
	if st := r.Stats(); st.Followers != 1 || len(b.audiences) != 1 {
		t.Errorf("%+v %v", st, b.audiences)
	}
	two.leave()
	for range 3 {
		r.ticks <- time.Time{}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.Hub.mu.Lock()
	defer r.Hub.mu.Unlock()
	if r.followers != 0 || len(r.Hub.addresses) != 0 || b.followers != 0 || len(b.audiences) != 0 || r.boards[org] != b {
		t.Errorf("%d followers, of addresses %v, %d at the board, audiences %v, boards %v", r.followers,
			r.Hub.addresses, b.followers, b.audiences, r.boards)
	}
}

// A key that was refused and follows again is an audience of its own: who belonged to the first takes nothing from it.
func TestAnAudienceEndsOnce(t *testing.T) {
	b := newBoard(newRig(t).Hub, org)
	first := b.join("k")
	close(first.ended)
	delete(b.audiences, "k")
	second := b.join("k")
	b.part("k", first)
	if b.audiences["k"] != second {
		t.Error("the second has gone with the first")
	}
}

// Who may not go on is ended by the clock, also when no message says so.
func TestTheClockEndsWhoMayNotGoOn(t *testing.T) {
	r := newRig(t)
	f := r.join(Request{Address: "192.0.2.1", KeyID: "k"})
	told, ended := make(chan struct{}, 10), make(chan error)
	go func() {
		ended <- f.Run(context.WithoutCancel(t.Context()), func([]byte) error {
			told <- struct{}{}
			return nil
		})
	}()
	<-told
	r.mu.Lock()
	r.ended, r.at = true, r.at.Add(recheckEvery)
	r.mu.Unlock()
	r.ticks <- time.Time{}
	if err := <-ended; !errors.Is(err, ErrOver) {
		t.Error(err)
	}
}

// Who follows a circle and comes back is told that what it knew of is over.
func TestAPartIsResumed(t *testing.T) {
	r := newRig(t)
	r.change(1)
	circle := &Circle{Lat: 39, Lng: -75, RadiusM: 1000}
	before := r.join(Request{Address: "192.0.2.1", Circle: circle})
	t.Cleanup(before.leave)
	_, id, _ := strings.Cut(string(before.begin()), "event: ready\nid: ")
	id, _, _ = strings.Cut(id, "\n")
	again := r.join(Request{Address: "192.0.2.1", Circle: circle, LastEventID: id})
	t.Cleanup(again.leave)
	if out := string(again.begin()); strings.Contains(out, "event: alert") || strings.Contains(out, "event: reset") {
		t.Fatal(out)
	}
	_, changed, err := again.read()
	if err != nil {
		t.Fatal(err)
	}
	r.mu.Lock()
	r.at, r.alerts = r.at.Add(recheckEvery), nil
	r.mu.Unlock()
	r.ticks <- time.Time{}
	<-changed
	if out, _, err := again.read(); err != nil || !strings.Contains(string(out), "event: gone") {
		t.Errorf("%q %v", out, err)
	}
}

// What is older than those who come back may be is kept no longer.
func TestOldEventsAreDropped(t *testing.T) {
	r := newRig(t)
	r.change(1)
	f := r.join(Request{Address: "192.0.2.1"})
	t.Cleanup(f.leave)
	f.begin()
	_, changed, _ := f.read()
	b := f.board
	b.mu.Lock()
	for _, x := range b.log {
		x.at = x.at.Add(-replayFor - time.Second)
	}
	kept := len(b.log)
	b.mu.Unlock()
	r.change(1)
	<-changed
	b.mu.RLock()
	defer b.mu.RUnlock()
	if kept == 0 || len(b.log) != 1 {
		t.Errorf("%d batches of %d", len(b.log), kept+1)
	}
}

// An alert along a line is told in the cell that is followed, wherever the line begins, and elsewhere not at all.
func TestALineIsToldWhereItIsFollowed(t *testing.T) {
	r := newRig(t)
	line := feed.Alert{ID: "a", Source: "s", Category: feed.AlertVehicle, Line: []fleet.LatLng{{Lat: 39, Lng: -75}, {Lat: 39, Lng: -74.9}},
		ExpiresAt: fleet.InstantOf(r.at.Add(time.Hour))}
	r.alerts = []feed.Alert{line}
	cells := cellsOf(&line)
	join := func(c Cell) (*CellFollower, <-chan struct{}) {
		f, err := r.JoinCells(t.Context(), Request{OrganizationID: org, Address: "192.0.2.1"})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(f.leave)
		f.Follow(c)
		_, changed, err := f.read(nil)
		if err != nil {
			t.Fatal(err)
		}
		return f, changed
	}
	last, changed := join(cells[len(cells)-1])
	elsewhere, _ := join(CellAt(-39, 75))
	r.mu.Lock()
	r.at = r.at.Add(recheckEvery)
	line.Message = "another"
	r.alerts = []feed.Alert{line}
	r.mu.Unlock()
	r.ticks <- time.Time{}
	<-changed
	if out, _, err := last.read(nil); err != nil || len(out) != 1 || out[0].Cell != cells[len(cells)-1] {
		t.Errorf("%v %v", out, err)
	}
	if out, _, err := elsewhere.read(nil); err != nil || len(out) != 0 {
		t.Errorf("elsewhere: %v %v", out, err)
	}
}

// A follower that cannot be written to any longer, while there is nothing to tell, has gone: its place is free.
func TestAFailedKeepaliveEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		f := r.join(Request{Address: "192.0.2.1"})
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		gone, kept := errors.New("gone"), 0
		err := f.Run(ctx, func(out []byte) error {
			if string(out) != ":\n\n" {
				return nil
			}
			if kept++; kept == 3 {
				stop()
			}
			if kept == 1 {
				return nil
			}
			return gone
		})
		if !errors.Is(err, gone) || kept != 2 || r.Stats().Followers != 0 {
			t.Errorf("%v after %d, %+v", err, kept, r.Stats())
		}
	})
}
