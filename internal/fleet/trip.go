package fleet

import (
	"math"
	"slices"
	"time"

	"lightbar/catalog"
)

var (
	tripGap     = catalog.LimitMs("trip", "gapMs")
	tripStop    = catalog.LimitMs("trip", "stopMs")
	tripRest    = catalog.LimitMs("trip", "restMs")
	tripMoving  = catalog.Limit("trip", "movingMps")
	tripJitterM = catalog.Limit("trip", "jitterM")
	tripLeastM  = catalog.Limit("trip", "leastM")
)

// Stretch is a period, End excluded.
type Stretch struct{ Start, End Instant }

// What an asset does in a period.
const (
	TripMoving   = "moving"
	TripStanding = "standing"
	TripOnScene  = "on_scene"
	TripSilent   = "silent" // nothing is known
)

// TripSpan is a period in which an asset does one thing.
type TripSpan struct {
	Stretch
	State string
}

// Stop is a part of a trip in which the asset was stopped.
type Stop struct {
	Stretch
	Lat, Lng float64
}

// Trip is a run, or a movement outside of runs, as far as it lies in the asked time.
type Trip struct {
	RunID          string // empty: outside of runs
	StartAt, EndAt Instant
	Points         []Point // oldest first, by effective instants
	DistanceM      float64 // gaps and the noise of standing not counted
	HasSpeed       bool
	TopSpeedMS     float64
	LightsOn       time.Duration
	Stops          []Stop
}

// TripHistory is what decides the trips of one asset in a period.
type TripHistory struct {
	Stretch
	Points     []Point       // of the stretch, by effective instants, oldest first
	Signals    []OnOffReport // by signals, of the stretch, oldest first
	Heartbeats []Instant     // signs of life that are no points, of the stretch, oldest first
	Before     bool          // alerting as last reported before the period
	Runs       []Run         // that touch the stretch, oldest first
	Stays      []Presence
}

// Trips are what an asset did in a period: its runs and its movement outside of them, oldest first; what it did at each time,
// without holes; when its lights were on.
type Trips struct {
	Runs, Other []Trip
	Spans       []TripSpan
	Lights      []Stretch
}

// TripsOf computes what an asset did.
func TripsOf(h TripHistory) Trips {
	w := walkOf(h.Points)
	out := Trips{Lights: lightsOf(&h), Spans: spansOf(&h, &w)}
	for _, r := range h.Runs {
		first, past := w.between(max(r.StartAt, h.Start), min(r.EndAt+1, h.End))
		t := w.trip(first, past, out.Lights)
		t.RunID, t.StartAt, t.EndAt = r.ID, r.StartAt, r.EndAt
		out.Runs = append(out.Runs, t)
	}
	for _, free := range besides(h.Stretch, h.Runs) {
		out.Other = append(out.Other, w.movements(free, out.Lights)...)
	}
	return out
}

// besides is what runs leave of a period.
func besides(s Stretch, runs []Run) (free []Stretch) {
	at := s.Start
	for _, r := range runs {
		if r.StartAt > at {
			free = append(free, Stretch{at, min(r.StartAt, s.End)})
		}
		at = max(at, r.EndAt+1)
	}
	if at < s.End {
		free = append(free, Stretch{at, s.End})
	}
	return free
}

// walk is how an asset got from each point to the next: legs[i] leads to points[i]; the first leads from nowhere.
type walk struct {
	points []Point
	legs   []leg
}

type leg struct {
	meters float64 // driven: 0 over a gap and while it was stopped
	moving bool
	gap    bool
}

// walkOf distinguishes moving from standing still. A reported speed decides; without one, and for devices that always report 0, how
// far an asset gets from where it stopped.
func walkOf(points []Point) walk {
	w := walk{points, make([]leg, len(points))}
	anchor := 0
	for i := 1; i < len(points); i++ {
		anchor = w.step(anchor, i)
	}
	return w
}

// step handles leg i, after it was last stopped or moved at points[anchor]. It returns the next anchor: legs up to there are done.
func (w *walk) step(anchor, i int) int {
	p, q := &w.points[i-1], &w.points[i]
	l := &w.legs[i]
	switch l.gap = q.EffectiveAt().Sub(p.EffectiveAt()) > tripGap; {
	case l.gap:
		return i
	case p.HasSpeed && q.HasSpeed && max(p.SpeedMS, q.SpeedMS) >= tripMoving:
		l.moving, l.meters = true, DistanceM(p.Lat, p.Lng, q.Lat, q.Lng)
		return i
	}
	return w.drift(anchor, i)
}

