package tiles

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"os"

	"lightbar/internal/geo"
)

// tileWriter writes a PMTiles file: header and root directory in the first
// 16 kB, then the tiles in the order of their ids, then leaf directories and
// metadata. Equal small tiles (sea, forest) are stored once.
type tileWriter struct {
	f         *os.File
	w         *bufio.Writer
	dataLen   uint64
	addressed uint64
	contents  uint64
	entries   []tileEntry
	stored    map[[16]byte]tileEntry
	sum       hash.Hash
}

const sharedTileLimit = 4096 // larger tiles are hardly ever equal

func newTileWriter(path string) (*tileWriter, error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	w := &tileWriter{f: f, w: bufio.NewWriterSize(f, 1<<20), stored: map[[16]byte]tileEntry{}, sum: sha256.New()}
	_, err = w.w.Write(make([]byte, pmRootLimit))
	return w, err
}

// add appends a tile; ids must rise.
func (w *tileWriter) add(id uint64, data []byte) error {
	w.addressed++
	fmt.Fprintf(w.sum, "%d %d ", id, len(data))
	w.sum.Write(data)
	e := tileEntry{id: id, offset: w.dataLen, length: uint32(len(data)), run: 1}
	if len(data) <= sharedTileLimit {
		full := sha256.Sum256(data)
		key := [16]byte(full[:16])
		if same, ok := w.stored[key]; ok {
			return w.again(id, same)
		}
		w.stored[key] = e
	}
	w.contents++
	w.entries = append(w.entries, e)
	w.dataLen += uint64(len(data))
	_, err := w.w.Write(data)
	return err
}

func (w *tileWriter) again(id uint64, same tileEntry) error {
	last := &w.entries[len(w.entries)-1]
	if last.offset == same.offset && last.id+uint64(last.run) == id {
		last.run++
		return nil
	}
	same.id, same.run = id, 1
	w.entries = append(w.entries, same)
	return nil
}

// TileMeta is what a file contains about itself.
type TileMeta struct {
	Name         string        `json:"name"`
	Description  string        `json:"description,omitempty"`
	Attribution  string        `json:"attribution"`
	Type         string        `json:"type"`
	Version      string        `json:"version"`
	Content      string        `json:"content_sha256"`
	VectorLayers []vectorLayer `json:"vector_layers"`

	Bounds  geo.Bounds `json:"-"` // these two are of the header
	MaxZoom uint8      `json:"-"`
}

type vectorLayer struct {
	ID      string            `json:"id"`
	MinZoom int               `json:"minzoom"`
	MaxZoom int               `json:"maxzoom"`
	Fields  map[string]string `json:"fields"`
}

// finish writes directories, metadata and header, and syncs the file.
func (w *tileWriter) finish(meta TileMeta) error {
	defer w.f.Close()
	root, leaves := splitDirectory(w.entries)
	meta.Content = hex.EncodeToString(w.sum.Sum(nil))
	text, err := json.Marshal(meta)
	if err != nil {
		return err
	}
	packed := gzipped(text)
	h := pmHeader{
		rootAt: pmHeaderSize, rootLen: uint64(len(root)), dataAt: pmRootLimit, dataLen: w.dataLen,
		addressed: w.addressed, entries: uint64(len(w.entries)), contents: w.contents, clustered: true,
		dirCompression: pmGzip, tileCompression: pmGzip, tileType: pmMVT, maxZoom: meta.MaxZoom,
	}
	h.leavesAt, h.leafLen = h.dataAt+h.dataLen, uint64(len(leaves))
	h.metaAt, h.metaLen = h.leavesAt+h.leafLen, uint64(len(packed))
	b := meta.Bounds
	h.bounds = geo.Box{MinLat: geo.ToFixed(b.MinLat), MinLng: geo.ToFixed(b.MinLng),
		MaxLat: geo.ToFixed(b.MaxLat), MaxLng: geo.ToFixed(b.MaxLng)}
	h.center = geo.Point{Lat: geo.ToFixed(b.Center().Lat), Lng: geo.ToFixed(b.Center().Lng)}
	h.centerZoom = min(8, meta.MaxZoom)
	w.w.Write(leaves)
	w.w.Write(packed)
	if err := w.w.Flush(); err != nil { // a bufio.Writer remembers its first error
		return err
	}
	if _, err := w.f.WriteAt(append(h.encode(), root...), 0); err != nil {
		return err
	}
	return w.f.Sync()
}

// splitDirectory makes a root that fits in its place, with leaves of equal
// size below it where one directory would be too long.
func splitDirectory(entries []tileEntry) (root, leaves []byte) {
	const limit = pmRootLimit - pmHeaderSize
	if len(entries) < pmRootLimit {
		if root = encodeDirectory(entries); len(root) <= limit {
			return root, nil
		}
	}
	for size := 4096; ; size *= 2 {
		leaves = leaves[:0]
		var top []tileEntry
		for i := 0; i < len(entries); i += size {
			leaf := encodeDirectory(entries[i:min(i+size, len(entries))])
			top = append(top, tileEntry{id: entries[i].id, offset: uint64(len(leaves)), length: uint32(len(leaf))})
			leaves = append(leaves, leaf...)
		}
		if root = encodeDirectory(top); len(root) <= limit {
			return root, leaves
		}
	}
}
