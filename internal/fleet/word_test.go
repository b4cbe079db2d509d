package fleet_test

import (
	"testing"

	"lightbar/internal/fleet"
)

// Two words about alerting at one instant: "on" stands, whichever comes first
// and whichever kind of report says it.
func TestTwoWordsAtOneInstant(t *testing.T) {
	type word func(u *unit, on bool)
	point := word(func(u *unit, on bool) { u.at(60, 0, 4, on) })
	signal := word(func(u *unit, on bool) { u.signal(60, fleet.SignalAlert, on) })
	for _, row := range []struct {
		name          string
		first, second word
	}{{"point and point", point, point}, {"point and message", point, signal}, {"message and point", signal, point}, {"message and message", signal, signal}} {
		for _, before := range []bool{false, true} {
			for _, firstOn := range []bool{false, true} {
				u := newUnit(t)
				u.at(0, 0, 4, before)
				row.first(u, firstOn)
				row.second(u, !firstOn)
				if !u.s.Alerting || u.s.AlertingAt != sec(60) {
					t.Errorf("%s, before %t, first %t: alerting %t since the word of %v", row.name, before, firstOn, u.s.Alerting, u.s.AlertingAt)
				}
			}
		}
	}
	u := newUnit(t)
	u.signal(60, fleet.SignalAlert, true)
	u.signal(60, fleet.SignalAlert, false)
	u.signal(60.001, fleet.SignalAlert, false)
	if u.s.Alerting {
		t.Error("a later word did not count")
	}
}
