package app_test

import (
	"testing"
	"time"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
)

// A word that comes after the end is late, also before the clock has seen the end.
func TestALateWordIsNoSuccess(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		x := newTester(t, s)
		made := x.toggle("on")
		x.fetch("")
		x.Pass(time.Minute)
		for _, want := range []string{"late", "late"} {
			heard, err := x.AcknowledgeCommand(t.Context(), x.key, made.Command.ID, fleet.CommandWord{Status: "delivered", At: x.At()})
			must(t, err)
			if heard.Status != want || x.rows()[0].Status != "expired" || x.testMode() {
				t.Errorf("%s: %+v, test mode %v", heard.Status, x.rows()[0], x.testMode())
			}
		}
	})
}
