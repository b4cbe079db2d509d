package app_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
)

// Batches that come while a commit runs share the next one.
func TestConcurrentBatchesShareACommit(t *testing.T) {
	const batches = 40
	var commits atomic.Int64
	var hold atomic.Bool
	held, release := make(chan struct{}), make(chan struct{})
	s, err := store.Open(t.Context(), store.Options{Path: storetest.SQLitePath(t), BeforeCommit: func() {
		commits.Add(1)
		if hold.CompareAndSwap(true, false) {
			close(held)
			<-release
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	k := apptest.New(t, s)
	o := k.Organization("A")
	k.Things(o.ID, "U", 1)
	before := commits.Load()
	var senders sync.WaitGroup
	send := func(i int) {
		senders.Go(func() {
			r, err := k.RecordPoints(t.Context(), k.Device(o.ID), app.ReportBatch{Reports: []fleet.Report{point(k.At()-fleet.Instant(i), 0, false)}})
			if err != nil || r.Accepted != 1 {
				t.Errorf("%+v %v", r, err)
			}
		})
	}
	hold.Store(true)
	send(0)
	<-held // the first commit is on its way; whatever comes now must wait
	for i := 1; i < batches; i++ {
		send(i)
	}
	for k.IngestWaiting() < batches-1 { // each sender adds its own; nothing leaves while the commit is held
		runtime.Gosched()
	}
	close(release)
	senders.Wait()
	if n := commits.Load() - before; n != 2 {
		t.Errorf("%d batches made %d commits, want 2", batches, n)
	}
}

// Stopping answers what was accepted for a commit and refuses what comes after.
func TestStopIngest(t *testing.T) {
	s, err := store.Open(t.Context(), store.Options{Path: storetest.SQLitePath(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	k := apptest.New(t, s)
	o := k.Organization("A")
	k.Things(o.ID, "U", 1)
	send := func() error {
		_, err := k.RecordPoints(t.Context(), k.Device(o.ID), app.ReportBatch{Reports: []fleet.Report{point(k.At(), 0, false)}})
		return err
	}
	if err := send(); err != nil {
		t.Fatal(err)
	}
	if err := k.StopIngest(t.Context()); err != nil {
		t.Fatal(err)
	}
	if r := refusalOf(t, send()); r.Code != "busy" || r.RetryAfterS == 0 {
		t.Errorf("%+v", r)
	}
	states := 0
	if err := store.EachState(t.Context(), s.Reader(), func(*store.SavedState) { states++ }, nil); err != nil || states != 1 {
		t.Errorf("%d states written (%v)", states, err)
	}
}

// A caller who goes away does not know what became of the batch, and is not told that it failed.
func TestCallerGoesAway(t *testing.T) {
	hold := make(chan struct{})
	var slow atomic.Bool
	s, err := store.Open(t.Context(), store.Options{Path: storetest.SQLitePath(t), BeforeCommit: func() {
		if slow.Load() {
			<-hold
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	k := apptest.New(t, s)
	o := k.Organization("A")
	k.Things(o.ID, "U", 1)
	slow.Store(true)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = k.RecordPoints(ctx, k.Device(o.ID), app.ReportBatch{Reports: []fleet.Report{point(k.At(), 0, false)}})
	close(hold)
	if r := refusalOf(t, err); r.Code != "outcome_unknown" {
		t.Errorf("%+v", r)
	}
}

func TestOnlyKeysReport(t *testing.T) {
	s, err := store.Open(t.Context(), store.Options{Path: storetest.SQLitePath(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	k := apptest.New(t, s)
	o := k.Organization("A")
	_, err = k.RecordPoints(t.Context(), k.User(o.ID, "administrator"), app.ReportBatch{})
	var r *fleet.Refusal
	if !errors.As(err, &r) || r.Code != "forbidden" {
		t.Errorf("%v", err)
	}
}

// A device's own word that it is on scene opens an incident where it stands, at
// once and without lights; five quiet minutes close it. Without a position, by
// an old one or by a late word nothing opens.
//
// spec: D.value.06
func TestOnSceneMessage(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		o := k.Organization("A")
		k.Things(o.ID, "U", 1)
		user := k.User(o.ID, "viewer")
		word := func(at fleet.Instant) fleet.Report {
			return fleet.Report{Kind: fleet.ReportOnScene, Asset: "U-0", At: at}
		}
		active := func(reports ...fleet.Report) int {
			t.Helper()
			if r, err := k.RecordPoints(t.Context(), k.Device(o.ID), app.ReportBatch{Reports: reports}); err != nil || r.Accepted != len(reports) {
				t.Fatalf("%+v %v", r, err)
			}
			rows, _, err := k.ActiveLocations(t.Context(), user, nil)
			if err != nil {
				t.Fatal(err)
			}
			return len(rows)
		}
		if active(word(k.At())) != 0 {
			t.Error("an incident opened nowhere")
		}
		k.Pass(time.Second)
		if active(point(k.At(), 0, false), word(k.At()-500)) != 0 {
			t.Error("a late word opened an incident")
		}
		k.Pass(5*time.Minute + time.Second)
		if active(word(k.At())) != 0 {
			t.Error("an old position opened an incident")
		}
		k.Pass(time.Second)
		if active(point(k.At(), 0, false)) != 0 || active(word(k.At()+1)) != 1 {
			t.Error("no incident opened")
		}
		things, _, _ := k.ListThings(t.Context(), user, app.ThingQuery{})
		if things[0].Status != "active_location" || things[0].Location == nil {
			t.Errorf("%+v", things[0].Live)
		}
		k.Open(s, live.Options{})
		k.Pass(5*time.Minute + time.Second)
		if err := k.AgeDue(t.Context()); err != nil {
			t.Fatal(err)
		}
		if rows, _, err := k.ActiveLocations(t.Context(), user, nil); err != nil || len(rows) != 0 {
			t.Errorf("after five quiet minutes: %+v %v", rows, err)
		}
	})
}
