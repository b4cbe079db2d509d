package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// fsync measures what each commit waits for: the median of 21 writes of 4 KiB.
func (d *doctor) fsync(dir string) {
	f, err := os.CreateTemp(dir, "doctor-*.probe")
	if err != nil {
		d.say("fsync", wrong, "%s cannot be written: %v", dir, errors.Unwrap(err))
		return
	}
	defer func() { _ = errors.Join(f.Close(), os.Remove(f.Name())) }()
	block, took := make([]byte, 4096), make([]time.Duration, 0, 21)
	for range 21 {
		began := time.Now()
		if _, err = f.Write(block); err == nil {
			err = f.Sync()
		}
		if err != nil {
			d.say("fsync", wrong, "%s cannot be written: %v", dir, errors.Unwrap(err))
			return
		}
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	median, worst := took[len(took)/2], took[len(took)-1]
	d.warnIf(median > 20*time.Millisecond, "fsync", diskSlow, "a write reaches the disk in %s (worst of 21: %s)",
		median.Round(10*time.Microsecond), worst.Round(10*time.Microsecond))
}

// openFiles asks the kernel whether the running server still holds the files
// that lie in the folder: one that was replaced takes acknowledged rows with it.
func (d *doctor) openFiles() {
	b, err := os.ReadFile(filepath.Join(d.e.common.Data, runFile))
	if err != nil {
		return // no server runs
	}
	var r running
	if err := json.Unmarshal(b, &r); err != nil {
		d.warn("open files", runFileDamaged, "%s is not understood", filepath.Join(d.e.common.Data, runFile))
		return
	}
	links, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", r.PID))
	if err != nil || len(links) == 0 {
		return // gone, of another user, or a system without /proc
	}
	for _, link := range links {
		target, err := os.Readlink(link)
		if err == nil && strings.HasPrefix(target, d.e.common.SQLitePath()) && strings.HasSuffix(target, " (deleted)") {
			d.say("open files", wrong, "the server (process %d) holds %s, which is no longer in the folder: stop it and restore a backup",
				r.PID, target)
			return
		}
	}
	d.say("open files", good, "the server (process %d) holds the files of the folder", r.PID)
}

func (d *doctor) clock() {
	now := d.now()
	if now.Year() < 2026 {
		d.say("clock", wrong, "the clock says %s", now.Format(time.RFC3339))
		return
	}
	if _, err := time.LoadLocation("America/New_York"); err != nil {
		d.say("clock", wrong, "time zones are missing: %v", err)
		return
	}
	var tx unix.Timex
	state, err := unix.Adjtimex(&tx)
	switch {
	case err != nil:
		d.say("clock", good, "%s (the kernel does not tell whether it is synchronized)", now.UTC().Format(time.RFC3339))
	case state == unix.TIME_ERROR || tx.Status&unix.STA_UNSYNC != 0:
		d.warn("clock", clockUnsynchronized, "%s, not synchronized; run chrony or another NTP service", now.UTC().Format(time.RFC3339))
	case tx.Maxerror > 1_000_000:
		d.warn("clock", clockUncertain, "%s, may be off by %s", now.UTC().Format(time.RFC3339), time.Duration(tx.Maxerror)*time.Microsecond)
	default:
		d.say("clock", good, "%s, synchronized", now.UTC().Format(time.RFC3339))
	}
}
