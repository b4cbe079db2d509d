package app_test

import (
	"fmt"
	"testing"
	"time"

	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
)

// A look at 100,000 assets that report positions and lights, a tenth of them lit, around 500 stations. What is found is
// stored 500 at a time before it is measured; then nothing changes.
func BenchmarkWatch(b *testing.B) {
	k := apptest.New(b, storetest.SQLite(b))
	o := k.Organization("A")
	const assets = 100_000
	for i := range assets / 10_000 {
		k.Things(o.ID, fmt.Sprint("U", i), 10_000)
	}
	for i := range 500 {
		stationAt(b, k, o.ID, fmt.Sprint("Station ", i), 30+float64(i)*0.01)
	}
	report := func() {
		for i := range assets / 10_000 {
			reports := make([]fleet.Report, 10_000)
			for j := range reports {
				reports[j] = standing(fmt.Sprintf("U%d-%d", i, j), k.At(), 30+float64(j)*0.0005, j%10 == 0)
				reports[j].Index = j
			}
			_, err := k.RecordPoints(b.Context(), k.Device(o.ID), app.ReportBatch{Reports: reports})
			must(b, err)
		}
	}
	report()
	must(b, k.Watch(b.Context()))
	k.Pass(time.Minute)
	report()
	found := 0
	for {
		must(b, k.Watch(b.Context()))
		_, meta, err := k.ListFindings(b.Context(), k.User(o.ID, "viewer"), app.FindingQuery{})
		if must(b, err); meta.Total == found {
			break
		}
		found = meta.Total
	}
	for b.Loop() {
		must(b, k.Watch(b.Context()))
	}
	b.ReportMetric(float64(found), "findings")
	b.ReportMetric(k.WatchTook().Seconds()*1000, "ms/look")
}
