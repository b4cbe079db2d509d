package live_test

import (
	"testing"
	"time"

	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
)

// One batch of words and points in turn makes many incidents that end at once:
// an arrival looks through the active ones alone, also after a start.
func TestArrivalsLookAtActiveIncidents(t *testing.T) {
	const stops = 40
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		o := k.Organization("A")
		k.Things(o.ID, "U", 2)
		send := func(reports ...fleet.Report) {
			t.Helper()
			if r, err := k.RecordPoints(t.Context(), k.Device(o.ID), app.ReportBatch{Reports: reports}); err != nil || r.Accepted != len(reports) {
				t.Fatalf("%+v %v", r, err)
			}
		}
		word := func(asset string, at fleet.Instant) fleet.Report {
			return fleet.Report{Kind: fleet.ReportOnScene, Asset: asset, At: at}
		}
		const apart = 400.0 / 111_195 // degrees of latitude
		lat := 39.7
		var batch []fleet.Report
		for i := range stops {
			at := k.At() - stops*1000 + fleet.Instant(i*1000)
			lat += apart
			batch = append(batch, point("U-0", at, lat), word("U-0", at+500))
		}
		send(batch...)
		check := func(when string, active, all int) {
			t.Helper()
			rows, _, err := k.ListLocations(t.Context(), k.User(o.ID, "viewer"), app.LocationQuery{})
			if n := k.Live.ActiveIncidents(); err != nil || len(rows) != all || n != active {
				t.Errorf("%s: %d incidents, %d of them looked through (%v), want %d, %d", when, len(rows), n, err, all, active)
			}
		}
		check("after the batch", 1, stops)
		k.Open(s, live.Options{})
		check("after a start", 1, stops)
		k.Pass(time.Second)
		send(point("U-1", k.At(), lat+apart/8), word("U-1", k.At()))
		check("an asset 50 m from the active one joined it", 1, stops)
		k.Pass(time.Second)
		send(point("U-1", k.At(), lat-apart), word("U-1", k.At()))
		check("where one had ended, another opened", 2, stops+1)
		k.Pass(6 * time.Minute)
		if err := k.AgeDue(t.Context()); err != nil {
			t.Fatal(err)
		}
		check("after quiet minutes", 0, stops+1)
	})
}
