// Package route holds a region's roads: the index that an import makes, the
// nearest street to a position, routes between waypoints, and lines along one road.
package route

import (
	"errors"
	"fmt"
	"io"

	"lightbar/internal/geo"
)

// Roads is a region's road index: streets, their geometry, a driving graph and
// a static box tree. It is immutable and safe for concurrent use.
//
// Everything lives in one block of memory read at once from the file and used
// in place, so that opening costs a read and a checksum, and a file that
// changes underneath (another import) can never be seen half.
type Roads struct {
	memory []uint64 // keeps the views below alive
	bounds geo.Bounds

	points   []geo.Point // geometry of all edges
	edges    []Edge
	nodes    []geo.Point // junctions, some twice: see restrictions in roadsbuild.go
	firstArc []uint32
	arcs     []arc
	chunks   []chunk   // leaves of the tree
	boxes    []geo.Box // levels of the tree, leaves first
	levels   []uint32
	texts    geo.TextTable

	maxSpeedKmh float64
	searches    searchPool
}

// Edge is a stretch of road between two junctions.
type Edge struct {
	First, Count uint32 // its points
	from, to     uint32 // its junctions
	Name, Ref    uint32 // texts; 0 is the empty one
	LengthDm     uint32 // decimeters
	Class        RoadClass
	Flags        uint8
	limitKmh     uint8
	speedKmh     uint8
}

const (
	EdgeOneway  uint8 = 1 << iota // may be driven in the order of its points only
	EdgeLink                      // a ramp or turn lane
	EdgePrivate                   // not open to everybody: never routed over
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

var roadsLayout = geo.Layout{Magic: "LBROADS\n", Version: 1, Sections: 10}

// ErrBadRoads is wrapped by OpenRoads for a file that is not a whole road index of this version.
var ErrBadRoads = errors.New("not a usable road index (import the region again)")

// OpenRoads reads a road index written by Import. A missing file gives the
// error of os.Open; a damaged, truncated, foreign or newer one ErrBadRoads.
func OpenRoads(path string) (*Roads, error) {
	return geo.ReadWholeFile(path, readRoads)
}

func readRoads(src io.Reader, size int64) (*Roads, error) {
	memory, raw, err := roadsLayout.Read(src, size)
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
	r.bounds = geo.CornersOf(r.memory)
	s := roadsLayout.SectionsOf(r.memory, raw)
	r.points = geo.View[geo.Point](&s)
	r.edges = geo.View[Edge](&s)
	r.nodes = geo.View[geo.Point](&s)
	r.firstArc = geo.View[uint32](&s)
	r.arcs = geo.View[arc](&s)
	r.chunks = geo.View[chunk](&s)
	r.boxes = geo.View[geo.Box](&s)
	r.levels = geo.View[uint32](&s)
	r.texts = geo.TextTable{Text: geo.View[byte](&s), Start: geo.View[uint32](&s)}
	if s.Err != nil {
		return s.Err
	}
	return r.check()
}

func (r *Roads) check() error {
	points, nodes, texts := uint32(len(r.points)), uint32(len(r.nodes)), uint32(len(r.texts.Start))
	if !r.texts.IsValid() || len(r.firstArc) != len(r.nodes)+1 || r.firstArc[0] != 0 || int(r.firstArc[nodes]) != len(r.arcs) {
		return geo.ErrReference
	}
	for i := range r.edges {
		e := &r.edges[i]
		if e.Count < 2 || e.First > points || e.Count > points-e.First || e.from >= nodes || e.to >= nodes ||
			e.Name >= texts-1 || e.Ref >= texts-1 || e.Class >= ClassCount || e.speedKmh == 0 {
			return geo.ErrReference
		}
		r.maxSpeedKmh = max(r.maxSpeedKmh, float64(e.speedKmh))
	}
	for i := range r.nodes {
		if r.firstArc[i] > r.firstArc[i+1] {
			return geo.ErrReference
		}
	}
	for _, a := range r.arcs {
		if a.to >= nodes || a.edgeDir>>1 >= uint32(len(r.edges)) {
			return geo.ErrReference
		}
	}
	return r.checkTree()
}

func (r *Roads) checkTree() error {
	for _, c := range r.chunks {
		if c.edge >= uint32(len(r.edges)) {
			return geo.ErrReference
		}
		if e := &r.edges[c.edge]; c.first < e.First || c.first >= e.First+e.Count-1 {
			return geo.ErrReference
		}
	}
	width, total := len(r.chunks), 0
	for i, start := range r.levels {
		if int(start) != total || (i > 0 && width == 0) || i >= maxLevels {
			return geo.ErrReference
		}
		total += width
		if i+1 < len(r.levels) {
			width = (width + treeFanout - 1) / treeFanout
		}
	}
	if total != len(r.boxes) || len(r.levels) == 0 || (len(r.chunks) > 0 && width > treeFanout) {
		return geo.ErrReference
	}
	return nil
}

// Bounds is the box around all roads of the index.
func (r *Roads) Bounds() geo.Bounds { return r.bounds }

func (r *Roads) textAt(i uint32) string { return r.texts.At(i) }
