package geo

import (
	"bufio"
	"encoding/binary"
	"hash/crc32"
	"io"
	"unsafe"
)

// write lays the index out as readRoads wants it: a header of 64-bit words
// (magic, version, total size, two corners, the sections' offsets and counts),
// the sections at multiples of 8 bytes, and a checksum over everything before.
func (d *roadsData) write(to io.Writer) error {
	header := make([]uint64, headerWords)
	at := uint64(headerWords * 8)
	table := header[5:5]
	blobs := [][]byte{}
	add := func(raw []byte, count int) {
		table = append(table, at, uint64(count))
		blobs = append(blobs, raw)
		at += (uint64(len(raw)) + 7) / 8 * 8
	}
	add(rawOf(d.points), len(d.points))
	add(rawOf(d.edges), len(d.edges))
	add(rawOf(d.nodes), len(d.nodes))
	add(rawOf(d.firstArc), len(d.firstArc))
	add(rawOf(d.arcs), len(d.arcs))
	add(rawOf(d.chunks), len(d.chunks))
	add(rawOf(d.boxes), len(d.boxes))
	add(rawOf(d.levels), len(d.levels))
	add(d.text, len(d.text))
	add(rawOf(d.textStart), len(d.textStart))

	copy(rawOf(header[:1]), roadsMagic)
	header[1], header[2] = roadsVersion, at+8
	b := d.bounds
	if len(d.points) == 0 {
		b = box{}
	}
	header[3] = uint64(uint32(b.minLat)) | uint64(uint32(b.minLng))<<32
	header[4] = uint64(uint32(b.maxLat)) | uint64(uint32(b.maxLng))<<32

	sum := crc32.New(castagnoli)
	w := bufio.NewWriterSize(io.MultiWriter(to, sum), 1<<20)
	w.Write(rawOf(header))
	for _, raw := range blobs {
		w.Write(raw)
		w.Write(make([]byte, (8-len(raw)%8)%8))
	}
	if err := w.Flush(); err != nil { // a bufio.Writer keeps its first error
		return err
	}
	var trailer [8]byte
	binary.LittleEndian.PutUint64(trailer[:], uint64(sum.Sum32()))
	_, err := to.Write(trailer[:])
	return err
}

// rawOf views a slice of plain values as the bytes they are in memory.
func rawOf[T any](s []T) []byte {
	if len(s) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&s[0])), len(s)*int(unsafe.Sizeof(s[0])))
}
