package live_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"lightbar/internal/access"
	"lightbar/internal/app"
	"lightbar/internal/fleet"
	"lightbar/internal/store"
	"lightbar/internal/store/storetest"
	"lightbar/internal/testkit/apptest"
	"lightbar/internal/wire"
)

// Whatever assets, zones and time do, the picture says of a zone what a look at
// every asset's latest position says.
func TestZonesAreWhatALookAtEveryAssetSays(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		k := apptest.New(t, s)
		a := k.Organization("A")
		const assets = 8
		things := k.Things(a.ID, "U", assets)
		c := &country{Rand: rand.New(rand.NewPCG(20, 26)), lat: 39.7, lng: -75.5, deg: 0.02}
		shape := func() wire.Geometry {
			at := c.area(0, "A")
			f := fleet.Feature{Type: "Feature", Geometry: fleet.Geometry{Type: "Polygon", Lines: [][][2]float64{c.block(at.Lat, at.Lng, 50+400*c.Float64())}}}
			switch c.IntN(3) {
			case 0:
				f.Geometry, f.Properties.RadiusM = fleet.Geometry{Type: "Point", Lines: [][][2]float64{{{at.Lng, at.Lat}}}}, 50+400*c.Float64()
			case 1:
				f.Geometry = fleet.Geometry{Type: "LineString", Lines: [][][2]float64{{{at.Lng, at.Lat}, {at.Lng + 0.005, at.Lat + 0.002}}}}
			}
			text, err := json.Marshal(fleet.FeatureCollection{Type: "FeatureCollection", Features: []fleet.Feature{f}})
			if err != nil {
				t.Fatal(err)
			}
			return text
		}
		system, of, kind, text := access.System(), wire.ID(a.ID), "custom", "Zone"
		admin := k.User(a.ID, "administrator")
		var zones []string
		for range 12 {
			row, _, err := k.Zones.Create(t.Context(), system, wire.ZoneWrite{OrganizationID: &of, TypeName: &kind, Description: &text, Features: shape()})
			if err != nil {
				t.Fatal(err)
			}
			zones = append(zones, row.ID)
		}
		hits := 0
		for round := range 150 {
			k.Pass(time.Duration(1+c.IntN(12_000)) * time.Millisecond)
			switch c.IntN(8) {
			case 0:
				if _, err := k.Zones.Edit(t.Context(), admin, zones[c.IntN(len(zones))], 0, wire.ZoneWrite{Features: shape()}); err != nil {
					t.Fatal(err)
				}
			case 1:
				if err := k.AgeDue(t.Context()); err != nil {
					t.Fatal(err)
				}
			default:
				var reports []fleet.Report
				for i := range 1 + c.IntN(6) {
					reports = append(reports, fleet.Report{Kind: fleet.ReportPoint, Asset: fmt.Sprintf("U-%d", c.IntN(assets)), At: k.At() - fleet.Instant(i),
						Lat: c.lat + c.deg*c.Float64(), Lng: c.lng + c.deg*c.Float64(), HasLat: true, HasLng: true, HasAlerting: true, Alerting: c.IntN(4) > 0})
				}
				if _, err := k.RecordPoints(t.Context(), k.Device(a.ID), app.ReportBatch{Reports: reports}); err != nil {
					t.Fatal(err)
				}
			}
			rows, _, err := k.Zones.List(t.Context(), admin, app.Rows{})
			if err != nil {
				t.Fatal(err)
			}
			for _, row := range rows {
				shapes, err := (&fleet.Zone{Features: row.Features}).Shapes()
				if err != nil {
					t.Fatal(err)
				}
				var got, want []string
				for _, thing := range row.ActiveThings {
					got = append(got, thing.ID)
				}
				for _, thing := range things {
					_, state, _, _ := k.Live.Thing(thing.ID)
					holds := func(s *fleet.Shape) bool { return fleet.Holds(s, state.Lat, state.Lng) }
					if state.Alerting && state.HasPosition && fleet.StaleAt(&state) > k.At() && slices.ContainsFunc(shapes, holds) {
						want = append(want, thing.ID)
					}
				}
				slices.Sort(got)
				slices.Sort(want)
				if !slices.Equal(got, want) || len(got) > 0 && !row.IsActive {
					t.Fatalf("round %d: %v alert in %s, want %v", round, got, row.ID, want)
				}
				hits += len(got)
			}
		}
		if hits < 100 {
			t.Errorf("%d stays: is this test blind?", hits)
		}
	})
}