// drift judges a leg whose speed does not decide: it moves when it leaves the surroundings of the place where it was last stopped,
// points[anchor]. The noise of a receiver alone would add up to kilometers a day. It returns the next anchor.
func (w *walk) drift(anchor, i int) int {
	from, p, q := &w.points[anchor], &w.points[i-1], &w.points[i]
	m := DistanceM(from.Lat, from.Lng, q.Lat, q.Lng)
	took := q.EffectiveAt().Sub(from.EffectiveAt())
	surroundings := tripJitterM
	if p.HasSpeed && q.HasSpeed {
		surroundings = tripLeastM
	}
	switch {
	case m >= surroundings && m >= tripMoving*took.Seconds():
		for j := anchor + 1; j <= i; j++ {
			w.legs[j].moving = true
		}
		w.legs[i].meters = m
		return i
	case took > tripGap: // it crept, or is stopped
		return i
	}
	return anchor
}

// between are the points from one instant to another (excluded), as indices.
func (w *walk) between(from, to Instant) (first, past int) {
	at := func(p Point, t Instant) int { return int(p.EffectiveAt() - t) }
	first, _ = slices.BinarySearchFunc(w.points, from, at)
	past, _ = slices.BinarySearchFunc(w.points, to, at)
	return first, max(first, past)
}

// trip sums up the points from first to past (excluded).
func (w *walk) trip(first, past int, lights []Stretch) Trip {
	t := Trip{Points: w.points[first:past:past]}
	still := first // since when it has been stopped
	for i := first; i < past; i++ {
		if p := &w.points[i]; p.HasSpeed {
			t.HasSpeed, t.TopSpeedMS = true, max(t.TopSpeedMS, p.SpeedMS)
		}
		if i == first {
			continue
		}
		l := &w.legs[i]
		t.DistanceM += l.meters
		if l.moving || l.gap && !w.sameplace(i) {
			t.stop(w.points[still:i])
			still = i
		}
		if !l.gap {
			t.LightsOn += overlap(lights, Stretch{w.points[i-1].EffectiveAt(), w.points[i].EffectiveAt()})
		}
	}
	t.stop(w.points[still:past])
	return t
}

// stop notes that it was stopped at points, if it was long enough.
func (t *Trip) stop(at []Point) {
	if len(at) < 2 {
		return
	}
	s := Stop{Stretch: Stretch{at[0].EffectiveAt(), at[len(at)-1].EffectiveAt()}, Lat: at[0].Lat, Lng: at[0].Lng}
	if s.End.Sub(s.Start) >= tripStop {
		t.Stops = append(t.Stops, s)
	}
}

// overlap is how much of a period lies in others, which are sorted.
func overlap(others []Stretch, s Stretch) (d time.Duration) {
	i, _ := slices.BinarySearchFunc(others, s.Start, func(o Stretch, at Instant) int { return int(o.End - at) })
	for ; i < len(others) && others[i].Start < s.End; i++ {
		d += max(0, min(others[i].End, s.End).Sub(max(others[i].Start, s.Start)))
	}
	return d
}

// movements finds where an asset moves in a period: from the last point before it moves to where it comes to rest, for 5 minutes or
// into a silence as long.
func (w *walk) movements(s Stretch, lights []Stretch) (out []Trip) {
	first, past := w.between(s.Start, s.End)
	from, to := -1, -1
	end := func() {
		if from < 0 {
			return
		}
		t := w.trip(from, to+1, lights)
		if t.DistanceM >= tripLeastM {
			t.StartAt, t.EndAt = t.Points[0].EffectiveAt(), t.Points[len(t.Points)-1].EffectiveAt()
			out = append(out, t)
		}
		from = -1
	}
	for i := first + 1; i < past; i++ {
		at := w.points[i].EffectiveAt()
		if from >= 0 && at.Sub(w.points[to].EffectiveAt()) > tripRest {
			end()
		}
		if !w.legs[i].moving {
			continue
		}
		if from < 0 {
			from = i - 1
		}
		to = i
	}
	end()
	return out
}

