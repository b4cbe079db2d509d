package fleet

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
)

// trailBoxes is how many minutes with positions a trail remembers: enough to
// look back over the 10 minutes of the stationary law at any reporting rate.
const trailBoxes = 12

// trailBox is the bounding box of the positions of one minute, 1e-7 degrees.
type trailBox struct {
	minute         int32  // since the epoch
	firstMS        uint16 // first position within the minute
	minLat, maxLat int32
	minLng, maxLng int32
}

// Trail is a summary of where an asset was in the newest minutes in which it
// had positions. It is a join: adding the same positions in any order, or
// twice, gives the same trail, so late points need no history.
type Trail struct {
	n     uint8
	boxes [trailBoxes]trailBox // newest first
}

// Add takes in a position at an instant.
func (t *Trail) Add(at Instant, lat, lng float64) {
	minute, ms := int32(at/60000), uint16(at%60000)
	la, ln := ToFixed(lat), ToFixed(lng)
	i := 0
	for i < int(t.n) && t.boxes[i].minute > minute {
		i++
	}
	if i < int(t.n) && t.boxes[i].minute == minute {
		b := &t.boxes[i]
		b.firstMS = min(b.firstMS, ms)
		b.minLat, b.maxLat = min(b.minLat, la), max(b.maxLat, la)
		b.minLng, b.maxLng = min(b.minLng, ln), max(b.maxLng, ln)
		return
	}
	if i == trailBoxes {
		return
	}
	if t.n < trailBoxes {
		t.n++
	}
	copy(t.boxes[i+1:t.n], t.boxes[i:t.n-1])
	t.boxes[i] = trailBox{minute: minute, firstMS: ms, minLat: la, maxLat: la, minLng: ln, maxLng: ln}
}

// Since is the first instant from which on no known position lies more than
// withinM meters from the given one (to the minute: a minute with a position
// beyond it does not count); 0 when even the newest minute has one.
func (t *Trail) Since(lat, lng, withinM float64) Instant {
	var since Instant
	for i := range t.boxes[:t.n] {
		b := &t.boxes[i]
		farLat, farLng := farther(lat, b.minLat, b.maxLat), farther(lng, b.minLng, b.maxLng)
		if DistanceM(lat, lng, farLat, farLng) > withinM {
			break
		}
		since = Instant(b.minute)*60000 + Instant(b.firstMS)
	}
	return since
}

func farther(of float64, lo, hi int32) float64 {
	l, h := FromFixed(lo), FromFixed(hi)
	if of-l > h-of {
		return l
	}
	return h
}

// AppendBinary adds the trail in short: how many boxes, then of each what differs from the one before, as varints.
func (t *Trail) AppendBinary(b []byte) []byte {
	b = append(b, t.n)
	var last trailBox
	for i := range t.boxes[:t.n] {
		x := &t.boxes[i]
		for _, v := range [...]int64{int64(last.minute) - int64(x.minute), int64(x.firstMS), int64(x.minLat) - int64(last.minLat),
			int64(x.maxLat) - int64(x.minLat), int64(x.minLng) - int64(last.minLng), int64(x.maxLng) - int64(x.minLng)} {
			b = binary.AppendVarint(b, v)
		}
		last = *x
	}
	return b
}

// ReadBinary reads what AppendBinary wrote, and returns what follows it.
func (t *Trail) ReadBinary(b []byte) (rest []byte, err error) {
	*t = Trail{}
	if len(b) == 0 || b[0] > trailBoxes {
		return nil, errTrail
	}
	t.n, b = b[0], b[1:]
	var last trailBox
	for i := range t.boxes[:t.n] {
		var f [6]int64
		for k := range f {
			n := 0
			if f[k], n = binary.Varint(b); n <= 0 {
				return nil, errTrail
			}
			b = b[n:]
		}
		if i > 0 && f[0] <= 0 { // newest first
			return nil, errTrail
		}
		x := &t.boxes[i]
		x.minute, x.firstMS = int32(int64(last.minute)-f[0]), uint16(f[1])
		x.minLat, x.minLng = int32(int64(last.minLat)+f[2]), int32(int64(last.minLng)+f[4])
		x.maxLat, x.maxLng = int32(int64(x.minLat)+f[3]), int32(int64(x.minLng)+f[5])
		last = *x
	}
	return b, nil
}

const trailBoxBytes = 4 + 2 + 16

// MarshalText writes the trail as base64 of its boxes (version 1).
func (t Trail) MarshalText() ([]byte, error) {
	raw := make([]byte, 0, 1+trailBoxes*trailBoxBytes)
	raw = append(raw, 1)
	for _, b := range t.boxes[:t.n] {
		raw = binary.LittleEndian.AppendUint32(raw, uint32(b.minute))
		raw = binary.LittleEndian.AppendUint16(raw, b.firstMS)
		for _, v := range [4]int32{b.minLat, b.maxLat, b.minLng, b.maxLng} {
			raw = binary.LittleEndian.AppendUint32(raw, uint32(v))
		}
	}
	out := make([]byte, base64.RawStdEncoding.EncodedLen(len(raw)))
	base64.RawStdEncoding.Encode(out, raw)
	return out, nil
}

var errTrail = errors.New("fleet: not a trail")

// UnmarshalText reads what MarshalText wrote.
func (t *Trail) UnmarshalText(text []byte) error {
	*t = Trail{}
	if len(text) == 0 {
		return nil
	}
	raw := make([]byte, base64.RawStdEncoding.DecodedLen(len(text)))
	n, err := base64.RawStdEncoding.Decode(raw, text)
	if err != nil || n < 1 || raw[0] != 1 || (n-1)%trailBoxBytes != 0 || (n-1)/trailBoxBytes > trailBoxes {
		return errTrail
	}
	raw = raw[1:n]
	for i := 0; len(raw) > 0; i++ {
		b := &t.boxes[i]
		b.minute, b.firstMS = int32(binary.LittleEndian.Uint32(raw)), binary.LittleEndian.Uint16(raw[4:])
		raw = raw[6:]
		for _, v := range [4]*int32{&b.minLat, &b.maxLat, &b.minLng, &b.maxLng} {
			*v = int32(binary.LittleEndian.Uint32(raw))
			raw = raw[4:]
		}
		if i > 0 && b.minute >= t.boxes[i-1].minute {
			return errTrail
		}
		t.n++
	}
	return nil
}
