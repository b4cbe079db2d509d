package fleet

import "slices"

// ClosureVersion is the state of a closure from one change to the next.
type ClosureVersion struct {
	Stretch
	Closure     Closure // as it was at the end of that time
	IsPublished bool    // it was in the public feeds while it was active
}

// MonthlyClosureOf returns when in a month a closure was active: each version decides for its own time, whatever happened to the
// closure later; for an automated one its asset's board decides, in boards. False: it never was.
func MonthlyClosureOf(month Stretch, versions []ClosureVersion, boards map[string][]Stretch, confirmed []Instant) (
	row MonthlyClosureRow, stood bool) {
	var times, published []Stretch
	var first Instant
	var newest *Closure
	for i := range versions {
		v := &versions[i]
		in := Stretch{max(v.Start, month.Start), min(v.End, month.End)}
		var of []Stretch
		if v.Closure.Kind == ClosureAutomated {
			of, first = boardTimes(boards[v.Closure.ThingID], in, first, len(times) == 0)
		} else {
			of = v.activeTimes(in, month.End, &first, &row.Expired)
		}
		if len(of) == 0 {
			continue
		}
		newest, times = &v.Closure, append(times, of...)
		if v.IsPublished {
			published = append(published, of...)
		}
	}
	if newest == nil {
		return row, false
	}
	times, published = JoinStretches(times), JoinStretches(published)
	row.ClosureID, row.Name, row.RoadName, row.Impact = newest.ID, newest.Description, newest.RoadName, newest.VehicleImpact
	if row.Impact == "" {
		row.Impact = "unknown"
	}
	row.StartAt = first
	if last := times[len(times)-1]; last.End < month.End {
		row.EndAt = last.End
	}
	row.ActiveMs, row.PublishedMs = Within(times, month), Within(published, month)
	row.Confirmed = slices.ContainsFunc(confirmed, func(at Instant) bool { return at >= month.Start && at < month.End })
	return row, true
}

// activeTimes are the times at which a version of a closure was active in a period. first becomes when it was first active; expired,
// when it ended there because nobody had ended or extended it.
func (v *ClosureVersion) activeTimes(in Stretch, monthEnd Instant, first *Instant, expired *bool) (out []Stretch) {
	c := &v.Closure
	for at, turn := in.Start, 0; at < in.End && turn < mostTurns; turn++ {
		is, next := c.SpanAt(at), c.NextChange(at)
		end := in.End
		if next != 0 {
			end = min(end, next)
		}
		if is.IsActive {
			if *first == 0 {
				*first = is.From
			}
			out = append(out, Stretch{at, end})
			if then := c.SpanAt(end); next == end && end < min(v.End, monthEnd) && !then.IsActive {
				*expired = *expired || then.Reason == ClosureUnanswered || then.Reason == "" && c.Recurrence == nil && c.Weekly == nil
			}
		}
		if next == 0 {
			break
		}
		at = next
	}
	return out
}

// boardTimes are the times of a board in a period.
func boardTimes(board []Stretch, in Stretch, first Instant, isFirst bool) (out []Stretch, began Instant) {
	began = first
	for _, s := range board {
		if part := (Stretch{max(s.Start, in.Start), min(s.End, in.End)}); part.Start < part.End {
			if isFirst && len(out) == 0 {
				began = s.Start
			}
			out = append(out, part)
		}
	}
	return out, began
}

// BoardStretches returns when a board was on, from its reports and the instants at which its asset reported, both oldest first: a
// silence of 8 hours ends it, the next report of the asset begins it again. until ends a time that lasts.
func BoardStretches(reports []OnOffReport, heartbeats []Instant, until Instant) (out []Stretch) {
	on, since, last := false, Instant(0), Instant(0)
	end := func(at Instant) {
		if on && at > since {
			out = append(out, Stretch{since, at})
		}
	}
	hear := func(at Instant) {
		if on && at.Sub(last) >= closureSilent {
			end(last.Add(closureSilent))
			since = at
		}
		last = at
	}
	i := 0
	for _, w := range reports {
		for ; i < len(heartbeats) && heartbeats[i] <= w.At; i++ {
			hear(heartbeats[i])
		}
		hear(w.At)
		if w.On != on {
			end(w.At)
			on, since = w.On, w.At
		}
	}
	for ; i < len(heartbeats); i++ {
		hear(heartbeats[i])
	}
	end(min(until, last.Add(closureSilent)))
	return out
}
