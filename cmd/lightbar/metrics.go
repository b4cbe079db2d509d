package main

import (
	"errors"

	"github.com/prometheus/client_golang/prometheus"

	"lightbar/internal/budget"
	"lightbar/internal/cable"
	"lightbar/internal/store"
)

// registerMetrics adds what the store and the stream count.
func registerMetrics(r prometheus.Registerer, s *server) {
	gauge := func(name, help string, value func() float64) {
		r.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "lightbar_" + name, Help: help}, value))
	}
	gauge("build_info", "Always 1; the version is that of the binary.", func() float64 { return 1 })
	gauge("store_failed", "1 when the storage failed and nothing is acknowledged.", func() float64 { return number(s.store.Cause() != nil) })
	gauge("store_full", "1 while writes are refused because the disk is full.", func() float64 { return number(errors.Is(s.store.Refusing(), store.ErrFull)) })
	gauge("store_read_only", "1 while writes are refused because the disk cannot be written.", func() float64 {
		return number(errors.Is(s.store.Refusing(), store.ErrReadOnly))
	})
	gauge("store_reads_failing", "1 when the disk failed a read within the last minute.", func() float64 { return number(s.store.ReadsFail()) })
	gauge("audit_broken", "1 when the audit is not sealed, because the database's chain is not the one that was sealed.",
		func() float64 { return number(s.app.Audit.Broken() != nil) })
	gauge("audit_refused_rows", "Audit rows that were put in, altered or removed before they were sealed, since the start.",
		func() float64 { return float64(s.app.Audit.Refused()) })
	gauge("store_wal_bytes", "Size of SQLite's journal.", func() float64 { return float64(s.store.WALBytes()) })
	gauge("store_disk_free_bytes", "Free space below the data folder.", func() float64 {
		d, err := store.DiskOf(s.e.common.Data)
		if err != nil {
			return -1
		}
		return float64(d.Free)
	})
	gauge("store_points_unmerged", "Points that are stored and not merged into their table yet.", func() float64 { return float64(s.store.Unmerged()) })
	r.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "lightbar_store_queries_total", Help: "Queries asked of the database."},
		func() float64 { return float64(s.store.Queries()) }))
	gauge("picture_waiting", "Changes that wait for the live picture: groups of reports, edits, imports.", func() float64 { return float64(s.app.Live.Waiting()) })
	gauge("ingest_waiting", "Reports that wait for a commit.", func() float64 { return float64(s.app.IngestWaiting()) })
	registerMail(r, s.app)
	stat := func(name, help string, value func(cable.Stats) float64) {
		gauge("stream_"+name, help, func() float64 { return value(s.hub.Stats()) })
	}
	stat("sockets", "Open sockets.", func(st cable.Stats) float64 { return float64(st.Sockets) })
	stat("ring_bytes", "Frames kept for resumes.", func(st cable.Stats) float64 { return float64(st.RingBytes) })
	count := func(name, help string, value func(cable.Stats) float64) {
		r.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "lightbar_stream_" + name, Help: help},
			func() float64 { return value(s.hub.Stats()) }))
	}
	count("frames_total", "Frames taken from the bus.", func(st cable.Stats) float64 { return float64(st.Frames) })
	count("bytes_total", "Bytes handed to sockets.", func(st cable.Stats) float64 { return float64(st.Bytes) })
	count("slow_total", "Sockets ended because their reader was slow.", func(st cable.Stats) float64 { return float64(st.Ends[cable.ReasonSlow]) })
}

// registerBudget adds what requests hold of the memory they may.
func registerBudget(r prometheus.Registerer, b *budget.Budget) {
	gauge := func(name, help string, value func(budget.Stats) float64) {
		r.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "lightbar_http_" + name, Help: help}, func() float64 { return value(b.Stats()) }))
	}
	count := func(name, help string, value func(budget.Stats) float64) {
		r.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "lightbar_http_" + name, Help: help}, func() float64 { return value(b.Stats()) }))
	}
	gauge("held_bytes", "Bytes that requests hold in memory.", func(st budget.Stats) float64 { return float64(st.Held) })
	gauge("held_requests", "Requests that hold them.", func(st budget.Stats) float64 { return float64(st.Calls) })
	count("held_refused_total", "Requests refused because others hold too much.", func(st budget.Stats) float64 { return float64(st.Refused) })
	count("bodies_stalled_total", "Bodies whose sender stopped.", func(st budget.Stats) float64 { return float64(st.Stalled) })
}

func number(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
