package osm

import (
	"cmp"
	"context"
	"slices"
	"sync/atomic"

	"github.com/paulmach/orb"

	"lightbar/internal/geo/tiles"
)

// shaper is the third stage: geometries from kept ways, into the oven.
type shaper struct {
	table   *nodeTable
	parts   []*wayParts
	oven    *tiles.Oven
	broken  atomic.Int64 // multipolygons that do not close
	members []memberWay  // sorted by id
	parks   parkLabels
}

// spread runs work over n items on all of the oven's workers, in portions.
func (s *shaper) spread(ctx context.Context, n, portion int, progress func(done int64),
	work func(worker *tiles.OvenWorker, scratch *scratch, i int)) error {
	return s.oven.Spread(ctx, n, portion, progress, func(w *tiles.OvenWorker) func(int) {
		var sc scratch
		return func(i int) { work(w, &sc, i) }
	})
}

// scratch is one goroutine's reusable memory.
type scratch struct {
	nodes []uint32
	line  orb.LineString
}

// areas draws the closed ways.
func (s *shaper) areas(ctx context.Context, progress func(done int64)) error {
	for _, p := range s.parts {
		err := s.spread(ctx, len(p.areas), 256, progress, func(w *tiles.OvenWorker, sc *scratch, i int) {
			a := &p.areas[i]
			sc.nodes = s.table.readRefs(p.arena.get(a.refs), sc.nodes)
			if slices.Contains(sc.nodes, noNode) {
				return // cut at the extract's border
			}
			s.area(w, &a.shape, []orb.Ring{s.ring(sc.nodes)})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// area finds how large an area is, which decides order and first zoom.
func (s *shaper) area(w *tiles.OvenWorker, look *tiles.Shape, rings []orb.Ring) {
	sized := *look
	area := max(tiles.RingArea(rings[0]), -tiles.RingArea(rings[0]))
	if area == 0 {
		return
	}
	if look.Layer == layerLanduse || look.Layer == layerPark {
		sized.Order = areaOrder(area)
	}
	if look.Layer == layerPark {
		sized.Fields = s.parks.take(look.Fields, rings, area)
	}
	if look.Layer == layerBuilding && area < largeBuilding {
		sized.MinZoom = lastZoom
	}
	w.Polygon(&sized, rings)
}

// largeBuilding is about 2000 m² at 40° (in parts of the world's square).
const largeBuilding = 2000.0 / (30.7e6 * 30.7e6)

// areaOrder puts larger areas first, in steps of factor 4.
func areaOrder(area float64) uint8 {
	order := uint8(0)
	for area < 1e-3 && order < 60 {
		area *= 4
		order++
	}
	return order
}

func (s *shaper) ring(nodes []uint32) orb.Ring {
	ring := make(orb.Ring, len(nodes))
	for i, n := range nodes {
		ring[i] = tiles.WorldPoint(s.table.at[n])
	}
	return ring
}

// relations draws the multipolygons.
func (s *shaper) relations(ctx context.Context, set *relationSet, progress func(done int64)) error {
	for _, p := range s.parts {
		s.members = append(s.members, p.members...)
	}
	slices.SortFunc(s.members, func(a, b memberWay) int { return cmp.Compare(a.id, b.id) })
	return s.spread(ctx, len(set.areas), 16, progress, func(w *tiles.OvenWorker, _ *scratch, i int) {
		s.relation(w, &set.areas[i])
	})
}

func (s *shaper) relation(w *tiles.OvenWorker, r *areaRelation) {
	look, drawn := r.shape, !r.bare
	var outer, inner [][]uint32
	for _, m := range r.members {
		i, ok := slices.BinarySearchFunc(s.members, m.way, func(w memberWay, id int64) int { return cmp.Compare(w.id, id) })
		if !ok {
			continue
		}
		way := &s.members[i]
		nodes := s.table.readRefs(s.parts[way.owner].arena.get(way.refs), nil)
		if m.inner {
			inner = append(inner, nodes)
			continue
		}
		if !drawn && way.drawn {
			look, drawn = way.shape, true
		}
		outer = append(outer, nodes)
	}
	if !drawn {
		return
	}
	outerRings, broken := joinRings(outer)
	innerRings, _ := joinRings(inner)
	if broken > 0 {
		s.broken.Add(1)
	}
	for _, rings := range toPolygons(s.rings(outerRings), s.rings(innerRings)) {
		s.area(w, &look, rings)
	}
}

func (s *shaper) rings(nodes [][]uint32) []orb.Ring {
	out := make([]orb.Ring, len(nodes))
	for i := range nodes {
		out[i] = s.ring(nodes[i])
	}
	return out
}

// lines joins and draws the lines, group by group.
func (s *shaper) lines(ctx context.Context, groups *lineGroups, progress func(done int64)) error {
	var all []lineWay
	for _, p := range s.parts {
		all = append(all, p.lines...)
		p.lines = nil
	}
	slices.SortFunc(all, func(a, b lineWay) int { return cmp.Or(cmp.Compare(a.group, b.group), cmp.Compare(a.id, b.id)) })
	var starts []int
	for i := range all {
		if i == 0 || all[i].group != all[i-1].group {
			starts = append(starts, i)
		}
	}
	return s.spread(ctx, len(starts), 16, progress, func(w *tiles.OvenWorker, sc *scratch, i int) {
		end := len(all)
		if i+1 < len(starts) {
			end = starts[i+1]
		}
		group := &groups.list[all[starts[i]].group]
		var lines [][]uint32
		for j := starts[i]; j < end; j++ {
			lines = s.appendRuns(lines, sc, &all[j])
		}
		for _, line := range chainLines(lines, group.directed) {
			sc.line = sc.line[:0]
			for _, n := range line {
				sc.line = append(sc.line, tiles.WorldPoint(s.table.at[n]))
			}
			w.Line(&group.shape, sc.line)
		}
	})
}

// appendRuns adds a way's nodes, split where the extract lacks some.
func (s *shaper) appendRuns(lines [][]uint32, sc *scratch, l *lineWay) [][]uint32 {
	sc.nodes = s.table.readRefs(s.parts[l.owner].arena.get(l.refs), sc.nodes)
	if l.reversed {
		slices.Reverse(sc.nodes)
	}
	return splitRuns(lines, sc.nodes)
}

// splitRuns copies the parts between absent nodes that have two nodes or more.
func splitRuns(out [][]uint32, nodes []uint32) [][]uint32 {
	for len(nodes) > 0 {
		n := slices.Index(nodes, noNode)
		if n < 0 {
			n = len(nodes)
		}
		if n >= 2 {
			out = append(out, slices.Clone(nodes[:n]))
		}
		nodes = nodes[min(n+1, len(nodes)):]
	}
	return out
}
