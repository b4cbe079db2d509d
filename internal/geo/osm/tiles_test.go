package osm

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/mvt"

	"lightbar/internal/geo"
	"lightbar/internal/geo/geotest"
	"lightbar/internal/geo/tiles"
)

func openTestTiles(t testing.TB, name string) *tiles.Tiles {
	t.Helper()
	tiles, err := tiles.OpenTiles(filepath.Join(geotest.ImportOnce(t, name), geo.TilesFile))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tiles.Close() })
	return tiles
}

// layersOf decodes a tile with orb's own decoder.
func layersOf(t testing.TB, tiles *tiles.Tiles, z, x, y int) mvt.Layers {
	t.Helper()
	data, ok, err := tiles.Tile(z, x, y)
	if err != nil {
		t.Fatal(err)
	}
	if !ok {
		return nil
	}
	layers, err := mvt.UnmarshalGzipped(data)
	if err != nil {
		t.Fatalf("%d/%d/%d: %v", z, x, y, err)
	}
	return layers
}

// eachTile visits all tiles that the region's bounds can touch.
func eachTile(t testing.TB, tiles *tiles.Tiles, visit func(z, x, y int, layers mvt.Layers)) (count int) {
	t.Helper()
	b := tiles.Bounds()
	for z := tiles.MinZoom; z <= tiles.MaxZoom; z++ {
		side := float64(int(1) << z)
		nw, se := onMap(b.MaxLat, b.MinLng), onMap(b.MinLat, b.MaxLng)
		for x := int(nw[0]*side) - 1; x <= int(se[0]*side)+1; x++ {
			for y := int(nw[1]*side) - 1; y <= int(se[1]*side)+1; y++ {
				if layers := layersOf(t, tiles, z, x, y); layers != nil {
					count++
					visit(z, x, y, layers)
				}
			}
		}
	}
	return count
}

// Every tile says only what the metadata and docs/map.md promise.
func TestTilesKeepTheContract(t *testing.T) {
	tiles := openTestTiles(t, geotest.WilmingtonFile)
	var meta struct {
		Attribution  string        `json:"attribution"`
		VectorLayers []layerFields `json:"vector_layers"`
	}
	if err := json.Unmarshal(tiles.Metadata(), &meta); err != nil {
		t.Fatal(err)
	}
	if meta.Attribution != geo.Attribution || tiles.Attribution() != geo.Attribution || !tiles.Gzipped() || tiles.MaxZoom != 14 {
		t.Errorf("%+v", meta)
	}
	promised := map[string]layerFields{}
	for _, l := range meta.VectorLayers {
		promised[l.ID] = l
	}
	seen := map[string]int{}
	classes := map[string]map[string]bool{}
	eachTile(t, tiles, func(z, x, y int, layers mvt.Layers) {
		for _, l := range layers {
			p, ok := promised[l.Name]
			if !ok || z < p.MinZoom || l.Version != 2 {
				t.Fatalf("layer %q version %d at zoom %d", l.Name, l.Version, z)
			}
			for _, f := range l.Features {
				seen[l.Name]++
				checkFields(t, l.Name, p, f.Properties)
				if class, ok := f.Properties["class"].(string); ok {
					if classes[l.Name] == nil {
						classes[l.Name] = map[string]bool{}
					}
					classes[l.Name][class] = true
				}
				checkGeometry(t, fmt.Sprintf("%d/%d/%d %s", z, x, y, l.Name), f.Geometry)
			}
		}
	})
	for _, name := range regionLayers {
		if name != "aeroway" && seen[name] == 0 { // Wilmington's center has no airfield
			t.Errorf("layer %q has nothing", name)
		}
	}
	for _, class := range []string{"motorway", "trunk", "primary", "secondary", "tertiary", "residential", "service", "path"} {
		if !classes["road"][class] {
			t.Errorf("no road of class %q", class)
		}
	}
	for class := range classes["road"] {
		if strings.Contains(class, "proposed") || strings.Contains(class, "construction") || strings.Contains(class, "_link") {
			t.Errorf("road class %q", class)
		}
	}
}

