// Package tilestest makes a small tile file for tests.
package tilestest

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"testing"

	"lightbar/internal/geo/tiles"
)

// Small is a PMTiles version 3 file (github.com/protomaps/PMTiles, spec/v3)
// for zooms 0 and 1 that holds the one tile of zoom 0.
func Small(t testing.TB) *tiles.Tiles {
	t.Helper()
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write([]byte("a vector tile"))
	_ = z.Close()
	metadata := []byte(`{"attribution":"© OpenStreetMap contributors"}`)
	root := []byte{1, 0, 1} // one entry: id 0, a run of one tile
	root = binary.AppendUvarint(root, uint64(packed.Len()))
	root = append(root, 1) // offset 0
	const head = 127
	file := append([]byte("PMTiles"), 3)
	rootAt, metaAt, dataAt := head, head+len(root), head+len(root)+len(metadata)
	for _, n := range []int{rootAt, len(root), metaAt, len(metadata), dataAt, 0, dataAt, packed.Len(), 1, 1, 1} {
		file = binary.LittleEndian.AppendUint64(file, uint64(n))
	}
	file = append(file, 1, 1, 2, 1, 0, 1) // clustered, plain directories, gzip tiles, MVT, zooms 0 to 1
	for _, degrees := range []int32{-76, 38, -75, 40} {
		file = binary.LittleEndian.AppendUint32(file, uint32(degrees*1e7))
	}
	file = append(file, 0)
	file = append(file, make([]byte, 8)...)
	file = append(append(append(file, root...), metadata...), packed.Bytes()...)
	tiles, err := tiles.OpenTilesBytes(file)
	if err != nil {
		t.Fatal(err)
	}
	return tiles
}
