package fleet_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"lightbar/internal/fleet"
)

// road is a line of meters east and north of a place.
func road(points ...float64) (out []fleet.LatLng) {
	for i := 0; i < len(points); i += 2 {
		lat, lng := fleet.Offset(39.7, -75.5, points[i], points[i+1])
		out = append(out, fleet.LatLng{Lat: lat, Lng: lng})
	}
	return out
}

func TestLinesOfOneCorridor(t *testing.T) {
	line := road(0, 0, 1000, 0)
	for name, c := range map[string]struct {
		other []fleet.LatLng
		want  float64
	}{
		"the same": {line, 1000}, "back": {road(1000, 0, 0, 0), 0}, "half": {road(500, 0, 1500, 0), 530},
		"the next lane": {road(0, 15, 1000, 15), 1000}, "the next street": {road(0, 60, 1000, 60), 0}, "a crossing": {road(500, -500, 500, 500), 0},
		"around a corner": {road(-500, 0, 300, 0, 300, 500), 330}, "elsewhere": {road(5000, 0, 6000, 0), 0}, "in many parts": {road(0, 5, 250, 5, 500, 5, 1000, 5), 1000},
		"a dot": {road(5, 0, 5, 0), 0}, "nothing": {nil, 0},
	} {
		got, stretches := fleet.Shared(line, c.other)
		if math.Abs(got-c.want) > 20 {
			t.Errorf("%s: %.0f m and not %.0f", name, got, c.want)
		}
		if drawn := lengthOf(stretches); math.Abs(drawn-got) > 1 || len(stretches) > 1 {
			t.Errorf("%s: %.0f m are drawn in %d stretches, and %.0f m are said", name, drawn, len(stretches), got)
		}
		if c.want > 0 && !fleet.BoxOf(line).Meets(fleet.BoxOf(c.other)) {
			t.Errorf("%s: the boxes do not meet", name)
		}
	}
	if fleet.BoxOf(line).Meets(fleet.BoxOf(road(5000, 0, 6000, 0))) {
		t.Error("boxes far from each other meet")
	}
}

func lengthOf(stretches [][]fleet.LatLng) (m float64) {
	for _, line := range stretches {
		for i := 1; i < len(line); i++ {
			m += fleet.DistanceM(line[i-1].Lat, line[i-1].Lng, line[i].Lat, line[i].Lng)
		}
	}
	return m
}

// What is drawn of an overlap are the parts of the line itself: its corners, and the places where it leaves the corridor.
func TestStretchesThatLinesShare(t *testing.T) {
	line := road(0, 0, 400, 0, 400, 400, 1000, 400)
	_, stretches := fleet.Shared(line, road(0, 0, 400, 0, 400, 400, 600, 400))
	if len(stretches) != 1 || len(stretches[0]) != 4 || stretches[0][0] != line[0] || stretches[0][1] != line[1] || stretches[0][2] != line[2] {
		t.Fatalf("around a corner: %v", stretches)
	}
	if at := stretches[0][3]; math.Abs(lengthOf(stretches)-1030) > 20 || at.Lat != line[2].Lat {
		t.Errorf("it ends at %v, after %.0f m", at, lengthOf(stretches))
	}
	if _, twice := fleet.Shared(line, append(road(0, 0, 100, 0), road(100, 900, 900, 900, 900, 400, 1000, 400)...)); len(twice) != 2 {
		t.Errorf("left and met again: %v", twice)
	}
}

// No pair that shares a corridor is lost by its boxes.
func TestBoxesLoseNoCorridor(t *testing.T) {
	rapid.Check(t, func(p *rapid.T) {
		at := rapid.Float64Range(-200, 200)
		line := road(at.Draw(p, "a"), at.Draw(p, "b"), at.Draw(p, "c"), at.Draw(p, "d"))
		other := road(at.Draw(p, "e"), at.Draw(p, "f"), at.Draw(p, "g"), at.Draw(p, "h"))
		if meters, _ := fleet.Shared(line, other); meters > 0 && !fleet.BoxOf(line).Meets(fleet.BoxOf(other)) {
			p.Fatal(line, other)
		}
	})
}

func TestWhenClosuresMeet(t *testing.T) {
	once := func(from, to fleet.Instant) *fleet.Closure { return &fleet.Closure{StartAt: from, EndAt: to} }
	own, days := nights, nights
	days.Start, days.Minutes = "09:00", 120
	nightly, daily := &fleet.Closure{Recurrence: &own}, &fleet.Closure{Recurrence: &days}
	for name, c := range map[string]struct {
		a, b *fleet.Closure
		want fleet.Span
	}{
		"both now":         {once(march(1, 1), march(1, 9)), once(march(1, 5), march(1, 20)), fleet.Span{From: march(1, 5), To: march(1, 9)}},
		"one after":        {once(march(1, 1), march(1, 9)), once(march(1, 9), march(1, 20)), fleet.Span{}},
		"over":             {once(march(1, 1), march(1, 2)), once(march(1, 1), march(1, 2)), fleet.Span{}},
		"inactive":         {once(0, 0), nightly, fleet.Span{}},
		"in a later night": {once(march(4, 6), march(6, 1)), nightly, fleet.Span{From: march(5, 21), To: march(6, 1)}},
		"night and day":    {nightly, daily, fleet.Span{}},
		"two nights":       {nightly, nightly, night(1)},
	} {
		for _, pair := range [][2]*fleet.Closure{{c.a, c.b}, {c.b, c.a}} {
			if got := fleet.Meeting(pair[0], pair[1], march(1, 4)); got != c.want {
				t.Errorf("%s: %v to %v", name, got.From, got.To)
			}
		}
	}
}
