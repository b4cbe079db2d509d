package fleet

import (
	"slices"
	"time"
)

// Schedule is when, between its start and its end, a closure of a feed is in
// force: times of the week by the clocks of a zone. Between them the road is open.
type Schedule struct {
	Times []WeekTime `json:"times"` // in order, none touches the next; at least one
	Zone  string     `json:"zone"`  // an offset as -05:00, or a name of the tz database
}

// WeekTime is a time of the week in minutes since Monday, 00:00; To may lie in the next week.
type WeekTime struct {
	From int `json:"from"`
	To   int `json:"to"`
}

// minutes of a day and of a week.
const (
	DayMinutes  = 24 * 60
	WeekMinutes = 7 * DayMinutes
)

// NewSchedule makes a schedule of times in any order, joining those that touch
// or overlap, also from one week to the next. nil: they leave nothing out, or
// there are none, or the zone is unknown (ok is false).
func NewSchedule(times []WeekTime, zone string) (s *Schedule, ok bool) {
	if len(times) == 0 || scheduleZone(zone) == nil {
		return nil, false
	}
	var isIn [WeekMinutes]bool
	for _, t := range times {
		for m := t.From; m < t.To; m++ {
			isIn[m%WeekMinutes] = true
		}
	}
	first := slices.Index(isIn[:], false) // a time that runs on over Sunday night begins behind it
	if first < 0 {
		return nil, true
	}
	s = &Schedule{Zone: zone}
	for m := first; m < first+WeekMinutes; m++ {
		if !isIn[m%WeekMinutes] {
			continue
		}
		if n := len(s.Times); n > 0 && s.Times[n-1].To == m {
			s.Times[n-1].To++
		} else {
			s.Times = append(s.Times, WeekTime{m, m + 1})
		}
	}
	for i, t := range s.Times {
		if t.From >= WeekMinutes {
			s.Times[i] = WeekTime{t.From - WeekMinutes, t.To - WeekMinutes}
		}
	}
	slices.SortFunc(s.Times, func(a, b WeekTime) int { return a.From - b.From })
	return s, len(s.Times) > 0
}

// scheduleZone finds the clocks of a schedule; nil when there are none.
func scheduleZone(name string) *time.Location {
	if at, err := time.Parse("-07:00", name); err == nil {
		_, offset := at.Zone()
		return time.FixedZone(name, offset)
	}
	return zoneNamed(name)
}

// around finds the times of the schedule within bounds (To 0 = without end)
// about an instant: the last that has begun, and the next.
func (s *Schedule) around(now Instant, bounds Span) (begun, next Span) {
	zone := scheduleZone(s.Zone)
	if zone == nil || bounds.From == 0 {
		return begun, next
	}
	last := now
	if bounds.To != 0 {
		last = min(now, bounds.To)
	}
	s.visit(last, zone, func(t Span) {
		if t = t.within(bounds); t.From <= now && t.From > begun.From {
			begun = t
		}
	})
	s.visit(max(now, bounds.From), zone, func(t Span) {
		if t = t.within(bounds); t.From > now && (next.From == 0 || t.From < next.From) {
			next = t
		}
	})
	return begun, next
}

// within is the part of a time that lies in bounds; zero = none does.
func (s Span) within(bounds Span) Span {
	s.From = max(s.From, bounds.From)
	if bounds.To != 0 {
		s.To = min(s.To, bounds.To)
	}
	if s.From >= s.To {
		return Span{}
	}
	return s
}

// visit shows the times of the weeks about an instant: one that began in the
// week before may last, the next may be a week away.
func (s *Schedule) visit(at Instant, zone *time.Location, see func(Span)) {
	year, month, date := at.Time().In(zone).Date()
	day := time.Date(year, month, date, 0, 0, 0, 0, time.UTC)
	monday := day.AddDate(0, 0, -(int(day.Weekday())+6)%7)
	for week := -2; week <= 2; week++ {
		for _, t := range s.Times {
			begin := monday.AddDate(0, 0, 7*week)
			see(Span{onClock(begin.Add(time.Duration(t.From)*time.Minute), zone), onClock(begin.Add(time.Duration(t.To)*time.Minute), zone)})
		}
	}
}

// EndsBy reports whether nothing of a schedule between a start and an end (0 = none) is left at an instant.
func (s *Schedule) EndsBy(now Instant, bounds Span) bool {
	begun, next := s.around(now, bounds)
	return !begun.holds(now) && next.From == 0
}

// At is the time of the schedule that holds at an instant, zero = none does.
func (s *Schedule) At(now Instant, bounds Span) Span {
	if begun, _ := s.around(now, bounds); begun.holds(now) {
		return begun
	}
	return Span{}
}
