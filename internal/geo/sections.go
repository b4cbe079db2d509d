package geo

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"unsafe"
)

// layout is a kind of file that is read at once and used in place: a header of
// 64-bit words (magic, version, total size, two corners, the sections' offsets
// and counts), the sections at multiples of 8 bytes, and a checksum over
// everything before. Opening costs a read and a checksum, and a file that
// changes underneath (another import) can never be seen half.
type layout struct {
	magic    string // 8 bytes
	version  uint64
	sections int
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func (l layout) headerWords() int { return 5 + 2*l.sections }

// openWhole opens a file and reads it; errors of reading name the file.
func openWhole[T any](path string, read func(io.Reader, int64) (*T, error)) (*T, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	out, err := read(f, info.Size())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return out, nil
}

// read gives the file as words, which keep it alive, and as bytes without its checksum.
func (l layout) read(src io.Reader, size int64) (memory []uint64, raw []byte, err error) {
	if size < int64(l.headerWords())*8 || size%8 != 0 {
		return nil, nil, errors.New("it has a wrong length")
	}
	if !littleEndian() {
		return nil, nil, errors.New("this machine is big-endian")
	}
	memory = make([]uint64, size/8)
	raw = unsafe.Slice((*byte)(unsafe.Pointer(&memory[0])), size)
	if n, err := io.ReadFull(src, raw[:8]); err != nil || string(raw[:n]) != l.magic {
		return nil, nil, errors.New("it is another kind of file")
	}
	if _, err := io.ReadFull(src, raw[8:]); err != nil {
		return nil, nil, err
	}
	switch {
	case memory[1] != l.version:
		return nil, nil, fmt.Errorf("it has version %d, this program reads %d", memory[1], l.version)
	case memory[2] != uint64(size):
		return nil, nil, errors.New("it is truncated")
	case uint64(crc32.Checksum(raw[:size-8], castagnoli)) != memory[len(memory)-1]:
		return nil, nil, errors.New("its checksum is wrong")
	}
	return memory, raw[:size-8], nil
}

func littleEndian() bool {
	one := uint16(1)
	return *(*byte)(unsafe.Pointer(&one)) == 1
}

// cornersOf is the box that the header tells.
func cornersOf(memory []uint64) (b Bounds) {
	corner := func(word uint64) (float64, float64) { return fromFixed(int32(word)), fromFixed(int32(word >> 32)) }
	b.MinLat, b.MinLng = corner(memory[3])
	b.MaxLat, b.MaxLng = corner(memory[4])
	return b
}

// sections are the parts of a file that have not been viewed yet.
type sections struct {
	raw   []byte
	table []uint64
	err   error
}

func (l layout) sectionsOf(memory []uint64, raw []byte) sections {
	return sections{raw: raw, table: memory[5:l.headerWords()]}
}

// view lays the next section over a slice of plain values.
func view[T any](s *sections) []T {
	var zero T
	unit := uint64(unsafe.Sizeof(zero))
	at, n := s.table[0], s.table[1]
	s.table = s.table[2:]
	end := uint64(len(s.raw))
	if at%8 != 0 || at > end || n > end || n*unit > end-at {
		s.err = errors.New("a section lies outside of the file")
	}
	if s.err != nil || n == 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&s.raw[at])), n)
}

// blob is a section in writing.
type blob struct {
	raw   []byte
	count int
}

func blobOf[T any](s []T) blob { return blob{rawOf(s), len(s)} }

// write lays the sections out as read wants them.
func (l layout) write(to io.Writer, bounds box, blobs ...blob) error {
	header := make([]uint64, l.headerWords())
	at := uint64(len(header) * 8)
	for i, b := range blobs {
		header[5+2*i], header[6+2*i] = at, uint64(b.count)
		at += (uint64(len(b.raw)) + 7) / 8 * 8
	}
	copy(rawOf(header[:1]), l.magic)
	header[1], header[2] = l.version, at+8
	if bounds == emptyBox {
		bounds = box{}
	}
	header[3] = uint64(uint32(bounds.minLat)) | uint64(uint32(bounds.minLng))<<32
	header[4] = uint64(uint32(bounds.maxLat)) | uint64(uint32(bounds.maxLng))<<32

	sum := crc32.New(castagnoli)
	w := bufio.NewWriterSize(io.MultiWriter(to, sum), 1<<20)
	w.Write(rawOf(header))
	for _, b := range blobs {
		w.Write(b.raw)
		w.Write(make([]byte, (8-len(b.raw)%8)%8))
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

// textTable holds texts by number; 0 is the empty one.
type textTable struct {
	text  []byte
	start []uint32 // where each begins, and the end of the last
}

func newTextTable() textTable { return textTable{start: []uint32{0, 0}} }

// add puts a text at the end.
func (t *textTable) add(s string) uint32 {
	i := uint32(len(t.start) - 1)
	t.text = append(t.text, s...)
	t.start = append(t.start, uint32(len(t.text)))
	return i
}

// whole reports whether every text lies inside.
func (t *textTable) whole() bool {
	for i := 1; i < len(t.start); i++ {
		if t.start[i] < t.start[i-1] || int(t.start[i]) > len(t.text) {
			return false
		}
	}
	return len(t.start) >= 2
}

// at gives a text without copying: it stays valid as long as anything refers to it.
func (t *textTable) at(i uint32) string {
	from, to := t.start[i], t.start[i+1]
	if from == to {
		return ""
	}
	return unsafe.String(&t.text[from], int(to-from))
}

var errReference = errors.New("a reference points outside")
