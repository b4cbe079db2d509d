package simulate

import (
	"context"
	"math/rand/v2"
	"sort"
	"time"
)

// Role is how a vehicle spends its shift.
type Role uint8

// The roles.
const (
	Responder  Role = iota // waits at its station, is sent to scenes
	Patrol                 // drives around, stops traffic, is sent to scenes
	Tow                    // waits, follows the responders
	RoadCrew               // works along streets with lights on
	ArrowBoard             // stands at a work zone and shows a pattern
	Collection             // stops every few houses
)

// incident is a scene that units are sent to.
type incident struct {
	at       LatLng
	until    time.Time
	towAt    time.Time
	towAsked bool
}

// Fleet moves vehicles and sends them to incidents.
type Fleet struct {
	Vehicles []*Vehicle
	Roads    Roads
	Center   LatLng
	RadiusM  float64
	Hazards  *Hazards // nil = nobody reports any

	rng       *rand.Rand
	incidents []*incident
	nextCall  time.Time
	last      time.Time
}

// NewFleet readies vehicles at now; the same seed gives the same shift.
func NewFleet(vehicles []*Vehicle, roads Roads, center LatLng, radiusM float64, seed uint64, now time.Time) *Fleet {
	f := &Fleet{Vehicles: vehicles, Roads: roads, Center: center, RadiusM: radiusM,
		rng: rand.New(rand.NewPCG(seed, 1)), last: now, nextCall: now}
	for i, v := range vehicles {
		v.rng = rand.New(rand.NewPCG(seed, uint64(i)+2))
		v.at = v.Home
		v.stand(now, false, time.Duration(v.rng.Int64N(int64(time.Minute))))
		if v.Role == ArrowBoard {
			v.pattern = arrowPatterns[i%len(arrowPatterns)]
		}
		// Transponders are not in step with one another.
		v.report = now.Add(time.Duration(v.rng.Int64N(int64(2 * time.Second))))
	}
	return f
}

var arrowPatterns = []string{"right-arrow-flashing", "left-arrow-sequential", "four-corners-flashing"}

// Silent are the reports of vehicles that fell silent: one point each, in the past.
func (f *Fleet) Silent(now time.Time) []Item {
	var out []Item
	for _, v := range f.Vehicles {
		if v.LastSeen > 0 {
			at := now.Add(-v.LastSeen)
			out = append(out, v.point(at))
			if v.Role == ArrowBoard { // nobody has seen it go off
				on := true
				out = append(out, Item{Type: "closure", Asset: v.HaasID, At: stamp(at), Active: &on, Pattern: v.pattern})
			}
		}
	}
	return out
}

// Step moves everything to now and returns what the transponders say.
func (f *Fleet) Step(ctx context.Context, now time.Time) []Item {
	elapsed := now.Sub(f.last)
	f.last = now
	f.dispatch(ctx, now)
	var out []Item
	for _, v := range f.Vehicles {
		if v.LastSeen > 0 {
			continue
		}
		if v.step(now, elapsed) {
			f.next(ctx, v, now)
		}
		out = append(out, v.reports(now)...)
	}
	if f.Hazards != nil {
		out = append(out, f.Hazards.step(f.Roads, f.Center, f.RadiusM, now)...)
	}
	return out
}

// dispatch opens incidents and sends the nearest free units.
func (f *Fleet) dispatch(ctx context.Context, now time.Time) {
	kept := f.incidents[:0]
	for _, in := range f.incidents {
		if now.Before(in.until) {
			kept = append(kept, in)
		}
		if !in.towAsked && now.After(in.towAt) {
			in.towAsked = true
			f.send(ctx, in, Tow, 1, now)
		}
	}
	f.incidents = kept
	if now.Before(f.nextCall) || len(f.incidents) >= 4 {
		return
	}
	f.nextCall = now.Add(time.Duration(30+f.rng.IntN(60)) * time.Second)
	in := &incident{at: f.Roads.Place(f.rng, f.Center, f.RadiusM), until: now.Add(time.Duration(9+f.rng.IntN(8)) * time.Minute)}
	in.towAt, in.towAsked = now.Add(3*time.Minute), f.rng.IntN(2) == 0
	f.incidents = append(f.incidents, in)
	f.send(ctx, in, Responder, 1+f.rng.IntN(3), now)
	f.send(ctx, in, Patrol, 1, now)
}

