package live_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
)

// What the picture knows of stays is what is stored: as incidents open, are joined and close, after a start, and when
// incidents of long ago are forgotten.
func TestStaysAreThoseThatAreStored(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		o := k.Organization("A")
		k.Things(o.ID, "U", 5)
		r := rand.New(rand.NewPCG(1, 2))
		check := func(when string, least int) {
			t.Helper()
			if n, err := k.Live.CompareStays(t.Context()); err != nil || n < least {
				t.Fatalf("%s: %d stays, %v", when, n, err)
			}
		}
		for second := range 200 {
			k.Pass(time.Second)
			asset := fmt.Sprint("U-", r.IntN(5))
			p := point(asset, k.At(), 39.7+float64(r.IntN(3))/10)
			p.HasAlerting, p.Alerting = true, r.IntN(4) > 0
			batch := []fleet.Report{p}
			if r.IntN(2) == 0 {
				batch = append(batch, fleet.Report{Kind: fleet.ReportOnScene, Asset: asset, At: k.At()})
			}
			if r.IntN(5) == 0 {
				batch[0].At -= fleet.Instant(r.IntN(60_000))
			}
			if _, err := k.RecordPoints(t.Context(), k.Device(o.ID), app.ReportBatch{Reports: batch}); err != nil {
				t.Fatal(err)
			}
			if second%20 == 19 {
				check(fmt.Sprint("second ", second), 1)
			}
		}
		k.Open(s, live.Options{})
		check("after a start", 10)
		age := func(d time.Duration) {
			t.Helper()
			k.Pass(d)
			if err := k.AgeDue(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		age(8 * time.Hour)
		check("expired", 10)
		age(8*24*time.Hour + time.Minute)
		if n, err := k.Live.CompareStays(t.Context()); err != nil || n != 0 || k.Live.IncidentsWithStays() != 0 {
			t.Errorf("forgotten: %d stays of %d assets, %v", n, k.Live.IncidentsWithStays(), err)
		}
	})
}

// A picture that lacks an incident that is stored does not answer for it.
func TestStaysOfAnIncidentThatCannotBeReadCount(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		o := k.Organization("A")
		k.Things(o.ID, "U", 1)
		batch := []fleet.Report{point("U-0", k.At(), 39.7), {Kind: fleet.ReportOnScene, Asset: "U-0", At: k.At()}}
		if _, err := k.RecordPoints(t.Context(), k.Device(o.ID), app.ReportBatch{Reports: batch}); err != nil {
			t.Fatal(err)
		}
		err := s.Write(t.Context(), func(tx *store.Tx) error {
			_, err := tx.ExecContext(t.Context(), `UPDATE location SET features = '{'`)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		k.Open(s, live.Options{})
		if n, err := k.Live.StoredStays(t.Context(), k.At()); err != nil || n != 1 {
			t.Errorf("%d stays are known, one is stored (%v)", n, err)
		}
	})
}