// lightsOf returns when the lights were on: from an "on" to the next report about them, and no longer than an asset reports (a run
// ends there, too).
func lightsOf(h *TripHistory) (out []Stretch) {
	on, since, last := h.Before, h.Start, h.Start
	end := func(at Instant) {
		if on && at > since {
			if n := len(out); n > 0 && out[n-1].End == since {
				out[n-1].End = at
			} else {
				out = append(out, Stretch{since, at})
			}
		}
	}
	h.reports(func(at Instant, said, says bool) {
		if at.Sub(last) > runMaxGap {
			end(last)
			since = at
		}
		last = at
		if said && says != on {
			end(at)
			on, since = says, at
		}
	})
	if h.End.Sub(last) > runMaxGap {
		end(last)
	} else {
		end(h.End)
	}
	return out
}

// reports visits all that an asset sent, oldest first: whether it contained that it alerts, and the value.
func (h *TripHistory) reports(visit func(at Instant, said, on bool)) {
	i, j, k := 0, 0, 0
	for i < len(h.Points) || j < len(h.Signals) || k < len(h.Heartbeats) {
		at := Instant(math.MaxInt64)
		if i < len(h.Points) {
			at = min(at, h.Points[i].EffectiveAt())
		}
		if j < len(h.Signals) {
			at = min(at, h.Signals[j].At)
		}
		if k < len(h.Heartbeats) {
			at = min(at, h.Heartbeats[k])
		}
		// At one instant "on" counts, as in RunsOf.
		said, on := false, false
		for ; i < len(h.Points) && h.Points[i].EffectiveAt() <= at; i++ {
			said, on = said || h.Points[i].HasAlerting, on || h.Points[i].HasAlerting && h.Points[i].Alerting
		}
		for ; j < len(h.Signals) && h.Signals[j].At <= at; j++ {
			said, on = true, on || h.Signals[j].On
		}
		for ; k < len(h.Heartbeats) && h.Heartbeats[k] <= at; k++ {
		}
		visit(at, said, on)
	}
}

// spansOf computes what an asset did at each time of the period: silent where nothing is known, else on scene during a stay, else
// moving or stopped.
func spansOf(h *TripHistory, w *walk) (out []TripSpan) {
	add := func(from, to Instant, state string) {
		if to <= from {
			return
		}
		if n := len(out); n > 0 && out[n-1].State == state {
			out[n-1].End = to
			return
		}
		out = append(out, TripSpan{Stretch{from, to}, state})
	}
	// known adds a period in which the asset reported: its stays, and around them the state.
	known := func(from, to Instant, state string) {
		for _, s := range h.Stays {
			if s.StartAt < to && (s.EndAt == 0 || s.EndAt > from) {
				add(from, s.StartAt, state)
				from = max(from, s.StartAt)
				end := to
				if s.EndAt != 0 {
					end = min(to, s.EndAt)
				}
				add(from, end, TripOnScene)
				from = max(from, end)
			}
		}
		add(from, to, state)
	}
	at, i := h.Start, 0
	h.reports(func(next Instant, _, _ bool) {
		for i < len(w.points) && w.points[i].EffectiveAt() < next {
			i++
		}
		state := w.state(i, next.Sub(at))
		if state == TripSilent {
			add(at, next, state)
		} else {
			known(at, next, state)
		}
		at = next
	})
	if state := w.state(len(w.points), h.End.Sub(at)); state == TripSilent {
		add(at, h.End, state)
	} else {
		known(at, h.End, state)
	}
	return out
}

// state is what an asset did on leg i, during which no report came for a time.
func (w *walk) state(i int, quiet time.Duration) string {
	n := len(w.points)
	switch {
	case quiet >= staleAfter, n == 0:
		return TripSilent
	case i == 0, i == n: // before the first point and after the last
		if quiet > tripGap {
			return TripSilent
		}
		i = min(max(i, 1), n-1)
	case w.legs[i].gap && !w.sameplace(i):
		return TripSilent // it went somewhere, nobody knows when
	}
	if w.legs[i].moving {
		return TripMoving
	}
	return TripStanding
}

// sameplace reports whether a gap ends where it began.
func (w *walk) sameplace(i int) bool {
	p, q := &w.points[i-1], &w.points[i]
	return DistanceM(p.Lat, p.Lng, q.Lat, q.Lng) < 2*tripJitterM
}
