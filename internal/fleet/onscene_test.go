package fleet_test

import (
	"testing"

	"lightbar/internal/fleet"
)

// A device's own word opens nothing at its own station, and nothing where it is on scene already.
//
// spec: D.value.06
func TestOnSceneWord(t *testing.T) {
	u := newUnit(t)
	u.at(0, 0, 5, false)
	if o := fleet.OnScene(&u.s, sec(1), fleet.Surroundings{}); !o.Arrive || o.ArriveAt != sec(1) || o.ArriveLat != u.s.Lat {
		t.Errorf("on the road: %+v", o)
	}
	if o := fleet.OnScene(&u.s, sec(1), station); o.Arrive {
		t.Errorf("at its own station: %+v", o)
	}
	fleet.Arrive(&u.s, fleet.NewLocation("l", "o", "", u.s.Lat, u.s.Lng, sec(1)), sec(1))
	if o := fleet.OnScene(&u.s, sec(2), fleet.Surroundings{}); o.Arrive || u.s.LightsOffAt != sec(1) {
		t.Errorf("on scene already: %+v, quiet since %v", o, u.s.LightsOffAt)
	}
}

// A word of the time before the last stay ended belongs to that stay; a later one opens the next.
//
// spec: D.value.06
func TestOnSceneWordOfAnEndedStay(t *testing.T) {
	u := newUnit(t)
	u.at(0, 0, 5, false)
	fleet.Arrive(&u.s, fleet.NewLocation("l", "o", "", u.s.Lat, u.s.Lng, sec(1)), sec(1))
	fleet.Leave(&u.s, sec(90))
	for at, want := range map[float64]bool{1: false, 89: false, 90: true, 200: true} {
		if o := fleet.OnScene(&u.s, sec(at), fleet.Surroundings{}); o.Arrive != want {
			t.Errorf("the stay ended at 90 s; a word of %v s: arrives %v, want %v", at, o.Arrive, want)
		}
	}
}
