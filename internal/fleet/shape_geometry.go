package fleet

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"strconv"
)

// geometry is a shape as it was sent: rings without the closing repeat of their
// first spot, or a line. Spots that fall on the one before are left out.
type geometry struct {
	polygons [][][]spot // outline first, then holes
	line     []spot
	isLine   bool
	open     bool // a ring did not end where it begins
}

// Position is [longitude, latitude] with an altitude or none; nothing else will do.
type Position [2]float64

var errPosition = errors.New("a position is [longitude, latitude]")

// UnmarshalJSON implements json.Unmarshaler.
func (p *Position) UnmarshalJSON(b []byte) error {
	if len(b) < 2 || b[0] != '[' {
		return errPosition
	}
	parts := bytes.Split(b[1:len(b)-1], []byte{','})
	if len(parts) != 2 && len(parts) != 3 {
		return errPosition
	}
	for i, part := range parts {
		v, err := strconv.ParseFloat(string(bytes.TrimSpace(part)), 64)
		if err != nil {
			return errPosition
		}
		if i < 2 {
			p[i] = v
		}
	}
	return nil
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
	var (
		g        geometry
		polygons [][][]Position
		rings    [][]Position
		line     []Position
		err      error
	)
	switch wire.Type {
	case "Polygon":
		err = json.Unmarshal(wire.Coordinates, &rings)
		polygons = [][][]Position{rings}
	case "MultiPolygon":
		err = json.Unmarshal(wire.Coordinates, &polygons)
	case "LineString":
		g.isLine = true
		err = json.Unmarshal(wire.Coordinates, &line)
	default:
		err = errPosition
	}
	if err != nil {
		return nil, refuseShape(shapeUnreadable)
	}
	if sentence := g.take(polygons, line); sentence != "" {
		return nil, refuseShape(sentence)
	}
	return &g, nil
}

// take puts positions on the grid.
func (g *geometry) take(polygons [][][]Position, line []Position) (sentence string) {
	count, onTheMap := len(line), true
	put := func(list []Position) []spot {
		out := make([]spot, 0, len(list))
		for _, p := range list {
			if onTheMap = onTheMap && OnMap(p[1], p[0]); !onTheMap {
				return nil
			}
			if s := spotOf(p[1], p[0]); len(out) == 0 || out[len(out)-1] != s {
				out = append(out, s)
			}
		}
		return out
	}
	for _, rings := range polygons {
		for _, ring := range rings {
			count += max(0, len(ring)-1)
		}
	}
	if count > maxVertices {
		return shapeTooMany
	}
	g.line = put(line)
	for _, rings := range polygons {
		var spots [][]spot
		for _, ring := range rings {
			if len(ring) > 0 && ring[0] != ring[len(ring)-1] {
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
	if !onTheMap {
		return shapeOffMap
	}
	return ""
}

func (g *geometry) rings() (out [][]spot) {
	for _, rings := range g.polygons {
		out = append(out, rings...)
	}
	return out
}

// breach says what the law refuses; empty when all is well, but for the size.
func (g *geometry) breach() string {
	if sentence := g.unplaced(); sentence != "" {
		return sentence
	}
	if g.open {
		return shapeOpen
	}
	if crossed(g.rings()) {
		return shapeCrossed
	}
	return g.misplaced()
}

// unplaced says why the shape cannot be matched at all: too few points, or across a pole or the 180th meridian.
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

// hasThree tells whether a ring has 3 spots that differ.
func hasThree(ring []spot) bool {
	for _, p := range ring {
		if p != ring[0] && p != ring[1] {
			return true
		}
	}
	return false
}

// aroundPole tells whether a ring, going the shorter way from spot to spot, goes all around the earth.
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

// misplaced looks at rings that do not meet: one spot tells where the whole ring lies.
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

// within tells whether a spot lies in a ring; not for spots on it.
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
