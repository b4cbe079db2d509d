package fleet

import "time"

// dayStep is less than any change of clocks.
const dayStep = 15 * time.Minute

// NextDay is when the calendar day after that of an instant begins in a zone. Where clocks are set forward at midnight there is no
// 0:00 and time.Date returns an instant of the day before; where they are set back there are two.
func NextDay(at Instant, zone *time.Location) Instant {
	local := at.Time().In(zone)
	next := time.Date(local.Year(), local.Month(), local.Day()+1, 0, 0, 0, 0, zone)
	isLater := func(t time.Time) bool { return t.Format(time.DateOnly) > local.Format(time.DateOnly) }
	for !isLater(next) {
		next = next.Add(dayStep)
	}
	for before := next.Add(-dayStep); before.After(local) && isLater(before); before = before.Add(-dayStep) {
		next = before
	}
	return InstantOf(next)
}
