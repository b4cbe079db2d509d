package main

import (
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
)

// leanPercent is how much the heap may grow between collections. With a large
// fleet most of it lives long, and Go's own 100 % would keep as much again in
// reserve: with 100 000 assets 240 MB more, for some percent of processor time.
// At 50 % the worst second of such a fleet took 518 to 542 MB, over the 500 that
// docs/benchmarks.md promises.
const leanPercent = 35

// limitShare of what a container or service may use is where the collector
// begins to work harder, in percent; the rest is for what it does not see.
const limitShare = 85

// leanHeap collects earlier than Go does by itself, and before the limit of the
// process's group, unless the operator said otherwise (GOGC, GOMEMLIMIT).
func leanHeap() {
	if said := debug.SetGCPercent(leanPercent); said != 100 {
		debug.SetGCPercent(said)
	}
	if debug.SetMemoryLimit(-1) != math.MaxInt64 {
		return
	}
	if limit := groupLimit("/proc/self/cgroup", "/sys/fs/cgroup"); limit > 0 {
		debug.SetMemoryLimit(limit / 100 * limitShare)
	}
}

// groupLimit is what the control groups (version 2) of a process allow it in
// bytes, the least of them; 0 = no limit is known.
func groupLimit(of, root string) (limit int64) {
	b, _ := os.ReadFile(of) // not Linux
	_, path, ok := strings.Cut(strings.TrimSpace(string(b)), "0::")
	if !ok {
		return 0
	}
	for dir := filepath.Join("/", path); ; dir = filepath.Dir(dir) {
		b, _ := os.ReadFile(filepath.Join(root, dir, "memory.max")) // in a container only the root may be seen
		if n, err := strconv.ParseInt(strings.TrimSpace(string(b)), 10, 64); err == nil && (limit == 0 || n < limit) {
			limit = n
		}
		if dir == "/" {
			return limit
		}
	}
}
