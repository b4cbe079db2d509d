package fleet

import (
	"math"

	"lightbar/catalog"
)

// Two closures share a corridor where their lines lie so near and run the same way.
var (
	corridorM    = catalog.Limit("closure", "corridorM")
	corridorTurn = catalog.Limit("closure", "corridorDegrees")
)

const (
	corridorStepM = 10.0
	corridorSteps = 2000 // of one line at most: longer ones are looked at in longer steps
)

// Box is the bounding box of a line, widened so that lines of one corridor have boxes that meet.
type Box struct{ south, west, north, east float64 }

// BoxOf is the box of a line.
func BoxOf(line []LatLng) Box { return boxAround(line, corridorM) }

// boxAround is the box around everything within some meters of a line.
func boxAround(line []LatLng, meters float64) Box {
	b := Box{90, 180, -90, -180}
	for _, at := range line {
		b.south, b.north = min(b.south, at.Lat), max(b.north, at.Lat)
		b.west, b.east = min(b.west, at.Lng), max(b.east, at.Lng)
	}
	lat := meters / metersPerDegree
	lng := lat / max(0.01, math.Cos(max(math.Abs(b.south), math.Abs(b.north))*math.Pi/180))
	return Box{b.south - lat, b.west - lng, b.north + lat, b.east + lng}
}

func (b Box) holds(lat, lng float64) bool {
	return b.south <= lat && lat <= b.north && b.west <= lng && lng <= b.east
}

// Meets reports whether two boxes share a point.
func (b Box) Meets(o Box) bool {
	return b.south <= o.north && o.south <= b.north && b.west <= o.east && o.west <= b.east
}

// Shared is how much of a line runs in the corridor of another, and the same way,
// meters, and the overlapping parts of the line, in its direction.
func Shared(line, other []LatLng) (meters float64, stretches [][]LatLng) {
	box := BoxOf(line)
	var near [][2]LatLng // the parts of the other that come into question
	for i := 1; i < len(other); i++ {
		if part := [2]LatLng{other[i-1], other[i]}; part[0] != part[1] && box.Meets(BoxOf(part[:])) {
			near = append(near, part)
		}
	}
	step := max(corridorStepM, lengthM(line)/corridorSteps)
	var open []LatLng // the stretch that has begun
	reach := func(at LatLng) {
		if open = append(open, at); len(open) > 1 && open[len(open)-2] == at {
			open = open[:len(open)-1]
		}
	}
	for i := 1; i < len(line) && len(near) > 0; i++ {
		from, to := line[i-1], line[i]
		part := DistanceM(from.Lat, from.Lng, to.Lat, to.Lng)
		n := math.Ceil(part / step)
		along := func(k float64) LatLng {
			return LatLng{from.Lat + (to.Lat-from.Lat)*k/n, from.Lng + (to.Lng-from.Lng)*k/n}
		}
		for k := 0.0; k < n; k++ {
			isBeside := runsBeside(along(k+0.5), from, to, near)
			if isBeside {
				meters += part / n
			}
			if isBeside != (open != nil) { // a common part begins here, or ends
				reach(along(k))
			}
			if !isBeside && open != nil {
				stretches, open = append(stretches, open), nil
			}
		}
		if open != nil {
			reach(to)
		}
	}
	if open != nil {
		stretches = append(stretches, open)
	}
	return meters, stretches
}

// runsBeside reports whether a point of a part from..to has a part of another line beside it that runs the same way.
func runsBeside(at, from, to LatLng, near [][2]LatLng) bool {
	scale := math.Cos(at.Lat * math.Pi / 180)
	plane := func(p LatLng) (x, y float64) {
		return (p.Lng - at.Lng) * scale * metersPerDegree, (p.Lat - at.Lat) * metersPerDegree
	}
	fx, fy := plane(from)
	tx, ty := plane(to)
	for _, part := range near {
		ax, ay := plane(part[0])
		bx, by := plane(part[1])
		dx, dy := bx-ax, by-ay
		along := min(1, max(0, -(ax*dx+ay*dy)/(dx*dx+dy*dy)))
		if math.Hypot(ax+along*dx, ay+along*dy) > corridorM {
			continue
		}
		cross, dot := (tx-fx)*dy-(ty-fy)*dx, (tx-fx)*dx+(ty-fy)*dy
		if math.Abs(math.Atan2(cross, dot)) <= corridorTurn*math.Pi/180 {
			return true
		}
	}
	return false
}

// Meeting is the first time from now on in which both closures are active; zero = there is none.
func Meeting(a, b *Closure, now Instant) Span {
	for s, t := a.after(now), b.after(now); s.From != 0 && t.From != 0; {
		if both := (Span{max(s.From, t.From), min(s.To, t.To)}); both.From < both.To {
			return both
		}
		if s.To <= t.To {
			s = a.after(s.To)
		} else {
			t = b.after(t.To)
		}
	}
	return Span{}
}

// after is the time in which the closure is active at an instant, else the next one after it; zero = none.
func (c *Closure) after(at Instant) Span {
	if is := c.SpanAt(at); is.To > at {
		return is.Span
	}
	return Span{}
}
