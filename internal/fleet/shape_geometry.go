package fleet

import (
	"encoding/json"
	"math"
)

// geometry is a shape as it was sent: rings without the closing repeat of their
// first spot, or a line. Spots that fall on the one before are left out.
type geometry struct {
	polygons [][][]spot // outline first, then holes
	line     []spot
	isLine   bool
	open     bool // a ring did not end where it begins
	high     bool // an altitude is none
}

// decodeGeometry reads the text and refuses what is not to be judged further:
// another type, too many spots, spots off the map.
func decodeGeometry(text []byte) (*geometry, error) {
	var wire struct {
		Type        string          `json:"type"`
		Coordinates json.RawMessage `json:"coordinates"`
	}
	if json.Unmarshal(text, &wire) != nil {
		return nil, refuseShape(shapeUnreadable)
	}
	if wire.Type == "Point" {
		return nil, refuseShape(shapeUnreadable)
	}
	outline, err := ReadOutline(wire.Type, wire.Coordinates)
	if err != nil {
		return nil, refuseShape(shapeUnreadable)
	}
	if outline.many || outline.off {
		return nil, refuseShape(outline.Breach())
	}
	g := &geometry{isLine: wire.Type == "LineString", high: outline.high}
	g.take(outline.Polygons)
	return g, nil
}

// take puts positions on the grid.
func (g *geometry) take(polygons [][][]Position) {
	put := func(list []Position) []spot {
		out := make([]spot, 0, len(list))
		for _, p := range list {
			if s := spotOf(p.Lat, p.Lng); len(out) == 0 || out[len(out)-1] != s {
				out = append(out, s)
			}
		}
		return out
	}
	if g.isLine {
		g.line = put(polygons[0][0])
		return
	}
	for _, rings := range polygons {
		var spots [][]spot
		for _, ring := range rings {
			if last := len(ring) - 1; last >= 0 && (ring[0].Lng != ring[last].Lng || ring[0].Lat != ring[last].Lat) {
				g.open = true
			}
			r := put(ring)
			if len(r) > 1 && r[0] == r[len(r)-1] {
				r = r[:len(r)-1]
			}
			spots = append(spots, r)
		}
		g.polygons = append(g.polygons, spots)
	}
}

func (g *geometry) rings() (out [][]spot) {
	for _, rings := range g.polygons {
		out = append(out, rings...)
	}
	return out
}

// breach is what the law refuses; empty when all is well, except for the size.
func (g *geometry) breach() string {
	if sentence := g.unplaced(); sentence != "" {
		return sentence
	}
	if g.open {
		return shapeOpen
	}
	if g.high {
		return shapeAltitude
	}
	if crossed(g.rings()) {
		return shapeCrossed
	}
	return g.misplaced()
}

// unplaced is why the shape cannot be matched at all: too few points, or across a pole or the 180th meridian.
func (g *geometry) unplaced() string {
	if g.isLine && len(g.line) < 2 {
		return shapeShortLine
	}
	if !g.isLine && len(g.polygons) == 0 {
		return shapeTooFew
	}
	for _, rings := range g.polygons {
		if len(rings) == 0 {
			return shapeTooFew
		}
		for _, ring := range rings {
			if !hasThree(ring) {
				return shapeTooFew
			}
			if aroundPole(ring) {
				return shapePole
			}
		}
	}
	lo, hi := g.box()
	switch {
	case lo.y == -90*fixed || hi.y == 90*fixed:
		return shapePole
	case int64(hi.x)-int64(lo.x) >= 180*fixed:
		return shapeMeridian
	}
	return ""
}

// hasThree reports whether a ring has 3 spots that differ.
func hasThree(ring []spot) bool {
	for _, p := range ring {
		if p != ring[0] && p != ring[1] {
			return true
		}
	}
	return false
}

// aroundPole reports whether a ring, going the shorter way from spot to spot, goes all around the earth.
func aroundPole(ring []spot) bool {
	const turn = int64(360 * fixed)
	sum := int64(0)
	for i, p := range ring {
		d := int64(ring[(i+1)%len(ring)].x) - int64(p.x)
		if d > turn/2 {
			d -= turn
		} else if d < -turn/2 {
			d += turn
		}
		sum += d
	}
	return sum != 0
}

