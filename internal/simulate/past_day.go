package simulate

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"
)

// pastDay is a day of the past while it is made.
type pastDay struct {
	*Past
	ctx context.Context
	span
	rng   *rand.Rand
	crews []*crew
	calls []call
}

// call is an emergency that units are sent to.
type call struct {
	at, until time.Time
	place     LatLng
	units     int
	tow       bool
	police    bool
	seen      bool // a patrol went there
}

// callsAt weighs the hours of a day, from dawn on: most calls come in the late afternoon.
var callsAt = [24]int{2, 2, 3, 4, 5, 5, 5, 6, 6, 6, 7, 7, 8, 8, 8, 7, 6, 5, 4, 4, 3, 2, 2, 2}

// answerCalls sends the nearest free units to the calls of the day, one call after the other.
func (d *pastDay) answerCalls() {
	weights := 0
	for _, w := range callsAt {
		weights += w
	}
	for range 22 + d.rng.IntN(14) {
		hour, at := 0, d.rng.IntN(weights)
		for ; at >= callsAt[hour]; hour++ {
			at -= callsAt[hour]
		}
		c := call{at: d.from.Add(time.Duration(hour)*time.Hour + time.Duration(d.rng.IntN(3600))*time.Second),
			place: d.scenes[d.rng.IntN(len(d.scenes))], units: 1 + d.rng.IntN(3), tow: d.rng.IntN(3) == 0, police: d.rng.IntN(2) == 0}
		c.until = c.at.Add(time.Duration(10+d.rng.IntN(28)) * time.Minute)
		d.calls = append(d.calls, c)
	}
	slices.SortFunc(d.calls, func(a, b call) int { return a.at.Compare(b.at) })
	for i := range d.calls {
		c := &d.calls[i]
		d.send(c, Responder, c.units, c.at.Add(time.Duration(60+d.rng.IntN(60))*time.Second))
		if c.tow {
			d.send(c, Tow, 1, c.at.Add(8*time.Minute))
		}
	}
}

// send lets the nearest units of a role that are at home leave for a call.
func (d *pastDay) send(to *call, role Role, n int, leave time.Time) {
	var free []*crew
	for _, c := range d.crews {
		v := c.member.Vehicle
		if v.Role != role || v.Idle || c.now.After(leave) || role == Tow && !c.isUp(leave, 3, 17) {
			continue
		}
		was := c.now
		c.now = leave
		if c.fits(to.place, max(3*time.Minute, to.until.Sub(leave))) {
			free = append(free, c)
		}
		c.now = was
	}
	slices.SortStableFunc(free, func(a, b *crew) int {
		return int(distance(a.member.Vehicle.Home, to.place) - distance(b.member.Vehicle.Home, to.place))
	})
	for i, c := range free[:min(n, len(free))] {
		c.wait(leave)
		c.job(to.place, to.until.Add(time.Duration(i)*time.Minute))
	}
}

// isUp reports whether an instant lies in the hours of the day, counted from dawn, in which a crew works.
func (c *crew) isUp(at time.Time, from, to float64) bool {
	hours := at.Sub(c.pastDay.from).Hours()
	return hours >= from && hours < to
}

// wait stands at home until then: stations are up all day, others sleep.
func (c *crew) wait(until time.Time) {
	if c.member.Vehicle.Role == Tow {
		c.quiet(earlier(until, c.from.Add(3*time.Hour)))
		c.stand(earlier(until, c.from.Add(17*time.Hour)), false, pastHome)
		c.quiet(until)
		return
	}
	c.stand(until, false, pastHome)
	c.quiet(until)
}

// spend lets a crew do what it does all day; responders and tow trucks have answered their calls.
func (c *crew) spend() {
	v := c.member.Vehicle
	switch {
	case v.Idle:
	case v.Role == Patrol:
		c.patrol()
	case v.Role == RoadCrew:
		c.work()
	case v.Role == Collection:
		c.collect()
	case v.Role == ArrowBoard:
		c.show()
	}
	if v.Role == Patrol || v.Role == RoadCrew || v.Role == Collection {
		return // their engines are off until the next shift
	}
	c.wait(c.end)
}

