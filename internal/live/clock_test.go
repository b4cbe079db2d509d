package live_test

import (
	"slices"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

// Who polls misses nothing when the server starts with its clock set back: stamps
// go on after those of before, and who brings one that was never given since the
// start is answered with everything.
//
// spec: D.wire.05
func TestStampsAfterAStartWithTheClockSetBack(t *testing.T) {
	for _, c := range []struct{ idle, back, wait time.Duration }{
		{10 * time.Second, time.Minute, time.Second}, // polled at once
		{10 * time.Second, time.Minute, time.Hour},   // polled when the clock has caught up
		{10 * time.Second, 2 * time.Hour, time.Second},
		{10 * time.Second, 2 * time.Hour, 3 * time.Hour},
		{time.Hour, time.Minute, time.Second}, // nothing had been written for long
		{time.Hour, 2 * time.Hour, time.Second},
	} {
		storetest.Each(t, func(t *testing.T, s *store.Store) {
			k := apptest.New(t, s)
			o := k.Organization("A")
			other := k.Things(o.ID, "U", 2)[1]
			user := k.User(o.ID, "viewer")
			k.Pass(24 * time.Hour)
			r, err := k.RecordPoints(t.Context(), k.Device(o.ID), app.ReportBatch{Reports: []fleet.Report{point("U-0", k.At(), 39.7)}})
			if err != nil || r.Accepted != 1 {
				t.Fatalf("%+v %v", r, err)
			}
			if err := k.Live.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
			k.Pass(c.idle)
			_, meta, err := k.ListThings(t.Context(), user, app.ThingQuery{})
			if err != nil {
				t.Fatal(err)
			}
			k.Pass(-c.back)
			k.Open(s, live.Options{})
			name := "Engine 7"
			if _, err := k.UpdateThing(t.Context(), access.System(), other.ID, wire.ThingWrite{Nickname: &name}); err != nil {
				t.Fatal(err)
			}
			k.Pass(c.wait)
			rows, again, err := k.ListThings(t.Context(), user, app.ThingQuery{Since: meta.AsOf})
			if err != nil || !slices.ContainsFunc(rows, func(r wire.Thing) bool { return r.ID == other.ID && r.Nickname == name }) {
				t.Errorf("idle %v, clock back by %v, polled %v later: since %v %d rows as of %v (%v)", c.idle, c.back, c.wait, meta.AsOf, len(rows), again.AsOf, err)
			}
		})
	}
}

// A clock that is wrong for a moment makes statuses wrong for that moment alone.
func TestStatusesAfterTheClockWasAheadForAMoment(t *testing.T) {
	k := apptest.New(t, storetest.SQLite(t))
	o := k.Organization("A")
	id := k.Things(o.ID, "U", 1)[0].ID
	if _, err := k.RecordPoints(t.Context(), k.Device(o.ID), app.ReportBatch{Reports: []fleet.Report{point("U-0", k.At(), 39.7)}}); err != nil {
		t.Fatal(err)
	}
	status := func(pass time.Duration) string {
		t.Helper()
		k.Pass(pass)
		if err := k.AgeDue(t.Context()); err != nil {
			t.Fatal(err)
		}
		_, _, shown, _ := k.Live.Thing(id)
		return shown.Status
	}
	right := status(time.Second)
	if wrong := status(24 * time.Hour); wrong == right {
		t.Fatalf("a day later still %s", wrong)
	}
	if got := status(-24 * time.Hour); got != right {
		t.Errorf("the clock is right again: %s, was %s", got, right)
	}
}
