package geo

import (
	"encoding/binary"
	"errors"
)

var ErrWire = errors.New("broken protocol buffer")

// Wire reads protocol buffer fields from b. Every method is safe on any bytes:
// after the first fault err is set and all reads give zero values.
type Wire struct {
	B   []byte
	Err error
}

const (
	WireVarint = 0
	WireFixed8 = 1
	WireBytes  = 2
	wireFixed4 = 5
)

// Next gives the next field number and wire type; false at the end or on a fault.
func (w *Wire) Next() (field, kind int, ok bool) {
	if len(w.B) == 0 || w.Err != nil {
		return 0, 0, false
	}
	tag := w.Varint()
	if w.Err != nil {
		return 0, 0, false
	}
	if tag>>3 == 0 || tag>>3 > 1<<29 {
		w.Err = ErrWire
		return 0, 0, false
	}
	return int(tag >> 3), int(tag & 7), true
}

func (w *Wire) Varint() uint64 {
	if w.Err != nil {
		return 0
	}
	if len(w.B) > 0 && w.B[0] < 0x80 { // by far the commonest
		v := uint64(w.B[0])
		w.B = w.B[1:]
		return v
	}
	v, n := binary.Uvarint(w.B)
	if n <= 0 {
		w.Err = ErrWire
		w.B = nil
		return 0
	}
	w.B = w.B[n:]
	return v
}

func (w *Wire) Zigzag() int64 {
	v := w.Varint()
	return int64(v>>1) ^ -int64(v&1)
}

func (w *Wire) bytes() []byte {
	n := w.Varint()
	if w.Err != nil || n > uint64(len(w.B)) {
		w.Err = ErrWire
		w.B = nil
		return nil
	}
	v := w.B[:n:n]
	w.B = w.B[n:]
	return v
}

func (w *Wire) Skip(kind int) {
	switch kind {
	case WireVarint:
		w.Varint()
	case WireBytes:
		w.bytes()
	case WireFixed8:
		w.drop(8)
	case wireFixed4:
		w.drop(4)
	default:
		w.Err = ErrWire
	}
}

func (w *Wire) drop(n int) {
	if len(w.B) < n {
		w.Err = ErrWire
		w.B = nil
		return
	}
	w.B = w.B[n:]
}

// Message reads a length-delimited field that must have that wire type.
func (w *Wire) Message(kind int) []byte {
	if kind != WireBytes {
		w.Err = ErrWire
		return nil
	}
	return w.bytes()
}

// Number reads a varint field that must have that wire type.
func (w *Wire) Number(kind int) uint64 {
	if kind != WireVarint {
		w.Err = ErrWire
		return 0
	}
	return w.Varint()
}

// Done is true when nothing is left or a fault has been met.
func (w *Wire) Done() bool { return len(w.B) == 0 || w.Err != nil }

func AppendNumber(b []byte, field int, v uint64) []byte {
	b = binary.AppendUvarint(b, uint64(field)<<3|WireVarint)
	return binary.AppendUvarint(b, v)
}

func AppendBytes(b []byte, field int, v []byte) []byte {
	b = binary.AppendUvarint(b, uint64(field)<<3|WireBytes)
	b = binary.AppendUvarint(b, uint64(len(v)))
	return append(b, v...)
}
