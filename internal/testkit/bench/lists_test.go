package bench_test

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/testkit"
	"lightbar/internal/wire"
)

// Lists of 25 rows by HTTP, of two nouns that stand in the store beside the
// list of assets, which stands in memory, in turns: what each costs of the latter.
func BenchmarkLists(b *testing.B) {
	const rows, turns = 25, 40
	w := testkit.New(b)
	fillLists(b, w, rows)
	token := w.SignIn("administrator").AccessToken
	client := w.Server.Client()
	read := func(path string) time.Duration {
		req, _ := http.NewRequest(http.MethodGet, w.Server.URL+"/api/organization/"+path+"?per_page=25", nil)
		req.Header.Set("Authorization", "Bearer "+token)
		began := time.Now()
		for range 10 {
			res, err := client.Do(req)
			if err != nil {
				b.Fatal(err)
			}
			_, _ = io.Copy(io.Discard, res.Body)
			if _ = res.Body.Close(); res.StatusCode != http.StatusOK {
				b.Fatal(path, res.Status)
			}
		}
		return time.Since(began) / 10
	}
	lists := []string{"things", "closure", "exclusion_zone"}
	took := map[string][]time.Duration{}
	for b.Loop() {
		for range turns {
			for _, list := range lists {
				took[list] = append(took[list], read(list))
			}
		}
	}
	median := func(list string) float64 {
		slices.Sort(took[list])
		return float64(took[list][len(took[list])/2].Microseconds())
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median("things"), "things-us")
	for _, list := range lists[1:] {
		b.ReportMetric(median(list), list+"-us")
		b.ReportMetric(median(list)/median("things"), list+"-of-things")
	}
}

// fillLists makes so many rows of each noun: closures as feeds bring them and as people draw them, of a line with a hundred points.
func fillLists(b *testing.B, w *testkit.World, rows int) {
	ctx, own, now := b.Context(), w.Own.ID, fleet.InstantOf(w.Clock.Now())
	things := make([]app.NewThing, rows)
	for i := range things {
		things[i] = app.NewThing{OrganizationID: own, SystemName: name(i), Type: "fire"}
	}
	_, err := w.App.RegisterThings(ctx, access.System(), things)
	line := make([]fleet.LatLng, 100)
	for i := range line {
		lat, lng := 39.7391+float64(i)*1.1234e-4, -75.5498+float64(i)*1.3579e-4
		line[i] = fleet.LatLng{Lat: fleet.FromFixed(fleet.ToFixed(lat)), Lng: fleet.FromFixed(fleet.ToFixed(lng))} // as roads have them
	}
	write := func(tx *store.Tx) error {
		for i := range rows {
			id := fmt.Sprintf("01910000-0000-7000-8000-%012x", i)
			c := fleet.Closure{ID: id, OrganizationID: own, Kind: "manual", Description: "Paving of the right lane", AlertMessage: "Right lane closed ahead",
				Direction: "N", RoadName: "I-95", StreetStart: "Exit 5", StreetEnd: "Exit 7", ExternalID: fmt.Sprint("DE-X", i), TotalLanes: 3,
				LocationMethod: "channel-device-method", VehicleImpact: "some-lanes-closed", ImpactedLanes: []int{2, 3}, IsPublished: true,
				UserRoute: line[:10], CalculatedRoute: line, StartAt: now - 1, EndAt: now + 36_000_000, UpdatedAt: now, Version: 1}
			if _, err := store.Closures.Insert(ctx, tx, &c); err != nil {
				return err
			}
		}
		return nil
	}
	if err == nil {
		err = w.App.Store.Write(ctx, write)
	}
	for i := 0; i < rows && err == nil; i++ {
		kind, lat, lng, ring := benchArea(2*i + 1)
		label, typeID, organization := fmt.Sprint("Area ", i), wire.ID(kind.ID), wire.ID(own)
		_, _, err = w.App.Areas.Create(ctx, access.System(), wire.AreaWrite{OrganizationID: &organization, EZTypeID: &typeID, Name: &label,
			PointGeom: &wire.PointGeom{Lat: lat, Lon: lng}, AreaGeom: wire.Geometry(`{"type":"Polygon","coordinates":[` + ring + `]}`)})
	}
	if err != nil {
		b.Fatal(err)
	}
}
