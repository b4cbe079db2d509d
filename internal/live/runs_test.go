package live_test

import (
	"fmt"
	"testing"
	"time"

	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/engine"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
)

// A batch of late reports asks PostgreSQL together for what its assets did before: not more for many than for few.
func TestLateReportsAskForAllAssetsTogether(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		asked := map[int]int64{}
		for _, n := range []int{4, 40} {
			name := fmt.Sprint("U", n)
			o := k.Organization(name)
			things := k.Things(o.ID, name, n)
			send := func(ago time.Duration, alerting bool) {
				t.Helper()
				var batch []fleet.Report
				for i := range n {
					r := point(fmt.Sprintf("%s-%d", name, i), k.At().Add(-ago), 39.7)
					r.HasAlerting, r.Alerting = true, alerting
					batch = append(batch, r)
				}
				if got, err := k.RecordPoints(t.Context(), k.Device(o.ID), app.ReportBatch{Reports: batch}); err != nil || got.Accepted != n {
					t.Fatalf("%+v %v", got, err)
				}
			}
			send(0, true)
			k.Pass(8 * time.Minute)
			send(0, true) // of another run
			first := s.Queries()
			send(4*time.Minute, true) // joins the two
			send(time.Second, false)  // since when the lights are on is read again
			asked[n] = s.Queries() - first
			for i := range things {
				thing, state, _, _ := k.Live.Thing(things[i].ID)
				runs, err := store.LastRuns(t.Context(), s.Reader(), s.Engine(), []int64{thing.No}, 3)
				if err != nil || len(runs[0]) != 1 || runs[0][0].Points != 3 || state.RunPointsCount != 3 || state.LightsAt != k.At() {
					t.Fatalf("%+v, lights since %d (%v)", runs, k.At()-state.LightsAt, err)
				}
			}
		}
		if s.Engine() == engine.Postgres && asked[40] != asked[4] {
			t.Errorf("40 late reports ask %d queries, 4 ask %d", asked[40], asked[4])
		}
	})
}