func (f *Fleet) send(ctx context.Context, in *incident, role Role, n int, now time.Time) {
	var free []*Vehicle
	for _, v := range f.Vehicles {
		if v.Role == role && !v.busy && !v.Idle && v.LastSeen == 0 {
			free = append(free, v)
		}
	}
	sort.SliceStable(free, func(i, j int) bool { return distance(free[i].at, in.at) < distance(free[j].at, in.at) })
	for _, v := range free[:min(n, len(free))] {
		v.busy = true
		// Units do not stand on one spot: up to 15 m apart along the scene.
		spot := offset(in.at, v.rng.Float64()*20-10, v.rng.Float64()*20-10)
		v.follow(f.Roads.Route(ctx, v.at, spot), true, 1.35)
		v.until = in.until
	}
}

// next decides what a vehicle does after it has finished something.
func (f *Fleet) next(ctx context.Context, v *Vehicle, now time.Time) {
	if v.busy {
		switch v.phase {
		case driving: // arrived
			left := max(2*time.Minute, v.until.Sub(now))
			v.stand(now, true, left)
		default: // the scene is clear
			v.busy = false
			f.home(ctx, v, now)
		}
		return
	}
	if v.Idle {
		v.stand(now, false, time.Hour)
		return
	}
	switch v.Role {
	case Responder, Tow:
		if distance(v.at, v.Home) > 60 {
			f.home(ctx, v, now)
			return
		}
		v.stand(now, false, time.Minute)
	case Patrol:
		if v.phase == driving && v.rng.IntN(3) == 0 {
			v.stand(now, true, time.Duration(2+v.rng.IntN(4))*time.Minute) // a traffic stop
			return
		}
		v.follow(f.Roads.Route(ctx, v.at, f.Roads.Place(v.rng, f.Center, f.RadiusM*1.3)), false, 0.9)
	case RoadCrew:
		if v.phase == driving {
			v.stand(now, true, time.Duration(4+v.rng.IntN(8))*time.Minute)
			return
		}
		v.follow(f.Roads.Route(ctx, v.at, f.Roads.Place(v.rng, v.Home, 1500)), v.rng.IntN(2) == 0, 0.6)
	case ArrowBoard:
		v.stand(now, !v.lights || v.rng.IntN(4) > 0, time.Duration(5+v.rng.IntN(15))*time.Minute)
	case Collection:
		f.collect(ctx, v, now)
	}
}

// collect drives a round with a stop at every few houses.
func (f *Fleet) collect(ctx context.Context, v *Vehicle, now time.Time) {
	if v.phase == driving {
		v.stand(now, false, time.Duration(10+v.rng.IntN(25))*time.Second)
		return
	}
	v.follow(f.Roads.Route(ctx, v.at, f.Roads.Place(v.rng, v.at, 350)), false, 0.5)
	if distance(v.at, v.Home) > 4000 {
		f.home(ctx, v, now)
	}
}

func (f *Fleet) home(ctx context.Context, v *Vehicle, now time.Time) {
	if v.Role == Patrol {
		v.follow(f.Roads.Route(ctx, v.at, f.Roads.Place(v.rng, f.Center, f.RadiusM)), false, 0.9)
		return
	}
	if distance(v.at, v.Home) < 60 {
		v.stand(now, false, time.Minute)
		return
	}
	v.follow(f.Roads.Route(ctx, v.at, v.Home), false, 0.95)
}
