package route

import (
	"context"
	"math"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"lightbar/internal/geo"
	"lightbar/internal/geo/geotest"
)

func openRoads(t testing.TB, name string) *Roads {
	t.Helper()
	r, err := OpenRoads(filepath.Join(geotest.ImportOnce(t, name), geo.RoadsFile))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func BenchmarkNearest(b *testing.B) {
	r := openRoads(b, geotest.DelawareFile)
	rnd := rand.New(rand.NewPCG(1, 2))
	at := make([]geo.LatLng, 4096)
	for i := range at { // GPS points: near a street, up to 10 m off
		at[i] = r.RandomNode(rnd)
		at[i].Lat += (rnd.Float64() - 0.5) * 2e-4
		at[i].Lng += (rnd.Float64() - 0.5) * 2e-4
	}
	for _, c := range []struct {
		name    string
		heading float64
	}{{"plain", math.NaN()}, {"heading", 90}} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				p := at[i%len(at)]
				r.Nearest(p.Lat, p.Lng, c.heading)
			}
		})
	}
}

func BenchmarkRoute(b *testing.B) {
	r := openRoads(b, geotest.DelawareFile)
	for _, c := range []struct {
		name string
		maxM float64
	}{{"5km", 5_000}, {"20km", 20_000}, {"200km", MaxLegM}} {
		rnd := rand.New(rand.NewPCG(3, 4))
		var pairs [][]geo.LatLng
		for len(pairs) < 256 {
			from, to := r.RandomNode(rnd), r.RandomNode(rnd)
			if geo.DistanceM(from, to) <= c.maxM {
				pairs = append(pairs, []geo.LatLng{from, to})
			}
		}
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if _, err := r.Route(context.Background(), pairs[i%len(pairs)], RouteOptions{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkOpenRoads(b *testing.B) {
	path := filepath.Join(geotest.ImportOnce(b, geotest.DelawareFile), geo.RoadsFile)
	for b.Loop() {
		if _, err := OpenRoads(path); err != nil {
			b.Fatal(err)
		}
	}
}
