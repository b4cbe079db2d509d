// Package worst holds readers of hostile texts to what they may cost: whatever
// 1 MiB says, 16 MiB of memory and a second of one processor.
package worst

import (
	"context"
	"runtime"
	"runtime/metrics"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Size is how long the texts are.
const Size = 1 << 20

const (
	mostHeld = 16 << 20
	// mostMade bounds the work where no clock can: nothing is made faster than at some 500 MB a second.
	mostMade = 256 << 20
	mostTime = time.Second
	// slack is for a processor that others use too.
	slack = 4
	tries = 4
)

// Text is a text of Size bytes: a beginning, as many repeats as fit, and an end.
func Text(begin, repeat, end string) string {
	n := (Size - len(begin) - len(end)) / len(repeat)
	return begin + strings.Repeat(repeat, n) + end
}

// Check runs a reader and fails when it holds, makes or takes too much. What
// read answers counts as held.
func Check(t *testing.T, read func(ctx context.Context) any) {
	t.Helper()
	made, took := work(func() { runtime.KeepAlive(read(t.Context())) })
	held := peak(func() any { return read(t.Context()) })
	for range tries { // what is made while the collector looks counts too, and is not held
		if held <= mostHeld {
			break
		}
		held = min(held, peak(func() any { return read(t.Context()) }))
	}
	t.Logf("held %.1f MiB, made %.0f MiB, took %v", mib(held), mib(made), took.Round(time.Millisecond))
	if held > mostHeld {
		t.Errorf("%.1f MiB were held at once", mib(held))
	}
	if made > mostMade {
		t.Errorf("%.0f MiB were made", mib(made))
	}
	if took > slack*mostTime {
		t.Errorf("it took %v of a processor", took)
	}
}

func mib(bytes uint64) float64 { return float64(bytes) / (1 << 20) }

func work(do func()) (made uint64, took time.Duration) {
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	began := processor()
	do()
	took = processor() - began
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, took
}

func processor() time.Duration {
	var use syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &use) // it cannot fail for the own process
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}

// peak is the most that is reachable at once while a function runs, beyond what was before.
func peak(do func() any) uint64 {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}} // that the last collection has found
	reachable := func() uint64 {
		runtime.GC()
		metrics.Read(live)
		return live[0].Value.Uint64()
	}
	before := reachable()
	most, done, stopped := before, make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-done:
				return
			default:
				most = max(most, reachable())
			}
		}
	}()
	kept := do()
	close(done)
	<-stopped
	most = max(most, reachable())
	runtime.KeepAlive(kept)
	return most - min(before, most)
}
