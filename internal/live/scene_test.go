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

// A start opens no incident by a word of being on scene: what a word opened was
// written with it, and its stay may have ended since.
//
// spec: D.value.06 D.wire.12
func TestAStartOpensNoIncidentByAnOldWord(t *testing.T) {
	word := func(at fleet.Instant) fleet.Report {
		return fleet.Report{Kind: fleet.ReportOnScene, Asset: "U-0", At: at}
	}
	for name, c := range map[string]struct {
		said        func(at fleet.Instant) []fleet.Report // one request each
		all, active int                                   // incidents, before and after the start
		quiet       time.Duration
	}{
		"its stay ended in quiet": {func(at fleet.Instant) []fleet.Report {
			return []fleet.Report{point("U-0", at-1000, 39.7), word(at)}
		}, 1, 0, 6 * time.Minute},
		"its stay goes on": {func(at fleet.Instant) []fleet.Report {
			return []fleet.Report{point("U-0", at-1000, 39.7), word(at)}
		}, 1, 1, 10 * time.Second},
		"its stay ended with a point of the same instant": {func(at fleet.Instant) []fleet.Report {
			return []fleet.Report{point("U-0", at-1000, 39.7), word(at), point("U-0", at, 39.75)}
		}, 1, 0, 10 * time.Second},
		"it did not know where it stood": {func(at fleet.Instant) []fleet.Report {
			return []fleet.Report{word(at), point("U-0", at, 39.7)}
		}, 0, 0, 10 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			storetest.Each(t, func(t *testing.T, s *store.Store) {
				k := apptest.New(t, s)
				o := k.Organization("A")
				k.Things(o.ID, "U", 1)
				user := k.User(o.ID, "viewer")
				for _, r := range c.said(k.At()) {
					if got, err := k.RecordPoints(t.Context(), k.Device(o.ID), app.ReportBatch{Reports: []fleet.Report{r}}); err != nil || got.Accepted != 1 {
						t.Fatalf("%+v %v", got, err)
					}
				}
				// The states are written, but the start takes in the reports of the last seconds again.
				if err := k.Live.Flush(t.Context()); err != nil {
					t.Fatal(err)
				}
				k.Pass(c.quiet)
				if err := k.AgeDue(t.Context()); err != nil {
					t.Fatal(err)
				}
				for _, when := range []string{"before", "after"} {
					rows, _, err := k.ListLocations(t.Context(), user, app.LocationQuery{})
					active, _, err2 := k.ActiveLocations(t.Context(), user, nil)
					if err != nil || err2 != nil || len(rows) != c.all || len(active) != c.active {
						t.Errorf("%s the start: %d incidents, %d active; want %d, %d (%v %v)", when, len(rows), len(active), c.all, c.active, err, err2)
					}
					k.Open(s, live.Options{})
				}
			})
		})
	}
}