func (g *geometry) box() (lo, hi spot) {
	lo, hi = spot{math.MaxInt32, math.MaxInt32}, spot{math.MinInt32, math.MinInt32}
	for _, ring := range append(g.rings(), g.line) {
		for _, p := range ring {
			lo, hi = spot{min(lo.x, p.x), min(lo.y, p.y)}, spot{max(hi.x, p.x), max(hi.y, p.y)}
		}
	}
	return lo, hi
}

// misplaced checks rings that do not meet: one spot shows where the whole ring lies.
func (g *geometry) misplaced() string {
	for i, rings := range g.polygons {
		for h, hole := range rings[1:] {
			if !within(rings[0], hole[0]) {
				return shapeHole
			}
			for o, other := range rings[1:] {
				if o != h && within(other, hole[0]) {
					return shapeHole
				}
			}
		}
		for o, others := range g.polygons {
			if o != i && insidePolygon(others, rings[0][0]) {
				return shapeOverlap
			}
		}
	}
	return ""
}

func insidePolygon(rings [][]spot, p spot) bool {
	in := within(rings[0], p)
	for _, hole := range rings[1:] {
		in = in && !within(hole, p)
	}
	return in
}

// within reports whether a spot lies in a ring; not for spots on it.
func within(ring []spot, p spot) bool {
	in := false
	for i, a := range ring {
		if b := ring[(i+1)%len(ring)]; newEdge(a, b).passes(p) {
			in = !in
		}
	}
	return in
}

// shape prepares what was read.
func (g *geometry) shape() *Shape {
	s := &Shape{kind: shapePolygon}
	s.lo, s.hi = g.box()
	if g.isLine {
		s.kind = shapeLine
		var edges []edge
		for i := range g.line[1:] {
			edges = append(edges, newEdge(g.line[i], g.line[i+1]))
		}
		s.strips = strips{edges: edges}
		s.sketch = sketch{box: boxBetween(s.lo, s.hi)}
		s.lat, s.lng = halfway(g.line)
		return s
	}
	var edges []edge
	largest, most := 0, -1.0
	for i, rings := range g.polygons {
		size := 0.0
		for r, ring := range rings {
			for k, a := range ring {
				edges = append(edges, newEdge(a, ring[(k+1)%len(ring)]))
			}
			if m2 := ringM2(ring); r == 0 {
				size = m2
			} else {
				size -= m2
			}
		}
		if s.areaM2 += size; size > most {
			largest, most = i, size
		}
	}
	s.strips = cut(edges, s.lo.y, s.hi.y)
	s.sketch = sketchPolygon(s.lo, s.hi, edges, s.decide)
	s.lat, s.lng = anchor(s, g.polygons[largest])
	return s
}

// ringM2 is the size of a ring of great circles on the sphere: for each edge
// the excess of the triangle with the pole, less that along the equator.
func ringM2(ring []spot) float64 {
	const rad = math.Pi / 180
	sum := 0.0
	last := ring[len(ring)-1]
	t1 := math.Tan(FromFixed(last.y) * rad / 2)
	for _, p := range ring {
		t2 := math.Tan(FromFixed(p.y) * rad / 2)
		turn := math.Tan(float64(int64(p.x)-int64(last.x)) / fixed * rad / 2)
		sum += math.Atan2(turn*(t1+t2), 1+t1*t2)
		last, t1 = p, t2
	}
	return math.Abs(2*sum) * sphereRadiusM * sphereRadiusM
}

// halfway is the middle of a line, by its length.
func halfway(line []spot) (lat, lng float64) {
	length := func(a, b spot) float64 {
		return DistanceM(FromFixed(a.y), FromFixed(a.x), FromFixed(b.y), FromFixed(b.x))
	}
	rest := 0.0
	for i := range line[1:] {
		rest += length(line[i], line[i+1]) / 2
	}
	for i := range line[1:] {
		a, b := line[i], line[i+1]
		l := length(a, b)
		if l >= rest {
			f := rest / l
			return FromFixed(a.y) + f*(FromFixed(b.y)-FromFixed(a.y)), FromFixed(a.x) + f*(FromFixed(b.x)-FromFixed(a.x))
		}
		rest -= l
	}
	end := line[len(line)-1]
	return FromFixed(end.y), FromFixed(end.x)
}
