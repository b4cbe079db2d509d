package route

import "slices"

// restrict makes turn restrictions part of the graph: an arc that may not be
// followed by every other leads to a copy of its junction that has only the
// allowed ways out. A search over junctions stays exact and needs no rules.
func (b *roadsBuilder) restrict(rules []TurnRule) {
	if len(rules) == 0 {
		return
	}
	d := &b.data
	into := b.arcsInto(rules)
	banned := map[uint32]map[uint32]bool{} // loose arc → edgeDirs that may not follow
	for _, rule := range rules {
		if !b.junctions.has(rule.Via) {
			continue
		}
		via := b.junctions.rank(rule.Via)
		for _, in := range into[via] {
			if !slices.Contains(b.ruled[rule.From], b.loose[in].edgeDir>>1) {
				continue
			}
			for _, out := range b.forbidden(rule, via, b.loose[in].edgeDir) {
				if banned[in] == nil {
					banned[in] = map[uint32]bool{}
				}
				banned[in][out] = true
			}
		}
	}
	b.copyJunctions(d, banned)
}

// arcsInto lists the loose arcs that lead to the junctions with rules.
func (b *roadsBuilder) arcsInto(rules []TurnRule) map[uint32][]uint32 {
	into := map[uint32][]uint32{}
	for _, rule := range rules {
		if b.junctions.has(rule.Via) {
			into[b.junctions.rank(rule.Via)] = nil
		}
	}
	for i := range b.loose {
		if list, ok := into[b.loose[i].to]; ok {
			into[b.loose[i].to] = append(list, uint32(i))
		}
	}
	return into
}

// forbidden gives the ways out of via that a rule closes to those who came by in.
func (b *roadsBuilder) forbidden(rule TurnRule, via, in uint32) (out []uint32) {
	d := &b.data
	targets := b.ruled[rule.To]
	arcs := d.arcs[d.firstArc[via]:d.firstArc[via+1]]
	back := in ^ 1
	if rule.Only {
		// A rule whose target does not leave here would close the junction.
		if !slices.ContainsFunc(arcs, func(a arc) bool { return slices.Contains(targets, a.edgeDir>>1) }) {
			return nil
		}
		for _, a := range arcs {
			if !slices.Contains(targets, a.edgeDir>>1) {
				out = append(out, a.edgeDir)
			}
		}
		return out
	}
	for _, a := range arcs {
		turnsBack := a.edgeDir == back
		switch {
		case rule.UTurn && rule.From == rule.To:
			if turnsBack {
				out = append(out, a.edgeDir)
			}
		case slices.Contains(targets, a.edgeDir>>1) && (rule.From != rule.To || turnsBack):
			out = append(out, a.edgeDir)
		}
	}
	return out
}

func (b *roadsBuilder) copyJunctions(d *RoadsData, banned map[uint32]map[uint32]bool) {
	inArcs := make([]uint32, 0, len(banned))
	for in := range banned {
		inArcs = append(inArcs, in)
	}
	slices.Sort(inArcs)
	// First all redirections, so that the copied ways out lead to copies too.
	original := make([]uint32, len(inArcs))
	for i, in := range inArcs {
		original[i] = b.loose[in].to
		b.loose[in].to = uint32(len(d.Nodes))
		d.Nodes = append(d.Nodes, d.Nodes[original[i]])
	}
	leaving := map[uint32][]looseArc{}
	for _, via := range original {
		leaving[via] = nil
	}
	for _, a := range b.loose {
		if list, ok := leaving[a.from]; ok {
			leaving[a.from] = append(list, a)
		}
	}
	for i, in := range inArcs {
		for _, a := range leaving[original[i]] {
			if !banned[in][a.edgeDir] {
				a.from = b.loose[in].to
				b.loose = append(b.loose, a)
			}
		}
	}
}

// markMain flags the edges in the largest part of the graph in which every
// place can be reached from every other (strongly connected component), and
// only those: routes begin and end on them.
func (b *roadsBuilder) markMain() {
	d := &b.data
	component, sizes := strongComponents(d.firstArc, d.arcs)
	largest := uint32(0)
	for c, size := range sizes {
		if size > sizes[largest] {
			largest = uint32(c)
		}
	}
	for n := range d.Nodes {
		for _, a := range d.arcs[d.firstArc[n]:d.firstArc[n+1]] {
			if component[n] == largest && component[a.to] == largest {
				d.Edges[a.edgeDir>>1].Flags |= edgeMain
			}
		}
	}
}

// strongComponents is Tarjan's algorithm without recursion: the component of
// each junction, and how many junctions each component has.
func strongComponents(firstArc []uint32, arcs []arc) (component []uint32, sizes []int) {
	n := len(firstArc) - 1
	const unseen = 0
	component = make([]uint32, n)
	order, low := make([]uint32, n), make([]uint32, n) // order 0: unseen
	onStack := make([]bool, n)
	next := make([]uint32, n)
	var stack, path []uint32
	count := uint32(0)
	for root := range uint32(n) {
		if order[root] != unseen {
			continue
		}
		path = append(path[:0], root)
		for len(path) > 0 {
			v := path[len(path)-1]
			if order[v] == unseen {
				count++
				order[v], low[v], next[v] = count, count, firstArc[v]
				stack, onStack[v] = append(stack, v), true
			}
			if next[v] < firstArc[v+1] {
				to := arcs[next[v]].to
				next[v]++
				if order[to] == unseen {
					path = append(path, to)
				} else if onStack[to] {
					low[v] = min(low[v], order[to])
				}
				continue
			}
			path = path[:len(path)-1]
			if len(path) > 0 {
				low[path[len(path)-1]] = min(low[path[len(path)-1]], low[v])
			}
			if low[v] != order[v] {
				continue
			}
			size := 0
			for {
				top := stack[len(stack)-1]
				stack, onStack[top] = stack[:len(stack)-1], false
				component[top] = uint32(len(sizes))
				size++
				if top == v {
					break
				}
			}
			sizes = append(sizes, size)
		}
	}
	return component, sizes
}
