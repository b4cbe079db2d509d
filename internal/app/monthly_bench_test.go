package app_test

import (
	"context"
	"strconv"
	"testing"
	"time"

	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/store/points"
	"lightbar/internal/store/storetest"
)

// BenchmarkMonthlyReport reports a month of three assets at a point each 10 s, packed: points a second, and what was held more.
func BenchmarkMonthlyReport(b *testing.B) {
	const assets, perBatch = 3, 1000
	k, o := monthlyKit(b, storetest.SQLite(b), inNewYork(10, 31, 12))
	k.Things(o.ID, "U", assets)
	device := k.Device(o.ID)
	start, end := inNewYork(11, 1, 0), inNewYork(12, 1, 0)
	n := int(end.Sub(start) / (10 * time.Second))
	for i := 0; i < n; i += perBatch {
		var batch []fleet.Report
		for asset := range assets {
			for j := i; j < min(i+perBatch, n); j++ {
				p := lit("U-"+strconv.Itoa(asset), start.Add(time.Duration(j)*10*time.Second), 39.5+float64(j%20_000)*1e-4)
				p.Alerting, p.HasSpeed, p.SpeedMS = j%1000 < 200, true, 11
				batch = append(batch, p)
			}
		}
		moveTo(k, batch[len(batch)-1].At)
		if _, err := k.RecordPoints(b.Context(), device, app.ReportBatch{Reports: batch}); err != nil {
			b.Fatal(err)
		}
	}
	moveTo(k, inNewYork(12, 3, 0))
	if err := k.FlushStates(b.Context()); err != nil {
		b.Fatal(err)
	}
	if err := k.SealPoints(b.Context()); err != nil {
		b.Fatal(err)
	}
	kept, err := points.WhereKept(b.Context(), k.Store.Reader())
	if err != nil || kept.Sealed != int64(assets*n) || kept.Table != 0 {
		b.Fatalf("%+v %v", kept, err)
	}
	took, peak := time.Duration(0), uint64(0)
	for b.Loop() {
		k.Pass(24 * time.Hour)
		var err error
		watched := heapBeside(func() {
			at := time.Now()
			err = k.MakeMonthlyReports(context.Background())
			took += time.Since(at)
		})
		if peak = max(peak, watched); err != nil {
			b.Fatal(err)
		}
	}
	if of := november(b, k, o.ID).Figures; of.Data.Points != int64(assets*n) || of.Driving.Runs == 0 {
		b.Fatalf("%+v", of)
	}
	b.ReportMetric(float64(assets*n*b.N)/took.Seconds(), "points/s")
	b.ReportMetric(float64(peak)/(1<<20), "peak-MB")
}
