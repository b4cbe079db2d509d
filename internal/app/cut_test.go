package app_test

import (
	"runtime"
	"testing"
	"time"

	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
)

// silenced waits until so many cuts have been committed.
func (x *tester) silenced(n int64) app.CutStats {
	x.t.Helper()
	for {
		if s := x.CutStats(); s.Assets >= n {
			return s
		}
		select {
		case <-x.t.Context().Done():
			x.t.Fatal("nobody is silenced")
		default:
			runtime.Gosched()
		}
	}
}

// A thousand connections that end at once are one transaction; a device that is back at once is not silenced.
func TestCutsAreOneTransaction(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		x := newTester(t, s)
		const n = 1000
		things := x.Things(x.org.ID, "M", n)
		reports := make([]fleet.Report, 0, n)
		for _, m := range things {
			reports = append(reports, fleet.Report{Kind: fleet.ReportHeartbeat, Asset: m.HaasID, At: x.At()})
		}
		_, err := x.RecordPoints(t.Context(), x.key, app.ReportBatch{Reports: reports})
		must(t, err)
		for _, m := range things {
			x.NoteCut(m.ID)
		}
		x.NoteBack(things[0].ID)
		if s := x.silenced(n - 1); s.Assets != n-1 || s.Commits != 1 {
			t.Errorf("%+v", s)
		}
		for i, m := range things {
			if _, state, shown, _ := x.Live.Thing(m.ID); (state.CutAt != 0) != (i > 0) || i > 0 && shown.StaleAt != x.At() {
				t.Fatalf("%d: %+v", i, shown.Live)
			}
		}
	})
}

// A cut asset stays silent over a restart and a kill of the server, until it is heard; a kill itself silences nobody.
func TestACutIsKept(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		x := newTester(t, s)
		heard := x.Things(x.org.ID, "H", 1)[0]
		_, err := x.RecordPoints(t.Context(), x.key, app.ReportBatch{Reports: []fleet.Report{{Kind: fleet.ReportHeartbeat, Asset: heard.HaasID, At: x.At()}}})
		must(t, err)
		x.Pass(time.Second)
		at := x.At()
		x.NoteCut(x.thing.ID)
		x.silenced(1)
		x.Pass(time.Second)
		x.Open(s, live.Options{}) // killed: nothing was flushed
		if l := x.shown(); l.CutAt != at || l.StaleAt != at {
			t.Errorf("after a kill: %+v", l.Live)
		}
		if _, state, _, _ := x.Live.Thing(heard.ID); state.CutAt != 0 {
			t.Errorf("the kill silenced another one: %+v", state)
		}
		x.report(fleet.Report{Kind: fleet.ReportHeartbeat})
		if l := x.shown(); l.CutAt != 0 || l.StaleAt != x.At().Add(10*time.Minute) {
			t.Errorf("heard again: %+v", l.Live)
		}
		x.Open(s, live.Options{}) // killed before the state was written: the report tells it
		if l := x.shown(); l.CutAt != 0 {
			t.Errorf("heard, and killed: %+v", l.Live)
		}
	})
}

// What cannot be stored waits, each asset with its last cut, and is silenced when the database is back.
func TestACutIsTriedAgain(t *testing.T) {
	x := newTester(t, storetest.SQLite(t))
	other := x.Things(x.org.ID, "C", 1)[0]
	first, last := x.At(), x.At().Add(time.Second)
	do := func(sql string) {
		t.Helper()
		must(t, x.Store.Write(t.Context(), func(tx *store.Tx) error {
			_, err := tx.ExecContext(t.Context(), sql)
			return err
		}))
	}
	do(`CREATE TRIGGER full BEFORE UPDATE ON thing_state BEGIN SELECT RAISE(ABORT, 'no'); END`)
	do(`CREATE TRIGGER none BEFORE INSERT ON thing_state BEGIN SELECT RAISE(ABORT, 'no'); END`)
	done, waits := x.CutSome(map[string]fleet.Instant{x.thing.ID: first, other.ID: first}, map[string]fleet.Instant{x.thing.ID: last})
	if done || len(waits) != 2 || waits[x.thing.ID] != last || waits[other.ID] != first {
		t.Errorf("done %v, waits %v", done, waits)
	}
	do(`DROP TRIGGER full`)
	do(`DROP TRIGGER none`)
	if done, waits = x.CutSome(waits, nil); !done || len(waits) != 0 || x.shown().CutAt != last || x.CutStats().Assets != 2 {
		t.Errorf("done %v, waits %v, %+v", done, waits, x.shown().Live)
	}
}
