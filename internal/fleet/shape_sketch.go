package fleet

import "math"

// sketch decides for most positions whether they are in a shape, by its box alone: the box is cut into 8 × 8 cells, and one that no
// edge comes near is inside or outside as a whole. Other positions are left to the shape.
type sketch struct {
	box
	inside, unsure uint64 // bit sets of cells
	round          bool   // a circle, which fills its box but for the corners
}

const (
	sketchSide = 8
	// A circle's outline lies between these parts of the ellipse in its box,
	// squared. The box is rounded to the grid and as wide as the circle is on its
	// polar side: for the radii and latitudes of sketchCircle that is less than 1 %.
	surelyIn, surelyOut = 0.98, 1.02
)

// box is what lies from a spot up to so many grid steps to the east and north,
// so that one comparison decides an axis.
type box struct {
	x, y          int32
	width, height uint32
}

func boxBetween(lo, hi spot) box {
	return box{lo.x, lo.y, uint32(hi.x) - uint32(lo.x), uint32(hi.y) - uint32(lo.y)}
}

func (b *box) hi() spot { return spot{int32(uint32(b.x) + b.width), int32(uint32(b.y) + b.height)} }

// from is how far a spot lies to the east and north of the box's corner;
// differences that are below zero wrap around and are larger than any box.
func (b *box) from(p spot) (dx, dy uint32) {
	return uint32(p.x) - uint32(b.x), uint32(p.y) - uint32(b.y)
}

type verdict uint8

const (
	outside verdict = iota
	inside
	unsure
)

// judge returns where a spot lies.
func (s *sketch) judge(p spot) verdict {
	dx, dy := s.from(p)
	if dx > s.width || dy > s.height {
		return outside
	}
	if s.round {
		w, h := float64(s.width), float64(s.height)
		x, y := (2*float64(dx)-w)*h, (2*float64(dy)-h)*w
		switch d := x*x + y*y; {
		case d < surelyIn*w*w*h*h:
			return inside
		case d > surelyOut*w*w*h*h:
			return outside
		}
		return unsure
	}
	cell := uint64(1) << (cellAt(dx, s.width)*sketchSide + cellAt(dy, s.height))
	switch {
	case s.unsure&cell != 0:
		return unsure
	case s.inside&cell != 0:
		return inside
	}
	return outside
}

// cellAt is the column or row at a distance from the corner.
func cellAt(d, size uint32) uint64 { return uint64(d) * sketchSide / (uint64(size) + 1) }

// sketchCircle leaves circles that are tiny, huge or near a pole to the shape.
func sketchCircle(lo, hi spot, lat, radiusM float64) sketch {
	s := sketch{box: boxBetween(lo, hi), unsure: math.MaxUint64}
	s.round = radiusM >= 10 && radiusM <= 2000 && math.Abs(lat) <= 75 && lo.x > -180*fixed && hi.x < 180*fixed
	return s
}

// sketchPolygon looks at the edges of a polygon; contain is the law for spots in the box.
func sketchPolygon(lo, hi spot, edges []edge, contain func(spot) bool) sketch {
	s := sketch{box: boxBetween(lo, hi)}
	if s.width < sketchSide*sketchSide || s.height < sketchSide*sketchSide {
		s.unsure = math.MaxUint64
		return s
	}
	framed := true
	for _, e := range edges {
		framed = framed && (e.a.x == e.b.x && (e.a.x == lo.x || e.a.x == hi.x) || e.a.y == e.b.y && (e.a.y == lo.y || e.a.y == hi.y))
		s.touch(e)
	}
	if framed && contain(spot{lo.x + int32(s.width/2), lo.y + int32(s.height/2)}) { // the box itself
		s.inside, s.unsure = math.MaxUint64, 0
		return s
	}
	for cell := range uint64(sketchSide * sketchSide) {
		x, y := uint64(s.width)+1, uint64(s.height)+1
		first := spot{lo.x + int32((cell/sketchSide*x+sketchSide-1)/sketchSide), lo.y + int32((cell%sketchSide*y+sketchSide-1)/sketchSide)}
		if s.unsure&(1<<cell) == 0 && contain(first) {
			s.inside |= 1 << cell
		}
	}
	return s
}

// touch marks the cells that an edge comes near, row by row; a step more on all sides makes up for rounding.
func (s *sketch) touch(e edge) {
	ax, ay := s.from(e.a)
	bx, by := s.from(e.b)
	within := func(v float64, size uint32) uint64 {
		return cellAt(uint32(math.Max(0, math.Min(float64(size), v))), size)
	}
	rowHeight := (float64(s.height) + 1) / sketchSide
	for row := within(float64(ay)-1, s.height); row <= within(float64(by)+1, s.height); row++ {
		south, north := math.Max(float64(ay), float64(row)*rowHeight-1), math.Min(float64(by), float64(row+1)*rowHeight+1)
		x0, x1 := float64(ax), float64(bx)
		if by > ay {
			slope := (float64(bx) - float64(ax)) / float64(by-ay)
			x0, x1 = float64(ax)+slope*(south-float64(ay)), float64(ax)+slope*(north-float64(ay))
		}
		for column := within(math.Min(x0, x1)-2, s.width); column <= within(math.Max(x0, x1)+2, s.width); column++ {
			s.unsure |= 1 << (column*sketchSide + row)
		}
	}
}
