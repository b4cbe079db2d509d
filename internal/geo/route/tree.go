package route

import (
	"slices"

	"lightbar/internal/geo"
)

// The tree is a packed Hilbert R-tree: leaves sorted along the curve, each
// level the boxes of treeFanout neighbors below. It needs no pointers, is
// never changed, and is used as it lies in the file.
const (
	treeFanout = 16
	maxLevels  = 12
)

// buildTree sorts the chunks along the Hilbert curve and gives the boxes of all levels.
func buildTree(points []geo.Point, edges []Edge, bounds geo.Box) (chunks []chunk, boxes []geo.Box, levels []uint32) {
	for i := range edges {
		e := &edges[i]
		for at := uint32(0); at+1 < e.Count; at += chunkSegments {
			chunks = append(chunks, chunk{uint32(i), e.First + at})
		}
	}
	type keyed struct {
		key uint64
		c   chunk
	}
	order := make([]keyed, len(chunks))
	for i, c := range chunks {
		b := chunkBox(points, edges, c)
		order[i] = keyed{hilbertKey(bounds, b), c}
	}
	slices.SortFunc(order, func(a, b keyed) int {
		switch {
		case a.key != b.key:
			if a.key < b.key {
				return -1
			}
			return 1
		case a.c.first < b.c.first:
			return -1
		case a.c.first > b.c.first:
			return 1
		}
		return 0
	})
	for i := range order {
		chunks[i] = order[i].c
		boxes = append(boxes, chunkBox(points, edges, chunks[i]))
	}
	levels = []uint32{0}
	for from, width := 0, len(chunks); width > treeFanout; {
		levels = append(levels, uint32(len(boxes)))
		for i := 0; i < width; i += treeFanout {
			b := boxes[from+i]
			for _, o := range boxes[from+i+1 : from+min(i+treeFanout, width)] {
				b = b.Join(o)
			}
			boxes = append(boxes, b)
		}
		from += width
		width = len(boxes) - from
	}
	return chunks, boxes, levels
}

func chunkEnd(e *Edge, first uint32) uint32 { return min(first+chunkSegments+1, e.First+e.Count) }

func chunkBox(points []geo.Point, edges []Edge, c chunk) geo.Box {
	b := geo.EmptyBox
	for _, p := range points[c.first:chunkEnd(&edges[c.edge], c.first)] {
		b = b.Add(p)
	}
	return b
}

func hilbertKey(world, b geo.Box) uint64 {
	const side = 1 << 16
	scale := func(v, from, to int32) uint64 {
		span := int64(to) - int64(from) + 1
		return uint64((int64(v) - int64(from)) * side / span)
	}
	midLat := int32((int64(b.MinLat) + int64(b.MaxLat)) / 2)
	midLng := int32((int64(b.MinLng) + int64(b.MaxLng)) / 2)
	return geo.Hilbert(16, scale(midLng, world.MinLng, world.MaxLng), scale(midLat, world.MinLat, world.MaxLat))
}

// walk calls visit for every chunk whose box meets b; visit may shrink what it
// still wants by giving another box. It allocates nothing.
func (r *Roads) walk(b geo.Box, visit func(c chunk) geo.Box) {
	if len(r.chunks) == 0 {
		return
	}
	var stack [maxLevels * treeFanout]struct {
		level uint8
		index uint32 // within its level
	}
	top, n := len(r.levels)-1, 0
	for i := r.width(top); i > 0; i-- {
		stack[n].level, stack[n].index = uint8(top), uint32(i-1)
		n++
	}
	for n > 0 {
		n--
		level, index := stack[n].level, stack[n].index
		if !r.boxes[r.levels[level]+index].Meets(b) {
			continue
		}
		if level == 0 {
			b = visit(r.chunks[index])
			continue
		}
		first := int(index) * treeFanout
		for i := min(first+treeFanout, r.width(int(level)-1)); i > first; i-- {
			stack[n].level, stack[n].index = level-1, uint32(i-1)
			n++
		}
	}
}

// width is the number of boxes of a level.
func (r *Roads) width(level int) int {
	end := len(r.boxes)
	if level+1 < len(r.levels) {
		end = int(r.levels[level+1])
	}
	return end - int(r.levels[level])
}
