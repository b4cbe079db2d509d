package wire_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lightbar/internal/fleet"
	"lightbar/internal/wire"
)

// An answer with and without trips, points, courses and speeds is written as encoding/json reads and writes it.
func TestTripsAreWrittenAsJSON(t *testing.T) {
	course, speed := 271.5, 13.25
	trip := wire.Trip{RunID: "r", RunStart: 1_700_000_000_000, RunEnd: 1_700_000_060_000, RunDuration: 60, Distance: 812.345, TopSpeed: &speed,
		StreetStart: `N "Market" <St> & null`, Stops: []wire.TripStop{{Stretch: wire.Stretch{Start: 1_700_000_000_000, End: 1_700_000_050_000}, Lat: 39.7}},
		Points: []wire.TripPoint{}}
	long := trip
	for i := range 2000 { // more than the writer's buffer
		p := wire.TripPoint{Lat: 39.7 + float64(i)/1e7, Lng: -75.5, Speed: speed, Timestamp: fleet.Instant(1_700_000_000_000 + i)}
		if i%2 == 0 {
			p.Course = &course
		}
		long.Points = append(long.Points, p)
	}
	still := trip
	still.TopSpeed = nil
	alerted := int64(3)
	long.Drivers = &alerted
	for _, answer := range []wire.Trips{
		{},
		{Data: wire.ThingTrips{ThingID: "t", Runs: []wire.Trip{}, Other: []wire.Trip{}, Spans: []wire.TripSpan{}, Lights: []wire.Stretch{}, Unreadable: []wire.Stretch{}}},
		{Data: wire.ThingTrips{ThingID: "t", Runs: []wire.Trip{trip}, Other: []wire.Trip{}, Lights: []wire.Stretch{{Start: 1, End: 2}}}},
		{Data: wire.ThingTrips{ThingID: "t", Runs: []wire.Trip{long, trip}, Other: []wire.Trip{still, long}, Spans: []wire.TripSpan{{State: "silent"}}}},
	} {
		var got bytes.Buffer
		if err := answer.WriteJSON(&got); err != nil {
			t.Fatal(err)
		}
		for _, list := range []*[]wire.Trip{&answer.Data.Runs, &answer.Data.Other} { // a list is never null
			if *list == nil {
				*list = []wire.Trip{}
			}
		}
		want, err := json.Marshal(answer)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want)+"\n", got.String()); diff != "" {
			t.Errorf("%.2000s", diff)
		}
	}
}
