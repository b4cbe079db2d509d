package route

import (
	"math"
	"math/bits"

	"lightbar/internal/geo"
)

// RoadWay is a drivable way as the import found it. Points are indexes into
// the import's node table, in driving order for one-ways.
type RoadWay struct {
	ID        int64
	Nodes     []uint32
	Name, Ref string
	Class     RoadClass
	Flags     uint8 // edgeOneway, edgeLink, edgePrivate
	LimitKmh  uint8 // 0: not mapped
}

// TurnRule is a turn restriction with one node between two ways.
type TurnRule struct {
	From, To int64  // way ids
	Via      uint32 // node table index
	Only     bool   // the turn is the only one allowed; else it is forbidden
	UTurn    bool
}

// RoadsData is a road index in building, and exactly what its file holds.
type RoadsData struct {
	Points   []geo.Point
	Edges    []Edge
	Nodes    []geo.Point
	firstArc []uint32
	arcs     []arc
	chunks   []chunk
	boxes    []geo.Box
	levels   []uint32
	Texts    geo.TextTable
	Bounds   geo.Box
}

// roadsBuilder turns ways into edges between junctions.
type roadsBuilder struct {
	data      RoadsData
	at        func(node uint32) geo.Point
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

// Build makes the index. ways and rules come in a fixed order, so that
// the same extract gives the same file; nodeCount is the node table's length.
func Build(ways []RoadWay, rules []TurnRule, nodeCount int, at func(uint32) geo.Point) *RoadsData {
	b := &roadsBuilder{at: at, texts: map[string]uint32{"": 0}, ruled: map[int64][]uint32{}}
	b.data.Texts = geo.NewTextTable()
	b.data.Bounds = geo.EmptyBox
	for _, rule := range rules {
		b.ruled[rule.From], b.ruled[rule.To] = nil, nil
	}
	b.findJunctions(ways, nodeCount)
	room := 0
	for i := range ways {
		room += len(ways[i].Nodes) + len(ways[i].Nodes)/8
	}
	b.data.Points = make([]geo.Point, 0, room)
	for i := range ways {
		b.split(&ways[i])
	}
	b.sortArcs()
	b.restrict(rules)
	b.sortArcs()
	b.markMain()
	d := &b.data
	d.chunks, d.boxes, d.levels = buildTree(d.Points, d.Edges, d.Bounds)
	return d
}

// findJunctions marks the ends of ways and the nodes that are met twice.
func (b *roadsBuilder) findJunctions(ways []RoadWay, nodeCount int) {
	seen := make([]uint64, nodeCount/64+1)
	b.junctions.words = make([]uint64, nodeCount/64+1)
	for i := range ways {
		nodes := ways[i].Nodes
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
	b.data.Nodes = make([]geo.Point, total)
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
func (b *roadsBuilder) split(w *RoadWay) {
	for start := 0; start+1 < len(w.Nodes); {
		end := start + 1
		for end+1 < len(w.Nodes) && !b.junctions.has(w.Nodes[end]) {
			end++
		}
		b.addEdge(w, w.Nodes[start:end+1])
		start = end
	}
}

func (b *roadsBuilder) addEdge(w *RoadWay, nodes []uint32) {
	d := &b.data
	limit := w.LimitKmh
	if limit == 0 {
		limit = RoadClasses[w.Class].limit
		if w.Flags&EdgeLink != 0 {
			limit = min(limit, 56)
		}
	}
	e := Edge{
		First: uint32(len(d.Points)), Count: uint32(len(nodes)), Name: b.textOf(w.Name), Ref: b.textOf(w.Ref),
		from: b.junctions.rank(nodes[0]), to: b.junctions.rank(nodes[len(nodes)-1]), Class: w.Class, Flags: w.Flags,
		limitKmh: limit, speedKmh: travelSpeed(w.Class, w.Flags&EdgeLink != 0, limit),
	}
	var length float64
	for i, n := range nodes {
		p := b.at(n)
		d.Points = append(d.Points, p)
		d.Bounds = d.Bounds.Add(p)
		if i > 0 {
			length += geo.PointMeters(d.Points[len(d.Points)-2], p)
		}
	}
	e.LengthDm = uint32(min(math.Ceil(length*10), math.MaxUint32))
	d.Nodes[e.from], d.Nodes[e.to] = b.at(nodes[0]), b.at(nodes[len(nodes)-1])
	number := uint32(len(d.Edges))
	d.Edges = append(d.Edges, e)
	if _, ok := b.ruled[w.ID]; ok {
		b.ruled[w.ID] = append(b.ruled[w.ID], number)
	}
	if e.Flags&EdgePrivate != 0 {
		return
	}
	cost := travelMs(e.LengthDm, e.speedKmh)
	b.loose = append(b.loose, looseArc{e.from, arc{to: e.to, edgeDir: number << 1, costMs: cost}})
	if e.Flags&EdgeOneway == 0 {
		b.loose = append(b.loose, looseArc{e.to, arc{to: e.from, edgeDir: number<<1 | 1, costMs: cost}})
	}
}

func (b *roadsBuilder) textOf(s string) uint32 {
	if i, ok := b.texts[s]; ok {
		return i
	}
	i := b.data.Texts.Add(s)
	b.texts[s] = i
	return i
}

// sortArcs lays the loose arcs out by the junction they leave (counting sort).
func (b *roadsBuilder) sortArcs() {
	d := &b.data
	d.firstArc = make([]uint32, len(d.Nodes)+1)
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

// Beside is the edge that a place beside the roads belongs to; false when none is so near.
func (d *RoadsData) Beside(at geo.LatLng, withinM float64) (*Edge, bool) {
	roads := Roads{points: d.Points, edges: d.Edges, chunks: d.chunks, boxes: d.boxes, levels: d.levels, texts: d.Texts}
	f := finder{roads: &roads, lat: at.Lat, lng: at.Lng, heading: math.NaN(), within: withinM, prefer: true}
	hit, ok := f.find()
	if !ok || hit.distance > withinM {
		return nil, false
	}
	return &d.Edges[hit.edge], true
}
