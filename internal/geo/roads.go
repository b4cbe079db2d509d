package geo

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"unsafe"
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

	points    []point // geometry of all edges
	edges     []edge
	nodes     []point // junctions, some twice: see restrictions in roadsbuild.go
	firstArc  []uint32
	arcs      []arc
	chunks    []chunk // leaves of the tree
	boxes     []box   // levels of the tree, leaves first
	levels    []uint32
	text      []byte
	textStart []uint32

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

type box struct{ minLat, minLng, maxLat, maxLng int32 }

const (
	roadsMagic   = "LBROADS\n"
	roadsVersion = 1
	sectionCount = 10
	headerWords  = 5 + sectionCount*2
)

// ErrBadRoads is wrapped by OpenRoads for a file that is not a whole road index of this version.
var ErrBadRoads = errors.New("not a usable road index (import the region again)")

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// OpenRoads reads a road index written by Import. A missing file gives the
// error of os.Open; a damaged, truncated, foreign or newer one ErrBadRoads.
func OpenRoads(path string) (*Roads, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	r, err := readRoads(f, info.Size())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

func readRoads(src io.Reader, size int64) (*Roads, error) {
	if size < headerWords*8 || size%8 != 0 {
		return nil, fmt.Errorf("%w: it has a wrong length", ErrBadRoads)
	}
	if !littleEndian() {
		return nil, fmt.Errorf("%w: this machine is big-endian", ErrBadRoads)
	}
	memory := make([]uint64, size/8)
	raw := unsafe.Slice((*byte)(unsafe.Pointer(&memory[0])), size)
	if n, err := io.ReadFull(src, raw[:8]); err != nil || string(raw[:n]) != roadsMagic {
		return nil, fmt.Errorf("%w: it is another kind of file", ErrBadRoads)
	}
	if _, err := io.ReadFull(src, raw[8:]); err != nil {
		return nil, fmt.Errorf("%w: %v", ErrBadRoads, err)
	}
	switch {
	case memory[1] != roadsVersion:
		return nil, fmt.Errorf("%w: it has version %d, this program reads %d", ErrBadRoads, memory[1], roadsVersion)
	case memory[2] != uint64(size):
		return nil, fmt.Errorf("%w: it is truncated", ErrBadRoads)
	case uint64(crc32.Checksum(raw[:size-8], castagnoli)) != memory[len(memory)-1]:
		return nil, fmt.Errorf("%w: its checksum is wrong", ErrBadRoads)
	}
	r := &Roads{memory: memory}
	if err := r.bind(raw[:size-8]); err != nil {
		return nil, fmt.Errorf("%w: %v", ErrBadRoads, err)
	}
	return r, nil
}

func littleEndian() bool {
	one := uint16(1)
	return *(*byte)(unsafe.Pointer(&one)) == 1
}

// bind lays the views over the sections and checks every reference once, so
// that no look-up needs to.
func (r *Roads) bind(raw []byte) error {
	corner := func(word int) (float64, float64) {
		return fromFixed(int32(r.memory[word])), fromFixed(int32(r.memory[word] >> 32))
	}
	r.bounds.MinLat, r.bounds.MinLng = corner(3)
	r.bounds.MaxLat, r.bounds.MaxLng = corner(4)
	s := sections{raw: raw, table: r.memory[5:headerWords]}
	r.points = view[point](&s)
	r.edges = view[edge](&s)
	r.nodes = view[point](&s)
	r.firstArc = view[uint32](&s)
	r.arcs = view[arc](&s)
	r.chunks = view[chunk](&s)
	r.boxes = view[box](&s)
	r.levels = view[uint32](&s)
	r.text = view[byte](&s)
	r.textStart = view[uint32](&s)
	if s.err != nil {
		return s.err
	}
	return r.check()
}

type sections struct {
	raw   []byte
	table []uint64
	err   error
}

func view[T any](s *sections) []T {
	var zero T
	unit := uint64(unsafe.Sizeof(zero))
	at, n := s.table[0], s.table[1]
	s.table = s.table[2:]
	end := uint64(len(s.raw))
	if at%8 != 0 || at > end || n > end || n*unit > end-at {
		s.err = errors.New("a section lies outside of the file")
	}
	if s.err != nil || n == 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&s.raw[at])), n)
}

var errReference = errors.New("a reference points outside")

func (r *Roads) check() error {
	points, nodes, texts := uint32(len(r.points)), uint32(len(r.nodes)), uint32(len(r.textStart))
	if texts < 2 || len(r.firstArc) != len(r.nodes)+1 || r.firstArc[0] != 0 || int(r.firstArc[nodes]) != len(r.arcs) {
		return errReference
	}
	for i := 1; i < len(r.textStart); i++ {
		if r.textStart[i] < r.textStart[i-1] || int(r.textStart[i]) > len(r.text) {
			return errReference
		}
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

// textAt gives a text without copying: it stays valid as long as anything refers to it.
func (r *Roads) textAt(i uint32) string {
	from, to := r.textStart[i], r.textStart[i+1]
	if from == to {
		return ""
	}
	return unsafe.String(&r.text[from], int(to-from))
}
