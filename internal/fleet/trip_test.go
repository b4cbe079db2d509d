package fleet_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"lightbar/internal/fleet"
)

// drive makes the points of a drive: a step each period, east at a speed in
// meters a second as long as it is above 0, with the noise of a receiver.
type drive struct {
	at     fleet.Instant
	lng    float64
	points []fleet.Point
	r      *rand.Rand
	noise  float64 // meters
	mute   bool    // says no speed
}

const metersOfLng = 111_194.9 // of a degree, on the equator

func newDrive(noise float64) *drive {
	return &drive{at: 1_700_000_000_000, r: rand.New(rand.NewPCG(1, 2)), noise: noise}
}

func (d *drive) go_(mps float64, every, long time.Duration) *drive {
	for range long / every {
		d.at = d.at.Add(every)
		d.lng += mps * every.Seconds() / metersOfLng
		p := fleet.Point{At: d.at, ReceivedAt: d.at + 300, Lat: d.r.NormFloat64() * d.noise / metersOfLng,
			Lng: d.lng + d.r.NormFloat64()*d.noise/metersOfLng, HasSpeed: !d.mute}
		if !d.mute {
			p.SpeedMS = mps
		}
		d.points = append(d.points, p)
	}
	return d
}

// silent lets time pass; the asset gets on all the same.
func (d *drive) silent(mps float64, long time.Duration) *drive {
	d.at = d.at.Add(long)
	d.lng += mps * long.Seconds() / metersOfLng
	return d
}

func (d *drive) history() fleet.TripHistory {
	return fleet.TripHistory{Stretch: fleet.Stretch{Start: 1_700_000_000_000, End: d.at + 1}, Points: d.points}
}

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if math.Abs(got-want) > within {
		t.Errorf("%s: %v instead of %v", what, got, want)
	}
}

// Distance, top speed and standing are what was driven, at each rate of
// reporting, whether a device says its speed or not, and standing adds nothing.
func TestAMovementIsMeasured(t *testing.T) {
	for _, row := range []struct {
		name  string
		every time.Duration
		mute  bool
		noise float64
	}{
		{"each second", time.Second, false, 1.5}, {"each 10 seconds", 10 * time.Second, false, 1.5}, {"each minute", time.Minute, false, 1.5},
		{"each second, no speed", time.Second, true, 1.5}, {"each 10 seconds, no speed", 10 * time.Second, true, 3},
	} {
		d := newDrive(row.noise)
		d.mute = row.mute
		d.go_(0, row.every, time.Hour).go_(20, row.every, 10*time.Minute).go_(0, row.every, 3*time.Minute).go_(10, row.every, 5*time.Minute).go_(0, row.every, time.Hour)
		found := fleet.TripsOf(d.history())
		if len(found.Runs) != 0 || len(found.Other) != 1 {
			t.Fatalf("%s: %d runs, %d movements", row.name, len(found.Runs), len(found.Other))
		}
		m := found.Other[0]
		near(t, row.name+": distance", m.DistanceM, 15_000, 750)
		near(t, row.name+": minutes", m.EndAt.Sub(m.StartAt).Minutes(), 18, 2.1)
		if len(m.Stops) != 1 {
			t.Fatalf("%s: stops %v", row.name, m.Stops)
		}
		near(t, row.name+": stop", m.Stops[0].End.Sub(m.Stops[0].Start).Minutes(), 3, 1.1)
		if m.HasSpeed == row.mute || !row.mute && m.TopSpeedMS != 20 {
			t.Errorf("%s: top speed %v %v", row.name, m.HasSpeed, m.TopSpeedMS)
		}
	}
}

