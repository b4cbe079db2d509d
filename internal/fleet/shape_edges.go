package fleet

import (
	"cmp"
	"math"
	"slices"
)

// edge is a straight line between two spots, the southern one first.
type edge struct{ a, b spot }

func newEdge(a, b spot) edge {
	if b.y < a.y {
		a, b = b, a
	}
	return edge{a, b}
}

// turn is above 0 where p lies to the left of the way from a to b, 0 on the
// straight line through them. It is exact for shapes of less than 180 degrees.
func turn(a, b, p spot) int64 {
	return int64(b.x-a.x)*int64(p.y-a.y) - int64(p.x-a.x)*int64(b.y-a.y)
}

// passes reports whether a ray from p to the east meets the edge; its northern end does not count.
func (e edge) passes(p spot) bool {
	return p.y >= e.a.y && p.y < e.b.y && turn(e.a, e.b, p) > 0
}

// strips are the edges of a shape sorted into strips of latitude, so that a
// position looks at the few edges of its own. An edge is in each strip that it reaches.
type strips struct {
	edges  []edge
	shift  uint8                  // a strip is 1<<shift grid steps high
	starts [stripsMost + 1]uint16 // of each strip in edges, and the end
}

// A strip has a few edges, but a shape has no more than stripsMost of them, and
// edges that reach many strips are not copied more than copiesMost times on average.
const (
	edgesAStrip = 4
	stripsMost  = 32
	copiesMost  = 4
)

// cut sorts the edges of rings into strips.
func cut(edges []edge, south, north int32) (s strips) {
	most := min(len(edges)/edgesAStrip, stripsMost-1)
	copies := func() (n int) {
		for _, e := range edges {
			n += s.at(e.b.y-south) - s.at(e.a.y-south) + 1
		}
		return n
	}
	for s.at(north-south) > most || copies() > copiesMost*len(edges) {
		s.shift++
	}
	each := func(visit func(k int, e edge)) {
		for _, e := range edges {
			for k := s.at(e.a.y - south); k <= s.at(e.b.y-south); k++ {
				visit(k, e)
			}
		}
	}
	each(func(k int, _ edge) { s.starts[k+1]++ })
	for k := range stripsMost {
		s.starts[k+1] += s.starts[k]
	}
	s.edges = make([]edge, s.starts[stripsMost])
	next := s.starts
	each(func(k int, e edge) {
		s.edges[next[k]] = e
		next[k]++
	})
	return s
}

// at is the strip of a height above the south of the box.
func (s *strips) at(height int32) int { return int(uint32(height) >> s.shift) }

// contain reports whether a spot of the box lies inside or on an edge.
func (s *strips) contain(p spot, south int32) bool {
	k := s.at(p.y - south)
	in := false
	for _, e := range s.edges[s.starts[k]:s.starts[k+1]] {
		if p.y < e.a.y || p.y > e.b.y {
			continue
		}
		switch side := turn(e.a, e.b, p); {
		case side == 0:
			if p.x >= min(e.a.x, e.b.x) && p.x <= max(e.a.x, e.b.x) {
				return true
			}
		case side > 0 && p.y < e.b.y:
			in = !in
		}
	}
	return in
}

// anchor finds a place within the shape: the center of gravity of a polygon,
// else the middle of the widest stretch on one of some parallels through it,
// else a corner.
func anchor(s *Shape, rings [][]spot) (lat, lng float64) {
	p := gravity(rings[0])
	if !s.Contains(FromFixed(p.y), FromFixed(p.x)) {
		p = widest(s, rings)
	}
	return FromFixed(p.y), FromFixed(p.x)
}

func span(ring []spot) (south, north int32) {
	south, north = ring[0].y, ring[0].y
	for _, p := range ring {
		south, north = min(south, p.y), max(north, p.y)
	}
	return south, north
}

func gravity(ring []spot) spot {
	o := ring[0]
	var twice, x, y float64
	for i, a := range ring {
		b := ring[(i+1)%len(ring)]
		ax, ay, bx, by := float64(a.x-o.x), float64(a.y-o.y), float64(b.x-o.x), float64(b.y-o.y)
		w := ax*by - bx*ay
		twice, x, y = twice+w, x+(ax+bx)*w, y+(ay+by)*w
	}
	if twice == 0 {
		return o
	}
	return spot{o.x + int32(math.Round(x/twice/3)), o.y + int32(math.Round(y/twice/3))}
}

func widest(s *Shape, rings [][]spot) spot {
	south, north := span(rings[0])
	best, width := rings[0][0], int32(0)
	for _, eighths := range []int64{4, 2, 6, 1, 3, 5, 7} {
		y := south + int32(int64(north-south)*eighths/8)
		var meets []int32
		for _, ring := range rings {
			for i, a := range ring {
				e := newEdge(a, ring[(i+1)%len(ring)])
				if y >= e.a.y && y < e.b.y {
					f := float64(y-e.a.y) / float64(e.b.y-e.a.y)
					meets = append(meets, e.a.x+int32(math.Round(f*float64(e.b.x-e.a.x))))
				}
			}
		}
		slices.SortFunc(meets, cmp.Compare[int32])
		for i := 0; i+1 < len(meets); i += 2 {
			p := spot{meets[i] + (meets[i+1]-meets[i])/2, y}
			if w := meets[i+1] - meets[i]; w > width && s.Contains(FromFixed(p.y), FromFixed(p.x)) {
				best, width = p, w
			}
		}
	}
	return best
}
