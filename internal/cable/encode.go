package cable

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"strconv"
	"sync"

	"github.com/gorilla/websocket"
	"github.com/klauspost/compress/flate"

	"lightbar/internal/app"
	"lightbar/internal/bus"
)

// audience is everything that makes encoded bytes differ between subscriptions
// of one organization; subscriptions of equal audience share every frame, which
// is encoded once for all of them.
type audience struct {
	sees       app.Seen
	batch      bool
	deflate    bool
	identifier string
}

// span is a run of messages with consecutive offsets from first.
type span struct {
	first uint64
	items []bus.Item
}

// appendData appends the data frames of the spans to dst, ready for the wire:
// one frame a message, or one frame for all with batch. Nothing is appended
// when the audience sees none of them.
func (a *audience) appendData(dst []byte, streamID, epoch string, spans []span) []byte {
	buf := textBuffers.Get().(*bytes.Buffer)
	defer textBuffers.Put(buf)
	identifier := quote(a.identifier)
	tail := `,"stream_id":` + quote(streamID) + `,"epoch":` + quote(epoch)
	if a.batch {
		return a.appendBatch(dst, buf, identifier, tail, spans)
	}
	for _, s := range spans {
		for i := range s.items {
			if !a.sees.Has(s.items[i].Type) {
				continue
			}
			buf.Reset()
			buf.WriteString(`{"identifier":`)
			buf.WriteString(identifier)
			buf.WriteString(`,"message":`)
			buf.Write(s.items[i].Body)
			buf.WriteString(tail)
			buf.WriteString(`,"offset":`)
			buf.Write(strconv.AppendUint(buf.AvailableBuffer(), s.first+uint64(i), 10))
			buf.WriteByte('}')
			dst = appendText(dst, buf.Bytes(), a.deflate)
		}
	}
	return dst
}

func (a *audience) appendBatch(dst []byte, buf *bytes.Buffer, identifier, tail string, spans []span) []byte {
	buf.Reset()
	buf.WriteString(`{"identifier":`)
	buf.WriteString(identifier)
	buf.WriteString(tail)
	buf.WriteString(`,"messages":[`)
	empty := true
	for _, s := range spans {
		for i := range s.items {
			if !a.sees.Has(s.items[i].Type) {
				continue
			}
			if !empty {
				buf.WriteByte(',')
			}
			empty = false
			buf.WriteString(`{"offset":`)
			buf.Write(strconv.AppendUint(buf.AvailableBuffer(), s.first+uint64(i), 10))
			buf.WriteString(`,"message":`)
			buf.Write(s.items[i].Body)
			buf.WriteByte('}')
		}
	}
	if empty {
		return dst
	}
	buf.WriteString(`]}`)
	return appendText(dst, buf.Bytes(), a.deflate)
}

// textBuffers hold the text of a frame while it is made.
var textBuffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// deflaters hold compressors of level 1; no context is stored between frames (it would cost hundreds of kilobytes a socket).
var deflaters = sync.Pool{New: func() any {
	w, err := flate.NewWriter(nil, flate.BestSpeed)
	if err != nil {
		panic(err) // the level is a constant
	}
	return w
}}

// RFC 6455 section 5.2 and RFC 7692 section 6: bits of a frame's first byte.
const (
	frameFinal      = 0x80
	frameCompressed = 0x40
)

// appendText appends one text message as a WebSocket frame of a server (unmasked, RFC 6455), compressed (RFC 7692) when requested
// and worth it.
func appendText(dst, payload []byte, deflate bool) []byte {
	if !deflate || len(payload) <= compressAbove {
		return appendFrame(dst, frameFinal|websocket.TextMessage, payload)
	}
	out := textBuffers.Get().(*bytes.Buffer)
	defer textBuffers.Put(out)
	out.Reset()
	w := deflaters.Get().(*flate.Writer)
	defer deflaters.Put(w)
	w.Reset(out)
	_, _ = w.Write(payload) // a bytes.Buffer does not fail
	_ = w.Flush()
	packed := bytes.TrimSuffix(out.Bytes(), []byte{0, 0, 0xff, 0xff})
	return appendFrame(dst, frameFinal|frameCompressed|websocket.TextMessage, packed)
}

// appendFrame appends one frame with its first byte and its length.
func appendFrame(dst []byte, first byte, payload []byte) []byte {
	n := len(payload)
	switch {
	case n < 126:
		dst = append(dst, first, byte(n))
	case n <= 0xffff:
		dst = append(dst, first, 126)
		dst = binary.BigEndian.AppendUint16(dst, uint16(n))
	default:
		dst = append(dst, first, 127)
		dst = binary.BigEndian.AppendUint64(dst, uint64(n))
	}
	return append(dst, payload...)
}

// quote is the JSON text of s.
func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		return `""` // a string cannot fail
	}
	return string(b)
}

// disconnectFrame is the last text and the closing frame in one.
func disconnectFrame(reason Reason, afterMs int64) []byte {
	dst := textFrame(DisconnectFrame{Type: "disconnect", Reason: reason, Reconnect: reason.reconnect(), AfterMs: max(afterMs, 0)})
	return appendFrame(dst, frameFinal|websocket.CloseMessage, websocket.FormatCloseMessage(reason.closeCode(), string(reason)))
}
