package osm

import (
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"

	"lightbar/internal/geo/tiles"
)

// joinRings joins ways end to end into closed rings of node indexes; ways that do not close are left out and counted.
func joinRings(ways [][]uint32) (rings [][]uint32, broken int) {
	ends := lineEnds{}
	used := make([]bool, len(ways))
	for i, w := range ways {
		if len(w) < 2 || slices.Contains(w, noNode) {
			used[i] = true
			broken++
			continue
		}
		first, last := w[0], w[len(w)-1]
		if first == last {
			used[i] = true
			if len(w) >= 4 {
				rings = append(rings, w)
			}
			continue
		}
		ends[first] = append(ends[first], i)
		ends[last] = append(ends[last], i)
	}
	for i := range ways {
		if used[i] {
			continue
		}
		used[i] = true
		ring := slices.Clone(ways[i])
		for ring[0] != ring[len(ring)-1] {
			end := ring[len(ring)-1]
			next, ok := ends.take(end, used)
			if !ok {
				break
			}
			if ways[next][0] == end {
				ring = append(ring, ways[next][1:]...)
			} else {
				ring = appendBackwards(ring, ways[next])
			}
		}
		if ring[0] == ring[len(ring)-1] && len(ring) >= 4 {
			rings = append(rings, ring)
		} else {
			broken++
		}
	}
	return rings, broken
}

// toPolygons gives each outer ring its holes. A hole belongs to the smallest
// outer ring around it.
func toPolygons(outer, inner []orb.Ring) [][]orb.Ring {
	polygons := make([][]orb.Ring, len(outer))
	areas := make([]float64, len(outer))
	bounds := make([]orb.Bound, len(outer))
	for i, ring := range outer {
		polygons[i] = []orb.Ring{ring}
		areas[i] = max(tiles.RingArea(ring), -tiles.RingArea(ring))
		bounds[i] = ring.Bound()
	}
	for _, hole := range inner {
		best := -1
		for i, ring := range outer {
			if (best < 0 || areas[i] < areas[best]) && bounds[i].Contains(hole[0]) && holds(ring, hole) {
				best = i
			}
		}
		if best >= 0 {
			polygons[best] = append(polygons[best], hole)
		}
	}
	return polygons
}

// holds reports whether a ring contains another: by the first corner of the
// other that is not a corner of both.
func holds(ring, other orb.Ring) bool {
	corners := make(map[orb.Point]bool, len(ring))
	for _, p := range ring {
		corners[p] = true
	}
	for _, p := range other {
		if !corners[p] {
			return planar.RingContains(ring, p)
		}
	}
	return true
}
