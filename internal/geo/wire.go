package geo

import (
	"encoding/binary"
	"errors"
)

var errWire = errors.New("broken protocol buffer")

// wire reads protocol buffer fields from b. Every method is safe on any bytes:
// after the first fault err is set and all reads give zero values.
type wire struct {
	b   []byte
	err error
}

const (
	wireVarint = 0
	wireFixed8 = 1
	wireBytes  = 2
	wireFixed4 = 5
)

// next gives the next field number and wire type; false at the end or on a fault.
func (w *wire) next() (field, kind int, ok bool) {
	if len(w.b) == 0 || w.err != nil {
		return 0, 0, false
	}
	tag := w.varint()
	if w.err != nil {
		return 0, 0, false
	}
	if tag>>3 == 0 || tag>>3 > 1<<29 {
		w.err = errWire
		return 0, 0, false
	}
	return int(tag >> 3), int(tag & 7), true
}

func (w *wire) varint() uint64 {
	if w.err != nil {
		return 0
	}
	if len(w.b) > 0 && w.b[0] < 0x80 { // by far the commonest
		v := uint64(w.b[0])
		w.b = w.b[1:]
		return v
	}
	v, n := binary.Uvarint(w.b)
	if n <= 0 {
		w.err = errWire
		w.b = nil
		return 0
	}
	w.b = w.b[n:]
	return v
}

func (w *wire) zigzag() int64 {
	v := w.varint()
	return int64(v>>1) ^ -int64(v&1)
}

func (w *wire) bytes() []byte {
	n := w.varint()
	if w.err != nil || n > uint64(len(w.b)) {
		w.err = errWire
		w.b = nil
		return nil
	}
	v := w.b[:n:n]
	w.b = w.b[n:]
	return v
}

func (w *wire) skip(kind int) {
	switch kind {
	case wireVarint:
		w.varint()
	case wireBytes:
		w.bytes()
	case wireFixed8:
		w.drop(8)
	case wireFixed4:
		w.drop(4)
	default:
		w.err = errWire
	}
}

func (w *wire) drop(n int) {
	if len(w.b) < n {
		w.err = errWire
		w.b = nil
		return
	}
	w.b = w.b[n:]
}

// message reads a length-delimited field that must have that wire type.
func (w *wire) message(kind int) []byte {
	if kind != wireBytes {
		w.err = errWire
		return nil
	}
	return w.bytes()
}

// number reads a varint field that must have that wire type.
func (w *wire) number(kind int) uint64 {
	if kind != wireVarint {
		w.err = errWire
		return 0
	}
	return w.varint()
}

// done is true when nothing is left or a fault has been met.
func (w *wire) done() bool { return len(w.b) == 0 || w.err != nil }

func appendNumber(b []byte, field int, v uint64) []byte {
	b = binary.AppendUvarint(b, uint64(field)<<3|wireVarint)
	return binary.AppendUvarint(b, v)
}

func appendBytes(b []byte, field int, v []byte) []byte {
	b = binary.AppendUvarint(b, uint64(field)<<3|wireBytes)
	b = binary.AppendUvarint(b, uint64(len(v)))
	return append(b, v...)
}
