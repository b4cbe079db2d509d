package tiles

import (
	"encoding/binary"

	"lightbar/internal/geo"
)

// Mapbox Vector Tile 2, github.com/mapbox/vector-tile-spec.

// geomKind is a vector tile's geometry type.
type geomKind uint8

const (
	geomPoints geomKind = iota + 1
	geomLines
	geomPolygons
)

// piece is what a feature leaves in one tile: its kind, attributes and geometry commands. The first command is one MoveTo in tile
// coordinates; end is where the cursor stops, so that pieces can be strung together.
type piece struct {
	tile   uint64
	layer  uint8
	order  uint8
	kind   geomKind
	fields Fields
	end    tilePoint
	geom   []byte
}

type tilePoint struct{ x, y int32 }

// body encodes a piece but for its key; kind and attributes come first, so
// that sorting by bytes brings equal ones together.
func (p *piece) body(b []byte) []byte {
	b = append(b, byte(p.kind))
	b = binary.AppendUvarint(b, uint64(len(p.fields)))
	b = append(b, p.fields...)
	b = binary.AppendVarint(b, int64(p.end.x))
	b = binary.AppendVarint(b, int64(p.end.y))
	return append(b, p.geom...)
}

// parseBody reads what body wrote. The data is our own, so faults are not expected.
func (p *piece) parseBody(b []byte) {
	p.kind = geomKind(b[0])
	n, size := binary.Uvarint(b[1:])
	b = b[1+size:]
	p.fields, b = Fields(b[:n]), b[n:]
	x, size := binary.Varint(b)
	b = b[size:]
	y, size := binary.Varint(b)
	p.end, p.geom = tilePoint{int32(x), int32(y)}, b[size:]
}

// tileEncoder makes vector tiles, reusing its memory.
type tileEncoder struct {
	layers []string
	extent uint64
	out    []byte
	layer  []byte
	keys   []fieldKey
	keyAt  [keyCount]int32
	values map[string]uint32
	order  [][]byte
	tags   []byte
	geom   []byte
	msg    []byte
}

func newTileEncoder(layers []string, extent float64) *tileEncoder {
	return &tileEncoder{layers: layers, extent: uint64(extent), values: map[string]uint32{}}
}

// encode makes one tile of pieces that are sorted by layer, order and body.
// Neighbors with the same attributes become one feature.
func (t *tileEncoder) encode(pieces []piece) []byte {
	t.out = t.out[:0]
	for len(pieces) > 0 {
		n := 1
		for n < len(pieces) && pieces[n].layer == pieces[0].layer {
			n++
		}
		t.encodeLayer(t.layers[pieces[0].layer], pieces[:n])
		pieces = pieces[n:]
	}
	return t.out
}

func (t *tileEncoder) encodeLayer(name string, pieces []piece) {
	t.keys, t.order, t.layer = t.keys[:0], t.order[:0], t.layer[:0]
	clear(t.values)
	for i := range t.keyAt {
		t.keyAt[i] = -1
	}
	t.layer = geo.AppendNumber(t.layer, 15, 2)
	t.layer = geo.AppendBytes(t.layer, 1, []byte(name))
	for len(pieces) > 0 {
		n := 1
		for n < len(pieces) && pieces[n].kind == pieces[0].kind && string(pieces[n].fields) == string(pieces[0].fields) {
			n++
		}
		t.feature(pieces[:n])
		pieces = pieces[n:]
	}
	for _, k := range t.keys {
		t.layer = geo.AppendBytes(t.layer, 3, []byte(fieldNames[k]))
	}
	for _, v := range t.order {
		t.layer = geo.AppendBytes(t.layer, 4, v)
	}
	t.layer = geo.AppendNumber(t.layer, 5, t.extent)
	t.out = geo.AppendBytes(t.out, 3, t.layer)
}

func (t *tileEncoder) feature(pieces []piece) {
	t.tags = t.tags[:0]
	var value [64]byte
	for f := pieces[0].fields; len(f) > 0; {
		k, message, rest := f.cut(value[:0])
		f = rest
		if t.keyAt[k] < 0 {
			t.keyAt[k] = int32(len(t.keys))
			t.keys = append(t.keys, k)
		}
		at, ok := t.values[string(message)]
		if !ok {
			at = uint32(len(t.order))
			kept := string(message)
			t.values[kept] = at
			t.order = append(t.order, []byte(kept))
		}
		t.tags = binary.AppendUvarint(binary.AppendUvarint(t.tags, uint64(t.keyAt[k])), uint64(at))
	}
	t.geom = t.geom[:0]
	if pieces[0].kind == geomPoints {
		t.points(pieces)
	} else {
		t.string(pieces)
	}
	t.msg = t.msg[:0]
	if len(t.tags) > 0 {
		t.msg = geo.AppendBytes(t.msg, 2, t.tags)
	}
	t.msg = geo.AppendNumber(t.msg, 3, uint64(pieces[0].kind))
	t.msg = geo.AppendBytes(t.msg, 4, t.geom)
	t.layer = geo.AppendBytes(t.layer, 2, t.msg)
}

// string strings the pieces' geometries together: each begins with a MoveTo
// that has to start where the one before stopped.
func (t *tileEncoder) string(pieces []piece) {
	var cursor tilePoint
	for i := range pieces {
		at, rest := pieces[i].start()
		t.geom = append(t.geom, 1<<3|1)
		t.geom = appendDelta(t.geom, cursor, at)
		t.geom = append(t.geom, rest...)
		cursor = pieces[i].end
	}
}

// points makes one MoveTo of all: a multi-point.
func (t *tileEncoder) points(pieces []piece) {
	t.geom = binary.AppendUvarint(t.geom, uint64(len(pieces))<<3|1)
	var cursor tilePoint
	for i := range pieces {
		at, _ := pieces[i].start()
		t.geom = appendDelta(t.geom, cursor, at)
		cursor = at
	}
}

// start takes a geometry's first MoveTo off.
func (p *piece) start() (at tilePoint, rest []byte) {
	rest = p.geom[1:] // the command: one MoveTo
	x, size := binary.Varint(rest)
	rest = rest[size:]
	y, size := binary.Varint(rest)
	return tilePoint{int32(x), int32(y)}, rest[size:]
}

func appendDelta(b []byte, from, to tilePoint) []byte {
	return binary.AppendVarint(binary.AppendVarint(b, int64(to.x-from.x)), int64(to.y-from.y))
}
