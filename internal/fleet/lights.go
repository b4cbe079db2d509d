package fleet

import "slices"

// The lights are on from the first report that says they are until one that says they are off, or until a silence longer than
// drivers may be shown the alert. A point without a value follows the last report before it that has one.

// lightsReportedAt is the last report that counts: one that contains whether the lights are on, or a point.
func (s *State) lightsReportedAt() Instant { return max(s.AlertingAt, s.AlertingAbsentAt) }

// lights moves LightsAt by a report that say or AlertingAbsentAt has applied; heard is lightsReportedAt before that. A late report that
// may move it requests history.
func (s *State) lights(heard, at Instant, said, on bool, o *Outcome) {
	switch {
	case !s.Alerting:
		s.LightsAt = 0
	case at > heard && (s.LightsAt == 0 || at.Sub(heard) > alertingStaleAfter):
		s.LightsAt = at
	case at > heard:
	case s.LightsAt == 0:
		o.Lights = true
	case at >= s.LightsAt: // among the reports of a time that is lit only "off" changes anything
		o.Lights = o.Lights || said && !on && at != s.AlertingAt
	case said && at <= s.AlertingAbsentAt: // points without a value follow this report
		o.Lights = true
	default:
		o.Lights = o.Lights || s.LightsAt.Sub(at) <= alertingStaleAfter
	}
}

// LightsOf finds since when the lights have been on at the end of a period, 0 = they are off. isSure: no report before the period
// can change that.
func LightsOf(h RunHistory, from Instant) (since Instant, isSure bool) {
	type word struct {
		at         Instant
		said, isOn bool
	}
	var words []word
	for _, p := range h.Points {
		words = append(words, word{p.At, p.HasAlerting, p.Alerting})
	}
	for _, said := range h.Signals {
		words = append(words, word{said.At, true, said.On})
	}
	// At one instant "on" counts, and points without a value follow it.
	rank := func(w word) int {
		switch {
		case !w.said:
			return 2
		case w.isOn:
			return 1
		}
		return 0
	}
	slices.SortFunc(words, func(a, b word) int {
		if a.at != b.at {
			return int(a.at - b.at)
		}
		return rank(a) - rank(b)
	})
	on, last := h.Before, Instant(0)
	for i, w := range words {
		if w.said {
			on = w.isOn
			if next := i + 1; !on && next < len(words) && words[next].at == w.at && words[next].said {
				continue
			}
		}
		switch {
		case !on:
			since = 0
		case since == 0 || w.at.Sub(last) > alertingStaleAfter:
			since = w.at
		}
		last = w.at
	}
	return since, since == 0 || since.Sub(from) > alertingStaleAfter
}
