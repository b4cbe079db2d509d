package app_test

import (
	"testing"
	"time"

	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
)

// A word that comes after the end is late, also before the clock has seen the end; and a device that has begun its test
// by then is told to end it.
func TestALateWordIsNoSuccess(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		x := newTester(t, s)
		made := x.toggle("on")
		x.fetch("")
		x.Pass(time.Minute)
		for _, want := range []string{"late", "late"} {
			heard, err := x.AcknowledgeCommand(t.Context(), x.key, made.Command.ID, fleet.CommandWord{Status: "delivered", At: x.At()})
			must(t, err)
			rows := x.rows()
			if first := rows[len(rows)-1]; heard.Status != want || first.ID != made.Command.ID || first.Status != "expired" || x.testMode() {
				t.Errorf("%s: %+v, test mode %v", heard.Status, rows, x.testMode())
			}
			// The device is in test mode by its own word: it is told once to leave it.
			if len(rows) != 2 || rows[0].Type != "test_mode" || *rows[0].Value != "off" || rows[0].IssuedBy.Kind != "system" {
				t.Errorf("%+v", rows)
			}
		}
		if found := x.fetch("delivered"); len(found) != 1 || found[0].Type != "test_mode" {
			t.Errorf("%+v", found)
		}
		// A test that has been asked for anew meanwhile goes on.
		again := x.toggle("on again")
		x.fetch("")
		x.Pass(time.Minute)
		must(t, x.RunCommands(t.Context()))
		x.toggle("a third time")
		_, err := x.AcknowledgeCommand(t.Context(), x.key, again.Command.ID, fleet.CommandWord{Status: "delivered", At: x.At()})
		must(t, err)
		if !x.testMode() {
			t.Error("a late word ended a newer test")
		}
	})
}
