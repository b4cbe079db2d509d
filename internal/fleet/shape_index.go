package fleet

import "math/bits"

// ShapeIndex finds shapes by position. The earth, as far as shapes reach, is cut
// into squares, and a square with many shapes into smaller ones; each square of
// the last kind has the shapes that reach it side by side, with their boxes. So
// a position leads to one place in memory, which is what a search waits for. An
// index is made once and never changed: any number of readers share it.
type ShapeIndex struct {
	all     box      // holds all shapes
	shift   uint8    // the squares of the first cut are 1<<shift grid steps wide and high
	squares []square // of one cut after the other
	entries []entry
}

const (
	cutBits     = 4 // a cut makes 16 × 16 squares
	cutSide     = 1 << cutBits
	squaresACut = cutSide * cutSide
	fewShapes   = 8 // are not worth a cut
	copiesMade  = 4 // of a shape, on average, are the most that a cut is worth
)

// square has n entries from a place on; or it is cut again, and at is the number of its cut.
type square struct{ at, n int32 }

const isCut = -1

// entry is a shape in a square, and its place in the list that the index was made of.
type entry struct {
	sketch
	n     int32
	shape *Shape
}

// extent is a part of the earth, both ends included, in grid steps from the corner of all shapes.
type extent struct{ x0, y0, x1, y1 uint32 }

func (x *ShapeIndex) extentOf(lo, hi spot) extent {
	x0, y0 := x.all.from(lo)
	x1, y1 := x.all.from(hi)
	return extent{x0, y0, x1, y1}
}

// squaresOf visits the squares of a cut that an extent reaches; ox, oy is the corner of the cut.
func squaresOf(e extent, ox, oy uint32, shift uint8, visit func(k int)) {
	end := uint32(uint64(cutSide)<<shift - 1)
	fx, fy := (max(e.x0, ox)-ox)>>shift, (max(e.y0, oy)-oy)>>shift
	tx, ty := min(e.x1-ox, end)>>shift, min(e.y1-oy, end)>>shift
	for cx := fx; cx <= tx; cx++ {
		for cy := fy; cy <= ty; cy++ {
			visit(int(cx<<cutBits | cy))
		}
	}
}

// cornerOf is the corner of the k-th square of a cut.
func cornerOf(k int, ox, oy uint32, shift uint8) (x, y uint32) {
	return ox + uint32(k>>cutBits)<<shift, oy + uint32(k&(cutSide-1))<<shift
}

// NewShapeIndex makes an index of shapes; searches answer with their places in the list.
func NewShapeIndex(shapes []*Shape) *ShapeIndex {
	x := &ShapeIndex{}
	if len(shapes) == 0 {
		return x
	}
	lo, hi := shapes[0].lo, shapes[0].hi
	for _, s := range shapes {
		lo, hi = spot{min(lo.x, s.lo.x), min(lo.y, s.lo.y)}, spot{max(hi.x, s.hi.x), max(hi.y, s.hi.y)}
	}
	x.all = boxBetween(lo, hi)
	x.shift = uint8(max(0, bits.Len32(max(x.all.width, x.all.height))-cutBits))
	x.entries = make([]entry, 0, 2*len(shapes)+len(shapes)/8)
	m := indexMaker{x: x, shapes: shapes, extents: make([]extent, len(shapes))}
	list := make([]int32, len(shapes))
	for n, s := range shapes {
		list[n], m.extents[n] = int32(n), x.extentOf(s.lo, s.hi)
	}
	m.cut(list, 0, 0, x.shift)
	return x
}

type indexMaker struct {
	x       *ShapeIndex
	shapes  []*Shape
	extents []extent
}

