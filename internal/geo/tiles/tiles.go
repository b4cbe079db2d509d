// Package tiles reads, cuts, and writes vector tiles in PMTiles files, those of
// the built-in base map among them.
package tiles

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sort"
	"sync"

	"lightbar/internal/geo"
)

const (
	maxMetadata = 16 << 20
	maxTile     = 16 << 20
)

// ErrBadTiles is wrapped by OpenTiles for a file that is not PMTiles version 3 or is damaged.
var ErrBadTiles = errors.New("not a usable PMTiles file")

// Tiles is an open PMTiles file. It is safe for concurrent use.
type Tiles struct {
	MinZoom, MaxZoom int

	src      io.ReaderAt
	size     int64
	file     *os.File // nil for OpenTilesBytes
	header   pmHeader
	root     []tileEntry
	metadata json.RawMessage
	digest   string

	mu     sync.Mutex
	leaves map[uint64][]tileEntry // decoded leaf directories by offset
}

// OpenTiles opens a PMTiles version 3 file. Errors: those of os.Open, and ErrBadTiles.
func OpenTiles(path string) (*Tiles, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	t, err := openTiles(f, info.Size())
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	t.file = f
	return t, nil
}

// OpenTilesBytes reads tiles from memory (embedded data), which must not change.
func OpenTilesBytes(data []byte) (*Tiles, error) {
	return openTiles(bytes.NewReader(data), int64(len(data)))
}

func openTiles(src io.ReaderAt, size int64) (*Tiles, error) {
	t := &Tiles{src: src, size: size, leaves: map[uint64][]tileEntry{}}
	head := make([]byte, pmHeaderSize)
	if _, err := src.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if err := t.header.decode(head); err != nil {
		return nil, fmt.Errorf("%w: %v", ErrBadTiles, err)
	}
	h := &t.header
	if h.dirCompression > pmGzip {
		return nil, fmt.Errorf("%w: its directories are packed with a method other than gzip", ErrBadTiles)
	}
	root, err := t.read(h.rootAt, h.rootLen, pmRootLimit)
	if err != nil {
		return nil, err
	}
	if t.root, err = decodeDirectory(root, h.dirCompression); err != nil {
		return nil, fmt.Errorf("%w: %v", ErrBadTiles, err)
	}
	packed, err := t.read(h.metaAt, h.metaLen, maxMetadata)
	if err != nil {
		return nil, err
	}
	t.metadata = packed
	if h.dirCompression == pmGzip && len(packed) > 0 {
		if t.metadata, err = gunzipped(packed, maxMetadata); err != nil {
			return nil, fmt.Errorf("%w: broken metadata", ErrBadTiles)
		}
	}
	if len(t.metadata) == 0 {
		t.metadata = json.RawMessage("{}")
	}
	if !json.Valid(t.metadata) {
		return nil, fmt.Errorf("%w: broken metadata", ErrBadTiles)
	}
	if !span(h.dataAt, h.dataLen, t.size) || !span(h.leavesAt, h.leafLen, t.size) {
		return nil, fmt.Errorf("%w: it is truncated", ErrBadTiles)
	}
	t.MinZoom, t.MaxZoom = int(h.minZoom), int(h.maxZoom)
	sum := sha256.New()
	for _, part := range [][]byte{head, root, t.metadata} {
		sum.Write(part)
	}
	t.digest = hex.EncodeToString(sum.Sum(nil)[:16])
	return t, nil
}

func span(at, n uint64, size int64) bool { return at <= uint64(size) && n <= uint64(size)-at }

func (t *Tiles) read(at, n uint64, limit uint64) ([]byte, error) {
	if n > limit || !span(at, n, t.size) {
		return nil, fmt.Errorf("%w: it is truncated", ErrBadTiles)
	}
	b := make([]byte, n)
	if _, err := t.src.ReadAt(b, int64(at)); err != nil && !(errors.Is(err, io.EOF) && n == 0) {
		return nil, err
	}
	return b, nil
}

// Tile gives a tile's bytes as they are stored (see Gzipped); false when the
// file has none there. x and y count from the north-west.
func (t *Tiles) Tile(z, x, y int) (data []byte, ok bool, err error) {
	if z < t.MinZoom || z > t.MaxZoom || x < 0 || y < 0 || x >= 1<<z || y >= 1<<z {
		return nil, false, nil
	}
	id := tileID(uint8(z), uint32(x), uint32(y))
	entries := t.root
	for range 4 { // the format allows a depth of 3
		e, found := findEntry(entries, id)
		if !found {
			return nil, false, nil
		}
		if e.run > 0 {
			if e.offset > t.header.dataLen {
				return nil, false, fmt.Errorf("%w: a tile lies outside", ErrBadTiles)
			}
			data, err = t.read(t.header.dataAt+e.offset, uint64(e.length), maxTile)
			return data, err == nil, err
		}
		if entries, err = t.leaf(e); err != nil {
			return nil, false, err
		}
	}
	return nil, false, fmt.Errorf("%w: its directories are nested too deep", ErrBadTiles)
}

// findEntry finds the row that covers id: a run of tiles, or the leaf to look in.
func findEntry(entries []tileEntry, id uint64) (tileEntry, bool) {
	i := sort.Search(len(entries), func(i int) bool { return entries[i].id > id })
	if i == 0 {
		return tileEntry{}, false
	}
	e := entries[i-1]
	return e, e.run == 0 || id-e.id < uint64(e.run)
}

func (t *Tiles) leaf(e tileEntry) ([]tileEntry, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if entries, ok := t.leaves[e.offset]; ok {
		return entries, nil
	}
	if e.offset > t.header.leafLen {
		return nil, fmt.Errorf("%w: a directory lies outside", ErrBadTiles)
	}
	packed, err := t.read(t.header.leavesAt+e.offset, uint64(e.length), maxMetadata)
	if err != nil {
		return nil, err
	}
	entries, err := decodeDirectory(packed, t.header.dirCompression)
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrBadTiles, err)
	}
	t.leaves[e.offset] = entries
	return entries, nil
}

// Metadata is the file's JSON: name, attribution, vector_layers and so on.
func (t *Tiles) Metadata() json.RawMessage { return t.metadata }

// Attribution is the metadata's attribution; empty when there is none.
func (t *Tiles) Attribution() string {
	var m struct {
		Attribution string `json:"attribution"`
	}
	if json.Unmarshal(t.metadata, &m) != nil {
		return ""
	}
	return m.Attribution
}

// Bounds is the box in the file's header.
func (t *Tiles) Bounds() geo.Bounds { return t.header.bounds.Degrees() }

// Gzipped reports whether Tile gives gzip data (Content-Encoding: gzip).
func (t *Tiles) Gzipped() bool { return t.header.tileCompression == pmGzip }

// Digest changes whenever the tiles do (files of our writer carry a hash of
// all tiles in their metadata): the base of ETags.
func (t *Tiles) Digest() string { return t.digest }

// Section reads the whole file, for serving it by byte ranges. Each has its own position.
func (t *Tiles) Section() *io.SectionReader { return io.NewSectionReader(t.src, 0, t.size) }

// Close closes the file; tiles in use must not be read after it.
func (t *Tiles) Close() error {
	if t.file == nil {
		return nil
	}
	return t.file.Close()
}
