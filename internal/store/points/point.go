package points

import (
	"cmp"
	"database/sql"
	"math"

	"lightbar/internal/fleet"
)

const pointColumns = `minute, thing_no, at, received_at, lat, lng, course, speed, accuracy, flags`

// The flags of a stored point. If a point had to be stored under its receive
// instant, the bits above them hold the instant that the device sent: by it a
// repeat of the same report is recognized.
const (
	flagHasAlerting = 1 << iota
	flagAlerting
	flagClockSkew

	flagBits = 8
	flagMask = 1<<flagBits - 1
)

// pointRow is a point as it lies in the table.
type pointRow [10]int64

func minuteOf(at fleet.Instant) int64 {
	m := int64(at) / 60000
	if at < 0 && int64(at)%60000 != 0 {
		m--
	}
	return m
}

func scaled(has bool, v, by float64) int64 {
	if !has {
		return -1
	}
	return int64(math.Round(v * by))
}

func rowOf(p *fleet.Point) pointRow {
	var flags int64
	if p.HasAlerting {
		flags |= flagHasAlerting
		if p.Alerting {
			flags |= flagAlerting
		}
	}
	if p.ClockSkew {
		flags |= flagClockSkew
	}
	return pointRow{
		minuteOf(p.At), p.ThingNo, int64(p.At), int64(p.ReceivedAt), int64(fleet.ToFixed(p.Lat)), int64(fleet.ToFixed(p.Lng)),
		scaled(p.HasCourse, p.CourseDeg, 10), scaled(p.HasSpeed, p.SpeedMS, 100), scaled(p.HasAccuracy, p.AccuracyM, 10), flags,
	}
}

func (r *pointRow) point() fleet.Point {
	p := fleet.Point{
		ThingNo: r[1], At: fleet.Instant(r[2]), ReceivedAt: fleet.Instant(r[3]),
		Lat: fleet.FromFixed(int32(r[4])), Lng: fleet.FromFixed(int32(r[5])),
		HasAlerting: r[9]&flagHasAlerting != 0, Alerting: r[9]&flagAlerting != 0, ClockSkew: r[9]&flagClockSkew != 0,
	}
	if r[6] >= 0 {
		p.HasCourse, p.CourseDeg = true, float64(r[6])/10
	}
	if r[7] >= 0 {
		p.HasSpeed, p.SpeedMS = true, float64(r[7])/100
	}
	if r[8] >= 0 {
		p.HasAccuracy, p.AccuracyM = true, float64(r[8])/10
	}
	return p
}

func (r *pointRow) scan(scan func(...any) error) error {
	return scan(&r[0], &r[1], &r[2], &r[3], &r[4], &r[5], &r[6], &r[7], &r[8], &r[9])
}

// content is what the device reported: all but the receive instant and what follows from it. For a point stored under its receive
// instant it has the reported instant.
func (r *pointRow) content() pointRow {
	c := *r
	if said := c[9] >> flagBits; said != 0 {
		c[0], c[2] = minuteOf(fleet.Instant(said)), said
	}
	c[3] = 0
	c[9] &= flagMask &^ flagClockSkew
	return c
}

// key names a point among all.
type key struct{ no, at int64 }

func (r *pointRow) key() key { return key{r[1], r[2]} }

func scanPointRow(rows *sql.Rows) (r pointRow, err error) { return r, r.scan(rows.Scan) }

// inTableOrder compares points as their table sorts them.
func inTableOrder(a, b *pointRow) int {
	return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]), cmp.Compare(a[2], b[2]))
}
