package geo

import (
	"errors"
	"fmt"
	"io"
)

// Roads is a region's road index: streets, their geometry, a driving graph and
// a static box tree. It is immutable and safe for concurrent use.
//
// Everything lives in one block of memory read at once from the file and used
// in place, so that opening costs a read and a checksum, and a file that
// changes underneath (another import) can never be seen half.
type Roads struct {
	memory []uint64 // keeps the views below alive
	bounds Bounds

	points   []point // geometry of all edges
	edges    []edge
	nodes    []point // junctions, some twice: see restrictions in roadsbuild.go
	firstArc []uint32
	arcs     []arc
	chunks   []chunk // leaves of the tree
	boxes    []box   // levels of the tree, leaves first
	levels   []uint32
	texts    textTable

	maxSpeedKmh float64
	searches    searchPool
}

// edge is a stretch of road between two junctions.
type edge struct {
	first, count uint32 // its points
	from, to     uint32 // its junctions
	name, ref    uint32 // texts; 0 is the empty one
	lengthDm     uint32 // decimeters
	class        roadClass
	flags        uint8
	limitKmh     uint8
	speedKmh     uint8
}

const (
	edgeOneway  uint8 = 1 << iota // may be driven in the order of its points only
	edgeLink                      // a ramp or turn lane
	edgePrivate                   // not open to everybody: never routed over
	edgeMain                      // in the largest part where everything reaches everything
)

// arc is one way to leave a junction.
type arc struct {
	to      uint32
	edgeDir uint32 // edge<<1 | 1 when driven against the order of its points
	costMs  uint32
}

// chunk is a run of at most chunkSegments segments of an edge.
type chunk struct{ edge, first uint32 }

const chunkSegments = 8

var roadsLayout = layout{magic: "LBROADS\n", version: 1, sections: 10}

// ErrBadRoads is wrapped by OpenRoads for a file that is not a whole road index of this version.
var ErrBadRoads = errors.New("not a usable road index (import the region again)")

// OpenRoads reads a road index written by Import. A missing file gives the
// error of os.Open; a damaged, truncated, foreign or newer one ErrBadRoads.
func OpenRoads(path string) (*Roads, error) {
	return openWhole(path, readRoads)
}

func readRoads(src io.Reader, size int64) (*Roads, error) {
	memory, raw, err := roadsLayout.read(src, size)
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrBadRoads, err)
	}
	r := &Roads{memory: memory}
	if err := r.bind(raw); err != nil {
		return nil, fmt.Errorf("%w: %v", ErrBadRoads, err)
	}
	return r, nil
}

// bind lays the views over the sections and checks every reference once, so
// that no look-up needs to.
func (r *Roads) bind(raw []byte) error {
	r.bounds = cornersOf(r.memory)
	s := roadsLayout.sectionsOf(r.memory, raw)
	r.points = view[point](&s)
	r.edges = view[edge](&s)
	r.nodes = view[point](&s)
	r.firstArc = view[uint32](&s)
	r.arcs = view[arc](&s)
	r.chunks = view[chunk](&s)
	r.boxes = view[box](&s)
	r.levels = view[uint32](&s)
	r.texts = textTable{view[byte](&s), view[uint32](&s)}
	if s.err != nil {
		return s.err
	}
	return r.check()
}

func (r *Roads) check() error {
	points, nodes, texts := uint32(len(r.points)), uint32(len(r.nodes)), uint32(len(r.texts.start))
	if !r.texts.whole() || len(r.firstArc) != len(r.nodes)+1 || r.firstArc[0] != 0 || int(r.firstArc[nodes]) != len(r.arcs) {
		return errReference
	}
	for i := range r.edges {
		e := &r.edges[i]
		if e.count < 2 || e.first > points || e.count > points-e.first || e.from >= nodes || e.to >= nodes ||
			e.name >= texts-1 || e.ref >= texts-1 || e.class >= classCount || e.speedKmh == 0 {
			return errReference
		}
		r.maxSpeedKmh = max(r.maxSpeedKmh, float64(e.speedKmh))
	}
	for i := range r.nodes {
		if r.firstArc[i] > r.firstArc[i+1] {
			return errReference
		}
	}
	for _, a := range r.arcs {
		if a.to >= nodes || a.edgeDir>>1 >= uint32(len(r.edges)) {
			return errReference
		}
	}
	return r.checkTree()
}

func (r *Roads) checkTree() error {
	for _, c := range r.chunks {
		if c.edge >= uint32(len(r.edges)) {
			return errReference
		}
		if e := &r.edges[c.edge]; c.first < e.first || c.first >= e.first+e.count-1 {
			return errReference
		}
	}
	width, total := len(r.chunks), 0
	for i, start := range r.levels {
		if int(start) != total || (i > 0 && width == 0) || i >= maxLevels {
			return errReference
		}
		total += width
		if i+1 < len(r.levels) {
			width = (width + treeFanout - 1) / treeFanout
		}
	}
	if total != len(r.boxes) || len(r.levels) == 0 || (len(r.chunks) > 0 && width > treeFanout) {
		return errReference
	}
	return nil
}

// Bounds is the box around all roads of the index.
func (r *Roads) Bounds() Bounds { return r.bounds }

func (r *Roads) textAt(i uint32) string { return r.texts.at(i) }
