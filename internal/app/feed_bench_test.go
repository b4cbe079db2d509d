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
			if _, err := k.UpdateClosure(context.Background(), access.System(), row.ID, 0, wire.ClosureWrite{AlertMessage: ref(fmt.Sprint("Paving ", i))}); err != nil {
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
