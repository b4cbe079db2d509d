package fleet_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"lightbar/internal/fleet"
)

// heardFrom is a report in a table: of a source, at an instant, when it came, with a position or without.
type heardFrom struct {
	of           fleet.Source
	at, received time.Duration // since the beginning
	isSign       bool
}

const began = fleet.Instant(1_795_000_000_000)

func (h heardFrom) into(s *fleet.State) {
	at, received := began.Add(h.at), began.Add(h.received)
	if h.isSign {
		fleet.AdvanceSignal(s, &fleet.Signal{At: at, ReceivedAt: received, Source: h.of})
		return
	}
	fleet.AdvancePoint(s, &fleet.Point{At: at, ReceivedAt: received, Lat: 39.7, Lng: -75.5, Source: h.of}, fleet.Surroundings{})
}

// spec: 1.feat.08
func TestWhichSourceIsShownAndWhy(t *testing.T) {
	const s, h = time.Second, time.Hour
	for name, c := range map[string]struct {
		heard []heardFrom
		want  []string // "source why", the shown one with a star
	}{
		"nobody said anything": {nil, nil},
		"the newest instant wins, whoever came last": {[]heardFrom{
			{of: fleet.SourceHTTP, at: 10 * s, received: 11 * s}, {of: fleet.SourceGeotab, at: 5 * s, received: 20 * s},
		}, []string{"http* newest", "geotab older"}},
		"and moves on with the next report": {[]heardFrom{
			{of: fleet.SourceHTTP, at: 10 * s, received: 11 * s}, {of: fleet.SourceGeotab, at: 12 * s, received: 20 * s},
		}, []string{"geotab* newest", "http older"}},
		"of equal instants the first stays": {[]heardFrom{
			{of: fleet.SourceSamsara, at: 10 * s, received: 11 * s}, {of: fleet.SourceMQTT, at: 10 * s, received: 12 * s},
		}, []string{"samsara* newest", "mqtt same_instant"}},
		"two hours late": {[]heardFrom{
			{of: fleet.SourceOsmAnd, at: 2 * h, received: 2 * h}, {of: fleet.SourceSamsara, at: 0, received: 2*h + s},
			{of: fleet.SourceSamsara, at: s, received: 2*h + 2*s},
		}, []string{"osmand* newest", "samsara older"}},
		"a clock in the future counts as of when it came": {[]heardFrom{
			{of: fleet.SourceMQTT, at: 50 * s, received: 10 * s}, {of: fleet.SourceHTTP, at: 9 * s, received: 12 * s},
		}, []string{"mqtt* clock_ahead", "http older"}},
		"and does not keep others out": {[]heardFrom{
			{of: fleet.SourceMQTT, at: 50 * s, received: 10 * s}, {of: fleet.SourceHTTP, at: 12 * s, received: 12 * s},
		}, []string{"http* newest", "mqtt older"}},
		"a sign of life shows nothing": {[]heardFrom{
			{of: fleet.SourceHTTP, at: 10 * s, received: 10 * s}, {of: fleet.SourceGeotab, at: 20 * s, received: 20 * s, isSign: true},
		}, []string{"http* newest", "geotab no_position"}},
		"signs of life alone": {[]heardFrom{{of: fleet.SourceGeotab, at: s, received: s, isSign: true}}, []string{"geotab no_position"}},
		"what a start replays counts for none": {[]heardFrom{
			{of: fleet.SourceHTTP, at: 10 * s, received: 10 * s}, {at: 20 * s, received: 20 * s},
		}, []string{"http older"}},
	} {
		t.Run(name, func(t *testing.T) {
			var state fleet.State
			for _, one := range c.heard {
				one.into(&state)
			}
			var got []string
			for _, row := range fleet.SourcesOf(&state) {
				star := map[bool]string{true: "*"}[row.IsShown]
				got = append(got, row.Source.String()+star+" "+row.Why)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
			text, err := state.Sources.MarshalText()
			var back fleet.Sources
			if err != nil || back.UnmarshalText(text) != nil || back != state.Sources {
				t.Errorf("%q reads back as %+v, not %+v", text, back, state.Sources)
			}
		})
	}
}

// Of each source the newest report stays, with when it came first, in whatever order reports come.
func TestSourcesAreTheSameInAnyOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	heard := make([]heardFrom, 60)
	for i := range heard {
		heard[i] = heardFrom{of: fleet.Source(1 + random.IntN(5)), at: time.Duration(random.IntN(9)) * time.Minute,
			received: 10*time.Minute + time.Duration(i)*time.Second, isSign: random.IntN(3) == 0}
	}
	seen := func() fleet.Sources {
		var state fleet.State
		for _, one := range heard {
			one.into(&state)
		}
		state.Sources.Shown = 0 // of positions at one instant the first stays
		return state.Sources
	}
	want := seen()
	for _, one := range want.Seen {
		for _, h := range heard {
			if began.Add(h.at) == one.At && want.Seen[h.of-1] == one && began.Add(h.received) < one.ReceivedAt {
				t.Errorf("%+v came at %v first", one, h.received)
			}
		}
	}
	for range 50 {
		random.Shuffle(len(heard), func(i, j int) { heard[i], heard[j] = heard[j], heard[i] })
		if got := seen(); got != want {
			t.Fatalf("%+v, want %+v", got, want)
		}
	}
}

func TestStoredSourcesThatAreNoneAreRefused(t *testing.T) {
	for _, text := range []string{"x", "1", "1:2", "0:1:2", "1*:a:2", "1:1:2 -", "300:1:1"} {
		var s fleet.Sources
		if err := s.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q reads as %+v", text, s)
		}
	}
	var s fleet.Sources
	if err := s.UnmarshalText([]byte("1:5:6 99:7:8")); err != nil || s.Seen[0].At != 5 {
		t.Errorf("a source of a later version takes others with it: %+v %v", s, err)
	}
}

// A report with the instant of the newest one of its source is no news: what is sent again changes nothing.
func TestARepeatIsNoNews(t *testing.T) {
	var s fleet.Sources
	if s.Note(fleet.SourceHTTP, began, began, began); s.IsNews(fleet.SourceHTTP, began) || !s.IsNews(fleet.SourceHTTP, began+1) {
		t.Errorf("%+v", s)
	}
	if !s.IsNews(fleet.SourceMQTT, began) || s.IsNews(fleet.SourceUnknown, began+1) {
		t.Errorf("of others: %+v", s)
	}
}
