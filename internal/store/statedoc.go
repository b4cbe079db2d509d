package store

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"hash/crc32"
	"math"

	"lightbar/internal/fleet"
)

// The body of a row of thing_state: a version, a checksum of the rest, then the
// fields, and zeros up to a multiple of stateStep, so that most updates of a row
// have the length of the row before and PostgreSQL finds room for them on its
// page. What is zero takes a bit. Instants are differences to the last sign of
// life. The asset's id and number are those of its row.
const (
	stateVersion = 1
	stateStep    = 64
	stateHead    = 5
)

var (
	errState   = errors.New("it is no state")
	stateTable = crc32.MakeTable(crc32.Castagnoli)
)

// What a body holds, in its order: new fields go to the ends, with a new version.
type (
	stateInstants [22]*fleet.Instant
	stateFlags    [8]*bool
	stateReals    [9]*float64
	stateCounts   [3]*int64
	stateTexts    [6]*string
)

func instantsOf(s *fleet.State) stateInstants {
	return stateInstants{&s.At, &s.DeviceAt, &s.ReceivedAt, &s.TakenAt, &s.AlertingAt, &s.FirstOnAt, &s.AlertingAbsentAt, &s.LightsAt,
		&s.SinceAt, &s.RunStartAt, &s.RunLastAt, &s.PrevRunEndAt, &s.ArrivedAt, &s.DwellAt, &s.LightsOffAt, &s.LeftAt, &s.StationAt, &s.BoardAt,
		&s.RefusedAt, &s.CutAt, &s.StatusAt, &s.ChangedAt}
}

func flagsOf(s *fleet.State) stateFlags {
	return stateFlags{&s.HasPosition, &s.HasCourse, &s.HasSpeed, &s.HasAccuracy, &s.Alerting, &s.EverAlerting, &s.Skewed, &s.BoardActive}
}

func realsOf(s *fleet.State) stateReals {
	return stateReals{&s.Lat, &s.Lng, &s.CourseDeg, &s.SpeedMS, &s.AccuracyM, &s.LocationLat, &s.LocationLng, &s.DwellLat, &s.DwellLng}
}

func numbersOf(s *fleet.State) stateCounts {
	return stateCounts{&s.RefusedCount, &s.RunPointsCount, &s.DwellPoints}
}

func textsOf(s *fleet.State) stateTexts {
	return stateTexts{&s.Street, &s.RunID, &s.LocationID, &s.StationID, &s.BoardPattern, &s.RefusedCode}
}

// appendState adds the body of a state.
func appendState(b []byte, s *fleet.State) []byte {
	begin := len(b)
	b = append(b, stateVersion, 0, 0, 0, 0)
	b = binary.AppendVarint(b, int64(s.HeartbeatAt))
	instants, reals := instantsOf(s), realsOf(s)
	marks := len(b) // which of these are not zero
	b = append(b, 0, 0, 0, 0, 0, 0, 0)
	var some uint32
	for i, at := range instants {
		if *at != 0 {
			some |= 1 << i
			b = binary.AppendVarint(b, int64(*at)-int64(s.HeartbeatAt))
		}
	}
	binary.LittleEndian.PutUint32(b[marks:], some)
	some = 0
	for i, v := range reals {
		if bits := math.Float64bits(*v); bits != 0 {
			some |= 1 << i
			b = binary.LittleEndian.AppendUint64(b, bits)
		}
	}
	binary.LittleEndian.PutUint16(b[marks+4:], uint16(some))
	for i, on := range flagsOf(s) {
		if *on {
			b[marks+6] |= 1 << i
		}
	}
	for _, n := range numbersOf(s) {
		b = binary.AppendVarint(b, *n)
	}
	b = append(b, byte(s.Status))
	for _, text := range textsOf(s) {
		b = appendShort(b, *text)
	}
	sources, _ := s.Sources.AppendText(nil) // never fails
	b = s.Trail.AppendBinary(appendShort(b, string(sources)))
	for (len(b)-begin)%stateStep != 0 {
		b = append(b, 0)
	}
	binary.LittleEndian.PutUint32(b[begin+1:], crc32.Checksum(b[begin+stateHead:], stateTable))
	return b
}

// appendShort adds a text after its length; an id as its 16 bytes.
func appendShort(b []byte, text string) []byte {
	if raw, ok := rawID(text); ok {
		return append(binary.AppendUvarint(b, 1), raw[:]...)
	}
	return append(binary.AppendUvarint(b, uint64(len(text))<<1), text...)
}

// rawID is an id as bytes, if it is one as we write them.
func rawID(text string) (raw [16]byte, ok bool) {
	if len(text) != 36 || text[8] != '-' || text[13] != '-' || text[18] != '-' || text[23] != '-' {
		return raw, false
	}
	digits := 0
	for i := range len(text) {
		c := text[i]
		switch {
		case i == 8 || i == 13 || i == 18 || i == 23:
			continue
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		default:
			return raw, false
		}
		raw[digits/2] = raw[digits/2]<<4 | c
		digits++
	}
	return raw, true
}

func idOf(raw []byte) string {
	var b [36]byte
	hex.Encode(b[:8], raw[:4])
	hex.Encode(b[9:13], raw[4:6])
	hex.Encode(b[14:18], raw[6:8])
	hex.Encode(b[19:23], raw[8:10])
	hex.Encode(b[24:], raw[10:16])
	b[8], b[13], b[18], b[23] = '-', '-', '-', '-'
	return string(b[:])
}

// stateReader reads a body field by field; it is broken once something is missing.
type stateReader struct {
	b      []byte
	broken bool
}

func (r *stateReader) take(n uint64) []byte {
	if r.broken || n > uint64(len(r.b)) {
		r.broken = true
		return make([]byte, min(n, 16))
	}
	out := r.b[:n]
	r.b = r.b[n:]
	return out
}

func (r *stateReader) number() int64 {
	v, n := binary.Varint(r.b)
	if n <= 0 {
		r.broken = true
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *stateReader) text() string {
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.broken = true
		return ""
	}
	if r.b = r.b[n:]; v == 1 {
		return idOf(r.take(16))
	}
	return string(r.take(v >> 1))
}

// readState reads what appendState wrote.
func readState(b []byte, s *fleet.State) error {
	if len(b) < stateHead || b[0] != stateVersion || crc32.Checksum(b[stateHead:], stateTable) != binary.LittleEndian.Uint32(b[1:]) {
		return errState
	}
	r := stateReader{b: b[stateHead:]}
	s.HeartbeatAt = fleet.Instant(r.number())
	marks := r.take(7)
	some := binary.LittleEndian.Uint32(marks)
	for i, at := range instantsOf(s) {
		if some&(1<<i) != 0 {
			*at = s.HeartbeatAt + fleet.Instant(r.number())
		}
	}
	some = uint32(binary.LittleEndian.Uint16(marks[4:]))
	for i, v := range realsOf(s) {
		if some&(1<<i) != 0 {
			*v = math.Float64frombits(binary.LittleEndian.Uint64(r.take(8)))
		}
	}
	for i, on := range flagsOf(s) {
		*on = marks[6]&(1<<i) != 0
	}
	for _, n := range numbersOf(s) {
		*n = r.number()
	}
	s.Status = fleet.Status(r.take(1)[0])
	for _, text := range textsOf(s) {
		*text = r.text()
	}
	if err := s.Sources.UnmarshalText([]byte(r.text())); err != nil || r.broken {
		return errors.Join(errState, err)
	}
	_, err := s.Trail.ReadBinary(r.b)
	return err
}
