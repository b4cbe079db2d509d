package fleet

import (
	"reflect"
	"slices"
	"strconv"
	"sync"
	"time"

	"lightbar/catalog"
)

// Recurrence is a pattern of nights or weeks: on which
// days a closure begins, and when by the clocks of Timezone. A start that a
// change of the clocks skips is counted by the clock before the change, of one
// that comes twice the first counts; it lasts Minutes, whatever clocks do.
type Recurrence struct {
	Days     []int    `json:"days" doc:"1 = Monday to 7 = Sunday"`
	Start    string   `json:"start" doc:"of the day, as 21:00"`
	Minutes  int      `json:"minutes" doc:"how long it lasts, at most 24 hours"`
	From     string   `json:"from" doc:"the first day, as 2026-11-21"`
	Until    string   `json:"until" doc:"the last day on which it begins, at most a year later"`
	Except   []string `json:"except" doc:"days on which it does not begin"`
	Timezone string   `json:"timezone" doc:"of the tz database, as America/New_York"`
}

// Span is a time in which a closure is active, its end not included; zero = none.
type Span struct{ From, To Instant }

func (s Span) holds(at Instant) bool { return s.From <= at && at < s.To }

var (
	recurMinutes = int(catalog.LimitInt("closure", "recurMinutes"))
	recurExcept  = int(catalog.LimitInt("closure", "recurExcept"))
)

// Check checks the pattern by its law and notes what is wrong by the names of the wire. It puts days in order, so that the same
// pattern is the same value.
func (r *Recurrence) Check(wrong map[string]string) {
	note := func(field, sentence string, is bool) {
		if is && wrong["recurrence."+field] == "" {
			wrong["recurrence."+field] = sentence
		}
	}
	slices.Sort(r.Days)
	slices.Sort(r.Except)
	if r.Except == nil {
		r.Except = []string{}
	}
	note("days", "Required", len(r.Days) == 0)
	for i, day := range r.Days {
		note("days", "1 is Monday, 7 is Sunday", day < 1 || day > 7)
		note("days", "A day is listed twice", i > 0 && day == r.Days[i-1])
	}
	_, err := time.Parse("15:04", r.Start)
	note("start", "A time of the day, as 21:00", err != nil || len(r.Start) != len("15:04"))
	note("minutes", "1 to "+strconv.Itoa(recurMinutes)+" minutes", r.Minutes < 1 || r.Minutes > recurMinutes)
	const aDay = "A day, as 2026-11-21"
	from, isFrom := dayOf(r.From)
	until, isUntil := dayOf(r.Until)
	note("from", aDay, !isFrom)
	note("until", aDay, !isUntil)
	if isFrom && isUntil {
		note("until", "The last day can't be before the first", until.Before(from))
		note("until", "The last day must be within a year of the first", until.After(from.AddDate(1, 0, 0)))
	}
	note("except", "At most "+strconv.Itoa(recurExcept)+" days", len(r.Except) > recurExcept)
	for i, day := range r.Except {
		_, ok := dayOf(day)
		note("except", aDay, !ok)
		note("except", "A day is listed twice", i > 0 && day == r.Except[i-1])
	}
	note("timezone", "Unknown time zone", zoneNamed(r.Timezone) == nil)
}

// Same reports whether two patterns that have been checked are alike.
func (r *Recurrence) Same(o *Recurrence) bool { return reflect.DeepEqual(r, o) }

const dateForm = "2006-01-02"

func dayOf(text string) (time.Time, bool) {
	day, err := time.Parse(dateForm, text)
	return day, err == nil && day.Year() >= 2000
}

var zonesKnown sync.Map // of names: *time.Location; there are some 600

// zoneNamed finds a time zone; nil when there is none. The tz database is
// compiled into the program, and each zone is looked up once.
func zoneNamed(name string) *time.Location {
	if known, ok := zonesKnown.Load(name); ok {
		return known.(*time.Location)
	}
	if name == "" || name == "Local" {
		return nil
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil
	}
	zonesKnown.Store(name, zone)
	return zone
}

// onClock is the instant at which the clocks of a zone show a date and time, wall
// being these as if they were UTC (RFC 5545, section 3.3.5: a time that is
// skipped is counted by the clock before the change, one that comes twice is its first).
func onClock(wall time.Time, zone *time.Location) Instant {
	offset := func(at time.Time) time.Duration {
		_, seconds := at.In(zone).Zone()
		return time.Duration(seconds) * time.Second
	}
	before, after := offset(wall.AddDate(0, 0, -1)), offset(wall.AddDate(0, 0, 1))
	if before != after && offset(wall.Add(-before)) != before && offset(wall.Add(-after)) == after {
		return InstantOf(wall.Add(-after))
	}
	return InstantOf(wall.Add(-before))
}

// around finds the times of the pattern about an instant: the last that has
// begun, if it counts, and the next.
func (r *Recurrence) around(now Instant, counts func(Span) bool) (begun, next Span) {
	zone := zoneNamed(r.Timezone)
	from, isFrom := dayOf(r.From)
	until, isUntil := dayOf(r.Until)
	start, err := time.Parse("15:04", r.Start)
	if zone == nil || !isFrom || !isUntil || err != nil {
		return begun, next
	}
	on := func(day time.Time) (s Span, ok bool) {
		if !slices.Contains(r.Days, (int(day.Weekday())+6)%7+1) || slices.Contains(r.Except, day.Format(dateForm)) {
			return s, false
		}
		s.From = onClock(day.Add(time.Duration(start.Hour())*time.Hour+time.Duration(start.Minute())*time.Minute), zone)
		s.To = s.From.Add(time.Duration(r.Minutes) * time.Minute)
		return s, true
	}
	year, month, date := now.Time().In(zone).Date()
	today := time.Date(year, month, date, 0, 0, 0, 0, time.UTC)
	tomorrow := today.AddDate(0, 0, 1)
	for day := earlier(until, tomorrow); !day.Before(from); day = day.AddDate(0, 0, -1) {
		if s, ok := on(day); ok && s.From > now {
			next = s
		} else if ok {
			if counts(s) {
				begun = s
			}
			break // those before it count no more than it
		}
	}
	for day := later(from, tomorrow.AddDate(0, 0, 1)); next == (Span{}) && !day.After(until); day = day.AddDate(0, 0, 1) {
		next, _ = on(day)
	}
	return begun, next
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