func checkFields(t *testing.T, layer string, promised layerFields, properties map[string]any) {
	t.Helper()
	for key, value := range properties {
		switch kind := promised.Fields[key]; v := value.(type) {
		case string:
			if kind != "String" || v == "" {
				t.Fatalf("%s.%s = %q (%s)", layer, key, v, kind)
			}
		case bool:
			if kind != "Boolean" || !v {
				t.Fatalf("%s.%s = %v (%s)", layer, key, v, kind)
			}
		case float64:
			if kind != "Number" {
				t.Fatalf("%s.%s = %v (%s)", layer, key, v, kind)
			}
		default:
			t.Fatalf("%s.%s is a %T", layer, key, value)
		}
	}
}

// checkGeometry: inside tile and buffer, lines of two points or more, rings wound as MVT 2 wants.
func checkGeometry(t *testing.T, where string, g orb.Geometry) {
	t.Helper()
	b := g.Bound()
	limit := 64.0
	if b.Min[0] < -limit || b.Min[1] < -limit || b.Max[0] > 4096+limit || b.Max[1] > 4096+limit {
		t.Fatalf("%s: %v reaches outside", where, b)
	}
	switch g := g.(type) {
	case orb.LineString:
		checkGeometry(t, where, orb.MultiLineString{g})
	case orb.MultiLineString:
		for _, line := range g {
			if len(line) < 2 {
				t.Fatalf("%s: a line of %d points", where, len(line))
			}
		}
	case orb.Polygon:
		for i, ring := range g {
			if area := tiles.RingArea(ring); len(ring) < 4 || (i == 0) != (area > 0) {
				t.Fatalf("%s: ring %d of %d points has area %v", where, i, len(ring), area)
			}
		}
	case orb.MultiPolygon:
		for _, p := range g {
			checkGeometry(t, where, p)
		}
	}
}

// A pond with an island in a park, mapped as a multipolygon of two half rings:
// one polygon, one hole, named, at every zoom where it is large enough.
func TestMultipolygonsAreJoined(t *testing.T) {
	for _, style := range []string{"relation", "outer way"} {
		e := geotest.Town()
		at := func(id int64, dLat, dLng float64) {
			e.Nodes = append(e.Nodes, geotest.TestNode{ID: id, Lat: 40.02 + dLat, Lng: -75 + dLng})
		}
		for i, p := range [][2]float64{{0, 0}, {0, .01}, {.01, .01}, {.01, 0}, {.003, .003}, {.003, .007}, {.007, .007}, {.007, .003}} {
			at(800+int64(i), p[0], p[1])
		}
		water := []string{"natural", "water", "name", "Round Pond"}
		half := geotest.TestWay{ID: 800, Refs: []int64{800, 801, 802}}
		rel := geotest.TestRelation{ID: 800, Tags: []string{"type", "multipolygon"}, Members: []geotest.TestMember{
			{ID: 800, Kind: geotest.OfWay, Role: "outer"}, {ID: 801, Kind: geotest.OfWay, Role: "outer"}, {ID: 802, Kind: geotest.OfWay, Role: "inner"}}}
		if style == "relation" {
			rel.Tags = append(rel.Tags, water...)
		} else {
			half.Tags = water
		}
		e.Ways = append(e.Ways, half, geotest.TestWay{ID: 801, Refs: []int64{800, 803, 802}}, geotest.TestWay{ID: 802, Refs: []int64{804, 805, 806, 807, 804}})
		e.Relations = append(e.Relations, rel)
		dir, _, err := importBytes(t, e.Encode(), ImportOptions{})
		if err != nil {
			t.Fatal(err)
		}
		tiles, err := tiles.OpenTiles(filepath.Join(dir, geo.TilesFile))
		if err != nil {
			t.Fatal(err)
		}
		defer tiles.Close()
		found := 0
		for z := 9; z <= 12; z++ { // low enough for one tile
			p := onMap(40.025, -74.995)
			for _, l := range layersOf(t, tiles, z, int(p[0]*float64(int(1)<<z)), int(p[1]*float64(int(1)<<z))) {
				if l.Name != "water" {
					continue
				}
				polygon, ok := l.Features[0].Geometry.(orb.Polygon)
				if !ok || len(l.Features) != 1 || l.Features[0].Properties["name"] != "Round Pond" {
					t.Fatalf("%s z%d: %+v", style, z, l.Features[0])
				}
				if z >= 11 && len(polygon) != 2 {
					t.Errorf("%s z%d: %d rings", style, z, len(polygon))
				}
				found++
			}
		}
		if found != 4 {
			t.Errorf("%s: pond found at %d zooms of 4", style, found)
		}
	}
}

