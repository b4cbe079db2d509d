package simulate

import (
	"context"
	"math"
	"math/rand/v2"

	"lightbar/internal/geo"
	"lightbar/internal/geo/route"
)

// LatLng is a position in degrees.
type LatLng = geo.LatLng

// metersPerDegree of latitude; longitudes shrink by the cosine.
const metersPerDegree = 111_195.0

func distance(a, b LatLng) float64 { return geo.DistanceM(a, b) }

// offset moves a position by meters north and east.
func offset(p LatLng, north, east float64) LatLng {
	return LatLng{Lat: p.Lat + north/metersPerDegree, Lng: p.Lng + east/(metersPerDegree*math.Cos(p.Lat*math.Pi/180))}
}

// Path is a way to drive: points and the usual speed in m/s on the leg after each.
type Path struct {
	Points []LatLng
	Speeds []float64
}

// Roads finds ways to drive and places to stop. The zero value knows no
// streets: it drives straight lines, as a server without a region shows none.
type Roads struct{ Index *route.Roads }

// usualSpeed when nothing is known of a street, m/s (25 mph).
const usualSpeed = 11.2

// Route is the way from a to b.
func (r Roads) Route(ctx context.Context, a, b LatLng) Path {
	if r.Index != nil {
		if p, ok := r.streetRoute(ctx, a, b); ok {
			return p
		}
	}
	return straight(a, b)
}

func straight(a, b LatLng) Path {
	n := max(1, int(distance(a, b)/200))
	p := Path{}
	for i := 0; i <= n; i++ {
		f := float64(i) / float64(n)
		p.Points = append(p.Points, between(a, b, f))
		p.Speeds = append(p.Speeds, usualSpeed)
	}
	return p
}

func between(a, b LatLng, f float64) LatLng {
	return LatLng{Lat: a.Lat + (b.Lat-a.Lat)*f, Lng: a.Lng + (b.Lng-a.Lng)*f}
}

// streetRoute is the way by the road index; false when it knows none.
func (r Roads) streetRoute(ctx context.Context, a, b LatLng) (Path, bool) {
	route, err := r.Index.Route(ctx, []LatLng{a, b}, route.RouteOptions{})
	if err != nil || len(route.Points) < 2 {
		return Path{}, false
	}
	p := Path{Points: route.Points, Speeds: make([]float64, len(route.Points))}
	for _, step := range route.Steps {
		for i := step.From; i < step.To; i++ {
			p.Speeds[i] = step.SpeedKmh / 3.6
		}
	}
	return p, true
}

// Place is a position on a street within radius meters of center.
func (r Roads) Place(rng *rand.Rand, center LatLng, radius float64) LatLng {
	for range 12 {
		p := offset(center, (rng.Float64()*2-1)*radius, (rng.Float64()*2-1)*radius)
		if r.Index == nil {
			return p
		}
		if s, ok := r.Index.Nearest(p.Lat, p.Lng, math.NaN()); ok && s.DistanceM < 150 && s.Name != "" {
			return LatLng{Lat: s.Lat, Lng: s.Lng}
		}
	}
	return center
}

// Ahead is the street from a position, for so many meters, in the direction in which it runs straightest; nil without streets.
func (r Roads) Ahead(at LatLng, meters float64) (best []LatLng) {
	if r.Index == nil {
		return nil
	}
	farM := 0.0
	for heading := 0.0; heading < 360; heading += 45 {
		line, _ := r.Index.Downstream(at, heading, 30, meters)
		if len(line) < 2 {
			continue
		}
		if m := distance(line[0], line[len(line)-1]); m > farM {
			best, farM = line, m
		}
	}
	return best
}

// cursor drives along a path.
type cursor struct {
	path Path
	leg  int
	into float64 // meters into the leg
}

// drive advances by meters and reports whether the end is reached.
func (c *cursor) drive(meters float64) (at LatLng, course float64, done bool) {
	for c.leg+1 < len(c.path.Points) {
		a, b := c.path.Points[c.leg], c.path.Points[c.leg+1]
		length := distance(a, b)
		if c.into+meters < length {
			c.into += meters
			f := c.into / length
			return between(a, b, f), geo.HeadingDeg(a, b), false
		}
		meters -= length - c.into
		c.into = 0
		c.leg++
	}
	last := len(c.path.Points) - 1
	if last > 0 {
		course = geo.HeadingDeg(c.path.Points[last-1], c.path.Points[last])
	}
	return c.path.Points[last], course, true
}

// usual is the street's speed where the cursor is, m/s.
func (c *cursor) usual() float64 {
	if c.leg < len(c.path.Speeds) && c.path.Speeds[c.leg] > 0 {
		return c.path.Speeds[c.leg]
	}
	return usualSpeed
}
