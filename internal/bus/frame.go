package bus

import (
	"encoding/binary"
	"errors"

	"lightbar/internal/fleet"
)

// Frame is what an organization may see of one moment: messages with
// consecutive offsets First, First+1, … of the publisher Epoch. A frame without
// items is a mark: it only says that First is the next offset.
type Frame struct {
	Organization string
	Epoch        string
	First        uint64
	At           fleet.Instant
	Items        []Item
}

// Item is one message; Body is the wire's JSON object, encoded once for everybody.
type Item struct {
	Type fleet.MessageType
	Key  string
	Body []byte
}

// Next is the offset after the frame.
func (f *Frame) Next() uint64 { return f.First + uint64(len(f.Items)) }

// The first byte of what travels on the frames' subjects: a frame, or a node's last word.
const (
	endOfFrames  = 0
	frameVersion = 1
)

var errFrame = errors.New("bus: not a frame")

// headSize and size are upper bounds of encoded bytes.
func (f *Frame) headSize() int { return 64 + len(f.Organization) + len(f.Epoch) }
func (i *Item) size() int      { return 24 + len(i.Type) + len(i.Key) + len(i.Body) }

// encode writes version, texts with their length as uvarint, numbers as
// uvarint, the count of items and each item's type, key and body.
func (f *Frame) encode() []byte {
	n := f.headSize()
	for i := range f.Items {
		n += f.Items[i].size()
	}
	b := append(make([]byte, 0, n), frameVersion)
	b = appendText(b, f.Organization)
	b = appendText(b, f.Epoch)
	b = binary.AppendUvarint(b, f.First)
	b = binary.AppendVarint(b, int64(f.At))
	b = binary.AppendUvarint(b, uint64(len(f.Items)))
	for i := range f.Items {
		b = appendText(b, f.Items[i].Type)
		b = appendText(b, f.Items[i].Key)
		b = appendText(b, f.Items[i].Body)
	}
	return b
}

// decodeFrame reads what encode wrote; the bodies share b's memory.
func decodeFrame(b []byte) (Frame, error) {
	r := reader{b: b}
	if r.byte() != frameVersion {
		return Frame{}, errFrame
	}
	f := Frame{Organization: string(r.text()), Epoch: string(r.text()), First: r.uvarint(), At: fleet.Instant(r.varint())}
	n := r.uvarint()
	if r.failed || n > uint64(len(r.b))/3 { // an item takes at least three bytes
		return Frame{}, errFrame
	}
	if n > 0 {
		f.Items = make([]Item, n)
	}
	for i := range f.Items {
		f.Items[i] = Item{Type: eventType(r.text()), Key: string(r.text()), Body: r.text()}
	}
	if r.failed || len(r.b) != 0 {
		return Frame{}, errFrame
	}
	return f, nil
}

func appendText[T ~string | ~[]byte](b []byte, s T) []byte {
	b = binary.AppendUvarint(b, uint64(len(s)))
	return append(b, s...)
}

// eventType avoids an allocation for the known types.
func eventType(b []byte) fleet.MessageType {
	switch string(b) {
	case string(fleet.MessagePoint):
		return fleet.MessagePoint
	case string(fleet.MessageThing):
		return fleet.MessageThing
	case string(fleet.MessageHeartbeat):
		return fleet.MessageHeartbeat
	}
	return fleet.MessageType(b)
}

// reader takes fields off the front of b; after a failure everything reads as empty.
type reader struct {
	b      []byte
	failed bool
}

func (r *reader) byte() byte {
	if len(r.b) == 0 {
		r.failed = true
		return 0
	}
	c := r.b[0]
	r.b = r.b[1:]
	return c
}

func (r *reader) uvarint() uint64 {
	v, n := binary.Uvarint(r.b)
	return took(r, v, n)
}

func (r *reader) varint() int64 {
	v, n := binary.Varint(r.b)
	return took(r, v, n)
}

func took[T any](r *reader, v T, n int) T {
	if n <= 0 {
		var zero T
		r.failed, r.b = true, nil
		return zero
	}
	r.b = r.b[n:]
	return v
}

func (r *reader) text() []byte {
	n := r.uvarint()
	if n > uint64(len(r.b)) {
		r.failed, r.b = true, nil
		return nil
	}
	s := r.b[:n:n]
	r.b = r.b[n:]
	return s
}
