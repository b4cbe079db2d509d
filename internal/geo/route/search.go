package route

import (
	"context"
	"math"
	"sync"

	"lightbar/internal/geo"
)

// search is the memory of one A* run, reused through a pool: arrays over all
// junctions, made valid by a stamp instead of being cleared.
type search struct {
	stamp   uint32
	nodes   []visited
	queue   []queued
	settled int
	zero    bool    // Dijkstra: no estimate (tests compare costs)
	on      *onRoad // stays on it where that is possible; nil for any road
	most    uint32  // what the way may cost; 0 for whatever it costs
	work    *Work   // what it may look at; nil for as much as it takes
}

// Work limits how much the searches for one query may examine together. The time of a search means little on a busy machine, and a
// request for streets that lead nowhere examines many; the number of junctions examined is the same everywhere.
type Work struct {
	Junctions int // that may still be looked at
	Pieces    int // of roads that may still be compared with others: see Overlaps
}

// Share takes a part of the work, for one of several searches; give what is left of it back with Return.
func (w *Work) Share(most int) *Work {
	part := &Work{Junctions: min(most, max(w.Junctions, 0))}
	w.Junctions -= part.Junctions
	return part
}

// Return gives back what is left of a part, or takes what it was overdrawn by: a search notices its end by one junction too many.
func (w *Work) Return(part *Work) { w.Junctions += part.Junctions }

// isDone counts a junction, and reports whether none was left.
func (w *Work) isDone() bool {
	if w == nil {
		return false
	}
	w.Junctions--
	return w.Junctions < 0
}

// lookAt counts pieces of roads, and reports whether there were not so many left.
func (w *Work) lookAt(pieces int) bool {
	w.Pieces -= pieces
	return w.Pieces < 0
}

type visited struct {
	stamp, cost uint32
	arc         uint32 // that led here; noArc at a start
	from        uint32 // junction it left
}

type queued struct{ total, node uint32 }

const (
	noArc     = math.MaxUint32
	eitherWay = -1
)

type searchPool struct{ pool sync.Pool }

func (p *searchPool) get(nodes int) *search {
	s, _ := p.pool.Get().(*search)
	if s == nil || len(s.nodes) < nodes {
		s = &search{nodes: make([]visited, nodes)}
	}
	return s
}

func (p *searchPool) put(s *search) { p.pool.Put(s) }

func (s *search) reset() {
	s.queue = s.queue[:0]
	s.settled = 0
	s.stamp++
	if s.stamp == 0 { // wrapped after 4 billion runs
		clear(s.nodes)
		s.stamp = 1
	}
}

// goal is where a run ends: a place on an edge, reached along it either way.
type goal struct {
	edge          uint32
	forth, back   uint32 // ms from the edge's entry to the place, driven forwards and backwards
	lat, lng, cos float64
	msPerM        float64
}

// run finds the fastest way between two places on edges. direction 0 or 1
// leaves the first only forwards or backwards, eitherWay as it likes.
func (s *search) run(ctx context.Context, r *Roads, from, to *snap, direction int) ([]step, error) {
	steps, _, err := s.cheapest(ctx, r, from, to, direction)
	return steps, err
}

func (s *search) cheapest(ctx context.Context, r *Roads, from, to *snap, direction int) ([]step, uint32, error) {
	s.reset()
	g := s.goal(r, to)
	fromForth, fromBack := r.partCosts(from)
	bestCost, bestArc, bestFrom := uint32(math.MaxUint32), uint32(noArc), uint32(0)
	if s.most > 0 {
		bestCost = s.most
	}
	start := &r.edges[from.edge]
	for dir := range uint32(2) {
		if direction != eitherWay && uint32(direction) != dir {
			continue
		}
		tail, rest, passed := start.from, r.edgeCost(start)-min(fromForth, r.edgeCost(start)), fromForth
		if dir == 1 {
			tail, rest, passed = start.to, r.edgeCost(start)-min(fromBack, r.edgeCost(start)), fromBack
		}
		a, ok := r.arcOf(tail, from.edge<<1|dir)
		if !ok {
			continue
		}
		if from.edge == g.edge { // ahead on the same edge?
			ahead := g.forth
			if dir == 1 {
				ahead = g.back
			}
			if ahead >= passed && ahead-passed < bestCost {
				bestCost, bestArc, bestFrom = ahead-passed, a, noArc
			}
		}
		s.reach(r, &g, r.arcs[a].to, rest, a, noArc)
	}
	return s.expand(ctx, r, &g, bestCost, bestArc, bestFrom)
}

// expand settles junctions by rising total until no better end can come.
func (s *search) expand(ctx context.Context, r *Roads, g *goal, bestCost, bestArc, bestFrom uint32) ([]step, uint32, error) {
	for len(s.queue) > 0 {
		top := s.pop()
		if top.total >= bestCost {
			break
		}
		at := &s.nodes[top.node]
		cost := at.cost
		if top.total > saturate(cost, s.estimate(r, g, top.node)) {
			continue // a cheaper way here has been settled already
		}
		if s.settled++; s.work.isDone() || s.settled&1023 == 0 && ctx.Err() != nil {
			return nil, 0, ErrTooLong
		}
		for i := r.firstArc[top.node]; i < r.firstArc[top.node+1]; i++ {
			a := &r.arcs[i]
			if a.edgeDir>>1 == g.edge {
				part := g.forth
				if a.edgeDir&1 == 1 {
					part = g.back
				}
				if total := saturate(cost, part); total < bestCost {
					bestCost, bestArc, bestFrom = total, i, top.node
				}
			}
			s.reach(r, g, a.to, saturate(cost, s.on.cost(r, a)), i, top.node)
		}
	}
	if bestArc == noArc {
		return nil, 0, ErrNoRoute
	}
	return s.unwind(r, bestArc, bestFrom), bestCost, nil
}

