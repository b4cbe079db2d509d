package points

import (
	"encoding/binary"
	"errors"

	"lightbar/internal/fleet"
)

// Late is a report as the journal of late reports stores it (store/state_late.go): with the fields that its own table stores, so
// that both read back alike.
type Late struct {
	Ordered bool // no report of its asset had a later instant when it came
	Point   fleet.Point
	Signal  *fleet.Signal // nil = it is a point
}

// EffectiveAt is the time that orders reports.
func (l *Late) EffectiveAt() fleet.Instant {
	if l.Signal != nil {
		return l.Signal.EffectiveAt()
	}
	return l.Point.EffectiveAt()
}

// ReceivedAt is when it came.
func (l *Late) ReceivedAt() fleet.Instant {
	if l.Signal != nil {
		return l.Signal.ReceivedAt
	}
	return l.Point.ReceivedAt
}

// ThingNo is the asset that it is of.
func (l *Late) ThingNo() int64 {
	if l.Signal != nil {
		return l.Signal.ThingNo
	}
	return l.Point.ThingNo
}

// The head of a report in the journal.
const (
	lateSignal = 1 << iota
	lateOrdered
	lateOn
	lateEnd
)

var errLate = errors.New("a row of state_late cannot be read")

// AppendLatePoint adds a point to a body of the journal.
func AppendLatePoint(b []byte, p *fleet.Point, ordered bool) []byte {
	r := rowOf(p)
	b = append(b, lateHead(0, ordered))
	for _, v := range [...]int64{r[1], r[2], r[3] - r[2], r[4], r[5], r[6] + 1, r[7] + 1, r[8] + 1, r[9]} {
		b = binary.AppendVarint(b, v)
	}
	return b
}

// AppendLateSignal adds a signal to a body of the journal.
func AppendLateSignal(b []byte, g *fleet.Signal, ordered bool) []byte {
	head := lateHead(lateSignal, ordered)
	if g.On {
		head |= lateOn
	}
	b = append(b, head)
	for _, v := range [...]int64{g.ThingNo, int64(g.At), int64(g.ReceivedAt - g.At), int64(g.Kind), int64(len(g.Pattern))} {
		b = binary.AppendVarint(b, v)
	}
	return append(b, g.Pattern...)
}

func lateHead(head byte, ordered bool) byte {
	if ordered {
		head |= lateOrdered
	}
	return head
}

// EachLate visits the reports of a body in the order in which they came.
func EachLate(b []byte, visit func(*Late)) error {
	for len(b) > 0 {
		head := b[0]
		if head >= lateEnd {
			return errLate
		}
		b = b[1:]
		l := Late{Ordered: head&lateOrdered != 0}
		var f [9]int64
		fields := f[:]
		if head&lateSignal != 0 {
			fields = f[:5]
		}
		for i := range fields {
			n := 0
			if fields[i], n = binary.Varint(b); n <= 0 {
				return errLate
			}
			b = b[n:]
		}
		at := fleet.Instant(f[1])
		if head&lateSignal != 0 {
			if f[4] < 0 || f[4] > int64(len(b)) {
				return errLate
			}
			l.Signal = &fleet.Signal{ThingNo: f[0], At: at, ReceivedAt: at + fleet.Instant(f[2]), Kind: fleet.SignalKind(f[3]),
				On: head&lateOn != 0, Pattern: string(b[:f[4]])}
			b = b[f[4]:]
		} else {
			r := pointRow{minuteOf(at), f[0], f[1], f[1] + f[2], f[3], f[4], f[5] - 1, f[6] - 1, f[7] - 1, f[8]}
			l.Point = r.point()
		}
		visit(&l)
	}
	return nil
}
