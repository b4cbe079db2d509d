package bench_test

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/wire"
)

var exportDays = flag.Int("export.days", 31, "how many days of points an export holds")

// pastPoints seals days of points each 10 s of all assets, as the clock does it some hours after they came.
func pastPoints(b *testing.B, t *target, things, days int) (from fleet.Instant, rows int64) {
	b.Helper()
	const perDay, lot = 8640, 50
	ctx := context.Background()
	from = fleet.InstantOf(time.Now().Truncate(24 * time.Hour)).Add(-time.Duration(days+2) * 24 * time.Hour)
	for d := range days {
		begin := from.Add(time.Duration(d) * 24 * time.Hour)
		for first := 0; first < things; first += lot {
			day := app.PastDay{EndAt: fleet.InstantOf(time.Now()), Setting: "bench", Value: strconv.Itoa(d)}
			for i := first; i < min(things, first+lot); i++ {
				thing, _, _, _ := t.app.Live.Thing(t.ids[i])
				for n := range perDay {
					at := begin.Add(time.Duration(n) * 10 * time.Second)
					day.Points = append(day.Points, fleet.Point{ThingNo: thing.No, At: at, ReceivedAt: at.Add(time.Duration(400+n*7919%600) * time.Millisecond),
						Lat: 39.1 + float64(i)*1e-3 + float64(n*7%3000)*1e-5, Lng: -75.7 + float64(n%2000)*1e-5, HasSpeed: true, SpeedMS: float64(n*31%300) / 10,
						HasCourse: true, CourseDeg: float64(n * 11 % 360), HasAccuracy: true, AccuracyM: 4, HasAlerting: true, Alerting: n%1000 < 200})
				}
			}
			if rows += int64(len(day.Points)); t.app.StorePastDay(ctx, access.System(), &day) != nil {
				b.Fatal("a day was not kept")
			}
		}
	}
	return from, rows
}

// BenchmarkIngestBesideExport exports a month of 500 assets at a point each 10 s (134 million rows) while 5,000 points/s
// come in. x-bare compares it with the least work on the same rows (internal/app, BenchmarkExport, says how that is measured);
// p99-ratio is the median p99 of ingest beside it, against the median before and after; noise-ratio is after against before.
func BenchmarkIngestBesideExport(b *testing.B) {
	const things, clients, rate, turns = 500, 16, 5000, 5
	ctx := context.Background()
	s := open(b, "sqlite", 0)
	defer func() { _ = s.Close() }()
	t := serve(b, s, things, nil, false)
	defer t.stop()
	t.app.ExportFolder = filepath.Join(b.TempDir(), "exports")
	from, rows := pastPoints(b, t, things, *exportDays)
	load(b, t, things, clients, rate) // warm
	for b.Loop() {
		var before, beside, after []time.Duration
		for range turns {
			before = append(before, load(b, t, things, clients, rate).p99)
		}
		to, title, of := from.Add(time.Duration(*exportDays)*24*time.Hour), "bench", wire.ID(t.organization)
		in := wire.ExportWrite{Kind: "point", Title: &title, StartAt: &from, EndAt: &to, OrganizationID: &of}
		for _, id := range t.ids {
			in.ThingIDs = append(in.ThingIDs, wire.ID(id))
		}
		row, _, err := t.app.Exports.Create(ctx, access.System(), in)
		if err != nil {
			b.Fatal(err)
		}
		quietHeap, most := heapMB(), 0.0
		begin := time.Now()
		for row.Status != fleet.ExportCompleted {
			if beside = append(beside, load(b, t, things, clients, rate).p99); row.Error != nil {
				b.Fatal(*row.Error)
			}
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			most = max(most, float64(m.HeapAlloc)/1e6)
			if row, err = t.app.Exports.Read(ctx, access.System(), row.ID); err != nil {
				b.Fatal(err)
			}
		}
		took := time.Since(begin)
		for range turns {
			after = append(after, load(b, t, things, clients, rate).p99)
		}
		if row.RowCount != rows {
			b.Fatalf("%d rows of %d", row.RowCount, rows)
		}
		size := int64(0)
		files, _ := os.ReadDir(t.app.ExportFolder)
		for _, f := range files {
			if info, err := f.Info(); err == nil {
				size += info.Size()
			}
		}
		median := func(list []time.Duration) float64 {
			list = slices.Sorted(slices.Values(list))
			return float64(list[len(list)/2].Microseconds()) / 1000
		}
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(float64(rows), "rows")
		b.ReportMetric(took.Seconds(), "export-s")
		b.ReportMetric(float64(rows)/took.Seconds(), "rows/s")
		b.ReportMetric(float64(size)/1e6, "file-MB")
		b.ReportMetric(most-quietHeap, "heap-more-MB")
		b.ReportMetric(median(before), "before-p99-ms")
		b.ReportMetric(median(beside), "beside-p99-ms")
		b.ReportMetric(median(beside)/median(slices.Concat(before, after)), "p99-ratio")
		b.ReportMetric(median(after)/median(before), "noise-ratio")
	}
}
