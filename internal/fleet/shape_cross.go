package fleet

import (
	"cmp"
	"slices"
	"sort"
)

// side is an edge of a ring for the sweep: a is the western end, of a
// north-south one the southern.
type side struct {
	a, b spot
	next int // the side that follows in its ring
}

// crossed reports whether the outline of rings meets itself anywhere but where
// one side follows the other. A line sweeps from west to east and knows the
// sides that it cuts from south to north; only sides that become neighbors are
// compared (Shamos and Hoey), which takes n log n steps, whatever the shape.
func crossed(rings [][]spot) bool {
	sides, folded := sidesOf(rings)
	if folded {
		return true
	}
	w := sweep{sides: sides}
	for _, e := range eventsOf(sides) {
		if e.ends && w.leave(e.side) || !e.ends && w.enter(e.side) {
			return true
		}
	}
	return false
}

// sidesOf makes the sides; folded means that one goes back over the one before.
func sidesOf(rings [][]spot) (sides []side, folded bool) {
	for _, ring := range rings {
		first, n := len(sides), len(ring)
		for i, a := range ring {
			b, c := ring[(i+1)%n], ring[(i+2)%n]
			if turn(a, b, c) == 0 && int64(a.x-b.x)*int64(c.x-b.x)+int64(a.y-b.y)*int64(c.y-b.y) > 0 {
				return nil, true
			}
			if before(b, a) < 0 {
				a, b = b, a
			}
			sides = append(sides, side{a, b, first + (i+1)%n})
		}
	}
	return sides, false
}

func before(p, q spot) int { return cmp.Or(cmp.Compare(p.x, q.x), cmp.Compare(p.y, q.y)) }

// event is where the sweep meets an end of a side.
type event struct {
	at   spot
	ends bool
	side int
}

func eventsOf(sides []side) []event {
	events := make([]event, 0, 2*len(sides))
	for i, s := range sides {
		events = append(events, event{s.a, false, i}, event{s.b, true, i})
	}
	slices.SortFunc(events, func(p, q event) int {
		c := before(p.at, q.at)
		if c == 0 && p.ends != q.ends { // at one spot sides enter first: all that meet there are known together
			if q.ends {
				return -1
			}
			return 1
		}
		return c
	})
	return events
}

// sweep holds the sides that the line cuts, from south to north.
type sweep struct {
	sides []side
	cuts  []int
}

// enter puts a side among the cuts and reports whether it meets a neighbor.
func (w *sweep) enter(i int) bool {
	t := w.sides[i]
	k := sort.Search(len(w.cuts), func(k int) bool {
		s := w.sides[w.cuts[k]]
		v := turn(s.a, s.b, t.a)
		if v == 0 {
			v = turn(s.a, s.b, t.b)
		}
		return v < 0
	})
	w.cuts = slices.Insert(w.cuts, k, i)
	return k > 0 && w.meet(w.cuts[k-1], i) || k+1 < len(w.cuts) && w.meet(i, w.cuts[k+1])
}

// leave takes a side away and reports whether the two that become neighbors meet.
func (w *sweep) leave(i int) bool {
	k := slices.Index(w.cuts, i)
	w.cuts = slices.Delete(w.cuts, k, k+1)
	return k > 0 && k < len(w.cuts) && w.meet(w.cuts[k-1], w.cuts[k])
}

// meet reports whether two sides touch that do not follow each other.
func (w *sweep) meet(i, j int) bool {
	s, t := w.sides[i], w.sides[j]
	return s.next != j && t.next != i && touch(s, t)
}

func touch(s, t side) bool {
	apart := func(v, u int64) bool { return v > 0 && u > 0 || v < 0 && u < 0 }
	return s.a.x <= t.b.x && t.a.x <= s.b.x && min(s.a.y, s.b.y) <= max(t.a.y, t.b.y) && min(t.a.y, t.b.y) <= max(s.a.y, s.b.y) &&
		!apart(turn(s.a, s.b, t.a), turn(s.a, s.b, t.b)) && !apart(turn(t.a, t.b, s.a), turn(t.a, t.b, s.b))
}