// cut cuts a square with some shapes and returns the number of the cut.
func (m *indexMaker) cut(list []int32, ox, oy uint32, shift uint8) int32 {
	var starts [squaresACut + 1]int32
	for _, n := range list {
		squaresOf(m.extents[n], ox, oy, shift, func(k int) { starts[k+1]++ })
	}
	for k := range squaresACut {
		starts[k+1] += starts[k]
	}
	in := make([]int32, starts[squaresACut])
	next := starts
	for _, n := range list {
		squaresOf(m.extents[n], ox, oy, shift, func(k int) {
			in[next[k]] = n
			next[k]++
		})
	}
	first := len(m.x.squares)
	m.x.squares = append(m.x.squares, make([]square, squaresACut)...)
	for k := range squaresACut {
		part := in[starts[k]:starts[k+1]]
		sx, sy := cornerOf(k, ox, oy, shift)
		if m.worth(part, sx, sy, shift) {
			m.x.squares[first+k] = square{m.cut(part, sx, sy, shift-cutBits), isCut}
			continue
		}
		m.x.squares[first+k] = square{int32(len(m.x.entries)), int32(len(part))}
		for _, n := range part {
			m.x.entries = append(m.x.entries, entry{m.shapes[n].sketch, n, m.shapes[n]})
		}
	}
	return int32(first / squaresACut)
}

// worth reports whether a square is worth a cut: it has many shapes, and they are smaller than it is.
func (m *indexMaker) worth(list []int32, ox, oy uint32, shift uint8) bool {
	if len(list) <= fewShapes || shift < cutBits {
		return false
	}
	copies := 0
	for _, n := range list {
		squaresOf(m.extents[n], ox, oy, shift-cutBits, func(int) { copies++ })
	}
	return copies <= copiesMade*len(list)
}

// square has the entries among which are all shapes that hold a spot.
func (x *ShapeIndex) square(p spot) []entry {
	dx, dy := x.all.from(p)
	if len(x.squares) == 0 || dx > x.all.width || dy > x.all.height {
		return nil
	}
	s := square{0, isCut}
	for shift := x.shift; s.n == isCut; shift -= cutBits {
		s = x.squares[s.at*squaresACut+int32(dx>>shift&(cutSide-1)<<cutBits|dy>>shift&(cutSide-1))]
	}
	return x.entries[s.at : s.at+s.n]
}

// At visits the shapes that hold a position, in no order.
func (x *ShapeIndex) At(lat, lng float64, visit func(n int)) {
	p := spotOf(lat, lng)
	in := x.square(p)
	for i := range in {
		e := &in[i]
		if v := e.judge(p); v == inside || v == unsure && e.shape.decide(p) {
			visit(int(e.n))
		}
	}
}

// Near visits shapes that lie within some meters of a position, in no order and perhaps more than once, while visit returns true.
func (x *ShapeIndex) Near(lat, lng, withinM float64, visit func(n int) (more bool)) {
	if len(x.squares) == 0 {
		return
	}
	lo, hi := Reach(lat, lng, withinM)
	from := spot{clampFixed(lo[0]*fixed, 180), clampFixed(lo[1]*fixed, 90)}
	to := spot{clampFixed(hi[0]*fixed, 180), clampFixed(hi[1]*fixed, 90)}
	if all := x.all.hi(); from.x > all.x || from.y > all.y || to.x < x.all.x || to.y < x.all.y {
		return
	}
	reach := x.extentOf(spot{max(from.x, x.all.x), max(from.y, x.all.y)}, to)
	x.each(0, reach, 0, 0, x.shift, func(e *entry) bool {
		return e.shape.DistanceFromM(lat, lng) > withinM || visit(int(e.n))
	})
}

// each visits the entries of the squares that an extent reaches, from a cut on.
func (x *ShapeIndex) each(cut int32, reach extent, ox, oy uint32, shift uint8, visit func(*entry) bool) bool {
	more := true
	squaresOf(reach, ox, oy, shift, func(k int) {
		s := x.squares[int(cut)*squaresACut+k]
		if s.n == isCut {
			sx, sy := cornerOf(k, ox, oy, shift)
			more = more && x.each(s.at, reach, sx, sy, shift-cutBits, visit)
			return
		}
		for i := range s.n {
			more = more && visit(&x.entries[s.at+i])
		}
	})
	return more
}

// Find is the place of a shape of the list.
func (x *ShapeIndex) Find(s *Shape) (n int, ok bool) {
	for _, e := range x.square(s.lo) {
		if e.shape == s {
			return int(e.n), true
		}
	}
	return 0, false
}
