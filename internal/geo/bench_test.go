package geo

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// testFile finds a file of the recorded data, or skips loudly.
func testFile(t testing.TB, name string) string {
	t.Helper()
	dir := os.Getenv("LIGHTBAR_TESTDATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "data")
	}
	path := filepath.Join(dir, name)
	if _, err := os.Stat(path); err != nil {
		t.Logf("NOT TESTED: %s is missing; set LIGHTBAR_TESTDATA to the folder that has %s", path, name)
		t.Skip("recorded data is missing (LIGHTBAR_TESTDATA)")
	}
	return path
}

const (
	wilmingtonFile = "osm/wilmington-de-2016.osm.pbf"
	delawareFile   = "osm/delaware-2016-08-10.osm.pbf"
)

// largest is a whole state; with -short, as under the race detector, a city of it, which is imported in a twelfth of the time.
func largest() string {
	if testing.Short() {
		return wilmingtonFile
	}
	return delawareFile
}

// wholeState is for what no city can show: with -short the test is skipped.
func wholeState(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("a whole state; run without -short")
	}
	return delawareFile
}

// imported imports an extract once for all tests of this run.
var imported = struct {
	sync.Mutex
	dirs map[string]string
}{dirs: map[string]string{}}

func importOnce(t testing.TB, name string) (dir string) {
	t.Helper()
	src := testFile(t, name)
	imported.Lock()
	defer imported.Unlock()
	if dir, ok := imported.dirs[name]; ok {
		return dir
	}
	dir, err := os.MkdirTemp(testRoot, "region-")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Import(context.Background(), src, dir, ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	imported.dirs[name] = dir
	return dir
}

var testRoot string

func TestMain(m *testing.M) {
	var err error
	if testRoot, err = os.MkdirTemp("", "geo-test-"); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(testRoot)
	os.Exit(code)
}

func openRoads(t testing.TB, name string) *Roads {
	t.Helper()
	r, err := OpenRoads(filepath.Join(importOnce(t, name), RoadsFile))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func BenchmarkNearest(b *testing.B) {
	r := openRoads(b, delawareFile)
	rnd := rand.New(rand.NewPCG(1, 2))
	at := make([]LatLng, 4096)
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
	r := openRoads(b, delawareFile)
	for _, c := range []struct {
		name string
		maxM float64
	}{{"5km", 5_000}, {"20km", 20_000}, {"200km", MaxLegM}} {
		rnd := rand.New(rand.NewPCG(3, 4))
		var pairs [][]LatLng
		for len(pairs) < 256 {
			from, to := r.RandomNode(rnd), r.RandomNode(rnd)
			if DistanceM(from, to) <= c.maxM {
				pairs = append(pairs, []LatLng{from, to})
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
	path := filepath.Join(importOnce(b, delawareFile), RoadsFile)
	for b.Loop() {
		if _, err := OpenRoads(path); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkImport(b *testing.B) {
	for name, file := range map[string]string{"wilmington": wilmingtonFile, "delaware": delawareFile} {
		b.Run(name, func(b *testing.B) {
			src := testFile(b, file)
			dst := b.TempDir()
			for b.Loop() {
				if _, err := Import(context.Background(), src, dst, ImportOptions{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkTile(b *testing.B) {
	tiles, err := OpenTiles(filepath.Join(importOnce(b, delawareFile), TilesFile))
	if err != nil {
		b.Fatal(err)
	}
	defer tiles.Close()
	c := tiles.Bounds().Center()
	at := world(c.Lat, c.Lng)
	x, y := int(at[0]*(1<<14)), int(at[1]*(1<<14))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, _, err := tiles.Tile(14, x+i%64, y+i/64%64); err != nil {
			b.Fatal(err)
		}
	}
}
