package bench_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"lightbar/catalog"
	"lightbar/internal/access"
	"lightbar/internal/wire"
)

// Ten thousand areas are made one by one, or imported from one file, half of
// them stations, while points of the same organization come by a timetable: how
// long these wait, and how long they waited before, in one run.
func BenchmarkCreateAreas(b *testing.B) {
	const areas, clients, rate = 10_000, 16, 5_000
	for _, row := range []struct {
		engine string
		things int
		way    string
		make   func(*target, int) error
	}{
		{"sqlite", 500, "single", createAreas},
		{"sqlite", 100_000, "single", createAreas},
		{"sqlite", 500, "file", importAreas},
		{"sqlite", 100_000, "file", importAreas},
		{"postgres", 500, "single", createAreas},
		{"postgres", 500, "file", importAreas},
	} {
		b.Run(fmt.Sprintf("%s/things=%d/%s", row.engine, row.things, row.way), func(b *testing.B) {
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
					failed = row.make(t, areas)
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

// benchArea is an area where the load's assets drive: a circle, or a polygon of 40 corners (its ring as GeoJSON).
func benchArea(i int) (kind catalog.AreaType, lat, lng float64, ring string) {
	types := catalog.AllEnums().AreaTypes
	if kind = types[i%len(types)]; kind.IsExclusion {
		kind = types[0]
	}
	lat, lng = 39.1+float64(i%100)*5e-3, -75.7+float64(i/100)*2e-3
	if i%2 == 0 {
		return kind, lat, lng, ""
	}
	for k := range 41 {
		turn := 2 * math.Pi * float64(k%40) / 40
		ring += fmt.Sprintf(",[%.7f,%.7f]", lng+8e-4*math.Cos(turn), lat+8e-4*math.Sin(turn))
	}
	return kind, lat, lng, "[" + ring[1:] + "]"
}

func createAreas(t *target, n int) error {
	organizations, _, err := t.app.ListOrganizations(context.Background(), access.System())
	if err != nil {
		return err
	}
	for i := range n {
		kind, lat, lng, ring := benchArea(i)
		name, organization, typeID, radius := fmt.Sprintf("Area %d", i), wire.ID(organizations[0].ID), wire.ID(kind.ID), 60.0
		in := wire.AreaWrite{OrganizationID: &organization, EZTypeID: &typeID, Name: &name,
			PointGeom: &wire.PointGeom{Lat: lat, Lon: lng}, RadiusDist: &radius}
		if ring != "" {
			in.RadiusDist, in.AreaGeom = nil, wire.Geometry(`{"type":"Polygon","coordinates":[`+ring+`]}`)
		}
		if _, _, err := t.app.Areas.Create(context.Background(), access.System(), in); err != nil {
			return err
		}
	}
	return nil
}

// importAreas makes the same areas from one GeoJSON file.
func importAreas(t *target, n int) error {
	organizations, _, err := t.app.ListOrganizations(context.Background(), access.System())
	if err != nil {
		return err
	}
	features := make([]string, n)
	for i := range features {
		kind, lat, lng, ring := benchArea(i)
		shape := fmt.Sprintf(`{"type":"Point","coordinates":[%.7f,%.7f]}`, lng, lat)
		if ring != "" {
			shape = `{"type":"Polygon","coordinates":[` + ring + `]}`
		}
		features[i] = fmt.Sprintf(`{"type":"Feature","properties":{"name":"Area %d","ez_type":%q,"radius_dist":60},"geometry":%s}`, i, kind.Name, shape)
	}
	done, err := t.app.ImportAreas(context.Background(), access.System(), wire.AreasImport{Format: "geojson",
		Content:        `{"type":"FeatureCollection","features":[` + strings.Join(features, ",") + `]}`,
		OrganizationID: wire.ID(organizations[0].ID)})
	if err == nil && done.Made != n {
		err = fmt.Errorf("the import made %d of %d areas: %+v", done.Made, n, done.Problems)
	}
	return err
}
