package geo

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"math"
)

// extract is a small OpenStreetMap file for tests, written as PBF by hand.
type extract struct {
	nodes     []testNode
	ways      []testWay
	relations []testRelation
}

type testNode struct {
	id       int64
	lat, lng float64
	tags     []string // key, value, key, value
}

type testWay struct {
	id   int64
	refs []int64
	tags []string
}

// testMember is one of a relation.
type testMember struct {
	id   int64
	kind memberIs
	role string
}

type memberIs uint8

// What a member may be, as the format numbers them.
const (
	ofNode memberIs = iota
	ofWay
	ofRelation
)

type testRelation struct {
	id      int64
	members []testMember
	tags    []string
}

type stringTable struct {
	list  []string
	index map[string]uint64
}

func newStringTable() *stringTable {
	return &stringTable{list: []string{""}, index: map[string]uint64{"": 0}}
}

func (t *stringTable) of(s string) uint64 {
	if i, ok := t.index[s]; ok {
		return i
	}
	t.index[s] = uint64(len(t.list))
	t.list = append(t.list, s)
	return t.index[s]
}

func appendZigzag(b []byte, v int64) []byte { return binary.AppendVarint(b, v) }

func (t *stringTable) tags(msg []byte, tags []string) []byte {
	var keys, values []byte
	for i := 0; i+1 < len(tags); i += 2 {
		keys = binary.AppendUvarint(keys, t.of(tags[i]))
		values = binary.AppendUvarint(values, t.of(tags[i+1]))
	}
	return appendBytes(appendBytes(msg, 2, keys), 3, values)
}

// encode gives the file: a header and one blob for each kind of element.
func (e *extract) encode() []byte {
	var header []byte
	header = appendBytes(header, 4, []byte("OsmSchema-V0.6"))
	header = appendBytes(header, 4, []byte("DenseNodes"))
	out := appendBlob(nil, "OSMHeader", header)
	if len(e.nodes) > 0 {
		out = appendBlob(out, "OSMData", e.nodeBlock())
	}
	if len(e.ways) > 0 {
		out = appendBlob(out, "OSMData", e.wayBlock())
	}
	if len(e.relations) > 0 {
		out = appendBlob(out, "OSMData", e.relationBlock())
	}
	return out
}

func (e *extract) nodeBlock() []byte {
	t := newStringTable()
	var ids, lats, lngs, keyValues []byte
	var id, lat, lng int64
	for _, n := range e.nodes {
		nLat, nLng := int64(math.Round(n.lat*1e7)), int64(math.Round(n.lng*1e7))
		ids, lats, lngs = appendZigzag(ids, n.id-id), appendZigzag(lats, nLat-lat), appendZigzag(lngs, nLng-lng)
		id, lat, lng = n.id, nLat, nLng
		for _, s := range n.tags {
			keyValues = binary.AppendUvarint(keyValues, t.of(s))
		}
		keyValues = append(keyValues, 0)
	}
	var dense []byte
	for _, f := range []struct {
		field int
		data  []byte
	}{{1, ids}, {8, lats}, {9, lngs}, {10, keyValues}} {
		dense = appendBytes(dense, f.field, f.data)
	}
	return t.block(appendBytes(nil, 2, dense))
}

func (e *extract) wayBlock() []byte {
	t := newStringTable()
	var group []byte
	for _, w := range e.ways {
		msg := t.tags(appendNumber(nil, 1, uint64(w.id)), w.tags)
		var refs []byte
		last := int64(0)
		for _, id := range w.refs {
			refs = appendZigzag(refs, id-last)
			last = id
		}
		group = appendBytes(group, 3, appendBytes(msg, 8, refs))
	}
	return t.block(group)
}

func (e *extract) relationBlock() []byte {
	t := newStringTable()
	var group []byte
	for _, r := range e.relations {
		msg := t.tags(appendNumber(nil, 1, uint64(r.id)), r.tags)
		var roles, ids, kinds []byte
		last := int64(0)
		for _, m := range r.members {
			roles = binary.AppendUvarint(roles, t.of(m.role))
			ids = appendZigzag(ids, m.id-last)
			kinds = binary.AppendUvarint(kinds, uint64(m.kind))
			last = m.id
		}
		msg = appendBytes(appendBytes(appendBytes(msg, 8, roles), 9, ids), 10, kinds)
		group = appendBytes(group, 4, msg)
	}
	return t.block(group)
}

func (t *stringTable) block(group []byte) []byte {
	var table []byte
	for _, s := range t.list {
		table = appendBytes(table, 1, []byte(s))
	}
	return appendBytes(appendBytes(nil, 1, table), 2, group)
}

func appendBlob(out []byte, kind string, raw []byte) []byte {
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	z.Write(raw)
	z.Close()
	blob := appendBytes(appendNumber(nil, 2, uint64(len(raw))), 3, packed.Bytes())
	header := appendNumber(appendBytes(nil, 1, []byte(kind)), 3, uint64(len(blob)))
	out = binary.BigEndian.AppendUint32(out, uint32(len(header)))
	return append(append(out, header...), blob...)
}

// town is a grid of two-way streets, 5 by 5 corners about 100 m apart, and a
// park with a pond. Corner (i, j) is node 10*i+j+1 at row i (northwards),
// column j (eastwards); streets are "Row i" and "Column j".
func town() *extract {
	e := &extract{}
	for i := range 5 {
		for j := range 5 {
			e.nodes = append(e.nodes, testNode{id: corner(i, j), lat: 40 + float64(i)*0.0009, lng: -75 + float64(j)*0.00118})
		}
	}
	for i := range 5 {
		row := testWay{id: int64(100 + i), tags: []string{"highway", "residential", "name", "Row " + string(rune('0'+i))}}
		column := testWay{id: int64(200 + i), tags: []string{"highway", "residential", "name", "Column " + string(rune('0'+i))}}
		for j := range 5 {
			row.refs = append(row.refs, corner(i, j))
			column.refs = append(column.refs, corner(j, i))
		}
		e.ways = append(e.ways, row, column)
	}
	return e
}

func corner(i, j int) int64 { return int64(10*i + j + 1) }

func cornerAt(i, j int) LatLng {
	return LatLng{Lat: 40 + float64(i)*0.0009, Lng: -75 + float64(j)*0.00118}
}

// way changes the way with an id.
func (e *extract) way(id int64) *testWay {
	for i := range e.ways {
		if e.ways[i].id == id {
			return &e.ways[i]
		}
	}
	panic("no such way")
}
