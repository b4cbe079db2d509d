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
		if got := fleet.Shared(line, c.other); math.Abs(got-c.want) > 20 {
			t.Errorf("%s: %.0f m and not %.0f", name, got, c.want)
		}
		if c.want > 0 && !fleet.BoxOf(line).Meets(fleet.BoxOf(c.other)) {
			t.Errorf("%s: the boxes do not meet", name)
		}
	}
	if fleet.BoxOf(line).Meets(fleet.BoxOf(road(5000, 0, 6000, 0))) {
		t.Error("boxes far from each other meet")
	}
}

// No pair that shares a corridor is lost by its boxes.
func TestBoxesLoseNoCorridor(t *testing.T) {
	rapid.Check(t, func(p *rapid.T) {
		at := rapid.Float64Range(-200, 200)
		line := road(at.Draw(p, "a"), at.Draw(p, "b"), at.Draw(p, "c"), at.Draw(p, "d"))
		other := road(at.Draw(p, "e"), at.Draw(p, "f"), at.Draw(p, "g"), at.Draw(p, "h"))
		if fleet.Shared(line, other) > 0 && !fleet.BoxOf(line).Meets(fleet.BoxOf(other)) {
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
