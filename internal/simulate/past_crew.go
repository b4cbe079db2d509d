package simulate

import (
	"math/rand/v2"
	"time"

	"lightbar/internal/geo"
)

// How often assets reported in the past: sparser than the demo's own, as three months are many points.
const (
	pastMoving  = 10 * time.Second
	pastScene   = 30 * time.Second
	pastWorking = 90 * time.Second // below the gap that trips know
	pastParked  = 4 * time.Minute
	pastHome    = 9 * time.Minute // below ten minutes it stood where it was
)

// crew is an asset on a day of the past. It is where it is at its own time.
type crew struct {
	*pastDay
	index   int
	member  Member
	rng     *rand.Rand
	now     time.Time
	end     time.Time // until when it reports
	at      LatLng
	place   LatLng // the place of the plan that it is at, a few meters from there
	lights  bool
	board   bool // of an arrow board
	pattern string
	said    []PastReport
}

func newCrew(d *pastDay, i int, m Member) *crew {
	c := &crew{pastDay: d, index: i, member: m, rng: rand.New(rand.NewPCG(d.seed+uint64(i)+1, uint64(d.from.Unix()))), at: m.Vehicle.Home,
		place: m.Vehicle.Home, end: earlier(d.to, d.ends[i])}
	// Transponders are not in step with one another.
	c.now = d.from.Add(time.Duration(c.rng.Int64N(pastScene.Milliseconds())) * time.Millisecond)
	if m.Vehicle.Role == ArrowBoard {
		c.pattern = arrowPatterns[i%len(arrowPatterns)]
	}
	return c
}

// report says where it is, and the rest of what a transponder does.
func (c *crew) report(speed, course float64) {
	noise := 0.4
	if speed > 0 {
		noise = 1.5
	}
	c.said = append(c.said, PastReport{Asset: c.index, At: c.now, Delay: time.Duration(200+c.rng.IntN(600)) * time.Millisecond,
		Place: offset(c.at, c.rng.NormFloat64()*noise, c.rng.NormFloat64()*noise), SpeedMS: speed, CourseDeg: course,
		AccuracyM: 3 + float64(c.rng.IntN(7))/2, Lights: c.lights, Board: c.pattern != "", BoardOn: c.board, Pattern: c.pattern})
}

// stand stays where it is until then, and says so in a pace.
func (c *crew) stand(until time.Time, lights bool, every time.Duration) {
	c.lights = lights
	until = earlier(until, c.end)
	for at := c.now; at.Before(until); at = at.Add(every) {
		c.now = at
		c.report(0, -1)
	}
	c.quiet(until)
}

// quiet says nothing until then.
func (c *crew) quiet(until time.Time) {
	if c.now.Before(until) {
		c.now = until
	}
}

// drive goes to a spot at a place; factor is of the streets' usual speed.
func (c *crew) drive(place, spot LatLng, lights bool, factor float64) {
	path := c.way(c.ctx, c.place, place)
	path.Points = append([]LatLng{}, path.Points...)
	path.Points[0], path.Points[len(path.Points)-1] = c.at, spot
	c.place = place
	v := Vehicle{phase: driving, cursor: cursor{path: path}, factor: factor}
	c.lights = lights
	for second := 0; ; second++ {
		if second%int(pastMoving.Seconds()) == 0 {
			course := -1.0
			if v.speed > 0.5 {
				course = v.course
			}
			c.report(v.speed, course)
		}
		c.now = c.now.Add(time.Second)
		done := v.step(c.now, time.Second)
		if c.at = v.at; done {
			return
		}
	}
}

// takes is about how long a drive takes, and not less.
func takes(path Path, factor float64) time.Duration {
	seconds := 15.0
	for i := 1; i < len(path.Points); i++ {
		speed := path.Speeds[i-1]
		if speed <= 0 {
			speed = usualSpeed
		}
		// It brakes and speeds up at each change of speed, which the margin is for.
		seconds += geo.DistanceM(path.Points[i-1], path.Points[i])/(speed*factor) + 0.5
	}
	return time.Duration(seconds*1.3) * time.Second
}

// settled is how long before its day ends a crew is home: what follows from its last job is over by then.
const settled = 12 * time.Minute

// fits reports whether there is time to go to a place, stay a while, and come home.
func (c *crew) fits(place LatLng, stay time.Duration) bool {
	there, back := c.way(c.ctx, c.place, place), c.way(c.ctx, place, c.member.Vehicle.Home)
	return !c.now.Add(takes(there, 0.9) + stay + takes(back, 0.9) + settled).After(c.end)
}

// home drives home, its lights off.
func (c *crew) home() {
	home := c.member.Vehicle.Home
	if distance(c.at, home) > 30 {
		c.drive(home, home, false, 0.95)
	}
	c.at, c.place, c.lights = home, home, false
	c.report(0, -1)
	c.now = c.now.Add(pastMoving)
}

// spot is where a unit of several stands at a place.
func (c *crew) spot(place LatLng) LatLng {
	return offset(place, c.rng.Float64()*16-8, c.rng.Float64()*16-8)
}

// job goes to a place with lights on, works there until then, and comes home.
func (c *crew) job(place LatLng, until time.Time) {
	c.drive(place, c.spot(place), true, 1.35)
	stay := c.now.Add(3 * time.Minute)
	if until.After(stay) {
		stay = until
	}
	c.stand(stay, true, pastScene)
	c.home()
}
