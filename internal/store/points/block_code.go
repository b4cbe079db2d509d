package points

import (
	"encoding/binary"
	"errors"
	"math"
	"math/bits"
	"slices"
	"sync"

	"github.com/klauspost/compress/zstd"

	"lightbar/internal/fleet"
)

// The body of a block: one asset's points of one slot, or a part of them, by
// own instant. A version, the number of points, the asset and the slot; then
// the fields column by column, each one value for all points or the
// differences between them (for own instants those between differences, which
// are zero for a device that keeps its pace), as varints; the whole packed by
// zstd, which adds a checksum (RFC 8878 section 3.1.1). About 4 bytes a point.
const (
	blockVersion = 1
	// blockPoints is how many points a block holds at most: a slot with more has several.
	blockPoints = 1 << 16
	// blockColumns is how many fields are stored: all but minute and asset.
	blockColumns = 8
	// blockBytes bounds a body that is not packed.
	blockBytes = 64 + blockPoints*blockColumns*binary.MaxVarintLen64
)

// How a column is stored.
const (
	columnValues = iota // each as what it is more than the least
	columnSteps         // as the difference to the one before
	columnPaces         // as the difference between two such differences
	columnSame          // one value for all
)

var errBlock = errors.New("a block of points cannot be read")

// packer and unpacker hold their tables between blocks; both may be used by several goroutines at once.
var (
	packer = sync.OnceValue(func() *zstd.Encoder {
		e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(true), zstd.WithWindowSize(1<<20))
		if err != nil {
			panic(err) // the options are wrong
		}
		return e
	})
	unpacker = sync.OnceValue(func() *zstd.Decoder {
		d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(blockBytes))
		if err != nil {
			panic(err)
		}
		return d
	})
)

// columnOf is a field as it is stored: the receive instant as the time since the own one.
func columnOf(r *pointRow, c int) int64 {
	if c == 1 {
		return r[3] - r[2]
	}
	return r[c+2]
}

// appendBlock adds the body of a block to b. All rows are of one asset and one
// slot, in the order of their own instants, at least one and at most blockPoints.
func appendBlock(b []byte, slot int64, rows []pointRow) []byte {
	raw := make([]byte, 0, 32+12*len(rows))
	raw = append(raw, blockVersion)
	raw = binary.AppendUvarint(raw, uint64(len(rows)))
	raw = binary.AppendVarint(raw, rows[0][1])
	raw = binary.AppendVarint(raw, slot)
	for c := range blockColumns {
		raw = appendColumn(raw, rows, c)
	}
	return packer().EncodeAll(raw, b)
}

// appendColumn stores a field in the way that leaves the smallest numbers.
func appendColumn(raw []byte, rows []pointRow, c int) []byte {
	var cost [columnPaces + 1]int
	value, step := columnOf(&rows[0], c), int64(0)
	low, same := value, true
	for i := range rows[1:] {
		v := columnOf(&rows[i+1], c)
		low, same = min(low, v), same && v == value
		cost[columnSteps] += size(v - value)
		cost[columnPaces] += size(v - value - step)
		value, step = v, v-value
	}
	for i := range rows {
		cost[columnValues] += size(columnOf(&rows[i], c) - low)
	}
	how := columnValues
	for other, n := range cost {
		if n < cost[how] {
			how = other
		}
	}
	if same {
		return binary.AppendVarint(append(raw, columnSame), low)
	}
	raw = binary.AppendVarint(append(raw, byte(how)), low)
	value, step = low, 0
	for i := range rows {
		v := columnOf(&rows[i], c)
		raw = binary.AppendVarint(raw, v-value-step)
		if how != columnValues {
			if value, step = v, v-value; how == columnSteps || i == 0 {
				step = 0
			}
		}
	}
	return raw
}

// size is how many bits a number takes.
func size(v int64) int { return bits.Len64(uint64(max(v, -v))) }

// readBlock adds the points of a block to rows. The body names its asset and slot: in another one's row it is damaged.
func readBlock(rows []pointRow, body []byte, thingNo, slot int64) ([]pointRow, error) {
	return new(scratch).readBlock(rows, body, thingNo, slot)
}

// scratch is memory in which one block after the other is unpacked.
type scratch struct{ raw []byte }

func (s *scratch) readBlock(rows []pointRow, body []byte, thingNo, slot int64) ([]pointRow, error) {
	raw, err := unpacker().DecodeAll(body, s.raw[:0])
	if err != nil {
		return rows, errBlock
	}
	s.raw = raw
	head := varints{raw: raw}
	version, n, no, of := head.unsigned(), head.unsigned(), head.signed(), head.signed()
	if head.bad || version != blockVersion || n == 0 || n > blockPoints || no != thingNo || of != slot {
		return rows, errBlock
	}
	from := len(rows)
	rows = slices.Grow(rows, int(n))[:from+int(n)]
	block := rows[from:]
	for c := range blockColumns {
		if !head.column(block, c) {
			return rows[:from], errBlock
		}
	}
	if head.bad || len(head.raw) != 0 {
		return rows[:from], errBlock
	}
	last := int64(math.MinInt64)
	for i := range block {
		r := &block[i]
		r[0], r[1], r[3] = minuteOf(fleet.Instant(r[2])), thingNo, r[3]+r[2]
		if r[2] <= last || slotOf(r[0]) != slot {
			return rows[:from], errBlock
		}
		last = r[2]
	}
	return rows, nil
}

// varints reads numbers off a body; bad once there was none.
type varints struct {
	raw []byte
	bad bool
}

func (v *varints) unsigned() uint64 {
	u, n := binary.Uvarint(v.raw)
	if n <= 0 {
		v.raw, v.bad = nil, true
		return 0
	}
	v.raw = v.raw[n:]
	return u
}

func (v *varints) signed() int64 {
	u := v.unsigned()
	return int64(u>>1) ^ -int64(u&1)
}

// column reads a field of all rows; false when it ends early or is stored in an unknown way.
func (v *varints) column(rows []pointRow, c int) bool {
	how, value, at := v.unsigned(), v.signed(), c+2
	if v.bad || how > columnSame {
		return false
	}
	if how == columnSame {
		for i := range rows {
			rows[i][at] = value
		}
		return true
	}
	raw, step := v.raw, int64(0)
	for i := range rows {
		var u uint64
		if len(raw) > 0 && raw[0] < 0x80 { // most fit in a byte
			u, raw = uint64(raw[0]), raw[1:]
		} else {
			n := 0
			if u, n = binary.Uvarint(raw); n <= 0 {
				return false
			}
			raw = raw[n:]
		}
		next := value + step + (int64(u>>1) ^ -int64(u&1))
		rows[i][at] = next
		if how != columnValues {
			if how == columnPaces && i > 0 {
				step = next - value
			}
			value = next
		}
	}
	v.raw = raw
	return true
}