// At low zoom a motorway is a few long lines, not hundreds of dots: as long
// all together as at the zoom where nothing is dropped.
func TestMotorwaysAreWholeAtLowZoom(t *testing.T) {
	tiles := openTestTiles(t, geotest.WholeState(t))
	length, parts := map[int]float64{}, map[int]int{}
	for z := 6; z <= 11; z++ {
		b := tiles.Bounds()
		side := float64(int(1) << z)
		nw, se := onMap(b.MaxLat, b.MinLng), onMap(b.MinLat, b.MaxLng)
		for x := int(nw[0] * side); x <= int(se[0]*side); x++ {
			for y := int(nw[1] * side); y <= int(se[1]*side); y++ {
				for _, l := range layersOf(t, tiles, z, x, y) {
					if l.Name != "road" {
						continue
					}
					for _, f := range l.Features {
						if f.Properties["class"] != "motorway" || f.Properties["link"] != nil {
							continue
						}
						n, m := lineLength(f.Geometry)
						parts[z] += n
						length[z] += m / side
					}
				}
			}
		}
	}
	for z := 6; z < 11; z++ {
		if share := length[z] / length[11]; share < 0.9 || share > 1.1 {
			t.Errorf("zoom %d shows %.0f%% of the motorways", z, share*100)
		}
	}
	if parts[6] > 60 {
		t.Errorf("motorways are in %d parts at zoom 6", parts[6])
	}
}

func lineLength(g orb.Geometry) (parts int, units float64) {
	lines, ok := g.(orb.MultiLineString)
	if line, single := g.(orb.LineString); single {
		lines, ok = orb.MultiLineString{line}, true
	}
	if !ok {
		return 0, math.NaN()
	}
	for _, line := range lines {
		for i := 1; i < len(line); i++ {
			units += math.Hypot(line[i][0]-line[i-1][0], line[i][1]-line[i-1][1])
		}
	}
	return len(lines), units
}

// The reader of the browser reads every tile as ours does.
func TestTilesReadByPMTilesOfNPM(t *testing.T) {
	node, err := exec.LookPath("node")
	check := filepath.Join("..", "..", "..", "web", "scripts", "basemap", "check.mjs")
	if _, missing := os.Stat(filepath.Join("..", "..", "..", "web", "node_modules", "pmtiles")); err != nil || missing != nil {
		t.Logf("NOT TESTED: the PMTiles reader of npm: node: %v, web/node_modules/pmtiles: %v (run npm ci in web)", err, missing)
		t.Skip("node or web/node_modules/pmtiles is missing")
	}
	path := filepath.Join(geotest.ImportOnce(t, geotest.WholeState(t)), geo.TilesFile)
	tiles, err := tiles.OpenTiles(path)
	if err != nil {
		t.Fatal(err)
	}
	defer tiles.Close()
	var ask, want bytes.Buffer
	count := eachTile(t, tiles, func(z, x, y int, _ mvt.Layers) {
		data, _, _ := tiles.Tile(z, x, y)
		plain, err := unpacked(data)
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(plain)
		fmt.Fprintf(&ask, "%d %d %d\n", z, x, y)
		fmt.Fprintf(&want, "%d %d %d %s\n", z, x, y, hex.EncodeToString(sum[:]))
	})
	fmt.Fprintln(&ask, "14 0 0") // there is none
	fmt.Fprintln(&want, "14 0 0 none")
	cmd := exec.Command(node, check, path)
	cmd.Stdin = &ask
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, stderr.String())
	}
	head, rest, _ := strings.Cut(string(out), "\n")
	if rest != want.String() {
		t.Errorf("tiles differ")
	}
	var header struct {
		MinZoom, MaxZoom, NumAddressedTiles, TileType int
		MinLon, MinLat, MaxLon, MaxLat                float64
		Layers                                        []string
		Attribution                                   string
		Clustered                                     bool
	}
	if err := json.Unmarshal([]byte(head), &header); err != nil {
		t.Fatal(err)
	}
	b := tiles.Bounds()
	if header.MaxZoom != 14 || header.NumAddressedTiles < count || header.TileType != 1 || !header.Clustered || header.Attribution != geo.Attribution ||
		strings.Join(header.Layers, " ") != strings.Join(regionLayers, " ") || math.Abs(header.MinLon-b.MinLng)+math.Abs(header.MaxLat-b.MaxLat) > 1e-6 {
		t.Errorf("%+v, %d tiles", header, count)
	}
	if count < 2000 {
		t.Errorf("only %d tiles", count)
	}
}