// What nobody saw was not driven: a gap adds no distance, no time with lights
// and no movement, and it is silent.
func TestAGapIsNotDriven(t *testing.T) {
	d := newDrive(0)
	d.go_(20, time.Second, 5*time.Minute).silent(20, 4*time.Minute).go_(20, time.Second, 5*time.Minute)
	h := d.history()
	h.Signals = []fleet.OnOffReport{{At: h.Start, On: true}}
	h.Runs = []fleet.Run{{ID: "r", StartAt: h.Start, EndAt: d.at}}
	found := fleet.TripsOf(h)
	if len(found.Runs) != 1 || len(found.Other) != 0 {
		t.Fatalf("%d runs, %d movements", len(found.Runs), len(found.Other))
	}
	r := found.Runs[0]
	near(t, "distance", r.DistanceM, 12_000, 60)
	near(t, "lights", r.LightsOn.Minutes(), 10, 0.1)
	if s := found.Spans; len(s) != 3 || s[1].State != fleet.TripSilent || s[1].End.Sub(s[1].Start) != 4*time.Minute+time.Second {
		t.Errorf("spans %v", s)
	}
	// Longer than a run lasts without points: two movements.
	d = newDrive(0)
	d.go_(20, time.Second, 5*time.Minute).silent(20, 6*time.Minute).go_(20, time.Second, 5*time.Minute)
	if found = fleet.TripsOf(d.history()); len(found.Other) != 2 {
		t.Errorf("%d movements over six silent minutes", len(found.Other))
	}
}

// A tracker that reports seldom while it is parked stands; one that is heard without positions, too.
func TestAParkedAssetStands(t *testing.T) {
	d := newDrive(1)
	d.go_(0, 5*time.Minute, 3*time.Hour)
	found := fleet.TripsOf(d.history())
	for _, s := range found.Spans[1:] {
		if s.State != fleet.TripStanding {
			t.Errorf("parked, but %+v", s)
		}
	}
	// Heard without a position for a while, and where it was before.
	d = newDrive(1)
	d.go_(0, time.Second, time.Minute).silent(0, 30*time.Minute).go_(0, time.Second, time.Minute)
	h := d.history()
	silent := func() (is bool) {
		for _, s := range fleet.TripsOf(h).Spans {
			is = is || s.State == fleet.TripSilent
		}
		return is
	}
	if !silent() {
		t.Error("half an hour without a word is not silent")
	}
	for at := h.Start + 300_000; at < h.End; at += 300_000 {
		h.Heartbeats = append(h.Heartbeats, at)
	}
	if silent() {
		t.Errorf("heard all the while, but %v", fleet.TripsOf(h).Spans)
	}
}

// Spans cover the stretch without holes, in order, each state once in a row;
// lights and stops lie in it; runs and movements share no point.
func TestSpansCoverTheStretch(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for n := range 2000 {
		d := newDrive(5)
		d.r = r
		d.mute = n%3 == 0
		for range 1 + r.IntN(6) {
			if r.IntN(4) == 0 {
				d.silent(r.Float64()*30, time.Duration(r.IntN(20))*time.Minute)
			}
			d.go_(float64(r.IntN(3))*10, time.Duration(1+r.IntN(90))*time.Second, time.Duration(1+r.IntN(20))*time.Minute)
		}
		h := d.history()
		h.End += fleet.Instant(r.IntN(1_000_000))
		h.Before = r.IntN(2) == 0
		for range r.IntN(4) {
			if at := h.Start + fleet.Instant(len(h.Signals)*400_000+r.IntN(300_000)); at < h.End {
				h.Signals = append(h.Signals, fleet.OnOffReport{At: at, On: r.IntN(2) == 0})
			}
		}
		for range r.IntN(3) {
			from := h.Start + fleet.Instant(len(h.Runs)*900_000+r.IntN(300_000))
			h.Runs = append(h.Runs, fleet.Run{StartAt: from, EndAt: from + fleet.Instant(r.IntN(500_000))})
		}
		if r.IntN(2) == 0 {
			h.Stays = []fleet.Presence{{StartAt: h.Start + 100_000, EndAt: fleet.Instant(r.IntN(2)) * (h.Start + 700_000)}}
		}
		checkTrips(t, &h, fleet.TripsOf(h))
		if t.Failed() {
			return
		}
	}
}

