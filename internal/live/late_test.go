package live_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
)

// Late reports wait in the journal for the turns of their assets: no commit
// writes all their states, a start after a crash has them, which it has not
// without the journal, and nothing is kept of them once the states are written.
func TestLateReportsWaitInTheJournal(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		o := k.Organization("A")
		var ids []string
		for _, th := range k.Things(o.ID, "U", 40) {
			ids = append(ids, th.ID)
		}
		send := func(ago time.Duration) {
			t.Helper()
			k.Pass(100 * time.Millisecond)
			var list []fleet.Report
			for i := range ids {
				list = append(list, point(fmt.Sprintf("U-%d", i), k.At().Add(-ago), 39.7+ago.Hours()))
			}
			if _, err := k.RecordPoints(t.Context(), k.Device(o.ID), app.ReportBatch{Reports: list}); err != nil {
				t.Fatal(err)
			}
		}
		rows := func() (n int) {
			t.Helper()
			if err := s.Reader().QueryRowContext(t.Context(), `SELECT COUNT(*) FROM state_late`).Scan(&n); err != nil {
				t.Fatal(err)
			}
			return n
		}
		for _, dropped := range []bool{false, true} {
			send(0)
			must(t, k.Live.Flush(t.Context()))
			saved := k.At()
			for i := range 20 {
				send(time.Hour - time.Duration(i)*time.Minute)
			}
			written := 0
			must(t, store.EachState(t.Context(), s.Reader(), func(x *store.SavedState) {
				if x.At > saved {
					written++
				}
			}, func(no int64, err error) { t.Error(no, err) }))
			if written > 10 || rows() != 20 {
				t.Errorf("20 commits of late reports wrote %d states, and the journal has %d rows", written, rows())
			}
			before := statesOf(t, k, ids)
			if dropped {
				must(t, s.Write(t.Context(), func(tx *store.Tx) error { return tx.DropLate(t.Context(), 1<<40) }))
			}
			k.Open(s, live.Options{})
			if diff := cmp.Diff(before, statesOf(t, k, ids), sameState); diff == "" == dropped {
				t.Errorf("journal dropped: %t; before - and after a crash +:\n%s", dropped, diff)
			}
			if n := rows(); n != 0 {
				t.Errorf("all states are written, and the journal has %d rows", n)
			}
		}
	})
}
