package points

import (
	"math/rand/v2"
	"slices"
	"testing"
)

const testSlot = 493_000

// drive is an asset's points of a slot, one each so many milliseconds, with the noise of a receiver.
func drive(no int64, every, n int64) []pointRow {
	random := rand.New(rand.NewPCG(1, uint64(no)))
	noise := func(by float64) int64 { return int64(random.NormFloat64() * by) }
	rows := make([]pointRow, n)
	lat, lng, course, speed := int64(397_447_000), int64(-755_484_000), int64(900), int64(1500)
	for i := range rows {
		at := testSlot*slotMinutes*60_000 + int64(i)*every
		lat, lng, course, speed = lat+noise(9), lng+speed*every/1000+noise(12), (course+noise(8)+3600)%3600, max(0, speed+noise(25))
		flags := int64(flagHasAlerting)
		if i > len(rows)/2 {
			flags |= flagAlerting
		}
		rows[i] = pointRow{at / 60_000, no, at, at + 400 + random.Int64N(300), lat, lng, course, speed, 40 + random.Int64N(6), flags}
	}
	return rows
}

func TestABlockHoldsItsPoints(t *testing.T) {
	odd := drive(7, 1000, 3)
	odd[0][6], odd[0][7], odd[0][8] = -1, -1, -1
	odd[1][9] |= odd[1][2] << flagBits
	odd[2][3] = odd[2][2] - 86_400_000
	for name, rows := range map[string][]pointRow{"one": drive(1, 1000, 1), "two": drive(2, 1000, 2), "an hour": drive(3, 1000, 3600),
		"full": drive(4, 54, blockPoints), "odd": odd, "alike": slices.Repeat(drive(5, 1000, 1), 1)} {
		body := appendBlock(nil, testSlot, rows)
		got, err := readBlock(drive(9, 1000, 2), body, rows[0][1], testSlot)
		if err != nil || !slices.Equal(got[2:], rows) {
			t.Errorf("%s: %v, %d of %d points", name, err, len(got)-2, len(rows))
		}
	}
}

// Each bit of a block that turns is noticed, and a block that is another's.
func TestADamagedBlockIsRefused(t *testing.T) {
	rows := drive(1, 10_000, 360)
	body := appendBlock(nil, testSlot, rows)
	for i := range body {
		for bit := range 8 {
			broken := slices.Clone(body)
			broken[i] ^= 1 << bit
			got, err := readBlock(nil, broken, 1, testSlot)
			if err == nil && !slices.Equal(got, rows) {
				t.Fatalf("bit %d of byte %d: other points", bit, i)
			}
		}
	}
	for n := range len(body) {
		if _, err := readBlock(nil, body[:n], 1, testSlot); err == nil {
			t.Fatalf("%d of %d bytes are a block", n, len(body))
		}
	}
	if _, err := readBlock(nil, body, 2, testSlot); err == nil {
		t.Error("it is held to be of another asset")
	}
	if _, err := readBlock(nil, body, 1, testSlot+1); err == nil {
		t.Error("it is held to be of another hour")
	}
}

func FuzzBlock(f *testing.F) {
	f.Add(appendBlock(nil, testSlot, drive(1, 1000, 40)))
	f.Add(appendBlock(nil, testSlot, drive(1, 1000, 1)))
	f.Fuzz(func(t *testing.T, body []byte) {
		rows, err := readBlock(nil, body, 1, testSlot)
		if err != nil {
			return
		}
		again, err := readBlock(nil, appendBlock(nil, testSlot, rows), 1, testSlot)
		if err != nil || !slices.Equal(again, rows) {
			t.Fatalf("%d points come back as %d: %v", len(rows), len(again), err)
		}
	})
}

func BenchmarkBlock(b *testing.B) {
	for name, rows := range map[string][]pointRow{"every=1s": drive(1, 1000, 3600), "every=10s": drive(1, 10_000, 360)} {
		body := appendBlock(nil, testSlot, rows)
		perPoint := float64(len(body)) / float64(len(rows))
		rate := func(b *testing.B) {
			b.ReportMetric(perPoint, "B/point")
			b.ReportMetric(float64(len(rows)*b.N)/b.Elapsed().Seconds()/1e6, "Mpoints/s")
		}
		b.Run(name+"/seal", func(b *testing.B) {
			for b.Loop() {
				body = appendBlock(body[:0], testSlot, rows)
			}
			rate(b)
		})
		b.Run(name+"/read", func(b *testing.B) {
			var to []pointRow
			for b.Loop() {
				to, _ = readBlock(to[:0], body, 1, testSlot)
			}
			rate(b)
		})
	}
}
