package tiles

import (
	"bufio"
	"bytes"
	"cmp"
	"container/heap"
	"encoding/binary"
	"io"
	"os"
	"slices"
)

// pieceRun collects pieces in memory; when it is full it is sorted and written
// to a file, so that an import's memory does not grow with its output.
type pieceRun struct {
	data  []byte
	index []pieceAt
}

type pieceAt struct {
	tile     uint64
	at, size uint32
	layer    uint8
	order    uint8
}

const runLimit = 48 << 20 // bytes of pieces a worker holds

func (r *pieceRun) add(p *piece) (full bool) {
	at := len(r.data)
	r.data = p.body(r.data)
	r.index = append(r.index, pieceAt{tile: p.tile, at: uint32(at), size: uint32(len(r.data) - at), layer: p.layer, order: p.order})
	return len(r.data) > runLimit
}

func (r *pieceRun) body(i int) []byte {
	a := &r.index[i]
	return r.data[a.at : a.at+a.size]
}

// sort orders by tile, layer, drawing order and content: the result does not
// depend on which worker met a feature first.
func (r *pieceRun) sort() {
	slices.SortFunc(r.index, func(a, b pieceAt) int {
		if a.tile != b.tile {
			return cmp.Compare(a.tile, b.tile)
		}
		if a.layer != b.layer {
			return cmp.Compare(a.layer, b.layer)
		}
		if a.order != b.order {
			return cmp.Compare(a.order, b.order)
		}
		return bytes.Compare(r.data[a.at:a.at+a.size], r.data[b.at:b.at+b.size])
	})
}

const pieceHeader = 14 // tile, size, layer, order

// spill writes the sorted run to a file and empties it.
func (r *pieceRun) spill(path string) error {
	r.sort()
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	var head [pieceHeader]byte
	for i := range r.index {
		a := &r.index[i]
		binary.LittleEndian.PutUint64(head[0:], a.tile)
		binary.LittleEndian.PutUint32(head[8:], a.size)
		head[12], head[13] = a.layer, a.order
		w.Write(head[:])
		w.Write(r.body(i))
	}
	r.data, r.index = r.data[:0], r.index[:0]
	if err := w.Flush(); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// pieceSource gives a run's pieces in order.
type pieceSource struct {
	key  pieceAt
	body []byte
	next func() (bool, error) // sets key and body
}

func (r *pieceRun) source() *pieceSource {
	s := &pieceSource{}
	i := 0
	s.next = func() (bool, error) {
		if i == len(r.index) {
			return false, nil
		}
		s.key, s.body = r.index[i], r.body(i)
		i++
		return true, nil
	}
	return s
}

func fileSource(f *os.File) *pieceSource {
	r := bufio.NewReaderSize(f, 1<<18)
	s := &pieceSource{}
	s.next = func() (bool, error) {
		var head [pieceHeader]byte
		if _, err := io.ReadFull(r, head[:]); err == io.EOF {
			return false, nil
		} else if err != nil {
			return false, err
		}
		s.key = pieceAt{tile: binary.LittleEndian.Uint64(head[:]), size: binary.LittleEndian.Uint32(head[8:]), layer: head[12], order: head[13]}
		if cap(s.body) < int(s.key.size) {
			s.body = make([]byte, s.key.size)
		}
		s.body = s.body[:s.key.size]
		_, err := io.ReadFull(r, s.body)
		return err == nil, err
	}
	return s
}

// pieceMerge is a heap of sources.
type pieceMerge []*pieceSource

func (m pieceMerge) Len() int      { return len(m) }
func (m pieceMerge) Swap(i, j int) { m[i], m[j] = m[j], m[i] }
func (m pieceMerge) Less(i, j int) bool {
	a, b := m[i], m[j]
	if c := cmp.Or(cmp.Compare(a.key.tile, b.key.tile), cmp.Compare(a.key.layer, b.key.layer), cmp.Compare(a.key.order, b.key.order)); c != 0 {
		return c < 0
	}
	return bytes.Compare(a.body, b.body) < 0
}
func (m *pieceMerge) Push(x any) { *m = append(*m, x.(*pieceSource)) }
func (m *pieceMerge) Pop() any {
	last := (*m)[len(*m)-1]
	*m = (*m)[:len(*m)-1]
	return last
}

func mergePieces(sources []*pieceSource) (pieceMerge, error) {
	var m pieceMerge
	for _, s := range sources {
		ok, err := s.next()
		if err != nil {
			return nil, err
		}
		if ok {
			m = append(m, s)
		}
	}
	heap.Init(&m)
	return m, nil
}

// tileJob is all that is to be known of one tile.
type tileJob struct {
	tile   uint64
	data   []byte
	pieces []piece
	out    chan []byte
}

// nextTile takes the next tile's pieces off the merge; nil at the end.
func (m *pieceMerge) nextTile() (*tileJob, error) {
	if len(*m) == 0 {
		return nil, nil
	}
	job := &tileJob{tile: (*m)[0].key.tile, out: make(chan []byte, 1)}
	var ends []int
	for len(*m) > 0 && (*m)[0].key.tile == job.tile {
		s := (*m)[0]
		job.data = append(job.data, s.body...)
		ends = append(ends, len(job.data))
		job.pieces = append(job.pieces, piece{tile: job.tile, layer: s.key.layer, order: s.key.order})
		ok, err := s.next()
		switch {
		case err != nil:
			return nil, err
		case ok:
			heap.Fix(m, 0)
		default:
			heap.Pop(m)
		}
	}
	at := 0
	for i := range job.pieces {
		job.pieces[i].parseBody(job.data[at:ends[i]])
		at = ends[i]
	}
	return job, nil
}
