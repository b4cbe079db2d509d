package bench_test

import (
	"context"
	"fmt"
	"math"
	"testing"
	"time"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/wire"
)

// Ten thousand areas are made one by one, half of them stations, while points
// of the same organization come by a timetable: how long these wait, and how
// long they waited before, in one run.
func BenchmarkCreateAreas(b *testing.B) {
	const areas, clients, rate = 10_000, 16, 5_000
	for _, row := range []struct {
		engine string
		things int
	}{{"sqlite", 500}, {"sqlite", 100_000}, {"postgres", 500}} {
		b.Run(fmt.Sprintf("%s/things=%d", row.engine, row.things), func(b *testing.B) {
			s := open(b, row.engine, 0)
			defer func() {
				if err := s.Close(); err != nil {
					b.Error(err)
				}
			}()
			t := serve(b, s, row.things, nil, false)
			defer t.stop()
			var before, during figures
			var took time.Duration
			for b.Loop() {
				load(b, t, row.things, clients, rate) // all have been heard
				before = load(b, t, row.things, clients, rate)
				done, failed := make(chan struct{}), error(nil)
				began := time.Now()
				go func() {
					defer close(done)
					failed = createAreas(t, areas)
					took = time.Since(began)
				}()
				during = loadWhile(b, t, row.things, clients, rate, func(time.Time) bool {
					select {
					case <-done:
						return false
					default:
						return true
					}
				})
				<-done
				if failed != nil {
					b.Fatal(failed)
				}
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(areas/took.Seconds(), "areas/s")
			b.ReportMetric(float64(before.p99.Microseconds())/1000, "before-p99-ms")
			b.ReportMetric(float64(during.p99.Microseconds())/1000, "p99-ms")
			b.ReportMetric(float64(during.p50.Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(during.p99)/float64(before.p99), "of-before")
		})
	}
}

// createAreas makes areas where the load's assets drive: circles, and polygons of 40 corners.
func createAreas(t *target, n int) error {
	organizations, _, err := t.app.ListOrganizations(context.Background(), access.System())
	if err != nil {
		return err
	}
	types := catalog.AllEnums().AreaTypes
	say := func(v string) *string { return &v }
	for i := range n {
		lat, lng := 39.1+float64(i%100)*5e-3, -75.7+float64(i/100)*2e-3
		kind := types[i%len(types)]
		for kind.IsExclusion {
			kind = types[0]
		}
		organization, typeID, radius := wire.ID(organizations[0].ID), wire.ID(kind.ID), 60.0
		in := wire.AreaWrite{OrganizationID: &organization, EZTypeID: &typeID, Name: say(fmt.Sprintf("Area %d", i)),
			PointGeom: &wire.PointGeom{Lat: lat, Lon: lng}, RadiusDist: &radius}
		if i%2 == 1 {
			ring := ""
			for k := range 41 {
				turn := 2 * math.Pi * float64(k%40) / 40
				ring += fmt.Sprintf(",[%.7f,%.7f]", lng+8e-4*math.Cos(turn), lat+8e-4*math.Sin(turn))
			}
			in.RadiusDist, in.AreaGeom = nil, wire.Geometry(`{"type":"Polygon","coordinates":[[`+ring[1:]+`]]}`)
		}
		if _, _, err := t.app.CreateArea(context.Background(), access.System(), in); err != nil {
			return err
		}
	}
	return nil
}
