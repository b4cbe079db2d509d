package tiles

import (
	"math"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/clip"
	"github.com/paulmach/orb/simplify"

	"lightbar/internal/geo"
)

// Shape is how a geometry is drawn.
type Shape struct {
	Layer            uint8
	MinZoom, MaxZoom uint8
	Order            uint8 // within the layer: lower is drawn first
	Fields           Fields
}

// cutter cuts geometries into the pieces they leave in tiles. Geometries are
// in world coordinates: Mercator, 0 to 1 from west to east and north to south.
type cutter struct {
	maxZoom uint8
	grid    grid
	emit    func(p *piece)
	piece   piece
	scaled  orb.LineString
	ints    []tilePoint
}

// grid is how finely a tile is divided, how far it reaches into its neighbors
// and how much lines are simplified, all in units of its own.
type grid struct{ extent, buffer, simplify, simplifyLast float64 }

var (
	// MapLibre shows 8 units as a pixel; the last zoom is shown enlarged.
	FineGrid = grid{extent: 4096, buffer: 64, simplify: 4, simplifyLast: 1}
	// For the base, whose sources are no finer; 4 units are a pixel.
	baseGrid = grid{extent: 2048, buffer: 16, simplify: 3, simplifyLast: 4}
)

// Tolerances in units of the fine grid; MapLibre shows 8 of them as a pixel.
const (
	simplifyUnits     = 4.0   // half a pixel
	simplifyUnitsLast = 1.0   // the last zoom is shown enlarged
	leastAreaUnits    = 128.0 // two square pixels
	leastAreaLast     = 4.0
	leastLineUnits    = 4.0
)

// world projects degrees; latitudes beyond the map's edge are held there.
func world(lat, lng float64) orb.Point {
	sin := math.Sin(max(-85.0511287, min(85.0511287, lat)) * math.Pi / 180)
	return orb.Point{lng/360 + 0.5, 0.5 - math.Log((1+sin)/(1-sin))/(4*math.Pi)}
}

func WorldPoint(p geo.Point) orb.Point { return world(geo.FromFixed(p.Lat), geo.FromFixed(p.Lng)) }

func (c *cutter) zooms(s *Shape) (from, to uint8) { return s.MinZoom, min(s.MaxZoom, c.maxZoom) }

// Point adds a point, to the one tile it lies in.
func (c *cutter) Point(s *Shape, at orb.Point) {
	from, to := c.zooms(s)
	for z := from; z <= to; z++ {
		side := float64(uint32(1) << z)
		x := uint32(max(0, min(side-1, math.Floor(at[0]*side))))
		y := uint32(max(0, min(side-1, math.Floor(at[1]*side))))
		p := tilePoint{int32((at[0]*side - float64(x)) * c.grid.extent), int32((at[1]*side - float64(y)) * c.grid.extent)}
		c.begin(s, z, x, y, geomPoints)
		c.piece.geom = append(c.piece.geom, 1<<3|1)
		c.piece.geom = appendDelta(c.piece.geom, tilePoint{}, p)
		c.piece.end = p
		c.emit(&c.piece)
	}
}

func (c *cutter) begin(s *Shape, z uint8, x, y uint32, kind geomKind) {
	c.piece = piece{tile: tileID(z, x, y), layer: s.Layer, order: s.Order, kind: kind, fields: s.Fields, geom: c.piece.geom[:0]}
}

// Line adds a line to all tiles it touches.
func (c *cutter) Line(s *Shape, line orb.LineString) {
	from, to := c.zooms(s)
	for z := from; z <= to; z++ {
		scaled := c.scale(z, line)
		scaled = simplify.DouglasPeucker(c.tolerance(z)).LineString(scaled)
		bound := scaled.Bound()
		if z < c.maxZoom && max(bound.Max[0]-bound.Min[0], bound.Max[1]-bound.Min[1]) < leastLineUnits*c.grid.extent/FineGrid.extent {
			continue
		}
		c.splitLine(s, z, c.grid.around(z, bound), orb.MultiLineString{scaled})
	}
}

func (c *cutter) tolerance(z uint8) float64 {
	if z == c.maxZoom {
		return c.grid.simplifyLast
	}
	return c.grid.simplify
}

