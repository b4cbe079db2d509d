package points

import (
	"encoding/binary"
	"errors"

	"lightbar/internal/fleet"
)

// The body of a row of point_intake: a version, then each point's fields except its minute, as varints. Asset and own instant are
// differences to the point before, the receive instant a difference to the own instant. Fields that may be -1 (not reported) are
// stored plus one. About 25 bytes a point.
const intakeVersion = 1

var errIntakeBody = errors.New("a row of point_intake cannot be read")

// appendIntakeBody adds a body of these points.
func appendIntakeBody(b []byte, rows []pointRow) []byte {
	b = append(b, intakeVersion)
	var no, at int64
	for i := range rows {
		r := &rows[i]
		for _, v := range [...]int64{r[1] - no, r[2] - at, r[3] - r[2], r[4], r[5], r[6] + 1, r[7] + 1, r[8] + 1, r[9]} {
			b = binary.AppendVarint(b, v)
		}
		no, at = r[1], r[2]
	}
	return b
}

// readIntakeBody adds the points of a body to rows, in the order in which they came.
func readIntakeBody(rows []pointRow, b []byte) ([]pointRow, error) {
	if len(b) == 0 || b[0] != intakeVersion {
		return rows, errIntakeBody
	}
	var no, at int64
	for b = b[1:]; len(b) > 0; {
		var f [9]int64
		for i := range f {
			n := 0
			if f[i], n = binary.Varint(b); n <= 0 {
				return rows, errIntakeBody
			}
			b = b[n:]
		}
		no, at = no+f[0], at+f[1]
		rows = append(rows, pointRow{minuteOf(fleet.Instant(at)), no, at, at + f[2], f[3], f[4], f[5] - 1, f[6] - 1, f[7] - 1, f[8]})
	}
	return rows, nil
}
