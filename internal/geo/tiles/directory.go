package tiles

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"

	"github.com/klauspost/compress/gzip"

	"lightbar/internal/geo"
)

// PMTiles version 3, github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md.
const (
	pmHeaderSize  = 127
	pmRootLimit   = 16384 // header and root directory fit in a reader's first request
	pmMagic       = "PMTiles"
	pmGzip        = 2
	pmMVT         = 1
	maxDirEntries = 1 << 20
)

// tileEntry is a row of a PMTiles directory: run tiles from id on share the
// bytes at offset; run 0 points to a leaf directory.
type tileEntry struct {
	id     uint64
	offset uint64
	length uint32
	run    uint32
}

// pmHeader is the fixed head of a PMTiles file.
type pmHeader struct {
	rootAt, rootLen   uint64
	metaAt, metaLen   uint64
	leavesAt, leafLen uint64
	dataAt, dataLen   uint64
	addressed         uint64
	entries           uint64
	contents          uint64
	clustered         bool
	dirCompression    uint8
	tileCompression   uint8
	tileType          uint8
	minZoom, maxZoom  uint8
	bounds            geo.Box // degrees × 1e7
	center            geo.Point
	centerZoom        uint8
}

func (h *pmHeader) encode() []byte {
	b := make([]byte, 0, pmHeaderSize)
	b = append(b, pmMagic...)
	b = append(b, 3)
	for _, v := range []uint64{h.rootAt, h.rootLen, h.metaAt, h.metaLen, h.leavesAt, h.leafLen, h.dataAt, h.dataLen, h.addressed,
		h.entries, h.contents} {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	clustered := uint8(0)
	if h.clustered {
		clustered = 1
	}
	b = append(b, clustered, h.dirCompression, h.tileCompression, h.tileType, h.minZoom, h.maxZoom)
	for _, v := range []int32{h.bounds.MinLng, h.bounds.MinLat, h.bounds.MaxLng, h.bounds.MaxLat} {
		b = binary.LittleEndian.AppendUint32(b, uint32(v))
	}
	b = append(b, h.centerZoom)
	b = binary.LittleEndian.AppendUint32(b, uint32(h.center.Lng))
	return binary.LittleEndian.AppendUint32(b, uint32(h.center.Lat))
}

func (h *pmHeader) decode(b []byte) error {
	if len(b) < pmHeaderSize || string(b[:7]) != pmMagic {
		return errors.New("it is another kind of file")
	}
	if b[7] != 3 {
		return errors.New("it is not PMTiles version 3")
	}
	u64 := func(i int) uint64 { return binary.LittleEndian.Uint64(b[8+8*i:]) }
	i32 := func(at int) int32 { return int32(binary.LittleEndian.Uint32(b[at:])) }
	*h = pmHeader{
		rootAt: u64(0), rootLen: u64(1), metaAt: u64(2), metaLen: u64(3), leavesAt: u64(4), leafLen: u64(5),
		dataAt: u64(6), dataLen: u64(7), addressed: u64(8), entries: u64(9), contents: u64(10),
		clustered: b[96] == 1, dirCompression: b[97], tileCompression: b[98], tileType: b[99], minZoom: b[100], maxZoom: b[101],
		bounds:     geo.Box{MinLng: i32(102), MinLat: i32(106), MaxLng: i32(110), MaxLat: i32(114)},
		centerZoom: b[118], center: geo.Point{Lng: i32(119), Lat: i32(123)},
	}
	if h.minZoom > h.maxZoom || h.maxZoom > 30 {
		return errors.New("its zoom range is impossible")
	}
	return nil
}

// encodeDirectory writes entries as the format has them: columns of varints, gzipped.
func encodeDirectory(entries []tileEntry) []byte {
	b := binary.AppendUvarint(nil, uint64(len(entries)))
	last := uint64(0)
	for _, e := range entries {
		b = binary.AppendUvarint(b, e.id-last)
		last = e.id
	}
	for _, e := range entries {
		b = binary.AppendUvarint(b, uint64(e.run))
	}
	for _, e := range entries {
		b = binary.AppendUvarint(b, uint64(e.length))
	}
	for i, e := range entries {
		if i > 0 && e.offset == entries[i-1].offset+uint64(entries[i-1].length) {
			b = append(b, 0) // follows its predecessor
		} else {
			b = binary.AppendUvarint(b, e.offset+1)
		}
	}
	return gzipped(b)
}

func gzipped(b []byte) []byte {
	var out bytes.Buffer
	z, _ := gzip.NewWriterLevel(&out, gzip.BestCompression)
	z.Write(b) // a buffer does not fail
	z.Close()
	return out.Bytes()
}

// gunzipped inflates at most limit bytes.
func gunzipped(b []byte, limit int64) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	out, err := io.ReadAll(io.LimitReader(z, limit+1))
	if err == nil && int64(len(out)) > limit {
		err = errors.New("larger than allowed")
	}
	return out, err
}

var errDirectory = errors.New("broken directory")

// decodeDirectory reads what encodeDirectory writes. It is safe on any bytes.
func decodeDirectory(b []byte, compression uint8) ([]tileEntry, error) {
	if compression == pmGzip {
		var err error
		if b, err = gunzipped(b, 64<<20); err != nil {
			return nil, errDirectory
		}
	}
	w := geo.Wire{B: b}
	n := w.Varint()
	if w.Err != nil || n > maxDirEntries || n > uint64(len(w.B))/4+1 { // an entry takes 4 bytes or more
		return nil, errDirectory
	}
	entries := make([]tileEntry, n)
	last := uint64(0)
	for i := range entries {
		last += w.Varint()
		entries[i].id = last
	}
	for i := range entries {
		entries[i].run = uint32(min(w.Varint(), math.MaxUint32))
	}
	for i := range entries {
		entries[i].length = uint32(min(w.Varint(), math.MaxUint32))
	}
	for i := range entries {
		switch v := w.Varint(); {
		case v > 0:
			entries[i].offset = v - 1
		case i > 0:
			entries[i].offset = entries[i-1].offset + uint64(entries[i-1].length)
		default:
			return nil, errDirectory
		}
	}
	if w.Err != nil {
		return nil, errDirectory
	}
	return entries, nil
}