func (c *cutter) scale(z uint8, line []orb.Point) orb.LineString {
	units := float64(uint32(1)<<z) * c.grid.extent
	c.scaled = c.scaled[:0]
	for _, p := range line {
		c.scaled = append(c.scaled, orb.Point{p[0] * units, p[1] * units})
	}
	return c.scaled
}

// tileRange is a block of tiles, all bounds included.
type tileRange struct{ x0, y0, x1, y1 int }

func (g grid) around(z uint8, b orb.Bound) tileRange {
	last := float64(uint32(1)<<z - 1)
	tile := func(v float64) int { return int(max(0, min(last, math.Floor(v/g.extent)))) }
	return tileRange{tile(b.Min[0] - g.buffer), tile(b.Min[1] - g.buffer), tile(b.Max[0] + g.buffer), tile(b.Max[1] + g.buffer)}
}

// halves splits the longer side; edge is the border between the halves.
func (t tileRange) halves(g grid) (axis int, edge float64, low, high tileRange) {
	low, high = t, t
	if t.x1-t.x0 >= t.y1-t.y0 {
		mid := (t.x0 + t.x1) / 2
		low.x1, high.x0 = mid, mid+1
		return 0, float64(mid+1) * g.extent, low, high
	}
	mid := (t.y0 + t.y1) / 2
	low.y1, high.y0 = mid, mid+1
	return 1, float64(mid+1) * g.extent, low, high
}

func (t tileRange) single() bool { return t.x0 == t.x1 && t.y0 == t.y1 }

func (c *cutter) splitLine(s *Shape, z uint8, t tileRange, lines orb.MultiLineString) {
	if len(lines) == 0 {
		return
	}
	if t.single() {
		c.emitLines(s, z, t, lines)
		return
	}
	axis, edge, low, high := t.halves(c.grid)
	below, above := everything, everything
	below.Max[axis], above.Min[axis] = edge+c.grid.buffer, edge-c.grid.buffer
	c.splitLine(s, z, low, clip.MultiLineString(below, lines))
	c.splitLine(s, z, high, clip.MultiLineString(above, lines))
}

var everything = orb.Bound{Min: orb.Point{math.Inf(-1), math.Inf(-1)}, Max: orb.Point{math.Inf(1), math.Inf(1)}}

func (c *cutter) emitLines(s *Shape, z uint8, t tileRange, lines orb.MultiLineString) {
	// A tile at the edge of the range may be touched by the buffer only.
	lines = clip.MultiLineString(c.grid.bound(t), lines)
	c.begin(s, z, uint32(t.x0), uint32(t.y0), geomLines)
	for _, line := range lines {
		if c.toInts(t, line); len(c.ints) >= 2 {
			c.path(c.ints, false)
		}
	}
	if len(c.piece.geom) > 0 {
		c.emit(&c.piece)
	}
}

func (g grid) bound(t tileRange) orb.Bound {
	return orb.Bound{
		Min: orb.Point{float64(t.x0)*g.extent - g.buffer, float64(t.y0)*g.extent - g.buffer},
		Max: orb.Point{float64(t.x0+1)*g.extent + g.buffer, float64(t.y0+1)*g.extent + g.buffer},
	}
}

// toInts rounds to tile coordinates and drops repeated points.
func (c *cutter) toInts(t tileRange, line []orb.Point) {
	c.ints = c.ints[:0]
	x0, y0 := float64(t.x0)*c.grid.extent, float64(t.y0)*c.grid.extent
	for _, p := range line {
		q := tilePoint{int32(math.Round(p[0] - x0)), int32(math.Round(p[1] - y0))}
		if n := len(c.ints); n == 0 || c.ints[n-1] != q {
			c.ints = append(c.ints, q)
		}
	}
}

// path appends MoveTo, LineTo and, for rings, ClosePath.
func (c *cutter) path(points []tilePoint, closed bool) {
	g := append(c.piece.geom, 1<<3|1)
	g = appendDelta(g, c.piece.end, points[0])
	g = appendUvarint(g, uint64(len(points)-1)<<3|2)
	for i := 1; i < len(points); i++ {
		g = appendDelta(g, points[i-1], points[i])
	}
	if closed {
		g = append(g, 1<<3|7)
	}
	c.piece.geom, c.piece.end = g, points[len(points)-1]
}
