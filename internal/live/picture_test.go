package live_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"lightbar/internal/app"
	"lightbar/internal/bus"
	"lightbar/internal/fleet"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

func point(asset string, at fleet.Instant, lat float64) fleet.Report {
	return fleet.Report{Kind: fleet.ReportPoint, Asset: asset, At: at, Lat: lat, Lng: -75.5, HasLat: true, HasLng: true}
}

// Whoever polls with the stamp of the last answer ends with the whole list,
// however many changes are made meanwhile, even within one millisecond.
//
// spec: D.wire.05 4.list.03
func TestIncrementalPollMissesNothing(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o := k.Organization("A")
	k.Things(o.ID, "U", 20)
	user := k.User(o.ID, "viewer")
	done := make(chan struct{})
	var writers sync.WaitGroup
	for w := range 4 {
		writers.Go(func() {
			r := rand.New(rand.NewPCG(1, uint64(w)))
			for i := range 150 {
				if i%10 == 0 {
					k.Pass(time.Millisecond) // mostly, the clock stands
				}
				at := k.At() - fleet.Instant(600_000-(i*4+w)*1000)
				report := point(fmt.Sprintf("U-%d", r.IntN(20)), at, 39+float64(i*4+w)/1000)
				if _, err := k.RecordPoints(context.Background(), k.Device(o.ID), app.ReportBatch{Reports: []fleet.Report{report}}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	go func() { writers.Wait(); close(done) }()
	held, since, last := map[string]wire.Thing{}, fleet.Instant(0), false
	for !last {
		select {
		case <-done:
			last = true // one more poll after the last change
		default:
		}
		rows, meta, err := k.ListThings(t.Context(), user, app.ThingQuery{Since: since})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			held[r.ID] = r
		}
		since = meta.AsOf
	}
	all, _, err := k.ListThings(t.Context(), user, app.ThingQuery{})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range all {
		if got := held[want.ID]; got.At != want.At || got.HeartbeatAt != want.HeartbeatAt {
			t.Errorf("%s: polled %v, is %v", want.HaasID, got.At, want.At)
		}
	}
}

// Events say exactly what the list says.
//
// spec: D.time.02
func TestEventsSayWhatTheListSays(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	ticks := make(chan time.Time)
	b, err := bus.Open(bus.Options{Ticks: ticks, Now: k.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close(context.Background()) })
	k.App.Bus = b
	o := k.Organization("A")
	k.Things(o.ID, "U", 2)
	frames := make(chan bus.Frame, 16)
	defer b.Frames(func(f bus.Frame) { frames <- f })()
	ticks <- time.Time{}
	for f := range frames { // the two assets that were added
		if len(f.Items) > 0 {
			break
		}
	}
	lit := point("U-0", k.At(), 39.7)
	lit.HasAlerting, lit.Alerting = true, true
	beat := fleet.Report{Kind: fleet.ReportHeartbeat, Asset: "U-1", At: k.At()}
	if _, err := k.RecordPoints(t.Context(), k.Device(o.ID), app.ReportBatch{Reports: []fleet.Report{lit, beat}}); err != nil {
		t.Fatal(err)
	}
	ticks <- time.Time{}
	frame := <-frames
	list, _, err := k.ListThings(t.Context(), k.User(o.ID, "viewer"), app.ThingQuery{})
	if err != nil || len(frame.Items) != 2 {
		t.Fatalf("%d items, %v", len(frame.Items), err)
	}
	for i, want := range []fleet.MessageType{fleet.MessagePoint, fleet.MessageHeartbeat} {
		var m wire.PointMessage // heartbeats have the same body
		if err := json.Unmarshal(frame.Items[i].Body, &m); err != nil {
			t.Fatal(err)
		}
		got, _ := json.Marshal(m.Live)
		listed, _ := json.Marshal(list[i].Live)
		if m.Type != want || string(got) != string(listed) {
			t.Errorf("%s\nevent %s\nlist  %s", m.Type, got, listed)
		}
	}
}