func TestTilesFromBytesAndDigest(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join(geotest.ImportOnce(t, geotest.WilmingtonFile), geo.TilesFile))
	if err != nil {
		t.Fatal(err)
	}
	whole, err := tiles.OpenTilesBytes(raw)
	if err != nil {
		t.Fatal(err)
	}
	onDisk := openTestTiles(t, geotest.WilmingtonFile)
	if whole.Digest() != onDisk.Digest() || len(whole.Digest()) != 32 {
		t.Errorf("digests %q and %q", whole.Digest(), onDisk.Digest())
	}
	section := whole.Section()
	all := make([]byte, section.Size())
	if _, err := section.ReadAt(all, 0); err != nil || !bytes.Equal(all, raw) {
		t.Errorf("the section is not the file: %v", err)
	}
	for _, at := range [][3]int{{-1, 0, 0}, {15, 0, 0}, {3, 8, 0}, {3, 0, -1}, {14, 0, 0}} {
		if _, ok, err := whole.Tile(at[0], at[1], at[2]); ok || err != nil {
			t.Errorf("%v: %v %v", at, ok, err)
		}
	}
	// One more name changes one tile, and so the digest.
	e := geotest.Town()
	a, _, _ := importBytes(t, e.Encode(), ImportOptions{})
	e.Way(100).Tags[3] = "Another Row"
	b, _, _ := importBytes(t, e.Encode(), ImportOptions{})
	ta, errA := tiles.OpenTiles(filepath.Join(a, geo.TilesFile))
	tb, errB := tiles.OpenTiles(filepath.Join(b, geo.TilesFile))
	if err := errors.Join(errA, errB); err != nil {
		t.Fatal(err)
	}
	defer ta.Close()
	defer tb.Close()
	if ta.Digest() == tb.Digest() {
		t.Error("other tiles, same digest")
	}
}

// A protected landscape is green; a historic district is protected too, but it is built.
func TestHistoricDistrictIsNoPark(t *testing.T) {
	for _, test := range []struct {
		tags []tag
		want bool
	}{
		{[]tag{{"boundary", "protected_area"}}, true},
		{[]tag{{"boundary", "protected_area"}, {"historic", "no"}}, true},
		{[]tag{{"boundary", "protected_area"}, {"historic", "heritage"}}, false},
		{[]tag{{"boundary", "protected_area"}, {"historic", "heritage"}, {"leisure", "park"}}, true},
	} {
		k := readKnown(test.tags)
		s, ok := areaShape(&k)
		if ok != test.want || ok && s.Layer != layerPark {
			t.Errorf("%v: %v, want %v", test.tags, ok, test.want)
		}
	}
}

// layerFields is what a region's metadata says of a layer.
type layerFields struct {
	ID      string            `json:"id"`
	MinZoom int               `json:"minzoom"`
	MaxZoom int               `json:"maxzoom"`
	Fields  map[string]string `json:"fields"`
}

// onMap is a place on the square of Web Mercator, 0 to 1.
func onMap(lat, lng float64) orb.Point {
	sin := math.Sin(lat * math.Pi / 180)
	return orb.Point{lng/360 + 0.5, 0.5 - math.Log((1+sin)/(1-sin))/(4*math.Pi)}
}

func unpacked(data []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}