func checkTrips(t *testing.T, h *fleet.TripHistory, found fleet.Trips) {
	t.Helper()
	at := h.Start
	for i, s := range found.Spans {
		if s.Start != at || s.End <= s.Start || i > 0 && found.Spans[i-1].State == s.State {
			t.Errorf("span %d of %v", i, found.Spans)
		}
		at = s.End
	}
	if at != h.End {
		t.Errorf("spans end at %v instead of %v", at, h.End)
	}
	last := h.Start - 1
	for _, s := range found.Lights {
		if s.Start <= last || s.End <= s.Start || s.End > h.End {
			t.Errorf("lights %v in %v", found.Lights, h.Stretch)
		}
		last = s.End
	}
	seen := map[fleet.Instant]bool{}
	for _, list := range [][]fleet.Trip{found.Runs, found.Other} {
		for _, trip := range list {
			for _, p := range trip.Points {
				if seen[p.EffectiveAt()] {
					t.Errorf("the point of %v is in two trips", p.EffectiveAt())
				}
				seen[p.EffectiveAt()] = true
			}
			if trip.DistanceM < 0 || trip.LightsOn < 0 || len(trip.Points) > 0 && trip.LightsOn > trip.EndAt.Sub(trip.StartAt) {
				t.Errorf("%v m, %v with lights on in %v", trip.DistanceM, trip.LightsOn, trip.EndAt.Sub(trip.StartAt))
			}
		}
	}
}

func states(spans []fleet.TripSpan) (out []string) {
	for _, s := range spans {
		out = append(out, s.State)
	}
	return out
}

// A few meters are no movement, a minute is no stop, and a stay at an incident is on scene.
func TestWhatIsTooLittle(t *testing.T) {
	d := newDrive(0)
	d.go_(0, time.Second, time.Minute).go_(5, time.Second, 15*time.Second).go_(0, time.Second, 10*time.Minute)
	if found := fleet.TripsOf(d.history()); len(found.Other) != 0 {
		t.Errorf("75 m are a movement: %v m", found.Other[0].DistanceM)
	}
	d = newDrive(0)
	d.go_(20, time.Second, time.Minute).go_(0, time.Second, 100*time.Second).go_(20, time.Second, time.Minute)
	if found := fleet.TripsOf(d.history()); len(found.Other) != 1 || len(found.Other[0].Stops) != 0 {
		t.Errorf("a hundred seconds are a stop: %+v", found.Other)
	}
	d = newDrive(0)
	d.go_(20, time.Second, time.Minute).go_(0, time.Second, 10*time.Minute)
	h := d.history()
	for _, row := range []struct {
		stay fleet.Presence
		want []string
	}{
		{fleet.Presence{StartAt: h.Start + 120_000, EndAt: h.Start + 300_000}, []string{"moving", "standing", "on_scene", "standing"}},
		{fleet.Presence{StartAt: h.Start - 120_000, EndAt: h.Start + 120_000}, []string{"on_scene", "standing"}},
		{fleet.Presence{StartAt: h.Start + 30_000}, []string{"moving", "on_scene"}},
	} {
		h.Stays = []fleet.Presence{row.stay}
		if got := states(fleet.TripsOf(h).Spans); !slices.Equal(got, row.want) {
			t.Errorf("stay %+v: %v instead of %v", row.stay, got, row.want)
		}
	}
}

// Lights are on from the word to the next one, and no longer than the asset is
// heard; of two words of one instant "on" stands; without one the last word before counts.
func TestLightsAreOn(t *testing.T) {
	d := newDrive(0)
	d.go_(0, time.Minute, 10*time.Minute).silent(0, 20*time.Minute).go_(0, time.Minute, 10*time.Minute)
	h := d.history()
	at := func(minutes float64) fleet.Instant { return h.Start + fleet.Instant(minutes*60_000) }
	for _, row := range []struct {
		name   string
		before bool
		said   []fleet.OnOffReport
		want   []fleet.Stretch
	}{
		{"off all the while", false, nil, nil},
		{"on before, and silent from minute 10 to 31", true, nil, []fleet.Stretch{{Start: h.Start, End: at(10)}, {Start: at(31), End: h.End}}},
		{"on and off", false, []fleet.OnOffReport{{At: at(2.5), On: true}, {At: at(4.5)}}, []fleet.Stretch{{Start: at(2.5), End: at(4.5)}}},
		{"off and on at once", false, []fleet.OnOffReport{{At: at(2.5), On: true}, {At: at(2.5)}, {At: at(3.5)}}, []fleet.Stretch{{Start: at(2.5), End: at(3.5)}}},
	} {
		h.Before, h.Signals = row.before, row.said
		if got := fleet.TripsOf(h).Lights; !slices.Equal(got, row.want) {
			t.Errorf("%s: %v instead of %v", row.name, got, row.want)
		}
	}
}
