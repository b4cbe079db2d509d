package app_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/live"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

// BenchmarkFeed reads a document of 10,000 closures: built anew with all it
// needs, after the change of one, and when nothing has changed.
func BenchmarkFeed(b *testing.B) {
	s := storetest.SQLite(b)
	k := apptest.New(b, s)
	o, row := publishing(b, k)
	waze, ctx := consumer(b, k, o.ID, "Waze"), b.Context()
	err := s.Write(ctx, func(tx *store.Tx) error {
		for i := range 9_999 {
			c := fleet.Closure{ID: fmt.Sprintf("01910000-0000-7000-8000-%012x", i), OrganizationID: o.ID, Kind: "manual", Description: "Paving of the right lane",
				AlertMessage: "Right lane closed ahead", Direction: "E", RoadName: "I-95", StreetStart: "Exit 5", StreetEnd: "Exit 7", ExternalID: fmt.Sprint("DE-X", i),
				LocationMethod: "channel-device-method", VehicleImpact: "some-lanes-closed", TotalLanes: 3, ImpactedLanes: []int{2, 3}, IsPublished: true,
				UserRoute: []fleet.LatLng{{Lat: 39.7391, Lng: -75.5498}, {Lat: 39.7392, Lng: -75.5398}}, StartAt: k.At() - 1, EndAt: k.At() + 3_600_000,
				UpdatedAt: k.At(), Version: 1}
			if _, err := store.Closures.Insert(ctx, tx, &c); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	read := func(b *testing.B) app.FeedDocument {
		out, err := k.Feed(ctx, waze, o.ID, "wzdx-4.2.geojson")
		if err != nil {
			b.Fatal(err)
		}
		return out
	}
	b.Run("build", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			k.Open(s, live.Options{}) // a server that has just started
			b.StartTimer()
			b.SetBytes(int64(len(read(b).Body)))
		}
	})
	b.Run("change", func(b *testing.B) {
		k.Pass(2 * time.Minute) // the others were not changed just now
		for i := 0; b.Loop(); i++ {
			b.StopTimer()
			if _, err := k.Closures.Edit(context.Background(), access.System(), row.ID, 0, wire.ClosureWrite{AlertMessage: ref(fmt.Sprint("Paving ", i))}); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
			read(b)
		}
	})
	b.Run("unchanged", func(b *testing.B) {
		k.Pass(2 * time.Minute) // nothing was changed just now
		read(b)
		for b.Loop() {
			read(b)
		}
	})
}

// BenchmarkAlerts reads the alerts of an organization with 100,000 assets, 500 of
// which have their lights on, beside its device feed, which visits the same assets.
func BenchmarkAlerts(b *testing.B) {
	k := apptest.New(b, storetest.SQLite(b))
	o, _ := publishing(b, k)
	reader := consumer(b, k, o.ID, "Cars", "alerts", "feeds")
	for at := 0; at < 100_000; at += 1000 {
		things := make([]app.NewThing, 1000)
		for i := range things {
			things[i] = app.NewThing{OrganizationID: o.ID, SystemName: fmt.Sprint("unit", at+i), Type: "fire", DeviceType: "api"}
		}
		if _, err := k.RegisterThings(b.Context(), access.System(), things); err != nil {
			b.Fatal(err)
		}
	}
	for i := range 500 {
		report(b, k, o.ID, fleet.Report{Asset: fmt.Sprint("unit", i*200), Kind: fleet.ReportPoint, At: k.At(), Lat: 39.7, Lng: -75.5 + float64(i)/1000,
			HasLat: true, HasLng: true, HasAlerting: true, Alerting: true})
	}
	for _, path := range []string{"alerts.geojson", "wzdx-devices-4.2.geojson"} {
		b.Run(path, func(b *testing.B) {
			for b.Loop() {
				out, err := k.Feed(b.Context(), reader, o.ID, path)
				if err != nil {
					b.Fatal(err)
				}
				b.SetBytes(int64(len(out.Body)))
			}
		})
	}
}
