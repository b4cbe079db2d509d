package points

import (
	"bytes"
	"math"
	"slices"
	"testing"

	"lightbar/internal/fleet"
)

func rowsForCode() []pointRow {
	rows := []pointRow{
		rowOf(&fleet.Point{ThingNo: 1, At: 1_795_000_000_000, ReceivedAt: 1_795_000_000_400, Lat: 39.5, Lng: -75.5, HasSpeed: true, SpeedMS: 12.34}),
		rowOf(&fleet.Point{ThingNo: 100_000, At: 1_794_999_000_000, ReceivedAt: 1_795_000_000_400, Lat: -89.9999999, Lng: 179.9999999,
			HasCourse: true, CourseDeg: 359.9, HasAccuracy: true, HasAlerting: true, Alerting: true, ClockSkew: true}),
		rowOf(&fleet.Point{ThingNo: 2, At: -1, ReceivedAt: 5}),
	}
	rows[0][9] |= rows[0][2] << flagBits
	far := pointRow{0, math.MaxInt64, math.MinInt64, math.MaxInt64, math.MinInt64, math.MaxInt64, math.MaxInt64, -1, 0, math.MinInt64}
	far[0] = minuteOf(fleet.Instant(far[2]))
	return append(rows, far)
}

func TestIntakeBodyKeepsPoints(t *testing.T) {
	want := rowsForCode()
	body := appendIntakeBody(nil, want)
	got, err := readIntakeBody(nil, body)
	if err != nil || !slices.Equal(got, want) {
		t.Fatalf("%v\n%v\n%v", got, want, err)
	}
	for n := range body {
		if rows, err := readIntakeBody(nil, body[:n]); err == nil && !bytes.Equal(appendIntakeBody(nil, rows), body[:n]) {
			t.Errorf("the first %d bytes are read as %v", n, rows)
		}
	}
	if _, err := readIntakeBody(nil, append([]byte{intakeVersion + 1}, body[1:]...)); err == nil {
		t.Error("a body of another version is read")
	}
}

func FuzzIntakeBody(f *testing.F) {
	f.Add(appendIntakeBody(nil, rowsForCode()))
	f.Add([]byte{})
	f.Add([]byte{intakeVersion})
	f.Add([]byte{intakeVersion, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, body []byte) {
		rows, err := readIntakeBody(nil, body)
		if err != nil {
			return
		}
		again, err := readIntakeBody(nil, appendIntakeBody(nil, rows))
		if err != nil || !slices.Equal(again, rows) {
			t.Fatalf("%v\n%v\n%v", again, rows, err)
		}
	})
}
