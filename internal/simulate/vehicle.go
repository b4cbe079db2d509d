package simulate

import (
	"math/rand/v2"
	"time"
)

// phase is what a vehicle is doing.
type phase uint8

const (
	parked  phase = iota
	driving       // along the cursor's path
	onScene       // standing with lights on
)

// Vehicle is one simulated asset: it moves by the clock it is given and
// reports what a transponder would.
type Vehicle struct {
	Asset
	Role Role
	Home LatLng
	// LastSeen ago: a vehicle that reported once and then fell silent. 0 = it lives.
	LastSeen time.Duration
	// Idle vehicles are out of service: they stay where they are and report it.
	Idle bool

	rng     *rand.Rand
	phase   phase
	until   time.Time // end of parked and onScene
	cursor  cursor
	factor  float64 // of the street's usual speed
	at      LatLng
	course  float64
	speed   float64 // m/s
	lights  bool
	said    bool // the lights as last reported
	pattern string
	report  time.Time // when the next report is due
	busy    bool      // sent somewhere by the dispatcher
}

const (
	reportMoving   = time.Second
	reportCruising = 3 * time.Second
	reportStanding = 20 * time.Second
	reportScene    = 5 * time.Second
)

// step moves the vehicle to now; elapsed is the time since the last step.
func (v *Vehicle) step(now time.Time, elapsed time.Duration) (finished bool) {
	switch v.phase {
	case driving:
		target := v.cursor.usual() * v.factor
		// 2 m/s² up and 3 m/s² down keep speeds believable at corners and stops.
		if target > v.speed {
			v.speed = min(target, v.speed+2*elapsed.Seconds())
		} else {
			v.speed = max(target, v.speed-3*elapsed.Seconds())
		}
		var done bool
		v.at, v.course, done = v.cursor.drive(v.speed * elapsed.Seconds())
		if done {
			v.speed = 0
		}
		return done
	default:
		v.speed = 0
		return !now.Before(v.until)
	}
}

// stand parks the vehicle, with or without lights, for a while.
func (v *Vehicle) stand(now time.Time, lights bool, d time.Duration) {
	v.phase, v.lights, v.until = parked, lights, now.Add(d)
	if lights {
		v.phase = onScene
	}
}

// follow starts a drive.
func (v *Vehicle) follow(p Path, lights bool, factor float64) {
	v.phase, v.cursor, v.lights, v.factor = driving, cursor{path: p}, lights, factor
}

// reports are the items due at now; nil most of the time.
func (v *Vehicle) reports(now time.Time) []Item {
	changed := v.lights != v.said
	if now.Before(v.report) && !changed {
		return nil
	}
	pause := reportStanding
	switch {
	case v.phase == driving && v.lights:
		pause = reportMoving
	case v.phase == driving:
		pause = reportCruising
	case v.phase == onScene:
		pause = reportScene
	}
	v.report, v.said = now.Add(pause), v.lights
	items := []Item{v.point(now)}
	if v.Role == ArrowBoard {
		active := v.lights
		items = append(items, Item{Type: "closure", Asset: v.HaasID, At: stamp(now), Active: &active, Pattern: v.pattern})
	}
	return items
}

func (v *Vehicle) point(now time.Time) Item {
	// GPS noise: 1.5 m while moving, less when standing (receivers average).
	noise := 0.6
	if v.speed > 0 {
		noise = 1.5
	}
	p := offset(v.at, v.rng.NormFloat64()*noise, v.rng.NormFloat64()*noise)
	speed, accuracy := round(v.speed, 2), round(3+v.rng.Float64()*3, 1)
	lat, lng, lights := round(p.Lat, 7), round(p.Lng, 7), v.lights
	item := Item{Type: "point", Asset: v.HaasID, At: stamp(now), Lat: &lat, Lng: &lng, Speed: &speed, Accuracy: &accuracy, Alerting: &lights}
	if v.speed > 0.5 {
		course := round(v.course, 1)
		item.Course = &course
	}
	if v.Role == ArrowBoard {
		item.Alerting = nil // a board says its pattern, it has no lights of its own
	}
	return item
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

func round(v float64, decimals int) float64 {
	scale := 1.0
	for range decimals {
		scale *= 10
	}
	if v < 0 {
		return -float64(int64(-v*scale+0.5)) / scale
	}
	return float64(int64(v*scale+0.5)) / scale
}
