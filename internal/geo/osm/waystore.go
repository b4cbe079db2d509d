package osm

import (
	"encoding/binary"
	"strings"

	"lightbar/internal/geo/places"
	"lightbar/internal/geo/route"
	"lightbar/internal/geo/tiles"
)

// arena stores encoded records in large blocks: no record has a pointer of its own, which a garbage collector would have to follow,
// and nothing is copied when it grows.
type arena struct{ blocks [][]byte }

// handle finds a record again: its block and offset.
type handle uint64

const arenaBlock = 1 << 20

// put copies a record in.
func (a *arena) put(record []byte) handle {
	n := len(a.blocks)
	if n == 0 || cap(a.blocks[n-1])-len(a.blocks[n-1]) < len(record) {
		a.blocks = append(a.blocks, make([]byte, 0, max(arenaBlock, len(record))))
		n++
	}
	block := a.blocks[n-1]
	at := len(block)
	a.blocks[n-1] = append(block, record...)
	return handle(n-1)<<32 | handle(at)
}

// get gives the bytes from a record's beginning on.
func (a *arena) get(h handle) []byte { return a.blocks[h>>32][uint32(h):] }

// appendRefs encodes node ids: their number, then differences.
func appendRefs(b []byte, refs []int64) []byte {
	b = binary.AppendUvarint(b, uint64(len(refs)))
	last := int64(0)
	for _, id := range refs {
		b = binary.AppendVarint(b, id-last)
		last = id
	}
	return b
}

// readRefs turns encoded node ids into node table indexes; absent nodes become
// noNode.
func (t *nodeTable) readRefs(b []byte, out []uint32) []uint32 {
	n, size := binary.Uvarint(b)
	b = b[size:]
	out = out[:0]
	id, hint := int64(0), uint32(0)
	for range n {
		delta, size := binary.Varint(b)
		b = b[size:]
		id += delta
		i, ok := t.find(id, hint)
		if !ok || t.at[i] == missing {
			out = append(out, noNode)
			continue
		}
		out = append(out, i)
		hint = i
	}
	return out
}

const noNode = 1<<32 - 1

// interner stores one copy of each text of one worker. Texts of a block are parts of one large string that must not stay alive
// because of a name.
type interner map[string]string

func (i interner) keep(s string) string {
	if s == "" {
		return ""
	}
	if kept, ok := i[s]; ok {
		return kept
	}
	s = strings.Clone(s)
	i[s] = s
	return s
}

// wayParts is what one worker stores of the ways that it reads.
type wayParts struct {
	arena   arena
	texts   interner
	looks   map[string]tiles.Fields
	buffer  []byte
	need    []int64   // node ids
	areas   []areaWay // closed ways that are drawn
	lines   []lineWay
	roads   []roadDraft
	members []memberWay
	spots   []waySpot
	shapes  []tiles.Shape
}

type areaWay struct {
	shape tiles.Shape
	refs  handle
}

// waySpot is a way that a search can find; its place is the middle of its nodes.
type waySpot struct {
	places.Spot
	refs handle
}

type lineWay struct {
	group    uint32 // of lineGroups
	id       int64
	refs     handle
	owner    uint8 // worker whose arena has the refs
	reversed bool  // driven against the order of its nodes
}

type roadDraft struct {
	route.RoadWay
	reversed bool
	refs     handle
	owner    uint8
}

// memberWay is a way that a drawn relation needs.
type memberWay struct {
	id    int64
	refs  handle
	owner uint8
	shape tiles.Shape // of the way's own tags, for relations that have none
	drawn bool        // shape is set
}
