package app_test

import (
	"compress/flate"
	"context"
	"encoding/csv"
	"io"
	"runtime"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/store/points"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

// BenchmarkExport exports two days of ten assets at a point each 10 s, beside the least that could be done with the same rows:
// read them, write them as CSV, deflate them. x-bare is the one as a share of the other, peak-MB what was held more.
func BenchmarkExport(b *testing.B) {
	const assets, days, perDay = 10, 2, 8640
	s := storetest.SQLite(b)
	k := apptest.New(b, s)
	o := k.Organization("Wilmington")
	things := k.Things(o.ID, "U", assets)
	device := k.Device(o.ID)
	k.Pass(days * 24 * time.Hour)
	from := k.At().Add(-days * 24 * time.Hour)
	for i := range days * perDay / 120 {
		var batch []fleet.Report
		for j := range things {
			for n := range 120 {
				p := lit("U-"+strconv.Itoa(j), from.Add(time.Duration(i*120+n)*10*time.Second), 39.5+float64(i*120+n)*1e-5)
				p.HasSpeed, p.SpeedMS, p.HasCourse, p.CourseDeg = true, float64(n%30), true, float64(n)
				batch = append(batch, p)
			}
		}
		if _, err := k.RecordPoints(b.Context(), device, app.ReportBatch{Reports: batch}); err != nil {
			b.Fatal(err)
		}
	}
	k.Pass(48 * time.Hour)
	if err := k.FlushStates(b.Context()); err != nil {
		b.Fatal(err)
	}
	if err := k.SealPoints(b.Context()); err != nil {
		b.Fatal(err)
	}
	bare, exported, peak := time.Duration(0), time.Duration(0), uint64(0)
	for b.Loop() {
		at := time.Now()
		rows := bareExport(b, k, things, from)
		bare += time.Since(at)
		if rows != assets*days*perDay {
			b.Fatal(rows)
		}
		of, title, to := wire.ID(o.ID), "bench", from.Add(days*24*time.Hour)
		in := wire.ExportWrite{Kind: "point", Title: &title, StartAt: &from, EndAt: &to, OrganizationID: &of}
		for _, t := range things {
			in.ThingIDs = append(in.ThingIDs, wire.ID(t.ID))
		}
		row, _, err := k.Exports.Create(b.Context(), access.System(), in)
		if err != nil {
			b.Fatal(err)
		}
		watched := heapBeside(func() {
			at = time.Now()
			err = k.MakeExports(context.Background())
			exported += time.Since(at)
		})
		peak = max(peak, watched)
		if row, _ = k.Exports.Read(b.Context(), access.System(), row.ID); err != nil || row.RowCount != assets*days*perDay {
			b.Fatalf("%+v %v", row, err)
		}
	}
	b.ReportMetric(float64(assets*days*perDay*b.N)/exported.Seconds(), "rows/s")
	b.ReportMetric(bare.Seconds()/exported.Seconds(), "x-bare")
	b.ReportMetric(float64(peak)/(1<<20), "peak-MB")
}

// heapBeside runs do and answers how much more the heap held meanwhile than before, at most.
func heapBeside(do func()) uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	before := m.HeapAlloc
	var done atomic.Bool
	peak := make(chan uint64)
	go func() {
		most := uint64(0)
		for tick := time.NewTicker(20 * time.Millisecond); !done.Load(); <-tick.C {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapAlloc)
		}
		peak <- most
	}()
	do()
	done.Store(true)
	return max(<-peak, before) - before
}

func bareExport(b *testing.B, k *apptest.Kit, things []wire.Thing, from fleet.Instant) (rows int) {
	z, err := flate.NewWriter(io.Discard, flate.DefaultCompression)
	if err != nil {
		b.Fatal(err)
	}
	w := csv.NewWriter(z)
	for _, t := range things {
		thing, _, _, _ := k.Live.Thing(t.ID)
		found, _, err := points.OfThing(b.Context(), k.Store.Reader(), thing.No, from, from.Add(48*time.Hour))
		if err != nil {
			b.Fatal(err)
		}
		for i := range found {
			p := &found[i]
			rows++
			err := w.Write([]string{p.At.String(), p.ReceivedAt.String(), t.HaasID, t.ID, strconv.FormatFloat(p.Lat, 'f', -1, 64), strconv.FormatFloat(p.Lng, 'f', -1, 64),
				strconv.FormatFloat(p.SpeedMS, 'f', -1, 64), strconv.FormatFloat(p.CourseDeg, 'f', -1, 64), strconv.FormatFloat(p.AccuracyM, 'f', -1, 64),
				strconv.FormatBool(p.Alerting), strconv.FormatBool(p.ClockSkew)})
			if err != nil {
				b.Fatal(err)
			}
		}
	}
	w.Flush()
	return rows
}
