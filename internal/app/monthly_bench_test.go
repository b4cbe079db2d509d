package app_test

import (
	"context"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/store/storetest"
)

// BenchmarkMonthlyReport reports a month of assets that said their position each 10 s, packed, as 500 of them would be: points
// and asset months a second, and what was held more.
func BenchmarkMonthlyReport(b *testing.B) {
	const assets, every = 20, 10 * time.Second
	start, end := inNewYork(11, 1, 0), inNewYork(12, 1, 0)
	k, o := monthlyKit(b, storetest.SQLite(b), inNewYork(10, 31, 12))
	things := k.Things(o.ID, "U", assets)
	report(b, k, o.ID, lit("U-0", k.At(), 39.5))
	moveTo(k, inNewYork(12, 3, 0))
	n := 0
	for from := start; from < end; from = from.Add(24 * time.Hour) {
		day := app.PastDay{EndAt: k.At(), Setting: "bench", Value: from.String()}
		for i := range things {
			thing, _, _, _ := k.Live.Thing(things[i].ID)
			for at := from; at < min(from.Add(24*time.Hour), end); at = at.Add(every) {
				j := int(at.Sub(start) / every)
				day.Points = append(day.Points, fleet.Point{ThingNo: thing.No, At: at, ReceivedAt: at.Add(time.Second),
					Lat: 39.5 + float64(j%20_000)*1e-4, Lng: -75.5, HasSpeed: true, SpeedMS: 11, HasAlerting: true, Alerting: j%1000 < 200})
			}
		}
		if n += len(day.Points); k.StorePastDay(b.Context(), access.System(), &day) != nil {
			b.Fatal("not kept")
		}
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
	if of := november(b, k, o.ID).Figures; of.Data.Points != int64(n) {
		b.Fatalf("%+v", of)
	}
	b.ReportMetric(float64(n*b.N)/took.Seconds(), "points/s")
	b.ReportMetric(500*took.Seconds()/float64(assets*b.N), "s/500-assets")
	b.ReportMetric(float64(peak)/(1<<20), "peak-MB")
}
