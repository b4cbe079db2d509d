package demo

import (
	"sync/atomic"
	"time"
)

// Clock is the demo's. While a demo with a history is prepared it stands in
// the past, so that what was there all the time is as old as its history; from
// then on it is the world's.
type Clock struct {
	began time.Time
	days  int
	past  atomic.Pointer[time.Time]
}

// NewClock is the clock of a demo that is to begin with so many days of
// history. days 0: it is the world's from the first moment on.
func NewClock(began time.Time, days int) *Clock {
	c := &Clock{began: began, days: days}
	if days > 0 { // a day more, as days begin before dawn
		c.turn(began.Add(-time.Duration(days+1) * 24 * time.Hour))
	}
	return c
}

// Now is what the clock says.
func (c *Clock) Now() time.Time {
	if at := c.past.Load(); at != nil {
		return *at
	}
	return time.Now()
}

// turn puts a clock that stands in the past forward.
func (c *Clock) turn(to time.Time) {
	if old := c.past.Load(); old == nil || to.After(*old) {
		c.past.Store(&to)
	}
}

func (c *Clock) release() { c.past.Store(nil) }
