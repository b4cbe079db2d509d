package tiles

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/simplify"
)

func appendUvarint(b []byte, v uint64) []byte { return binary.AppendUvarint(b, v) }

// Polygon adds a polygon, outer ring first, to all tiles it touches, at the
// zooms where it is large enough to be seen. Rings are closed; their winding
// does not matter.
func (c *cutter) Polygon(s *Shape, rings []orb.Ring) {
	from, to := c.zooms(s)
	area := math.Abs(RingArea(rings[0]))
	for z := from; z <= to; z++ {
		units := float64(uint32(1)<<z) * FineGrid.extent
		least := leastAreaUnits
		if z == c.maxZoom {
			least = leastAreaLast
		}
		if area*units*units < least {
			continue
		}
		kept := make([]orb.Ring, 0, len(rings))
		bound := orb.Bound{}
		for i, ring := range rings {
			if i > 0 && math.Abs(RingArea(ring))*units*units < least {
				continue // a hole too small to be seen
			}
			simple := simplify.DouglasPeucker(c.tolerance(z)).LineString(slices.Clone(c.scale(z, ring)))
			if len(simple) < 4 {
				if i == 0 {
					break
				}
				continue
			}
			if i == 0 {
				bound = simple.Bound()
			}
			kept = append(kept, orb.Ring(simple))
		}
		if len(kept) > 0 {
			c.splitArea(s, z, c.grid.around(z, bound), kept)
		}
	}
}

func (c *cutter) splitArea(s *Shape, z uint8, t tileRange, rings []orb.Ring) {
	if t.single() {
		c.emitArea(s, z, t, rings)
		return
	}
	axis, edge, low, high := t.halves(c.grid)
	if part := cutRings(rings, axis, edge+c.grid.buffer, true); part != nil {
		c.splitArea(s, z, low, part)
	}
	if part := cutRings(rings, axis, edge-c.grid.buffer, false); part != nil {
		c.splitArea(s, z, high, part)
	}
}

// cutRings keeps the part on one side of a line; nil when nothing of the outer ring is there.
func cutRings(rings []orb.Ring, axis int, edge float64, below bool) []orb.Ring {
	var out []orb.Ring
	for i, ring := range rings {
		part := cutRing(ring, axis, edge, below)
		if len(part) >= 4 {
			out = append(out, part)
		} else if i == 0 {
			return nil
		}
	}
	return out
}

// cutRing clips a closed ring at one line (Sutherland and Hodgman). A ring
// that lies wholly inside comes back as it is.
func cutRing(ring orb.Ring, axis int, edge float64, below bool) orb.Ring {
	inside := func(p orb.Point) bool {
		if below {
			return p[axis] <= edge
		}
		return p[axis] >= edge
	}
	first := slices.IndexFunc(ring, func(p orb.Point) bool { return !inside(p) })
	if first < 0 {
		return ring
	}
	var out orb.Ring
	for i := 1; i < len(ring); i++ {
		a, b := ring[i-1], ring[i]
		if inside(a) {
			out = append(out, a)
		}
		if inside(a) != inside(b) {
			share := (edge - a[axis]) / (b[axis] - a[axis])
			p := orb.Point{a[0] + (b[0]-a[0])*share, a[1] + (b[1]-a[1])*share}
			p[axis] = edge
			out = append(out, p)
		}
	}
	if len(out) > 0 {
		out = append(out, out[0])
	}
	return out
}

func (c *cutter) emitArea(s *Shape, z uint8, t tileRange, rings []orb.Ring) {
	b := c.grid.bound(t)
	for axis := range 2 { // the outermost tiles have not been cut on all sides
		if rings = cutRings(rings, axis, b.Max[axis], true); rings == nil {
			return
		}
		if rings = cutRings(rings, axis, b.Min[axis], false); rings == nil {
			return
		}
	}
	c.begin(s, z, uint32(t.x0), uint32(t.y0), geomPolygons)
	for i, ring := range rings {
		c.toInts(t, ring)
		if n := len(c.ints); n > 1 && c.ints[0] == c.ints[n-1] {
			c.ints = c.ints[:n-1]
		}
		area := pointsArea(c.ints)
		if len(c.ints) < 3 || area == 0 {
			if i == 0 {
				return
			}
			continue
		}
		if (area > 0) != (i == 0) { // outer rings positive, holes negative, y downwards
			slices.Reverse(c.ints)
		}
		c.path(c.ints, true)
	}
	c.emit(&c.piece)
}

// pointsArea is twice the signed area.
func pointsArea(points []tilePoint) int64 {
	var sum int64
	for i, p := range points {
		q := points[(i+1)%len(points)]
		sum += int64(p.x)*int64(q.y) - int64(q.x)*int64(p.y)
	}
	return sum
}

// RingArea is the signed area of a closed ring.
func RingArea(ring orb.Ring) float64 {
	var sum float64
	for i := 1; i < len(ring); i++ {
		// Relative to the first point: world coordinates of small things are close together.
		a := orb.Point{ring[i-1][0] - ring[0][0], ring[i-1][1] - ring[0][1]}
		b := orb.Point{ring[i][0] - ring[0][0], ring[i][1] - ring[0][1]}
		sum += a[0]*b[1] - b[0]*a[1]
	}
	return sum / 2
}
