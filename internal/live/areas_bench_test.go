package live_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/tidwall/rtree"
	"golang.org/x/sys/unix"

	"lightbar/internal/fleet"
	"lightbar/internal/live"
)

// Stations of one organization that a position is looked up in: all kinds of
// shapes with up to 200 corners, most positions within the box of one. The bare
// search finds their boxes in a tree of its own and does nothing with them.
func BenchmarkMatchAreas(b *testing.B) {
	for _, n := range []int{1_000, 100_000} {
		c := &country{Rand: rand.New(rand.NewPCG(9, 9)), lat: 38, lng: -77, deg: 3}
		if n < 10_000 {
			c.deg = 0.3
		}
		areas := make([]*fleet.Area, n)
		var bare rtree.RTreeG[*fleet.Area]
		for i := range areas {
			areas[i] = c.area(i, "A")
			lo, hi, _ := areas[i].Box()
			bare.Insert(lo, hi, areas[i])
		}
		p := live.New(nil, live.Options{})
		p.SetAreas(areas)
		points := make([][2]float64, 1<<16)
		for i := range points {
			points[i][0], points[i][1] = c.position(areas[c.IntN(n)])
		}
		b.Run(fmt.Sprintf("areas=%d", n), func(b *testing.B) {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			var matching, searching time.Duration
			hits, boxes, done := 0, 0, 0
			around := p.Around("A")
			for b.Loop() { // by turns: what else the machine does meets both
				began := processorTime(b)
				for i := range 4096 {
					at := points[(done+i)&(len(points)-1)]
					if around.Station(at[0], at[1]) != "" {
						hits++
					}
				}
				between := processorTime(b)
				for i := range 4096 {
					at := points[(done+i)&(len(points)-1)]
					place := [2]float64{at[1], at[0]}
					bare.Search(place, place, func(_, _ [2]float64, _ *fleet.Area) bool { boxes++; return true })
				}
				matching, searching = matching+between-began, searching+processorTime(b)-between
				done += 4096
			}
			b.ReportMetric(float64(done)/matching.Seconds(), "points/s")
			b.ReportMetric(float64(done)/searching.Seconds(), "bare/s")
			b.ReportMetric(searching.Seconds()/matching.Seconds(), "of-bare")
			b.ReportMetric(float64(hits)/float64(done), "at-station")
			b.ReportMetric(float64(boxes)/float64(done), "boxes")
		})
	}
}

// processorTime is what this thread has computed: others on the machine do not count.
func processorTime(b *testing.B) time.Duration {
	const thisThread = 3 // CLOCK_THREAD_CPUTIME_ID of Linux
	var used unix.Timespec
	if err := unix.ClockGettime(thisThread, &used); err != nil {
		b.Skip(err)
	}
	return time.Duration(used.Nano())
}

// One station is put in another's place among 100,000.
func BenchmarkPutArea(b *testing.B) {
	c := &country{Rand: rand.New(rand.NewPCG(9, 9)), lat: 38, lng: -77, deg: 3}
	areas := make([]*fleet.Area, 100_000)
	for i := range areas {
		areas[i] = c.area(i, "A")
	}
	p := live.New(nil, live.Options{})
	p.SetAreas(areas)
	for b.Loop() {
		change := p.Begin()
		change.PutArea(areas[c.IntN(len(areas))])
		change.Apply(nil)
	}
}
