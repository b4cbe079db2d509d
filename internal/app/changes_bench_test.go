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

// A day of 100,000 assets, half of them silent since, with scenes and areas: all of it is counted, 500 rows are listed.
func BenchmarkChanges(b *testing.B) {
	k := apptest.New(b, storetest.SQLite(b))
	o := k.Organization("A")
	const assets = 100_000
	for i := range assets / 10_000 {
		k.Things(o.ID, fmt.Sprint("U", i), 10_000)
	}
	k.Pass(time.Hour)
	since := k.At()
	for i := range assets / 10_000 / 2 {
		var reports []fleet.Report
		for j := range 10_000 {
			reports = append(reports, fleet.Report{Kind: fleet.ReportHeartbeat, Index: j, Asset: fmt.Sprintf("U%d-%d", i, j), At: k.At()})
		}
		_, err := k.RecordPoints(b.Context(), k.Device(o.ID), app.ReportBatch{Reports: reports})
		must(b, err)
	}
	admin := k.User(o.ID, "administrator")
	for i := range 2000 {
		k.Pass(time.Second)
		_, _, err := k.Areas.Create(b.Context(), admin, newArea(o.ID, fmt.Sprint("Area ", i)))
		must(b, err)
	}
	for range 40 {
		var events []fleet.EventReport
		for i := range 100 {
			events = append(events, said(k, fmt.Sprint("E", i)))
			events = append(events, fleet.EventReport{MarkReport: fleet.MarkReport{ID: fmt.Sprint("E", i), At: k.At(), HasActive: true}})
		}
		tellEvents(b, k, o.ID, events...)
		k.Pass(time.Minute)
	}
	k.Pass(20 * time.Hour)
	for _, from := range []fleet.Instant{since, since.Add(-2 * time.Hour)} {
		b.Run(fmt.Sprint(k.At().Sub(from)), func(b *testing.B) {
			for b.Loop() {
				out, err := k.Changes(b.Context(), admin, app.ChangesQuery{Since: from})
				if err != nil || out.Meta.Total < assets/2 {
					b.Fatal(out.Meta, out.Counts, err)
				}
			}
		})
	}
}
