package fleet

import (
	"testing"
	"time"
)

func TestDaysUntilFull(t *testing.T) {
	const day = 24 * time.Hour
	for _, c := range []struct {
		free int64
		grow []Growth
		want int
	}{
		{100, nil, -1},
		{100, []Growth{{10, -1}}, 10},
		{0, []Growth{{10, -1}}, 0},
		{100, []Growth{{10, 5}}, -1},            // as old as it gets before the disk is full
		{100, []Growth{{10, 5}, {1, -1}}, 50},   // 55 in five days, then one a day
		{1 << 40, []Growth{{1, -1}}, -1},        // not within ten years
		{100, []Growth{{10, 10.5}, {5, 0}}, 10}, // what has been full for long does not grow
	} {
		if got := DaysUntilFull(c.free, c.grow); got != c.want {
			t.Errorf("%d free, %v: %d, want %d", c.free, c.grow, got, c.want)
		}
	}
	now := Instant(1_800_000_000_000)
	points, audit := KindOfData(DataPoints), KindOfData(DataAudit)
	if g := points.GrowthOf(7, now.Add(-300*day), now); g != (Growth{7, 95}) {
		t.Errorf("%+v", g)
	}
	if g := points.GrowthOf(7, now.Add(-500*day), now); g.Days != 0 {
		t.Errorf("%+v", g)
	}
	if g := audit.GrowthOf(7, now.Add(-500*day), now); g.Days != -1 {
		t.Errorf("%+v", g)
	}
}