// unwind collects the arcs back from the end.
func (s *search) unwind(r *Roads, lastArc, lastFrom uint32) []step {
	steps := []step{{r.arcs[lastArc].edgeDir}}
	for node := lastFrom; node != noArc; {
		v := &s.nodes[node]
		steps = append(steps, step{r.arcs[v.arc].edgeDir})
		node = v.from
	}
	for i, j := 0, len(steps)-1; i < j; i, j = i+1, j-1 {
		steps[i], steps[j] = steps[j], steps[i]
	}
	return steps
}

func (s *search) reach(r *Roads, g *goal, node, cost, arc, from uint32) {
	v := &s.nodes[node]
	if v.stamp == s.stamp && v.cost <= cost {
		return
	}
	*v = visited{stamp: s.stamp, cost: cost, arc: arc, from: from}
	s.push(queued{saturate(cost, s.estimate(r, g, node)), node})
}

func saturate(a, b uint32) uint32 {
	if a > math.MaxUint32-b {
		return math.MaxUint32
	}
	return a + b
}

// estimate never exceeds the true time to the goal: the straight line at the
// region's highest speed, less a little for the plane it is reckoned in.
func (s *search) estimate(r *Roads, g *goal, node uint32) uint32 {
	if s.zero {
		return 0
	}
	p := r.nodes[node]
	dy := float64(p.Lat) - g.lat
	dx := (float64(p.Lng) - g.lng) * g.cos
	// 2 ms less: costs are rounded to whole milliseconds.
	return uint32(max(0, math.Sqrt(dx*dx+dy*dy)*g.msPerM-2))
}

func (s *search) goal(r *Roads, to *snap) goal {
	g := goal{edge: to.edge, lat: to.at.Lat * geo.Fixed, lng: to.at.Lng * geo.Fixed}
	g.forth, g.back = r.partCosts(to)
	// Meridians converge: the cosine of the highest latitude a leg can meet ensures that the estimate is low.
	g.cos = math.Max(0, geo.CosLat(math.Min(90, math.Abs(to.at.Lat)+MaxLegM/geo.MetersPerDegree)))
	g.msPerM = 0.998 * geo.MetersPerDegree / geo.Fixed / (r.maxSpeedKmh / 3.6) * 1000
	return g
}

// partCosts is the time in ms from either end of an edge to a place on it.
func (r *Roads) partCosts(at *snap) (forth, back uint32) {
	e := &r.edges[at.edge]
	var before, total float64
	for i := e.First; i+1 < e.First+e.Count; i++ {
		length := geo.PointMeters(r.points[i], r.points[i+1])
		switch {
		case i < at.segment:
			before += length
		case i == at.segment:
			before += length * at.part
		}
		total += length
	}
	if total == 0 {
		return 0, 0
	}
	cost := r.edgeCost(e)
	forth = min(cost, uint32(float64(cost)*before/total+0.5))
	return forth, cost - forth
}

func (r *Roads) edgeCost(e *Edge) uint32 { return travelMs(e.LengthDm, e.speedKmh) }

// travelMs is rounded up, so that no road is faster than the estimate believes.
func travelMs(lengthDm uint32, speedKmh uint8) uint32 {
	ms := (uint64(lengthDm)*360 + uint64(speedKmh) - 1) / uint64(speedKmh)
	return uint32(max(1, min(ms, math.MaxUint32/2)))
}

// arcOf finds the arc that drives an edge one way, at the junction it leaves.
func (r *Roads) arcOf(node, edgeDir uint32) (uint32, bool) {
	for i := r.firstArc[node]; i < r.firstArc[node+1]; i++ {
		if r.arcs[i].edgeDir == edgeDir {
			return i, true
		}
	}
	return 0, false
}

// The queue is a heap of four children a node: fewer levels, one cache line each.
func (s *search) push(q queued) {
	s.queue = append(s.queue, q)
	i := len(s.queue) - 1
	for i > 0 {
		up := (i - 1) / 4
		if s.queue[up].total <= q.total {
			break
		}
		s.queue[i] = s.queue[up]
		i = up
	}
	s.queue[i] = q
}

func (s *search) pop() queued {
	top := s.queue[0]
	last := s.queue[len(s.queue)-1]
	s.queue = s.queue[:len(s.queue)-1]
	n := len(s.queue)
	if n == 0 {
		return top
	}
	i := 0
	for {
		child := i*4 + 1
		if child >= n {
			break
		}
		least := child
		for c := child + 1; c < min(child+4, n); c++ {
			if s.queue[c].total < s.queue[least].total {
				least = c
			}
		}
		if s.queue[least].total >= last.total {
			break
		}
		s.queue[i] = s.queue[least]
		i = least
	}
	s.queue[i] = last
	return top
}