// shift is a shift of so many hours from an hour on, counted from dawn.
func (c *crew) shift(from, hours int) (end time.Time) {
	c.quiet(c.from.Add(time.Duration(from)*time.Hour + time.Duration(c.rng.IntN(20*60))*time.Second))
	return earlier(c.from.Add(time.Duration(from+hours)*time.Hour), c.end)
}

// patrol drives its beat: every other car has a shift, early, late, or at night.
func (c *crew) patrol() {
	if (c.index+c.from.YearDay())%2 == 0 {
		return
	}
	end := c.shift([]int{1, 8, 15}[c.index/2%3], 7)
	began := false
	for c.now.Before(end) {
		place, lit, stay := c.beats[c.rng.IntN(len(c.beats))], false, time.Duration(12+c.rng.IntN(16))*time.Minute
		if to := c.callNow(); to != nil {
			place, lit, stay = to.place, true, max(4*time.Minute, to.until.Sub(c.now))
		}
		if !c.fits(place, stay) {
			break
		}
		if began = true; lit {
			c.drive(place, c.spot(place), true, 1.3)
			c.stand(c.now.Add(stay), true, pastScene)
			continue
		}
		c.drive(place, c.spot(place), false, 0.9)
		if c.rng.IntN(5) == 0 {
			c.stand(c.now.Add(time.Duration(3+c.rng.IntN(7))*time.Minute), true, pastScene) // a traffic stop
		}
		c.stand(c.now.Add(stay), false, pastParked)
	}
	if began {
		c.home()
	}
}

// callNow finds a call of the last minutes that wants the police and has none yet.
func (c *crew) callNow() *call {
	for i := range c.calls {
		if to := &c.calls[i]; to.police && !to.seen && !to.at.After(c.now) && c.now.Sub(to.at) < 5*time.Minute {
			to.seen = true
			return to
		}
	}
	return nil
}

// work closes lanes at a work zone of the day, its lights on, with a break at noon.
func (c *crew) work() {
	var sites []LatLng
	for _, w := range c.Works {
		if w.From.Before(c.from.Add(5*time.Hour)) && w.To.After(c.from.Add(5*time.Hour)) {
			sites = append(sites, w.Site)
		}
	}
	if day := c.from.Weekday(); len(sites) == 0 || day == time.Saturday || day == time.Sunday {
		return
	}
	site, stay := sites[c.index%len(sites)], time.Duration(150+c.rng.IntN(40))*time.Minute
	c.shift(2, 10)
	if !c.fits(site, stay) {
		return
	}
	spot := c.spot(site)
	c.drive(site, spot, false, 0.85)
	c.stand(c.now.Add(stay), true, pastWorking)
	if noon := c.beats[c.index%len(c.beats)]; c.fits(noon, 3*time.Hour+30*time.Minute) {
		c.drive(noon, c.spot(noon), false, 0.85)
		c.stand(c.now.Add(30*time.Minute), false, pastParked)
		c.drive(site, spot, false, 0.85)
		c.stand(c.now.Add(stay), true, pastWorking)
	}
	c.home()
}

// collect goes its round on three days of the week.
func (c *crew) collect() {
	if day := int(c.from.Weekday()); day == 0 || day == 6 || (c.index+day)%2 == 0 {
		return
	}
	c.shift(2, 6)
	began := false
	for _, stop := range c.rounds[c.index] {
		if !c.fits(stop, time.Minute) {
			break
		}
		began = true
		c.drive(stop, stop, false, 0.6)
		c.stand(c.now.Add(time.Duration(20+c.rng.IntN(30))*time.Second), false, pastMoving)
	}
	if began {
		c.home()
	}
}

// show is an arrow board: on by day, on weekdays.
func (c *crew) show() {
	if day := c.from.Weekday(); day == time.Saturday || day == time.Sunday {
		return
	}
	on := c.from.Add(150*time.Minute + time.Duration(c.rng.IntN(40))*time.Minute)
	c.stand(on, false, pastHome)
	off := earlier(on.Add(time.Duration(6*60+c.rng.IntN(150))*time.Minute), c.end.Add(-settled))
	if off.After(c.now) {
		c.board = true
		c.stand(off, false, pastHome)
		c.board = false
	}
}
