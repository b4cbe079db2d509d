package geo

import (
	"math"
	"math/bits"
)

// roadWay is a drivable way as the import found it. Points are indexes into
// the import's node table, in driving order for one-ways.
type roadWay struct {
	id        int64
	nodes     []uint32
	name, ref string
	class     roadClass
	flags     uint8 // edgeOneway, edgeLink, edgePrivate
	limitKmh  uint8 // 0: not mapped
}

// turnRule is a turn restriction with one node between two ways.
type turnRule struct {
	from, to int64  // way ids
	via      uint32 // node table index
	only     bool   // the turn is the only one allowed; else it is forbidden
	uTurn    bool
}

// roadsData is a road index in building, and exactly what its file holds.
type roadsData struct {
	points   []point
	edges    []edge
	nodes    []point
	firstArc []uint32
	arcs     []arc
	chunks   []chunk
	boxes    []box
	levels   []uint32
	texts    textTable
	bounds   box
}

// roadsBuilder turns ways into edges between junctions.
type roadsBuilder struct {
	data      roadsData
	at        func(node uint32) point
	junctions rankSet
	texts     map[string]uint32
	loose     []looseArc
	ruled     map[int64][]uint32 // ways that turn restrictions name → their edges
}

// looseArc is an arc before sorting.
type looseArc struct {
	from uint32
	arc
}

// buildRoads makes the index. ways and rules come in a fixed order, so that
// the same extract gives the same file; nodeCount is the node table's length.
func buildRoads(ways []roadWay, rules []turnRule, nodeCount int, at func(uint32) point) *roadsData {
	b := &roadsBuilder{at: at, texts: map[string]uint32{"": 0}, ruled: map[int64][]uint32{}}
	b.data.texts = newTextTable()
	b.data.bounds = emptyBox
	for _, rule := range rules {
		b.ruled[rule.from], b.ruled[rule.to] = nil, nil
	}
	b.findJunctions(ways, nodeCount)
	room := 0
	for i := range ways {
		room += len(ways[i].nodes) + len(ways[i].nodes)/8
	}
	b.data.points = make([]point, 0, room)
	for i := range ways {
		b.split(&ways[i])
	}
	b.sortArcs()
	b.restrict(rules)
	b.sortArcs()
	b.markMain()
	d := &b.data
	d.chunks, d.boxes, d.levels = buildTree(d.points, d.edges, d.bounds)
	return d
}

// findJunctions marks the ends of ways and the nodes that are met twice.
func (b *roadsBuilder) findJunctions(ways []roadWay, nodeCount int) {
	seen := make([]uint64, nodeCount/64+1)
	b.junctions.words = make([]uint64, nodeCount/64+1)
	for i := range ways {
		nodes := ways[i].nodes
		for _, n := range nodes {
			word, bit := n/64, uint64(1)<<(n%64)
			if seen[word]&bit != 0 {
				b.junctions.words[word] |= bit
			}
			seen[word] |= bit
		}
		for _, n := range [2]uint32{nodes[0], nodes[len(nodes)-1]} {
			b.junctions.words[n/64] |= 1 << (n % 64)
		}
	}
	total := b.junctions.index()
	b.data.nodes = make([]point, total)
}

// rankSet is a set of numbers that knows how many members lie below each.
type rankSet struct {
	words []uint64
	below []uint32
}

func (s *rankSet) index() int {
	s.below = make([]uint32, len(s.words))
	total := 0
	for i, word := range s.words {
		s.below[i] = uint32(total)
		total += bits.OnesCount64(word)
	}
	return total
}

func (s *rankSet) has(n uint32) bool { return s.words[n/64]&(1<<(n%64)) != 0 }

func (s *rankSet) rank(n uint32) uint32 {
	return s.below[n/64] + uint32(bits.OnesCount64(s.words[n/64]&(1<<(n%64)-1)))
}

// split cuts a way at its junctions into edges.
func (b *roadsBuilder) split(w *roadWay) {
	for start := 0; start+1 < len(w.nodes); {
		end := start + 1
		for end+1 < len(w.nodes) && !b.junctions.has(w.nodes[end]) {
			end++
		}
		b.addEdge(w, w.nodes[start:end+1])
		start = end
	}
}

func (b *roadsBuilder) addEdge(w *roadWay, nodes []uint32) {
	d := &b.data
	limit := w.limitKmh
	if limit == 0 {
		limit = roadClasses[w.class].limit
		if w.flags&edgeLink != 0 {
			limit = min(limit, 56)
		}
	}
	e := edge{
		first: uint32(len(d.points)), count: uint32(len(nodes)), name: b.textOf(w.name), ref: b.textOf(w.ref),
		from: b.junctions.rank(nodes[0]), to: b.junctions.rank(nodes[len(nodes)-1]), class: w.class, flags: w.flags,
		limitKmh: limit, speedKmh: travelSpeed(w.class, w.flags&edgeLink != 0, limit),
	}
	var length float64
	for i, n := range nodes {
		p := b.at(n)
		d.points = append(d.points, p)
		d.bounds = d.bounds.add(p)
		if i > 0 {
			length += pointMeters(d.points[len(d.points)-2], p)
		}
	}
	e.lengthDm = uint32(min(math.Ceil(length*10), math.MaxUint32))
	d.nodes[e.from], d.nodes[e.to] = b.at(nodes[0]), b.at(nodes[len(nodes)-1])
	number := uint32(len(d.edges))
	d.edges = append(d.edges, e)
	if _, ok := b.ruled[w.id]; ok {
		b.ruled[w.id] = append(b.ruled[w.id], number)
	}
	if e.flags&edgePrivate != 0 {
		return
	}
	cost := travelMs(e.lengthDm, e.speedKmh)
	b.loose = append(b.loose, looseArc{e.from, arc{to: e.to, edgeDir: number << 1, costMs: cost}})
	if e.flags&edgeOneway == 0 {
		b.loose = append(b.loose, looseArc{e.to, arc{to: e.from, edgeDir: number<<1 | 1, costMs: cost}})
	}
}

func (b *roadsBuilder) textOf(s string) uint32 {
	if i, ok := b.texts[s]; ok {
		return i
	}
	i := b.data.texts.add(s)
	b.texts[s] = i
	return i
}

// sortArcs lays the loose arcs out by the junction they leave (counting sort).
func (b *roadsBuilder) sortArcs() {
	d := &b.data
	d.firstArc = make([]uint32, len(d.nodes)+1)
	for _, a := range b.loose {
		d.firstArc[a.from+1]++
	}
	for i := 1; i < len(d.firstArc); i++ {
		d.firstArc[i] += d.firstArc[i-1]
	}
	next := append([]uint32(nil), d.firstArc...)
	d.arcs = make([]arc, len(b.loose))
	for _, a := range b.loose {
		d.arcs[next[a.from]] = a.arc
		next[a.from]++
	}
}

// beside is the edge that a place beside the roads belongs to; false when none is so near.
func (d *roadsData) beside(at LatLng, withinM float64) (*edge, bool) {
	roads := Roads{points: d.points, edges: d.edges, chunks: d.chunks, boxes: d.boxes, levels: d.levels, texts: d.texts}
	f := finder{roads: &roads, lat: at.Lat, lng: at.Lng, heading: math.NaN(), within: withinM, prefer: true}
	hit, ok := f.find()
	if !ok || hit.distance > withinM {
		return nil, false
	}
	return &d.edges[hit.edge], true
}
