package simulate

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"
)

// past plans days without streets that end some hours before noon.
func past(seed uint64, days int) (*Past, []Member) {
	rng := rand.New(rand.NewPCG(seed, 0))
	cast := Cast(func(near LatLng, radius float64) LatLng { return Roads{}.Place(rng, near, radius) })
	return NewPast(cast, Roads{}, seed, days, noon.Add(-8*time.Hour), noon), cast
}

func TestSameSeedSamePast(t *testing.T) {
	a, _ := past(3, 9)
	b, _ := past(3, 9)
	var days [][]PastReport
	for day := range a.Days() {
		days = append(days, a.Day(t.Context(), day))
	}
	for day := b.Days() - 1; day >= 0; day-- { // each day stands for itself
		if !reflect.DeepEqual(days[day], b.Day(t.Context(), day)) {
			t.Fatalf("day %d differs", day)
		}
	}
	if !reflect.DeepEqual(a.Works, b.Works) || len(a.Works) == 0 {
		t.Errorf("works %+v", a.Works)
	}
}

// Days follow one another without a gap, and the last one ends when it was asked to.
func TestDaysOfThePast(t *testing.T) {
	p, _ := past(1, 92)
	if p.Days() != 92 {
		t.Fatalf("%d days", p.Days())
	}
	for day := range p.Days() {
		from, to := p.Span(day)
		if day > 0 {
			if _, before := p.Span(day - 1); !before.Equal(from) {
				t.Errorf("day %d begins %s after the one before", day, from.Sub(before))
			}
		}
		if to.Sub(from) > 24*time.Hour || to.Sub(from) <= 0 || from.Hour() != 9 {
			t.Errorf("day %d: %s to %s", day, from, to)
		}
	}
	if _, end := p.Span(91); !end.Equal(noon.Add(-8 * time.Hour)) {
		t.Errorf("it ends %s", end)
	}
}

// A crew is at home with its lights off when a day ends, long enough for all to be over; nobody jumps, and nobody
// says two things at once, or anything outside of the day or after it has fallen silent.
func TestPastEndsAtRest(t *testing.T) {
	p, cast := past(7, 12)
	for day := range p.Days() {
		from, to := p.Span(day)
		last, lit, moved := map[int]PastReport{}, 0, map[int]bool{}
		for _, r := range p.Day(t.Context(), day) {
			name := cast[r.Asset].Vehicle.Nickname
			before, spoke := last[r.Asset]
			if last[r.Asset] = r; r.At.Before(from) || !r.At.Before(to) || r.At.After(p.Ends(r.Asset)) {
				t.Fatalf("%s speaks at %s", name, r.At)
			}
			if spoke && !r.At.After(before.At) {
				t.Fatalf("%s speaks twice at %s", name, r.At)
			}
			if far := distance(before.Place, r.Place); spoke && far > 25*r.At.Sub(before.At).Seconds()+40 {
				t.Fatalf("%s jumped %.0f m in %s", name, far, r.At.Sub(before.At))
			} else if spoke && far > 20 {
				moved[r.Asset] = true
			}
			if r.Lights || r.BoardOn {
				lit++
			}
			if rest := p.ends[r.Asset]; (r.Lights || distance(r.Place, cast[r.Asset].Vehicle.Home) > 40) && earlier(rest, to).Sub(r.At) < 6*time.Minute {
				t.Errorf("day %d: %s is not at rest %s before its end", day, name, to.Sub(r.At))
			}
		}
		if day < p.Days()-1 && (lit < 500 || len(moved) < 15) {
			t.Errorf("day %d is dull: %d reports with lights, %d moved", day, lit, len(moved))
		}
	}
}

// Days are handed over in order, from any one on; an error ends it.
func TestEachDayInOrder(t *testing.T) {
	p, _ := past(5, 9)
	var days []int
	enough := errors.New("enough")
	err := p.Each(t.Context(), 2, func(day int, said []PastReport) error {
		if days = append(days, day); !reflect.DeepEqual(said, p.Day(t.Context(), day)) {
			t.Errorf("day %d is another's", day)
		}
		if day == 7 {
			return enough
		}
		return nil
	})
	if !errors.Is(err, enough) || !reflect.DeepEqual(days, []int{2, 3, 4, 5, 6, 7}) {
		t.Errorf("%v %v", days, err)
	}
}
