package geotest

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"math"

	"lightbar/internal/geo"
)

// Extract is a small OpenStreetMap file for tests, written as PBF by hand.
type Extract struct {
	Nodes     []TestNode
	Ways      []TestWay
	Relations []TestRelation
}

type TestNode struct {
	ID       int64
	Lat, Lng float64
	Tags     []string // key, value, key, value
}

type TestWay struct {
	ID   int64
	Refs []int64
	Tags []string
}

// TestMember is one of a relation.
type TestMember struct {
	ID   int64
	Kind memberIs
	Role string
}

type memberIs uint8

// What a member may be, as the format numbers them.
const (
	OfNode memberIs = iota
	OfWay
	OfRelation
)

type TestRelation struct {
	ID      int64
	Members []TestMember
	Tags    []string
}

type stringTable struct {
	List  []string
	index map[string]uint64
}

func NewStringTable() *stringTable {
	return &stringTable{List: []string{""}, index: map[string]uint64{"": 0}}
}

func (t *stringTable) of(s string) uint64 {
	if i, ok := t.index[s]; ok {
		return i
	}
	t.index[s] = uint64(len(t.List))
	t.List = append(t.List, s)
	return t.index[s]
}

func appendZigzag(b []byte, v int64) []byte { return binary.AppendVarint(b, v) }

func (t *stringTable) tags(msg []byte, tags []string) []byte {
	var keys, values []byte
	for i := 0; i+1 < len(tags); i += 2 {
		keys = binary.AppendUvarint(keys, t.of(tags[i]))
		values = binary.AppendUvarint(values, t.of(tags[i+1]))
	}
	return geo.AppendBytes(geo.AppendBytes(msg, 2, keys), 3, values)
}

// Encode gives the file: a header and one blob for each kind of element.
func (e *Extract) Encode() []byte {
	var header []byte
	header = geo.AppendBytes(header, 4, []byte("OsmSchema-V0.6"))
	header = geo.AppendBytes(header, 4, []byte("DenseNodes"))
	out := AppendBlob(nil, "OSMHeader", header)
	if len(e.Nodes) > 0 {
		out = AppendBlob(out, "OSMData", e.NodeBlock())
	}
	if len(e.Ways) > 0 {
		out = AppendBlob(out, "OSMData", e.WayBlock())
	}
	if len(e.Relations) > 0 {
		out = AppendBlob(out, "OSMData", e.RelationBlock())
	}
	return out
}

func (e *Extract) NodeBlock() []byte {
	t := NewStringTable()
	var ids, lats, lngs, keyValues []byte
	var id, lat, lng int64
	for _, n := range e.Nodes {
		nLat, nLng := int64(math.Round(n.Lat*1e7)), int64(math.Round(n.Lng*1e7))
		ids, lats, lngs = appendZigzag(ids, n.ID-id), appendZigzag(lats, nLat-lat), appendZigzag(lngs, nLng-lng)
		id, lat, lng = n.ID, nLat, nLng
		for _, s := range n.Tags {
			keyValues = binary.AppendUvarint(keyValues, t.of(s))
		}
		keyValues = append(keyValues, 0)
	}
	var dense []byte
	for _, f := range []struct {
		field int
		data  []byte
	}{{1, ids}, {8, lats}, {9, lngs}, {10, keyValues}} {
		dense = geo.AppendBytes(dense, f.field, f.data)
	}
	return t.Block(geo.AppendBytes(nil, 2, dense))
}

func (e *Extract) WayBlock() []byte {
	t := NewStringTable()
	var group []byte
	for _, w := range e.Ways {
		msg := t.tags(geo.AppendNumber(nil, 1, uint64(w.ID)), w.Tags)
		var refs []byte
		last := int64(0)
		for _, id := range w.Refs {
			refs = appendZigzag(refs, id-last)
			last = id
		}
		group = geo.AppendBytes(group, 3, geo.AppendBytes(msg, 8, refs))
	}
	return t.Block(group)
}

func (e *Extract) RelationBlock() []byte {
	t := NewStringTable()
	var group []byte
	for _, r := range e.Relations {
		msg := t.tags(geo.AppendNumber(nil, 1, uint64(r.ID)), r.Tags)
		var roles, ids, kinds []byte
		last := int64(0)
		for _, m := range r.Members {
			roles = binary.AppendUvarint(roles, t.of(m.Role))
			ids = appendZigzag(ids, m.ID-last)
			kinds = binary.AppendUvarint(kinds, uint64(m.Kind))
			last = m.ID
		}
		msg = geo.AppendBytes(geo.AppendBytes(geo.AppendBytes(msg, 8, roles), 9, ids), 10, kinds)
		group = geo.AppendBytes(group, 4, msg)
	}
	return t.Block(group)
}

func (t *stringTable) Block(group []byte) []byte {
	var table []byte
	for _, s := range t.List {
		table = geo.AppendBytes(table, 1, []byte(s))
	}
	return geo.AppendBytes(geo.AppendBytes(nil, 1, table), 2, group)
}

func AppendBlob(out []byte, kind string, raw []byte) []byte {
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	z.Write(raw)
	z.Close()
	blob := geo.AppendBytes(geo.AppendNumber(nil, 2, uint64(len(raw))), 3, packed.Bytes())
	header := geo.AppendNumber(geo.AppendBytes(nil, 1, []byte(kind)), 3, uint64(len(blob)))
	out = binary.BigEndian.AppendUint32(out, uint32(len(header)))
	return append(append(out, header...), blob...)
}

// Town is a grid of two-way streets, 5 by 5 corners about 100 m apart, and a
// park with a pond. Corner (i, j) is node 10*i+j+1 at row i (northwards),
// column j (eastwards); streets are "Row i" and "Column j".
func Town() *Extract {
	e := &Extract{}
	for i := range 5 {
		for j := range 5 {
			e.Nodes = append(e.Nodes, TestNode{ID: Corner(i, j), Lat: 40 + float64(i)*0.0009, Lng: -75 + float64(j)*0.00118})
		}
	}
	for i := range 5 {
		row := TestWay{ID: int64(100 + i), Tags: []string{"highway", "residential", "name", "Row " + string(rune('0'+i))}}
		column := TestWay{ID: int64(200 + i), Tags: []string{"highway", "residential", "name", "Column " + string(rune('0'+i))}}
		for j := range 5 {
			row.Refs = append(row.Refs, Corner(i, j))
			column.Refs = append(column.Refs, Corner(j, i))
		}
		e.Ways = append(e.Ways, row, column)
	}
	return e
}

func Corner(i, j int) int64 { return int64(10*i + j + 1) }

func CornerAt(i, j int) geo.LatLng {
	return geo.LatLng{Lat: 40 + float64(i)*0.0009, Lng: -75 + float64(j)*0.00118}
}

// Way changes the way with an id.
func (e *Extract) Way(id int64) *TestWay {
	for i := range e.Ways {
		if e.Ways[i].ID == id {
			return &e.Ways[i]
		}
	}
	panic("no such way")
}
