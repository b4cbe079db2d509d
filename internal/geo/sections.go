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

// Layout is a kind of file that is read at once and used in place: a header of
// 64-bit words (magic, version, total size, two corners, the sections' offsets
// and counts), the sections at multiples of 8 bytes, and a checksum over
// everything before. Opening costs a read and a checksum, and a file that
// changes underneath (another import) can never be seen half.
type Layout struct {
	Magic    string // 8 bytes
	Version  uint64
	Sections int
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func (l Layout) headerWords() int { return 5 + 2*l.Sections }

// ReadWholeFile opens a file and reads it; errors of reading name the file.
func ReadWholeFile[T any](path string, read func(io.Reader, int64) (*T, error)) (*T, error) {
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

// Read gives the file as words, which keep it alive, and as bytes without its checksum.
func (l Layout) Read(src io.Reader, size int64) (memory []uint64, raw []byte, err error) {
	if size < int64(l.headerWords())*8 || size%8 != 0 {
		return nil, nil, errors.New("it has a wrong length")
	}
	if !littleEndian() {
		return nil, nil, errors.New("this machine is big-endian")
	}
	memory = make([]uint64, size/8)
	raw = unsafe.Slice((*byte)(unsafe.Pointer(&memory[0])), size)
	if n, err := io.ReadFull(src, raw[:8]); err != nil || string(raw[:n]) != l.Magic {
		return nil, nil, errors.New("it is another kind of file")
	}
	if _, err := io.ReadFull(src, raw[8:]); err != nil {
		return nil, nil, err
	}
	switch {
	case memory[1] != l.Version:
		return nil, nil, fmt.Errorf("it has version %d, this program reads %d", memory[1], l.Version)
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

// CornersOf is the box in the header.
func CornersOf(memory []uint64) (b Bounds) {
	corner := func(word uint64) (float64, float64) { return FromFixed(int32(word)), FromFixed(int32(word >> 32)) }
	b.MinLat, b.MinLng = corner(memory[3])
	b.MaxLat, b.MaxLng = corner(memory[4])
	return b
}

// sections are the parts of a file that have not been viewed yet.
type sections struct {
	raw   []byte
	table []uint64
	Err   error
}

func (l Layout) SectionsOf(memory []uint64, raw []byte) sections {
	return sections{raw: raw, table: memory[5:l.headerWords()]}
}

// View lays the next section over a slice of plain values.
func View[T any](s *sections) []T {
	var zero T
	unit := uint64(unsafe.Sizeof(zero))
	at, n := s.table[0], s.table[1]
	s.table = s.table[2:]
	end := uint64(len(s.raw))
	if at%8 != 0 || at > end || n > end || n*unit > end-at {
		s.Err = errors.New("a section lies outside of the file")
	}
	if s.Err != nil || n == 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&s.raw[at])), n)
}

// blob is a section in writing.
type blob struct {
	raw   []byte
	count int
}

func BlobOf[T any](s []T) blob { return blob{rawOf(s), len(s)} }

// Write lays the sections out as read wants them.
func (l Layout) Write(to io.Writer, bounds Box, blobs ...blob) error {
	header := make([]uint64, l.headerWords())
	at := uint64(len(header) * 8)
	for i, b := range blobs {
		header[5+2*i], header[6+2*i] = at, uint64(b.count)
		at += (uint64(len(b.raw)) + 7) / 8 * 8
	}
	copy(rawOf(header[:1]), l.Magic)
	header[1], header[2] = l.Version, at+8
	if bounds == EmptyBox {
		bounds = Box{}
	}
	header[3] = uint64(uint32(bounds.MinLat)) | uint64(uint32(bounds.MinLng))<<32
	header[4] = uint64(uint32(bounds.MaxLat)) | uint64(uint32(bounds.MaxLng))<<32

	sum := crc32.New(castagnoli)
	w := bufio.NewWriterSize(io.MultiWriter(to, sum), 1<<20)
	w.Write(rawOf(header))
	for _, b := range blobs {
		w.Write(b.raw)
		w.Write(make([]byte, (8-len(b.raw)%8)%8))
	}
	if err := w.Flush(); err != nil { // a bufio.Writer remembers its first error
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

// TextTable holds texts by number; 0 is the empty one.
type TextTable struct {
	Text  []byte
	Start []uint32 // where each begins, and the end of the last
}

func NewTextTable() TextTable { return TextTable{Start: []uint32{0, 0}} }

// Add puts a text at the end.
func (t *TextTable) Add(s string) uint32 {
	i := uint32(len(t.Start) - 1)
	t.Text = append(t.Text, s...)
	t.Start = append(t.Start, uint32(len(t.Text)))
	return i
}

// IsValid reports whether every text lies inside.
func (t *TextTable) IsValid() bool {
	for i := 1; i < len(t.Start); i++ {
		if t.Start[i] < t.Start[i-1] || int(t.Start[i]) > len(t.Text) {
			return false
		}
	}
	return len(t.Start) >= 2
}

// At gives a text without copying: it stays valid as long as anything refers to it.
func (t *TextTable) At(i uint32) string {
	from, to := t.Start[i], t.Start[i+1]
	if from == to {
		return ""
	}
	return unsafe.String(&t.Text[from], int(to-from))
}

var ErrReference = errors.New("a reference points outside")
