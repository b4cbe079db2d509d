package main

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"time"
)

// leanPercent is how much the heap of a small fleet may grow between
// collections. Go's own 100 % would keep as much again in reserve, and a small
// server has no memory to spare.
const leanPercent = 35

// A large fleet at work makes so much garbage that at 35 % the collector took a
// third of the server's processor. Where there is room it has Go's own 100 %,
// under a limit, near which it is collected more often.
const (
	largePercent = 100
	largeFleet   = 20_000  // assets
	largeRoom    = 1 << 30 // bytes that the limit must leave: with less, it would be reached by what lives
)

const (
	// limitShare of what a container or service may use is where the collector
	// begins to work harder, in percent; the rest is for what it does not see.
	limitShare = 85
	// machineShare is that of a machine without such a limit, where others live too.
	machineShare = 50
	// fitEvery is how often the fleet is counted.
	fitEvery = time.Minute
)

// collector is how the heap is collected: what the operator said (GOGC,
// GOMEMLIMIT) stands, the rest follows the size of the fleet.
type collector struct {
	saidPercent, limited bool
	room                 int64 // bytes for the heap of a large fleet, 0 = not known
}

// leanHeap collects as a small fleet needs it, and before the limit of the process's group.
func leanHeap() (c collector) {
	if said := debug.SetGCPercent(leanPercent); said != 100 {
		debug.SetGCPercent(said)
		c.saidPercent = true
	}
	if said := debug.SetMemoryLimit(-1); said != math.MaxInt64 {
		c.limited, c.room = true, said
		return c
	}
	if limit := groupLimit("/proc/self/cgroup", "/sys/fs/cgroup"); limit > 0 {
		c.limited, c.room = true, limit/100*limitShare
		debug.SetMemoryLimit(c.room)
		return c
	}
	c.room = machineMemory("/proc/meminfo") / 100 * machineShare
	return c
}

// fit sets the collector for a fleet of so many assets.
func (c collector) fit(assets int) {
	percent := c.percentOf(assets)
	if !c.saidPercent {
		debug.SetGCPercent(percent)
	}
	if c.limited {
		return
	}
	limit := int64(math.MaxInt64)
	if percent == largePercent {
		limit = c.room
	}
	debug.SetMemoryLimit(limit)
}

func (c collector) percentOf(assets int) int {
	if assets >= largeFleet && c.room >= largeRoom {
		return largePercent
	}
	return leanPercent
}

// follow fits the collector to the fleet until ctx ends.
func (c collector) follow(ctx context.Context, assets func() int) {
	tick := time.NewTicker(fitEvery)
	defer tick.Stop()
	for last := 0; ; {
		if percent := c.percentOf(assets()); percent != last { // setting it is a collection
			c.fit(assets())
			last = percent
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// machineMemory is what the machine has in bytes; 0 = that is not known.
func machineMemory(of string) int64 {
	b, _ := os.ReadFile(of) // not Linux
	for line := range strings.Lines(string(b)) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == "MemTotal:" {
			kB, _ := strconv.ParseInt(f[1], 10, 64)
			return kB << 10
		}
	}
	return 0
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
