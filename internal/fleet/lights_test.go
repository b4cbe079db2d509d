package fleet_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"lightbar/internal/fleet"
)

// litSince says, instant by instant and backwards from the last report, since when the lights are on.
func litSince(reports []report) (since fleet.Instant) {
	said, all := map[fleet.Instant]bool{}, map[fleet.Instant]bool{}
	for _, r := range reports {
		at := effective(r)
		switch {
		case r.p != nil && r.p.HasAlerting:
			said[at] = said[at] || r.p.Alerting
		case r.p == nil && r.g.Kind == fleet.SignalAlert:
			said[at] = said[at] || r.g.On
		case r.p == nil:
			continue
		}
		all[at] = true
	}
	var instants []fleet.Instant
	for at := range all {
		instants = append(instants, at)
	}
	slices.Sort(instants)
	isOn := func(i int) bool {
		for ; i >= 0; i-- {
			if on, is := said[instants[i]]; is {
				return on
			}
		}
		return false
	}
	for i := len(instants) - 1; i >= 0 && isOn(i); i-- {
		if since != 0 && since-instants[i] > 30_000 {
			break
		}
		since = instants[i]
	}
	return since
}

// Since when the lights are on follows the reports, in whatever order they come
// in: off and on begins anew, and so does silence of more than 30 s.
//
// spec: D.ingest.08
func TestLightsAreOnSince(t *testing.T) {
	rounds := 50 // of rapid's 100 cases each
	if testing.Short() {
		rounds = 2
	}
	for range rounds {
		rapid.Check(t, lightsInAnyOrder)
	}
}

func lightsInAnyOrder(t *rapid.T) {
	var reports []report
	at := base
	for range rapid.IntRange(1, 12).Draw(t, "n") {
		at += fleet.Instant(rapid.SampledFrom([]int{0, 5_000, 10_000, 29_999, 30_000, 30_001, 60_000}).Draw(t, "gap"))
		switch kind := rapid.IntRange(0, 6).Draw(t, "kind"); kind {
		case 0, 1:
			reports = append(reports, report{g: &fleet.Signal{Kind: fleet.SignalAlert, At: at, ReceivedAt: at + 900_000, On: kind == 0}})
		case 2:
			reports = append(reports, report{g: &fleet.Signal{Kind: fleet.SignalHeartbeat, At: at, ReceivedAt: at + 900_000}})
		default:
			reports = append(reports, report{p: &fleet.Point{At: at, ReceivedAt: at + 900_000, Lat: 39.7, Lng: -75.5, HasAlerting: kind != 3, Alerting: kind > 4}})
		}
	}
	k := keeper{}
	for _, r := range rapid.Permutation(reports).Draw(t, "order") {
		k.take(r.p, r.g)
	}
	if want := litSince(reports); k.state.LightsAt != want {
		t.Fatalf("since %s, want %s", k.state.LightsAt, want)
	}
}

// A long time with the lights on is not found in a stretch that it fills.
func TestLightsOfAStretchThatTheyFill(t *testing.T) {
	var h fleet.RunHistory
	for at := base; at < base+600_000; at += 10_000 {
		h.Points = append(h.Points, fleet.RunPoint{At: at, HasAlerting: true, Alerting: true})
	}
	if since, isSure := fleet.LightsOf(h, base-5000); since != base || isSure {
		t.Errorf("%s, %v", since, isSure)
	}
	if since, isSure := fleet.LightsOf(h, base-30_001); since != base || !isSure {
		t.Errorf("%s, %v", since, isSure)
	}
}
